"""Slides from the chapters' own cells, as a folder of pages that need no network.

A cell is on a slide if its metadata says so, as Jupyter's own editor writes it:
``slideshow.slide_type`` is ``slide`` where a slide begins, ``subslide`` for one below it, ``-`` for
a cell on the same slide, ``fragment`` for one that appears later, ``notes`` for the speaker. A cell
that says nothing is left out, so that chapters can hold more than their slides.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import Environment, PackageLoader
from nbconvert.exporters import SlidesExporter
from nbformat import NotebookNode

from ordbook.course.coursework import Chapter, Progress, choose_chapters, read_chapters
from ordbook.course.plain import Plain
from ordbook.pages.sphinx_extension import MATHJAX_FILES, MATHJAX_PACKAGE, copy_files
from ordbook.report.output import require_new, whole_folder

TEMPLATES = PackageLoader("ordbook.course", "")
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
_PLACE = re.compile(r"\[([^\]\n]+)\]\(#[^)\n]*\)")
_CHAPTER = re.compile(r"\]\((\w+)\.ipynb\)")
_TYPES = {"slide", "subslide", "-", "fragment", "notes", "skip"}


def write_slides(
    chapters: Sequence[str],
    out: str | Path,
    *,
    overwrite: bool = False,
    code: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda line: None,
) -> list[str]:
    """Execute chapters and write a deck of slides of each, whole or not at all.

    Parameters
    ----------
    chapters
        Names of chapters; none means all.
    out
        A new or an empty folder.
    overwrite
        Whether a folder that is not empty is replaced.
    code
        Show the code of cells beside what they show.
    jobs, progress
        As for :func:`ordbook.course.coursework.read_chapters`.

    Returns
    -------
    list of str
        The pages, relative to the folder; the first lists the decks.

    Raises
    ------
    ValueError
        If there is no such chapter, one has no slides, or the folder is not empty.
    RerunError
        If a cell of a chapter fails.
    """
    names = choose_chapters(chapters)
    out = require_new(out, overwrite)
    made = read_chapters(names, jobs=jobs, progress=progress)
    pages = {f"{chapter.name}.html": deck(chapter, code=code) for chapter in made}
    listing = Environment(loader=TEMPLATES, autoescape=True).get_template("decks.html.j2")
    decks = [(chapter.name, chapter.title) for chapter in made]
    pages = {"index.html": listing.render(decks=decks), **pages}
    with whole_folder(out, overwrite) as folder:
        copy_files("sphinx_revealjs", "_static/revealjs", REVEAL_FILES, folder / "reveal")
        copy_files(MATHJAX_PACKAGE, "static/mathjax", MATHJAX_FILES, folder / "mathjax")
        for name, text in pages.items():
            (folder / name).write_bytes(text.encode("utf-8"))
    return list(pages)


def deck(chapter: Chapter, *, code: bool = False) -> str:
    """Return the page with the slides of a chapter.

    Raises
    ------
    ValueError
        If no cell of the chapter is on a slide, or one has a type that is not known.
    """
    notebook = _on_slides(chapter, code)
    exporter = SlidesExporter(
        extra_loaders=[TEMPLATES],
        reveal_url_prefix="reveal",
        reveal_theme="white",
        exclude_input=not code,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    exporter.template_file = "slides.html.j2"
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": chapter.title}})
    return str(page)


def _on_slides(chapter: Chapter, code: bool) -> NotebookNode:
    """Return the cells that are on slides, in the form the exporter shows well."""
    cells = []
    for cell in chapter.notebook.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if kind is None or kind == "skip":
            continue
        if kind not in _TYPES:
            raise ValueError(
                f"{chapter.name}.ipynb: cell {cell.id}: slide_type {kind!r} is not known; write "
                f"one of {', '.join(sorted(_TYPES))}"
            )
        if cell.cell_type == "markdown":
            # Other sections may not be on slides; other chapters have a deck beside this one.
            cell.source = _PLACE.sub(r"\1", cell.source)
            cell.source = _CHAPTER.sub(r"](\1.html)", cell.source)
        if cell.cell_type == "code":
            cell.outputs = [
                shown
                for output in cell.outputs
                if (shown := _shown(output, cell.metadata, chapter.plain)) is not None
            ]
            if not cell.outputs and not code:
                continue
        cell.metadata = {"slideshow": {"slide_type": kind}, "mystnb": cell.metadata.get("mystnb")}
        cells.append(cell)
        figure = (cell.metadata.pop("mystnb", None) or {}).get("figure", {})
        if figure.get("caption") and kind != "notes":
            caption = nbformat.v4.new_markdown_cell(
                f'<div class="caption">\n\n{chapter.plain.text(str(figure["caption"]))}\n\n</div>',
                id=f"{cell.id[:56]}-caption",
                metadata={"slideshow": {"slide_type": "-"}},
            )
            cells.append(caption)
    if not cells:
        raise ValueError(
            f"{chapter.name}.ipynb has no slides: give cells a slide_type in their metadata"
        )
    if cells[0].metadata["slideshow"]["slide_type"] not in ("slide", "subslide"):
        raise ValueError(f"{chapter.name}.ipynb: cell {cells[0].id}: the first must begin a slide")
    if chapter.plain.cited:
        listed = chapter.plain.bibliography.listed(chapter.plain.cited)
        begins = {"slideshow": {"slide_type": "slide"}}
        cells.append(
            nbformat.v4.new_markdown_cell(
                f"## References\n\n{listed}", id="works-cited", metadata=begins
            )
        )
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["title"] = chapter.title
    return notebook


def _shown(output: NotebookNode, metadata: dict[str, Any], plain: Plain) -> NotebookNode | None:
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
    alt = (metadata.get("mystnb") or {}).get("image", {}).get("alt")
    if alt and "image/png" in data:
        output.metadata.setdefault("image/png", {})["alt"] = alt
    return output
