"""The explorer: its numbers are Python's, and it can be dragged, typed, linked and read aloud."""

import json
import re
import shutil
from types import SimpleNamespace
from urllib.parse import parse_qs

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.measures import QUANTIFICATION
from ordbook.measures.components import dw, md, od
from ordbook.pages.chromium import served
from ordbook.pages.explorer import START, explorer, presets

PRESETS = [SimpleNamespace(**pair) for pair in presets()]
PAIRS = {pair.id: pair for pair in PRESETS}
# Both compute in doubles, in the same order but for sums that numpy may take in another one.
TOLERANCE = 1e-12


def browsing(test):
    """Mark what opens a page, which people do not wait for."""
    return pytest.mark.slow(pytest.mark.browser(test))


def scores(gold, estimate):
    return {name: m.function(gold, estimate) for name, m in QUANTIFICATION.items()}


def random_pairs(n, seed=0):
    """Pairs of 3 to 9 classes: smooth, with zeros, of one class, equal, with ties and near ties."""
    rng = np.random.default_rng(seed)

    def smooth(size):
        return rng.dirichlet(np.ones(size))

    def sparse(size):
        kept = rng.random(size) < 0.5
        kept[rng.integers(size)] = True
        values = rng.dirichlet(np.ones(size)) * kept
        return values / values.sum()

    def single(size):
        return np.eye(size)[rng.integers(size)]

    def votes(size):
        return rng.multinomial(10, np.ones(size) / size) / 10

    def nearly_tied(size):
        values = votes(size) + rng.choice([0, 3e-13, 3e-12], size)
        return values / values.sum()

    def uniform(size):
        return np.ones(size) / size

    kinds = [smooth, sparse, single, votes, nearly_tied, uniform]
    for _ in range(n):
        size = int(rng.integers(3, 10))
        gold = kinds[rng.integers(len(kinds))](size)
        equal = rng.random() < 0.1
        estimate = gold.copy() if equal else kinds[rng.integers(len(kinds))](size)
        yield gold, estimate


@pytest.fixture(scope="module")
def pages(root, build_book, tmp_path_factory):
    """The page built as the book builds it, among empty chapters that hold what it refers to."""
    source, output = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    shutil.copytree(root / "book" / "_static", source / "book" / "_static")
    for name in ("_config.yml", "book/references.bib", "book/references.md", "book/explorer.md"):
        shutil.copy(root / name, source / name)
    chapters = ["measures", "lq21", "dnkt"]
    for name in chapters:
        (source / "book" / f"{name}.md").write_text(f"({name})=\n# The chapter {name}\n")
    files = "".join(f"  - file: book/{name}\n" for name in [*chapters, "references"])
    (source / "_toc.yml").write_text(f"format: jb-book\nroot: book/explorer\nchapters:\n{files}")
    result = build_book(source, output)
    assert result.returncode == 0, result.stdout[-3000:]
    return output / "_build" / "html" / "book"


@pytest.fixture(scope="module")
def numbers(browser, root):
    """A blank page with the pure functions."""
    tab = browser.new_page()
    for name in ("measures.js", "state.js"):
        tab.add_script_tag(path=root / "book" / "_static" / "explorer" / name)
    yield tab
    tab.close()


@pytest.fixture
def visit(browser, pages):
    """Open the page, read from a file, and fail at the end if it complained."""
    contexts, complaints = [], []

    def start(fragment="", width=1440, theme="light", **options):
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
        tab.goto(f"{(pages / 'explorer.html').as_uri()}{fragment}")
        return tab

    yield start
    for context in contexts:
        context.close()
    assert not complaints


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
    """Gold and estimate in the address, once it has settled."""
    before = None
    while before != tab.url:
        before = tab.url
        tab.wait_for_timeout(650)
    fields = parse_qs(tab.url.split("#")[1])
    return tuple([float(x) for x in fields[side][0].split(",")] for side in ("gold", "estimate"))


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
        tab.wait_for_timeout(300)

    def tap(place):
        touch("touchStart", place)
        touch("touchEnd")
        tab.wait_for_timeout(100)

    return swipe, tap


def values(tab):
    """Both sides as they are now."""
    now = "bars => bars.map(b => Number(b.getAttribute('aria-valuenow')))"
    return [tab.eval_on_selector_all(f".ox-bars-{s} .ox-slider", now) for s in ("gold", "estimate")]


