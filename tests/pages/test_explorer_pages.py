"""The explorers in a browser: they can be dragged, typed, stepped, linked and read aloud."""

import re

import numpy as np
import pytest

from helpers.chromium import served
from helpers.explorers import (
    PAGES,
    PRESETS,
    TOLERANCE,
    compared,
    expected,
    named,
    of_link,
    of_pair,
    of_samples,
    sampled,
)
from ordbook.measures import QUANTIFICATION
from ordbook.pages import explorer

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def pages(built_book):
    """The folder with the explorers, read from files as without a server."""
    return built_book / "book"


@pytest.fixture
def visit(browser, pages):
    """Open a page, read from a file, and fail at the end if it complained."""
    contexts, complaints = [], []

    def start(fragment="", page="explorer", width=1440, theme="light", **options):
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=theme, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on(
            "request",
            lambda r: complaints.append(r.url) if r.url.startswith("http") else None,
        )
        tab.goto(f"{(pages / f'{page}.html').as_uri()}{fragment}")
        return tab

    yield start
    for context in contexts:
        context.close()
    assert not complaints


PHONE = {"width": 390, "has_touch": True, "is_mobile": True}


def shown(tab):
    """The scores on the page, with all their digits."""
    rows = tab.eval_on_selector_all(
        "tr[data-measure]",
        "rows => rows.map(r => [r.dataset.measure, r.querySelector('.ox-score').dataset.value])",
    )
    return {name: float(value) for name, value in rows}


def changes(tab):
    rows = tab.eval_on_selector_all(
        "tr[data-measure]",
        "rows => rows.map(r => [r.dataset.measure, "
        "r.querySelector('.ox-change').dataset.change || ''])",
    )
    return dict(rows)


def linked(tab):
    """The state in the address, once it has settled."""
    tab.wait_for_function("!document.querySelector('.explorer').dataset.changing")
    return of_link(tab.url.split("#")[1])


# Until the page has stopped scrolling.
STILL = """async () => {
  const frames = () => new Promise((done) => setTimeout(done, 150));
  for (let before = null; before !== scrollY; await frames()) before = scrollY;
}"""
# Go to a place on the page, and let the page answer.
GO = """(text) => new Promise((done) => {
  if (location.hash === text) return done();
  addEventListener("hashchange", () => setTimeout(done), { once: true });
  location.hash = text;
})"""


def touching(tab):
    """A finger: what it does to the page is what Chromium makes of it, scrolling included."""
    device = tab.context.new_cdp_session(tab)

    def touch(kind, *points):
        sent = [{"x": x, "y": y} for x, y in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})

    def swipe(start, end):
        touch("touchStart", start)
        for part in np.linspace(0, 1, 12)[1:]:
            touch("touchMove", tuple(a + part * (b - a) for a, b in zip(start, end, strict=True)))
            tab.wait_for_timeout(20)
        touch("touchEnd")
        tab.evaluate(STILL)

    return swipe


def assert_scores(tab, scores):
    found = shown(tab)
    assert set(found) == set(scores)
    assert {n for n in found if abs(found[n] - scores[n]) > TOLERANCE} == set()


def bar(tab, side, number):
    return tab.locator(f".ox-bars-{side} .ox-slider").nth(number - 1)


def value(tab, side, number):
    return float(bar(tab, side, number).get_attribute("aria-valuenow"))


def height_at(tab, side, number, wanted):
    """Where on the page the end of a bar stands that has this probability."""
    bar(tab, side, number).scroll_into_view_if_needed()
    return tab.evaluate(
        """([side, k, wanted]) => {
          const svg = document.querySelector(`.ox-bars-${side}`);
          const lines = [...svg.querySelectorAll(".ox-grid")].map(l => l.getBoundingClientRect());
          const hit = svg.querySelectorAll(".ox-hit")[k].getBoundingClientRect();
          const [zero, one] = [lines[0].y, lines[2].y];
          return [hit.x + hit.width / 2, zero + wanted * (one - zero)];
        }""",
        [side, number - 1, wanted],
    )


