"""What a reader does with the built pages: search, leaf, copy, unfold, by mouse and by keyboard."""

import pytest

from helpers.browsing import Watch, open_profile, settle

pytestmark = [pytest.mark.slow, pytest.mark.browser]
CHAPTER = "book/measures.html"
# Enough for a machine that does ten other things; nothing here asserts a time.
WAIT = 30_000

# What has the focus, and whether one sees that: an outline, a shadow or another look than without.
FOCUS = r"""
() => {
  const e = document.activeElement;
  const look = s => [s.outlineStyle === "none" ? "" : s.outlineWidth + s.outlineColor, s.boxShadow,
    s.borderColor, s.backgroundColor, s.textDecorationLine, s.color].join("|");
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  const focused = look(style), shown = style.visibility === "visible" && +style.opacity > 0.1;
  const name = e.getAttribute("aria-label") || e.title || e.textContent.trim() || e.name
    || e.querySelector("img")?.alt || "";
  const kind = e.closest(".skip-link") ? "skip link"
    : e.matches(".search-button__button") ? "search"
    : e.closest(".bd-sidebar-primary nav") ? "sidebar"
    : e.matches(".copybtn") ? "copy"
    : e.closest("article") ? "article" : "other";
  e.blur();
  const plain = look(getComputedStyle(e));
  e.focus();
  const inside = box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0;
  const visible = inside && shown && focused !== plain;
  return { kind, name, visible, html: e.outerHTML.slice(0, 150) };
}
"""


def test_search_finds_rnod_and_its_results_open(browser, address):
    with open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        watch = Watch(tab, address)
        tab.goto(f"{address}/book/index.html")
        # As a reader would: the button, the field, Enter.
        tab.locator(".search-button__button:visible").first.click()
        tab.locator("#pst-search-dialog input[name=q]").fill("RNOD")
        tab.keyboard.press("Enter")
        # The page adds its results one by one, so the test waits for the fourth.
        tab.locator("#search-results li").nth(3).wait_for(timeout=WAIT)
        tab.wait_for_selector("#search-results p.context", timeout=WAIT)  # a server: excerpts
        tab.locator("#search-results li a").first.click()
        tab.wait_for_selector("article.bd-article h1", timeout=WAIT)
        assert "RNOD" in tab.locator("article.bd-article").inner_text()
        seen = watch.taken()
    assert not seen["outside request"] + seen["http error"] + seen["console error"]


def test_code_copies(browser, address):
    with open_profile(browser, 1440, "light") as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        tab = context.new_page()
        tab.goto(f"{address}/{CHAPTER}")
        tab.wait_for_selector("button.copybtn", state="attached", timeout=WAIT)
        block = tab.locator("article div.highlight:visible:has(button.copybtn)").first
        code = block.locator("pre").inner_text()
        block.hover()
        block.locator("button.copybtn").click()
        tab.wait_for_selector("button.copybtn.success", timeout=WAIT)
        assert tab.evaluate("navigator.clipboard.readText()").strip() == code.strip() != ""


def test_the_keyboard_reaches_everything_and_shows_where_it_is(browser, address):
    with open_profile(browser, 1440, "light") as context:
        tab = context.new_page()
        tab.goto(f"{address}/{CHAPTER}")
        settle(tab)
        # The theme fades things in; the test looks at once.
        tab.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
        seen, unseen, first = [], [], None
        for _ in range(200):
            tab.keyboard.press("Tab")
            focus = tab.evaluate(FOCUS)
            first = first or focus["kind"]
            seen.append(focus["kind"])
            if not (focus["visible"] and focus["name"]):
                unseen.append(focus["html"])
            if {"skip link", "search", "sidebar", "article", "copy"} <= set(seen):
                break
        assert first == "skip link"
        assert {"search", "sidebar", "article", "copy"} <= set(seen)
        assert not unseen, "\n".join(unseen)
        # Tables that scroll are reached on a phone, and then the arrows move them.
        tab.set_viewport_size({"width": 390, "height": 900})
        tab.goto(f"{address}/book/index.html")
        settle(tab)
        tables = tab.locator(".pst-scrollable-table-container[tabindex='0']").all()
        # Those in a closed fold take no focus.
        wide = "table => table.checkVisibility() && table.scrollWidth > table.clientWidth"
        table = next(table for table in tables if table.evaluate(wide))
        table.focus(timeout=WAIT)
        tab.keyboard.press("ArrowRight")
        tab.wait_for_function("document.activeElement.scrollLeft > 0", timeout=WAIT)


def test_search_works_from_a_folder_without_a_server(browser, built_book):
    folder = built_book.resolve().as_uri()
    with open_profile(browser, 390, "light") as context:
        tab = context.new_page()
        watch = Watch(tab, folder)
        fetched = []
        tab.on("request", lambda r: fetched.append(r.url) if r.resource_type == "fetch" else None)
        tab.goto(f"{folder}/search.html?q=RNOD")
        tab.wait_for_selector("#search-results li a", timeout=WAIT)
        tab.wait_for_function(
            "document.querySelector('.search-summary').textContent.includes('finished')",
            timeout=WAIT,
        )
        settle(tab)
        assert tab.locator("#search-results li a").count() > 3
        tab.locator("#search-results li a").first.click()
        tab.wait_for_selector("article.bd-article h1", timeout=WAIT)
        assert "RNOD" in tab.locator("article.bd-article").inner_text()
        seen = watch.taken()
    assert not fetched
    assert not seen["outside request"] + seen["console error"]
