"""``ob.report``: the report on a task or on scores, from Python."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from ordbook.data.saving import file_name
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.files import write_whole
from ordbook.report.rerun import rerun


def report(
    task: ClassificationTask | QuantificationTask | ScoreMatrix,
    path: str | Path,
    *,
    title: str = "",
    author: str = "",
    parameters: Mapping[str, str] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Path:
    """Write the report on a task, one HTML file, as ``ordbook rerun report`` does.

    ``ordbook.report(task, "report.html")`` is short for it. It takes about a minute.

    Parameters
    ----------
    task
        A task with runs, or scores by any measures.
    path
        The file, which is replaced if it is there.
    title, author
        By default the name of the task, and nobody.
    parameters
        Of the report, such as ``{"trials": "1000"}``; ``ordbook rerun report --parameters`` lists
        them.
    progress
        Called with one line at every step, as ``print`` is.

    Returns
    -------
    Path
        The file, absolute.

    Raises
    ------
    ValueError
        If a parameter or the task is not possible, or the folder of the file does not exist.
    RawDataMissing
        If the raw files of a catalogued task are not on this machine.
    ordbook.report.rerun.RerunError
        If a cell of the report failed.
    """
    path = Path(path).expanduser().resolve()
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"{path}: no file can be written here; name one in a folder that exists")
    environment = os.environ.copy()
    with TemporaryDirectory() as place:
        if isinstance(task, ScoreMatrix):
            data = Path(place, f"{file_name(task.task)}.csv")
            task.save(data)
            missing = "refuse"
        else:
            data = Path(place, "data", file_name(task.name))
            task.save(data)
            missing = "worst" if task.worst else "baseline" if task.unanswered else "refuse"
        try:
            page = rerun(
                "report",
                data,
                Path(place, "out"),
                missing=missing,
                title=title,
                author=author,
                parameters=parameters,
                progress=progress,
            )
        finally:  # the figures of a notebook need what the kernels of a report must not have
            os.environ.clear()
            os.environ.update(environment)
        write_whole(path, page.read_bytes())
    return path
