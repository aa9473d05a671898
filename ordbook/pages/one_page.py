"""The whole book on one page for the PDF, from the built pages of the web book.

What only works in a browser is unfolded, replaced or left out.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup, Tag

# What a reader can only use in a browser. A page's own script may hide what stands in <noscript>.
INTERACTIVE = (
    "script, style, link, form, button, select, iframe, summary, canvas, .headerlink, .no-print, "
    ".toctree-wrapper, [hidden]"
)
# The box around a cell or an output that can be folded.
FOLDS = (None, "admonition", "above-input", "below-input")
# What must not stand in a paragraph, and does where a docstring's result is a list.
BLOCKS = "p:has(p, ul, ol, dl, div, table, pre)"


@dataclass(frozen=True)
class Page:
    """One page of the book.

    Attributes
    ----------
    name
        Of its file, without the ending.
    part
        Caption under which it stands in the table of contents, or "".
    title
        Its first heading.
    body
        What is shown, unfolded.
    """

    name: str
    part: str
    title: str
    body: Tag  # its links and images are seen from the root of the built pages

    def sections(self) -> list[tuple[str, str]]:
        """Return the id and the title of each section."""
        return [
            (str(heading.parent["id"]), heading.get_text(" ", strip=True))
            for heading in self.body.select("section[id] > h2")
            if heading.parent is not None
        ]


@dataclass(frozen=True)
class Book:
    """The pages of a book, and the text of its cover."""

    title: str
    author: str
    pages: tuple[Page, ...]

    def parts(self) -> list[tuple[str, list[Page]]]:
        """Return the pages under each caption of the table of contents."""
        return [(part, list(some)) for part, some in groupby(self.pages, key=lambda one: one.part)]


def read_book(html: Path, root: Path) -> Book:
    """Read the built pages of a book, in the order of its table of contents.

    Parameters
    ----------
    html
        The folder of built pages.
    root
        The folder with ``_config.yml`` and ``_toc.yml``.

    Raises
    ------
    ValueError
        If a page was not built.
    """
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    parts = toc.get("parts") or [{"caption": "", "chapters": toc.get("chapters", [])}]
    entries = [("", toc["root"])]
    for part in parts:
        entries += [(part.get("caption", ""), file) for file in _files(part["chapters"])]
    pages = tuple(_read_page(html, file, part) for part, file in entries)
    return Book(pages[0].title, config["author"], pages)


def _files(entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Return the pages of a table of contents, each before those below it."""
    for entry in entries:
        yield entry["file"]
        yield from _files(entry.get("sections", ()))


def _read_page(html: Path, file: str, part: str) -> Page:
    path = html / f"{file}.html"
    if not path.is_file():
        raise ValueError(f"{path} is not there: run make book first")
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    body = soup.select_one("article.bd-article")
    if body is None or body.h1 is None:
        raise ValueError(f"{path} has no article with a title: run make book again")
    unfold(body)
    for attribute, selector in (("src", "img[src]"), ("href", "a[href]")):
        for element in body.select(selector):
            element[attribute] = _from_root(file, str(element[attribute]))
    return Page(_name(f"{file}.html"), part, body.h1.get_text(" ", strip=True), body)


def _name(path: str) -> str:
    """Return the name of a page: ``book/records/acl21.html`` is ``records-acl21``."""
    return path.removeprefix("book/").removesuffix(".html").replace("/", "-")


def _from_root(file: str, address: str) -> str:
    """Return an address on a page as seen from the root of the built pages.

    >>> _from_root("book/records/acl21", "../../_images/a.png")
    '_images/a.png'
    >>> _from_root("book/records/acl21", "#table")
    '#table'
    """
    if address.startswith(("#", "http://", "https://", "mailto:", "data:")):
        return address
    path, mark, place = address.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) + mark + place


def unfold(body: Tag) -> None:
    """Make everything on a page visible, and drop all parts that need a script or a mouse.

    >>> soup = BeautifulSoup("<details><summary>Show</summary><p>A</p></details>", "html.parser")
    >>> unfold(soup)
    >>> str(soup)
    '<div><p>A</p></div>'
    """
    for element in body.select("noscript"):
        element.unwrap()
    for element in body.select(INTERACTIVE):
        element.decompose()
    for fold in body.select("details"):
        kept = [name for name in fold.get_attribute_list("class") if name not in FOLDS]
        fold.name, fold.attrs = "div", {"class": " ".join(kept)} if any(kept) else {}
    for paragraph in body.select(BLOCKS):
        paragraph.name = "div"
    seen: set[str] = set()
    for element in body.select("[id]"):
        if element["id"] in seen:  # sphinx-exercise gives every solution the same one
            del element["id"]
        else:
            seen.add(str(element["id"]))
    for element in body.select(".dropdown"):
        kept = [name for name in element["class"] if name not in ("dropdown", "toggle")]
        element["class"] = " ".join(kept)


def relink(page: Page, names: frozenset[str]) -> None:
    """Point the links of a page to places of the one page; other files become plain text."""
    for link in page.body.select("a"):
        address = str(link.get("href", "."))  # a script of the web page gives the others theirs
        if address.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, place = address.partition("#")
        name = _name(path) if path.endswith(".html") else "" if path else page.name
        if name in names:
            link["href"] = f"#{place_on_paper(name, place)}"
        else:
            link.name, link.attrs = "span", {"id": link["id"]} if link.get("id") else {}


def place_on_paper(name: str, place: str) -> str:
    """Return the id of a place of a page on the one page, on which no two may be equal."""
    return f"{name}--{place}" if place else name
