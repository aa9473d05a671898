"""The picture of the first page: two estimates that only some measures tell apart."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ordbook.chapters.pictures import ESTIMATE, GOLD_STYLE, TIED, WRONG
from ordbook.measures import QUANTIFICATION
from ordbook.measures.validation import check_pair

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
# The two signs of an estimate everywhere in the picture: colour, and marker.
_STYLES = ((ESTIMATE, "o"), (WRONG, "D"))
WIDTH = 5.0  # inches; narrower than other figures, as its texts are short
SAME = 1e-12  # the additions of two equal scores come in another order


def values(
    gold: ArrayLike = GOLD,
    estimates: Mapping[str, ArrayLike] = ESTIMATES,
    measures: Sequence[str] = tuple(FIVE),
) -> pd.DataFrame:
    """Return scores: a row per measure, a column per estimate.

    Examples
    --------
    >>> values().round(3).loc[["NVD", "NMD"]].to_numpy().tolist()
    [[0.3, 0.3], [0.1, 0.25]]
    """
    scores = {
        name: [float(QUANTIFICATION[one].function(gold, estimate)) for one in measures]
        for name, estimate in estimates.items()
    }
    return pd.DataFrame(scores, index=pd.Index(measures, name="measure"))


def told_apart(scores: pd.DataFrame) -> dict[bool, list[str]]:
    """Return the measures that tell the estimates apart (True), and those that do not (False).

    Examples
    --------
    >>> told_apart(values())
    {True: ['NMD', 'RNOD'], False: ['NVD', 'RNSS', 'JSD']}
    """
    apart = scores.max(axis=1) - scores.min(axis=1) > SAME
    return {answer: list(map(str, scores.index[apart == answer])) for answer in (True, False)}


def two_estimates(
    gold: ArrayLike = GOLD,
    estimates: Mapping[str, ArrayLike] = ESTIMATES,
    classes: Sequence[str] = CLASSES,
) -> Figure:
    """Draw two estimates of one gold distribution, and under them what five measures say.

    Parameters
    ----------
    gold
        Shares of the classes.
    estimates
        Name -> shares of the classes; two of them.
    classes
        What is written under the bars.
    """
    figure = plt.figure(figsize=(WIDTH, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 1.6))
    left = figure.add_subplot(grid[0, 0])
    panels = [left, figure.add_subplot(grid[0, 1], sharey=left)]
    for axes, name, (colour, _) in zip(panels, estimates, _STYLES, strict=True):
        _shares(axes, gold, estimates[name], name, colour, classes)
    panels[0].set_ylabel("share of the tweets")
    panels[1].tick_params(labelleft=False)
    _scores(figure.add_subplot(grid[1, :]), values(gold, estimates))
    return figure


def _shares(
    axes: Axes,
    gold: ArrayLike,
    estimate: ArrayLike,
    name: str,
    colour: str,
    classes: Sequence[str],
) -> None:
    g, p = check_pair(gold, estimate)
    x = np.arange(len(g))
    style: dict[str, Any] = {"facecolor": colour, "edgecolor": "black", "linewidth": 0.8}
    axes.bar(x - 0.2, g, 0.38, label="truth", **GOLD_STYLE)
    axes.bar(x + 0.2, p, 0.38, label=f"estimate {name}", **style)
    axes.set_xticks(x, [label.replace("-", "\N{MINUS SIGN}") for label in classes])
    axes.set_xlabel("negative to positive")
    axes.tick_params(axis="x", length=0)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.legend(frameon=False, loc="upper right", handlelength=1.2, borderaxespad=0)
    sns.despine(ax=axes)


def _scores(axes: Axes, scores: pd.DataFrame) -> None:
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
        rows = [k for k, name in enumerate(scores.index) if QUANTIFICATION[name].ordinal == ordinal]
        axes.vlines(edge, min(rows) - 0.3, max(rows) + 0.3, color="black", lw=1.5)
        axes.text(edge + gap / 2, float(np.mean(rows)), text, va="center")
    axes.set_yticks(y, [f"{name}\n{FIVE[str(name)]}" for name in scores.index])
    axes.set(xlim=(0, edge * 1.27), xlabel="error, as each measure sees it")
    axes.set_xticks(np.arange(0, scores.to_numpy().max() + 0.05, 0.1))
    axes.tick_params(axis="y", length=0)
    axes.margins(y=0.12)
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="upper left", title="estimate")
    sns.despine(ax=axes, left=True)
