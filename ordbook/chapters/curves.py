"""Curves and distributions of meta-evaluation: how much a measure can tell, and how steadily.

Every measure has a colour, a line style and a marker of its own, so that no colour is the only
sign.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ordbook.chapters.escape import escape_figure
from ordbook.chapters.pictures import ESTIMATE, GOLD, TIED, WIDTH, WRONG
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta import discrimination
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.papers.heldout import SIX
from ordbook.papers.montecarlo import Spread

# Okabe and Ito's colours without yellow, which is faint on white.
COLOURS = ("black", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
# 7 colours, 4 line styles and 9 markers: the combinations repeat after 252 measures.
LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "h")
# Each of these has a look of its own; the six measures that most figures show have the first six.
_KNOWN = (tuple(CLASSIFICATION), tuple(dict.fromkeys([*SIX, *QUANTIFICATION])))
_PLACE = {name: k for names in _KNOWN for k, name in enumerate(names)}
# The papers' figures end there: larger p-values are all alike.
TOP = 0.5


def style(k: int) -> dict[str, Any]:
    """Colour, line style and marker of the k-th measure, as arguments of ``Axes.plot``."""
    return {
        "color": COLOURS[k % len(COLOURS)],
        "ls": LINES[k % len(LINES)],
        "marker": MARKERS[k % len(MARKERS)],
    }


def styles(measures: Iterable[object]) -> list[dict[str, Any]]:
    """Colour, line style and marker of each measure, the same in every figure.

    Measures of the reader's own come after those of the papers, in the order in which they stand.
    """
    places, own = [], max(_PLACE.values()) + 1
    for name in map(str, measures):
        places.append(_PLACE.get(name, own))
        own += name not in _PLACE
    return [style(k) for k in places]


def p_panels(tests: Mapping[str, SignificanceTests], origin: str, alpha: float = 0.05) -> Figure:
    """Draw the sorted p-values of all run pairs, a panel for each of several tests.

    The lower a curve, and the farther left it falls below the line at ``alpha``, the more
    discriminative the measure. Only some pairs have a marker. The panels share their axes, which
    begin where the first curve falls below 0.5.

    Parameters
    ----------
    tests
        Name -> tests of the same measures.
    origin
        What the data are, written along both axes: ``"SIMULATED"``.
    alpha
        Where the line is drawn.
    """
    curves = {name: discrimination.p_curves(test) for name, test in tests.items()}
    size = (WIDTH, 0.9 + 2.1 * len(curves))
    figure, rows = plt.subplots(
        len(curves), figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    for axes, (name, curve) in zip(rows[:, 0], curves.items(), strict=True):
        _falling(axes, curve, alpha)
        axes.annotate(
            escape_figure(name), (1, 0.97), xycoords="axes fraction", ha="right", va="top"
        )
        axes.set_ylabel(f"p-value, {origin}")
    # Pairs are counted from 1.
    first = 1 + min(int((curve <= TOP).any(axis=1).argmax()) for curve in curves.values())
    last = max(len(curve) for curve in curves.values())
    rows[-1, 0].set_xlim(min(first, last - 1), last)
    rows[-1, 0].set_xlabel(f"pairs of {origin} runs, largest p first")
    handles, names = rows[0, 0].get_legend_handles_labels()
    columns = {"ncols": 3, "handlelength": 3, "columnspacing": 1.2}
    figure.legend(handles, names, frameon=False, loc="outside lower center", **columns)
    return figure


def _falling(axes: Axes, curves: pd.DataFrame, alpha: float) -> None:
    """Draw one curve per column, named by it, some points marked, and a line at ``alpha``."""
    for k, (measure, look) in enumerate(zip(curves.columns, styles(curves.columns), strict=True)):
        seen = np.flatnonzero((curves[measure] <= TOP) & (curves[measure] > 0))
        step = -(-len(seen) // 5) or 1
        axes.plot(
            curves.index,
            curves[measure],
            lw=1.6,
            ms=6.5,
            mec="white",
            mew=0.6,
            markevery=list(seen[k % step :: step]),
            label=escape_figure(str(measure)),
            **look,
        )
    axes.axhline(alpha, color=TIED, lw=1, zorder=1)
    axes.annotate(
        f"p = {alpha:g}",
        (len(curves), alpha),
        (0, 3),
        textcoords="offset points",
        ha="right",
        color=TIED,
    )
    axes.set_ylim(-0.006, TOP)
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    sns.despine(ax=axes)


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
    if not 1 <= len(found) <= 2:
        raise ValueError(f"name one or two kinds of split, not {len(found)}")
    measures = list(next(iter(found.values())).mean.index)
    _, axes = plt.subplots(
        figsize=(WIDTH, 0.7 + 0.3 * len(found) * len(measures)), layout="constrained"
    )
    looks: list[dict[str, Any]] = [
        {"facecolor": ESTIMATE, "edgecolor": "black"},
        {"facecolor": GOLD, "edgecolor": "black", "hatch": "///"},
    ][: len(found)]
    height = 0.72 / len(found)
    for k, (consistency, look) in enumerate(zip(found.values(), looks, strict=True)):
        axes.boxplot(
            consistency.tau[measures].to_numpy(),
            orientation="horizontal",
            positions=np.arange(len(measures)) + (k - (len(found) - 1) / 2) * height,
            widths=0.85 * height,
            whis=(2.5, 97.5),
            showfliers=False,
            showmeans=True,
            patch_artist=True,
            manage_ticks=False,
            boxprops=look,
            medianprops={"color": "black", "lw": 1.6},
            meanprops={"marker": "D", "mfc": "white", "mec": "black", "ms": 5},
        )
    axes.set_yticks(np.arange(len(measures)), list(map(escape_figure, measures)))
    axes.set(xlabel="Kendall's tau between the two samples of topics")
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    sns.despine(ax=axes, left=True)
    axes.legend(
        handles=[Patch(label=name, **look) for name, look in zip(found, looks, strict=True)],
        frameon=False,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=2,
    )
    return axes


def seed_ranges(
    spreads: Mapping[str, Spread], label: str, printed: Mapping[str, str | float] | None = None
) -> Axes:
    """Draw what a randomised result comes to over many seeds, and what a paper printed.

    Parameters
    ----------
    spreads
        Measure -> its values over seeds. The thick line holds half of them, the thin one 99.9%;
        the dot is the mean.
    label
        What the values are.
    printed
        Measure -> printed value; others have none.
    """
    shown = dict(printed or {})
    _, axes = plt.subplots(figsize=(WIDTH, 0.9 + 0.3 * len(spreads)), layout="constrained")
    for y, (measure, spread) in enumerate(spreads.items()):
        axes.plot(spread.interval(), (y, y), color="black", lw=1.4)
        axes.plot(spread.interval(0.5), (y, y), color=ESTIMATE, lw=6, solid_capstyle="butt")
        axes.plot(spread.mean, y, "o", color="black", ms=6, label="" if y else "mean of our seeds")
        if measure in shown:
            axes.plot(
                float(shown[measure]), y, "D", mfc="none", mec=WRONG, mew=2, ms=9, gid="printed"
            )
    handles = axes.lines[2:3]
    if marks := [line for line in axes.lines if line.get_gid() == "printed"]:
        marks[0].set_label("printed")
        handles = [*handles, marks[0]]
    axes.set_yticks(np.arange(len(spreads)), list(map(escape_figure, spreads)))
    axes.set_xlabel(label)
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.margins(y=0.1)
    sns.despine(ax=axes, left=True)
    axes.legend(
        handles=handles, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2
    )
    return axes
