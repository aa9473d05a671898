"""The explorers in a browser: dragged, typed, stepped, linked, projected, and in chapters."""

import re

import numpy as np
import pytest

from helpers.browsing import open_files
from helpers.explorers import (
    PAGES,
    PRESETS,
    TOLERANCE,
    expected,
    named,
    of_link,
)
from ordbook.measures import QUANTIFICATION
from ordbook.pages import explorer

pytestmark = [pytest.mark.slow, pytest.mark.browser]
PHONE = {"width": 390, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def visit(browser, built_book):
    """Open a page from its file, and fail at the end if it complained or asked for anything."""
    with open_files(browser) as start:
        yield lambda fragment="", page="explorer", width=1440, **options: start(
            f"{(built_book / 'book' / page).as_uri()}.html{fragment}", width, **options
        )


@pytest.fixture(scope="module")
def tabs(visit):
    """A tab for each page on a phone, in which links are followed."""
    opened = {page: visit(page=page, width=390) for page in PAGES}

    def follow(page, fragment):
        opened[page].evaluate(
            """(text) => new Promise((done) => {
              if (location.hash === text) return done();
              addEventListener("hashchange", () => setTimeout(done), { once: true });
              location.hash = text;
            })""",
            fragment,
        )
        return opened[page]

    return follow


def told(tab, selector, key):
    """By measure, what an element of its row holds."""
    return dict(
        tab.eval_on_selector_all(
            "tr[data-measure]",
            f"""rows => rows.map(row =>
              [row.dataset.measure, row.querySelector('{selector}').dataset.{key} || ''])""",
        )
    )


def shown(tab):
    """The scores on the page, with all their digits."""
    return {name: float(value) for name, value in told(tab, ".ox-score", "value").items()}


def assert_scores(tab, scores):
    assert shown(tab) == pytest.approx(scores, abs=TOLERANCE, rel=0)


def linked(tab):
    """The state in the address, once it has settled."""
    tab.wait_for_function("!document.querySelector('.explorer').dataset.changing")
    return of_link(tab.url.split("#")[1])


def bar(tab, side, number):
    return tab.get_by_label(f"{side}, class {number}", exact=True)


def value(tab, side, number):
    return float(bar(tab, side, number).input_value())


def height_at(tab, side, number, wanted):
    """Where on the page the end of a bar stands that has this probability."""
    bar(tab, side, number).scroll_into_view_if_needed()
    box = bar(tab, side, number).bounding_box()
    length = box["height"] - 40  # half a thumb more at both ends
    return [box["x"] + box["width"] / 2, box["y"] + 20 + (1 - wanted) * length]


def swiping(tab):
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
        tab.wait_for_timeout(300)

    return swipe


def middle(place):
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def cell(tab, gold, said):
    return tab.get_by_label(f"gold {gold}, says {said}", exact=True)


def row_of(tab, gold):
    return [int(cell(tab, gold, said).input_value()) for said in (1, 2, 3)]


WIDEST = {
    "explorer": "#gold=" + ",".join(["0,.125"] * 4 + [".5"]) + "&estimate=1" + ",0" * 8,
    "explorer_labels": "#counts=" + "/".join(["999" + ",100" * 6] * 7),
    "explorer_luck": "#task=sem16t4c&measure=kappa&topics=5&draw=101",
}


def test_the_widest_states_fit_on_a_phone(tabs):
    root = "document.documentElement"
    for page, fragment in WIDEST.items():
        assert tabs(page, fragment).evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0


def test_without_javascript_there_is_a_table(browser, built_book):
    context = browser.new_context(java_script_enabled=False)
    for page, kind in PAGES.items():
        tab = context.new_page()
        tab.goto((built_book / "book" / f"{page}.html").as_uri())
        assert tab.locator(".ox-noscript").is_visible()
        assert_scores(tab, expected(PRESETS[page][explorer.START[kind]]))
        assert not tab.locator(".explorer button:visible, .explorer svg:visible").count()
    context.close()


WRONG_LINKS = """
explorer | gold=.1,.2&estimate=.5,.5 | 2 classes; 3 to 9 are possible
explorer | gold=%3Cimg%3E,1,0&estimate=1,0,0 | gold: class 1 is not a number
explorer_labels | counts=1,2/3 | row 2 has 1 counts for 2 classes
explorer_luck | task=sem16t4e&measure=kappa | there is no measure kappa
"""


def test_a_wrong_link_is_explained_and_changes_nothing(tabs):
    for line in WRONG_LINKS.strip().splitlines():
        page, fragment, reason = line.split(" | ")
        before = shown(tabs(page, ""))
        tab = tabs(page, f"#{fragment}")
        assert reason in tab.locator(".ox-status").inner_text()
        assert shown(tab) == before


# What somebody does on a page that a link opened, and the link to what is there then. Resized,
# gold keeps its proportions, and of this estimate nothing is left; so do the other bars through 0.
ACTIONS = """
explorer | gold=.2,.2,.6&estimate=.5,.5,0 | click .ox-swap | gold=.5,.5,0&estimate=.2,.2,.6
explorer | gold=.5,.5,0&estimate=0,0,1 | click .ox-swap, click .ox-reset | gold=.5,.5,0&estimate=0,0,1
explorer | gold=.1,.1,.2,.6&estimate=0,0,0,1 | select .ox-classes 3 | gold=.25,.25,.5&estimate=1/3,1/3,1/3
explorer | gold=.2,.2,.6&estimate=0,0,1 | press BAR End, press BAR Home | gold=0,.25,.75&estimate=0,0,1
explorer | gold=.1,.1,.8&estimate=0,0,1 | press BAR PageUp, press BAR ArrowDown | gold=.19,.09,.72&estimate=0,0,1
explorer | gold=0,0,1&estimate=0,1,0 | click .ox-exact>>summary, fill .ox-typed-gold 2;3;0, click .ox-normalise-gold | gold=.4,.6,0&estimate=0,1,0
explorer | gold=.1,.2,.7&estimate=0,1,0 | select .ox-from 1, select .ox-to 3 | gold=.1,.2,.7&estimate=0,.2,.8
explorer | gold=.1,.2,.7&estimate=0,1,0 | select .ox-preset lq21-a | gold=.25,.25,.25,.25&estimate=.25,.35,.15,.25
explorer_labels | counts=5,1/2,7 | press CELL>>nth=1 ArrowUp | counts=4,2/2,7
explorer_labels | counts=5,1/2,7 | fill CELL>>nth=0 12 | counts=6,0/2,7
explorer_labels | counts=5,1/2,7 | uncheck .ox-keep, fill CELL>>nth=1 25, check .ox-keep | counts=5,25/2,7
explorer_labels | counts=5,1/2,7 | select .ox-classes 3, click .ox-transpose | counts=5,2,0/1,7,0/0,0,0
explorer_luck | task=sem16t4e&measure=NMD&topics=5&draw=1 | press .ox-more Enter, click .ox-many, select .ox-topics 10, select .ox-measure JSD | task=sem16t4e&measure=JSD&topics=10&draw=102
explorer_luck | task=sem16t4e&measure=NMD&topics=5&draw=9 | select .ox-task sem16t4c | task=sem16t4c&measure=MAE_M&topics=5&draw=1
"""  # noqa: E501


def test_what_is_done_on_a_page_is_in_the_link_and_in_the_scores(tabs, subtests):
    places = {"BAR": ".ox-bars-gold>>input", "CELL": ".ox-cell"}
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


def test_a_mouse_drags_a_bar_and_the_others_keep_their_proportions(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6")
    tab.mouse.move(*height_at(tab, "estimate", 1, 0.1))
    tab.mouse.down()
    for wanted in (0, 0.5, 1, 0.55):
        tab.mouse.move(*height_at(tab, "estimate", 1, wanted), steps=3)
        assert value(tab, "estimate", 1) == pytest.approx(wanted, abs=0.021)
    tab.mouse.up()
    now = linked(tab)
    assert now["gold"] == [0.2, 0.2, 0.6]
    assert now["estimate"][2] == pytest.approx(2 * now["estimate"][1], abs=1e-5)
    assert_scores(tab, expected(now))
    assert told(tab, ".ox-change", "change")["NMD"] == "worse"
    tab.locator(".ox-swap").click()
    symmetric = {name for name, m in QUANTIFICATION.items() if m.symmetric}
    assert named(told(tab, ".ox-change", "change"), "same") >= symmetric
    assert not named(told(tab, ".ox-change", "change"), "worse"), "gold is another one"


def test_a_finger_pulls_a_bar_by_its_end_and_scrolls_elsewhere(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6", **PHONE)
    start, end = (height_at(tab, "gold", 1, wanted) for wanted in (0.2, 0.75))
    scrolled = tab.evaluate("scrollY")
    swiping(tab)(start, end)
    assert value(tab, "gold", 1) == pytest.approx(0.75, abs=0.04)
    assert tab.evaluate("scrollY") == scrolled
    before = shown(tab)
    x, y = height_at(tab, "gold", 2, 0.9)
    swiping(tab)((x, y), (x, y - 150))
    tab.wait_for_function(f"scrollY > {scrolled + 60}")
    assert shown(tab) == before


def test_what_is_typed_wrong_is_explained_and_not_taken(tabs):
    tab = tabs("explorer", "#gold=.2,.2,.6&estimate=.1,.3,.6")
    if not tab.locator(".ox-typed-gold").is_visible():
        tab.locator(".ox-exact summary").click()
    before = shown(tab)
    for typed, reason in [
        ("2 3 0", "gold sums to 5, not to 1: correct it, or press Normalise"),
        ("0.5 0.5", "2 numbers for 3 classes"),
        ("0,2, 0,2, 0,6", "decimals need a point: 0.2 instead of 0,2"),
        ("1.5 -0.5 0", "class 2 is negative"),
    ]:
        tab.locator(".ox-typed-gold").fill(typed)
        assert reason in tab.locator(".ox-error-gold").inner_text()
        assert shown(tab) == before


EDGES = """
explorer | gold=.5,0,.5,0&estimate=.2,.2,.2,.4 | RNOD | no gold in 2, 4
explorer | gold=.25,.25,.25,.25&estimate=.2,.2,.2,.4 | DNKT | gold uniform: always 0.5
explorer | gold=.01,.01,0,0,.98&estimate=0,0,0,1,0 | RNOD | above 1: possible from five classes on
explorer_labels | counts=3,0/0,0 | alpha_ord | 0/0: defined as 1
explorer_labels | counts=3,1/0,0 | MAE_M | gold 2 empty: left out
"""


def test_the_edges_are_explained_beside_the_measure(tabs):
    for line in EDGES.strip().splitlines():
        page, fragment, measure, note = line.split(" | ")
        tab = tabs(page, f"#{fragment}")
        assert tab.locator(f'[data-measure="{measure}"] .ox-note').inner_text() == note


def test_cells_are_dragged_sideways_and_gold_is_kept(visit):
    tab = visit("#counts=7,3,0/3,7,0/0,0,10", page="explorer_labels")
    x, y = middle(cell(tab, 1, 2))
    tab.mouse.move(x, y)
    tab.mouse.down()
    for step, row in [(12, [5, 5, 0]), (90, [0, 10, 0]), (-30, [10, 0, 0]), (6, [6, 4, 0])]:
        tab.mouse.move(x + step, y, steps=3)
        assert row_of(tab, 1) == row
    tab.mouse.up()
    assert_scores(tab, expected(linked(tab)))
    phone = visit("#counts=7,3,0/3,7,0/0,0,10", page="explorer_labels", **PHONE)
    x, y = middle(cell(phone, 1, 2))
    swiping(phone)((x, y), (x + 30, y))
    assert row_of(phone, 1)[1] > 4
    swiping(phone)((x, y), (x, y - 120))
    phone.wait_for_function("scrollY > 60")


SMALLEST = """Math.min(...[...document.querySelectorAll(
  '.explorer svg text, .explorer :is(th, td, p, button)')]
.filter(one => one.getClientRects().length && one.textContent.trim()
  && !one.closest('.visually-hidden'))
.map(one => 1.7 * parseFloat(getComputedStyle(one).fontSize)))"""
SCROLLS = "e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]"


def test_a_projected_explorer_fits_with_large_text(visit):
    for page in PAGES:
        tab = visit(f"?view=present{WIDEST[page] if page == 'explorer_luck' else ''}", page=page)
        tab.set_viewport_size({"width": 1280, "height": 720})
        box = tab.locator(".explorer").bounding_box()
        assert (box["x"], box["y"], box["width"]) == (0, 0, 1280)
        assert tab.evaluate(SMALLEST) >= 20, page
        assert max(tab.locator(".explorer").evaluate(SCROLLS)) <= 0, page


@pytest.mark.parametrize(
    ("page", "kind", "start", "move"),
    [
        ("measures", "explorer", "week-bold", "input[type=range] >> nth=0"),
        ("choosing", "explorer_labels", "bold", ".ox-cell >> nth=5"),
    ],
)
def test_a_chapter_has_one_picture_and_leads_to_the_whole(visit, page, kind, start, move):
    tab = visit(page=page)
    assert_scores(tab, expected(PRESETS[kind][start]))
    assert tab.locator(".explorer .ox-view:visible").count() == 1
    assert tab.locator(".explorer tr[data-measure]:visible").count() == 6
    tab.locator(".explorer").locator(move).press("ArrowUp")
    now = shown(tab)
    assert now != expected(PRESETS[kind][start])
    tab.locator(".ox-onward").click()
    tab.wait_for_url(f"**/{kind}.html#**")  # states of labels hold slashes
    assert shown(tab) == now
