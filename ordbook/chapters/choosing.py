"""Which measure to use: a decision tree, the definitions, and the evidence source by source."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ordbook.advice import FAVOURED
from ordbook.advice.sources import sources
from ordbook.chapters.findings import OURS, by_source, summary
from ordbook.chapters.measures import guarantees
from ordbook.data.loading import load
from ordbook.data.scores import ScoreMatrix, committed_scores
from ordbook.data.scoring import score
from ordbook.measures import Measure
from ordbook.measures.registry import by_default
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.topic_set_size import topic_set_size
from ordbook.papers.draws import committed_table
from ordbook.show.charts import leads
from ordbook.show.colours import ESTIMATE, RIGHT, TIED
from ordbook.show.two_runs import systems_only

CONSTANT = "all runs that always answer one class must score 0"
STEPS = "the steps between classes need not be equally wide"
SYMMETRIC = "exchanging gold and estimate must not change the score"
# What a task may need besides, and the guarantees of which no counterexample may be known.
NEEDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "classification": {
        "a worse answer must never score better": ("right answer", "same side", "across gold"),
        "the same, on the same side of gold and from a score of 0 on": (
            "right answer",
            "same side",
        ),
        "an error in a rarer class must cost more": ("rare classes",),
    },
    "quantification": {
        "a single error that is farther off must never score better": ("same side", "across gold"),
        "the shares of the votes must be the best answer to single votes": ("proper",),
    },
}
_WITH = ",\nwith "
# Question with the answer that ends there -> the measures that it leads to, by kind of gold data.
TREE: Mapping[str, tuple[tuple[tuple[str, str], str], ...]] = {
    "one label\nper item": (
        (("Are the classes\nin an order?", "no"), "F1_M"),
        (
            ("Must each gold class\nweigh the same?", "yes"),
            _WITH.join(FAVOURED["classification"][::-1]),
        ),
        (("", ""), _WITH.join(FAVOURED["classification"])),
    ),
    "shares\nper topic": (
        (("Are the classes\nin an order?", "no"), "NVD or JSD"),
        (
            ("Is gold counted from items,\nand do others use NMD?", "yes"),
            _WITH.join(FAVOURED["quantification"][::-1]),
        ),
        (("", ""), _WITH.join(FAVOURED["quantification"])),
    ),
}


def tree() -> Axes:
    """Draw the short answer: two columns of questions, each with the measure that it leads to."""
    _, axes = plt.subplots(figsize=(4.3, 5.4), layout="constrained")
    axes.set(xlim=(0, 2), ylim=(-6.6, 1.8))
    axes.set_axis_off()

    def box(x: float, y: float, text: str, colour: str, **look: Any) -> None:
        frame = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour, "lw": 1.6}
        axes.text(x, y, text, va="center", bbox=frame, zorder=3, **look)

    def arrow(x: float, start: float, end: float, answer: str, **look: Any) -> None:
        line = {"arrowstyle": "-|>", "color": TIED, "lw": 1.4}
        axes.annotate("", (x, end), (x, start), arrowprops=line)
        axes.text(x + 0.06, end + 0.35, answer, va="center", **look)

    box(
        1, 1.35, "Does gold give each item one label,\nor each topic shares?", ESTIMATE, ha="center"
    )
    for left, (answer, steps) in zip((0.04, 1.06), TREE.items(), strict=True):
        arrow(left + 0.1, 0.9, -0.35, answer, weight="bold")
        y = -0.8
        for (question, end), measure in steps:
            if not question:
                box(left, y, measure, RIGHT, weight="bold")
                continue
            box(left, y, question, ESTIMATE)
            arrow(left + 0.36, y - 0.4, y - 0.95, end, style="italic")
            box(left + 0.22, y - 1.4, measure, RIGHT, weight="bold")
            arrow(left + 0.1, y - 0.4, y - 2.25, "yes" if end == "no" else "no", style="italic")
            y -= 2.7
    return axes


def by_need(kind: str) -> pd.DataFrame:
    """Return which ordinal measures meet each need, and which do not.

    Examples
    --------
    >>> by_need("classification").loc["a worse answer must never score better", "met by"]
    'MAE_M, MAE_mu'
    """
    rows = {
        need: {
            "met by": ", ".join(has.index[has]) or "none",
            "not by": ", ".join(has.index[~has]) or "none",
        }
        for need, has in _met(kind).items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("need")


def _met(kind: str) -> dict[str, pd.Series]:
    """Return need -> whether each ordinal measure that is scored by default meets it."""
    known = {name: measure for name, measure in by_default(kind).items() if measure.ordinal}
    table = guarantees(kind)
    broken = table[table["counterexample"] != ""].groupby("guarantee")["measure"].agg(set)
    met = {
        need: {name: not any(name in broken.get(g, ()) for g in asked) for name in known}
        for need, asked in NEEDS[kind].items()
    }
    if kind == "classification":
        met[CONSTANT] = {name: not measure.constant_runs for name, measure in known.items()}
    met[STEPS] = {name: not measure.equidistant for name, measure in known.items()}
    met[SYMMETRIC] = {name: bool(measure.symmetric) for name, measure in known.items()}
    return {need: pd.Series(has) for need, has in met.items()}


# The measures that are compared: kind, and the two names.
PAIRS: Mapping[str, tuple[str, str, str]] = {
    f"{first} minus {second}": (kind, first, second)
    for kind in ("classification", "quantification")
    for first, second in OURS[kind]
}


@cache
def _scores(name: str) -> ScoreMatrix:
    return committed_scores(name) or score(load(name))


# Whether a right answer that is made wrong raises these is counted in real runs.
REWARDING = ("alpha_ord", "QWK", "kappa", "MAE_M", "CEM_ORD", "accuracy")


def rewarded(measure: Measure, counts: NDArray[np.float64]) -> dict[str, object]:
    """Count the moves away from gold that raise a measure: see ``data/draws/moves.py``.

    Parameters
    ----------
    measure
        A measure of labels.
    counts
        Confusion matrices of runs on topics, (runs, topics, C, C), gold in the rows.

    Returns
    -------
    dict
        ``measure``, ``raised``, ``farther``, ``across``, ``below`` and ``constant``.
    """
    sign, classes = 1 if measure.better == "high" else -1, counts.shape[-1]
    scores = measure.kernel(counts)

    def raised(ends: Callable[[int, int], list[int]]) -> float:
        """Return the share of answers j to gold i that raise the score if moved to an end."""
        better = total = 0.0
        for i, j in np.ndindex(classes, classes):
            number = counts[..., i, j]
            there = [k for k in ends(i, j) if 0 <= k < classes and number.any()]
            for k in there:
                worse = counts[number > 0]
                worse[:, i, j] -= 1
                worse[:, i, k] += 1
                rises = sign * (measure.kernel(worse) - scores[number > 0]) > 1e-12
                better += (number[number > 0] * rises).sum() / len(there)
            total += number.sum() if there else 0
        return better / total if total else np.nan

    constant = counts[0].sum(axis=-1)[..., None, :, None] * np.eye(classes)[:, None, :]
    means = measure.kernel(constant).mean(axis=0)
    return {
        "measure": measure.name,
        "raised": raised(lambda i, j: [j - 1, j + 1] if i == j else []),
        "farther": raised(lambda i, j: [j + np.sign(j - i)] if i != j else []),
        "across": raised(lambda i, j: [2 * i - j - np.sign(j - i)] if i != j else []),
        "below": float((scores < -1e-12).mean()),
        "constant": means.max() if sign > 0 else means.min(),
    }


def moves() -> pd.DataFrame:
    """Return how often a move away from gold raises each measure, by source, set and unit."""
    return committed_table("moves")


def leaders(names: Sequence[str]) -> pd.DataFrame:
    """Return the run that each measure puts first, a row for each set of labels."""
    sets = [name for group in sources("classification").values() for name in group]
    means = {name: _scores(name).means()[list(names)] for name in sets}
    return pd.DataFrame({name: frame.idxmax() for name, frame in means.items()}).T


def evidence_figure() -> Figure:
    """Draw the lead of each pair of measures in consistency and in power, by source and in all."""
    panels, points = {}, {}
    for quantity, label in (("ten topics", "mean tau"), ("power", "share of\nsignificant pairs")):
        asked = {row: (kind, quantity, a, b) for row, (kind, a, b) in PAIRS.items()}
        panels[f"lead in {label}"] = summary(asked)
        points[f"lead in {label}"] = {row: by_source(*pair)["lead"] for row, pair in asked.items()}
    return leads(panels, points)


def tau_by_source(first: str, second: str, kind: str) -> pd.Series:
    """Return tau between the rankings of the runs by two measures, averaged within each source."""
    return pd.Series(
        {
            source: float(
                np.mean(
                    [
                        ranking_similarity(_scores(name), [first, second]).tau.loc[first, second]
                        for name in names
                    ]
                )
            )
            for source, names in sources(kind).items()
        }
    )


def few_topics(scores: ScoreMatrix, topics: int, splits: int = 1000) -> pd.DataFrame:
    """Describe the precision of so few topics about the runs, baselines left out.

    Returns
    -------
    DataFrame
        By measure: needed (topics that find the difference of the best and the worst run with a
        power of 0.8), and consistency (mean tau between the rankings by two sets of so many).
    """
    systems = systems_only(scores)
    means = systems.means()
    spread = means.max() - means.min()
    design = topic_set_size(systems, {str(name): float(d) for name, d in spread.items()})
    consistency = ranking_consistency(systems, topics, splits).mean
    return design[["topics"]].set_axis(["needed"], axis=1).assign(consistency=consistency)
