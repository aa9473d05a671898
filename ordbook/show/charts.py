"""Charts that several chapters draw: dots, leads, ranks, curves, gold and estimates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import ArrayLike

from ordbook.advice import FAVOURED
from ordbook.show.colours import ESTIMATE, ESTIMATE_STYLE, GOLD_STYLE, INK, TIED, WIDTH
from ordbook.show.escape import escape_figure

if TYPE_CHECKING:
    from ordbook.meta.consistency import RankingConsistency
    from ordbook.meta.seeds import Spread

# Look and size of the marks of each column; all of them are seen where they coincide.
SERIES: Sequence[tuple[dict[str, Any], float]] = (
    ({"marker": "o", "color": ESTIMATE, "mec": "white"}, 11),
    ({"marker": "D", "color": INK, "mfc": "white"}, 6),
    ({"marker": "^", "color": TIED, "mec": "white"}, 7),
)
LINES = (("o-", ESTIMATE), ("D--", INK), ("^:", ESTIMATE))
RECOMMENDED = [name for names in FAVOURED.values() for name in names]


def embolden(names: Sequence[Text]) -> None:
    """Write the names of the recommended measures in bold."""
    for name in names:
        if name.get_text() in RECOMMENDED:
            name.set_fontweight("bold")


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
        own.hlines(y, frame.min(axis=1), frame.max(axis=1), color=TIED, lw=1, zorder=1)
    scale = 0.8 if ranged else 1  # smaller, so that short intervals are seen
    shift = dict(zip(ranged, np.linspace(-0.17, 0.17, len(ranged)), strict=True))
    for name, (look, size) in zip(frame.columns, SERIES, strict=False):
        at = y + (shift[name] if len(ranged) > 1 else 0)
        if low is not None and high is not None and name in ranged:
            own.hlines(at, low[name], high[name], color=look["color"], lw=2.2, zorder=2)
        own.plot(frame[name], at, ls="", ms=scale * size, label=name, zorder=3, **look)
    if line is not None:
        own.axvline(line, color=TIED, lw=1.2, ls="--", zorder=0)
    _name_rows(own, frame.index, label)
    if columns > 1 and figure is not None:
        legend_above(own)
    return own


def legend_above(axes: Axes) -> None:
    """Name the marks of a panel above its figure, whose panels all have the same."""
    handles, labels = axes.get_legend_handles_labels()
    where: dict[str, Any] = {"loc": "outside upper center", "ncols": len(labels)}
    axes.figure.legend(handles, labels, frameon=False, handletextpad=0.4, **where)


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


def leads(
    panels: Mapping[str, pd.DataFrame], points: Mapping[str, Mapping[str, ArrayLike]] | None = None
) -> Figure:
    """Draw leads with their intervals: a row for each, and the same rows in every panel.

    Parameters
    ----------
    panels
        What the leads are of -> columns mean, low and high, and, for a thin line about the thick
        one, next low and next high.
    points
        The same -> row -> single values, drawn as grey dots.
    """
    rows = max(map(len, panels.values()))
    size = (WIDTH, 1 + 0.3 * rows)
    figure, drawn = plt.subplots(
        1, len(panels), figsize=size, sharey=True, squeeze=False, layout="constrained"
    )
    for axes, (label, table) in zip(drawn[0], panels.items(), strict=True):
        lead_rows(axes, table, label)
        for row, values in (points[label] if points else {}).items():
            at = np.full(np.shape(values), list(table.index).index(row) - 0.26)
            axes.plot(np.asarray(values), at, "o", color=TIED, ms=3.5, mew=0, alpha=0.7)
    return figure


def lead_rows(axes: Axes, table: pd.DataFrame, label: str) -> None:
    """Draw the rows of a panel of :func:`leads`."""
    y = np.arange(len(table))
    axes.axvline(0, color=TIED, lw=1.2, ls="--", zorder=0)
    for ends, width in ((["low", "high"], 4), (["next low", "next high"], 1.2)):
        if ends[0] in table:
            axes.hlines(y, *table[ends].to_numpy().T, color=ESTIMATE, lw=width, zorder=2)
    axes.plot(table["mean"], y, "o", color=ESTIMATE, mec="white", ms=7, zorder=3)
    _name_rows(axes, table.index, label)


def _name_rows(axes: Axes, names: Iterable[object], label: str) -> None:
    """Name the rows of a chart from the top, and its numbers."""
    rows = [*map(escape_figure, names)]
    axes.set_yticks(range(len(rows)), rows)
    embolden(axes.get_yticklabels())
    axes.set(ylim=(len(rows) - 0.5, -0.5), xlabel=label)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def bump(ranks: pd.DataFrame, bold: Mapping[str, str]) -> Axes:
    """Draw the rank of every run by each measure, one line a run.

    Parameters
    ----------
    ranks
        Run x measure; 1 is the best.
    bold
        Run -> what stands beside its line, which is drawn boldly.
    """
    height = 1 + (0.22 if len(ranks) < 20 else 0.1) * len(ranks)
    _, axes = plt.subplots(figsize=(WIDTH, height), layout="constrained")
    places = range(len(ranks.columns))
    axes.plot(places, ranks.T, color=TIED, lw=0.8, alpha=0.7)
    for k, (run, label) in enumerate(bold.items()):
        style, colour = LINES[k % len(LINES)]
        by = ranks.loc[run]
        look: dict[str, Any] = {"mfc": "white"} if colour == INK else {}
        axes.plot(places, by, style, color=colour, lw=2.6, ms=7, zorder=3, **look)
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
    embolden(axes.get_xticklabels())
    axes.set_yticks([1, *range(5, len(ranks), 5), len(ranks)])
    axes.set_ylabel("rank (1 is the best)")
    axes.set_ylim(len(ranks) + 0.5, 0.5)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def curves(
    table: pd.DataFrame,
    axes: Axes,
    *,
    bold: Sequence[str] | None = None,
    marks: bool = True,
    named: bool = True,
    apart: float = 0.08,
) -> None:
    """Draw a line for each column, and its name at its end; scales and limits are set before.

    Parameters
    ----------
    table
        The index is what runs to the right.
    axes
        Where to draw.
    bold
        The two columns that the figure is about; by default the recommended measures, or all.
    marks
        Whether values are marked on the lines that the figure is about.
    named
        Whether the names stand at the ends of the lines.
    apart
        How far apart the names are at least, as a share of the height.
    """
    names = [str(name) for name in table]
    if bold is None:
        bold = [name for name in RECOMMENDED if name in names] or names
    looks = dict(zip(bold, LINES, strict=False))
    for name, curve in zip(names, table.to_numpy().T, strict=True):
        style, colour = looks.get(name, ("-", TIED))
        look: dict[str, Any] = {"lw": 2, "zorder": 3} if name in looks else {"lw": 1}
        if colour == INK:
            look["mfc"] = "white"
        axes.plot(table.index, curve, style, color=colour, ms=5 if marks else 0, **look)
    axes.spines[["top", "right"]].set_visible(False)
    if not named:
        return
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = {name: to_axes.transform((table.index[-1], table[name].iloc[-1])) for name in names}
    height = -np.inf
    for name in sorted(names, key=lambda name: ends[name][1]):
        height = max(height + apart, ends[name][1])
        axes.annotate(
            escape_figure(name),
            tuple(ends[name]),
            (1.05, height),
            xycoords="axes fraction",
            textcoords="axes fraction",
            va="center",
            weight="bold" if name in looks and len(looks) < len(names) else "normal",
            color=looks.get(name, ("-", TIED))[1],
            arrowprops={"arrowstyle": "-", "color": TIED, "lw": 0.6},
        )


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
            boxprops={"facecolor": (ESTIMATE, "white")[k]},
            medianprops={"color": "black", "lw": 1.6},
            meanprops={"marker": "D", "mfc": "white", "mec": "black", "ms": 5},
            label=name,
        )
    _name_rows(axes, measures, "Kendall's tau between the two samples of topics")
    axes.set_xlim(left=min(0.25, axes.get_xlim()[0]), right=1.02)  # as other such charts
    legend_above(axes)
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
    legend_above(panels[0, 0])
    return figure