def cell(tab, gold, said):
    return tab.get_by_label(f"gold {gold}, says {said}", exact=True)


def middle(place):
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def row_of(tab, gold):
    return [int(cell(tab, gold, said).input_value()) for said in (1, 2, 3)]


@pytest.fixture
def tabs(visit):
    """A tab for each page on a phone, in which links are followed."""
    opened = {}

    def follow(page, fragment):
        if page not in opened:
            opened[page] = visit(page=page, width=390)
        opened[page].evaluate(GO, fragment)
        return opened[page]

    return follow


# All three pages

WIDEST = {
    "explorer": "#gold=" + ",".join(["0,.125"] * 4 + [".5"]) + "&estimate=1" + ",0" * 8,
    "explorer_labels": "#counts=" + "/".join(["999" + ",100" * 6] * 7),
    "explorer_luck": "#task=sem16t4c&measure=kappa&topics=5&draw=101",
}


def test_a_page_opens_without_complaint_and_fits(visit, subtests):
    root = "document.documentElement"
    for page, fragment in WIDEST.items():
        tab = visit(page=page)
        start = shown(tab)
        for width, theme in [(390, "light"), (820, "dark"), (1440, "light")]:
            with subtests.test(page=page, theme=theme, width=width):
                tab.set_viewport_size({"width": width, "height": 900})
                tab.emulate_media(color_scheme=theme)
                tab.wait_for_function(f"t => {root}.dataset.theme === t", arg=theme)
                for there in ("", fragment):
                    tab.evaluate(GO, there)
                    assert tab.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
                assert shown(tab) != start


def test_without_javascript_there_is_a_table(browser, pages, subtests):
    context = browser.new_context(java_script_enabled=False)
    for page, kind in PAGES.items():
        with subtests.test(page=page):
            tab = context.new_page()
            tab.goto((pages / f"{page}.html").as_uri())
            assert tab.locator(".ox-noscript").is_visible()
            assert_scores(tab, expected(PRESETS[page][explorer.START[kind]]))
            assert not tab.locator(".explorer button:visible, .explorer svg:visible").count()
    context.close()


def test_every_preset_is_loaded_and_leads_to_a_link(visit, subtests):
    for page, known in PRESETS.items():
        tab = visit(page=page)
        for name, preset in known.items():
            with subtests.test(page=page, name=name):
                if tab.locator(".ox-preset").count():
                    tab.locator(".ox-preset").select_option(name)
                    assert tab.locator(".ox-preset").input_value() == name
                else:
                    tab.locator(f'a[data-explorer="{name}"]').click()
                assert_scores(tab, expected(preset, tab))
                assert tab.locator(".ox-status").inner_text() == preset["about"]
        linked(tab)
        again = visit("#" + tab.url.split("#")[1], page=page)
        assert shown(again) == shown(tab)
        assert tab.locator(".ox-live").inner_text().endswith(".")


STEPS = [
    ("explorer", "sigir18-c", "sigir18-d"),
    ("explorer", "lq21-181-popularity", "lq21-181-uniform"),
    ("explorer", "farther-2", "farther-3"),
    ("explorer_labels", "near", "far"),
    ("explorer_labels", "majority", "reader"),
    ("explorer_labels", "bold", "bolder"),
]


@pytest.mark.parametrize(("page", "first", "second"), STEPS)
def test_an_experiment_shows_what_became_better_or_worse(page, first, second, visit):
    tab = visit(page=page, width=390)
    for name in (first, second):
        tab.locator(f'a[data-explorer="{name}"]').click()
    assert changes(tab) == compared(PRESETS[page], first, second)


