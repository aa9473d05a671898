"""What each measure sees: the figures of the chapter on measures.

What a figure draws adds up to the score (tested).
"""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, MultipleLocator
from numpy.typing import ArrayLike

from ordbook.measures import CLASSIFICATION, QUANTIFICATION, equidistance
from ordbook.measures.components import SUPPORT_TOLERANCE, supported
from ordbook.measures.components import midpoints as middle
from ordbook.measures.validation import Array, check_pair
from ordbook.show.colours import ESTIMATE, ESTIMATE_STYLE, GOLD, RIGHT, TIED, WIDTH, WRONG


def _new_axes(height: float, width: float = WIDTH) -> Axes:
    _, axes = plt.subplots(figsize=(width, height), layout="constrained")
    return axes


def _classes(axes: Axes, n_classes: int) -> None:
    """Write the classes, from 1, along the horizontal axis."""
    axes.set_xticks(np.arange(1, n_classes + 1))
    axes.set_xlabel("class")
    axes.spines[["top", "right"]].set_visible(False)


def cumulative(gold: ArrayLike, estimate: ArrayLike, axes: Axes | None = None) -> Axes:
    """Draw both cumulative distributions and the area between them.

    The frame is |C| - 1 steps wide and 1 high, so NMD is the share of it that is shaded.
    """
    g, p = check_pair(gold, estimate)
    axes = axes or _new_axes(2.7)
    x, (cg, cp) = np.arange(1, len(g) + 1), np.cumsum([g, p], axis=1)
    gaps, lows = np.abs(cp - cg)[:-1], np.minimum(cg, cp)[:-1]
    look: dict[str, Any] = {"facecolor": WRONG, "alpha": 0.3, "label": "difference"}
    axes.bar(x[:-1], gaps, width=1, bottom=lows, align="edge", **look)
    for values, colour, style, name in (
        (cg, GOLD, "-", "gold"),
        (cp, ESTIMATE, "--", "estimate"),
    ):
        axes.step(x, values, where="post", c=colour, ls=style, lw=2.6, label=name, clip_on=False)
        axes.plot(x, values, "o", color=colour, ms=5, clip_on=False)
    _classes(axes, len(g))
    axes.set(xlim=(1, len(g)), ylim=(0, 1), ylabel="cumulative probability")
    axes.yaxis.set_major_locator(MultipleLocator(0.2))
    axes.legend(frameon=False, loc="lower right")
    return axes


def cumulatives(gold: ArrayLike, estimates: Mapping[str, ArrayLike]) -> Figure:
    """Draw :func:`cumulative` for several estimates of one gold distribution, side by side."""
    figure, panels = plt.subplots(
        1, len(estimates), figsize=(WIDTH, 2.6), sharey=True, squeeze=False, layout="constrained"
    )
    for axes, (name, estimate) in zip(panels[0], estimates.items(), strict=True):
        cumulative(gold, estimate, axes)
        axes.set_xlabel(name)
        if axes is not panels[0, 0]:
            axes.set_ylabel("")
            axes.get_legend().remove()
    return figure


def distance_weighted(gold: ArrayLike, estimate: ArrayLike) -> Figure:
    """Draw the terms of DW_i: squared errors times their distance from a viewpoint i with gold."""
    g, p = check_pair(gold, estimate)
    views, matrix = np.flatnonzero(supported(g)), equidistance(len(g))
    size, squares = (WIDTH, 2.9), np.square(p - g)
    figure, panels = plt.subplots(
        1, len(views), figsize=size, sharey=True, squeeze=False, layout="constrained"
    )
    x = np.arange(1, len(g) + 1)
    for axes, i in zip(panels[0], views, strict=True):
        terms = matrix[i] * squares
        axes.bar(x, terms, 0.62, label="weighted", **ESTIMATE_STYLE)
        axes.bar(x, squares, 0.62, fill=False, edgecolor=WRONG, ls="--", lw=1.6, label="squared")
        tops = axes.bar(x, np.maximum(terms, squares), alpha=0)
        axes.bar_label(tops, [f"×{weight:.3g}" for weight in matrix[i]], padding=3)
        _classes(axes, len(g))
        axes.set_xlabel(f"seen from class {i + 1}")
        axes.margins(y=0.15)
    panels[0, 0].set_ylabel("squared error")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper right", ncols=2, frameon=False)
    return figure


