"""Answers that a run's file lacks: refused, or filled in and told."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.names import counted
from ordbook.data.tasks import ClassificationTask, QuantificationTask

Missing = Literal["refuse", "worst", "baseline"]
Number = TypeVar("Number", np.float64, np.intp)
Filled = TypeVar("Filled", bound=QuantificationTask | ClassificationTask)


@dataclass
class Gaps:
    """What is done about topics or items that a run's file lacks, and which they are.

    Attributes
    ----------
    missing
        ``refuse``: a lacking answer is a problem of the file. ``baseline``: it is filled in with
        the uniform distribution, or with the class that most items of the gold data have.
        ``worst``: the same, and the scores are then the worst that one class alone gives.
    unanswered
        Run -> (topics,) or (items,): where an answer was filled in.
    """

    missing: Missing = "refuse"
    unanswered: dict[str, NDArray[np.bool_]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.missing not in get_args(Missing):
            wanted = ", ".join(get_args(Missing))
            raise ValueError(f"missing={self.missing!r} is not one of {wanted}")

    def __bool__(self) -> bool:
        """Whether answers may be missing."""
        return self.missing != "refuse"

    def fill(
        self, run: str, places: Sequence[int], answers: NDArray[Number], default: float
    ) -> NDArray[Number]:
        """Return the answers in the order of ``places``, and ``default`` where these are -1."""
        lacking = np.array(places, dtype=np.intp) < 0
        filled = answers[places]
        filled[lacking] = default
        if lacking.any():
            self.unanswered[run] = lacking
        return filled

    def told(self, task: Filled) -> Filled:
        """Return a task that knows which answers were filled in, with a note on each run."""
        unanswered = {run: self.unanswered[run] for run in task.runs if run in self.unanswered}
        if not unanswered:
            return task
        counts = "the uniform distribution"
        if isinstance(task, ClassificationTask):
            counts = f"class {task.classes[most_common(task.gold)]}, the commonest in the gold data"
        if self.missing == "worst":
            counts = "the one class that scores worst there, measure by measure"
        what = "item" if isinstance(task, ClassificationTask) else "topic"
        notes = [
            f"run {run} has no answer for {lacking.sum()} of {counted(lacking.size, what)}: "
            f"{'this counts' if lacking.sum() == 1 else 'these count'} as {counts}."
            for run, lacking in unanswered.items()
        ]
        told = replace(task.provenance, notes=(*task.provenance.notes, *notes))
        worst = self.missing == "worst"
        return replace(task, provenance=told, unanswered=unanswered, worst=worst)


def most_common(gold: NDArray[np.intp]) -> int:
    """Return the class that most items have, the lowest of several."""
    return int(np.bincount(gold).argmax())
