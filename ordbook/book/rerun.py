"""Rerun chapters on another task, and build an edition of them.

Contents
--------
rerun               execute chapters on data of your own and build their pages
execute             execute one chapter
choose_parameters   what a chapter is executed with (:mod:`ordbook.book.choosing`)
RerunError          a chapter failed while it ran, or its page could not be built
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nbformat
import papermill
import yaml
from papermill.exceptions import PapermillExecutionError

from ordbook.book import edition, first_page
from ordbook.book.choosing import (
    Loaded,
    chapter_parameters,
    chapters_of,
    choose_all,
    choose_parameters,
    notebook_of,
    place_of,
    resolve,
)
from ordbook.book.engine import ENGINE, Running
from ordbook.book.parameters import CHAPTERS, kind
from ordbook.book.sphinx_extension import prepare_environment
from ordbook.data.catalog import catalog
from ordbook.data.loading import Task
from ordbook.meta.chunks import processors

__all__ = ["RerunError", "chapter_parameters", "choose_parameters", "execute", "rerun"]

# What a folder of ours holds: by this file an earlier edition is known, and may be replaced.
MARK = "edition.yml"
# The order in which they are begun: the longest first.
LONGEST = ("acl21", "lq21", "topics", "dnkt", "sigir18", "dialeval1", "measures")
Progress = Callable[[str], None]


class RerunError(RuntimeError):
    """A chapter failed while it ran, or its page could not be built."""


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
    an earlier edition in it is replaced, a folder with anything else in it is refused.

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
    alone = len(names) == 1 and isinstance(chapters, str)
    title = title or (f"{names[0]} on {task.name}" if alone else task.name)
    prepare_environment()
    out.parent.mkdir(parents=True, exist_ok=True)
    with (
        # Papermill takes braces in a path for parameters, so it works in the system's folder.
        tempfile.TemporaryDirectory(prefix="ordbook-") as workshop,
        tempfile.TemporaryDirectory(prefix=".ordbook-", dir=out.parent) as beside,
    ):
        made, book = Path(beside) / "edition", Path(workshop)
        made.mkdir()
        if alone:
            progress(f"{names[0]}: running the chapter on {data}")
            output = book / f"{names[0]}.ipynb"
            execute(names[0], chosen[names[0]], output, progress_bar=sys.stderr.isatty())
            progress(f"{names[0]}: building the page")
        else:
            first = first_page.notebook(edition.plain_title(title), advised=kind(task) != "nuggets")
            nbformat.write(first, book / "template.ipynb")
            given = first_page.parameters(_data_of(chosen, task), chosen.values(), names)
            work = {edition.FIRST: (book / "template.ipynb", given)}
            work |= {name: (notebook_of(name), chosen[name]) for name in names}
            _execute_side_by_side(work, book, jobs or processors(), progress)
            progress("building the pages")
        _build(names, [] if alone else [edition.FIRST], book, made, title, loaded)
        about = {"title": title, "chapters": chosen}
        if alone:
            about = {"chapter": names[0], "parameters": chosen[names[0]]}
        text = yaml.safe_dump(about, sort_keys=False)
        (made / MARK).write_text(text, encoding="utf-8")
        _replace(made, out, Path(beside) / "before")
    return out / "html" / "index.html"


def _data_of(chosen: Mapping[str, Mapping[str, str | int]], task: Task) -> str:
    """Return the place of the task, as the chapters got it."""
    return str(next(iter(chosen.values()))[kind(task)])


def _require_ours(out: Path, chosen: Mapping[str, Mapping[str, str | int]]) -> None:
    """Refuse a folder whose replacement would lose anything that is not an edition of ours."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: this is a file; name a folder")
    ours = {MARK, "html"} | {f"{name}.ipynb" for name in (*CHAPTERS, edition.FIRST)}
    found = {path.name for path in out.iterdir()} if out.is_dir() else set()
    if found and (MARK not in found or found - ours):
        stray = f" ({min(found - ours)})" if found - ours else ""
        raise ValueError(
            f"{out}: the folder holds what is not an edition of ours{stray}; name another"
        )
    for chapter, parameters in chosen.items():
        for part in CHAPTERS[chapter]:
            data = Path(str(parameters[part]).rpartition("#")[0] or str(parameters[part]))
            if data.is_absolute() and (out == data or data in out.parents or out in data.parents):
                raise ValueError(
                    f"{out}: this lies within the data, or the data in it; name another"
                )