def midpoints(gold: ArrayLike) -> Axes:
    """Draw classes at equal steps, and below at the middle of their gold on a bar of all gold.

    Distances between the lower marks are those of RNOD2 (DNKT Eq. 6).
    """
    g, _ = check_pair(gold, gold)
    axes = _new_axes(2.6)
    above, below = np.linspace(0, 1, len(g)), middle(g)
    levels = np.repeat([[1], [0]], len(g), axis=1)
    axes.barh(0, g, 0.5, left=np.cumsum(g) - g, facecolor="#F6D898", edgecolor="#8A5F00")
    axes.plot([above, below], levels, color=TIED, lw=1, ls=":", zorder=2)
    axes.plot(above, levels[0], "o", color="black", ms=7, clip_on=False)
    marks: dict[str, Any] = {
        "ms": 8,
        "mec": "white",
        "clip_on": False,
        "zorder": 3,
        "gid": "midpoints",
    }
    axes.plot(below, levels[1], "D", color=ESTIMATE, **marks)
    beside: dict[str, Any] = {"textcoords": "offset points", "ha": "center"}
    for k, mass in enumerate(g):
        axes.annotate(f"{k + 1}", (above[k], 1), (0, 8), **beside)
        empty = mass <= SUPPORT_TOLERANCE  # its label stands below the bar
        axes.annotate(f"{k + 1}", (below[k], -0.25 if empty else 0), (0, -14), **beside)
    axes.set(xlim=(0, 1), ylim=(-0.6, 1.3), xlabel="cumulative gold probability")
    axes.set_yticks([0, 1], ["gold-mass\ndistance", "equal\nsteps"])
    axes.tick_params(axis="y", length=0, pad=14)
    axes.spines[["top", "right", "left"]].set_visible(False)
    return axes


def pairs(gold: ArrayLike, estimate: ArrayLike) -> Axes:
    """Draw classes as points and every pair of classes as a line, by what DNKT makes of it.

    A line that rises is a concordant pair, one that falls a discordant pair; level and upright
    lines are tied in one of the two distributions.
    """
    g, p = check_pair(gold, estimate)
    axes = _new_axes(3.4, 4.4)
    i, j = np.triu_indices(len(g), 1)
    steps = np.stack([g[j] - g[i], p[j] - p[i]])
    signs = np.prod(np.sign(np.where(abs(steps) <= SUPPORT_TOLERANCE, 0, steps)), axis=0)
    kinds = {1: ("concordant", RIGHT, "-"), -1: ("discordant", WRONG, "--"), 0: ("tied", TIED, ":")}
    for sign, (kind, colour, style) in kinds.items():
        ends = np.stack([i, j])[:, signs == sign]
        axes.plot(g[ends], p[ends], color=colour, ls=style, lw=2.5, gid=kind)
        axes.plot([], [], color=colour, ls=style, lw=2.5, label=f"{kind}: {ends.shape[1]}")
    axes.plot(g, p, "o", color="white", mec="black", ms=19, mew=1.4, zorder=3, clip_on=False)
    for k, point in enumerate(zip(g, p, strict=True)):
        axes.text(*point, f"{k + 1}", ha="center", va="center", zorder=4)
    axes.set(xlabel="gold probability", ylabel="estimated probability")
    axes.margins(0.15)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def confusion(cm: ArrayLike, weights: ArrayLike, label: str, digits: int = 2) -> Axes:
    """Draw counts cm[gold, predicted] over what a cell weighs; the shade is the weight.

    Parameters
    ----------
    cm
        Counts; gold classes without items are left white.
    weights
        As many values: :func:`steps` for MAE, :func:`proximities` for CEM_ORD.
    label
        What the shades and the small figures mean.
    """
    counts, values = np.asarray(cm, dtype=float), np.asarray(weights, dtype=float)
    n_classes = len(counts)
    cells = [
        [f"{n:g}\n×{w:.{digits}f}" for n, w in zip(*row, strict=True)]
        for row in zip(counts, values, strict=True)
    ]
    names = list(range(1, n_classes + 1))
    axes = _new_axes(0.85 * n_classes + 0.9, 1.05 * n_classes + 1.9)
    sns.heatmap(
        values,
        cmap="cividis",
        mask=np.repeat((counts.sum(axis=1) == 0)[:, None], n_classes, axis=1),
        annot=cells,
        fmt="",
        annot_kws={"size": 13},
        linewidths=1.5,
        xticklabels=names,
        yticklabels=names,
        cbar_kws={"label": label, "ticks": MaxNLocator(4, integer=digits == 0)},
        ax=axes,
    )
    axes.set(xlabel="system", ylabel="gold")
    axes.tick_params(length=0, rotation=0)
    return axes


