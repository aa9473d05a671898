"""Chapters and the report on another task: checked, executed and built into an edition."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
import yaml

from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask, file_name
from ordbook.files import whole_folder, write_whole
from ordbook.measures import import_measures
from ordbook.report import edition
from ordbook.report.executing import prepare_environment, side_by_side
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    NUMBERS,
    REPORT,
    chapter_parameters,
    check_number,
    join_classes,
    named_runs,
    notebook_of,
    require_chapter,
)
from ordbook.show.source import Source, require_enough, too_small
from ordbook.words import check_names

ALL = "all"
Chosen = dict[str, Any]


def rerun(
    chapters: str | Sequence[str],
    data: str | Path,
    out: str | Path,
    *,
    overwrite: bool = False,
    part: str = "",
    exclude: Sequence[str] = (),
    skip_invalid: bool = False,
    missing: str = "refuse",
    title: str = "",
    author: str = "",
    classes: str = "",
    parameters: Mapping[str, str] | None = None,
    measures: Sequence[str] = (),
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Path:
    """Execute chapters on another task and build an edition of them.

    Everything is checked before anything runs. The folder ``out`` appears whole or not at all.

    Parameters
    ----------
    chapters
        ``"report"``, the report on this task; the name of a chapter, such as ``"acl21"``;
        several; or ``"all"`` for those that are about tasks of this kind. One chapter is a page by
        itself. Several are a book that begins with the report.
    data
        A catalogue name or a path, as for :func:`ordbook.load`.
    out
        Folder for the executed notebooks (``<chapter>.ipynb``) and the pages
        (``html/index.html``); the report is one file, ``report.html``.
    overwrite
        Whether a folder that is not empty is replaced.
    part
        Which task of a folder in NTCIR's format: ``A``, ``E``, ``S`` or ``nugget``.
    exclude, skip_invalid, missing
        Runs that are left out, and what is done about answers that a run lacks, as for
        :func:`ordbook.load`. The pages say what was done.
    title, author
        Of the report or the edition; by default the name of the task, and nobody.
    classes
        Labels from lowest to highest, separated by commas, where the files do not say so.
    parameters
        Further parameters, for every chapter that has them.
    measures
        Measures of your own, as ``file.py:NAME``, for the report and what else takes any.
    jobs
        How many chapters run at a time; by default one per processor.
    progress
        Called with one line at every step.

    Returns
    -------
    Path
        The page that the edition opens with.

    Raises
    ------
    ValueError
        If a name, a value, the data or the folder is not possible. Nothing has run then.
    RerunError
        If a cell failed or the pages could not be built; ``out`` is as it was before.
    """
    asked = named_chapters(chapters)
    how: dict[str, Any] = {"exclude": exclude, "skip_invalid": skip_invalid, "missing": missing}
    source = Source.of(str(data), classes=classes, part=part, **how)
    values = dict(parameters or {})
    task = source.load_ranked()
    names = chapters_of(asked, task)
    chosen = choose(names, task, source, values, measures)
    alone = REPORT not in names
    title = edition.plain_title(title or (f"{names[0]} on {task.name}" if alone else task.name))
    check_names([title], "title", "edition")
    author = edition.plain_title(author) if author else ""
    # Paths that chapters are given, and what pages call them.
    folders = {
        str(passed[p]): Path(passed[p]).name
        for name, passed in chosen.items()
        for p in CHAPTERS.get(name, ("data",))
        if passed[p] and not is_catalogued(str(passed[p]))
    }
    prepare_environment()
    with whole_folder(out, overwrite, folders) as folder:
        book = folder.parent / "work"
        book.mkdir()
        work = {name: (notebook_of(name), passed) for name, passed in chosen.items()}
        if not alone:
            template = report_template(book, title, author, names[1:])
            work[REPORT] = template, chosen[REPORT]
        side_by_side(work, folder, jobs, progress)
        if not alone:
            edition.write_report(folder, title)
        if names != [REPORT]:
            progress("building the pages")
            for name in names:
                shutil.copy(folder / f"{name}.ipynb", book)
                edition.adapt(book / f"{name}.ipynb", names, folders, title=title if alone else "")
            notebooks = [book / f"{name}.ipynb" for name in names]
            html = edition.build(notebooks, title, book / "site", author)
            shutil.copytree(html, folder / "html")
        about = {"title": title, "chapters": chosen}
        write_whole(folder / "edition.yml", yaml.safe_dump(about, sort_keys=False))
    index = f"{REPORT}.html" if names == [REPORT] else "html/index.html"
    return Path(out).expanduser().resolve() / index


def report_template(folder: Path, title: str, author: str = "", names: Sequence[str] = ()) -> Path:
    """Write the report under the organiser's title, with the chapters that follow it."""
    notebook: nbformat.NotebookNode = nbformat.read(notebook_of(REPORT), as_version=4)
    head = next(cell for cell in notebook.cells if cell.id == "title")
    head.source = f"# {escape_markdown(title)}"
    if author:
        head.source += f"\n\n{escape_markdown(author)}"
    if names:
        listed = "\n".join(f"- {{ref}}`{name}`" for name in names)
        text = f"## The analyses of this edition\n\nEach is a chapter on this task.\n\n{listed}"
        notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="chapters"))
    path = folder / "template.ipynb"
    nbformat.write(notebook, path)
    return path


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
    ordbook.report.executing.RerunError
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
            missing = "worst" if task.unanswered else "refuse"
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