WRONG_LINKS = """
explorer | gold=.1,.2&estimate=.5,.5 | 2 classes; 3 to 9 are possible
explorer | gold=.1,.2,.3&estimate=.5,.5,0 | gold sums to 0.6
explorer | gold=.5,.5,0 | estimate has 0 classes
explorer | gold=.5,.5,0&estimate=.25,.25,.25,.25 | gold has 3 classes and estimate has 4
explorer | gold=%3Cimg%3E,1,0&estimate=1,0,0 | gold: class 1 is not a number
explorer_labels | counts=1 | 1 rows of counts; 2 to 7 are possible
explorer_labels | counts=1,2/3 | row 2 has 1 counts for 2 classes
explorer_labels | counts=1,-2/3,4 | row 1: a count is a whole number from 0
explorer_labels | counts=0,0/0,0 | there is no item
explorer_luck | task=x | there is no task x
explorer_luck | task=sem16t4e&measure=kappa | there is no measure kappa
explorer_luck | task=sem16t4e&measure=NMD&topics=7&draw=1 | samples have 5, 10
explorer_luck | task=sem16t4e&measure=NMD&topics=5&draw=0 | numbered from 1 to 1000
"""


def test_a_wrong_link_is_explained_and_changes_nothing(tabs, subtests):
    for line in WRONG_LINKS.strip().splitlines():
        page, fragment, reason = line.split(" | ")
        with subtests.test(fragment=fragment, reason=reason):
            tab = tabs(page, f"#{fragment}")
            assert reason in tab.locator(".ox-status").inner_text()
            assert_scores(tab, expected(PRESETS[page][explorer.START[PAGES[page]]]))


def test_the_link_can_be_copied(browser, pages):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    with served(pages.parent) as place:
        address = f"{place}/book/explorer.html"
        tab.goto(address)
        tab.locator(".ox-preset").select_option("lq21-b")
        tab.locator(".ox-copy").click()
        tab.wait_for_function("document.querySelector('.ox-status').textContent === 'Link copied.'")
        copied = tab.evaluate("navigator.clipboard.readText()")
        assert copied == f"{address}#gold=.25,.25,.25,.25&estimate=.25,.25,.35,.15"
        context.close()


# What somebody does on a page that a link opened, and the link to what is there then. Resized,
# gold keeps its proportions, and of this estimate nothing is left; so do the other bars through 0.
ACTIONS = """
explorer | gold=.2,.2,.6&estimate=.5,.5,0 | click .ox-swap | gold=.5,.5,0&estimate=.2,.2,.6
explorer | gold=.5,.5,0&estimate=0,0,1 | click .ox-swap, click .ox-reset | gold=.5,.5,0&estimate=0,0,1
explorer | gold=.2,.2,.6&estimate=.5,.5,0 | select .ox-classes 4 | gold=.2,.2,.6,0&estimate=.5,.5,0,0
explorer | gold=.1,.1,.2,.6&estimate=0,0,0,1 | select .ox-classes 3 | gold=.25,.25,.5&estimate=1/3,1/3,1/3
explorer | gold=.2,.2,.6&estimate=0,0,1 | press BAR End, press BAR Home | gold=0,.25,.75&estimate=0,0,1
explorer | gold=.1,.1,.8&estimate=0,0,1 | press BAR PageUp, press BAR ArrowDown | gold=.19,.09,.72&estimate=0,0,1
explorer | gold=0,0,1&estimate=0,1,0 | click .ox-exact>>summary, fill .ox-typed-gold 2;3;0, click .ox-normalise-gold | gold=.4,.6,0&estimate=0,1,0
explorer | gold=.1,.2,.7&estimate=0,1,0 | select .ox-from 1, select .ox-to 2, select .ox-to 3 | gold=.1,.2,.7&estimate=0,.2,.8
explorer_labels | counts=5,1/2,7 | press CELL>>nth=1 ArrowUp | counts=4,2/2,7
explorer_labels | counts=5,1/2,7 | press CELL>>nth=1 PageUp | counts=0,6/2,7
explorer_labels | counts=5,1/2,7 | press CELL>>nth=1 PageDown | counts=6,0/2,7
explorer_labels | counts=5,1/2,7 | fill CELL>>nth=0 12 | counts=6,0/2,7
explorer_labels | counts=5,1/2,7 | fill CELL>>nth=0 3 | counts=3,3/2,7
explorer_labels | counts=5,1/2,7 | uncheck .ox-keep, fill CELL>>nth=0 12 | counts=12,1/2,7
explorer_labels | counts=5,1/2,7 | uncheck .ox-keep, fill CELL>>nth=1 25 | counts=5,25/2,7
explorer_labels | counts=0,0/0,2 | check .ox-keep, fill CELL>>nth=3 0 | counts=0,0/2,0
explorer_labels | counts=0,0/0,2 | uncheck .ox-keep, fill CELL>>nth=3 0 | counts=0,0/0,2
explorer_labels | counts=5,1/2,7 | select .ox-classes 3 | counts=5,1,0/2,7,0/0,0,0
explorer_labels | counts=0,0,0/0,0,0/0,0,2 | select .ox-classes 2 | counts=1,0/0,0
explorer_labels | counts=5,1/2,7 | click .ox-transpose | counts=5,2/1,7
explorer_luck | task=sem16t4e&measure=NMD&topics=5&draw=1 | press .ox-more Enter, click .ox-many, select .ox-topics 10, select .ox-measure JSD | task=sem16t4e&measure=JSD&topics=10&draw=102
explorer_luck | task=sem16t4e&measure=NMD&topics=5&draw=9 | select .ox-task sem16t4c | task=sem16t4c&measure=MAE_M&topics=5&draw=1
"""  # noqa: E501


