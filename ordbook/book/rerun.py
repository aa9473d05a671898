"""Rerun a chapter on another task, and render it as a page.

Contents
--------
rerun               execute one chapter on data of your own and build its page
chapter_parameters  the parameters of a chapter, with types, defaults and help
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import papermill
import yaml
from papermill.exceptions import PapermillExecutionError

from ordbook.book.parameters import CHAPTERS, kind, split_classes
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.paths import share

# What a folder of ours holds: by this file an earlier edition is known, and may be replaced.
MARK = "edition.yml"
# Jupyter Book cannot be started with ``python -m``.
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
Progress = Callable[[str], None]


class RerunError(RuntimeError):
    """A chapter failed while it ran, or its page could not be built."""


def rerun(
    chapter: str,
    data: str | Path,
    out: str | Path,
    *,
    classes: str = "",
    parameters: Mapping[str, str] | None = None,
    progress: Progress = lambda line: None,
) -> Path:
    """Execute a chapter on another task and render it as a page.

    Everything is checked before anything runs. The folder ``out`` appears whole or not at all;
    an earlier edition in it is replaced, any other folder with something in it is refused.

    Parameters
    ----------
    chapter
        Name of a chapter, such as ``"acl21"``.
    data
        A catalogue name or a path, as for :func:`ordbook.load`.
    out
        Folder for the executed notebook (``<chapter>.ipynb``) and the page
        (``html/index.html``).
    classes
        Labels from lowest to highest, separated by commas, where they are not -2 to 2.
    parameters
        Further parameters of the chapter.
    progress
        Called with one line at every step.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    ValueError
        If a name, a value, the data or the folder is not possible. Nothing has run then.
    RerunError
        If a cell failed or the page could not be built; ``out`` is as it was before.
    """
    out = Path(out).expanduser().resolve()
    chosen = _choose_parameters(chapter, str(data), classes, parameters or {})
    _require_ours(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as folder:
        edition = Path(folder) / "edition"
        edition.mkdir()
        progress(f"{chapter}: running the chapter on {data}")
        _execute(chapter, chosen, edition / f"{chapter}.ipynb")
        progress(f"{chapter}: building the page")
        _build_page(chapter, chosen, edition, Path(folder) / "book")
        (edition / MARK).write_text(
            yaml.safe_dump({"chapter": chapter, "parameters": chosen}, sort_keys=False),
            encoding="utf-8",
        )
        _replace(edition, out, Path(folder) / "before")
    return out / "html" / "index.html"


def chapter_parameters(chapter: str) -> dict[str, dict[str, Any]]:
    """Return name -> type, default and help of each parameter of a chapter.

    Raises
    ------
    ValueError
        If there is no such chapter.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"no chapter {chapter!r}; there are {', '.join(CHAPTERS)}")
    found: dict[str, dict[str, Any]] = papermill.inspect_notebook(_notebook(chapter))
    return found


def _choose_parameters(
    chapter: str, data: str, classes: str, parameters: Mapping[str, str]
) -> dict[str, str]:
    known = chapter_parameters(chapter)
    for name in parameters:
        if name not in known:
            raise ValueError(f"{chapter} has no parameter {name!r}; it has {', '.join(known)}")
    catalogued = data in catalog()
    task = load(data, classes=split_classes(classes))
    if not task.runs:
        raise ValueError(f"{data}: there are no runs, so there is nothing to compare")
    part = kind(task)
    if part not in known:
        raise ValueError(f"{chapter} is not about {part} tasks, and {data} is one")
    parts = dict.fromkeys(CHAPTERS[chapter], "")
    # The notebook runs in a folder of its own: a relative path would lead elsewhere there.
    place = data if catalogued else str(Path(data).expanduser().resolve())
    return {**parts, "classes": classes, **parameters, part: place}


def _require_ours(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise ValueError(f"{out}: the folder is not empty and not an edition of ours; name another")
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: this is a file; name a folder")


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


def _notebook(chapter: str) -> Path:
    return share("book", f"{chapter}.ipynb")


def _execute(chapter: str, parameters: Mapping[str, str], output: Path) -> None:
    try:
        papermill.execute_notebook(
            _notebook(chapter),
            output,
            parameters=dict(parameters),
            kernel_name="python3",
            progress_bar=sys.stderr.isatty(),
            cwd=output.parent,
            shutdown_kernel="immediate",  # a graceful shutdown stalls at random
        )
    except PapermillExecutionError as error:
        raise RerunError(
            f"{chapter}: cell [{error.exec_count}] failed: {error.ename}: {error.evalue}"
        ) from None


def _build_page(chapter: str, parameters: Mapping[str, str], edition: Path, book: Path) -> None:
    """Build a book of one chapter, already executed, with the configuration of the whole one."""
    config = yaml.safe_load(share("_config.yml").read_text(encoding="utf-8"))
    task = Path(next(parameters[part] for part in CHAPTERS[chapter] if parameters[part])).name
    config["title"] = f"{chapter} on {task}"
    config["execute"]["execute_notebooks"] = "off"
    pages = book / "book"
    shutil.copytree(share("book", "_static"), pages / "_static")
    for name in ("references.bib", "references.md"):
        shutil.copy(share("book", name), pages / name)
    shutil.copy(edition / f"{chapter}.ipynb", pages)
    toc = {
        "format": "jb-book",
        "root": f"book/{chapter}",
        "chapters": [{"file": "book/references"}],
    }
    for name, content in (("_config.yml", config), ("_toc.yml", toc)):
        (book / name).write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    _run([sys.executable, "-c", JUPYTER_BOOK, "build", str(book), "--quiet"], book)
    shutil.copytree(book / "_build" / "html", edition / "html")


def _run(command: Sequence[str], folder: Path) -> None:
    finished = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if finished.returncode != 0 or not (folder / "_build" / "html" / "index.html").is_file():
        tail = "\n".join(finished.stdout.strip().splitlines()[-15:])
        raise RerunError(f"the page could not be built; the end of the log:\n{tail}")
