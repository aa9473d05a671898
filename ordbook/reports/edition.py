"""An edition: executed chapters, built into pages with links to their own content."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

import nbformat
import yaml

from ordbook.files import share, write_whole
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import RerunError

# Jupyter Book cannot be started with ``python -m``.
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
_ROLE = re.compile(r"\{(?:ref|numref|doc)\}`(?:([^`<]*?)\s*<([^`>]+)>|([^`<]+))`")
_HEADED = re.compile(r"^\(([^)\n]+)\)=\s*\n+(?:\([^)\n]+\)=\s*\n+)*#{1,6} (.+)$", re.MULTILINE)
_HEADING = re.compile(r"^# .+$", re.MULTILINE)
_MARKUP = str.maketrans('<>"', "‹›”")


def adapt(path: Path, held: Collection[str], data: Mapping[str, str], title: str) -> None:
    """Rewrite an executed chapter in place, for a book that holds only some chapters.

    Captions of cells that drew nothing go, links to chapters that are not ``held`` become their
    titles, and the page names ``data`` where the notebook says where they lie on this machine.
    """
    notebook = nbformat.read(path, as_version=4)
    line = f"\n\n**Edition: {escape_markdown(title)}**\n"
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            cell.source = _without_dead_links(cell.source, held)
            if (heading := _HEADING.search(cell.source)) and line:
                cell.source = cell.source.replace(heading[0], heading[0] + line, 1)
                line = ""
        elif "injected-parameters" in tags:
            for place, name in data.items():
                cell.source = cell.source.replace(repr(place)[1:-1], name).replace(place, name)
        elif "parameters" in tags:
            cell.metadata["tags"] = [*tags, "remove-cell"]
        outputs = [output.get("data", {}) for output in cell.get("outputs", ())]
        if not any("image/svg+xml" in data for data in outputs):
            cell.metadata.get("mystnb", {}).pop("figure", None)
    notebook.metadata.get("papermill", {}).pop("parameters", None)
    nbformat.write(notebook, path)


@cache
def headings() -> dict[str, tuple[str, str]]:
    """Return the page and the heading of each label of a section, and of each page, of the book.

    >>> headings()["acl21-data"]
    ('records/acl21', 'Data: Table 1')
    """
    folder = share("book")
    found = {}
    for path in sorted([*folder.rglob("*.ipynb"), *folder.rglob("*.md")]):
        text, page = path.read_text(encoding="utf-8"), path.relative_to(folder).with_suffix("")
        if path.suffix == ".ipynb":
            cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
            text = "\n\n".join("".join(cell["source"]) for cell in cells)
        for label, heading in _HEADED.findall(text):
            found[label] = page.as_posix(), heading
        title = _HEADING.search(text)
        found[page.as_posix()] = (
            page.as_posix(),
            title[0].removeprefix("# ") if title else page.name,
        )
    return found


def _without_dead_links(text: str, held: Collection[str]) -> str:
    """Put the words of a link in the place of a link to a page that is not there."""

    def replacement(match: re.Match[str]) -> str:
        words, inside, alone = match.groups()
        page, heading = headings().get(inside or alone, ("references", ""))
        return match[0] if page in (*held, "references") else f"*{words or heading}*"

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


def build(pages: Sequence[Path], title: str, book: Path, author: str = "") -> Path:
    """Build a book of executed pages in a new folder, with the configuration of the whole one.

    The first page is the one that the book opens with. Return the folder of the built pages.
    """
    config = yaml.safe_load(share("_config.yml").read_text(encoding="utf-8"))
    config |= {"title": title, "author": author, "copyright": ""}
    config["execute"]["execute_notebooks"] = "off"
    del config["sphinx"]["config"]["redirects"]  # an edition has no old addresses
    folder = book / "book"
    shutil.copytree(share("book", "_static"), folder / "_static")
    for path in (share("book", "references.bib"), share("book", "references.md"), *pages):
        shutil.copy(path, folder)
    first, *others = (f"book/{path.stem}" for path in pages)
    captions = {"Chapters": others, "Reference": ["book/references"]}
    parts = [
        {"caption": caption, "chapters": [{"file": name} for name in names]}
        for caption, names in captions.items()
        if names
    ]
    toc = {"format": "jb-book", "root": first, "parts": parts}
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
