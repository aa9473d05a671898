"""What a comparison is: one of our measures, a function of a library, and a sentence."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ordbook.measures as om
from benchmarks.inputs import Pair

Function = Callable[[Any, Any, int], Any]


@dataclass(frozen=True)
class Comparison:
    """One measure, one function of a library, and the inputs on which they are compared.

    ``ours`` and ``theirs`` take (gold, estimate, number of classes); ``same`` says whether they
    are the same function on the inputs that ``where`` selects.
    """

    measure: str
    library: str
    function: str
    ours: Function
    theirs: Function
    on: str  # "distributions", "sets" of distributions, or "labels"
    same: bool
    note: str
    where: Callable[[Pair], bool]


def _everywhere(pair: Pair) -> bool:
    return True


COMPONENTS = {"MD": om.md, "KLD": om.kld}


def _ours(measure: str) -> Function:
    if measure in COMPONENTS:
        component = COMPONENTS[measure]
        return lambda g, p, n: component(g, p)
    if measure in om.QUANTIFICATION:
        f = om.QUANTIFICATION[measure].function
        return lambda g, p, n: f(g, p)
    f = om.CLASSIFICATION[measure].function
    return lambda true, pred, n: f(true, pred, labels=range(n))


def compare(
    measure: str,
    library: str,
    function: str,
    theirs: Function,
    note: str = "",
    *,
    same: bool = True,
    where: Callable[[Pair], bool] = _everywhere,
    ours: Function | None = None,
    on: str = "",
) -> Comparison:
    """Build a comparison; ``ours`` is the measure of that name unless given."""
    on = on or ("labels" if measure in om.CLASSIFICATION else "distributions")
    return Comparison(
        measure, library, function, ours or _ours(measure), theirs, on, same, note, where
    )


def differences(comparison: Comparison, pairs: Iterable[Pair]) -> tuple[int, float]:
    """Count the inputs that a comparison is about, and give the largest difference on them.

    The difference is nan where one side is undefined, so such an input never counts as agreed.
    """
    distances = [0.0]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # theirs, about the undefined cases compared here
        for pair in filter(comparison.where, pairs):
            ours = np.asarray(comparison.ours(*pair[:3]), dtype=float)
            other = np.asarray(comparison.theirs(*pair[:3]), dtype=float)
            apart = np.where(ours == other, 0.0, np.abs(ours - other))  # two infinities agree
            distances.append(float(apart.max()))
    return len(distances) - 1, float(np.max(distances))
