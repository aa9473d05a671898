"""A published book: under a folder of its host, with a page for wrong addresses and previews."""

import zipfile
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from helpers.browsing import Watch, open_browser, settle
from helpers.chromium import served
from ordbook.pages.previews import add_preview, write_not_found
from ordbook.pages.sphinx_extension import add_wheel


@pytest.fixture
def app(tmp_path):
    config = SimpleNamespace(html_baseurl="https://a.github.io/ordbook/", project="ordbook")
    builder = SimpleNamespace(name="html")
    return SimpleNamespace(config=config, builder=builder, outdir=str(tmp_path))


def test_a_shared_link_shows_title_and_picture(app):
    context = {"title": 'A "title"', "metatags": "<meta>"}
    add_preview(app, "book/lq21", "page.html", context, None)
    soup = BeautifulSoup(context["metatags"], "html.parser")
    said = {tag.get("property"): tag.get("content") for tag in soup.find_all("meta")}
    assert said["og:title"] == 'A "title"'
    assert said["og:url"] == "https://a.github.io/ordbook/book/lq21.html"
    assert said["og:image"] == "https://a.github.io/ordbook/_static/screenshot.png"
    app.config.html_baseurl = ""
    context = {}
    add_preview(app, "book/lq21", "page.html", context, None)
    assert context == {}, "without an address there is nothing to preview"


def test_a_wrong_address_leads_to_the_first_page(app, tmp_path):
    write_not_found(app, None)
    soup = BeautifulSoup((tmp_path / "404.html").read_text(), "html.parser")
    assert [link["href"] for link in soup.find_all("a")] == ["https://a.github.io/ordbook/"]
    assert not soup.find_all(src=True)
    app.config.html_baseurl, app.outdir = "", str(tmp_path / "none")
    write_not_found(app, None)
    assert not (tmp_path / "none").exists(), "without an address there is no such page"


@pytest.mark.slow
@pytest.mark.browser
def test_the_book_works_in_a_folder_of_its_host(built_book, chromium, tmp_path):
    """No link is absolute, and some pages load all they need below ``/ordbook/``."""
    for path in built_book.rglob("*.html"):
        soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for tag in soup.find_all(["a", "link", "img", "script"]):
            address = tag.get("href") or tag.get("src") or ""
            assert urlsplit(address).netloc or not address.startswith("/"), (path, address)
    (tmp_path / "ordbook").symlink_to(Path(built_book))
    with served(tmp_path) as host, open_browser(chromium) as browser:
        page = browser.new_page()
        watch = Watch(page, f"{host}/ordbook")
        for name in (
            "book/index.html",
            "book/lq21.html",
            "book/explorer.html",
            "search.html?q=kappa",
        ):
            page.goto(f"{host}/ordbook/{name}")
            settle(page)
        assert not any(watch.taken().values())


@pytest.mark.slow
def test_the_pages_carry_a_wheel_that_can_be_downloaded(built_book):
    (wheel,) = (built_book / "_static").glob("*.whl")
    assert wheel.stat().st_size <= 7_000_000
    page = (built_book / "book" / "your_data.html").read_text(encoding="utf-8")
    assert f'href="../_static/{wheel.name}"' in page
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".whl")]


def test_only_the_repository_itself_gets_a_wheel(app, tmp_path):
    app.srcdir = str(tmp_path)  # the pages of a rerun
    add_wheel(app, None)
    assert not list(tmp_path.iterdir())
