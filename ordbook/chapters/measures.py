"""The case and the figures of the two pages on measures.

What a figure draws adds up to the score (tested).
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from numpy.typing import ArrayLike
from scipy import stats

from ordbook.files import share
from ordbook.measures import (
    GUARANTEES,
    accuracy_1,
    confusion_matrix,
    equidistance,
    mae_macro,
    md,
    qwk,
    rps,
)
from ordbook.measures.components import SUPPORT_TOLERANCE, supported
from ordbook.measures.components import midpoints as middle
from ordbook.measures.validation import Array, check_pair
from ordbook.papers.draws import committed_table
from ordbook.show.charts import embolden, legend_above
from ordbook.show.colours import (
    ESTIMATE,
    ESTIMATE_STYLE,
    GOLD,
    NUMBERS,
    ON_LIGHT,
    QUIET_ON_LIGHT,
    RIGHT,
    TIED,
    WIDTH,
    WRONG,
)

# The helpdesk's case: shares of the grades 1 to 5 in a week of dialogues, and two estimates. Both
# models misplace as much, and bold misplaces a tenth farther.
WEEK: Mapping[str, tuple[float, ...]] = {
    "gold": (0, 0.1, 0.2, 0.4, 0.3),
    "bold": (0.1, 0.1, 0.2, 0.1, 0.5),
    "careful": (0, 0.1, 0.3, 0.1, 0.5),
}


def ten_answers() -> pd.DataFrame:
    """Return the helpdesk's ten answers: the median of three people's grades, and two models'."""
    table = pd.read_csv(share("data", "examples", "ratings", "ratings.csv"))
    gold = table[["Ada", "Ben", "Eve"]].median(axis=1).astype(int)
    graded = pd.DataFrame({"gold": gold, "bold": table["bold"], "careful": table["careful"]})
    return graded.set_axis(range(1, len(graded) + 1))


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
    return axes


def cumulatives(gold: ArrayLike, estimates: Mapping[str, ArrayLike]) -> Figure:
    """Draw :func:`cumulative` for several estimates of one gold distribution, side by side."""
    figure, panels = plt.subplots(
        1, len(estimates), figsize=(WIDTH, 2.9), sharey=True, squeeze=False, layout="constrained"
    )
    for axes, (name, estimate) in zip(panels[0], estimates.items(), strict=True):
        cumulative(gold, estimate, axes)
        axes.set_xlabel(name)
        if axes is not panels[0, 0]:
            axes.set_ylabel("")
    legend_above(panels[0, 0])
    return figure


