"""The figures of a report."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from ordbook.data.tasks import QuantificationTask
from ordbook.meta.significance import SignificanceTests
from ordbook.reports.parts import INK
from ordbook.show.colours import ESTIMATE, GOLD, TIED, WIDTH, WRONG
from ordbook.show.escape import escape_figure

STYLE: Any = {
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), INK),
    "grid.color": TIED,
    "font.size": 10,
    "axes.grid": False,
    "axes.axisbelow": True,
}


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure; pages need no backend."""
    return Figure(figsize=(width, height), layout="constrained")


def rows_of(names: Collection[str], label: str) -> tuple[Figure, Axes]:
    """Return axes with a row for each name, the first above."""
    figure = new_figure(WIDTH + 1.5, 0.9 + 0.24 * len(names))
    axes = figure.subplots()
    axes.set_yticks(range(len(names)), [escape_figure(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", lw=0.4)
    axes.set_xlabel(label, parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


@rc_context(STYLE)
def draw_ranking(ranking: pd.DataFrame, label: str, bars: Sequence[tuple[int, int]]) -> Figure:
    """Draw the runs, the best first, with their intervals and the groups that do not differ."""
    figure, axes = rows_of(ranking["run"], label)
    mean = ranking["mean"]
    ends = [(mean - ranking["low"]).fillna(0), (ranking["high"] - mean).fillna(0)]
    axes.errorbar(mean, range(len(ranking)), xerr=ends, fmt="o", color=ESTIMATE, ms=4, lw=1)
    low, high = axes.get_xlim()
    step = 0.025 * (high - low)
    for k, (first, last) in enumerate(bars):
        x = high + (k + 1) * step
        axes.plot([x, x], [first - 0.25, last + 0.25], color=GOLD, lw=3, solid_capstyle="butt")
    axes.set_xlim(low, high + (len(bars) + 1) * step)
    return figure


def groups(
    tests: SignificanceTests, measure: str, order: Sequence[str], alpha: float = 0.05
) -> list[tuple[int, int]]:
    """Return the groups of neighbours in a ranking in which no two runs differ significantly.

    Returns
    -------
    list
        First and last place of each group of at least two runs that is part of no other.

    Examples
    --------
    >>> import ordbook as ob
    >>> from ordbook.meta.rankings import standings
    >>> scores = ob.score(ob.load("sem16t4e"), ["NMD"])
    >>> order = standings(scores, "NMD")["run"].tolist()
    >>> groups(ob.tukey_hsd(scores, 1000), "NMD", order)[:1]
    [(0, 4)]
    """
    different = tests.matrix(measure).loc[list(order), list(order)].to_numpy() < alpha
    places: list[tuple[int, int]] = []
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not different[first : last + 1, last + 1].any():
            last += 1
        if last > first and (not places or last > places[-1][1]):
            places.append((first, last))
    return places


@rc_context(STYLE)
def draw_people(
    scores: pd.DataFrame, measure: str, label: str, ends: tuple[float, float, float]
) -> Figure:
    """Draw people and runs, the best first, with the mean of people and the range of the people."""
    mean, low, high = ends
    figure, axes = rows_of(scores.index, label)
    if np.isfinite(low):
        axes.axvspan(low, high, color=GOLD, alpha=0.2, lw=0)
    axes.axvline(mean, color=GOLD, lw=1.5)
    for is_run, colour, marker, name in (
        (False, GOLD, "D", "people, against the others"),
        (True, ESTIMATE, "o", "run"),
    ):
        places = np.flatnonzero(scores["is_run"] == is_run)
        axes.plot(scores[measure].iloc[places], places, marker, color=colour, ms=5, label=name)
    figure.legend(loc="outside upper right", ncols=2, frameon=False)
    return figure


@rc_context(STYLE)
def draw_topics(values: pd.DataFrame, measure: str, *, low_is_better: bool) -> Figure:
    """Draw the scores of runs, in rows, on topics, in columns."""
    figure = new_figure(WIDTH + 1.5, 1.1 + 0.22 * len(values))
    axes = figure.subplots()
    colours = "cividis_r" if low_is_better else "cividis"
    image = axes.imshow(values, aspect="auto", cmap=colours, interpolation="none")
    axes.set_yticks(range(len(values)), [escape_figure(run) for run in values.index])
    axes.set_xticks([])
    axes.set_xlabel("topics, the easiest first")
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label=escape_figure(measure))
    return figure


@rc_context(STYLE)
def draw_confusions(
    confusions: Mapping[str, NDArray[np.intp]], classes: Sequence[str], who: str = "run"
) -> Figure:
    """Draw a panel for each confusion matrix, gold classes in rows, which add up to 1."""
    across = min(3, len(confusions))
    down = -(-len(confusions) // across)
    figure = new_figure(2.1 * across + 0.8, 2.1 * down + 0.4)
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    labels = [escape_figure(str(label)) for label in classes]
    for axes in panels.ravel()[len(confusions) :]:
        axes.set_axis_off()
    for axes, (name, counts) in zip(panels.ravel(), confusions.items(), strict=False):
        rows = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        image = axes.imshow(rows, cmap="cividis", vmin=0, vmax=1, interpolation="none")
        axes.set_title(escape_figure(name), size=9)
        axes.set_xticks(range(len(labels)), labels, size=8)
        axes.set_yticks(range(len(labels)), labels, size=8)
    if max(map(len, labels)) * len(labels) > 18:
        for axes in panels[-1]:
            axes.tick_params(axis="x", rotation=90)
    figure.supxlabel(f"class of the {who}", size=10)
    figure.supylabel("gold class", size=10)
    figure.colorbar(image, ax=panels, label="share of the gold class", shrink=0.6)
    return figure


@rc_context(STYLE)
def draw_means(task: QuantificationTask, runs: Sequence[str]) -> Figure:
    """Draw the mean distributions of runs below that of gold, coloured by their difference."""
    gold = np.asarray(task.gold).mean(axis=0)
    estimates = (np.asarray(task.estimates[task.runs.index(run)]) for run in runs)
    shares = np.stack([gold, *(estimate.mean(axis=0) for estimate in estimates)])
    limit = max(float(np.abs(shares - gold).max()), 1e-9)
    figure = new_figure(WIDTH + 1.5, 1.1 + 0.24 * len(shares))
    axes = figure.subplots()
    image = axes.imshow(shares - gold, aspect="auto", cmap="PuOr", vmin=-limit, vmax=limit,
                        interpolation="none")  # fmt: skip
    colours = colormaps["PuOr"]((shares - gold) / limit / 2 + 0.5)
    for (row, column), share in np.ndenumerate(shares):
        dark = colours[row, column, :3].mean() < 0.5
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", size=8,
                  color="white" if dark else "black")  # fmt: skip
    labels = [escape_figure(str(label)) for label in task.classes]
    rotation = 90 if max(map(len, labels)) * len(labels) > 50 else 0
    axes.set_xticks(range(len(labels)), labels, rotation=rotation)
    axes.set_yticks(range(len(shares)), ["gold", *map(escape_figure, runs)])
    axes.set_xlabel("class")
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="more or less than gold")
    return figure


@rc_context(STYLE)
def draw_two_runs(
    x: NDArray[np.float64], y: NDArray[np.float64], names: tuple[str, str], tolerance: float
) -> Figure:
    """Draw two runs topic by topic: their differences by two measures, low for the better run."""
    figure = new_figure(WIDTH, WIDTH)
    axes = figure.subplots()
    tied = (np.abs(x) <= tolerance) | (np.abs(y) <= tolerance)
    for chosen, marker, colour, label in (
        ((x * y > 0) & ~tied, "o", ESTIMATE, "both prefer the same"),
        ((x * y < 0) & ~tied, "^", WRONG, "opposite"),
        (tied, "x", TIED, "a tie"),
    ):
        axes.plot(x[chosen], y[chosen], marker, color=colour, ms=5, alpha=0.7, label=label)
    axes.axhline(0, color=TIED, lw=0.8, zorder=1)
    axes.axvline(0, color=TIED, lw=0.8, zorder=1)
    axes.set_xlabel(f"difference by {names[0]}", parse_math=False)
    axes.set_ylabel(f"difference by {names[1]}", parse_math=False)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=3, frameon=False, handletextpad=0.1)
    return figure
