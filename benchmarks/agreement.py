"""Ours against independent implementations, on the same inputs.

A comparison says whether the two definitions are the same on its inputs. If so, the largest
difference is rounding (at most ``TOLERANCE``). If not, it is how far a reader is off who takes
one for the other, and the note says why (read in the source of the installed version).
"""

from dataclasses import replace
from importlib.metadata import version

import numpy as np

from benchmarks import distributions, labels
from benchmarks.comparison import differences
from benchmarks.inputs import Pair, distribution_pairs, label_pairs

TOLERANCE = 1e-12
COLUMNS = (
    "measure", "library", "version", "function", "definition", "cases", "largest_difference", "note"
)  # fmt: skip
COMPARISONS = (
    *distributions.SAME,
    *labels.SAME,
    *(replace(c, same=False) for c in distributions.DIFFERENT + labels.DIFFERENT),
)


def inputs(repeats: int = 40) -> dict[str, list[Pair]]:
    """All inputs by kind; ``repeats`` of everything drawn at random."""
    pairs = distribution_pairs(repeats)
    sets = []  # the same distributions, all of one number of classes in two arrays
    for n in sorted({pair.classes for pair in pairs}):
        members = [pair for pair in pairs if pair.classes == n]
        gold, estimate = (np.array([pair[side] for pair in members]) for side in (0, 1))
        sets.append(Pair(gold, estimate, n, "set"))
    return {"distributions": pairs, "sets": sets, "labels": label_pairs(repeats)}


def table(repeats: int = 40) -> list[dict[str, str]]:
    """Compare everything; one row per comparison, as in ``agreement.csv``."""
    available = inputs(repeats)
    rows = []
    for comparison in COMPARISONS:
        cases, largest = differences(comparison, available[comparison.on])
        rows.append(
            {
                "measure": comparison.measure,
                "library": comparison.library,
                "version": version(comparison.library),
                "function": comparison.function,
                "definition": "same" if comparison.same else "different",
                "cases": str(cases),
                "largest_difference": f"{largest:.2g}",
                "note": comparison.note,
            }
        )
    for measure, note in labels.NOWHERE.items():
        rows.append({**dict.fromkeys(COLUMNS, ""), "measure": measure, "cases": "0", "note": note})
    return rows
