"""The report on a task: one page, for a browser, a phone or the printer."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ordbook.advice import FAVOURED
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix, ScoresTask
from ordbook.files import write_whole
from ordbook.measures import Measure
from ordbook.reports.parts import template
from ordbook.reports.results import Results
from ordbook.reports.sections import SECTIONS, Section
from ordbook.words import counted

# The papers' number of trials.
TRIALS = 5000


def report(
    task: Task | ScoreMatrix,
    path: str | Path,
    *,
    title: str = "",
    author: str = "",
    runs: str = "",
    measures: Sequence[Measure] = (),
    sections: Sequence[Section] = SECTIONS,
) -> Path:
    """Write the report on a task, one HTML file, as ``ordbook report`` does.

    Parameters
    ----------
    task
        A task with runs, or scores by any measures.
    path
        The file, which is replaced if it is there.
    title, author
        By default the name of the task, and nobody.
    runs
        Two runs to compare topic by topic, as ``"A,B"``; by default the first two.
    measures
        Measures of your own, which stand beside those that are recommended.
    sections
        Title and parts of each section; :data:`ordbook.reports.sections.SECTIONS` by default.

    Returns
    -------
    Path
        The file, absolute.

    Raises
    ------
    ValueError
        If the task has no run, or the folder of the file does not exist.
    RawDataMissing
        If the raw files of a catalogued task are not on this machine and its committed scores do
        not do.

    Examples
    --------
    >>> import ordbook as ob
    >>> ob.report(ob.load("fair-oq"), "report.html")  # doctest: +SKIP
    """
    path = Path(path).expanduser().resolve()
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"{path}: no file can be written here; name one in a folder that exists")
    text = page(task, title=title, author=author, runs=runs, measures=measures, sections=sections)
    write_whole(path, text)
    return path


def page(
    task: Task | ScoreMatrix | Results,
    *,
    title: str = "",
    author: str = "",
    runs: str = "",
    measures: Sequence[Measure] = (),
    sections: Sequence[Section] = SECTIONS,
) -> str:
    """Return the report on a task as one HTML page that needs no other file.

    Parameters are those of :func:`report`; ``task`` may also be results.
    """
    if not isinstance(task, Results):
        task = reported(task, runs, measures)
    parts = [
        (head, [part for part in (make(task) for make in functions) if part is not None])
        for head, functions in sections
    ]
    return template("page.html").render(
        title=title or task.scores.task,
        author=author,
        about=f"{counted(len(task.runs), 'run')} on {task.size}",
        sections=[(head, kept) for head, kept in parts if kept],
    )


def reported(task: Task | ScoreMatrix, runs: str = "", measures: Sequence[Measure] = ()) -> Results:
    """Return the results that the report shows: by the measures recommended, and your own."""
    kind = "scores" if isinstance(task, ScoreMatrix) else task.kind
    chosen: Any = None
    if kind in FAVOURED:
        chosen = [*FAVOURED[kind], *(m for m in measures if m.kind == kind)]
    scores = ScoresTask(scores=task) if isinstance(task, ScoreMatrix) else task
    return Results(scores, chosen, trials=TRIALS, compared=runs)


@dataclass(frozen=True)
class Frame:
    """A page within a page of a notebook."""

    page: str

    def _repr_html_(self) -> str:
        grow = "this.style.height = this.contentDocument.documentElement.scrollHeight + 20 + 'px'"
        return (
            f'<iframe title="The report" srcdoc="{escape(self.page)}" onload="{grow}" '
            'style="width: 100%; height: 40rem; border: 1px solid #8886"></iframe>'
        )
