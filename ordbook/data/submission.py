"""A submission to a competition: a single file of answers, read as a run of the task."""

from dataclasses import replace
from pathlib import Path

from ordbook.data.answers import read_task
from ordbook.data.folder import Reading
from ordbook.data.formats import read_csv
from ordbook.data.gaps import Missing
from ordbook.data.labels import listed_classes
from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance
from ordbook.data.text import plain

ADD = "add a line for each"


def read_submission(
    answers: str | Path, gold: str | Path, *, missing: Missing = "refuse"
) -> Reading:
    """Read a submission as the only run of a task.

    Parameters
    ----------
    answers
        The file.
    gold
        The gold file or, for a check of the form alone, a sample submission. A list of classes
        beside it holds.
    missing
        As for :func:`ordbook.load`.

    Returns
    -------
    Reading
        Its problems name both files as they are given.

    Raises
    ------
    ValueError
        If one of them is no file.
    """
    answers, gold = Path(answers).expanduser(), Path(gold).expanduser()
    for path in (answers, gold):
        if not path.is_file():
            raise ValueError(f"{path}: no such file; correct the path")
    problems = Problems()
    listed, _ = listed_classes(gold.parent, None, problems, [])
    task = read_task(
        "submission",
        gold,
        {plain(answers).stem: answers},
        read_csv,
        classes=listed,
        provenance=Provenance("yours"),
        problems=problems,
        missing=missing,
    )
    for place, problem in enumerate(problems):
        if problem.code == "lacking":  # how the organisers count it is not for participants
            problems[place] = replace(problem, fix=ADD)
    return Reading(task, problems, "tables", (plain(answers).stem,))
