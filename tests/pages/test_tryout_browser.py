"""The box on the first page in a browser: pasted, typed, broken, ordered, ranked, read aloud."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.browsing import open_files
from ordbook.pages import tryout

base = pytest.importorskip("axe_playwright_python.base")
pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def page(built_book):
    """The first page of the book, which holds the box."""
    return (built_book / "book" / "index.html").as_uri()


@pytest.fixture(scope="module")
def tabs(browser, page):
    """A phone by day and a screen by night; at the end fail if they complained or asked outside."""
    with open_files(browser) as start:
        opened = {390: start(page, 390), 1280: start(page, 1280, "dark")}
        for tab in opened.values():
            tab.evaluate(base.AXE_SCRIPT)
        yield opened


@pytest.fixture
def tab(tabs):
    """The screen, with the example in the box."""
    example(tabs[1280])
    return tabs[1280]


def settle(tab):
    tab.wait_for_timeout(200)
    tab.wait_for_function("!document.querySelector('.tryout').hasAttribute('aria-busy')")


def example(tab):
    tab.get_by_role("button", name="Example", exact=True).click()
    settle(tab)


def fill(tab, text):
    tab.locator(".try-text").fill(text)
    settle(tab)


def shown(tab):
    """The scores on the page with all their digits, best first."""
    rows = tab.evaluate(
        """() => [...document.querySelectorAll('.try-every tbody tr')].map(row =>
          [row.querySelector('th').textContent, Object.fromEntries(
            [...row.querySelectorAll('td')].map(td => [td.dataset.measure, +td.dataset.value]))])"""
    )
    return pd.DataFrame(dict(rows)).T


def assert_means(tab, means):
    """The page shows these means, of all runs and by the measures of its columns."""
    ours = shown(tab)
    assert len(ours) == len(means)
    assert np.abs(ours - means.loc[ours.index, list(ours)]).to_numpy().max() <= 1e-12


def assert_shown(tab, table, classes, topics=None, aggregate="topic"):
    """The page shows the scores of a table of labels whose first column is gold."""
    topics = ["all"] * len(table) if topics is None else topics
    task = ob.ClassificationTask.from_labels(table.iloc[:, 0], table.iloc[:, 1:], topics, classes)
    assert len(shown(tab).columns) == 6
    assert_means(tab, ob.score(task, aggregate=aggregate).means())


def name_gold(tab, *names):
    """Check the columns that are gold."""
    for name in names:
        tab.get_by_role("checkbox", name=name, exact=True).check()
    settle(tab)


STATES = {
    "words": "gold,A,B\nlow,low,high\nhigh,mid,high\nmid,mid,low\nhigh,high,high",
    "errors": "gold\tA\n1\t\n2\t2\n=B1\t1\nx\t1\n" + "1\t1\n" * 10,
    "nothing": "",
    "people": "Ada,Ben,gpt\n1,2,1\n2,3,2\n3,3,3",
    "many": "\n".join(
        "\t".join(f"run number {k}" if r == 0 and k else "gold" if r == 0 else str(1 + r * k % 5)
                  for k in range(200)) for r in range(30)
    ),
}  # fmt: skip


def test_it_fits_and_passes_axe(tabs, subtests):
    for (width, tab), (name, text) in product(tabs.items(), STATES.items()):
        with subtests.test(state=name, width=width):
            example(tab)
            below = tab.locator(".sd-card").first
            height = below.bounding_box()["y"]
            fill(tab, text)
            root = "document.documentElement"
            assert tab.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
            found = tab.evaluate("axe.run('.tryout', {preload: false}).then(r => r.violations)")
            assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []
            if name in ("errors", "nothing"):
                assert abs(below.bounding_box()["y"] - height) <= 60, "the page stays"


def test_without_javascript_there_is_the_example(browser, page):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(page)
    assert tab.locator(".tryout noscript").is_visible()
    assert not tab.locator(".try-text").is_visible()
    assert_shown(tab, tryout.example(), range(1, 6))
    context.close()


def test_a_column_ranks_and_a_run_shows_its_matrix_by_keyboard(tab):
    heads = [name.split()[0] for name in tab.locator(".try-scores thead button").all_inner_texts()]
    assert heads == ["accuracy", "kappa"]
    assert tab.locator(".try-scores .try-best").count() == 2
    tab.get_by_role("button", name="accuracy").press("Enter")
    assert list(shown(tab).index) == ["bold", "careful"]
    sorted_by = tab.locator(".try-scores [aria-sort]")
    assert sorted_by.inner_text().startswith("accuracy")
    assert tab.evaluate("document.activeElement.textContent").startswith("accuracy")
    tab.get_by_role("button", name="bold", exact=True).press("Enter")
    assert tab.locator(".try-matrix caption").inner_text() == "Answers of bold, by gold class"
    row = tab.locator(".try-matrix tbody tr").nth(3).locator("td").all_inner_texts()
    assert row == ["1", "0", "0", "2", "0"]
    bias = "Bias −0.40 steps: bold is once too high and 2 times too low."
    assert tab.locator(".try-bias").inner_text() == bias
    counts = "1,0,0,0,0/0,1,0,0,1/0,0,2,0,0/1,0,0,2,0/1,0,0,0,1"
    link = tab.get_by_role("link", name="Move these answers in the explorer")
    assert link.get_attribute("href") == f"explorer_labels.html#counts={counts}"
    tab.locator(".try-all summary").press("Enter")
    tab.locator(".try-every").get_by_role("button", name="QWK").press("Enter")
    heads = [name.split()[0] for name in tab.locator(".try-scores thead button").all_inner_texts()]
    assert heads == ["accuracy", "QWK"]
    name_gold(tab, "careful")
    tab.get_by_role("checkbox", name="gold", exact=True).uncheck()
    settle(tab)
    assert set(shown(tab).index) == {"gold", "bold"}


def test_an_error_clears_what_was_said_of_the_table_before_and_is_read_aloud(tab):
    fill(tab, "gold,Ann\nbad,ok\ngood,ok\nok,bad")
    assert tab.locator(".try-order").is_visible()
    tab.wait_for_function("document.querySelector('.try-live').textContent.startsWith('3 items')")
    fill(tab, "This is a sentence, and no table.")
    for part in (".try-order", ".try-golds", ".try-read", ".try-scores", ".try-take"):
        assert not tab.locator(part).is_visible()
    told = "document.querySelector('.try-live').textContent.startsWith('This does not look like')"
    tab.wait_for_function(told)


def test_people_are_never_ranked_before_somebody_says_who_is_gold(tab):
    fill(tab, "item,Ada,Ben,Eve,gpt\na,1,2,1,1\nb,2,2,3,3\nc,3,3,3,3\nd,1,1,2,2")
    assert "Which columns hold gold" in tab.locator(".try-problems").inner_text()
    assert not tab.locator(".try-answer").is_visible()
    name_gold(tab, "Ada", "Ben", "Eve")
    assert list(shown(tab).index) == ["gpt"]
    fill(tab, "Ada,Ben,gpt\n1,2,1\n2,2,1\n3,3,3\n-1,2,2")
    name_gold(tab, "Ada", "Ben")
    assert "What does -1 mean" in tab.locator(".try-problems").inner_text()
    tab.get_by_role("button", name="No answer", exact=True).click()
    settle(tab)
    assert "No answer: -1." in tab.locator(".try-read").inner_text()
    heads = tab.locator(".try-scores thead th").all_inner_texts()
    assert heads[-1] == "kappa, upper median"


def test_words_are_ordered_before_anything_ordinal_is_shown(tab):
    fill(tab, "gold,A,B\nz,x,y\nx,x,x\ny,y,z\nz,z,y")
    assert list(shown(tab)) == ["accuracy"]
    assert tab.locator(".try-bias").inner_text() == ""
    tab.get_by_role("button", name="z: lower in the order").press("Enter")
    assert tab.evaluate("document.activeElement.ariaLabel") == "z: lower in the order"
    assert list(shown(tab)) == ["accuracy"]
    tab.locator(".try-confirm").click()
    labels = pd.DataFrame({"gold": list("zxyz"), "A": list("xxyz"), "B": list("yxzy")})
    assert_shown(tab, labels, list("xzy"))
    tab.locator(".try-order summary").press("Enter")
    tab.get_by_role("button", name="z: higher in the order").click()
    assert_shown(tab, labels, list("xyz"))
    fill(tab, "gold,A,B\nw,x,y\nx,x,x\ny,y,w\nw,w,y")
    assert list(shown(tab)) == ["accuracy"], "other words have another order"


def test_markup_is_text(tab):
    evil = "<img src=x onerror=alert(1)>"
    fill(tab, f"gold\t{evil}\t<script>alert(2)</script>\t=HYPERLINK(1)\n1\t1\t2\t1\n2\t2\t2\t1")
    assert evil in list(shown(tab).index)
    assert evil in tab.locator(".try-shell").text_content()
    assert not tab.locator(".tryout :is(img, a:not(.try-explore))").count()
    fill(tab, f"gold,A\n{evil},b\nb,{evil}\nc,{evil}")
    tab.locator(".try-confirm").click()
    fill(tab, f"gold,A\n1,{evil}\n2,2\n1,1\n2,2\n1,1")
    assert "row 2, A (<img src=x onerror=a" in tab.locator(".try-problems").inner_text()
    assert not tab.locator(".tryout :is(img, a:not(.try-explore))").count()


def test_a_file_is_opened_and_topics_are_averaged_or_pooled_and_taken_away(tab, tmp_path):
    labels = {"gold": [1, 2, 3, 3, 1, 2, 3], "A": [1, 2, 3, 2, 2, 1, 1], "B": [1, 2, 2, 1, 1, 2, 3]}
    table = pd.DataFrame({"topic": list("ppppqqq"), **labels})
    (tmp_path / "task.tsv").write_text(table.to_csv(index=False, sep="\t"), encoding="utf-16")
    (tmp_path / "task.xlsx").write_bytes(b"PK\x03\x04 and so on")
    tab.locator(".try-file").set_input_files(tmp_path / "task.xlsx")
    tab.wait_for_function("document.querySelector('.try-problems').innerText.includes('workbook')")
    tab.locator(".try-file").set_input_files(tmp_path / "task.tsv")
    tab.wait_for_function("document.querySelector('.try-scores').innerText.includes('A')")
    settle(tab)
    for option, aggregate in (("topics", "topic"), ("pooled", "pooled")):
        tab.locator(".try-over").select_option(option)
        assert_shown(tab, table.iloc[:, 1:], range(1, 4), table["topic"], aggregate)

    tab.locator(".try-take summary").click()
    with tab.expect_download() as started:
        tab.get_by_role("button", name="Save ratings.csv").click()
    started.value.save_as(tmp_path / "ratings.csv")
    assert pd.read_csv(tmp_path / "ratings.csv").drop(columns="item").equals(table)


def test_a_hundred_thousand_rows_are_read_and_the_box_holds_the_first(tab):
    rng = np.random.default_rng(0)
    long = pd.DataFrame(rng.integers(1, 6, (100_000, 3)), columns=["gold", "A", "B"])
    tab.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.querySelector(".try-text").dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        long.to_csv(index=False, sep="\t"),
    )
    settle(tab)
    assert_shown(tab, long, range(1, 6))
    assert len(tab.locator(".try-text").input_value()) < 30_000
