"""The built pages as a browser shows them: three widths, light and dark, no network.

A page is loaded on a phone and on a desktop; the other widths and themes are reached from there, as
by turning the phone or at sunset. Other sides of the pages: ``test_pages_*.py``.
"""

import itertools
import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from helpers.browsing import THEMES, WIDTHS, Watch, open_profile, settle
from helpers.chromium import served
from helpers.page_scripts import BOXES, CONTRAST, FIGURES, INSPECT

pytestmark = [pytest.mark.slow, pytest.mark.browser]

# Where a page is loaded -> the widths it is then looked at, each in both themes.
LOADS = {(390, "light"): (390, 820), (1440, "dark"): (1440,)}
assert sorted(width for widths in LOADS.values() for width in widths) == sorted(WIDTHS)

VERDICTS = ("recomputed", "within-chance", "consistent", "contradicted", "unchecked")
# Pixels of the smallest label of a figure, on a phone too.
LEAST_LABEL = 8
# In bytes, as a server without compression sends them.
FIRST_PAGE, ANY_PAGE = 1_250_000, 4_000_000


def show_theme(tab, theme: str) -> None:
    """Change the theme as the system does at sunset."""
    tab.emulate_media(color_scheme=theme)
    tab.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)


def problems_of(facts: dict) -> dict[str, list]:
    """Everything wrong with a page that does not depend on width and theme, by kind."""
    levels = facts["headings"]
    jumps = [pair for pair in itertools.pairwise(levels) if pair[1] > pair[0] + 1]
    raw_tex = re.findall(
        r"\\[(\[]|\$\$|\\begin\{|\\(?:frac|sum|sqrt|text|math\w+)\b", facts["text"]
    )
    unrendered = facts["formulas"] > facts["rendered"]
    return {
        "mathematics": raw_tex + ["unrendered"] * (unrendered or facts["formula_errors"]),
        "alt": facts["without_alt"],
        "image": facts["broken_images"],
        "headings": jumps + ["not one h1"] * (levels.count(1) != 1 or levels[0] != 1),
        "second header": ["header bar"] * (facts["headers"] > 1),
        "twice the same id": facts["twice"],
    }


def visit(tab, watch: Watch, page: str, load: tuple[int, str]) -> tuple[dict, list[tuple]]:
    """Open one page; give its facts, and (kind, page, width, theme, what) for all that is wrong."""
    width, theme = load
    tab.set_viewport_size({"width": width, "height": 900})
    tab.emulate_media(color_scheme=theme)
    tab.goto(f"{watch.address}/{page}", wait_until="load")
    settle(tab)
    facts = tab.evaluate(INSPECT)
    found = {(width, theme): problems_of(facts)}
    for width in LOADS[load]:
        tab.set_viewport_size({"width": width, "height": 900})
        boxes = tab.evaluate(BOXES)
        # First the theme the page was loaded with: the other one is the change.
        for theme in sorted(THEMES, key=lambda theme: theme != load[1]):
            show_theme(tab, theme)
            figures = tab.evaluate(FIGURES)
            found.setdefault((width, theme), {}).update(
                {
                    "overflow": [boxes["overflow"]] if boxes["overflow"] > 0 else [],
                    "table that does not scroll": boxes["boxes"],
                    "formula that is cut": boxes["formulas"],
                    "illegible figure": [
                        (name[:60], pixels, pale)
                        for name, pixels, pale in figures
                        if pixels < LEAST_LABEL or pale
                    ],
                }
            )
            if folder := os.environ.get("ORDBOOK_SCREENSHOTS"):
                name = f"{page.replace('/', '_').removesuffix('.html')}-{width}-{theme}.png"
                tab.screenshot(path=Path(folder) / name, full_page=True)
    found[load].update(watch.taken())
    return facts, [
        (kind, page, *where, what)
        for where, kinds in found.items()
        for kind, problems in kinds.items()
        for what in problems
    ]


@pytest.fixture(scope="module")
def visits(browser, address, pages):
    """The facts of every page, and all that is wrong anywhere."""
    facts, wrong = {}, []
    for load in LOADS:
        with open_profile(browser, *load) as context:
            # One tab for all pages: its cache halves the time.
            tab = context.new_page()
            watch = Watch(tab, address)
            for page in pages:
                facts[page], more = visit(tab, watch, page, load)
                wrong += more
    return facts, wrong


