"""The chapter on numbers of topics: what it designs from, and its figures."""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import (
    LogLocator,
    MultipleLocator,
    NullFormatter,
    ScalarFormatter,
)

from ordbook.chapters.curves import style
from ordbook.chapters.escape import escape_figure
from ordbook.chapters.pictures import ESTIMATE, GOLD, TIED, WIDTH, WRONG
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import Measure
from ordbook.meta.topic_set_size import design_power, unfit, with_differences

# What figures show of all measures.
_DRAWN = (
    *("MAE_mu", "accuracy", "MAE_M", "F1_M", "kappa", "CEM_ORD"),
    *("NMD", "RNOD", "NVD", "RNSS", "JSD", "DNKT"),
)

_BAND: dict[str, Any] = {
    "facecolor": GOLD,
    "alpha": 0.35,
    "hatch": "///",
    "edgecolor": "#8A5F00",
}


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
    measures = list(dict.fromkeys(within["measure"]))
    columns = 2 if len(measures) > 1 else 1
    rows = -(-len(measures) // columns)
    figure, panels = plt.subplots(
        rows,
        columns,
        figsize=(WIDTH + 0.4, 1.75 * rows + 0.9),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes in panels.ravel()[len(measures) :]:
        axes.remove()
    for axes, measure in zip(panels.ravel(), measures, strict=False):
        seen = within[within["measure"] == measure]
        new = beyond[beyond["measure"] == measure]
        axes.fill_between(new["topics"], new["low"], new["high"], lw=0, **_BAND)
        axes.plot(new["topics"], new["mean"], "--", color=WRONG, lw=2)
        axes.plot(seen["topics"], seen["mean"], "-o", color=ESTIMATE, lw=2, ms=5)
        axes.axvline(seen["topics"].max(), color=TIED, lw=1, ls=":")
        if measure in (points or {}):
            value, low, high = (points or {})[measure]
            axes.errorbar(
                seen["topics"].max(),
                value,
                [[value - low], [high - value]],
                fmt="D",
                mfc="white",
                mec="black",
                ecolor="black",
                ms=6,
                zorder=3,
            )
        axes.set_title(escape_figure(measure), loc="left", fontsize="medium", fontweight="bold")
        axes.set(xscale="log")
        sns.despine(ax=axes)
    at = np.unique([within["topics"].min(), within["topics"].max(), beyond["topics"].max()])
    last = panels[0, 0]
    last.set_xticks(at, [str(size) for size in at])
    last.xaxis.set_minor_formatter(NullFormatter())
    lowest = min(float(beyond["low"].min()), float(within["mean"].min()))
    last.set_ylim(np.floor(4 * lowest) / 4, 1.04)
    last.yaxis.set_major_locator(MultipleLocator(0.25))
    figure.supxlabel("topics", fontsize="medium")
    figure.supylabel(label, fontsize="medium")
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=ESTIMATE, marker="o", lw=2, ms=5, label="observed"),
        Line2D([], [], color=WRONG, ls="--", lw=2, label="extrapolated"),
        Patch(label="95% band", **_BAND),
    ]
    if points:
        mark: dict[str, Any] = {"marker": "D", "mfc": "white", "mec": "black", "ls": "", "ms": 6}
        handles.append(Line2D([], [], label="randomised test", **mark))
    figure.legend(
        handles=handles, loc="outside upper center", ncols=2, frameon=False, columnspacing=1.2
    )
    return figure


def power_curves(
    design: pd.DataFrame,
    runs: int,
    *,
    measures: Iterable[str] | None = None,
) -> Axes:
    """Draw the chance to find a difference by the number of topics, a curve per measure.

    Parameters
    ----------
    design
        From :func:`ordbook.meta.topic_set_size.topic_set_size`, of the paired design.
    runs
        m.
    measures
        Which rows, by default all. The legend gives the number of topics needed.
    """
    chosen = design if measures is None else design.loc[list(measures)]
    most = max(int(chosen["topics"].max() * 1.6), 6)
    sizes = np.unique(np.geomspace(2, most, 60).astype(int))
    _, axes = plt.subplots(figsize=(WIDTH + 0.8, 3.6), layout="constrained")
    for k, (measure, row) in enumerate(chosen.iterrows()):
        values = [
            design_power(row["variance"], row["difference"], int(size), runs) for size in sizes
        ]
        axes.plot(
            sizes,
            values,
            lw=1.8,
            ms=6,
            mec="white",
            mew=0.6,
            markevery=(4 + 2 * k % 10, 10),
            label=escape_figure(f"{measure}: {int(row['topics'])}"),
            **style(k),
        )
    axes.axhline(0.8, color=TIED, lw=1, zorder=1)
    axes.set(xlabel="topics", ylabel="power", ylim=(0, 1.03), xscale="log")
    axes.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    sns.despine(ax=axes)
    axes.legend(
        title="topics needed",
        frameon=False,
        loc="center left",
        bbox_to_anchor=(1, 0.5),
        handlelength=3,
    )
    return axes
