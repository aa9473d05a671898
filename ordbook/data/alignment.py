"""The answers of runs in the order of the gold data, with missing and surplus ones refused."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.problems import Note, Problems
from ordbook.data.tasks import _Task
from ordbook.words import counted, meant

Missing = Literal["refuse", "worst"]
Number = TypeVar("Number", np.float64, np.intp)
Filled = TypeVar("Filled", bound=_Task)
Describe = Callable[[str], str]
# Kind of task -> what may be missing, and what it then counts as.
WORST: Mapping[str, tuple[str, str]] = {
    "classification": ("item", "the class farthest from gold"),
    "quantification": ("topic", "the single class that scores worst there, by each measure"),
    "nuggets": ("dialogue", "the types that score worst in its turns"),
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


def match(
    path: Path,
    answers: Mapping[str, int | None],
    gold: Path,
    names: Collection[str],
    problems: Problems,
    *,
    gaps: object = None,
    describe: Describe = repr,
    column: int | None = None,
) -> list[int]:
    """Return the place in a run of each answer that gold data ask for, and -1 for none.

    ``answers`` are the names in the run -> their lines, None in files without; ``names`` are those
    of the gold file, and ``describe`` puts a name into words. ``problems`` gets what nobody asked
    for and, unless ``gaps`` is true, what the run lacks.
    """
    places = dict(zip(answers, range(len(answers)), strict=True))
    order = [places.get(name, -1) for name in names]
    if len(answers) == len(order) and min(order, default=0) >= 0:
        return order
    wanted = set(names)
    stray = [name for name in answers if name not in wanted]
    lacking = [name for name in names if name not in answers]
    same = meant(stray, lacking)
    if len(stray) == len(answers) > 3 and not same:
        fault, fix = (
            f"{describe(stray[0])}: none of its names is in {gold.name}",
            "correct the names",
        )
        problems.add(path, answers[stray[0]], column, found=fault, fix=fix)
        return order
    for name in stray:
        fault = f"{describe(name)}, which {gold.name} does not have"
        fix = "correct the name, or remove what was not asked for"
        if name in same:
            fault = f"{describe(name)}, which {gold.name} writes {describe(same[name])}"
            fix = f"write names as {gold.name} does"
        problems.add(path, answers[name], column, found=fault, fix=fix)
    for name in lacking if not gaps else ():
        if name not in same.values():
            problems.add(path, found=f"no answer for {describe(name)}", fix=LACKING, code="lacking")
    return order
