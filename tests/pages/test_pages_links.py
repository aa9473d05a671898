"""Every link of the built pages leads somewhere: read from the files, without a browser."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.browser]


class Page(HTMLParser):
    """The links and the places of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag leads to, and by what name it can be reached."""
        found = dict(attrs)
        self.places.update(found[key] for key in ("id", "name") if found.get(key))
        address = found.get("src", found.get("href"))
        if address is not None:
            self.links.append(address)


def broken(folder: Path) -> list[tuple[str, str]]:
    """Links of the pages below a folder that lead to no file, or to no place in a page."""
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*.html")
        if "_static" not in path.relative_to(folder).parts
    }
    wrong = []
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            if link.startswith("/"):  # a host may have the book in a folder
                wrong.append((path.relative_to(folder).as_posix(), link))
                continue
            target = path.parent / unquote(parts.path) if parts.path else path
            target = Path(target).resolve()
            if not target.is_file():
                wrong.append((path.relative_to(folder).as_posix(), link))
            elif parts.fragment and "=" not in parts.fragment and target in pages:  # or a state
                fragment = unquote(parts.fragment)
                if not {fragment, parts.fragment} & pages[target].places:
                    wrong.append((path.relative_to(folder).as_posix(), link))
    return wrong


def test_links_and_cross_references_lead_somewhere(built_book):
    wrong = broken(built_book.resolve())
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    "link", ["absent.html", "#absent", "other.html#absent", "absent.png", "/page.html"]
)
def test_canary_a_broken_link_is_seen(link, tmp_path):
    (tmp_path / "other.html").write_text('<h1 id="top">Top</h1>', encoding="utf-8")
    good = '<a href="other.html#top">fine</a> <a href="https://example.com/x">outside</a>'
    (tmp_path / "page.html").write_text(f'{good} <a href="{link}">not</a>', encoding="utf-8")
    assert broken(tmp_path.resolve()) == [("page.html", link)]


def test_no_page_shows_a_directive_as_text(built_book):
    """A caption with a backtick, for example, breaks the directive of its table silently."""
    for path in (built_book / "book").rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        text = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", page, flags=re.DOTALL)
        shown = re.search(r"```|\{list-table\}|\{glue|:header-rows:", re.sub(r"<[^>]+>", "", text))
        assert not shown, f"{path}: {shown[0]}"
