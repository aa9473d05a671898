"""A submission to a competition: a single file of answers, read as a run of the task."""

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ordbook.data.alignment import Missing
from ordbook.data.folder import Reading, read_path
from ordbook.data.labels import SIDECARS

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
    with TemporaryDirectory() as place:
        task = Path(place).resolve() / "task"
        (task / "runs").mkdir(parents=True)
        shutil.copy(gold, task / "gold.csv")
        for name in SIDECARS:
            if gold.with_name(name).is_file():
                shutil.copy(gold.with_name(name), task)
        shutil.copy(answers, task / "runs")
        reading = read_path(task, missing=missing)
    for place_of, problem in enumerate(reading.problems):
        if problem.code == "lacking":  # how the organisers count it is not for participants
            reading.problems[place_of] = replace(problem, fix=ADD)
    reading.problems.rename(str(task / "runs" / answers.name), str(answers))
    reading.problems.rename(str(task / "gold.csv"), str(gold))
    return reading