def distance_weighted(gold: ArrayLike, estimate: ArrayLike) -> Figure:
    """Draw the terms of DW_i: squared errors times their distance from a viewpoint i with gold."""
    g, p = check_pair(gold, estimate)
    views, matrix = np.flatnonzero(supported(g)), equidistance(len(g))
    squares, rows = np.square(p - g), -(-len(views) // 2)
    figure, panels = plt.subplots(
        rows,
        min(2, len(views)),
        figsize=(WIDTH, 0.6 + 2.1 * rows),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    x = np.arange(1, len(g) + 1)
    for axes, i in zip(panels.flat, views, strict=False):
        terms = matrix[i] * squares
        axes.bar(x, terms, 0.62, label="weighted", **ESTIMATE_STYLE)
        axes.bar(x, squares, 0.62, fill=False, edgecolor=WRONG, ls="--", lw=1.6, label="squared")
        tops = axes.bar(x, np.maximum(terms, squares), alpha=0)
        axes.bar_label(tops, [f"×{weight:.3g}" for weight in matrix[i]], padding=3)
        _classes(axes, len(g))
        axes.set_xlabel(f"from class {i + 1}")
        axes.margins(y=0.15)
    for axes in panels.flat[len(views) :]:
        axes.remove()
    for axes in panels[:, 0]:
        axes.set_ylabel("squared error")
    legend_above(panels[0, 0])
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
        where, colour = ((below[k], -0.25), None) if empty else ((below[k], 0), ON_LIGHT)
        axes.annotate(f"{k + 1}", where, (0, -14), color=colour, **beside)
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


def confusion(
    cm: ArrayLike, weights: ArrayLike, axes: Axes | None = None, *, earned: bool = False
) -> Axes:
    """Draw counts cm[gold, predicted] over the weight of each cell; the shade is their product.

    A cell without a count has its weight alone, in grey.

    Parameters
    ----------
    cm
        Counts.
    weights
        As many values: :func:`steps` for MAE, :func:`proximities` for CEM_ORD.
    axes
        Where to draw; a figure of its own, unless given.
    earned
        Whether the cells earn something, as the proximities do, and cost nothing.
    """
    counts, values = np.asarray(cm, dtype=float), np.asarray(weights, dtype=float)
    digits = 0 if (values == values.round()).all() else 2
    cells = [
        [
            f"{n:.3g}\n×{w:.{digits}f}" if n else f"×{w:.{digits}f}"
            for n, w in zip(*row, strict=True)
        ]
        for row in zip(counts, values, strict=True)
    ]
    names = list(range(1, len(counts) + 1))
    axes = axes or _new_axes(4.2, 4.4)
    sns.heatmap(
        counts * values,
        cmap="Blues" if earned else "YlOrBr",
        annot=cells,
        fmt="",
        annot_kws={"size": 11},
        linewidths=1.5,
        xticklabels=names,
        yticklabels=names,
        cbar=False,
        square=True,
        ax=axes,
    )
    for text, count in zip(axes.texts, counts.flat, strict=True):
        if not count:
            text.set_color(QUIET_ON_LIGHT)
    axes.set(xlabel="system", ylabel="gold")
    axes.tick_params(length=0, rotation=0)
    return axes


def confusions(cms: Mapping[str, ArrayLike], weights: ArrayLike) -> Figure:
    """Draw :func:`confusion` for several systems, side by side."""
    figure, panels = plt.subplots(
        1, len(cms), figsize=(WIDTH, 0.54 * WIDTH), sharey=True, squeeze=False, layout="constrained"
    )
    for axes, (name, cm) in zip(panels[0], cms.items(), strict=True):
        confusion(cm, weights, axes)
        axes.set_xlabel(name)
        if axes is not panels[0, 0]:
            axes.set_ylabel("")
    return figure


def steps(cm: ArrayLike) -> Array:
    """Return the steps between gold and predicted class, the cost of a cell in MAE."""
    return equidistance(len(np.asarray(cm)))


def proximities(cm: ArrayLike) -> Array:
    """Proximity of each predicted class to each gold class: the earnings of a cell in CEM_ORD.

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


def guarantees(kind: str) -> pd.DataFrame:
    """Return how often each measure of a kind breaks each guarantee, a row each."""
    table = committed_table("guarantees").fillna({"counterexample": ""})
    return table[table["kind"] == kind].drop(columns="kind")


def guarantee_matrix(table: pd.DataFrame, classes: int = 5) -> Axes:
    """Draw how often each measure breaks each guarantee, in per cent of the random cases.

    Parameters
    ----------
    table
        From :func:`guarantees`.
    classes
        3, 5 or 7.
    """
    shares = 100 * _wide(table, str(classes))
    rare = _wide(table, "counterexample").fillna("").astype(bool) & (shares == 0)
    text = shares.map(lambda share: "<1" if 0 < share < 0.5 else f"{share:.0f}")
    text = text.where(~rare, "(0)").replace({"0": "", "nan": "–"})
    axes = _new_axes(0.27 * len(shares) + 1.6, 0.33 * len(shares.columns) + 1.35)
    sns.heatmap(
        shares.fillna(0),
        vmin=0,
        vmax=130,
        cmap="YlOrBr",
        annot=text,
        fmt="",
        annot_kws={"size": NUMBERS},
        linewidths=1,
        linecolor="0.85",
        cbar=False,
        ax=axes,
    )
    axes.set(xlabel="", ylabel="")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90)
    axes.tick_params(axis="y", rotation=0)
    embolden(axes.get_yticklabels())
    return axes


def _wide(table: pd.DataFrame, values: str) -> pd.DataFrame:
    wide = table.set_index(["measure", "guarantee"])[values].unstack()  # noqa: PD010, texts too
    return wide.loc[table["measure"].unique(), [n for n in GUARANTEES if n in wide]]


def used_for_labels(gold: ArrayLike, runs: Mapping[str, ArrayLike]) -> pd.DataFrame:
    """Score runs by the measures for labels that readers may know from elsewhere, a row each.

    Parameters
    ----------
    gold
        Labels 1, 2, ...
    runs
        Name -> labels.
    """
    classes = range(1, int(np.max([gold, *runs.values()])) + 1)

    def of_counts(score: Callable[[Array], float]) -> Callable[[Array, Array], float]:
        return lambda g, p: score(confusion_matrix(g, p, labels=classes))

    rows: dict[str, tuple[Callable[[Array, Array], Any], str, str]] = {
        "accuracy_1": (
            of_counts(accuracy_1.from_confusion),
            "errors of one class",
            "ob.accuracy_1",
        ),
        "RMSE of class numbers": (
            lambda g, p: np.mean((g - p) ** 2) ** 0.5,
            "rare classes, unequal steps",
            "sklearn: root_mean_squared_error",
        ),
        "macro MAE": (mae_macro, "unequal steps", "ob.mae_macro"),
        "QWK": (qwk, "which class a constant run answers", "ob.qwk"),
        "Spearman": (
            lambda g, p: stats.spearmanr(g, p).statistic,
            "a shift or a stretch of the scale",
            "scipy.stats.spearmanr",
        ),
        "Pearson": (
            lambda g, p: stats.pearsonr(g, p).statistic,
            "a shift or a stretch of the scale",
            "scipy.stats.pearsonr",
        ),
        "Kendall": (
            lambda g, p: stats.kendalltau(g, p).statistic,
            "a shift or a stretch of the scale",
            "scipy.stats.kendalltau",
        ),
    }
    return _used(rows, np.asarray(gold), runs)


def used_for_distributions(gold: ArrayLike, runs: Mapping[str, ArrayLike]) -> pd.DataFrame:
    """Score estimates by the measures that readers may know from elsewhere, a row each."""
    rows: dict[str, tuple[Callable[[Array, Array], Any], str, str]] = {
        "KL divergence": (
            lambda g, p: stats.entropy(g, p),
            "the order; infinite at an empty class",
            "scipy.stats.entropy, or m.kld in bits",
        ),
        "chi-square": (
            lambda g, p: ((p - g) ** 2 / g).sum(),
            "the order; infinite at an empty class",
            "scipy.stats.chisquare",
        ),
        "EMD": (md, "unequal steps", "m.md; over |C| - 1 it is ob.nmd"),
        "CRPS": (
            lambda g, p: (len(g) - 1) * rps(g, p),
            "unequal steps",
            "ob.rps times |C| - 1",
        ),
    }
    return _used(rows, np.asarray(gold, dtype=float), runs)


def _used(
    rows: Mapping[str, tuple[Callable[[Array, Array], Any], str, str]],
    gold: Array,
    runs: Mapping[str, ArrayLike],
) -> pd.DataFrame:
    table = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a correlation with a constant run is undefined
        for name, (score, blind, function) in rows.items():
            scores = {run: float(score(gold, np.asarray(labels))) for run, labels in runs.items()}
            table[name] = scores | {"cannot see": blind, "function": function}
    return pd.DataFrame.from_dict(table, orient="index").rename_axis("measure")
