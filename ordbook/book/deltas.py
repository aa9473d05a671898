"""Two runs topic by topic: where measures prefer opposite ones (LQ'21 Figures 1 to 3).

A delta is M(popularity) - M(uniform), turned for measures that are better high, so that a
negative one always means that the popularity baseline is preferred.

Contents
--------
with_baselines       a task that has both baselines among its runs
popularity_deltas    topic x measure: how much better than popularity the uniform baseline is
quadrant_table       counts, correlations and intervals of several pairs of measures
KINDS                kinds of topic: marker, colour, legend
scatter, panel       deltas of one measure against those of others, a panel each
kinds_legend         the legend of such a figure
partings             gold and both baselines on a few topics
"""

from collections.abc import Sequence
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from ordbook.book.escape import escape_figure
from ordbook.book.pictures import ESTIMATE, GOLD, TIED, WIDTH, WRONG
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import BASELINES, QuantificationTask
from ordbook.data.tasks import baselines as baseline_runs
from ordbook.measures.validation import check_pair
from ordbook.meta.deltas import Quadrants, quadrants, score_deltas
from ordbook.meta.kendall import TIE_TOLERANCE

UNIFORM, POPULARITY = BASELINES
# Topics on which two measures agree, part, or are undecided: marker, colour, legend.
KINDS = (
    ("o", ESTIMATE, "both prefer the same"),
    ("^", WRONG, "opposite"),
    ("x", TIED, "a tie"),
)


def with_baselines(task: QuantificationTask) -> QuantificationTask:
    """Return the task with both baselines among its runs; the task itself if they are there.

    Where one of them is there, it stays as it is, and only the other is added.
    """
    missing = [k for k, run in enumerate(BASELINES) if run not in task.runs]
    if not missing:
        return task
    return replace(
        task,
        runs=(*task.runs, *(BASELINES[k] for k in missing)),
        _estimates=np.concatenate([task.estimates, baseline_runs(task.gold)[missing]]),
    )


def popularity_deltas(scores: ScoreMatrix) -> pd.DataFrame:
    r"""Topic x measure: :math:`\Delta M = M(\text{Popularity}) - M(\text{Uniform})`.

    LQ'21 Eq. 10 for measures that are better low; others are turned. Negative means that
    popularity is preferred.
    """
    return 0.0 - score_deltas(scores, POPULARITY, UNIFORM, oriented=True)


