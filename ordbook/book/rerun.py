"""Rerun chapters on another task, and build an edition of them.

Contents
--------
rerun               execute chapters on data of your own and build their pages
execute             execute one chapter (:mod:`ordbook.book.executing`)
choose_parameters   what a chapter is executed with (:mod:`ordbook.book.choosing`)
RerunError          a chapter failed while it ran, or its page could not be built
"""

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import nbformat
import yaml

from ordbook.book import edition, first_notebook, own
from ordbook.book.chapters import CHAPTERS, chapter_parameters, notebook_of
from ordbook.book.choosing import ALL, Loaded, chapters_of, choose_all, choose_parameters
from ordbook.book.executing import RerunError, execute, side_by_side
from ordbook.book.outfolder import (
    files_of,
    judged_whole,
    listed,
    require_unchanged,
    require_writable,
    whole_folder,
)
from ordbook.book.pages.sphinx_extension import prepare_environment
from ordbook.book.places import checksum, kind, place_of, resolve, split_place
from ordbook.book.workshop import workshop
from ordbook.data.catalog import catalog
from ordbook.data.loading import Task
from ordbook.data.names import check_names
from ordbook.data.paths import write_whole
from ordbook.meta.chunks import processors

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
        The name of a chapter, such as ``"acl21"``; several; or ``"all"`` for those that are
        about tasks of this kind. One chapter is a page by itself. Several are a book, whose first
        page says which measures to use on this task.
    data
        A catalogue name or a path, as for :func:`ordbook.load`.
    out
        Folder for the executed notebooks (``<chapter>.ipynb``) and the pages
        (``html/index.html``).
    part
        Which task of a folder in NTCIR's format: ``A``, ``E``, ``S`` or ``nugget``.
    title
        Of the edition; by default the name of the task.
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
    chosen = choose_all(names, place, classes, parameters or {}, loaded)
    _require_ours(out, chosen)
    task = next(iter(loaded.values()))
    before = _checksums(loaded, chosen)
    if title:
        check_names([edition.plain_title(title)], "title", "edition")
    # All chapters are a book with a first page, even where only one is about such a task.
    alone = len(names) == 1 and isinstance(chapters, str) and chapters != ALL
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
            first = first_notebook.notebook(
                edition.plain_title(title), advised=kind(task) != "nuggets"
            )
            write_whole(book / "template.ipynb", f"{nbformat.writes(first)}\n")
            given = first_notebook.parameters(_data_of(chosen, task), chosen.values(), names)
            work = {edition.FIRST: (book / "template.ipynb", given)}
            work |= {name: (notebook_of(name), chosen[name]) for name in names}
            side_by_side(work, book, jobs or processors(), progress)
            progress("building the pages")
        after = _checksums(loaded, chosen)
        if changed := [place for place in before if before[place] != after[place]]:
            raise RerunError(
                f"{changed[0]}: this changed while the chapters ran, so that their pages would be "
                "about different data: run the same command again when nothing writes there"
            )
        _build(names, [] if alone else [edition.FIRST], book, made, title, loaded)
        about: dict[str, object] = {"title": title, "chapters": chosen}
        if alone:
            about = {"title": title, "chapter": names[0], "parameters": chosen[names[0]]}
        about["files"] = files_of(made)
        text = yaml.safe_dump(about, sort_keys=False)
        write_whole(made / MARK, text)
    return out / "html" / "index.html"


def _data_of(chosen: Mapping[str, Mapping[str, str | int]], task: Task) -> str:
    """Return the place of the task, as the chapters got it."""
    return str(next(iter(chosen.values()))[kind(task)])


def _require_ours(out: Path, chosen: Mapping[str, Mapping[str, str | int]]) -> None:
    """Refuse a folder whose replacement would lose anything that is not an edition of ours."""

    def check() -> None:
        _require_edition(out, out)
        require_writable(out)

    judged_whole(out, check)
    for chapter, parameters in chosen.items():
        for part in CHAPTERS[chapter]:
            data = Path(split_place(str(parameters[part]))[0])
            if data.is_absolute() and (out == data or data in out.parents or out in data.parents):
                raise ValueError(
                    f"{out}: this lies within the data, or the data in it; name another"
                )


def _require_edition(folder: Path, shown: Path) -> None:
    """Refuse a folder that holds anything but an edition, or what was changed since."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{shown}: this is a file; name a folder")
    ours = {MARK, "html"} | {f"{name}.ipynb" for name in (*CHAPTERS, edition.FIRST)}
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


def _checksums(loaded: Loaded, chosen: Mapping[str, Mapping[str, str | int]]) -> dict[str, str]:
    """Return what the chapters read -> its checksum: data, and files of measures."""
    measures = [own.places(str(given.get("own", ""))) for given in chosen.values()]
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
        html = edition.build([book / f"{name}.ipynb" for name in pages], title, site, parts)
    except edition.BuildError as error:
        raise RerunError(str(error)) from None
    shutil.copytree(html, made / "html")
