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
from functools import partial
from pathlib import Path

import nbformat
import yaml

from ordbook.chapters.data_argument import checksum, place_of, resolve, split_place
from ordbook.chapters.escape import escape_markdown
from ordbook.chapters.parameters import CHAPTERS, REPORT, chapter_parameters, notebook_of
from ordbook.data.catalog import catalog
from ordbook.data.names import check_names
from ordbook.files import write_whole
from ordbook.meta.parallel import processors
from ordbook.pages.sphinx_extension import prepare_environment
from ordbook.report import custom_measures as own
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
from ordbook.report.outfolder import (
    files_of,
    judged_whole,
    listed,
    require_unchanged,
    require_writable,
    whole_folder,
)
from ordbook.report.workshop import workshop

__all__ = ["RerunError", "chapter_parameters", "choose_parameters", "execute", "rerun"]

# What a folder of ours holds: by this file an earlier edition is known, and may be replaced.
MARK = "edition.yml"
Progress = Callable[[str], None]


def rerun(
    chapters: str | Sequence[str],
    data: str | Path,
    out: str | Path,
    *,
    part: str = "",
    title: str = "",
    author: str = "",
    classes: str = "",
    parameters: Mapping[str, str] | None = None,
    jobs: int | None = None,
    progress: Progress = lambda line: None,
) -> Path:
    """Execute chapters on another task and build an edition of them.

    Everything is checked before anything runs. The folder ``out`` appears whole or not at all;
    an earlier edition in it is replaced, a folder with anything else in it, or with files that
    were changed since, is refused.

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
    _require_ours(out, loaded)
    task = next(iter(loaded.values()))
    given = [*chosen.values(), report]
    before = _checksums(loaded, given)
    if title:
        check_names([edition.plain_title(title)], "title", "edition")
    title = title or (f"{names[0]} on {task.name}" if alone else task.name)
    prepare_environment()
    # Papermill takes braces in a path for parameters, so it works in the system's folder.
    with whole_folder(out, partial(_require_edition, shown=out)) as made, workshop() as book:
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
        after = _checksums(loaded, given)
        if changed := [place for place in before if before[place] != after[place]]:
            raise RerunError(
                f"{changed[0]}: this changed while the chapters ran, so that their pages would be "
                "about different data: run the same command again when nothing writes there"
            )
        if names:
            _build(names, [] if alone else [REPORT], book, made, title, loaded, author)
        else:
            shutil.copy(book / f"{REPORT}.ipynb", made)
        about: dict[str, object] = {"title": title, "chapters": chosen or {REPORT: report}}
        if alone:
            about = {"title": title, "chapter": names[0], "parameters": chosen[names[0]]}
        about["files"] = files_of(made)
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


def _require_ours(out: Path, loaded: Loaded) -> None:
    """Refuse a folder whose replacement would lose anything that is not an edition of ours."""

    def check() -> None:
        _require_edition(out, out)
        require_writable(out)

    judged_whole(out, check)
    for place, _ in loaded:
        data = Path(split_place(place)[0]).expanduser()
        if place not in catalog() and (
            out in (data := data.resolve()).parents or data in (out, *out.parents)
        ):
            raise ValueError(f"{out}: this lies within the data, or the data in it; name another")


def _require_edition(folder: Path, shown: Path) -> None:
    """Refuse a folder that holds anything but an edition, or what was changed since."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{shown}: this is a file; name a folder")
    ours = {MARK, "html", f"{REPORT}.html"} | {f"{name}.ipynb" for name in (*CHAPTERS, REPORT)}
    found = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    stray = min(found - ours, default="")
    if stray or (found and MARK not in found):
        what = f" ({stray})" if stray else ""
        raise ValueError(
            f"{shown}: the folder holds what is not an edition of ours{what}; name another"
        )
    if found:
        files = _listed(folder / MARK, shown / MARK)
        if files:
            require_unchanged(folder, {**files, MARK: None}, "an edition", shown)


def _listed(mark: Path, shown: Path) -> dict[str, str | None]:
    """Return the files that an edition lists -> SHA-256; the first editions have no list."""
    try:
        about = yaml.safe_load(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        about = None
    ours = isinstance(about, dict) and {"chapter", "chapters"} & set(about)
    files = listed(about.get("files", [])) if ours else None
    if files is None:
        raise ValueError(f"{shown}: this is not of an edition of ours; name another folder")
    return files


def _checksums(loaded: Loaded, given: Sequence[Mapping[str, str | int]]) -> dict[str, str]:
    """Return what the chapters read -> its checksum: data, and files of measures."""
    measures = [own.places(str(one.get("own", ""))) for one in given]
    return {place: checksum(place) for place, _ in loaded} | {
        place: own.checksum(place) for places in measures for place in places
    }


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
