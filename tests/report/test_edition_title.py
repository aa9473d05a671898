"""The title of an edition is shown as it was given, and is never markup."""

from html.parser import HTMLParser

import nbformat
import pytest
from markdown_it import MarkdownIt

from cases import case
from ordbook.report import edition
from ordbook.report.rerun import report_of

TITLE = """R & D's "T" <b>x</b> <img src=x onerror=alert(1)>"""


class Page(HTMLParser):
    """What a browser takes a page for: elements, attributes and texts."""

    def __init__(self, text):
        super().__init__()
        self.images, self.bold, self.texts = [], 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.bold += tag == "b"
        if tag == "img":
            self.images.append(dict(attrs))

    def handle_data(self, data):
        self.texts.append(" ".join(data.split()))


@pytest.mark.slow
def test_a_title_is_text_on_every_page(tmp_path):
    first = report_of(edition.plain_title(f" {TITLE}\n"), "", [])
    first.cells = first.cells[:1]
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Another & more")])
    for name, notebook in (("first", first), ("other", other)):
        nbformat.write(notebook, tmp_path / f"{name}.ipynb")
    (tmp_path / "site").mkdir()
    notebooks = [tmp_path / "first.ipynb", tmp_path / "other.ipynb"]
    html = edition.build(notebooks, TITLE, tmp_path / "site")
    for name in ("book/first.html", "book/other.html", "search.html", "genindex.html"):
        page = Page((html / name).read_text(encoding="utf-8"))
        assert page.bold == 0, name
        assert all("onerror" not in image for image in page.images), name
        assert TITLE in page.texts, "in the sidebar it stands as it is"
        assert any(text.endswith(TITLE) for text in page.texts if text != TITLE), "and in the tab"
    index = (html / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert "<img" not in index
    assert "Another &amp; more" in index


def test_the_title_of_one_chapter_stands_below_its_heading(tmp_path):
    for heading in ["# A chapter", "(a)=\n# A chapter\n\n**The claim.** So."]:
        with case(heading, within=tmp_path) as folder:
            path = folder / "lq21.ipynb"
            cells = [nbformat.v4.new_code_cell("# none"), nbformat.v4.new_markdown_cell(heading)]
            for title, shown in ((f" {TITLE}\n", True), ("", False)):
                nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
                edition.adapt(path, ["lq21"], {}, title=title)
                source = nbformat.read(path, as_version=4).cells[1].source
                if not shown:
                    assert source == heading
                    continue
                html = MarkdownIt().render(source.removeprefix("(a)=\n"))
                page = Page(html)
                assert page.texts[:3] == ["A chapter", "", f"Edition: {TITLE}"]
                assert (page.bold, page.images) == (0, [])
                assert html.count("<strong>") == 1 + ("The claim." in heading)


def test_a_title_is_one_line_and_never_empty():
    assert edition.plain_title(" R & D,\n 2026 ") == "R & D, 2026"
    assert edition.plain_title("") == "edition"
