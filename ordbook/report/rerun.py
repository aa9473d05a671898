"""Rerun chapters on another task, and build an edition of them.

Contents
--------
rerun               execute chapters on data of your own and build their pages
execute             execute one chapter (:mod:`ordbook.report.executing`)
choose_parameters   what a chapter is executed with (:mod:`ordbook.report.choosing`)
RerunError          a chapter failed while it ran, or its page could not be built
"""

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import nbformat
import yaml

from ordbook.chapters.data_argument import place_of, resolve, split_place
from ordbook.chapters.escape import escape_markdown
from ordbook.chapters.parameters import REPORT, chapter_parameters, notebook_of
from ordbook.data.catalog import catalog
from ordbook.data.names import check_names
from ordbook.files import write_whole
from ordbook.meta.parallel import processors
from ordbook.pages.sphinx_extension import prepare_environment
from ordbook.report import edition
from ordbook.report.choosing import (
    ALL,
    Loaded,
    chapters_of,
    choose_all,
    choose_parameters,
    choose_report,
)
from ordbook.report.executing import RerunError, execute, side_by_side
from ordbook.report.html import as_one_file
from ordbook.report.output import whole_folder

__all__ = ["RerunError", "chapter_parameters", "choose_parameters", "execute", "rerun"]

# What an edition says about itself.
MARK = "edition.yml"
Progress = Callable[[str], None]


def rerun(
    chapters: str | Sequence[str],
    data: str | Path,
    out: str | Path,
    *,
    overwrite: bool = False,
    part: str = "",
    title: str = "",
    author: str = "",
    classes: str = "",
    parameters: Mapping[str, str] | None = None,
    jobs: int | None = None,
    progress: Progress = lambda line: None,
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
    title, author
        Of the report or the edition; by default the name of the task, and nobody.
    classes
        Labels from lowest to highest, separated by commas, where they are not -2 to 2.
    parameters
        Further parameters, for every chapter that has them.
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
    out = resolve(out, "out")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs must be at least 1, not {jobs}")
    loaded: Loaded = {}
    place = place_of(str(data), part)
    names = chapters_of(chapters, place, classes, loaded)
    values = parameters or {}
    chosen = choose_all(names, place, classes, values, loaded) if names else {}
    # All chapters are a book with a report, even where only one is about such a task.
    alone = len(names) == 1 and isinstance(chapters, str) and chapters != ALL
    report = {} if alone else choose_report(place, classes, values, loaded, alone=not names)
    task = next(iter(loaded.values()))
    if title:
        check_names([edition.plain_title(title)], "title", "edition")
    title = title or (f"{names[0]} on {task.name}" if alone else task.name)
    prepare_environment()
    inputs = [split_place(place)[0] for place, _ in loaded if place not in catalog()]
    with whole_folder(out, overwrite, inputs) as made:
        book = made.parent / "work"
        book.mkdir()
        if alone:
            progress(f"{names[0]}: running the chapter on {data}")
            output = book / f"{names[0]}.ipynb"
            notebook, bar = notebook_of(names[0]), sys.stderr.isatty()
            execute(names[0], chosen[names[0]], output, notebook=notebook, progress_bar=bar)
            progress(f"{names[0]}: building the page")
        else:
            template = report_of(edition.plain_title(title), author, names)
            write_whole(book / "template.ipynb", f"{nbformat.writes(template)}\n")
            work = {REPORT: (book / "template.ipynb", report)}
            work |= {name: (notebook_of(name), chosen[name]) for name in names}
            side_by_side(work, book, jobs or processors(), progress)
            progress("building the pages")
            page = as_one_file(nbformat.read(book / f"{REPORT}.ipynb", 4), title)
            write_whole(made / f"{REPORT}.html", page)
        if names:
            _build(names, [] if alone else [REPORT], book, made, title, loaded, author)
        else:
            shutil.copy(book / f"{REPORT}.ipynb", made)
        about: dict[str, object] = {"title": title, "chapters": chosen or {REPORT: report}}
        if alone:
            about = {"title": title, "chapter": names[0], "parameters": chosen[names[0]]}
        text = yaml.safe_dump(about, sort_keys=False)
        write_whole(made / MARK, text)
    return out / "html" / "index.html" if names else out / f"{REPORT}.html"


def report_of(title: str, author: str, names: Sequence[str]) -> nbformat.NotebookNode:
    """Return the report under the organiser's title, with the chapters that follow it."""
    notebook: nbformat.NotebookNode = nbformat.read(notebook_of(REPORT), as_version=4)
    head = next(cell for cell in notebook.cells if cell.id == "title")
    head.source = f"# {escape_markdown(title)}"
    if author:
        head.source += f"\n\n{escape_markdown(author)}"
    if names:
        listed = "\n".join(f"- {{ref}}`{name}`" for name in names)
        text = f"## The analyses of this edition\n\nEach is a chapter on this task.\n\n{listed}"
        notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="chapters"))
    return notebook


def _build(
    names: Sequence[str],
    front: Sequence[str],
    book: Path,
    made: Path,
    title: str,
    loaded: Loaded,
    author: str,
) -> None:
    """Make pages of executed notebooks, and put both into the edition."""
    shown = {
        str(resolve(place, "data")): task.name
        for (place, _), task in loaded.items()
        if place not in catalog()
    }
    pages = [*front, *names]
    for name in pages:
        path = book / f"{name}.ipynb"
        shutil.copy(path, made)
        alone = not front and name == pages[0]
        edition.adapt(path, pages, shown, title=title if alone else "")
    site = book / "site"
    parts = {"Chapters": list(names)} if front else {}
    if not front and len(names) > 1:
        parts = {"Chapters": list(names[1:])}
    try:
        html = edition.build([book / f"{name}.ipynb" for name in pages], title, site, parts, author)
    except edition.BuildError as error:
        raise RerunError(str(error)) from None
    shutil.copytree(html, made / "html")
