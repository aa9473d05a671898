"""The pictures of the first page: estimates and runs that only some measures distinguish."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.show.colours import ESTIMATE, GOLD_STYLE, TIED, WRONG

# Of ten tweets six are very negative and four negative; both estimates misplace three of them.
GOLD = (0.6, 0.4, 0.0, 0.0, 0.0)
ESTIMATES: Mapping[str, Sequence[float]] = {
    "A": (0.5, 0.2, 0.3, 0.0, 0.0),
    "B": (0.5, 0.2, 0.0, 0.0, 0.3),
}
CLASSES = ("--", "-", "0", "+", "++")
# What is known elsewhere under other names, or a hint of what is measured.
FIVE: Mapping[str, str] = {
    "NVD": "share misplaced",
    "RNSS": "root mean square",
    "JSD": "Jensen\N{EN DASH}Shannon",
    "NMD": "earth mover's distance",
    "RNOD": "distance-weighted",
}
# Both runs label 24 of 30 items right, and take six of two classes for each other.
RUNS: Mapping[str, Sequence[Sequence[int]]] = {
    "A": ((7, 3, 0), (3, 7, 0), (0, 0, 10)),
    "B": ((7, 0, 3), (0, 10, 0), (3, 0, 7)),
}
LABELS = ("-", "0", "+")
FOUR: Mapping[str, str] = {
    "accuracy": "share right",
    "F1_M": "mean F1 of classes",
    "kappa": "linear weights",
    "alpha_ord": "Krippendorff",
}
_MEASURES = {**QUANTIFICATION, **CLASSIFICATION}
# The two signs of an estimate everywhere in the picture: colour, and marker.
_STYLES = ((ESTIMATE, "o"), (WRONG, "D"))
WIDTH = 5.0  # inches; narrower than other figures, as its texts are short
SAME = 1e-12  # the additions of two equal scores come in another order


def values() -> pd.DataFrame:
    """Return scores of the two estimates: a row per measure, a column per estimate.

    Examples
    --------
    >>> values().round(3).loc[["NVD", "NMD"]].to_numpy().tolist()
    [[0.3, 0.3], [0.1, 0.25]]
    """
    scores = {
        name: [float(QUANTIFICATION[measure].function(GOLD, estimate)) for measure in FIVE]
        for name, estimate in ESTIMATES.items()
    }
    return pd.DataFrame(scores, index=pd.Index(FIVE, name="measure"))


def run_values() -> pd.DataFrame:
    """Return scores of the two runs: a row per measure, a column per run.

    Examples
    --------
    >>> run_values().round(3).loc[["accuracy", "kappa"]].to_numpy().tolist()
    [[0.8, 0.8], [0.775, 0.55]]
    """
    scores = {
        name: [float(CLASSIFICATION[measure].function.from_confusion(counts)) for measure in FOUR]  # type: ignore[attr-defined]
        for name, counts in RUNS.items()
    }
    return pd.DataFrame(scores, index=pd.Index(FOUR, name="measure"))


def told_apart(scores: pd.DataFrame) -> dict[bool, list[str]]:
    """Return the measures that tell the estimates apart (True), and those that do not (False).

    Examples
    --------
    >>> told_apart(values())
    {True: ['NMD', 'RNOD'], False: ['NVD', 'RNSS', 'JSD']}
    """
    apart = scores.max(axis=1) - scores.min(axis=1) > SAME
    return {answer: list(map(str, scores.index[apart == answer])) for answer in (True, False)}


def two_estimates() -> Figure:
    """Draw two estimates of one gold distribution, and under them the scores by five measures."""
    figure = plt.figure(figsize=(WIDTH, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 1.6))
    left = figure.add_subplot(grid[0, 0])
    panels = [left, figure.add_subplot(grid[0, 1], sharey=left)]
    for axes, name, (colour, _) in zip(panels, ESTIMATES, _STYLES, strict=True):
        _shares(axes, name, colour)
    panels[0].set_ylabel("share of the tweets")
    panels[1].tick_params(labelleft=False)
    below = figure.add_subplot(grid[1, :])
    _scores(below, values(), FIVE, 0.1, "estimate")
    below.set_xlabel("error, as each measure sees it")
    return figure


def two_runs() -> Figure:
    """Draw the answers of two runs, and under them the scores by four measures."""
    figure = plt.figure(figsize=(WIDTH, 4.7), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 1.25))
    for k, (name, counts) in enumerate(RUNS.items()):
        _matrix(figure.add_subplot(grid[0, k]), np.array(counts), name)
    below = figure.add_subplot(grid[1, :])
    _scores(below, run_values(), FOUR, 0.2, "run")
    below.set_xlabel("score, as each measure sees it")
    return figure


def _matrix(axes: Axes, counts: np.ndarray, name: str) -> None:
    """Draw a confusion matrix: right answers in blue on the diagonal, wrong ones in orange."""
    right = np.eye(len(counts), dtype=bool)
    for row, column in np.ndindex(counts.shape):
        colour = ESTIMATE if right[row, column] else WRONG
        shade = 0.6 * counts[row, column] / counts.max()
        axes.add_patch(Rectangle((column, row), 1, 1, fc=(colour, shade), ec="0.6"))
        axes.text(column + 0.5, row + 0.5, str(counts[row, column]), ha="center", va="center")
    ticks = [label.replace("-", "\N{MINUS SIGN}") for label in LABELS]
    places = np.arange(len(counts)) + 0.5
    axes.set_xticks(places, ticks)
    axes.set_yticks(places, ticks)
    axes.tick_params(length=0)
    axes.set(xlim=(0, len(counts)), ylim=(len(counts), 0), aspect="equal")
    axes.set(xlabel=f"what run {name} says", ylabel="gold")
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)


def _shares(axes: Axes, name: str, colour: str) -> None:
    x = np.arange(len(GOLD))
    style: dict[str, Any] = {"facecolor": colour, "edgecolor": "black", "linewidth": 0.8}
    axes.bar(x - 0.2, GOLD, 0.38, label="gold", **GOLD_STYLE)
    axes.bar(x + 0.2, ESTIMATES[name], 0.38, label=f"estimate {name}", **style)
    axes.set_xticks(x, [label.replace("-", "\N{MINUS SIGN}") for label in CLASSES])
    axes.set_xlabel("negative to positive")
    axes.tick_params(axis="x", length=0)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.legend(frameon=False, loc="upper right", handlelength=1.2, borderaxespad=0)
    axes.spines[["top", "right"]].set_visible(False)


def _scores(
    axes: Axes, scores: pd.DataFrame, hints: Mapping[str, str], step: float, title: str
) -> None:
    """Draw a line per measure with a marker per estimate; the scores stand beside them."""
    y = np.arange(len(scores))
    first, second = (scores[name].to_numpy() for name in scores)
    equal = np.abs(first - second) <= SAME
    axes.hlines(y, first, second, color=TIED, lw=2, zorder=1)
    for name, values_of, (colour, marker), size in zip(
        scores, (first, second), _STYLES, (13, 8), strict=True
    ):
        # The second marker is smaller: where both are at one place both are seen.
        axes.plot(values_of, y, marker, ms=size, color=colour, mec="white", label=name)
    gap = 0.09 * scores.to_numpy().max()
    for k, same in enumerate(equal):
        low, high = sorted((first[k], second[k]))
        centred: dict[str, Any] = {"va": "center", "gid": str(scores.index[k])}
        axes.text(high + gap, k, f"{high:.2f}" + (" for both" if same else ""), **centred)
        if not same:
            axes.text(low - gap, k, f"{low:.2f}", ha="right", **centred)
    edge = scores.to_numpy().max() * 1.85
    for ordinal, text in ((False, "ignore\nthe order"), (True, "see\nthe order")):
        rows = [k for k, name in enumerate(scores.index) if _MEASURES[name].ordinal == ordinal]
        axes.vlines(edge, min(rows) - 0.3, max(rows) + 0.3, color="black", lw=1.5)
        axes.text(edge + gap / 2, float(np.mean(rows)), text, va="center")
    axes.set_yticks(y, [f"{name}\n{hints[str(name)]}" for name in scores.index])
    axes.set(xlim=(0, edge * 1.27))
    axes.set_xticks(np.arange(0, scores.to_numpy().max() + 0.05, step))
    axes.tick_params(axis="y", length=0)
    axes.margins(y=0.12)
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="upper left", title=title)
    axes.spines[["top", "right", "left"]].set_visible(False)
