"""Charts that several chapters draw: dots, ranks, distributions of tau, gold and estimates."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.seeds import Spread
from ordbook.show.colours import (
    ESTIMATE,
    ESTIMATE_STYLE,
    GOLD,
    GOLD_STYLE,
    RIGHT,
    TIED,
    WIDTH,
    WRONG,
)
from ordbook.show.escape import escape_figure

# Marker, colour and size of each column; all of them are seen where they coincide.
SERIES = (("o", ESTIMATE, 11), ("D", WRONG, 6), ("^", RIGHT, 7))


def dots(
    frame: pd.DataFrame,
    label: str,
    low: pd.DataFrame | None = None,
    high: pd.DataFrame | None = None,
    *,
    line: float | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw a row for each row of a frame, and in it a marker for each column.

    Parameters
    ----------
    frame
        At most three columns.
    label
        What the numbers are.
    low, high
        Limits of intervals, for all columns or some. Columns with intervals stand below each
        other; otherwise a grey line joins the markers of a row.
    line
        Where a dashed line is drawn.
    axes
        Where to draw, without a legend; by default in a figure of its own.
    """
    rows, columns = frame.shape
    ranged = [] if low is None or high is None else list(low)
    height = 0.75 + (0.07 + 0.2 * max(1, len(ranged))) * rows + 0.3 * (columns > 1)
    if axes is None:
        figure, own = plt.subplots(figsize=(WIDTH, height), layout="constrained")
    else:
        figure, own = None, axes
    y = np.arange(rows, dtype=float)
    if not ranged:
        own.hlines(y, frame.min(axis=1), frame.max(axis=1), color="0.8", lw=2, zorder=1)
    scale = 0.8 if ranged else 1  # smaller, so that short intervals are seen
    shift = dict(zip(ranged, np.linspace(-0.17, 0.17, len(ranged)), strict=True))
    for name, (marker, colour, size) in zip(frame.columns, SERIES, strict=False):
        at = y + (shift[name] if len(ranged) > 1 else 0)
        if low is not None and high is not None and name in ranged:
            own.hlines(at, low[name], high[name], color=colour, lw=2.2, zorder=2)
        own.plot(
            frame[name],
            at,
            marker,
            color=colour,
            ms=scale * size,
            mec="white",
            label=name,
            zorder=3,
        )
    if line is not None:
        own.axvline(line, color=TIED, lw=1.2, ls="--", zorder=0)
    own.set_yticks(y, [*map(escape_figure, frame.index)])
    own.set(ylim=(rows - 0.5, -0.5), xlabel=label)
    own.tick_params(axis="y", length=0)
    own.spines[["top", "right", "left"]].set_visible(False)
    if columns > 1 and figure is not None:
        legend: dict[str, Any] = {"ncols": columns, "frameon": False, "handletextpad": 0.1}
        figure.legend(loc="outside upper right", **legend)
    return own


def seed_intervals(spreads: Mapping[str, Spread], label: str, printed: Mapping[str, float]) -> Axes:
    """Draw the mean of randomised results over many seeds, the 99.9% interval, and printed values.

    Parameters
    ----------
    spreads
        Measure -> its values over seeds.
    label
        What the values are.
    printed
        Measure -> printed value.
    """
    ours = pd.Series({name: spread.mean for name, spread in spreads.items()})
    frame = pd.DataFrame({"mean of our seeds": ours, "printed": pd.Series(printed)}, ours.index)
    limits = [spread.interval() for spread in spreads.values()]
    low, high = (pd.DataFrame({"mean of our seeds": ends}) for ends in zip(*limits, strict=True))
    return dots(frame, label, low, high)