KINDS = [
    "outside request",
    "http error",
    "console error",
    "overflow",
    "table that does not scroll",
    "formula that is cut",
    "illegible figure",
    "mathematics",
    "alt",
    "image",
    "headings",
    "second header",
    "twice the same id",
]


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_has(kind, visits):
    # The index of terms and the search page are the theme's, and have no chapter's headings.
    bad = [
        entry
        for entry in visits[1]
        if entry[0] == kind and (kind != "headings" or entry[1].startswith("book/"))
    ]
    assert not bad, "\n".join(map(str, bad))


def test_warnings_of_the_console_are_known(visits):
    warned = [entry for entry in visits[1] if entry[0] == "console warning"]
    assert not warned, "\n".join(map(str, warned))


def test_pages_are_light(visits, built_book, address):
    weights = {}
    for page, facts in visits[0].items():
        parts = {page} | {
            unquote(urlsplit(url).path.lstrip("/"))
            for url in facts["loaded"]
            if url.startswith(address)
        }
        weights[page] = sum((built_book / part).stat().st_size for part in parts)
    print(*sorted(weights.items(), key=lambda item: -item[1]), sep="\n")
    assert weights["book/index.html"] < FIRST_PAGE
    assert not {page: weight for page, weight in weights.items() if weight >= ANY_PAGE}


def test_the_root_forwards_to_the_first_page(browser, address):
    with open_profile(browser, 1440, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/index.html")
        tab.wait_for_url(f"{address}/book/index.html", timeout=30_000)


@pytest.mark.parametrize("theme", THEMES)
def test_verdicts_can_be_read_and_do_not_rely_on_colour(theme, browser, address):
    names = [f"verdict-{name}" for name in VERDICTS] + ["printed", "interval"]
    with open_profile(browser, 1440, theme) as context:
        tab = context.new_page()
        tab.goto(f"{address}/book/index.html")
        measured = tab.evaluate(CONTRAST, names)
    # 4.5 is what WCAG 2.1 level AA asks of text of this size.
    assert not [entry for entry in measured if entry[1] < 4.5]
    assert len(measured) == 2 * len(names) + 2
    signs = {name: sign for name, _, sign in measured if name.startswith("verdict-")}
    assert len(set(signs.values())) == len(VERDICTS), "each verdict has a sign of its own"


def test_canary_a_bad_page_is_caught(browser, tmp_path):
    (tmp_path / "pale.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">'
        '<text x="9" y="50" fill="#eee">pale</text></svg>'
    )
    (tmp_path / "bad.html").write_text(
        """<!doctype html><html data-theme="light"><head><title>bad</title>
        <script src="https://cdn.example.org/outside.js"></script>
        <link rel="stylesheet" href="absent.css"></head>
        <body><article class="bd-article"><h1 id="a">Bad</h1><h3 id="a">Jump</h3>
        <div style="width:3000px">wide</div>
        <div class="pst-scrollable-table-container"><div style="width:3000px">wide</div></div>
        <div class="bd-header__inner">a</div><div class="bd-header__inner">b</div>
        <mjx-container display="true" style="display:block;overflow:auto"><mjx-math
          style="display:block;width:500px">long</mjx-math></mjx-container>
        <span class="math">\\(\\frac{1}{2}\\)</span><img src="absent.png">
        <img src="pale.svg" alt="something pale on white"><script>
        const dark = matchMedia("(prefers-color-scheme: dark)");
        const turn = () => document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
        dark.onchange = turn; turn(); console.warn("unknown"); null.x
        </script></article></body></html>"""
    )
    with served(tmp_path) as url, open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        watch = Watch(tab, url)
        _, found = visit(tab, watch, "bad.html", (390, "light"))
    assert {kind for kind, *_ in found} == {*KINDS, "console warning"}, "some were not noticed"
    outside = [entry[-1] for entry in found if entry[0] == "outside request"]
    assert [urlsplit(u).hostname for u in outside] == ["cdn.example.org"]
