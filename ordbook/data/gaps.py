"""Answers that runs lack: the rule for them, and the notes on them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.problems import Note
from ordbook.data.tasks import _Task
from ordbook.words import counted

Missing = Literal["refuse", "worst"]
Number = TypeVar("Number", np.float64, np.intp)
Filled = TypeVar("Filled", bound=_Task)
# Kind of task -> what may be missing, and what it then counts as.
WORST: Mapping[str, tuple[str, str]] = {
    "classification": ("item", "the class farthest from gold"),
    "quantification": ("topic", "the single class that scores worst there, by each measure"),
    "nuggets": ("turn", "the type that scores worst there"),
}
# Kind of task -> what that can do to scores; the docstring of `ordbook.load` says why.
SILENCE: Mapping[str, str] = {
    "classification": "By accuracy, MAE_mu and MAE_M, no run gains by withholding an answer; by "
    "others, such as kappa and CEM_ORD, it may by withholding one that is known to be wrong.",
    "quantification": "By NMD, RPS and RNOD, no run gains by withholding an answer.",
    "nuggets": "By RNSS and JSD, no run gains by withholding an answer.",
}
# How an answer that a run does not have is mended.
LACKING = (
    "add it, or count it as the worst with ordbook score --missing=worst (in Python "
    "missing='worst')"
)


@dataclass
class Gaps:
    """Topics or items that a run's file lacks, and the rule for filling them.

    Attributes
    ----------
    missing
        ``refuse``: a lacking answer is a problem of the file. ``worst``: it counts as the worst,
        as the task's ``unanswered`` says.
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

    def lacking(self, run: str, places: list[int]) -> NDArray[np.bool_]:
        """Note, and return, where a run has no answer: at the places of -1."""
        lacking = np.array(places, dtype=np.intp) < 0
        if lacking.any():
            self.unanswered[run] = lacking
        return lacking

    def fill(
        self, run: str, places: list[int], answers: NDArray[Number], stand_in: float
    ) -> NDArray[Number]:
        """Return the answers in the order of ``places``, and any valid one for a place of -1."""
        lacking = self.lacking(run, places)
        filled = np.full((len(places), *answers.shape[1:]), stand_in, dtype=answers.dtype)
        filled[~lacking] = answers[np.array(places)[~lacking]]
        return filled

    def noted(self, task: Filled) -> Filled:
        """Return a task that knows which answers are missing, with a note on each run."""
        unanswered = {run: self.unanswered[run] for run in task.runs if run in self.unanswered}
        unit, counts_as = WORST[task.kind]
        notes = [
            Note(
                f"run {run} has no answer for {lacking.sum()} of {counted(lacking.size, unit)}: "
                f"each counts as {counts_as}.",
                "filled",
                run,
            )
            for run, lacking in unanswered.items()
        ]
        provenance = replace(task.provenance, notes=(*task.provenance.notes, *notes))
        return replace(task, provenance=provenance, unanswered=unanswered)
