"""The chapter on numbers of topics: what it designs from, and its figures."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from ordbook.data.scores import ScoreMatrix
from ordbook.measures import Measure
from ordbook.meta.topic_set_size import unfit, with_differences
from ordbook.show.colours import ESTIMATE, GOLD, TIED, WRONG
from ordbook.show.escape import escape_figure

# What figures show of all measures.
_DRAWN = (
    *("MAE_mu", "accuracy", "MAE_M", "F1_M", "kappa", "CEM_ORD"),
    *("NMD", "RNOD", "NVD", "RNSS", "JSD", "DNKT"),
)


def comparable(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores by those measures for which a design exists.

    Raises
    ------
    ValueError
        If there is none, or there are too few runs or topics.
    """
    if reason := unfit(scores):
        raise ValueError(reason)
    return with_differences(scores)


def drawn(scores: ScoreMatrix, own: Iterable[Measure] = ()) -> list[str]:
    """Return the measures that figures show: six of the book's, and the reader's own."""
    names = (*_DRAWN, *(measure.name for measure in own))
    return [name for name in names if name in scores.measures]


def curves(
    within: pd.DataFrame,
    beyond: pd.DataFrame,
    label: str,
    points: Mapping[str, tuple[float, float, float]] | None = None,
) -> Figure:
    """Draw observed and extrapolated curves, a panel per measure.

    Parameters
    ----------
    within, beyond
        Columns measure, topics, mean, low and high. The bands of ``beyond`` are drawn.
    label
        What the curves show.
    points
        Measure -> value, low and high at the most topics of ``within``: the statistic computed
        in another way.
    """
    kinds = {"observed": within, "extrapolated": beyond}
    both = pd.concat([frame.assign(kind=kind) for kind, frame in kinds.items()])
    grid = sns.relplot(
        both,
        kind="line",
        x="topics",
        y="mean",
        hue="kind",
        style="kind",
        palette=[ESTIMATE, WRONG],
        markers=["o", "o"],
        col="measure",
        col_wrap=min(2, both["measure"].nunique()),
        height=1.85,
        aspect=1.45,
        facet_kws={"legend_out": False},
    ).set_titles("")
    last = within["topics"].max()
    for measure, axes in grid.axes_dict.items():
        band = beyond[beyond["measure"] == measure]
        axes.fill_between(band["topics"], band["low"], band["high"], color=GOLD, alpha=0.4, lw=0)
        axes.axvline(last, color=TIED, lw=1, ls=":")
        if points and measure in points:
            value, low, high = points[measure]
            reach = [[value - low], [high - value]]
            axes.errorbar(last, value, reach, fmt="D", mfc="white", color="black", zorder=3)
        axes.set_title(escape_figure(measure), loc="left", fontsize="medium", fontweight="bold")
    at = sorted({within["topics"].min(), last, beyond["topics"].max()})
    lowest = min(beyond["low"].min(), within["mean"].min())
    grid.set(xscale="log", ylim=(np.floor(4 * lowest) / 4, 1.04), xlabel="topics", ylabel="")
    grid.set(
        xticks=at, xticklabels=list(map(str, at)), yticks=np.arange(np.floor(4 * lowest), 5) / 4
    )
    for axes in grid.axes.flat:
        axes.xaxis.set_minor_formatter(NullFormatter())
    grid.figure.supylabel(label, fontsize="medium", x=0.01)
    sns.move_legend(grid, "lower center", bbox_to_anchor=(0.5, 1), ncols=2, title=None)
    figure: Figure = grid.figure
    return figure
