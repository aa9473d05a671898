"""What tests of pages share."""

import pytest

from helpers.chromium import served


@pytest.fixture(scope="module")
def address(built_book):
    """Where the built book is served."""
    with served(built_book) as url:
        yield url


@pytest.fixture(scope="module")
def pages(built_book):
    """Every page of the built book; not static files, and not those that only forward."""
    found = sorted(
        path.relative_to(built_book).as_posix()
        for path in built_book.rglob("*.html")
        if 'http-equiv="refresh"' not in path.read_text(encoding="utf-8")[:1000].lower()
    )
    found = [page for page in found if not page.startswith("_static/")]
    assert "book/index.html" in found
    return found
