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
from ordbook.show.colours import ESTIMATE
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
    label: str,
    points: Mapping[str, tuple[float, float, float]] | None = None,
) -> Figure:
    """Draw a curve over the number of topics for each measure, a panel each.

    Parameters
    ----------
    within
        Columns measure, topics and mean.
    label
        What the curves show.
    points
        Measure -> value, low and high at the most topics: the statistic computed in another way.
    """
    grid = sns.relplot(
        within,
        kind="line",
        x="topics",
        y="mean",
        color=ESTIMATE,
        marker="o",
        col="measure",
        col_wrap=min(2, within["measure"].nunique()),
        height=1.85,
        aspect=1.45,
    ).set_titles("")
    last = within["topics"].max()
    for measure, axes in grid.axes_dict.items():
        if points and measure in points:
            value, low, high = points[measure]
            reach = [[value - low], [high - value]]
            axes.errorbar(last, value, reach, fmt="D", mfc="white", color="black", zorder=3)
        axes.set_title(escape_figure(measure), loc="left", fontsize="medium", fontweight="bold")
    at = [within["topics"].min(), last]
    lowest = np.floor(4 * within["mean"].min())
    grid.set(xscale="log", ylim=(lowest / 4, 1.04), xlabel="topics", ylabel="")
    grid.set(xticks=at, xticklabels=list(map(str, at)), yticks=np.arange(lowest, 5) / 4)
    for axes in grid.axes.flat:
        axes.xaxis.set_minor_formatter(NullFormatter())
    grid.figure.supylabel(label, fontsize="medium", x=0.01)
    figure: Figure = grid.figure
    return figure
