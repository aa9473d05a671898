"""The built pages as one PDF, printed by Chromium: ``python -m ordbook.pages.pdf``."""

from __future__ import annotations

import logging
import sys
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bs4 import BeautifulSoup
from pypdf import PdfWriter
from pypdf.generic import Fit

import ordbook
from ordbook.files import write_whole
from ordbook.pages.chromium import FLAGS, find_chromium, served
from ordbook.pages.one_page import Book, place_on_paper, read_book, relink
from ordbook.pages.templates import render

# The text on A4 between margins of 16 mm, in pixels of CSS: print.css has the same margins.
WIDTH = 672
FOOTER = """<div style="width: 100%; text-align: center; font: 8pt sans-serif; color: #444">
<span class="pageNumber"></span></div>"""
MINUTES = 10


def make_pdf(built: Path, root: Path, target: Path) -> Path:
    """Print the built pages of a book into one PDF.

    Parameters
    ----------
    built
        The folder of built pages.
    root
        The folder with ``_config.yml`` and ``_toc.yml``.
    target
        The file to write.

    Raises
    ------
    ValueError
        If a page was not built, or there is no Chromium.
    """
    browser = find_chromium()
    book = read_book(built, root)
    _say(f"printing {len(book.pages)} pages of the web book with {Path(browser).name}")
    printed = with_outline(print_page(as_one_page(book, built), built, browser), book)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, printed)
    return target


def as_one_page(book: Book, built: Path) -> str:
    """Return all pages one after the other, with ids that no two of them share."""
    names = frozenset(page.name for page in book.pages)
    for page in book.pages:
        for element in page.body.select("[id]"):
            element["id"] = place_on_paper(page.name, str(element["id"]))
        relink(page, names)
    first = (built / "book" / "index.html").read_text(encoding="utf-8")
    links = BeautifulSoup(first, "html.parser").select('link[rel="stylesheet"]')
    sheets = [str(link["href"]).removeprefix("../") for link in links]
    return render("print.html.j2", book=book, sheets=sheets, version=ordbook.__version__)


def with_outline(printed: bytes, book: Book) -> bytes:
    """Add the outline: chapters, and their sections. Chromium's own would triple the file.

    What the contents link to has a named destination in the PDF.
    """
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of how Chromium counts objects
    writer = PdfWriter(clone_from=BytesIO(printed))
    places = writer.named_destinations

    def add(place: str, title: str, parent: Any = None) -> Any:
        place = quote(place, safe="-_.~!*'()")
        target = places.get(f"/{place}") or places.get(place)
        if target is None:
            raise ValueError(f"the PDF has no place named {place}")
        number = writer.get_destination_page_number(target)
        fit = Fit.xyz(top=float(target.top or 0)) if target.top is not None else Fit.fit()
        return writer.add_outline_item(title=title, page_number=number, parent=parent, fit=fit)

    for page in book.pages:
        chapter = add(page.name, page.title)
        for place, title in page.sections():
            add(place, title, chapter)
    writer.add_metadata({"/Title": book.title, "/Author": book.author})
    writer.page_mode = "/UseOutlines"
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def print_page(page: str, folder: Path, browser: str) -> bytes:
    """Print one page of HTML as if it stood in a folder, and return the PDF.

    Raises
    ------
    ValueError
        If Playwright, which drives the browser, is not installed.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise ValueError("printing needs playwright: pip install playwright") from None
    script = files("ordbook.pages").joinpath("print.js").read_text(encoding="utf-8")
    with served(folder) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
        view = chromium.new_page(viewport={"width": WIDTH, "height": 1000})
        view.set_default_timeout(MINUTES * 60_000)
        view.emulate_media(media="print", color_scheme="light")
        view.route(
            "**/print.html", lambda route: route.fulfill(body=page, content_type="text/html")
        )
        view.goto(f"{address}/print.html", wait_until="load")
        _say("formulas, figures and tables")
        view.evaluate(script)
        _say("pages")
        printed = view.pdf(
            prefer_css_page_size=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            tagged=False,
        )
        chromium.close()
    return printed


def _say(progress: str) -> None:
    print(f"pdf: {progress}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        print(make_pdf(Path("_build/html"), Path.cwd(), Path("_build/pdf/ordbook.pdf")))
    except ValueError as error:
        sys.exit(f"pdf: {error}")
