"""Two runs of a task: the pair to compare, and the topics on which two measures disagree."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.data.tasks import BASELINES
from ordbook.meta.agreement import Quadrants, quadrants
from ordbook.meta.variances import settled
from ordbook.show.charts import legend_above
from ordbook.show.colours import CLOUD, INK, TIED, WIDTH, WRONG
from ordbook.show.parameters import named_runs

# Topics on which two measures agree, part, or are undecided: marker, colour, legend.
KINDS = (
    ("o", TIED, "both prefer the same"),
    ("^", WRONG, "opposite"),
    ("x", INK, "a tie"),
)


def systems_only(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores without BL-uniform and BL-popularity if two runs are left, else all scores.

    A name in which that of a baseline occurs, such as ``A_BL-uniform-C``, is a baseline's.
    """
    systems = [run for run in scores.runs if not any(name in run for name in BASELINES)]
    return scores.keep(runs=systems) if len(systems) > 1 else scores


def chosen_runs(scores: ScoreMatrix, runs: str = "", measure: str = "NMD") -> tuple[str, str]:
    """Return two runs to compare, the better one last, as the paper's Systems 1 and 2.

    Parameters
    ----------
    scores
        Scores of at least two runs, the measure among them.
    runs
        Two names, separated by a comma; by default the runs with the worst and the best mean,
        baselines left out where two others are there.
    measure
        By which measure a run is better. Runs with the same mean keep the order of the task.
    """
    if len(scores.runs) < 2:
        raise ValueError(f"{scores.task}: comparing runs needs two of them")
    means = scores.select([measure]).oriented[0].mean(axis=0)
    order = pd.Series(settled(-means), index=scores.runs)
    compared = named_runs(runs, scores.runs) or systems_only(scores).runs
    ranked = order.loc[list(compared)].sort_values(kind="stable")
    return str(ranked.index[-1]), str(ranked.index[0])


def panel(
    axes: Axes, deltas: pd.DataFrame, x: str, other: str, runs: tuple[str, str] | None = None
) -> None:
    """Draw the deltas of one measure against those of another, every topic as ``KINDS`` says.

    The panel says how many topics lie in each quadrant, and Pearson's correlation with its 95%
    interval.

    Parameters
    ----------
    axes
        Where to draw.
    deltas
        Topic x measure, at least four topics; negative prefers the first run.
    x, other
        The measure on the horizontal axis, and that on the vertical one.
    runs
        Short names of the two runs, which are written on the sides of the axes that prefer them.
    """
    counts = quadrants(deltas, x, other)
    horizontal, vertical = deltas[x].to_numpy(), deltas[other].to_numpy()
    for kind, (marker, colour, label) in zip(_kinds(horizontal, vertical), KINDS, strict=True):
        axes.plot(
            horizontal[kind],
            vertical[kind],
            marker,
            color=colour,
            ms=4,
            alpha=0.6,
            mew=0.8,
            label=label,
            gid="topics",
            rasterized=len(deltas) > CLOUD,
        )
    axes.axhline(0, color=TIED, lw=0.8, zorder=1)
    axes.axvline(0, color=TIED, lw=0.8, zorder=1)
    axes.margins(0.14)
    _corners(axes, counts)
    # Names of measures may be the reader's own: a dollar sign is no formula.
    sides = f"\n← {runs[0]} | {runs[1]} →" if runs else ""
    axes.set_xlabel(f"Δ{x}{sides}", parse_math=False)
    axes.set_ylabel(f"Δ{other}{sides}", parse_math=False)
    known = counts.pearson == counts.pearson
    axes.annotate(
        f"r = {counts.pearson:.2f} [{counts.low:.2f}, {counts.high:.2f}]"
        if known
        else "r undefined",
        (0.5, 1.02),
        xycoords="axes fraction",
        ha="center",
        va="bottom",
    )
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.spines[["top", "right"]].set_visible(False)


def planes(deltas: pd.DataFrame, pairs: Sequence[tuple[str, str]], runs: tuple[str, str]) -> Figure:
    """Draw the topics in the planes of two measures' deltas, side by side.

    Parameters
    ----------
    deltas
        Topic x measure, at least four topics; negative prefers the first run.
    pairs
        (measure to the right, measure upwards) of each panel.
    runs
        Short names of the two runs.
    """
    figure, panels = plt.subplots(
        1, len(pairs), figsize=(WIDTH, 3.1), squeeze=False, layout="constrained"
    )
    for axes, (x, y) in zip(panels.flat, pairs, strict=True):
        panel(axes, deltas, x, y, runs)
    legend_above(panels[0, 0])
    return figure


def _corners(axes: Axes, counts: Quadrants) -> None:
    """Write the number of topics of each quadrant into its corner."""
    for count, at, align in (
        (counts.first, (0.98, 0.98), ("right", "top")),
        (counts.second, (0.02, 0.98), ("left", "top")),
        (counts.third, (0.02, 0.02), ("left", "bottom")),
        (counts.fourth, (0.98, 0.02), ("right", "bottom")),
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
