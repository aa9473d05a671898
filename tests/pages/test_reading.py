"""What a newcomer types into the search leads to the page that answers it, in a real browser."""

from urllib.parse import quote

import pytest

from helpers.browsing import open_profile

pytestmark = [pytest.mark.slow, pytest.mark.browser]

LATE = 10_000  # milliseconds; a page that is slower than this is no answer
# Words of a question, or of somebody who has a paper in hand; the page, among the first results.
SEARCHES = {
    "RNOD symmetric": ("questions", 3),
    "3-class task": ("questions", 3),
    "RMSE": ("questions", 3),
    "How do I run this on my files?": ("questions", 3),
    "Can I trust the printed tables?": ("questions", 3),
    "LQ'21 Table 4(h)": ("lq21", 2),
    "LQ’21 Table 4": ("lq21", 2),
    "SIGIR'18 Table 3": ("sigir18", 2),
    "Table 3(b) ACL'21": ("acl21", 2),
    "DNKT Table 25(a)": ("dnkt", 2),
    "DialEval-1 Table 14": ("dialeval1", 2),
}


def results(tab) -> list[str]:
    """Return where the results of a search lead, best first."""
    links = tab.locator("#search-results ul.search li a")
    links.first.wait_for(timeout=LATE)
    # Sphinx writes results one by one, and says when it is done.
    tab.wait_for_function(
        "!document.querySelector('#search-results h2')?.textContent.includes('Searching')"
        " && document.querySelector('.search-summary')?.textContent.length > 0",
        timeout=LATE,
    )
    return [link.get_attribute("href") for link in links.all()]


def test_a_search_finds_the_page_that_answers(browser, address, subtests):
    with open_profile(browser, 1440, "light") as context:
        tab = context.new_page()
        for words, (page, first) in SEARCHES.items():
            with subtests.test(words):
                tab.goto(f"{address}/search.html?q={quote(words)}", wait_until="load")
                best = results(tab)[:first]
                assert any(f"book/{page}.html" in target for target in best), best
