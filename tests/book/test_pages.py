"""The built pages as a browser shows them: three widths, light and dark, no network."""

import functools
import http.server
import itertools
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

WIDTHS = (390, 820, 1440)
THEMES = ("light", "dark")
# As root and without a display Chromium needs the first two; the others stop its own requests.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name resolves, so that nothing leaves this machine even where a page asks for it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

# What only the page itself can tell. Text inside code is left out: there, TeX is what was meant.
INSPECT = r"""
async () => {
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  await document.fonts.ready;
  const article = document.querySelector("article.bd-article") || document.body;
  const skipped = "pre, code, script, style, mjx-container, textarea";
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  let text = "";
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest(skipped)) text += walker.currentNode.data + " ";
  const root = document.documentElement;
  const visible = e => e.checkVisibility() && e.getBoundingClientRect().width > 0;
  return {
    text,
    theme: root.dataset.theme || "",
    overflow: root.scrollWidth - root.clientWidth,
    formulas: article.querySelectorAll(".math").length,
    rendered: article.querySelectorAll("mjx-container").length,
    formula_errors: article.querySelectorAll("mjx-merror, [data-mjx-error]").length,
    without_alt: [...document.images].filter(i => !i.hasAttribute("alt")).map(i => i.src),
    broken_images: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
    headings: [...article.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(h => +h.tagName[1]),
    headers: [...document.querySelectorAll(".bd-header__inner")].filter(visible).length,
  };
}
"""

# The contrast of each verdict against what stands behind it, as WCAG 2 defines it.
CONTRAST = r"""
(names) => {
  const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const numbers = s => s.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const box = document.createElement("div");
  box.className = "pst-scrollable-table-container";
  const row = names.map(n => `<td><span class="${n}">x</span></td>`).join("");
  box.innerHTML = `<table class="table"><caption><span class="caption-text">x</span></caption>
    <tbody><tr>${row}</tr><tr>${row}</tr></tbody></table>
    <figure><figcaption><p><span class="caption-text">x</span></p></figcaption></figure>`;
  document.querySelector("article.bd-article").append(box);
  const result = [...box.querySelectorAll("span")].map(span => {
    const [a, b] = [light(numbers(getComputedStyle(span).color)), light(behind(span))];
    const sign = getComputedStyle(span, "::before").content;
    return [span.className, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), sign];
  });
  box.remove();
  return result;
}
"""
VERDICTS = ("exact", "close", "within-monte-carlo", "differs", "erratum", "not-public")


@dataclass
class Visit:
    """One page at one width in one theme, and what was found there."""

    page: str
    width: int
    wanted_theme: str
    outside: list[str] = field(default_factory=list)
    http_errors: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)
    facts: dict = field(default_factory=dict)

    def problems(self) -> dict[str, list]:
        """Everything wrong with the page, by kind."""
        levels = self.facts["headings"]
        jumps = [pair for pair in itertools.pairwise(levels) if pair[1] > pair[0] + 1]
        raw_tex = re.findall(
            r"\\[(\[]|\$\$|\\begin\{|\\(?:frac|sum|sqrt|text|math\w+)\b", self.facts["text"]
        )
        unrendered = self.facts["formulas"] > self.facts["rendered"]
        return {
            "outside request": self.outside,
            "http error": self.http_errors,
            "console error": self.console_errors,
            "overflow": [self.facts["overflow"]] if self.facts["overflow"] > 0 else [],
            "theme": [self.facts["theme"]] if self.facts["theme"] != self.wanted_theme else [],
            "mathematics": raw_tex + ["unrendered"] * (unrendered or self.facts["formula_errors"]),
            "alt": self.facts["without_alt"],
            "image": self.facts["broken_images"],
            "headings": jumps + ["not one h1"] * (levels.count(1) != 1 or levels[0] != 1),
            "second header": ["header bar"] * (self.facts["headers"] > 1),
        }


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine and give its address."""
    handler = functools.partial(QuietHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def open_profile(browser, width: int, theme: str) -> Iterator:
    """A fresh profile of a reader with such a screen and such a system."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    try:
        yield context
    finally:
        context.close()


