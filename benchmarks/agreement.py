"""Ours against independent implementations, on the same inputs.

A row of ``comparisons.csv`` is a comparison: the call of the other library, as Python computes it,
and whether it is the same definition as ours on the inputs that ``where`` selects. If so, the
largest difference is rounding (at most ``TOLERANCE``). If not, it is how far a reader is off who
takes one for the other, and the note says why (read in the source of the installed version).
"""

import csv
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType
from typing import Any

import krippendorff
import numpy as np
import quapy
from mlquantify import metrics as mlq
from scipy import stats
from scipy.spatial import distance
from sklearn import metrics

import ordbook.measures as om
from benchmarks.inputs import Pair, distribution_pairs, label_pairs

TOLERANCE = 1e-12
NOWHERE = {
    "CEM_ORD": "None of these libraries has it; the tests compare it with its equations as loops."
}
OF_DISTRIBUTIONS = {**om.QUANTIFICATION, "MD": om.md, "KLD": om.kld}


def eq6(gold: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """DNKT Eq. 6 as it is printed."""
    n = len(gold)
    between = [
        [sum(gold[min(i, j) : max(i, j) + 1]) - (gold[i] + gold[j]) / 2 for j in range(n)]
        for i in range(n)
    ]
    return np.array(between) * (1 - np.eye(n))


# What the calls of comparisons.csv may name.
OF_STATS = ("energy_distance", "entropy", "hmean", "kendalltau", "wasserstein_distance")
LIBRARIES = {
    **vars(distance), **vars(metrics), **{name: getattr(stats, name) for name in OF_STATS},
    **{name: getattr(mlq, name) for name in ("KLD", "MAE", "NAE", "NMD", "RNOD", "SE", "topsoe")},
    "alpha": krippendorff.alpha, "error": quapy.error, "functional": quapy.functional,
    "eq6": eq6, "log": np.log, "nmd": om.nmd, "rps": om.rps, "sqrt": np.sqrt, "unique": np.unique,
}  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """A row of comparisons.csv; ``ours`` is the measure unless it is given."""

    measure: str
    library: str
    definition: str
    theirs: str
    ours: str = ""
    where: str = ""
    note: str = ""

    @property
    def same(self) -> bool:
        """Whether the definitions are the same."""
        return self.definition == "same"

    @property
    def on(self) -> str:
        """Kind of its inputs: distributions, sets of these, or labels."""
        if "golds" in self.theirs:
            return "sets"
        return "labels" if self.measure in om.CLASSIFICATION else "distributions"

    def chosen(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Return the pairs that the comparison is about."""
        return [pair for pair in pairs if not self.where or _value(self.where, pair)]

    def scores(self, pair: Pair) -> tuple[Any, Any]:
        """Score a pair by ours and by theirs."""
        gold, estimate, n, _ = pair
        if self.ours:
            ours = _value(self.ours, pair)
        elif self.on == "labels":
            ours = om.CLASSIFICATION[self.measure](gold, estimate, labels=range(n))
        else:
            ours = OF_DISTRIBUTIONS[self.measure](gold, estimate)
        return ours, _value(self.theirs, pair)


@cache
def _compiled(call: str) -> CodeType:
    return compile(call, "comparisons.csv", "eval")


def _value(call: str, pair: Pair) -> Any:
    """Compute a call on a pair, of distributions or labels."""
    gold, estimate, n, kind = pair
    both, used = np.array([gold, estimate]), np.union1d(gold, estimate)
    _, place, counts = np.unique(gold, return_inverse=True, return_counts=True)
    facts = {
        "C": n,
        "kind": kind,
        "places": np.cumsum(range(n)),
        "class_size": counts[place],
        "uniform": min(np.ptp(gold.round(12)), np.ptp(estimate.round(12))) == 0,
        "noisy": ((both > 0) & (both <= TOLERANCE)).any(),
        "positive": both.min() > 0,
        "one_class": used.size == 1,
        "only_chosen": np.setdiff1d(estimate, gold).size > 0,
        "gap": used[-1] - used[0] >= used.size > 1,
    }
    arrays = dict.fromkeys(("gold", "golds"), gold)
    arrays |= dict.fromkeys(("estimate", "estimates", "run"), estimate)
    return eval(_compiled(call), LIBRARIES | facts | arrays)  # noqa: S307, our own table


def comparisons() -> list[Comparison]:
    """Read comparisons.csv."""
    with (Path(__file__).parent / "comparisons.csv").open(encoding="utf-8", newline="") as file:
        return [Comparison(**row) for row in csv.DictReader(file)]


def inputs(repeats: int = 40) -> dict[str, list[Pair]]:
    """All inputs by kind; ``repeats`` of everything drawn at random."""
    pairs = {n: distribution_pairs(n, repeats) for n in (2, 3, 5, 9)}
    return {
        "distributions": [pair for members in pairs.values() for pair in members],
        "sets": [  # the same distributions, all of one number of classes in two arrays
            Pair(*(np.array([pair[side] for pair in members]) for side in (0, 1)), n, "set")
            for n, members in pairs.items()
        ],
        "labels": [pair for n in (2, 3, 5) for pair in label_pairs(n, repeats)],
    }


def differences(comparison: Comparison, pairs: Iterable[Pair]) -> tuple[int, float]:
    """Count the inputs that a comparison is about, and give the largest difference on them.

    The difference is nan where one side is undefined, so such an input never counts as agreed.
    """
    distances = [0.0]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # theirs, about the undefined cases compared here
        for pair in comparison.chosen(pairs):
            ours, theirs = (np.asarray(score, dtype=float) for score in comparison.scores(pair))
            apart = np.where(ours == theirs, 0.0, np.abs(ours - theirs))  # two infinities agree
            distances.append(float(apart.max()))
    return len(distances) - 1, float(np.max(distances))


def table(repeats: int = 40) -> list[dict[str, str]]:
    """Compare everything; one row per comparison, as in ``agreement.csv``."""
    available, rows = inputs(repeats), []
    for comparison in comparisons():
        cases, largest = differences(comparison, available[comparison.on])
        row = asdict(comparison) | {"version": version(comparison.library), "cases": str(cases)}
        rows.append(row | {"largest_difference": f"{largest:.2g}"})
    empty = dict.fromkeys(rows[0], "")
    rows += [
        empty | {"measure": name, "cases": "0", "note": note} for name, note in NOWHERE.items()
    ]
    columns = [name for name in rows[0] if name not in ("ours", "where")]
    return [{name: row[name] for name in columns} for row in rows]
