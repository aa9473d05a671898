"""The built pages as a browser shows them, narrow and wide, light and dark, without a network."""

from urllib.parse import unquote, urlsplit

import pytest

from helpers.browsing import Watch, open_profile
from helpers.chromium import served
from helpers.visiting import KINDS, NARROW, visit, walk

pytestmark = [pytest.mark.slow, pytest.mark.browser]

# In bytes, as a server without compression sends them.
FIRST_PAGE, ANY_PAGE = 1_250_000, 4_000_000


def test_nothing_is_wrong_with_any_page(browser, address, pages, built_book):
    visited, wrong = walk(browser, address, pages[::2])
    assert not wrong, "\n".join(map(str, wrong))
    assert sum(facts["solutions"] for facts in visited.values()) > 10
    for page, facts in visited.items():
        parts = {page} | {
            unquote(urlsplit(url).path.lstrip("/"))
            for url in facts["loaded"]
            if url.startswith(address)
        }
        weight = sum((built_book / part).stat().st_size for part in parts)
        assert weight < (FIRST_PAGE if page == "book/index.html" else ANY_PAGE), (page, weight)


def test_each_verdict_has_a_sign_of_its_own(browser, address):
    names = ("recomputed", "within-chance", "consistent", "contradicted", "unchecked")
    with open_profile(browser, NARROW, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/index.html")
        tab.wait_for_url(f"{address}/book/index.html", timeout=30_000)
        signs = tab.evaluate(
            """names => names.map(name => {
              const span = document.createElement("span");
              span.className = `verdict-${name}`;
              document.querySelector("article").append(span);
              return getComputedStyle(span, "::before").content;
            })""",
            names,
        )
    assert len(set(signs)) == len(names)


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
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "index.html").write_text(BAD, encoding="utf-8")
    with served(tmp_path) as url, open_profile(browser, NARROW, "light") as context:
        tab = context.new_page()
        wrong = visit(tab, Watch(tab, url), "book/index.html")[1]
    assert {kind for kind, *_ in wrong} == set(KINDS), "some were not noticed"
    outside = [what for kind, _, what in wrong if kind == "outside request"]
    assert [urlsplit(address).hostname for address in outside] == ["cdn.example.org"]
    assert any("button-name" in what for kind, _, what in wrong if kind == "violation")
    pale = [what[:2] for kind, _, what in wrong if kind == "pale text"]
    assert sorted(pale) == [(390, "dark")] * 2 + [(390, "light")] + [(1440, "dark")] * 2
    labels = {what[2][0] for kind, _, what in wrong if kind == "illegible figure"}
    assert labels == {"small", "pale"}
