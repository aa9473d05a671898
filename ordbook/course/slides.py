"""Slides from the chapters' own cells, as pages that need no network.

A cell is on a slide if its metadata says so, as Jupyter's own editor writes it:
``slideshow.slide_type`` is ``slide`` where a slide begins, ``subslide`` for one below it, ``-`` for
a cell on the same slide, ``fragment`` for one that appears later, ``notes`` for the speaker. A cell
that says nothing is left out, so that chapters can hold more than their slides.
"""

from collections.abc import Sequence
from pathlib import Path

import nbformat
from jinja2 import PackageLoader
from nbconvert.exporters import SlidesExporter
from nbformat import NotebookNode

from ordbook.course.plain import Plain
from ordbook.pages.sphinx_extension import MATHJAX_FILES, MATHJAX_PACKAGE, copy_files

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
FOLDED = {"hide-cell", "hide-input", "remove-input", "remove-cell"}
LINES = 10
TYPES = {"slide", "subslide", "-", "fragment", "notes", "skip"}


def copy_reveal(folder: Path) -> None:
    """Copy what decks load, so that they need no network."""
    copy_files("sphinx_revealjs", "_static/revealjs", REVEAL_FILES, folder / "reveal")
    copy_files(MATHJAX_PACKAGE, "static/mathjax", MATHJAX_FILES, folder / "mathjax")


def deck(title: str, cells: Sequence[NotebookNode], plain: Plain, *, code: bool = False) -> str:
    """Return the page with the slides of a pack.

    Parameters
    ----------
    title
        Of the page.
    cells
        Cells with outputs. Their metadata say on which slide each is, what its figure shows, and
        whether the book folds its code.
    plain
        What made their texts plain; knows the works cited.
    code
        Show the code of all cells; else that of at most ten lines that is open in the book and
        shows no figure and no table.

    Raises
    ------
    ValueError
        If there is no cell, one has a type that is not known, or the first begins no slide.
    """
    kinds = [cell.metadata["slideshow"]["slide_type"] for cell in cells]
    if not cells:
        raise ValueError(f"{title} has no slides: give cells a slide_type in their metadata")
    for cell, kind in zip(cells, kinds, strict=True):
        if kind not in TYPES:
            raise ValueError(
                f"cell {cell.id}: slide_type {kind!r} is not known; write one of "
                f"{', '.join(sorted(TYPES))}"
            )
    if kinds[0] not in ("slide", "subslide"):
        raise ValueError(f"cell {cells[0].id}: the first must begin a slide")
    pages = []
    for cell in cells:
        if cell.cell_type == "code":
            outputs = _clean(cell, plain)
            read = code or _is_read(cell)
            cell.metadata["transient"] = {"remove_source": not read}
            if not outputs and not read:
                continue
        pages.append(cell)
    if plain.cited:
        text = f"## References\n\n{plain.bibliography.listed(plain.cited)}"
        last = nbformat.v4.new_markdown_cell(text, id="works-cited")
        last.metadata["slideshow"] = {"slide_type": "slide"}
        pages.append(last)
    exporter = SlidesExporter(
        extra_loaders=[PackageLoader("ordbook.course", "")],
        reveal_url_prefix="reveal",
        reveal_theme="white",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    exporter.template_file = "slides.html.j2"
    notebook = nbformat.v4.new_notebook(cells=pages, metadata={"title": title})
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title}})
    return str(page)


def _clean(cell: NotebookNode, plain: Plain) -> bool:
    """Leave what a slide shows in the outputs of a cell, and say whether there is anything."""
    outputs = (_shown(output, plain) for output in cell.outputs)
    cell.outputs = [output for output in outputs if output is not None]
    return bool(cell.outputs)


def _is_read(cell: NotebookNode) -> bool:
    """Say whether code is to be read: short, open in the book, and no way to a figure or table."""
    folded = FOLDED & set(cell.metadata.get("tags", ()))
    shows = any(
        {"image/svg+xml", "text/html"} & set(output.get("data", {})) for output in cell.outputs
    )
    return not folded and not shows and len(cell.source.split("\n")) <= LINES


def _shown(output: NotebookNode, plain: Plain) -> NotebookNode | None:
    """Return an output as a slide shows it; nothing of what is only kept for the text."""
    if output.output_type not in ("display_data", "execute_result"):
        return output if output.get("name") == "stdout" else None
    data = output.data
    if any(kind.startswith("application/papermill.record") for kind in data):
        return None
    if "text/html" in data:
        # The same table in MyST, which only the book can show.
        data.pop("text/markdown", None)
    elif "text/markdown" in data:
        data["text/markdown"] = plain.text(str(data["text/markdown"]))
    return output
