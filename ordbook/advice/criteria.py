"""The criteria of ACL'21's Tables 4 and 7, measure by measure: properties, numbers and grades."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ordbook.advice.duplicates import distinct_runs, without_copies
from ordbook.advice.grades import consistent, discriminative, groups
from ordbook.data.checking import constant_runs, within_topics
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import kind_of
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure
from ordbook.measures.registry import MEASURES, of_paper
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.discrimination import contradictions, discriminative_power
from ordbook.meta.significance import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity
from ordbook.papers.symbols import DISTRIBUTIONS

# ACL'21 compares these; its grades are relative, so that further measures would move them.
COMPARED: Mapping[str, tuple[str, ...]] = {
    "classification": of_paper("acl21", "classification"),
    "quantification": DISTRIBUTIONS,
}
# The measure that gives a group its letter, and the letter of all others (Tables 4 and 7).
ANCHORS: Mapping[str, tuple[Mapping[str, str], str]] = {
    "classification": ({"accuracy": "B", "alpha_ord": "A"}, "A/B"),
    "quantification": ({"RNOD": "Y"}, "X"),
}
# Column of the criteria -> what a measure has that ticks it, as a reader would say it.
PROPERTIES: Mapping[str, str] = {
    "farther is worse": "a farther error is always worse by it",
    "no equal steps": "it does not take the classes to be equally far apart",
    "symmetric": "gold and estimate may be exchanged",
    "imbalance": "an error in a small class costs more",
    "constant runs": "it tells apart runs that always answer one class",
}
# Two classes have one step and no far and near errors: what these say is then of no measure.
ORDERED = ("farther is worse", "no equal steps")
# What else is true of a measure where there are two classes (tested). RNOD is NMD then; and of two
# classes in the gold data a run that always answers one has all of one right, none of the other.
_OF_TWO: Mapping[str, Mapping[str, bool]] = {
    "RNOD": {"symmetric": True},
    "MAE_M": {"constant runs": False},
}
# A gold class this many times as frequent as another makes a task unbalanced.
UNBALANCED = 2.0


@dataclass(frozen=True)
class Needs:
    """The needs of a task, as far as its data tell.

    Attributes
    ----------
    kind
        ``classification`` or ``quantification``.
    classes
        How many; 0 if unknown.
    constant
        Runs that give the same class everywhere, or the same distribution for every topic.
    imbalance
        How many times as frequent the commonest gold class is as the rarest (infinite if a
        class is empty); NaN if the gold data are unknown.
    within
        Runs that give one class within each topic, but not the same one in all.
    """

    kind: str
    classes: int
    constant: tuple[str, ...] = ()
    imbalance: float = float("nan")
    within: tuple[str, ...] = ()

    @classmethod
    def of(cls, task: Task) -> "Needs":
        """Read the needs off a task; without its gold data, as far as they are known."""
        kind, classes = kind_of(task), len(getattr(task, "classes", ()))
        if isinstance(task, QuantificationTask) and not task.missing:
            return cls(kind, classes, constant_runs(task), _ratio(task.gold.sum(axis=0)))
        if isinstance(task, ClassificationTask) and not task.missing:
            mass = np.bincount(task.gold, minlength=classes)
            return cls(kind, classes, constant_runs(task), _ratio(mass), within_topics(task))
        return cls(kind, classes)

    @property
    def required(self) -> dict[str, str]:
        """Column of the criteria -> the trait of the classes or the runs that makes it needed."""
        needed = {} if self.classes == 2 else {"order": "ordered"}
        if self.kind == "classification":
            if (runs := len(self.constant) + len(self.within)) > 1:
                some = f" ({len(self.within)} of them within each topic)" if self.within else ""
                needed["constant runs"] = f"{runs} runs are constant{some}"
            if self.imbalance > UNBALANCED:
                needed["imbalance"] = "unbalanced"
        return needed


def gather(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    similarity: RankingSimilarity,
    kind: str,
    *,
    own: Sequence[Measure] = (),
    alpha: float = 0.05,
    classes: int = 0,
) -> pd.DataFrame:
    """Return the criteria by measure: properties, numbers and grades.

    ``similarity`` and its groups use one run of each set of identical ones, and copies
    do not make up for too few runs.

    Returns
    -------
    DataFrame
        By measure: order and the columns of :func:`properties` (bool); group and tau (mean tau with
        the other measures); ``tau, <kind of split>`` and consistency; significant, low, high and
        power; contradicted (pairs of runs on which some other measure finds the opposite).
    """
    names = list(scores.measures)
    runs = len(distinct_runs(scores).runs)
    tau = without_copies(scores, similarity).tau.loc[names, names]
    criteria = properties(names, kind, own, classes)
    criteria["group"] = groups([tau], *ANCHORS[kind], runs)
    square = tau.to_numpy(float, copy=True)
    np.fill_diagonal(square, np.nan)
    criteria["tau"] = pd.DataFrame(square, names).mean(axis=1)
    means = {name: split.mean.loc[names] for name, split in consistency.items()}
    for name, mean in means.items():
        criteria[f"tau, {name}"] = mean
    criteria["consistency"] = (
        consistent(list(means.values()), runs) if means else "too few to split"
    )
    power = discriminative_power(tests, alpha).loc[names]
    criteria[["significant", "low", "high"]] = power[["significant", "low", "high"]]
    criteria["power"] = discriminative(criteria["significant"])
    clashes = contradictions(tests, alpha) if len(names) > 1 else pd.DataFrame()
    criteria["contradicted"] = [_contradicted(clashes, name) for name in names]
    return criteria.rename_axis("measure")


def properties(
    names: Sequence[str], kind: str, own: Sequence[Measure] = (), classes: int = 0
) -> pd.DataFrame:
    """Return the properties of measures by their definitions, one column per property.

    For two ``classes``, it says what is true of two, without the properties that need more
    classes (``ORDERED``).
    """
    known = {**MEASURES[kind]} | {measure.name: measure for measure in own}
    rows = {}
    for name in names:
        measure = known[name]
        rows[name] = {
            "order": bool(measure.ordinal),
            "farther is worse": measure.farther_is_worse == "always",
            "no equal steps": measure.equidistant is False,
            "symmetric": bool(measure.symmetric),
        }
        if kind == "classification":
            rows[name] |= {
                "imbalance": bool(measure.imbalance),
                "constant runs": bool(measure.constant_runs),
            }
    table = pd.DataFrame.from_dict(rows, orient="index")
    if classes != 2:
        return table
    for name, known_of_two in _OF_TWO.items():
        for column, holds in known_of_two.items():
            if name in rows and column in table:
                table.loc[name, column] = holds
    return table.drop(columns=list(ORDERED))


def splits_of(criteria: pd.DataFrame) -> list[str]:
    """Return the columns of mean tau, one for each kind of split."""
    return [column for column in map(str, criteria) if column.startswith("tau, ")]


def _ratio(mass: ArrayLike) -> float:
    least, most = np.min(mass), np.max(mass)
    return float(most / least) if least > 0 else float("inf")


def _contradicted(clashes: pd.DataFrame, name: str) -> int:
    """Count pairs of runs, whichever is the better, on which a measure has an opponent."""
    if clashes.empty:
        return 0
    rows = clashes[(clashes["first"] == name) | (clashes["second"] == name)]
    return len({frozenset(pair) for pair in rows[["better", "worse"]].to_numpy().tolist()})