def named_chapters(chapters: str | Sequence[str]) -> list[str]:
    """Return the chapters that are asked for.

    Raises
    ------
    ValueError
        If there is no such chapter, or one is named twice or beside all.
    """
    names = [chapters] if isinstance(chapters, str) else list(chapters)
    if names == [ALL]:
        return names
    if ALL in names:
        raise ValueError("'all' names every chapter; name no other with it")
    for name in names:
        if name != REPORT:
            require_chapter(name, ", report and all")
    if not names or len(set(names)) < len(names):
        raise ValueError("name each chapter once, and at least one")
    return names


def chapters_of(names: Sequence[str], task: Task) -> list[str]:
    """Return the chapters to run of :func:`named_chapters`, in the order of reading.

    Of several chapters, or all, the report is the first; one alone is a page by itself.
    """
    if names == [ALL]:
        fitting = [name for name in EDITION if task.kind in CHAPTERS[name]]
        return [REPORT, *(name for name in fitting if not too_small(task, name))]
    names = list(names)
    return names if len(names) == 1 else [REPORT, *(name for name in names if name != REPORT)]


def choose(
    names: Sequence[str],
    task: Task,
    source: Source,
    values: Mapping[str, str | int],
    measures: Sequence[str] = (),
) -> dict[str, Chosen]:
    """Choose the parameters with which each of some chapters is executed.

    Parameters
    ----------
    names
        Chapters, the report among them.
    task, source
        The data, and where they are.
    values
        Further parameters; each chapter gets those that it has.
    measures
        Measures of the reader's, as ``file.py:NAME``; each chapter that takes any gets them.

    Raises
    ------
    ValueError
        If a name, a value or the data are not possible.
    """
    known = {name: list(chapter_parameters(name)) for name in names}
    every = dict.fromkeys(
        p for has in known.values() for p in has if p not in ("own", "data", "classes", "reading")
    )
    for name in values:
        if name not in every:
            raise ValueError(f"there is no parameter {name!r}; there are {', '.join(every)}")
    if values.get("runs"):
        named_runs(str(values["runs"]), task.runs)
    chosen: dict[str, Chosen] = {}
    for name, has in known.items():
        passed: Chosen = {p: values[p] for p in has if p in values}
        passed["classes"] = join_classes(source.classes)
        if source.reading:
            passed["reading"] = deepcopy(dict(source.reading))
        if name == REPORT:
            passed["data"] = source.data
            if str(passed.get("trials")).strip() == "0":
                del passed["trials"]  # as many as it takes, which is the default
        else:
            passed = _data(name, task, source, passed) | passed
        if measures and "own" in has:
            passed["own"] = ",".join(map(absolute, measures))
            for measure in import_measures(passed["own"]):
                if measure.kind != task.kind:
                    raise ValueError(
                        f"{measure.name}: this edition has no {measure.kind} task to score"
                    )
        chosen[name] = {
            p: check_number(p, value) if p in NUMBERS else value for p, value in passed.items()
        }
    if measures and not any("own" in has for has in known.values()):
        raise ValueError("measures: none of these chapters takes any; name report, which does")
    return chosen


def _data(chapter: str, task: Task, source: Source, passed: Chosen) -> Chosen:
    """Check the data parameters of a chapter and return them."""
    if task.kind == "scores":
        raise ValueError(
            f"{source.data}: these are scores; the chapters need the gold data and the runs. For "
            "scores there is 'ordbook rerun report'"
        )
    require_enough(task, source.data, chapter)
    parts = CHAPTERS[chapter]
    if task.kind not in parts:
        raise ValueError(f"{chapter} is not about {task.kind} tasks, and {source.data} is one")
    data: Chosen = {**dict.fromkeys(parts, ""), task.kind: source.data}
    for part in parts:
        if other := str(passed.pop(part, "")):
            if part == task.kind:
                raise ValueError(f"{part} data are given twice, as {source.data} and as {other}")
            beside = replace(source, data=other if is_catalogued(other) else _whole(other))
            second = beside.load_ranked(part)
            if second.kind != part:
                raise ValueError(f"{part}={other!r}: this is a {second.kind} task")
            require_enough(second, beside.data, chapter)
            data[part] = beside.data
    return data


def absolute(place: str) -> str:
    """Return a place with the whole path of its file; that of a module stays as it is."""
    source, colon, name = place.rpartition(":")
    return f"{_whole(source)}{colon}{name}" if source.endswith(".py") else place


def _whole(path: str) -> str:
    return str(Path(path).expanduser().resolve())
