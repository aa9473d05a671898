"""Chapters made ready for a course: without solutions, executed, in plain Markdown.

The student version and the slides are both made from what is here.
"""

import re
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ordbook.chapters.parameters import chapter_names, notebook_of
from ordbook.course.exercises import without_solutions
from ordbook.course.plain import Plain
from ordbook.course.references import Labels, read_labels
from ordbook.meta.parallel import processors
from ordbook.report.executing import prepare_environment, side_by_side

Progress = Callable[[str], None]
_RECORD = "application/papermill.record/"
_NAMED_TABLE = re.compile(r"^```\{list-table\} (.*)\n(?::.*\n)*:name: (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Chapter:
    """A chapter without solutions: executed, its text plain Markdown.

    Attributes
    ----------
    name
        Name of the chapter.
    title
        Its title.
    notebook
        Its cells, with outputs.
    plain
        What turned its text into plain Markdown; knows the works cited.
    """

    name: str
    title: str
    notebook: NotebookNode
    plain: Plain


def choose_chapters(names: Sequence[str]) -> list[str]:
    """Return chapters by name, in the order of the book; without any, all.

    Raises
    ------
    ValueError
        If there is no such chapter.
    """
    known = chapter_names()
    for name in names:
        if name != "all" and name not in known:
            raise ValueError(f"no chapter {name!r}; there are {', '.join(known)}")
    return [name for name in known if name in names] if names and "all" not in names else known


def read_chapters(
    names: Collection[str], *, jobs: int | None = None, progress: Progress = lambda line: None
) -> list[Chapter]:
    """Read chapters without their solutions, execute them, and make their text plain.

    They are executed in an empty folder outside the repository, as a reader would who has only
    the notebook and the package.

    Parameters
    ----------
    names
        Chapters, as :func:`choose_chapters` returns them.
    jobs
        How many to execute at a time; by default one per processor.
    progress
        Told in a line what happens.

    Raises
    ------
    RerunError
        If a cell of a chapter fails.
    """
    prepare_environment()
    labels = read_labels()
    with tempfile.TemporaryDirectory() as place:
        sources, executed = Path(place, "sources"), Path(place, "executed")
        sources.mkdir()
        executed.mkdir()
        for name in names:
            source = nbformat.read(notebook_of(name), as_version=4)
            nbformat.write(without_solutions(source), sources / f"{name}.ipynb")
        work: dict[str, tuple[Path, dict[str, str | int]]]
        work = {name: (sources / f"{name}.ipynb", {}) for name in names}
        side_by_side(work, executed, jobs or processors(), progress)
        return [
            _chapter(name, nbformat.read(executed / f"{name}.ipynb", as_version=4), labels, names)
            for name in names
        ]


def _chapter(name: str, notebook: NotebookNode, labels: Labels, links: Collection[str]) -> Chapter:
    glued, captions = _kept(notebook)
    plain = Plain(name, labels, glued, captions, [link for link in links if link != name])
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain.text(cell.source)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    return Chapter(name, labels.titles[name], notebook, plain)


def _kept(notebook: NotebookNode) -> tuple[dict[str, str], dict[str, str]]:
    """Return what an executed chapter keeps for its text, and the captions of its tables."""
    glued: dict[str, str] = {}
    captions: dict[str, str] = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            kept = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if kept is not None:
                text = str(data.get("text/plain", data.get(f"{_RECORD}text/plain", "")))
                glued[kept] = text[1:-1] if re.fullmatch(r"'[^']*'|\"[^\"]*\"", text) else text
            for caption, label in _NAMED_TABLE.findall(str(data.get("text/markdown", ""))):
                captions[label] = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", caption)
    return glued, captions
