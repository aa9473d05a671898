"""Questions of a newcomer, each answered within two clicks or one search from the first page.

The paths are walked as a reader walks them: by the words of visible links, in a real browser, on a
phone and on a desk. ``ORDBOOK_HTML`` names pages that are built already.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

from browsing import open_profile
from ordbook.pages.chromium import served

pytestmark = [pytest.mark.slow, pytest.mark.browser]

FIRST = "book/index.html"
LATE = 10_000  # milliseconds; a page that is slower than this is no answer


@dataclass(frozen=True)
class Question:
    """What somebody asks, the links to the answer, what to search for, and words of the answer."""

    path: tuple[str, ...]
    search: str
    answer: str


QUESTIONS = {
    "Is RNOD symmetric?": Question(
        ("Questions people ask", "Is RNOD symmetric?"),
        "RNOD symmetric",
        r"RNOD is not symmetric: it looks from the classes that have gold",
    ),
    "Which measure should I use for a 3-class task with 50 topics?": Question(
        ("Which measure should I use?", "A 3-class task with 50 topics"),
        "3-class task",
        r"Use RNOD, with NMD beside it\. If ten systems differ",
    ),
    "What is wrong with RMSE here?": Question(
        ("Questions people ask", "What is wrong with RMSE here?"),
        "RMSE",
        r"RMSE does not see the order of the classes",
    ),
    "How do I run this on my files?": Question(
        ("Questions people ask", "How do I run this on my files?"),
        "How do I run this on my files?",
        r"Put gold and run files into one folder, gold\.csv and runs/\*\.csv",
    ),
    "Can I trust the printed tables?": Question(
        ("Questions people ask", "Can I trust the printed tables?"),
        "Can I trust the printed tables?",
        r"Of [\d,]+ printed numbers \d+ are confirmed by computing them again",
    ),
    "Where is LQ'21, Table 4(h)?": Question(
        ("LQ'21", "Table 4(h)"),
        "LQ'21 Table 4(h)",
        r"parts of Table 4, \(a\) to \(h\)|Table 4\(h\) repeat the row",
    ),
}
# What somebody types who has a paper in hand, and the chapter that is about it.
PAPERS = {
    "LQ'21 Table 4(h)": "lq21",
    "LQ’21 Table 4": "lq21",
    "SIGIR'18 Table 3": "sigir18",
    "Table 3(b) ACL'21": "acl21",
    "DNKT Table 25(a)": "dnkt",
    "DialEval-1 Table 14": "dialeval1",
}
asked = pytest.mark.parametrize("question", QUESTIONS)

# The innermost paragraph that has the answer; nothing folded away counts.
FIND = r"""
(pattern) => {
  const expression = new RegExp(pattern);
  const words = e => e.textContent.replace(/\s+/g, " ");
  const found = [...document.querySelectorAll("article.bd-article p, article.bd-article li")]
    .filter(e => expression.test(words(e)) && e.checkVisibility({visibilityProperty: true}));
  if (!found.length) return null;
  const box = found.at(-1).getBoundingClientRect();
  return box.height > 0 ? box.top : null;
}
"""


@pytest.fixture(scope="module")
def address(request) -> Iterator[str]:
    """Where the pages are served."""
    folder = os.environ.get("ORDBOOK_HTML")
    with served(Path(folder) if folder else request.getfixturevalue("built_book")) as url:
        yield url


def follow(tab, words: str) -> None:
    """Click the first visible link of the article that says these words, and arrive."""
    links = tab.locator("article.bd-article a", has_text=re.compile(rf"^\s*{re.escape(words)}\s*$"))
    links.first.wait_for(state="visible", timeout=LATE)
    target = links.first.get_attribute("href")
    links.first.click()
    tab.wait_for_url(re.compile(re.escape(target.split("/")[-1]) + "$"), timeout=LATE)
    tab.wait_for_load_state("load")


def top_of_answer(tab, question: Question) -> float | None:
    """Say how far down the window the answer is, or None where it cannot be seen."""
    return tab.evaluate(FIND, question.answer)


@asked
@pytest.mark.parametrize("width", [390, 1440])
def test_two_clicks_from_the_first_page(question, width, browser, address):
    wanted = QUESTIONS[question]
    assert len(wanted.path) <= 2
    with open_profile(browser, width, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/{FIRST}", wait_until="load")
        assert top_of_answer(tab, wanted) is None, "it takes a click"
        for words in wanted.path:
            follow(tab, words)
        tab.wait_for_timeout(300)  # for the page to come to rest at the section
        top = top_of_answer(tab, wanted)
    assert top is not None, f"no visible paragraph has {wanted.answer!r}"
    assert 0 <= top < 900, "the answer is in the window without scrolling"


def search(tab, address: str, words: str) -> list[str]:
    """Search from the first page, and return where the results lead, best first."""
    tab.goto(f"{address}/{FIRST}", wait_until="load")
    tab.locator("button.search-button-field:visible, button.search-button:visible").first.click()
    field = tab.locator("input[name=q]:visible").first
    field.fill(words)
    field.press("Enter")
    tab.wait_for_url(re.compile("search.html"), timeout=LATE)
    return results(tab)


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


@asked
def test_one_search_from_the_first_page(question, browser, address):
    wanted = QUESTIONS[question]
    with open_profile(browser, 1440, "light") as context:
        tab = context.new_page()
        targets = search(tab, address, wanted.search)[:3]
        base, seen = tab.url, []
        for target in targets:
            tab.goto(base, wait_until="load")
            link = tab.locator(f'#search-results ul.search li a[href="{target}"]').first
            link.wait_for(timeout=LATE)
            link.click()
            tab.wait_for_load_state("load")
            seen.append(top_of_answer(tab, wanted) is not None)
            if seen[-1]:
                break
    assert any(seen), f"none of {targets} has {wanted.answer!r}"


def test_a_search_that_names_a_paper_finds_its_chapter(browser, address):
    with open_profile(browser, 1440, "light") as context:
        tab = context.new_page()
        for words, chapter in PAPERS.items():
            tab.goto(f"{address}/search.html?q={quote(words)}", wait_until="load")
            best = results(tab)[:2]
            assert any(f"book/{chapter}.html" in target for target in best), (words, best)


@pytest.mark.parametrize("page", ["index", "cite", "audit"])
def test_the_text_leads_to_the_chapters_of_the_papers(page, browser, address):
    with open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/book/{page}.html", wait_until="load")
        for chapter in dict.fromkeys(PAPERS.values()):
            link = tab.locator(f'article.bd-article p a[href^="{chapter}.html"]:visible')
            assert link.count(), f"{page} has no link to {chapter}"


def test_the_door_rerun_leads_to_the_files(browser, address):
    with open_profile(browser, 390, "dark") as context:
        tab = context.new_page()
        tab.goto(f"{address}/{FIRST}", wait_until="load")
        door = tab.locator("article.bd-article .sd-card", has_text="Rerun")
        door.first.click()
        tab.wait_for_url(re.compile("your_data.html"), timeout=LATE)
        text = tab.locator("article.bd-article").inner_text()
    assert "ordbook check" in text
    assert "ordbook rerun" in text
    assert "one file per run" in text
    assert 'pip install ".[book]"' in text


def test_the_first_page_leads_to_the_installation(browser, address):
    with open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/{FIRST}", wait_until="load")
        follow(tab, "Install")
        top = top_of_answer(
            tab, Question((), "", r"You need Python [\d.]+ or newer, and the repos")
        )
    assert top is not None
    assert 0 <= top < 844


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_shows_at_once_what_the_book_is(theme, browser, address):
    with open_profile(browser, 390, theme) as context:
        tab = context.new_page()
        tab.goto(f"{address}/{FIRST}", wait_until="load")
        boxes = {
            name: tab.locator(f"article.bd-article {selector}").first.bounding_box()
            for name, selector in {
                "heading": "h1",
                "claim": "p strong",
                "picture": "figure img",
                "doors": ".sd-card",
                "scoreboard": "#the-scoreboard",
            }.items()
        }
        claim = tab.locator("article.bd-article p").first.inner_text()
        shown = tab.locator("article.bd-article figure img").first.bounding_box()
    assert [*boxes] == sorted(boxes, key=lambda name: boxes[name]["y"]), "in this order"
    assert boxes["claim"]["y"] + boxes["claim"]["height"] < 844
    assert boxes["picture"]["y"] < 844, "the picture begins on the first screen"
    assert shown["width"] > 300
    assert "order" in claim
    jargon = r"\b(ordinal|quantification|NMD|RNOD|run|gold|topic)\b"
    assert not re.search(jargon, claim), "the first paragraph needs no glossary"


def test_canary_an_answer_that_is_folded_or_absent_is_not_found(browser):
    question = Question((), "", r"The answer is 42")
    with open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        page = "<article class='bd-article'>{}</article>"
        tab.set_content(page.format("<p>The answer\n is <b>42</b></p>"))
        assert top_of_answer(tab, question) is not None
        for hidden in (
            "<details><summary>x</summary><p>The answer is 42</p></details>",
            "<p style='display:none'>The answer is 42</p>",
            "<p>The answer is 43</p>",
        ):
            tab.set_content(page.format(hidden))
            assert top_of_answer(tab, question) is None
