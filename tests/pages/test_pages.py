"""The built pages as a browser shows them on a phone, light and dark, without a network."""

from urllib.parse import unquote, urlsplit

import pytest

from helpers.browsing import THEMES, Watch, open_profile
from helpers.chromium import served
from helpers.page_scripts import CONTRAST
from helpers.visiting import KINDS, NARROW, axe, of_kind, visit, walk

pytestmark = [pytest.mark.slow, pytest.mark.browser]

VERDICTS = ("recomputed", "within-chance", "consistent", "contradicted", "unchecked")
# In bytes, as a server without compression sends them.
FIRST_PAGE, ANY_PAGE = 1_250_000, 4_000_000


@pytest.fixture(scope="module")
def visits(browser, address, pages):
    """The facts of every page, and all that is wrong anywhere."""
    return walk(browser, address, pages, NARROW)


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_has(kind, visits):
    bad = of_kind(visits[1], kind)
    assert not bad, "\n".join(map(str, bad[:40]))


def test_solutions_are_folded(visits):
    assert sum(facts["solutions"] for facts in visits[0].values()) > 10


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


def test_the_checker_of_accessibility_is_not_an_old_one():
    version = axe.AXE_SCRIPT.partition("axe v")[2].split()[0]
    assert tuple(map(int, version.split(".")[:2])) >= (4, 8)


BAD = """<!doctype html><html lang="en" data-theme="light"><head><title>bad</title>
<script src="https://cdn.example.org/outside.js"></script>
<link rel="stylesheet" href="absent.css"><style>
@media (prefers-color-scheme: dark) { .pale { color: #999; } }</style></head>
<body style="background:#fff"><main><article class="bd-article">
<h1 id="a">Bad</h1><h3 id="a">Jump</h3>
<p style="color:#ccc">pale</p><p class="pale">pale by night</p><button></button>
<div style="width:3000px">wide</div>
<details><summary>Fold</summary></details>
<div class="pst-scrollable-table-container"><div style="width:3000px">wide</div></div>
<div class="bd-header__inner">a</div><div class="bd-header__inner">b</div>
<mjx-container display="true" style="display:block;overflow:auto"><mjx-math
  style="display:block;width:500px">long</mjx-math></mjx-container>
<span class="math">\\(\\frac{1}{2}\\)</span><img src="absent.png">
<svg class="ord-figure" aria-label="small" viewBox="0 0 100 100" style="width:100px"><text y="9"
  style="font-size: 7px">small</text></svg>
<svg class="ord-figure" aria-label="pale" viewBox="0 0 100 100" style="width:100px"><text y="9"
  style="font-size: 12px; fill: #eee">pale</text></svg><script>
const dark = matchMedia("(prefers-color-scheme: dark)");
const turn = () => document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
dark.onchange = turn; turn(); console.warn("unknown"); null.x
</script></article></main></body></html>"""


def test_canary_a_bad_page_is_caught(browser, tmp_path):
    (tmp_path / "bad.html").write_text(BAD, encoding="utf-8")
    with served(tmp_path) as url, open_profile(browser, NARROW, "light") as context:
        tab = context.new_page()
        wrong = visit(tab, Watch(tab, url), "bad.html", NARROW)[1]
    assert {kind for kind, *_ in wrong} == set(KINDS), "some were not noticed"
    outside = [what for kind, *_, what in wrong if kind == "outside request"]
    assert [urlsplit(address).hostname for address in outside] == ["cdn.example.org"]
    found = [what for kind, *_, what in wrong if kind == "violation"]
    pale = [what[0] for what in found if "color-contrast" in what]
    assert sorted(pale) == ["dark", "dark", "light"]
    assert any("button-name" in what for what in found)
    labels = {what[1] for kind, *_, what in wrong if kind == "illegible figure"}
    assert labels == {"small", "pale"}
