"""The PDF: every chapter, an outline, links that lead somewhere, formulas rather than TeX."""

import io

import pypdf
import pytest
from bs4 import BeautifulSoup

from ordbook.pages import pdf
from ordbook.pages.chromium import FLAGS, served
from ordbook.pages.explorer import labels
from ordbook.pages.one_page import Page, read_book, relink, unfold

pytestmark = pytest.mark.slow

TEX = (r"\frac", r"\sum", r"\mathrm", r"\begin")


@pytest.fixture(scope="module")
def small(built_book, tmp_path_factory):
    """A folder with the table of contents of a book of few pages, from the built ones."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "_config.yml").write_text("title: A book\nauthor: Authors\n")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/index\nparts:\n- caption: Part\n  chapters:\n"
        "  - file: book/measures\n  - file: book/glossary\n  - file: book/references\n"
    )
    return folder


@pytest.fixture(scope="module")
def printed(built_book, small, chromium, tmp_path_factory):
    path = pdf.make_pdf(built_book, small, tmp_path_factory.mktemp("pdf") / "book.pdf")
    return pypdf.PdfReader(io.BytesIO(path.read_bytes()))


def test_the_outline_has_every_chapter_and_section(printed, built_book, small):
    book = read_book(built_book, small)
    chapters = [entry["/Title"] for entry in printed.outline if not isinstance(entry, list)]
    sections = [len(entry) for entry in printed.outline if isinstance(entry, list)]
    assert chapters == [page.title for page in book.pages]
    assert sections == [n for page in book.pages if (n := len(page.sections()))]


def test_every_chapter_is_there_and_no_tex_is(printed, built_book, small):
    text = " ".join(" ".join(page.extract_text() for page in printed.pages).split())
    letters = "".join(text.split()).replace("ﬁ", "fi").replace("ﬂ", "fl").replace("ﬀ", "ff")
    for page in read_book(built_book, small).pages:
        assert "".join(page.title.split()) in letters
    assert [tex for tex in TEX if tex in text] == []


def test_links_within_the_book_lead_somewhere(printed):
    places = set(printed.named_destinations)
    links = [
        annotation.get_object()
        for page in printed.pages
        for annotation in page.get("/Annots") or []
    ]
    inside = {str(link["/Dest"]) for link in links if "/Dest" in link}
    assert len(inside) > 20
    assert inside - places == set()


def test_fonts_are_embedded_and_paper_is_white(printed):
    fonts = [
        font.get_object()
        for page in printed.pages
        for font in page["/Resources"].get("/Font", {}).values()
    ]
    assert fonts
    for font in fonts:
        inner = font.get("/DescendantFonts", [font])[0].get_object()
        if font["/Subtype"] != "/Type3":  # drawn by procedures that the file holds
            descriptor = inner["/FontDescriptor"].get_object()
            assert any(key.startswith("/FontFile") for key in descriptor), inner["/BaseFont"]


def test_nothing_is_cut_off(built_book, small, chromium):
    """Nothing on the one page is wider than the text after it was fitted to paper."""
    from importlib.resources import files

    from playwright.sync_api import sync_playwright

    page = pdf.as_one_page(read_book(built_book, small), built_book)
    script = files("ordbook.pages").joinpath("print.js").read_text(encoding="utf-8")
    with served(built_book) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        view = browser.new_page(viewport={"width": pdf.WIDTH, "height": 1000})
        view.emulate_media(media="print")
        view.route("**/print.html", lambda r: r.fulfill(body=page, content_type="text/html"))
        view.goto(f"{address}/print.html")
        view.evaluate(script)
        wide = view.evaluate(
            """() => [...document.querySelectorAll("article table, article pre, article img")]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 2 && !e.closest(".wide"))
            .map((e) => e.tagName + " " + e.textContent.slice(0, 60))"""
        )
        # Captions stand before tables: within a narrow one they would be as narrow.
        inside, before = view.evaluate(
            """() => [document.querySelectorAll("caption").length,
            document.querySelectorAll(".table-caption + table").length]"""
        )
        browser.close()
    assert wide == []
    assert inside == 0
    assert before > 10


def test_without_a_browser_it_says_so_in_one_line(built_book, small, monkeypatch, tmp_path):
    monkeypatch.delenv("ORDBOOK_CHROMIUM", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(ValueError, match="no Chromium found: install it, or set ORDBOOK_CHROMIUM"):
        pdf.make_pdf(built_book, small, tmp_path / "book.pdf")


def test_what_is_folded_is_open():
    soup = BeautifulSoup(
        '<div><details class="hide"><summary>Show</summary><p>code</p></details>'
        '<noscript>A sentence.</noscript><script>x</script><p id="a"></p><p id="a"></p>'
        '<a class="headerlink">#</a></div>',
        "html.parser",
    )
    unfold(soup)
    assert str(soup) == (
        '<div><div class="hide"><p>code</p></div>A sentence.<p id="a"></p><p></p></div>'
    )


def test_the_explorer_shows_what_it_starts_with():
    soup = BeautifulSoup(labels()._repr_html_(), "html.parser")
    unfold(soup)
    rows = [row.get_text(" ", strip=True) for row in soup.select(".ox-table tr")]
    assert rows[0] == "measure score"
    assert "kappa 0.775" in rows
    assert [row.get_text(" ", strip=True) for row in soup.select(".ox-matrix tr")][
        1
    ] == "gold 1 7 3 0"
    assert soup.link is None


def test_links_to_files_become_text_and_lists_leave_paragraphs():
    soup = BeautifulSoup(
        '<div><p><p>one of</p><ul><li>a</li></ul></p><a href="../_downloads/x.bib" id="i">x</a>'
        '<a href="other.html#there">there</a><a href="#here">here</a></div>',
        "html.parser",
    )
    unfold(soup)
    page = Page("this", "", "This", soup.div)
    relink(page, frozenset({"this", "other"}))
    assert str(soup) == (
        '<div><div><p>one of</p><ul><li>a</li></ul></div><span id="i">x</span>'
        '<a href="#other--there">there</a><a href="#this--here">here</a></div>'
    )
