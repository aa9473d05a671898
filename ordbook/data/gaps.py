"""Answers that runs lack: the rule for them, and the notes on them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.problems import Note
from ordbook.data.tasks import _Task
from ordbook.words import counted

Missing = Literal["refuse", "worst"]
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


def may_lack(missing: str) -> bool:
    """Whether runs may lack answers by a rule of :func:`ordbook.load`; refuse an unknown rule."""
    if missing not in get_args(Missing):
        wanted = ", ".join(get_args(Missing))
        raise ValueError(f"missing={missing!r} is not one of {wanted}")
    return missing != "refuse"


def with_gaps(task: Filled, unanswered: Mapping[str, NDArray[np.bool_]]) -> Filled:
    """Return a task that knows where runs have no answer, with a note on each of these."""
    gaps = {run: unanswered[run] for run in task.runs if run in unanswered}
    gaps = {run: lacking for run, lacking in gaps.items() if lacking.any()}
    unit, counts_as = WORST[task.kind]
    notes = [
        Note(
            f"run {run} has no answer for {lacking.sum()} of {counted(lacking.size, unit)}: "
            f"each counts as {counts_as}.",
            "filled",
            run,
        )
        for run, lacking in gaps.items()
    ]
    provenance = replace(task.provenance, notes=(*task.provenance.notes, *notes))
    return replace(task, provenance=provenance, unanswered=gaps)
