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
    """Every page of the built book."""
    found = sorted(path.relative_to(built_book).as_posix() for path in built_book.rglob("*.html"))
    # The root only forwards to the first page, and static files are not pages.
    found = [page for page in found if page != "index.html" and not page.startswith("_static/")]
    assert "book/index.html" in found
    return found
