"""What axe-core, an established checker of accessibility, says about every built page."""

import json
from collections.abc import Iterator

import pytest

from helpers.browsing import THEMES, Watch, open_profile, settle
from helpers.chromium import served
from helpers.page_scripts import KINDS

base = pytest.importorskip("axe_playwright_python.base")
pytestmark = [pytest.mark.slow, pytest.mark.browser]

# MathJax answers for the inside of its formulas, thousands of elements that only repeat.
WHERE = {"exclude": [["mjx-container"]]}
# An article has the same elements at every width. On a wide screen what stands around it is new,
# and is checked around the title alone of a long one, which takes most of the time.
TITLE_ALONE = """() => {
  const article = document.querySelector("article");
  if (article?.querySelectorAll("*").length > 2000)
    article.replaceChildren(...[...article.querySelectorAll("h1")].slice(0, 1));
}"""
# Of a long table the structure of the first rows, and of those that look like no other.
SHORT_TABLES = """() => {
  for (const body of document.querySelectorAll("article tbody"))
    for (const row of [...body.rows].slice(12))
      if (!row.matches("[data-look]") && !row.querySelector("[data-look]")) row.remove();
}"""
ONCE = {"include": [["[data-look]"]], "exclude": [["mjx-container"]]}
# Without `preload`: axe would fetch the theme's style sheets again, from wrong addresses.
OPTIONS = {"resultTypes": ["violations"], "preload": False}
STRUCTURE = {**OPTIONS, "rules": {"color-contrast": {"enabled": False}}}
COLOURS = {**OPTIONS, "runOnly": ["color-contrast"]}
REFUSED = {"moderate", "serious", "critical"}
NARROW, WIDE = 390, 1440
# A page of the theme says which theme it shows.
SHOWN = "t => [t, undefined].includes(document.documentElement.dataset.theme)"


def violations(tab, where: dict, options: dict) -> Iterator[tuple[str, str, str, str]]:
    """Run axe; give impact, rule, element and what is wrong with it."""
    program = f"axe.run({json.dumps(where)}, {json.dumps(options)}).then(found => found.violations)"
    for violation in tab.evaluate(program):
        for node in violation["nodes"]:
            said = "; ".join(c["message"] for c in node["any"] + node["all"] + node["none"])
            yield violation["impact"], violation["id"], node["html"][:200], said


def check(tab, width: int) -> list[tuple]:
    """Check the page in a tab: the colours of both themes, and its structure."""
    tab.evaluate(base.AXE_SCRIPT)
    # Axe would measure colours while the theme fades from one to the other.
    tab.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
    if width == WIDE:
        tab.evaluate(TITLE_ALONE)
    found = []
    for theme in THEMES:
        tab.emulate_media(color_scheme=theme)
        tab.wait_for_function(SHOWN, arg=theme)
        # One text of every look: contrast of the 20,000 elements of a long page takes a minute.
        assert tab.evaluate(KINDS) > 1
        found += [(width, theme, *violation) for violation in violations(tab, ONCE, COLOURS)]
    tab.evaluate(SHORT_TABLES)
    found += [(width, "both", *violation) for violation in violations(tab, WHERE, STRUCTURE)]
    return found


@pytest.fixture(scope="module")
def checked(browser, address, pages):
    """Everything axe finds on any page."""
    found = []
    for width in (NARROW, WIDE):
        with open_profile(browser, width, THEMES[0]) as context:
            tab = context.new_page()
            watch = Watch(tab, address)
            for page in pages:
                tab.goto(f"{address}/{page}", wait_until="load")
                settle(tab)
                found += [(page, *violation) for violation in check(tab, width)]
                seen = watch.taken()
                assert not seen["outside request"] + seen["console error"], (page, seen)
    return found


def test_axe_finds_nothing_serious(checked):
    minor = [entry for entry in checked if entry[3] not in REFUSED]
    print("minor:", *sorted({entry[4] for entry in minor}))
    bad = [entry for entry in checked if entry[3] in REFUSED]
    assert not bad, f"{len(bad)} violations, the first:\n" + "\n".join(map(str, bad[:40]))


def test_the_checker_is_not_an_old_one():
    version = base.AXE_SCRIPT.partition("axe v")[2].split()[0]
    assert tuple(map(int, version.split(".")[:2])) >= (4, 8)


def test_canary_axe_sees_a_bad_page(browser, tmp_path):
    (tmp_path / "bad.html").write_text(
        """<!doctype html><html lang="en"><head><title>bad</title><style>
        @media (prefers-color-scheme: dark) { .pale { color: #999; } }</style></head>
        <body><main><h1>Bad</h1><p style="color:#000">good</p><p class="pale">pale by night</p>
        <p style="color:#ccc">pale</p><button></button></main></body></html>"""
    )
    with served(tmp_path) as url, open_profile(browser, NARROW, "light") as context:
        tab = context.new_page()
        tab.goto(f"{url}/bad.html")
        found = check(tab, NARROW)
    pale = [entry[1] for entry in found if entry[3] == "color-contrast"]
    assert sorted(pale) == ["dark", "dark", "light"]
    assert ("critical", "button-name") in {entry[2:4] for entry in found}
