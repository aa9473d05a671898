"""What a comparison is: one of our measures, a function of a library, and a sentence."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ordbook.measures as om
from benchmarks.inputs import Pair

Function = Callable[[Any, Any, int], Any]
COMPONENTS = {"MD": om.md, "KLD": om.kld}


@dataclass(frozen=True)
class Comparison:
    """One measure, one function of a library, and the inputs on which they are compared.

    ``ours``, which is the measure unless given, and ``theirs`` take (gold, estimate, number of
    classes). ``same`` says whether they are the same function on the inputs that ``where`` selects.
    ``sets`` are arrays of distributions.
    """

    measure: str
    library: str
    function: str
    theirs: Function
    note: str = ""
    where: Callable[[Pair], bool] | None = None
    same: bool = True
    ours: Function | None = None
    sets: bool = False

    @property
    def on(self) -> str:
        """Kind of its inputs: distributions, sets or labels."""
        if self.sets:
            return "sets"
        return "labels" if self.measure in om.CLASSIFICATION else "distributions"

    def score(self, gold: Any, estimate: Any, classes: int) -> Any:
        """Score by ours."""
        if self.ours is not None:
            return self.ours(gold, estimate, classes)
        if self.measure in om.CLASSIFICATION:
            labels = range(classes)
            return om.CLASSIFICATION[self.measure](gold, estimate, labels=labels)
        if self.measure in COMPONENTS:
            return COMPONENTS[self.measure](gold, estimate)
        return om.QUANTIFICATION[self.measure](gold, estimate)


def differences(comparison: Comparison, pairs: Iterable[Pair]) -> tuple[int, float]:
    """Count the inputs that a comparison is about, and give the largest difference on them.

    The difference is nan where one side is undefined, so such an input never counts as agreed.
    """
    distances = [0.0]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # theirs, about the undefined cases compared here
        for pair in filter(comparison.where, pairs):
            ours = np.asarray(comparison.score(*pair[:3]), dtype=float)
            other = np.asarray(comparison.theirs(*pair[:3]), dtype=float)
            apart = np.where(ours == other, 0.0, np.abs(ours - other))  # two infinities agree
            distances.append(float(apart.max()))
    return len(distances) - 1, float(np.max(distances))
