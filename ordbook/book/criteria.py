"""The criteria of ACL'21's Tables 4 and 7, measure by measure: properties, numbers and grades.

Contents
--------
COMPARED     the measures that are compared, by the kind of the task
PROPERTIES   the properties, as a reader would say them
gather       results on a task -> the criteria by measure
properties   what is true of the definitions
ORDERED      the properties that more than two classes are needed for
splits_of    the columns of mean tau among the criteria
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ordbook.book.copies import distinct_runs as distinct_runs
from ordbook.book.copies import without_copies as without_copies
from ordbook.book.grades import consistent, discriminative, groups, guests
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.discrimination import contradictions, discriminative_power
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity

# ACL'21 compares these; its grades are relative, so that further measures would move them. Those of
# a reader's own are therefore graded against these alone.
COMPARED: Mapping[str, tuple[str, ...]] = {
    "classification": tuple(CLASSIFICATION),
    "quantification": ("RNSS", "RSNOD", "RNOD", "NVD", "JSD", "NMD"),
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

    ``similarity`` and its groups are taken without copies of a run (:func:`without_copies`), and
    copies do not make enough runs to be graded. Measures of one's own change nothing for the
    others: limits, groups and copies are those of the others, and ``tau`` and ``contradicted`` are
    with the others alone.

    Returns
    -------
    DataFrame
        By measure: order and the columns of :func:`properties` (bool); group and tau (mean tau with
        the other measures); ``tau, <kind of split>`` and consistency; significant, low, high and
        power; contradicted (pairs of runs on which some other measure finds the opposite).
    """
    names, mine = list(scores.measures), [measure.name for measure in own]
    others = [name for name in names if name not in guests(names, mine)]
    runs = len(distinct_runs(scores, others).runs)
    tau = without_copies(scores, similarity, others).tau.loc[names, names]
    found = properties(names, kind, own, classes)
    anchors, other = ANCHORS[kind]
    found["group"] = groups([tau], anchors, other, runs, own=mine)
    square = tau[others].to_numpy(float, copy=True)
    square[np.array([[name == other for other in others] for name in names])] = np.nan
    found["tau"] = pd.DataFrame(square, names).mean(axis=1)
    means = {name: split.mean.loc[names] for name, split in consistency.items()}
    for name, mean in means.items():
        found[f"tau, {name}"] = mean
    found["consistency"] = "too few topics"
    if means:
        found["consistency"] = consistent(list(means.values()), runs, mine)
    power = discriminative_power(tests, alpha).loc[names]
    found[["significant", "low", "high"]] = power[["significant", "low", "high"]]
    found["power"] = discriminative(power["significant"], mine)
    clashes = contradictions(tests, alpha) if len(names) > 1 else pd.DataFrame()
    found["contradicted"] = [_contradicted(clashes, name, others) for name in names]
    return found.rename_axis("measure")


def properties(
    names: Sequence[str], kind: str, own: Sequence[Measure] = (), classes: int = 0
) -> pd.DataFrame:
    """Return what is true of the definitions of measures, one column per property.

    Where there are two ``classes``, it is what is true of two, and without the properties that
    more classes are needed for (``ORDERED``).
    """
    known = {**(CLASSIFICATION if kind == "classification" else QUANTIFICATION)}
    known |= {measure.name: measure for measure in own}
    rows = {}
    for name in names:
        measure = known[name]
        rows[name] = {
            "order": measure.ordinal,
            "farther is worse": measure.farther_is_worse == "always",
            "no equal steps": measure.equidistant is False,
            "symmetric": measure.symmetric,
        }
        if kind == "classification":
            rows[name] |= {
                "imbalance": bool(measure.imbalance),
                "constant runs": bool(measure.constant_runs),
            }
    found = pd.DataFrame.from_dict(rows, orient="index")
    if classes != 2:
        return found
    for name, known_of_two in _OF_TWO.items():
        for what, holds in known_of_two.items():
            if name in rows and what in found:
                found.loc[name, what] = holds
    return found.drop(columns=list(ORDERED))


def _contradicted(clashes: pd.DataFrame, name: str, others: Sequence[str]) -> int:
    """Count pairs of runs, whichever is the better, on which a measure has an opponent."""
    if clashes.empty:
        return 0
    first = (clashes["first"] == name) & clashes["second"].isin(others)
    second = (clashes["second"] == name) & clashes["first"].isin(others)
    rows = clashes[first | second]
    return len({frozenset(pair) for pair in rows[["better", "worse"]].to_numpy().tolist()})


def splits_of(criteria: pd.DataFrame) -> list[str]:
    """Return the columns of mean tau, one for each kind of split."""
    return [column for column in map(str, criteria) if column.startswith("tau, ")]
