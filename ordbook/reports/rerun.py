"""Chapters on another task: checked, executed and built into an edition."""

import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from ordbook.data.loading import Task
from ordbook.files import whole_folder, write_whole
from ordbook.measures import import_measures
from ordbook.reports import edition
from ordbook.reports.executing import prepare_environment, side_by_side
from ordbook.reports.page import page
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    NUMBERS,
    RerunError,
    chapter_parameters,
    check_number,
    join_classes,
    named_runs,
    require_chapter,
)
from ordbook.show.source import Source, too_small
from ordbook.words import check_names

ALL = "all"
INDEX = "edition"  # the first page of an edition; no chapter has this name
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
        The name of a chapter, such as ``"acl21"``; several; or ``"all"`` for those that are about
        tasks of this kind. One chapter is a page by itself. Several are a book with the report on
        the task; of these, a chapter that can say nothing about the task is left out, and the
        first page gives the reason.
    data
        A catalogue name or a path, as for :func:`ordbook.load`.
    out
        Folder for the executed notebooks (``<chapter>.ipynb``) and the pages
        (``html/index.html``, and of several chapters ``html/report.html``).
    overwrite
        Whether a folder that is not empty is replaced.
    part
        Which task of a folder in NTCIR's format: ``A``, ``E``, ``S`` or ``nugget``.
    exclude, skip_invalid, missing
        Runs that are left out, and what is done about answers that a run lacks, as for
        :func:`ordbook.load`. The pages say what was done.
    title, author
        Of the edition; by default the name of the task, and nobody.
    classes
        Labels from lowest to highest, separated by commas, where the files do not say so.
    parameters
        Further parameters, for every chapter that has them.
    measures
        Measures of your own, as ``file.py:NAME``, for the report and the chapters that take any.
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
        If every chapter failed or the pages could not be built; ``out`` is as it was before. If
        only some chapters failed, ``out`` holds the edition of the others.
    """
    how: dict[str, Any] = {"exclude": exclude, "skip_invalid": skip_invalid, "missing": missing}
    source = Source.of(str(data), classes=classes, part=part, **how)
    asked = named_chapters(chapters, source.data)
    values = dict(parameters or {})
    task = source.load_ranked()
    names, left = fitting(asked, task, source.data)
    several = len(asked) > 1 or asked == [ALL]
    others = {p for name in left for p in chapter_parameters(name)}
    others |= {"own", "runs"} if several else set()  # which the report takes
    chosen = choose(names, task, source, values, measures, others)
    title = edition.plain_title(title or task.name)
    check_names([title], "title", "edition")
    author = edition.plain_title(author) if author else ""
    # The path that chapters are given, and what pages call it.
    folders = {path: Path(path).name for path in source.files}
    for reason in left.values():
        progress(f"note: left out: {reason}")
    prepare_environment()
    with whole_folder(out, overwrite, folders) as folder:
        book = folder.parent / "work"
        book.mkdir()
        failed = side_by_side(chosen, folder, jobs, progress)
        if len(failed) == len(names):
            raise RerunError("\n".join(failed.values()))
        held = [name for name in names if name not in failed]
        progress("building the pages")
        pages = [Path(shutil.copy(folder / f"{name}.ipynb", book)) for name in held]
        for path in pages:
            edition.adapt(path, held, folders, title)
        if several:
            reasons = [*left.values(), *failed.values()]
            write_whole(book / f"{INDEX}.md", first_page(title, author, held, reasons))
            pages.insert(0, book / f"{INDEX}.md")
        html = edition.build(pages, title, book / "site", author)
        shutil.copytree(html, folder / "html")
        if several:
            own = import_measures(",".join(map(absolute, measures)))
            runs = str(values.get("runs", ""))
            report = page(task, title=title, author=author, runs=runs, measures=own)
            write_whole(folder / "html" / "report.html", report)
        about = {"title": title, "chapters": {name: chosen[name] for name in held}}
        write_whole(folder / "edition.yml", yaml.safe_dump(about, sort_keys=False))
    place = Path(out).expanduser().resolve()
    if failed:
        lines = "\n".join(failed.values())
        raise RerunError(f"{lines}\nthe edition of the other chapters is in {place}")
    return place / "html" / "index.html"


def first_page(title: str, author: str, names: Sequence[str], left: Sequence[str]) -> str:
    """Write the page that an edition of several chapters opens with, in MyST Markdown."""
    blocks = [
        f"# {escape_markdown(title)}",
        escape_markdown(author),
        '<a href="../report.html">The report</a> ranks the runs and shows where they err. Each of '
        "these chapters is an analysis of a paper, or of this book, on this task:",
        "\n".join(f"- {{doc}}`{name}`" for name in names),
    ]
    if left:
        blocks += ["Left out:", "\n".join(f"- {escape_markdown(reason)}" for reason in left)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def named_chapters(chapters: str | Sequence[str], data: str = "FOLDER") -> list[str]:
    """Return the chapters that are asked for, or ``["all"]``; refuse unknown and double ones."""
    names = [chapters] if isinstance(chapters, str) else list(chapters)
    if "report" in names:
        raise ValueError(
            f"the report has a command of its own: ordbook report {data} --out report.html; an "
            "edition of several chapters holds it, too"
        )
    if names == [ALL]:
        return names
    if ALL in names:
        raise ValueError("'all' names every chapter; name no other with it")
    for name in names:
        require_chapter(name, " and all")
    if not names or len(set(names)) < len(names):
        raise ValueError("name each chapter once, and at least one")
    return names


def fitting(asked: Sequence[str], task: Task, data: str) -> tuple[list[str], dict[str, str]]:
    """Part the chapters that can say something about a task from those that cannot.

    Return those to run, and the reason for each of the others; refuse a task that fits none.
    """
    if task.kind == "scores":
        raise ValueError(
            f"{data}: these are scores; the chapters need the gold data and the runs. For scores "
            "there is 'ordbook report'"
        )
    every = [name for name in EDITION if task.kind in CHAPTERS[name]]
    names = every if asked == [ALL] else list(asked)
    left = {name: why for name in names if (why := unfit(name, task))}
    if len(left) == len(names):
        raise ValueError(f"{data}: {next(iter(left.values()))}")
    return [name for name in names if name not in left], left


def unfit(chapter: str, task: Task) -> str:
    """Say why a chapter can say nothing about a task, or return an empty text."""
    if task.kind not in CHAPTERS[chapter]:
        return f"{chapter} is not about {task.kind} tasks"
    why = too_small(task, chapter)
    return why and f"{chapter}: {why}"


def choose(
    names: Sequence[str],
    task: Task,
    source: Source,
    values: Mapping[str, Any],
    measures: Sequence[str] = (),
    others: Collection[str] = (),
) -> dict[str, Chosen]:
    """Choose the parameters with which each of some chapters is executed.

    Each gets those of ``values`` that it has; ``others`` are known though none of them has these.
    """
    known = {name: list(chapter_parameters(name)) for name in names}
    takes = {p for has in known.values() for p in has} | {*others}
    every = sorted(takes - {"own", "classes", "reading"}.union(*CHAPTERS.values()))
    for name in values:
        if name not in every:
            raise ValueError(f"there is no parameter {name!r}; there are {', '.join(every)}")
    if values.get("runs"):
        named_runs(str(values["runs"]), task.runs)
    own = ",".join(map(absolute, measures))
    if own and "own" not in takes:
        raise ValueError("measures: none of these chapters takes any; topics and the report do")
    for measure in import_measures(own):
        if measure.kind != task.kind:
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    chosen: dict[str, Chosen] = {}
    for name, has in known.items():
        passed = {
            p: check_number(p, values[p]) if p in NUMBERS else values[p] for p in has if p in values
        }
        passed |= {"classes": join_classes(source.classes)}
        if source.reading:
            passed["reading"] = deepcopy(dict(source.reading))
        if own and "own" in has:
            passed["own"] = own
        chosen[name] = passed | dict.fromkeys(CHAPTERS[name], "") | {task.kind: source.data}
    return chosen


def absolute(place: str) -> str:
    """Return a place with the whole path of its file; that of a module stays as it is."""
    source, colon, name = place.rpartition(":")
    path = Path(source).expanduser().resolve()
    return f"{path}{colon}{name}" if source.endswith(".py") else place