def assert_scores(tab, gold, estimate):
    found, expected = shown(tab), scores(gold, estimate)
    assert set(found) == set(QUANTIFICATION)
    assert {n for n in found if abs(found[n] - expected[n]) > TOLERANCE} == set()


def bar(tab, side, number):
    return tab.locator(f".ox-bars-{side} .ox-slider").nth(number - 1)


def value(tab, side, number):
    return float(bar(tab, side, number).get_attribute("aria-valuenow"))


def height_at(tab, side, number, wanted):
    """Where on the page the end of a bar stands that has this probability."""
    bar(tab, side, number).scroll_into_view_if_needed()
    place = tab.evaluate(
        """([side, k, wanted]) => {
          const svg = document.querySelector(`.ox-bars-${side}`);
          const lines = [...svg.querySelectorAll(".ox-grid")].map(l => l.getBoundingClientRect());
          const hit = svg.querySelectorAll(".ox-hit")[k].getBoundingClientRect();
          const [zero, one] = [lines[0].y, lines[2].y];
          return [hit.x + hit.width / 2, zero + wanted * (one - zero)];
        }""",
        [side, number - 1, wanted],
    )
    return place


# The numbers


@browsing
def test_a_thousand_pairs_score_as_in_python(numbers):
    pairs = list(random_pairs(1000))
    data = json.dumps([[g.tolist(), p.tolist()] for g, p in pairs])
    found, parts = (
        numbers.evaluate(
            f"text => JSON.parse(text).map(([g, p]) => ordbookMeasures.{name}(g, p))", data
        )
        for name in ("all", "parts")
    )
    worst = dict.fromkeys(QUANTIFICATION, 0.0)
    for (gold, estimate), theirs in zip(pairs, found, strict=True):
        assert list(theirs) == list(QUANTIFICATION), "the order of the registry"
        for name, score in scores(gold, estimate).items():
            worst[name] = max(worst[name], abs(theirs[name] - score))
    assert {name: d for name, d in worst.items() if not d <= TOLERANCE} == {}
    # What the two pictures draw.
    for (gold, estimate), drawn in zip(pairs, parts, strict=True):
        np.testing.assert_allclose(drawn["dw"], dw(gold, estimate), atol=TOLERANCE, rtol=0)
        assert drawn["od"] == pytest.approx(od(gold, estimate), abs=TOLERANCE)
        assert sum(drawn["differences"]) == pytest.approx(md(gold, estimate), abs=TOLERANCE)
        assert np.flatnonzero(drawn["supported"]).tolist() == np.flatnonzero(gold > 1e-12).tolist()
    # The pairs have what is said of them.
    golds = [g for g, _ in pairs]
    assert {len(g) for g in golds} == set(range(3, 10))
    assert sum((g == 0).any() for g in golds) > 100
    assert sum(g.max() == 1 for g in golds) > 50
    assert sum(np.array_equal(g, p) for g, p in pairs) > 50


# What the presets and the prose say


def test_presets_have_the_numbers_that_the_papers_print():
    a, b = PAIRS["lq21-a"], PAIRS["lq21-b"]
    np.testing.assert_allclose(dw(a.gold, a.estimate), [0.03, 0.01, 0.01, 0.03], atol=1e-9)
    np.testing.assert_allclose(dw(b.gold, b.estimate), [0.05, 0.03, 0.01, 0.01], atol=1e-9)
    assert od(a.gold, a.estimate) == pytest.approx(0.020)
    assert od(b.gold, b.estimate) == pytest.approx(0.025)
    printed = {"sigir18-x": (0.0390, 0.1414), "sigir18-y": (0.0490, 0.1732)}
    for name, (jsd, rnss) in printed.items():
        pair = PAIRS[name].gold, PAIRS[name].estimate
        assert round(ob.jsd(*pair), 4) == jsd
        assert round(ob.rnss(*pair), 4) == rnss
        assert ob.measures.vd(*pair) == pytest.approx(0.4)
    deltas = {"181": (-0.150, 0.115), "18": (0, 0.263)}
    for dialogue, expected in deltas.items():
        pairs = [PAIRS[f"lq21-{dialogue}-{run}"] for run in ("popularity", "uniform")]
        for measure, delta in zip((ob.nmd, ob.rnod), expected, strict=True):
            first, second = (measure(pair.gold, pair.estimate) for pair in pairs)
            assert round(first - second, 3) == pytest.approx(delta, abs=1e-9)


