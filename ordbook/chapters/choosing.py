"""Which measure to use: a decision tree, the definitions, and what eight data sets say."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ordbook.advice.choose import choose
from ordbook.advice.criteria import COMPARED, Needs, gather, properties
from ordbook.advice.duplicates import without_copies
from ordbook.advice.grades import level
from ordbook.data.loading import load
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.seeds import split_sizes
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.topic_set_size import detectable_difference, topic_set_size
from ordbook.show.charts import dots
from ordbook.show.colours import ESTIMATE, RIGHT, TIED, WIDTH
from ordbook.show.two_runs import systems_only

SETS: Mapping[str, tuple[str, ...]] = {
    "quantification": ("sem16t4e", "stc3-dq-a", "stc3-dq-e", "stc3-dq-s", "fair-oq", "dbdc3"),
    "classification": ("sem16t4c", "fair-oc"),
}
TEN = "tau, 10 vs. 10"
NEEDS: Mapping[str, str] = {
    "a farther error must always cost more": "farther is worse",
    "the steps between classes are not equally wide": "no equal steps",
    "exchanging gold and estimate must not change the score": "symmetric",
    "an error in a small class must cost more": "imbalance",
    "runs that always answer one class must be told apart": "constant runs",
}
_FARTHER = ("Must a farther error\nalways cost more?", "yes")
# What gold holds -> questions with the answer that ends there, and the measure that it leads to.
TREE: Mapping[str, tuple[tuple[tuple[str, str], str], ...]] = {
    "one class\nper item": (
        (("Are the classes\nin an order?", "no"), "F1_M"),
        (_FARTHER, "MAE_M"),
        (("Do several runs always\nanswer one class?", "yes"), "alpha_ord"),
        (("", ""), "kappa,\nwith alpha_ord"),
    ),
    "a distribution\nper topic": (
        (("Are the classes\nin an order?", "no"), "NVD or JSD"),
        (_FARTHER, "NMD"),
        (("Are the steps between\nclasses unequal?", "yes"), "RNOD2 or RNADW2"),
        (("", ""), "RNOD,\nwith NMD"),
    ),
}


def tree() -> Axes:
    """Draw the short answer: two columns of questions, each with the measure that it leads to."""
    _, axes = plt.subplots(figsize=(4.3, 6.2), layout="constrained")
    axes.set(xlim=(0, 2), ylim=(-8.6, 0.55))
    axes.set_axis_off()

    def box(x: float, y: float, text: str, colour: str, weight: str = "normal") -> None:
        look = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour, "lw": 1.6}
        axes.text(x, y, text, ha="left", va="center", weight=weight, bbox=look, zorder=3)

    def arrow(start: tuple[float, float], end: tuple[float, float]) -> None:
        axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": TIED, "lw": 1.4})

    axes.text(1, 0.35, "What does gold hold?", ha="center", va="center", weight="bold")
    for left, (gold, steps) in zip((0.04, 1.06), TREE.items(), strict=True):
        axes.text(left + 0.4, -0.45, gold, ha="center", va="center", weight="bold", color=ESTIMATE)
        y = -1.5
        for (question, answer), measure in steps:
            if question:
                box(left, y, question, ESTIMATE)
                arrow((left + 0.36, y - 0.4), (left + 0.36, y - 0.95))
                axes.text(left + 0.42, y - 0.62, answer, va="center", style="italic")
                box(left + 0.22, y - 1.25, measure, RIGHT, "bold")
                arrow((left + 0.06, y - 0.4), (left + 0.06, y - 1.85))
                other = "yes" if answer == "no" else "no"
                axes.text(left + 0.1, y - 1.62, other, va="center", style="italic")
                y -= 2.2
            else:
                box(left, y + 0.05, measure, RIGHT, "bold")
    return axes


def by_need(kind: str) -> pd.DataFrame:
    """Return which ordinal measures meet each need, and which do not.

    Examples
    --------
    >>> by_need("quantification").loc["a farther error must always cost more", "met by"]
    'NMD'
    """
    rows = {
        need: {
            "met by": ", ".join(has.index[has]) or "none",
            "not by": ", ".join(has.index[~has]) or "none",
        }
        for need, has in _met(kind).items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("need")


def incompatible(kind: str) -> list[tuple[str, str]]:
    """Return the pairs of needs that no ordinal measure meets together.

    Examples
    --------
    >>> for pair in incompatible("classification"):
    ...     print(" / ".join(pair))
    a farther error must always cost more / the steps between classes are not equally wide
    """
    met = _met(kind)
    return [
        (one, other) for one, other in combinations(met, 2) if not (met[one] & met[other]).any()
    ]


def _met(kind: str) -> dict[str, pd.Series]:
    """Return need -> whether each ordinal measure meets it."""
    names = CLASSIFICATION if kind == "classification" else QUANTIFICATION
    known = properties(list(names), kind)
    known = known[known["order"].astype(bool)]
    return {need: known[what].astype(bool) for need, what in NEEDS.items() if what in known}


@dataclass(frozen=True, eq=False)
class Studied:
    """What one data set says about measures.

    Attributes
    ----------
    kind, classes
        Of the task: ``classification`` or ``quantification``, and how many classes.
    criteria
        As from :func:`ordbook.advice.criteria.gather`, with the column ``share``: significant pairs
        out of all.
    tau
        Between the rankings by the measures.
    scores
        What all this was computed from.
    """

    kind: str
    classes: int
    criteria: pd.DataFrame
    tau: pd.DataFrame
    scores: ScoreMatrix

    def choose(self, **needs: object) -> tuple[str, str]:
        """Return primary and secondary measure for a task with such classes and these needs."""
        wanted = Needs(self.kind, self.classes, **needs)  # type: ignore[arg-type]
        return choose(self.criteria, wanted, self.tau)


def study(name: str, kind: str, trials: int = 5000, splits: int = 1000) -> Studied:
    """Compute the criteria of the papers on a data set.

    Scores are enough: of the gold data only the number of classes enters, so that the answer is
    the same with the raw files and without them.
    """
    task = load(name)
    scores = score(task, COMPARED[kind])
    steady = {
        split: ranking_consistency(scores, size, splits)
        for split, size in split_sizes(scores).items()
    }
    similarity = without_copies(scores, ranking_similarity(scores))
    n_classes, m = len(getattr(task, "classes", ())), len(scores.runs)
    tests = tukey_hsd(scores, trials)
    criteria = gather(scores, tests, steady, similarity, kind, classes=n_classes)
    criteria["share"] = criteria["significant"] / (m * (m - 1) / 2)
    return Studied(kind, n_classes, criteria, similarity.tau, scores)


def answers(studied: Mapping[str, Studied], **needs: object) -> pd.DataFrame:
    """Return the choice on each data set, a row each."""
    rows = {}
    for name, one in studied.items():
        primary, secondary = one.choose(**needs)
        rows[name] = {
            "classes": one.classes,
            "topics": len(one.scores.topics),
            "runs": len(one.scores.runs),
            "primary": primary,
            "secondary": secondary,
            "tau between": one.tau.loc[primary, secondary] if secondary else float("nan"),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("data set")


def by_set(studied: Mapping[str, Studied], criterion: str) -> pd.DataFrame:
    """Return one column of the criteria for all data sets, measure x data set."""
    columns = {name: level(one.criteria[criterion]) for name, one in studied.items()}
    return pd.DataFrame(columns).rename_axis("measure")


def other_topics(scores: ScoreMatrix, halves: int = 100) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the limits between which other topics would put consistency, 95% of the time.

    They are those of ten topics from random halves of the topics, which vary about the whole as
    new topics do about the truth.

    Returns
    -------
    low, high
        By measure, with the column ``TEN``.
    """
    rng, n, taus = np.random.default_rng(0), len(scores.topics), []
    for seed in range(halves):
        rows = np.sort(rng.permutation(n)[: n // 2])
        topics = tuple(scores.topics[k] for k in rows)
        half = replace(scores, values=scores.values[:, rows], topics=topics)
        taus.append(ranking_consistency(half, 10, 100, seed).mean)
    frame = pd.DataFrame(taus)
    low, high = frame.quantile(0.025), frame.quantile(0.975)
    return pd.DataFrame({TEN: low}), pd.DataFrame({TEN: high})


def evidence(studied: Mapping[str, Studied]) -> Figure:
    """Draw consistency and power by measure, a panel for each data set.

    Measures that know the order of the classes stand above those that do not. The intervals of
    consistency are those of :func:`other_topics`.
    """
    heights = [len(one.criteria) for one in [*studied.values()][::2]]
    figure, panels = plt.subplots(
        len(heights),
        2,
        figsize=(WIDTH, 0.9 + 0.24 * sum(heights) + 0.3 * len(heights)),
        height_ratios=heights,
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (name, one) in zip(panels.flat, studied.items(), strict=True):
        rows = one.criteria.sort_values("order", ascending=False, kind="stable").index
        low, high = (limits.loc[rows] for limits in other_topics(one.scores))
        dots(one.criteria.loc[rows, [TEN, "share"]].astype(float), "", low, high, axes=axes)
        axes.axhline(one.criteria["order"].sum() - 0.5, color=TIED, lw=0.8, ls=":")
        axes.set_title(name, loc="left", fontsize="medium", fontweight="bold")
        axes.set(xlim=(0, 1), xticks=(0, 0.5, 1))
    for axes in panels[:, 1]:
        axes.tick_params(axis="y", labelleft=False)
    marks, _ = panels[0, 0].get_legend_handles_labels()
    names = ["mean tau, ten topics", "share of pairs told apart"]
    figure.legend(marks, names, loc="outside upper center", ncols=2, frameon=False)
    return figure


def few_topics(scores: ScoreMatrix, topics: int, splits: int = 1000) -> pd.DataFrame:
    """Say what so few topics can tell about the runs, baselines left out.

    Returns
    -------
    DataFrame
        By measure: spread (difference of best and worst run), detectable (smallest difference of
        means that so many topics find with a power of 0.8), needed (topics that find the whole
        spread), consistency (mean tau between the rankings by two such sets of topics).
    """
    systems = systems_only(scores)
    means = systems.means()
    spread = means.max() - means.min()
    design = topic_set_size(systems, {str(name): float(d) for name, d in spread.items()})
    smallest = [detectable_difference(v, topics, len(systems.runs)) for v in design["variance"]]
    steady = ranking_consistency(systems, topics, splits).mean
    columns = {
        "spread": spread,
        "detectable": pd.Series(smallest, design.index),
        "needed": design["topics"],
        "consistency": steady,
    }
    return pd.DataFrame(columns).loc[design.index].rename_axis("measure")