def _replace(edition: Path, out: Path, before: Path) -> None:
    """Put the new edition in the place of the earlier one, which comes back if that fails."""
    if out.exists():
        out.rename(before)
    try:
        edition.rename(out)
    except OSError:
        if before.exists():
            before.rename(out)
        raise


def execute(
    chapter: str,
    parameters: Mapping[str, str | int],
    output: Path,
    *,
    notebook: Path | None = None,
    running: Running | None = None,
    watch: Callable[[int, int], object] | None = None,
    progress_bar: bool = False,
) -> None:
    """Execute a chapter with checked parameters and write it to ``output``, whole or not at all.

    Safe in several threads at once: each call drives a kernel of its own, in the folder of
    ``output``. Call :func:`ordbook.book.sphinx_extension.prepare_environment` once before.

    Parameters
    ----------
    chapter
        Name of a chapter.
    parameters
        As :func:`choose_parameters` returns them.
    output
        The executed notebook.
    notebook
        Another notebook to be executed in the place of the chapter's.
    running
        Takes in the kernel, so that another thread can stop it.
    watch
        Called with (cells done, cells) before every cell.
    progress_bar
        Whether to draw one on stderr.

    Raises
    ------
    RerunError
        If a cell failed; the message names chapter and cell.
    """
    output = output.resolve()
    beside = output.with_name(f".{output.name}.part")
    try:
        done = papermill.execute_notebook(
            notebook or notebook_of(chapter),
            None,
            parameters=dict(parameters),
            engine_name=ENGINE,
            kernel_name="python3",
            progress_bar=progress_bar,
            # Not papermill's `cwd`, which changes the folder of the whole process, threads and all.
            resources={"metadata": {"path": str(output.parent)}},
            shutdown_kernel="immediate",  # a graceful shutdown stalls at random
            running=running,
            watch=watch,
        )
        # Where it lies on this machine is nobody else's business.
        done.metadata.papermill.update(input_path=f"{chapter}.ipynb", output_path=output.name)
        nbformat.write(done, beside)
        beside.replace(output)
    except PapermillExecutionError as error:
        raise RerunError(
            f"{chapter}: cell [{error.exec_count}] failed: {error.ename}: {error.evalue}"
        ) from None
    except RuntimeError as error:
        raise RerunError(f"{chapter}: the kernel could not run the chapter: {error}") from None
    finally:
        beside.unlink(missing_ok=True)


def _execute_side_by_side(
    work: Mapping[str, tuple[Path, Mapping[str, str | int]]],
    folder: Path,
    jobs: int,
    progress: Progress,
) -> None:
    """Execute notebooks in worker threads, each driving a kernel; the first to fail stops all."""
    running = Running()

    def run(name: str) -> None:
        begun, quarter = time.monotonic(), 0

        def watch(done: int, cells: int) -> None:
            nonlocal quarter
            if 4 * done // cells > quarter:
                quarter = 4 * done // cells
                seconds = time.monotonic() - begun
                progress(f"{name}: cell {done} of {cells} after {seconds:.0f} s")

        progress(f"{name}: started")
        notebook, parameters = work[name]
        output = folder / f"{name}.ipynb"
        execute(name, parameters, output, notebook=notebook, running=running, watch=watch)
        progress(f"{name}: finished in {time.monotonic() - begun:.0f} s")

    order = {name: place for place, name in enumerate(LONGEST)}
    names = sorted(work, key=lambda name: order.get(name, len(order)))
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(run, name) for name in names]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            running.stop()
            raise


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
        edition.adapt(path, pages, shown, whole=not front)
    site = book / "site"
    parts = {"Chapters": list(names)} if front else {}
    if not front and len(names) > 1:
        parts = {"Chapters": list(names[1:])}
    try:
        html = edition.build([book / f"{name}.ipynb" for name in pages], title, site, parts)
    except edition.BuildError as error:
        raise RerunError(str(error)) from None
    shutil.copytree(html, made / "html")
