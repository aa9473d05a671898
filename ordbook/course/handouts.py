"""The handouts of a course: worksheets without their solutions, and decks of slides.

Both are notebooks, written by hand: those of ``book/course``, or a teacher's own. A notebook is a
deck if its cells have ``slideshow`` metadata, as Jupyter's editors write them.
"""

import re
import shutil
import zipfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import nbformat
from jinja2 import PackageLoader
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.exporters import SlidesExporter
from nbconvert.preprocessors import ClearOutputPreprocessor, TagRemovePreprocessor
from nbformat import NotebookNode

from ordbook.files import require_new, share, whole_folder
from ordbook.pages.sphinx_extension import (
    MATHJAX_FILES,
    MATHJAX_PACKAGE,
    copy_files,
    pages_address,
    repository_address,
)
from ordbook.reports.executing import prepare_environment
from ordbook.show.parameters import RerunError

# What a deck loads of reveal.js, which the package sphinx-revealjs carries: 2 MB, mostly fonts.
REVEAL_FILES = (
    "LICENSE",
    "dist/reset.css",
    "dist/reveal.css",
    "dist/reveal.js",
    "dist/theme/white.css",
    "dist/theme/fonts/source-sans-pro",
    "plugin/notes/notes.js",
    "plugin/notes/speaker-view.html",
)
_BOOK_LINK = re.compile(r"\[([^\]]+)\]\(\.\./([\w/]+)\.(?:md|ipynb)\)")


def write_course(
    notebooks: Sequence[str | Path],
    out: str | Path,
    *,
    wheel: str | Path | None = None,
    overwrite: bool = False,
    progress: Callable[[str], None] = lambda line: None,
) -> list[str]:
    """Write students' worksheets and decks of slides, all of them or nothing.

    Parameters
    ----------
    notebooks
        Paths of worksheets and decks; none for the three of each that the book has.
    out, overwrite
        A new or an empty folder, or any with ``overwrite``. ``students`` gets the worksheets
        without solutions, ``slides`` the decks as pages, and ``teacher`` the notebooks as they are.
    wheel
        A wheel of this version of ordbook, which goes beside the worksheets; by default the one in
        ``dist/`` of a clone, if there is one.
    progress
        Called with a line on what happens.

    Returns
    -------
    list of str
        The files for teacher and students, relative to the folder.
    """
    out = require_new(out, overwrite)
    paths = [Path(path).expanduser() for path in notebooks] or course_notebooks()
    for path in paths:
        if path.suffix != ".ipynb" or not path.is_file():
            raise ValueError(f"{path}: there is no such notebook; name .ipynb files, or none")
    install = _find_wheel(wheel)
    files = []
    with whole_folder(out, overwrite) as folder:
        for kind in ("students", "slides", "teacher"):
            (folder / kind).mkdir()
        for path in paths:
            notebook = nbformat.read(path, as_version=4)
            shutil.copyfile(path, folder / "teacher" / path.name)
            files.append(f"teacher/{path.name}")
            if is_deck(notebook):
                progress(f"running {path.name}")
                files.append(f"slides/{path.stem}.html")
                (folder / files[-1]).write_text(deck(path), encoding="utf-8")
            else:
                files.append(f"students/{path.name}")
                nbformat.write(student_worksheet(notebook), folder / files[-1])
        copy_files("sphinx_revealjs", "_static/revealjs", REVEAL_FILES, folder / "slides/reveal")
        copy_files(MATHJAX_PACKAGE, "static/mathjax", MATHJAX_FILES, folder / "slides/mathjax")
        if install:
            files.append(f"students/{install.name}")
            shutil.copyfile(install, folder / files[-1])
        else:
            progress("no wheel for the students yet: `make wheel` builds it, --wheel names it")
    return sorted(files)


def course_notebooks() -> list[Path]:
    """Return the worksheets and decks of the book."""
    return sorted(share("book", "course").glob("*.ipynb"))


def is_deck(notebook: NotebookNode) -> bool:
    """Say whether a notebook is a deck of slides; else it is a worksheet."""
    return any("slideshow" in cell.metadata for cell in notebook.cells)


def student_worksheet(notebook: NotebookNode) -> NotebookNode:
    """Return a worksheet without the cells tagged ``solution`` and without outputs.

    Links to pages of the book lead to the public pages, if there are any; else their text stays.
    """
    remove = TagRemovePreprocessor(remove_cell_tags=["solution"], enabled=True)
    sheet: NotebookNode = remove.preprocess(notebook, {})[0]
    sheet, _ = ClearOutputPreprocessor(enabled=True).preprocess(sheet, {})
    address = repository_address()
    pages = pages_address(address)
    for cell in sheet.cells:
        link = rf"[\1]({pages}book/\2.html)" if pages else r"\1"
        cell.source = _BOOK_LINK.sub(link, cell.source)
    nbformat.validate(sheet)
    return sheet


def deck(path: Path) -> str:
    """Execute a deck and return it as a page, which needs reveal.js and MathJax beside it.

    Code is shown where a cell is tagged ``show-input``, and outputs always.
    """
    prepare_environment()
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    try:
        NotebookClient(notebook, kernel_name="python3", resources=where).execute()
    except CellExecutionError as error:
        raise RerunError(f"{path}: {error}") from None
    for cell in notebook.cells:
        if cell.cell_type == "code" and "show-input" not in cell.metadata.get("tags", ()):
            cell.metadata["transient"] = {"remove_source": True}
    exporter = SlidesExporter(
        extra_loaders=[PackageLoader("ordbook.course", "")],
        reveal_url_prefix="reveal",
        reveal_theme="white",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    exporter.template_file = "deck.html.j2"
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": path.stem}})
    return str(page)


def _find_wheel(path: str | Path | None) -> Path | None:
    """Return the wheel for students: the named one, or one that was built in a clone."""
    name = f"ordbook-{version('ordbook')}-py3-none-any.whl"
    if path is None:
        try:
            return share("dist", name)
        except FileNotFoundError:
            return None
    path = Path(path).expanduser()
    if not path.is_file() or path.name != name or not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path}: this is not {name}, which worksheets name; `make wheel` builds it"
        )
    return path
