"""The EPUB: valid, with formulas, images and links, and nothing folded."""

import re
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from ordbook.pages.epub import make_epub, mathml
from ordbook.pages.explorer import labels
from ordbook.pages.one_file import Page, relink, unfold

pytestmark = pytest.mark.slow

TEX = (r"\frac", r"\sum", r"\(", r"\[", r"\mathrm", r"\begin")


@pytest.fixture(scope="module")
def book(built_book, root, tmp_path_factory):
    """The EPUB of the whole book."""
    return make_epub(built_book, root, tmp_path_factory.mktemp("epub") / "ordbook.epub")


def test_it_is_valid(book, epubcheck):
    command = [*epubcheck, str(book)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, (checked.stdout + checked.stderr)[-3000:]
    assert "0 fatals / 0 errors / 0 warnings" in checked.stdout + checked.stderr


def test_every_verdict_has_its_sign(book):
    """What a caption explains stands in the cells: the pages' style puts it there."""
    with zipfile.ZipFile(book) as archive:
        style = archive.read("book/epub.css").decode()
        pages = [archive.read(name).decode() for name in archive.namelist() if "xhtml" in name]
    used = {verdict for page in pages for verdict in re.findall(r"verdict-[a-z-]+", page)}
    assert len(used) > 5
    assert used <= set(re.findall(r'\.(verdict-[a-z-]+)::before \{ content: "\S "', style))


def test_pages_are_whole(book, built_book):
    with zipfile.ZipFile(book) as archive:
        names = set(archive.namelist())
        pages = [name for name in names if name.endswith(".xhtml")]
        texts = {name: archive.read(name).decode() for name in pages}
    places = {}
    for name, text in texts.items():
        tree = ElementTree.fromstring(text.replace("<!DOCTYPE html>", ""))  # well-formed
        places[name] = {element.get("id") for element in tree.iter()}
    formulas = 0
    for name, text in texts.items():
        soup = BeautifulSoup(text, "html.parser")
        assert not soup.select("details, script, form, input, button"), name
        assert not soup.select("a:not([href])"), name
        assert not [space for space in soup.select("mspace") if not space.attrs], name
        formulas += len(soup.select("math"))
        for image in soup.select("img"):
            assert f"book/{image['src']}" in names, (name, image["src"])
        for link in soup.select("a[href]"):
            page, _, place = str(link["href"]).partition("#")
            if not page.startswith(("http", "mailto")):
                assert place in {"", *places[f"book/{page}"]}, (name, link["href"])
        for element in soup.select("pre, code, .docutils.literal"):
            element.decompose()
        shown = soup.get_text()
        assert [tex for tex in TEX if tex in shown] == [], name
    built = sum(
        len(BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select("article .math"))
        for path in (built_book / "book").rglob("*.html")
    )
    assert formulas == built


def test_a_formula_that_cannot_be_converted_is_named():
    with pytest.raises(ValueError, match="nosuchcommand"):
        mathml(r"\nosuchcommand{x}")


def test_lines_of_a_formula_stand_below_each_other():
    text = mathml(r"\begin{split}\begin{aligned} a &= b, \\[1ex] c &= d \end{aligned}\end{split}")
    assert text.count("<mtr>") == 2
    assert "1ex" not in text.partition(">")[2]


def test_a_formula_of_one_column_has_no_empty_attribute():
    text = mathml(r"\begin{aligned} a \\ b \end{aligned}")
    assert "<mtable" in text
    assert "columnspacing" not in text


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
    assert "kappa 0.7750" in rows
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
    relink(page, frozenset({"this", "other"}), lambda name, place: f"{name}.xhtml#{place}")
    assert str(soup) == (
        '<div><div><p>one of</p><ul><li>a</li></ul></div><span id="i">x</span>'
        '<a href="other.xhtml#there">there</a><a href="this.xhtml#here">here</a></div>'
    )