def test_a_preset_is_a_pair_of_distributions():
    for pair in PRESETS:
        with case(pair):
            assert 3 <= len(pair.gold) == len(pair.estimate) <= 9
            assert sum(pair.gold) == pytest.approx(1, abs=1e-12)
            assert sum(pair.estimate) == pytest.approx(1, abs=1e-12)
            assert pair.about.endswith(".")
            assert len([other for other in PRESETS if other.id == pair.id]) == 1


def compared(first, second):
    """What becomes of each measure from the first pair to the second."""
    before, after = (scores(PAIRS[name].gold, PAIRS[name].estimate) for name in (first, second))
    steps = {name: after[name] - before[name] for name in before}
    return {
        n: "same" if abs(d) <= 1e-12 else "worse" if d > 0 else "better" for n, d in steps.items()
    }


def test_the_experiments_show_what_the_page_says():
    far = compared("sigir18-c", "sigir18-d")
    assert {far[n] for n, m in QUANTIFICATION.items() if m.ordinal} == {"worse"}
    assert {far[n] for n, m in QUANTIFICATION.items() if not m.ordinal} == {"same"}
    end = compared("lq21-a", "lq21-b")
    assert (end["NMD"], end["RNOD"]) == ("same", "worse")
    a, b = (dw(PAIRS[name].gold, PAIRS[name].estimate) for name in ("lq21-a", "lq21-b"))
    assert np.sign((b - a).round(12)).tolist() == [1, 1, 0, -1]
    baselines = compared("lq21-181-popularity", "lq21-181-uniform")
    assert baselines["NMD"] == "worse"
    popular = {"NMD", "DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
    assert {n for n, word in baselines.items() if word == "worse"} == popular
    assert [n for n, word in baselines.items() if word == "better"] == [
        n for n in QUANTIFICATION if n not in popular
    ]
    assert len(QUANTIFICATION) - len(popular) == 8
    pair = PAIRS["asymmetry"]
    there, back = scores(pair.gold, pair.estimate), scores(pair.estimate, pair.gold)
    assert there["NMD"] == pytest.approx(back["NMD"], abs=1e-12)
    assert abs(there["RNOD"] - back["RNOD"]) > 0.01
    pair = PAIRS["dnkt-priorities"]
    kept = scores(pair.gold, pair.estimate)
    assert {n for n in kept if kept[n] == 0} == {"DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
    # The first bar pulled just below the second, the others in proportion.
    pulled = [0.29, *(np.array(pair.estimate[1:]) * 0.71 / 0.69)]
    assert pulled[0] < pulled[1]
    assert ob.dnkt(pair.gold, pulled) > 0
    assert ob.rnod(PAIRS["above-one"].gold, PAIRS["above-one"].estimate) > 1


def test_every_word_of_the_experiments_leads_to_a_preset(root):
    text = (root / "book" / "explorer.md").read_text(encoding="utf-8")
    names = re.findall(r'data-explorer="([^"]+)"', text)
    assert len(names) > 7
    assert set(names) <= set(PAIRS)


def test_every_measure_leads_to_its_definition(root):
    chapter = (root / "book" / "measures.ipynb").read_text(encoding="utf-8")
    anchors = set(re.findall(r'href="measures\.html#([\w-]+)"', explorer()._repr_html_()))
    assert len(anchors) == 4
    assert {a for a in anchors if f"({a})=" not in chapter} == set()


# The page


@browsing
def test_the_page_opens_without_complaint_and_fits(visit):
    for width in [390, 820, 1440]:
        for theme in ["light", "dark"]:
            with case(theme, width):
                tab = visit(width=width, theme=theme)
                assert tab.evaluate("document.documentElement.dataset.theme") == theme
                for fragment in (
                    "",
                    "#gold=" + ",".join(["0,.125"] * 4 + [".5"]) + "&estimate=1" + ",0" * 8,
                ):
                    tab.evaluate("text => { location.hash = text }", fragment)
                    tab.wait_for_timeout(100)
                    root = "document.documentElement"
                    overflow = f"{root}.scrollWidth - {root}.clientWidth"
                    assert tab.evaluate(overflow) <= 0
                assert tab.locator(".ox-bars-gold .ox-slider").count() == 9
                assert_scores(tab, [0, 0.125] * 4 + [0.5], [1] + [0] * 8)


@browsing
def test_without_javascript_there_is_a_table(browser, pages):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto((pages / "explorer.html").as_uri())
    assert tab.locator(".ox-noscript").is_visible()
    assert tab.locator("tr[data-measure]").count() == len(QUANTIFICATION)
    assert_scores(tab, PAIRS[START].gold, PAIRS[START].estimate)
    assert not tab.locator(".explorer button:visible, .explorer svg:visible").count()
    context.close()


@browsing
def test_every_preset_can_be_chosen(visit):
    tab = visit()
    for pair in PRESETS:
        tab.locator(".ox-preset").select_option(pair.id)
        assert_scores(tab, pair.gold, pair.estimate)
        assert tab.locator(".ox-status").inner_text() == pair.about
        assert tab.locator(".ox-preset").input_value() == pair.id


STEPS = [
    ("sigir18-c", "sigir18-d"),
    ("lq21-a", "lq21-b"),
    ("lq21-181-popularity", "lq21-181-uniform"),
]


@browsing
def test_an_experiment_shows_what_became_better_or_worse(visit):
    for first, second in STEPS:
        with case(first, second):
            tab = visit(width=390)
            for name in (first, second):
                tab.locator(f'a[data-explorer="{name}"]').click()
            assert changes(tab) == compared(first, second)


@browsing
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
    gold, estimate = linked(tab)
    assert gold == [0.2, 0.2, 0.6]
    assert_scores(tab, gold, estimate)
    assert shown(tab) != before
    assert changes(tab)["NMD"] == ("worse" if shown(tab)["NMD"] > before["NMD"] else "better")


@browsing
def test_a_finger_pulls_a_bar_by_its_end_and_does_not_scroll(visit):
    for beside in [0, 15, -15]:
        with case(beside):
            tab = visit(
                "#gold=.2,.2,.6&estimate=.1,.3,.6", width=390, has_touch=True, is_mobile=True
            )
            start, end = (height_at(tab, "gold", 1, wanted) for wanted in (0.2, 0.75))
            for place in (start, end):
                place[1] += beside
            scrolled = tab.evaluate("scrollY")
            swipe, _ = touching(tab)
            swipe(start, end)
            assert value(tab, "gold", 1) == pytest.approx(0.75, abs=0.02)
            assert tab.evaluate("scrollY") == scrolled
            assert_scores(tab, *linked(tab))


@browsing
def test_a_finger_that_scrolls_over_a_chart_leaves_the_pair(visit):
    tab = visit("#gold=.1,.1,.8&estimate=.1,.3,.6", width=390, has_touch=True, is_mobile=True)
    before, scores_before = values(tab), shown(tab)
    x, y = height_at(tab, "gold", 1, 0.7)  # far from the end of any bar of this column
    scrolled = tab.evaluate("scrollY")
    swipe, _ = touching(tab)
    swipe((x, y), (x, y - 120))
    assert tab.evaluate("scrollY") > scrolled + 60
    assert values(tab) == before
    assert shown(tab) == scores_before
    # Sideways nothing scrolls; that is no tap either.
    x, y = height_at(tab, "gold", 1, 0.7)
    swipe((x, y), (x + 120, y))
    assert values(tab) == before


@browsing
def test_a_tap_sets_a_bar(visit):
    for wanted in [0.85, 0.45, 0.15]:
        with case(wanted):
            tab = visit(
                "#gold=.1,.1,.8&estimate=.1,.3,.6", width=390, has_touch=True, is_mobile=True
            )
            place = height_at(tab, "gold", 1, wanted)
            scrolled = tab.evaluate("scrollY")
            _, tap = touching(tab)
            tap(place)
            assert value(tab, "gold", 1) == pytest.approx(wanted, abs=0.011)
            assert tab.evaluate("scrollY") == scrolled
            assert_scores(tab, *linked(tab))


@browsing
def test_each_bar_is_a_slider_for_the_keyboard(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6")
    slider = bar(tab, "gold", 1)
    slider.focus()
    for attribute, expected in {
        "role": "slider",
        "aria-label": "gold, class 1",
        "aria-valuemin": "0",
        "aria-valuemax": "1",
        "tabindex": "0",
    }.items():
        assert slider.get_attribute(attribute) == expected
    for key, expected in [
        ("ArrowUp", 0.21),
        ("ArrowRight", 0.22),
        ("ArrowDown", 0.21),
        ("ArrowLeft", 0.2),
        ("PageUp", 0.3),
        ("PageDown", 0.2),
        ("End", 1),
        ("ArrowUp", 1),
        ("Home", 0),
        ("ArrowDown", 0),
        ("PageUp", 0.1),
    ]:
        tab.keyboard.press(key)
        assert value(tab, "gold", 1) == expected
    # Through 1 and 0 the others have kept their proportions.
    assert value(tab, "gold", 2) == pytest.approx(0.9 / 4)
    assert value(tab, "gold", 3) == pytest.approx(2.7 / 4)
    assert_scores(tab, *linked(tab))
    assert (
        tab.locator(".ox-live").inner_text().startswith(f"NMD {shown(tab)['NMD']:.3f}".rstrip("0"))
    )
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "gold, class 2"


@browsing
def test_a_link_is_restored_on_load_and_when_it_changes(visit):
    tab = visit("#gold=.1,.2,.3,.4&estimate=1/4,.25,.25,.25")
    assert_scores(tab, [0.1, 0.2, 0.3, 0.4], [0.25] * 4)
    assert tab.locator(".ox-classes").input_value() == "4"
    tab.evaluate("location.hash = '#gold=0,0,1&estimate=1,0,0'")
    tab.wait_for_timeout(100)
    assert_scores(tab, [0, 0, 1], [1, 0, 0])
    third = [1 / 3] * 3
    tab.evaluate(
        "text => { location.hash = text }", f"gold=0,0,1&estimate={','.join(map(str, third))}"
    )
    tab.wait_for_timeout(100)
    gold, estimate = linked(tab)
    assert (gold, estimate) == ([0, 0, 1], third)
    reopened = visit("#" + tab.url.split("#")[1])
    assert shown(reopened) == shown(tab)


WRONG_LINKS = [
    ("#gold=.1,.2&estimate=.5,.5", "2 classes; 3 to 9 are possible"),
    ("#gold=.1,.2,.3&estimate=.5,.5,0", "gold sums to 0.6"),
    ("#gold=.5,.5,0&estimate=.5,.5,x", "estimate: class 3 is not a number"),
    ("#gold=.5,.5,0", "estimate has 0 classes"),
    ("#gold=.5,.5,0&estimate=.25,.25,.25,.25", "gold has 3 classes and estimate has 4"),
    ("#gold=%3Cimg%3E,1,0&estimate=1,0,0", "gold: class 1 is not a number"),
]


@browsing
def test_a_wrong_link_is_explained_and_changes_nothing(visit):
    for fragment, reason in WRONG_LINKS:
        with case(fragment, reason):
            tab = visit(fragment)
            assert reason in tab.locator(".ox-status").inner_text()
            assert_scores(tab, PAIRS[START].gold, PAIRS[START].estimate)


@browsing
def test_the_link_can_be_copied(browser, pages, visit):
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
    assert_scores(visit("#" + copied.split("#")[1]), PAIRS["lq21-b"].gold, PAIRS["lq21-b"].estimate)


@browsing
def test_swap_reset_and_the_number_of_classes(visit):
    pair = PAIRS["asymmetry"]
    tab = visit()
    tab.locator(".ox-preset").select_option(pair.id)
    tab.locator(".ox-swap").click()
    assert_scores(tab, pair.estimate, pair.gold)
    assert set(changes(tab).values()) == {"same", "higher"}, "the gold is another one"
    moved = {name for name, word in changes(tab).items() if word != "same"}
    symmetric = {name for name, m in QUANTIFICATION.items() if m.symmetric}
    assert moved == set(QUANTIFICATION) - symmetric
    tab.locator(".ox-reset").click()
    assert_scores(tab, pair.gold, pair.estimate)
    tab.locator(".ox-classes").select_option("5")
    assert_scores(tab, (*pair.gold, 0, 0), (*pair.estimate, 0, 0))
    assert set(changes(tab).values()) == {""}, "scores of 3 and of 5 classes are not compared"
    assert tab.locator(".ox-change").all_inner_texts() == [""] * len(QUANTIFICATION)
    assert not tab.locator(".ox-before:visible").count()
    bar(tab, "estimate", 1).press("ArrowUp")
    assert set(changes(tab).values()) <= {"same", "better", "worse"}
    assert tab.locator(".ox-before:visible").count()
    bar(tab, "gold", 1).press("ArrowUp")
    assert set(changes(tab).values()) <= {"same", "lower", "higher"}
    tab.locator(".ox-preset").select_option("lq21-181-popularity")
    tab.locator(".ox-classes").select_option("3")
    gold, estimate = linked(tab)
    # What is left of gold keeps its proportions; of the estimate nothing is left.
    np.testing.assert_allclose(gold, [0, 1 / 3, 2 / 3], atol=1e-11)
    assert estimate == [1 / 3] * 3
    assert_scores(tab, gold, estimate)


@browsing
def test_numbers_can_be_typed_and_normalised(visit):
    tab = visit("#gold=.2,.2,.6&estimate=.1,.3,.6", width=390)
    tab.locator(".ox-exact summary").click()
    field, error = tab.locator(".ox-typed-gold"), tab.locator(".ox-error-gold")
    field.fill("0.123456789 .376543211 1/2")
    assert_scores(tab, [0.123456789, 0.376543211, 0.5], [0.1, 0.3, 0.6])
    for good in (".2,.2,.6", "0.2, 0.2, 0.6", ".2; .2; .6", ".2 .2 .6"):
        field.fill(good)
        assert_scores(tab, [0.2, 0.2, 0.6], [0.1, 0.3, 0.6])
    before = shown(tab)
    for typed, reason in [
        ("2 3 0", "gold sums to 5, not to 1: correct it, or press Normalise"),
        ("0.5 0.5", "2 numbers for 3 classes"),
        ("0.5 0.5 a", "class 3 is not a number"),
        ("0,2 0,2 0,6", "decimals need a point: 0.2 instead of 0,2"),
        ("0,2; ,2; ,6", "decimals need a point: 0.2 instead of 0,2"),
        ("0,2, 0,2, 0,6", "decimals need a point: 0.2 instead of 0,2"),
        ("1.5 -0.5 0", "class 2 is negative"),
    ]:
        field.fill(typed)
        assert reason in error.inner_text()
        assert field.get_attribute("aria-invalid") == "true"
        assert shown(tab) == before, "what is wrong is not taken"
    tab.locator(".ox-normalise-gold").click()
    assert "from 0 on" in error.inner_text()
    field.fill("2 3 0")
    tab.locator(".ox-normalise-gold").click()
    assert error.inner_text() == ""
    assert field.input_value() == "0.4 0.6 0"
    assert_scores(tab, [0.4, 0.6, 0], [0.1, 0.3, 0.6])


EDGES = [
    ("#gold=.5,0,.5,0&estimate=.2,.2,.2,.4", "RNOD", "no gold in 2, 4"),
    ("#gold=.25,.25,.25,.25&estimate=.2,.2,.2,.4", "DNKT", "gold uniform: always 0.5"),
    ("#gold=.25,.25,.25,.25&estimate=.25,.25,.25,.25", "DNKT_NMD", "0 because NMD is 0"),
    ("#gold=.4,.3,.2,.1&estimate=.7,.2,.1,0", "DNKT_JSD", "0 because DNKT is 0"),
    (
        "#gold=.01,.01,0,0,.98&estimate=0,0,0,1,0",
        "RNOD",
        "above 1: possible from five classes on",
    ),
    ("#gold=.01,.01,0,0,.98&estimate=0,0,0,1,0", "JSD", ""),
]


@browsing
def test_the_edges_are_explained_beside_the_measure(visit):
    for fragment, measure, note in EDGES:
        with case(fragment, measure, note):
            tab = visit(fragment)
            assert tab.locator(f'[data-measure="{measure}"] .ox-note').inner_text() == note


def test_no_measure_exceeds_1_below_five_classes():
    """As the remark beside RNOD, RSNOD and DNKT_RNOD says."""
    for name, measure in QUANTIFICATION.items():
        assert measure.bounds(4)[1] <= 1
        assert (measure.bounds(5)[1] > 1) == (name in {"RNOD", "RSNOD", "DNKT_RNOD"})


@browsing
def test_numbers_for_the_eye_are_rounded_alike_and_half_up(numbers):
    halves = [(2 * k + 1) / 2000 for k in range(1000)]
    expected = [f"{k + 1}" for k in range(1000)]
    for noise in (0, 1e-15, -1e-15):
        found = numbers.evaluate(
            "xs => xs.map(x => ordbookExplorerState.show(x))", [x + noise for x in halves]
        )
        assert [f"{round(1000 * float(x))}" for x in found] == expected
    shown_four = "x => [ordbookExplorerState.show(x, 4), ordbookExplorerState.fixed(x, 4)]"
    assert numbers.evaluate(shown_four, 0.1 + 0.1 + 0.1 - 0.05005) == ["0.25", "0.2500"]
    assert numbers.evaluate(shown_four, 0.23745) == ["0.2375", "0.2375"]