def quadrant_table(deltas: pd.DataFrame, x: str, others: Sequence[str]) -> pd.DataFrame:
    """Count topics in the second and fourth quadrants, and correlate the deltas.

    Parameters
    ----------
    deltas
        From :func:`popularity_deltas`, at least four topics.
    x, others
        The measure that all others are compared with.

    Returns
    -------
    DataFrame
        By pair: "2nd quadrant" (x alone prefers popularity), "4th quadrant" (x alone prefers
        uniform), "share" of both, "tied" (by one measure or both), "Pearson", "low", "high".
    """
    rows = {}
    for other in others:
        found = quadrants(deltas, x, other)
        rows[f"{x}, {other}"] = {
            "2nd quadrant": found.second,
            "4th quadrant": found.fourth,
            "share": found.disagreements / len(deltas),
            "tied": found.on_x_axis + found.on_y_axis + found.at_origin,
            "Pearson": found.pearson,
            "low": found.low,
            "high": found.high,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measures")


def scatter(deltas: pd.DataFrame, x: str, others: Sequence[str]) -> Figure:
    """Draw the deltas of one measure against those of others, a panel each.

    Every panel says how many topics lie in each quadrant, and Pearson's correlation with its 95%
    interval. Topics on which the two measures prefer opposite runs are triangles.

    Parameters
    ----------
    deltas
        From :func:`popularity_deltas`, at least four topics.
    x, others
        The measure on the horizontal axis, and those on the vertical axes.
    """
    rows = -(-len(others) // 2)
    figure, panels = plt.subplots(
        rows, 2, figsize=(WIDTH, 2.75 * rows + 0.4), squeeze=False, layout="constrained"
    )
    for axes, other in zip(panels.flat, others, strict=False):
        panel(axes, deltas, x, other)
    for axes in panels.flat[len(others) :]:
        axes.set_axis_off()
    kinds_legend(figure)
    return figure


def partings(gold: ArrayLike, classes: Sequence[str], names: Sequence[str]) -> Figure:
    """Draw the gold distributions of a few topics with what both baselines estimate.

    Parameters
    ----------
    gold
        (topics, classes): the topics to be drawn, one panel each.
    classes
        Labels.
    names
        What stands below each panel.
    """
    wanted = np.atleast_2d(np.asarray(gold, dtype=float))
    check_pair(wanted, wanted)
    uniform, popularity = baseline_runs(wanted)
    figure, panels = plt.subplots(
        1, len(wanted), figsize=(WIDTH, 2.9), sharey=True, squeeze=False, layout="constrained"
    )
    for k, axes in enumerate(panels.flat):
        _distributions(axes, wanted[k], popularity[k], uniform[k])
        axes.set_xticks(np.arange(len(classes)), list(map(escape_figure, classes)))
        # Names come from files: a dollar sign is no formula.
        axes.set_xlabel(f"class\n{names[k]}", parse_math=False)
        sns.despine(ax=axes)
    panels[0, 0].set_ylabel("probability")
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=3,
        frameon=False,
    )
    return figure


def panel(axes: Axes, deltas: pd.DataFrame, x: str, other: str) -> None:
    """Draw one panel of :func:`scatter`, every kind of topic as ``KINDS`` says."""
    found = quadrants(deltas, x, other)
    horizontal, vertical = deltas[x].to_numpy(), deltas[other].to_numpy()
    for kind, (marker, colour, _) in zip(_kinds(horizontal, vertical), KINDS, strict=True):
        axes.plot(
            horizontal[kind],
            vertical[kind],
            marker,
            color=colour,
            ms=4,
            alpha=0.6,
            mew=0.8,
            gid="topics",
        )
    axes.axhline(0, color=TIED, lw=0.8, zorder=1)
    axes.axvline(0, color=TIED, lw=0.8, zorder=1)
    axes.margins(0.14)
    _corners(axes, found)
    # Names of measures may be the reader's own: a dollar sign is no formula.
    axes.set_xlabel(f"Δ{x}", parse_math=False)
    axes.set_ylabel(f"Δ{other}", parse_math=False)
    known = found.pearson == found.pearson
    axes.annotate(
        f"r = {found.pearson:.2f} [{found.low:.2f}, {found.high:.2f}]" if known else "r undefined",
        (0.5, 1.02),
        xycoords="axes fraction",
        ha="center",
        va="bottom",
    )
    axes.xaxis.set_major_locator(MaxNLocator(4))
    sns.despine(ax=axes)


def kinds_legend(figure: Figure) -> None:
    """Explain ``KINDS`` above a figure."""
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, label=label)
        for marker, colour, label in KINDS
    ]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=3, frameon=False, handletextpad=0.1
    )


def _corners(axes: Axes, found: Quadrants) -> None:
    """Write the number of topics of each quadrant into its corner."""
    for count, at, align in (
        (found.first, (0.98, 0.98), ("right", "top")),
        (found.second, (0.02, 0.98), ("left", "top")),
        (found.third, (0.02, 0.02), ("left", "bottom")),
        (found.fourth, (0.98, 0.02), ("right", "bottom")),
    ):
        axes.annotate(
            str(count),
            at,
            xycoords="axes fraction",
            ha=align[0],
            va=align[1],
            weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1},
        )


def _kinds(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.bool_], ...]:
    """Topics on which the signs agree, on which they are opposite, and on which one is 0."""
    tied = (np.abs(x) <= TIE_TOLERANCE) | (np.abs(y) <= TIE_TOLERANCE)
    return (x * y > 0) & ~tied, (x * y < 0) & ~tied, tied


def _distributions(
    axes: Axes,
    gold: NDArray[np.float64],
    popularity: NDArray[np.float64],
    uniform: NDArray[np.float64],
) -> None:
    at = np.arange(len(gold))
    axes.bar(
        at, gold, 0.8, label="gold", facecolor=GOLD, hatch="///", edgecolor="#8A5F00", linewidth=0.8
    )
    axes.plot(at, popularity, "D", color=ESTIMATE, ms=7, label="popularity", clip_on=False)
    axes.plot(at, uniform, "--", color="black", marker="o", ms=4, lw=1.2, label="uniform")
    axes.set_ylim(0, 1.02)