def is_outside(url: str, address: str) -> bool:
    """Say whether a request goes elsewhere than to the served folder."""
    return not url.startswith((f"{address}/", "data:", "blob:"))


def visit(tab, address: str, page: str, width: int, theme: str) -> Visit:
    """Open one page and write down what happens."""
    seen = Visit(page, width, theme)
    listeners = {
        "request": lambda r: seen.outside.append(r.url) if is_outside(r.url, address) else None,
        "response": lambda r: seen.http_errors.append(r.url) if r.status >= 400 else None,
        "console": lambda m: seen.console_errors.append(m.text) if m.type == "error" else None,
        "pageerror": lambda error: seen.console_errors.append(str(error)),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    tab.goto(f"{address}/{page}", wait_until="load")
    seen.facts = tab.evaluate(INSPECT)
    folder = os.environ.get("ORDBOOK_SCREENSHOTS")
    if folder:
        name = f"{page.replace('/', '_').removesuffix('.html')}-{width}-{theme}.png"
        tab.screenshot(path=Path(folder) / name, full_page=True)
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    return seen


@pytest.fixture(scope="module")
def browser(chromium):
    """One browser for this file, closed with it: its event loop would disturb other tests."""
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def address(built_book):
    """Where the built book is served."""
    with served(built_book) as url:
        yield url


@pytest.fixture(scope="module")
def visits(built_book, browser, address):
    """Every page, at every width, in both themes."""
    pages = sorted(path.relative_to(built_book).as_posix() for path in built_book.rglob("*.html"))
    # The root only forwards to the first page, and static files are not pages.
    pages = [p for p in pages if p != "index.html" and not p.startswith("_static/")]
    assert "book/index.html" in pages
    found = []
    for width in WIDTHS:
        for theme in THEMES:
            with open_profile(browser, width, theme) as context:
                # One tab for all pages: its cache halves the time.
                tab = context.new_page()
                found += [visit(tab, address, page, width, theme) for page in pages]
    return found


@pytest.mark.parametrize(
    "kind",
    [
        "outside request",
        "http error",
        "console error",
        "overflow",
        "theme",
        "mathematics",
        "alt",
        "image",
        "headings",
        "second header",
    ],
)
def test_no_page_has(kind, visits):
    # The index of terms and the search page are the theme's, and have no chapter's headings.
    chapters = [v for v in visits if v.page.startswith("book/") or kind != "headings"]
    bad = [(v.page, v.width, v.wanted_theme, v.problems()[kind]) for v in chapters]
    bad = [entry for entry in bad if entry[3]]
    assert not bad, "\n".join(map(str, bad))


def test_the_root_forwards_to_the_first_page(browser, address):
    with open_profile(browser, 1440, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/index.html")
        tab.wait_for_url(f"{address}/book/index.html", timeout=5000)


def test_search_finds_a_word(browser, address):
    with open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        asked = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(f"{address}/search.html?q=ordinal")
        tab.wait_for_selector("#search-results li a", timeout=10_000)
        assert tab.locator("#search-results li").count() >= 1
    assert not [url for url in asked if is_outside(url, address)]


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
    (tmp_path / "bad.html").write_text(
        """<!doctype html><html data-theme="light"><head><title>bad</title>
        <script src="https://cdn.example.org/outside.js"></script>
        <link rel="stylesheet" href="absent.css"></head>
        <body><article class="bd-article"><h1>Bad</h1><h3>Jump</h3>
        <div style="width:3000px">wide</div>
        <div class="bd-header__inner">a</div><div class="bd-header__inner">b</div>
        <span class="math">\\(\\frac{1}{2}\\)</span><img src="absent.png">
        <script>null.x</script></article></body></html>"""
    )
    with served(tmp_path) as url, open_profile(browser, 390, "dark") as context:
        problems = visit(context.new_page(), url, "bad.html", 390, "dark").problems()
    assert not [kind for kind, found in problems.items() if not found], "these were not noticed"
    assert [urlsplit(u).hostname for u in problems["outside request"]] == ["cdn.example.org"]
