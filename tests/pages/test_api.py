"""Every public name is described on a page, with formulas."""

import re
import shutil

import pytest
from bs4 import BeautifulSoup

import ordbook
from ordbook.pages.api_extension import commands

pytestmark = pytest.mark.slow

# Packages are pages, and the version is no function.
NO_ENTRY = {"__version__", "book", "data", "measures", "meta", "papers"}


@pytest.fixture(scope="module")
def pages(root, build_book, tmp_path_factory) -> dict[str, BeautifulSoup]:
    """The pages that describe the package, built without the chapters."""
    folder = tmp_path_factory.mktemp("api")
    shutil.copytree(root / "book" / "_static", folder / "book" / "_static")
    names = sorted(path.stem for path in (root / "book").glob("api*.md"))
    for name in (*names, "cite", "references", "glossary"):
        shutil.copy(root / "book" / f"{name}.md", folder / "book")
    for name in ("_config.yml", "CITATION.cff", "book/references.bib"):
        shutil.copy(root / name, folder / name)
    files = "".join(f"  - file: book/{name}\n" for name in [*names[1:], "cite", "glossary"])
    # The pages lead to pages and sections that are not built here.
    places = ["install", "teaching-room", "audit", "choosing", "judges-unit"]
    places += [
        f"measures-{part}"
        for part in ("alpha", "cem", "guarantees", "kappa", "mae", "nmd", "relatives", "rnod")
    ]
    places += ["sigir18", "acl21", "lq21", "dnkt", "dialeval1"]
    sections = "\n".join(f"({place})=\n## Section\n" for place in places)
    (folder / "book" / "elsewhere.md").write_text(f"# Elsewhere\n\n{sections}")
    files += "  - file: book/references\n  - file: book/elsewhere\n"
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: book/api\nchapters:\n{files}")
    built = build_book(folder, folder / "out")
    assert built.returncode == 0, built.stdout[-3000:]
    html = folder / "out" / "_build" / "html" / "book"
    return {
        name: BeautifulSoup((html / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        for name in [*names, "cite"]
    }


def test_every_public_name_has_an_entry(pages):
    entries = {e["id"] for page in pages.values() for e in page.select("dt[id]")}
    wanted = {f"ordbook.{name}" for name in ordbook.__all__ if name not in NO_ENTRY}
    measures = {f"ordbook.measures.{name}" for name in ordbook.measures.__all__}
    # What can be imported from ordbook is described under that name.
    known = entries | {name.replace("ordbook.", "ordbook.measures.") for name in entries}
    assert wanted - entries == set()
    assert measures - known == set()


def test_every_measure_of_the_papers_has_a_formula(pages):
    page = pages["api_measures"]
    registered = {**ordbook.measures.QUANTIFICATION, **ordbook.measures.CLASSIFICATION}
    without = [
        name
        for name, measure in registered.items()
        if not page.find("dt", id=f"ordbook.{measure.__name__}").parent.select(".math")
    ]
    assert without == []


def test_no_markup_is_left_in_the_text(pages):
    for name, page in pages.items():
        text = page.select_one("article").get_text()
        for raw in (r"\.\. math::", r":[\w:]+:`", "``"):
            found = re.search(raw, text)
            assert not found, f"{name}: {text[found.start() - 60 : found.end() + 60]}"


def test_the_overview_links_to_every_name(pages):
    links = {a["href"].partition("#")[2] for a in pages["api"].select("article a[href]")}
    missing = {f"ordbook.{name}" for name in ordbook.__all__ if name not in NO_ENTRY} - links
    assert missing == set()


def test_every_command_is_described(pages):
    page = pages["api_commands"]
    titles = {h.get_text().rstrip("#") for h in page.select("article h2")}
    described = {title for title in titles if title.startswith("ordbook ")}
    assert described == {f"ordbook {name}" for name in commands()}
