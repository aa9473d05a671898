"""The built pages as a browser shows them on a desktop, light and dark, without a network."""

import pytest

from helpers.visiting import KINDS, WIDE, of_kind, walk

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def wrong(browser, address, pages):
    """All that is wrong anywhere."""
    return walk(browser, address, pages, WIDE)[1]


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_has(kind, wrong):
    bad = of_kind(wrong, kind)
    assert not bad, "\n".join(map(str, bad[:40]))
