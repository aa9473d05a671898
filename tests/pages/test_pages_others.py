"""Every other built page as a browser shows it; the first half is in test_pages.py."""

import pytest

from helpers.visiting import walk

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_nothing_is_wrong_with_any_page(browser, address, pages):
    wrong = walk(browser, address, pages[1::2])[1]
    assert not wrong, "\n".join(map(str, wrong))
