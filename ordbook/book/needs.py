"""What a task asks of a measure.

Contents
--------
Needs        what the data of a task tell of it
UNBALANCED   from where on classes are called unbalanced
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ordbook.data.tasks import ClassificationTask, QuantificationTask

# A gold class this many times as frequent as another makes a task unbalanced.
UNBALANCED = 2.0


@dataclass(frozen=True)
class Needs:
    """What a task asks of a measure, as far as its data tell.

    Attributes
    ----------
    kind
        ``classification`` or ``quantification``.
    classes
        How many; 0 where it is not known.
    constant
        Runs that answer one and the same class everywhere (classification).
    imbalance
        How many times as frequent the commonest gold class is as the rarest (infinite where a
        class is empty); NaN where the gold data are not known.
    """

    kind: str
    classes: int
    constant: tuple[str, ...] = ()
    imbalance: float = float("nan")

    @classmethod
    def of(cls, task: ClassificationTask | QuantificationTask) -> "Needs":
        """Read the needs off a task whose labels or distributions are at hand."""
        gold = np.asarray(task.gold)
        if isinstance(task, QuantificationTask):
            mass = gold.sum(axis=0)
            return cls("quantification", len(task.classes), (), _ratio(mass))
        constant = [len(np.unique(run)) == 1 for run in task.predicted]
        names = tuple(run for run, same in zip(task.runs, constant, strict=True) if same)
        mass = np.bincount(gold, minlength=len(task.classes))
        return cls("classification", len(task.classes), names, _ratio(mass))

    @property
    def required(self) -> dict[str, str]:
        """Column of the criteria -> why a primary measure must have it."""
        needed = {} if self.classes == 2 else {"order": "the classes have an order"}
        if self.kind == "classification":
            if len(self.constant) > 1:
                needed["constant runs"] = (
                    f"{len(self.constant)} runs always answer one class (a measure must tell "
                    "such runs apart)"
                )
            if self.imbalance > UNBALANCED:
                needed["imbalance"] = (
                    "the commonest gold class is more than "
                    f"{UNBALANCED:g} times as frequent as the rarest"
                )
        return needed


def _ratio(mass: ArrayLike) -> float:
    least, most = np.min(mass), np.max(mass)
    return float(most / least) if least > 0 else float("inf")
