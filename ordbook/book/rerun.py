"""Rerun a chapter on another task, and render it as a page.

Contents
--------
rerun               execute one chapter on data of your own and build its page
chapter_parameters  the parameters of a chapter, with types, defaults and help
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
import papermill
import yaml
from papermill.exceptions import PapermillExecutionError

from ordbook.book.parameters import (
    CHAPTERS,
    NUMBERS,
    check_number,
    kind,
    load_part,
    split_classes,
)
from ordbook.book.sphinx_extension import prepare_environment
from ordbook.data.catalog import catalog
from ordbook.data.loading import SeveralTasks
from ordbook.data.paths import share
from ordbook.measures import import_measures

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
    an earlier edition in it is replaced, a folder with anything else in it is refused.

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
    out = _resolve(out, "out")
    chosen = _choose_parameters(chapter, str(data), classes, parameters or {})
    _require_ours(out, chapter, chosen)
    prepare_environment()
    out.parent.mkdir(parents=True, exist_ok=True)
    with (
        # Papermill takes braces in a path for parameters, so it works in the system's folder.
        tempfile.TemporaryDirectory(prefix="ordbook-") as workshop,
        tempfile.TemporaryDirectory(prefix=".ordbook-", dir=out.parent) as beside,
    ):
        edition, book = Path(beside) / "edition", Path(workshop)
        edition.mkdir()
        progress(f"{chapter}: running the chapter on {data}")
        _execute(chapter, chosen, book / f"{chapter}.ipynb")
        _make_edition(book / f"{chapter}.ipynb", chapter)
        shutil.copy(book / f"{chapter}.ipynb", edition)
        progress(f"{chapter}: building the page")
        _build_page(chapter, chosen, edition, book / "site")
        (edition / MARK).write_text(
            yaml.safe_dump({"chapter": chapter, "parameters": chosen}, sort_keys=False),
            encoding="utf-8",
        )
        _replace(edition, out, Path(beside) / "before")
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
) -> dict[str, str | int]:
    """Merge and check what was asked for; every data set is loaded once before anything runs."""
    known = chapter_parameters(chapter)
    for name in parameters:
        if name not in known:
            raise ValueError(f"{chapter} has no parameter {name!r}; it has {', '.join(known)}")
    if classes and parameters.get("classes"):
        raise ValueError("the classes are given twice; give them once")
    labels = split_classes(classes or parameters.get("classes", ""))
    part = _kind_of(data, labels)
    if part not in CHAPTERS[chapter]:
        raise ValueError(f"{chapter} is not about {part} tasks, and {data} is one")
    if parameters.get(part):
        raise ValueError(f"{part} data are given twice, as {data} and as {parameters[part]}")
    chosen = dict.fromkeys(CHAPTERS[chapter], "") | {"classes": ",".join(labels or [])}
    chosen |= {**parameters, part: data}
    for name in CHAPTERS[chapter]:
        place = chosen[name]
        if place and name != part and (found := _kind_of(place, labels, name)) != name:
            raise ValueError(f"{name}={place!r}: this is a {found} task")
        if place and place not in catalog():
            # The notebook runs in a folder of its own: a relative path would lead elsewhere there.
            chosen[name] = str(_resolve(place, name))
    if chosen.get("own"):
        chosen["own"] = _own(chosen)
    return {name: check_number(name, v) if name in NUMBERS else v for name, v in chosen.items()}


def _own(chosen: Mapping[str, str]) -> str:
    """Check measures of the reader's before anything runs; make the paths of files absolute."""
    places = []
    for place in chosen["own"].split(","):
        source, colon, name = place.strip().rpartition(":")
        places.append(
            f"{_resolve(source, 'own') if source.endswith('.py') else source}{colon}{name}"
        )
    for measure in import_measures(",".join(places)):
        if not chosen.get(measure.kind):
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    return ",".join(places)


def _kind_of(data: str, labels: Sequence[str] | None, part: str = "") -> str:
    """Load a task and say which kind it is; refuse one whose runs cannot be ranked."""
    if not data:
        raise ValueError("data: the name is empty; name a folder or a catalogued data set")
    try:
        known = data in catalog()
        task = load_part(part, data if known else _resolve(data, "data"), labels)
    except SeveralTasks as error:
        raise ValueError(
            f"{data}: NTCIR files hold several tasks, and rerun cannot choose one yet; write the "
            "distributions of one of them in the format of SemEval's subtask E"
        ) from error
    if len(task.runs) < 2:
        raise ValueError(f"{data}: there are {len(task.runs) or 'no'} runs; a ranking needs two")
    return kind(task)


def _resolve(path: str | Path, what: str) -> Path:
    try:
        return Path(path).expanduser().resolve()
    except (RuntimeError, OSError) as error:
        raise ValueError(f"{what}: {path}: {error}") from None


def _require_ours(out: Path, chapter: str, chosen: Mapping[str, str | int]) -> None:
    """Refuse a folder whose replacement would lose anything that is not an edition of ours."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: this is a file; name a folder")
    ours = {MARK, "html"} | {f"{name}.ipynb" for name in CHAPTERS}
    found = {path.name for path in out.iterdir()} if out.is_dir() else set()
    if found and (MARK not in found or found - ours):
        stray = f" ({min(found - ours)})" if found - ours else ""
        raise ValueError(
            f"{out}: the folder holds what is not an edition of ours{stray}; name another"
        )
    for part in CHAPTERS[chapter]:
        data = Path(str(chosen[part]))
        if data.is_absolute() and (out == data or data in out.parents or out in data.parents):
            raise ValueError(f"{out}: this lies within the data, or the data in it; name another")


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


def _execute(chapter: str, parameters: Mapping[str, str | int], output: Path) -> None:
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
    except RuntimeError as error:
        raise RerunError(f"{chapter}: the kernel could not run the chapter: {error}") from None


def _make_edition(path: Path, chapter: str) -> None:
    """Take captions from cells that drew nothing, and links to chapters that are not here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for other in CHAPTERS.keys() - {chapter}:
                cell.source = cell.source.replace(f"{{ref}}`{other}`", f"*{_title(other)}*")
        drawn = any("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))
        if not drawn:
            cell.metadata.get("mystnb", {}).pop("figure", None)
    nbformat.write(notebook, path)


def _title(chapter: str) -> str:
    """Return the first heading of a chapter."""
    notebook = nbformat.read(_notebook(chapter), as_version=4)
    lines = "\n".join(cell.source for cell in notebook.cells).splitlines()
    return next(line.removeprefix("# ") for line in lines if line.startswith("# "))


def _build_page(
    chapter: str, parameters: Mapping[str, str | int], edition: Path, book: Path
) -> None:
    """Build a book of one chapter, already executed, with the configuration of the whole one."""
    config = yaml.safe_load(share("_config.yml").read_text(encoding="utf-8"))
    data = next(parameters[part] for part in CHAPTERS[chapter] if parameters[part])
    task = Path(str(data)).name
    # The theme puts the title into attributes unescaped.
    config["title"] = re.sub(r"[\"'<>&]", " ", f"{chapter} on {task}")
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
