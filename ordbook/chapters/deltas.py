"""Two runs topic by topic: where two measures prefer opposite ones (LQ'21 Figures 1 and 2)."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from ordbook.chapters.pictures import ESTIMATE, TIED, WRONG
from ordbook.meta.deltas import Quadrants, quadrants
from ordbook.meta.kendall import TIE_TOLERANCE

# Topics on which two measures agree, part, or are undecided: marker, colour, legend.
KINDS = (
    ("o", ESTIMATE, "both prefer the same"),
    ("^", WRONG, "opposite"),
    ("x", TIED, "a tie"),
)


def panel(axes: Axes, deltas: pd.DataFrame, x: str, other: str) -> None:
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
    """
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