def steps(cm: ArrayLike) -> Array:
    """Return the steps between gold and predicted class, the cost of a cell in MAE."""
    return equidistance(len(np.asarray(cm)))


def proximities(cm: ArrayLike) -> Array:
    """Proximity of each predicted class to each gold class, what a cell earns in CEM_ORD.

    ACL'21 Eq. 4, indexed as counts are: [gold, predicted].

    Examples
    --------
    >>> proximities([[2, 0], [1, 1]]).round(3)
    array([[2.   , 0.415],
           [0.415, 2.   ]])
    """
    gold = np.asarray(cm, dtype=float).sum(axis=1)
    prox = np.empty((len(gold), len(gold)))
    for j in range(len(gold)):  # gold class
        for i in range(len(gold)):  # the system's class
            between = gold[i + 1 : j + 1] if i <= j else gold[j:i]
            prox[j, i] = -np.log2(max(0.5, gold[i] / 2 + between.sum()) / gold.sum())
    return prox + 0.0  # no negative zero


_FACTS = {
    "full name": "title",
    "equation": "source",
    "range": "range",
    "better": "better",
    "worst reached": "attained",
    "knows the order": "ordinal",
    "farther is worse": "farther_is_worse",
    "symmetric": "symmetric",
    "equidistant": "equidistant",
    "sees magnitude": "magnitude",
    "perfect means equal": "only_at_identity",
    "minds imbalance": "imbalance",
    "parts constant runs": "constant_runs",
    "used by": "papers",
}
_SCALES = ["range", "better", "worst reached", "used by"]
_DEFINED = ["full name", "equation"]
_CARD = [*_DEFINED, *_SCALES[:3], "knows the order", "symmetric", "equidistant", "used by"]
_WORDS = {True: "yes", False: "no", None: "n/a"}


def _known(names: Iterable[str]) -> pd.DataFrame:
    """Return all that the registries say of measures, a row each."""
    known = {**QUANTIFICATION, **CLASSIFICATION}
    rows = {}
    for name in names:
        measure = known[name]
        columns = {fact: getattr(measure, attribute) for fact, attribute in _FACTS.items()}
        columns["used by"] = ", ".join(measure.papers)
        rows[name] = {
            fact: value if isinstance(value, str) else _WORDS[value]
            for fact, value in columns.items()
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def facts(names: Iterable[str], toy: pd.Series | None = None) -> pd.DataFrame:
    """Say what the registry knows of a family of measures: a row per fact, a column each.

    Parameters
    ----------
    names
        Keys of the registries.
    toy
        Measure -> score; where given, the first row.
    """
    table = _known(names)[_CARD]
    if toy is not None and len(scores := toy.reindex(table.index).dropna()):
        table.insert(0, "on the toy", scores.map("{:.4f}".format))
    return table.T.rename_axis(columns=None)


def properties(names: Iterable[str]) -> pd.DataFrame:
    """Return what was tested about measures, a row each; columns that say nothing are left out."""
    table = _known(names).drop(columns=[*_DEFINED, *_SCALES])
    return table.loc[:, (table != "n/a").any()]


def scales(names: Iterable[str]) -> pd.DataFrame:
    """Return range and direction of measures, and the papers that use them, a row each."""
    return _known(names)[_SCALES]
