"""Pages of executed chapters: the report as one file, or a book with links to its own content."""

import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import nbformat
import yaml
from markdown_it import MarkdownIt
from nbformat import NotebookNode

from ordbook.files import share, write_whole
from ordbook.show.escape import escape_markdown
from ordbook.show.labels import Target, read_labels
from ordbook.show.parameters import REPORT, RerunError

# Jupyter Book cannot be started with ``python -m``.
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
_ROLE = re.compile(r"\{(ref|numref|doc)\}`(?:([^`<]*?)\s*<([^`>]+)>|([^`<]+))`")
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
# The name of a heading in MyST, which is no text.
_NAME = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
_MARKUP = str.maketrans('<>"', "‹›”")
# Pages that are part of every edition.
ALWAYS = ("references",)


def adapt(
    path: Path,
    held: Collection[str],
    data: Mapping[str, str],
    *,
    title: str = "",
) -> None:
    """Rewrite an executed chapter for a book that holds only some chapters.

    Captions of cells that drew nothing go, links to chapters
    that are not there become their titles, and the page names data where the notebook says where
    they lie on this machine.

    Parameters
    ----------
    path
        The notebook, rewritten in place.
    held
        The chapters of the edition.
    data
        Text in cells of code -> text to stand there instead.
    title
        Of the edition, to stand below the heading of a chapter that is a whole edition.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _without_dead_links(cell.source, held)
        elif "injected-parameters" in cell.metadata.get("tags", ()):
            if path.stem == REPORT:
                hide(cell)
            for place, name in data.items():
                cell.source = cell.source.replace(repr(place)[1:-1], name)
                cell.source = cell.source.replace(place, name)
        elif "parameters" in cell.metadata.get("tags", ()):
            hide(cell)
        drawn = any("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))
        if not drawn:
            cell.metadata.get("mystnb", {}).pop("figure", None)
    if title:
        texts = (cell for cell in notebook.cells if cell.cell_type == "markdown")
        first = next(cell for cell in texts if _HEADING.search(cell.source))
        line = f"\n\n**Edition: {escape_markdown(title)}**\n"
        first.source = _HEADING.sub(lambda heading: heading[0] + line, first.source, count=1)
    notebook.metadata.get("papermill", {}).pop("parameters", None)
    nbformat.write(notebook, path)


def hide(cell: nbformat.NotebookNode) -> None:
    """Keep a cell off the page, both its code and its output."""
    tags = cell.metadata.get("tags", [])
    cell.metadata["tags"] = [*tags, *({"remove-cell"} - set(tags))]


def _without_dead_links(text: str, held: Collection[str]) -> str:
    """Put the words of a link in the place of a link to a page that is not there."""

    def replacement(match: re.Match[str]) -> str:
        role, words, inside, alone = match.groups()
        label, labels = inside or alone, read_labels()
        target = labels.targets.get(label)
        if role == "doc":
            target = Target(label, labels.titles[label]) if label in labels.titles else None
        if target is None or target.kind != "section" or target.page in (*held, *ALWAYS):
            return match[0]
        return f"*{words or target.text}*"

    return _ROLE.sub(replacement, text)


def plain_title(text: str) -> str:
    r"""Return a title on one line, and one for an edition without any.

    The theme writes titles into its pages as they are: what would be markup there is replaced.

    Examples
    --------
    >>> plain_title("R & D\n<b>2026</b>"), plain_title(" ")
    ('R & D ‹b›2026‹/b›', 'edition')
    """
    return " ".join(text.split()).translate(_MARKUP) or "edition"


def build(
    notebooks: Sequence[Path],
    title: str,
    book: Path,
    author: str = "",
) -> Path:
    """Build a book of notebooks that were executed, with the configuration of the whole one.

    Parameters
    ----------
    notebooks
        The first is the page that the book opens with.
    title, author
        Of the book, which is not this project's, as :func:`plain_title` returns them.
    book
        A new folder to work in.

    Returns
    -------
    Path
        The folder of pages, within ``book``.

    Raises
    ------
    RerunError
        With the end of the log.
    """
    config = yaml.safe_load(share("_config.yml").read_text(encoding="utf-8"))
    config["title"] = title
    config["author"] = author
    config["copyright"] = ""
    config["execute"]["execute_notebooks"] = "off"
    del config["sphinx"]["config"]["redirects"]  # an edition has no old addresses
    pages = book / "book"
    shutil.copytree(share("book", "_static"), pages / "_static")
    for name in ("references.bib", "references.md"):
        shutil.copy(share("book", name), pages / name)
    for path in notebooks:
        shutil.copy(path, pages)
    captions = {"Chapters": [path.stem for path in notebooks[1:]], "Reference": ["references"]}
    toc = {
        "format": "jb-book",
        "root": f"book/{notebooks[0].stem}",
        "parts": [
            {"caption": caption, "chapters": [{"file": f"book/{name}"} for name in names]}
            for caption, names in captions.items()
            if names
        ],
    }
    for name, content in (("_config.yml", config), ("_toc.yml", toc)):
        write_whole(book / name, yaml.safe_dump(content, sort_keys=False))
    run([sys.executable, "-c", JUPYTER_BOOK, "build", str(book), "--quiet"], book)
    return book / "_build" / "html"


def run(command: Sequence[str], folder: Path) -> None:
    """Run the command that builds the pages."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0 or not (folder / "_build" / "html" / "index.html").is_file():
        tail = "\n".join(done.stdout.strip().splitlines()[-15:])
        raise RerunError(f"the page could not be built; the end of the log:\n{tail}")


def write_report(folder: Path, title: str) -> None:
    """Write the executed report of a folder as one page beside it.

    The page holds no code and nothing that is hidden in the book; figures have their captions and
    alternative texts.
    """
    notebook = nbformat.read(folder / f"{REPORT}.ipynb", as_version=4)
    body = "\n".join(part for cell in notebook.cells for part in _parts(cell))
    style = files("ordbook.report").joinpath("report.css").read_text(encoding="utf-8")
    page = _PAGE.format(title=html.escape(title), style=style, body=body)
    write_whole(folder / f"{REPORT}.html", page)


def _parts(cell: NotebookNode) -> Iterator[str]:
    """Yield the output of a cell as HTML."""
    if {"hide-cell", "remove-cell", "parameters"} & set(cell.metadata.get("tags", ())):
        return
    if cell.cell_type == "markdown":
        yield _MARKDOWN.render(_NAME.sub("", cell.source))
        return
    described = cell.metadata.get("mystnb", {})
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if picture := data.get("image/png"):
            alt = html.escape(described.get("image", {}).get("alt", ""), quote=True)
            caption = html.escape(described.get("figure", {}).get("caption", ""))
            yield (
                f'<figure><img alt="{alt}" src="data:image/png;base64,{picture.strip()}">'
                f"<figcaption>{caption}</figcaption></figure>"
            )
        elif "text/html" in data:
            yield data["text/html"]
        elif "text/markdown" in data:
            yield _MARKDOWN.render(data["text/markdown"])