def test_what_is_done_on_a_page_is_in_the_link_and_in_the_scores(tabs, subtests):
    places = {"BAR": ".ox-bars-gold>>.ox-slider", "CELL": ".ox-cell"}
    for line in ACTIONS.strip().splitlines():
        page, start, actions, end = line.split(" | ")
        with subtests.test(page=page, start=start, actions=actions):
            tab = tabs(page, f"#{start}")
            for action in actions.split(", "):
                how, where, *what = action.split()
                place = tab.locator(re.sub("BAR|CELL", lambda word: places[word[0]], where)).first
                getattr(place, "select_option" if how == "select" else how)(*what)
            assert linked(tab) == of_link(end)
            assert_scores(tab, expected(of_link(end), tab))


def test_only_scores_against_the_same_gold_are_better_or_worse(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.5,.5,0")
    tab.locator(".ox-swap").click()
    symmetric = {name for name, m in QUANTIFICATION.items() if m.symmetric}
    assert named(changes(tab), "same") == symmetric
    assert named(changes(tab), "higher") == set(QUANTIFICATION) - symmetric
    tab.locator(".ox-classes").select_option("5")
    assert set(changes(tab).values()) == {""}, "scores of 3 and of 5 classes are not compared"
    assert not tab.locator(".ox-before:visible").count()
    bar(tab, "estimate", 1).press("ArrowUp")
    assert set(changes(tab).values()) <= {"same", "better", "worse"}
    assert tab.locator(".ox-before:visible").count()


# Distributions


def test_dragging_with_the_mouse(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6")
    before = shown(tab)
    tab.mouse.move(*height_at(tab, "estimate", 1, 0.1))
    tab.mouse.down()
    # Down to nothing and up to everything and back: the others keep their proportions.
    for wanted in (0, 0.5, 1, 0.55):
        tab.mouse.move(*height_at(tab, "estimate", 1, wanted), steps=3)
        assert value(tab, "estimate", 1) == pytest.approx(wanted, abs=0.011)
    tab.mouse.up()
    now = value(tab, "estimate", 1)
    assert value(tab, "estimate", 3) == pytest.approx(2 * value(tab, "estimate", 2), abs=1e-5)
    tab.mouse.move(*height_at(tab, "estimate", 1, 0.2))
    assert value(tab, "estimate", 1) == now, "moving without pressing changes nothing"
    assert linked(tab)["gold"] == [0.2, 0.2, 0.6]
    assert_scores(tab, expected(linked(tab)))
    assert changes(tab)["NMD"] == ("worse" if shown(tab)["NMD"] > before["NMD"] else "better")


def test_a_finger_pulls_a_bar_by_its_end_scrolls_elsewhere_and_taps(visit, subtests):
    for beside in [0, 15, -15]:
        with subtests.test(beside=beside):
            tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6", **PHONE)
            start, end = (height_at(tab, "gold", 1, wanted) for wanted in (0.2, 0.75))
            for place in (start, end):
                place[1] += beside
            scrolled = tab.evaluate("scrollY")
            touching(tab)(start, end)
            assert value(tab, "gold", 1) == pytest.approx(0.75, abs=0.02)
            assert tab.evaluate("scrollY") == scrolled
            assert_scores(tab, expected(linked(tab)))
    tab = visit("#gold=.1,.1,.8&estimate=.1,.3,.6", **PHONE)
    before = shown(tab)
    # Far from the end of any bar of this column: up it scrolls, sideways it is no tap.
    for x_step, y_step in [(0, -120), (120, 0)]:
        x, y = height_at(tab, "gold", 1, 0.7)
        scrolled = tab.evaluate("scrollY")
        touching(tab)((x, y), (x + x_step, y + y_step))
        if y_step:
            tab.wait_for_function(f"scrollY > {scrolled + 60}")
        else:
            assert tab.evaluate("scrollY") == scrolled
        assert shown(tab) == before
    for wanted in [0.85, 0.45, 0.15]:
        tab.touchscreen.tap(*height_at(tab, "gold", 1, wanted))
        assert value(tab, "gold", 1) == pytest.approx(wanted, abs=0.011)


def test_what_is_typed_wrong_is_explained_and_not_taken(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6", width=390)
    tab.locator(".ox-exact summary").click()
    field, error = tab.locator(".ox-typed-gold"), tab.locator(".ox-error-gold")
    for good in (".2,.2,.6", "0.2, 0.2, 3/5", ".2; .2; .6", ".2 .2 .6"):
        field.fill(good)
        assert_scores(tab, of_pair([0.2, 0.2, 0.6], [0.1, 0.3, 0.6]))
    before = shown(tab)
    for typed, reason in [
        ("2 3 0", "gold sums to 5, not to 1: correct it, or press Normalise"),
        ("0.5 0.5", "2 numbers for 3 classes"),
        ("0.5 0.5 a", "class 3 is not a number"),
        ("0,2, 0,2, 0,6", "decimals need a point: 0.2 instead of 0,2"),
        ("1.5 -0.5 0", "class 2 is negative"),
    ]:
        field.fill(typed)
        assert reason in error.inner_text()
        assert field.get_attribute("aria-invalid") == "true"
        assert shown(tab) == before


EDGES = """
explorer | gold=.5,0,.5,0&estimate=.2,.2,.2,.4 | RNOD | no gold in 2, 4
explorer | gold=.5,.25,.25&estimate=.5,.25,.25 | RNOD |
explorer | gold=.4,.3,.3&estimate=.4,.3,.3 | DNKT_NMD | 0 because DNKT and NMD is 0
explorer | gold=.25,.25,.25,.25&estimate=.2,.2,.2,.4 | DNKT | gold uniform: always 0.5
explorer | gold=.01,.01,0,0,.98&estimate=0,0,0,1,0 | RNOD | above 1: possible from five classes on
explorer_labels | counts=0,3/0,0 | kappa | always class 2: 0, whichever it is
explorer_labels | counts=3,0/0,0 | alpha_ord | 0/0: defined as 1
explorer_labels | counts=3,1/0,0 | MAE_M | gold 2 empty: left out
explorer_labels | counts=3,0/1,0 | HMPR | 2 never chosen: precision 0
explorer_labels | counts=3,0/1,1 | kappa |
"""


def test_the_edges_are_explained_beside_the_measure(tabs, subtests):
    for line in EDGES.strip().splitlines():
        page, fragment, measure, note = (part.strip() for part in line.split("|"))
        with subtests.test(fragment=fragment, measure=measure, note=note):
            tab = tabs(page, f"#{fragment}")
            assert tab.locator(f'[data-measure="{measure}"] .ox-note').inner_text() == note


# Labels


def test_cells_are_dragged_sideways(visit):
    tab = visit("#counts=7,3,0/3,7,0/0,0,10", page="explorer_labels")
    x, y = middle(cell(tab, 1, 2))
    tab.mouse.move(x, y)
    tab.mouse.down()
    for step, row in [(12, [5, 5, 0]), (90, [0, 10, 0]), (-30, [10, 0, 0]), (6, [6, 4, 0])]:
        tab.mouse.move(x + step, y, steps=3)
        assert row_of(tab, 1) == row, "gold is kept"
    tab.mouse.up()
    tab.mouse.move(x + 60, y)
    assert row_of(tab, 1) == [6, 4, 0], "moving without pressing changes nothing"
    assert changes(tab)["kappa"] == "worse"
    assert_scores(tab, expected(linked(tab)))
    # So is gold where a right answer is dragged: 30 items stay 30.
    x, y = middle(cell(tab, 2, 2))
    tab.mouse.move(x, y)
    tab.mouse.down()
    for step, row in [(-42, [3, 0, 7]), (12, [1, 9, 0]), (90, [0, 10, 0])]:
        tab.mouse.move(x + step, y, steps=3)
        assert row_of(tab, 2) == row
    tab.mouse.up()
    phone = visit("#counts=7,3,0/3,7,0/0,0,10", page="explorer_labels", **PHONE)
    x, y = middle(cell(phone, 1, 2))
    touching(phone)((x, y), (x + 30, y))
    assert row_of(phone, 1)[1] > 4
    touching(phone)((x, y), (x, y - 120))
    phone.wait_for_function("scrollY > 60")


# Luck


def test_a_draw_shows_what_python_says_of_its_topics(visit):
    tab = visit("#task=sem16t4e&measure=NMD&topics=10&draw=7", page="explorer_luck")
    order = tab.evaluate("ordbookSamples.shuffled(7, 100)")
    scores = explorer._scores("sem16t4e")
    found = of_samples(scores, order, 10)
    for row in tab.locator(".ox-now-table tbody tr").all():
        texts = row.locator("th, td").all_inner_texts()
        tau, tau_all, pairs = found[texts[0]]
        assert [float(texts[1]), float(texts[3])] == pytest.approx([tau, tau_all], abs=0.0051)
        assert texts[4] == ", ".join(map(str, pairs))
    means = [sampled(scores, order[k : k + 10])["NMD"].mean() for k in (0, 50)]
    best = [explorer.NAMES.get(one.idxmin(), one.idxmin()) for one in means]
    summary = f"Draw 7. NMD: best by A {best[0]}, by B {best[1]}"
    assert tab.locator(".ox-summary").inner_text().startswith(summary)
    assert tab.locator(".ox-draws").all_inner_texts() == ["7", "7"]


# Projected


SMALLEST = """[...document.querySelectorAll('.explorer svg text, .explorer :is(th, td, p, button)')]
.filter(one => one.getClientRects().length && one.textContent.trim() && !one.closest('.ox-hidden'))
.map(one => 1.7 * parseFloat(getComputedStyle(one).fontSize))"""


def test_a_projected_explorer_covers_the_page_with_large_text(visit):
    for page in ("explorer", "explorer_labels", "explorer_luck"):
        tab = visit("?view=present", page=page, width=1280)
        box = tab.locator(".explorer").bounding_box()
        assert (box["x"], box["y"], box["width"]) == (0, 0, 1280)
        assert tab.evaluate("document.elementFromPoint(5, 450).closest('.explorer') !== null")
        assert tab.evaluate("getComputedStyle(document.querySelector('.explorer')).zoom") == "1.7"
        assert min(tab.evaluate(SMALLEST)) >= 20, page
        assert "view=present" in tab.url
        if page == "explorer_luck":  # its twelve runs are higher than a projector
            continue
        tab.set_viewport_size({"width": 1280, "height": 720})
        scrolls = "e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]"
        assert max(tab.locator(".explorer").evaluate(scrolls)) <= 0, page