def bump(ranks: pd.DataFrame, bold: Mapping[str, str]) -> Axes:
    """Draw the rank of every run by each measure, one line a run.

    Parameters
    ----------
    ranks
        Run x measure; 1 is the best.
    bold
        Run -> what stands beside its line, which is drawn boldly.
    """
    _, axes = plt.subplots(figsize=(WIDTH, 0.8 + 0.22 * len(ranks)), layout="constrained")
    places = range(len(ranks.columns))
    axes.plot(places, ranks.T, "o-", color=TIED, lw=1, ms=3.5)
    for k, (run, label) in enumerate(bold.items()):
        marker, colour, _ = SERIES[(k + 1) % len(SERIES)]
        by = ranks.loc[run]
        axes.plot(places, by, f"{marker}-", color=colour, lw=3, ms=7, zorder=3)
        axes.annotate(
            escape_figure(label),
            (places[-1], by.iloc[-1]),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            weight="bold",
        )
    names = [escape_figure(name) for name in ranks.columns]
    several: dict[str, Any] = {"rotation": 35, "ha": "right"} if len(names) > 4 else {}
    axes.set_xticks(places, names, **several)
    axes.set_yticks(range(1, len(ranks) + 1))
    axes.set_ylabel("rank (1 is the best)")
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def tau_distributions(found: Mapping[str, RankingConsistency]) -> Axes:
    """Draw the distributions of tau over the splits, a box per measure and kind of split.

    A box holds the middle half of the splits, its whiskers 95% of them; the line is the median,
    the diamond the mean.

    Parameters
    ----------
    found
        Name of a kind of split -> what :func:`ordbook.ranking_consistency` found; two at most.
        The measures are in the order of the first, the most consistent above.
    """
    measures = list(next(iter(found.values())).mean.index)
    size = (WIDTH, 0.7 + 0.3 * len(found) * len(measures))
    _, axes = plt.subplots(figsize=size, layout="constrained")
    places = np.arange(len(measures))
    for k, (name, consistency) in enumerate(found.items()):
        axes.boxplot(
            consistency.tau[measures].to_numpy(),
            orientation="horizontal",
            positions=places + 0.36 * (k - (len(found) - 1) / 2),
            widths=0.3,
            whis=(2.5, 97.5),
            showfliers=False,
            showmeans=True,
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": (ESTIMATE, GOLD)[k]},
            medianprops={"color": "black", "lw": 1.6},
            meanprops={"marker": "D", "mfc": "white", "mec": "black", "ms": 5},
            label=name,
        )
    axes.set_yticks(places, [*map(escape_figure, measures)])
    axes.set_xlabel("Kendall's tau between the two samples of topics")
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return axes


def topics(
    gold: ArrayLike,
    answers: Mapping[str, ArrayLike],
    classes: Sequence[object],
    names: Sequence[str],
) -> Figure:
    """Draw gold distributions and answers to them, bar beside bar, two panels in a row.

    Parameters
    ----------
    gold
        (topics, classes), or the classes of one topic.
    answers
        Whose they are -> an array like gold; two at most.
    classes
        Labels.
    names
        What stands below each panel.
    """
    shares = {"gold": gold, **answers}
    drawn = {whose: np.atleast_2d(np.asarray(share, float)) for whose, share in shares.items()}
    n, width = len(names), 0.8 / len(drawn)
    rows, columns = -(-n // 2), min(2, n)
    size = (WIDTH, 0.7 + 1.9 * rows)
    figure, panels = plt.subplots(
        rows, columns, figsize=size, sharey=True, squeeze=False, layout="constrained"
    )
    at = np.arange(len(classes))
    looks = (GOLD_STYLE, ESTIMATE_STYLE, {"facecolor": TIED, "edgecolor": "black"})
    for k, axes in enumerate(panels.flat):
        for j, (whose, share) in enumerate(drawn.items()):
            places = at + (j - (len(drawn) - 1) / 2) * width
            axes.bar(places, share[k], width, label=escape_figure(whose), **looks[j])
        axes.set_xticks(at, list(map(escape_figure, classes)))
        axes.set_xlabel(names[k], parse_math=False)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("probability")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, frameon=False)
    return figure
