"""A walk over the built pages with Chromium, which notes all that is wrong with any of them.

A page is loaded once for each width, and everything is looked at there: what it loads, what sticks
out, its figures and folds, and what axe-core says, an established checker of accessibility.
"""

import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from helpers.browsing import THEMES, Watch, open_profile, settle
from helpers.page_scripts import BOXES, FIGURES, INSPECT, LOOKS, UNFOLD

axe = pytest.importorskip("axe_playwright_python.base")

NARROW, WIDE = 390, 1440
# Pixels of the smallest label of a figure, on a phone too.
LEAST_LABEL = 8
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
# MathJax answers for the inside of its formulas, and a figure is read by its name: thousands of
# elements, which axe would walk through in every run.
INSIDES = """() => {
  for (const whole of document.querySelectorAll("mjx-container, svg.ord-figure"))
    whole.replaceChildren();
}"""
WHERE = {"exclude": [["mjx-container"]]}
ONCE = {**WHERE, "include": [["[data-look]"]]}
# Without `preload`: axe would fetch the theme's style sheets again, from wrong addresses.
OPTIONS = {"resultTypes": ["violations"], "preload": False}
STRUCTURE = {**OPTIONS, "rules": {"color-contrast": {"enabled": False}}}
COLOURS = {**OPTIONS, "runOnly": ["color-contrast"]}
REFUSED = {"moderate", "serious", "critical"}
# A page of the theme says which theme it shows.
SHOWN = "t => [t, undefined].includes(document.documentElement.dataset.theme)"
KINDS = (
    "outside request",
    "http error",
    "console error",
    "console warning",
    "overflow",
    "table that does not scroll",
    "formula that is cut",
    "illegible figure",
    "fold that does not open",
    "violation",
    "mathematics",
    "alt",
    "image",
    "headings",
    "second header",
    "twice the same id",
)


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


def violations(tab, where: dict, options: dict) -> Iterator[tuple[str, str, str, str]]:
    """Run axe; give impact, rule, element and what is wrong with it."""
    program = f"axe.run({json.dumps(where)}, {json.dumps(options)}).then(found => found.violations)"
    for violation in tab.evaluate(program):
        if violation["impact"] in REFUSED:
            for node in violation["nodes"]:
                said = "; ".join(c["message"] for c in node["any"] + node["all"] + node["none"])
                yield violation["impact"], violation["id"], node["html"][:200], said


def show(tab, theme: str) -> None:
    """Change the theme as the system does at sunset."""
    tab.emulate_media(color_scheme=theme)
    tab.wait_for_function(SHOWN, arg=theme)


def visit(tab, watch: Watch, page: str, width: int) -> tuple[dict, list[tuple]]:
    """Open a page; give its facts, and (kind, page, width, what) for all that is wrong."""
    tab.emulate_media(color_scheme=THEMES[0])
    tab.goto(f"{watch.address}/{page}", wait_until="load")
    settle(tab)
    # Axe would measure colours while the theme fades from one to the other.
    tab.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
    facts, boxes = tab.evaluate(INSPECT), tab.evaluate(BOXES)
    wrong = problems_of(facts) | {
        "overflow": [boxes["overflow"]] if boxes["overflow"] > 0 else [],
        "table that does not scroll": boxes["boxes"],
        "formula that is cut": boxes["formulas"],
        "illegible figure": [],
        "fold that does not open": [],
        "violation": [],
    }
    for theme in THEMES:
        show(tab, theme)
        if folder := os.environ.get("ORDBOOK_SCREENSHOTS"):
            name = f"{page.replace('/', '_').removesuffix('.html')}-{width}-{theme}.png"
            tab.screenshot(path=Path(folder) / name, full_page=True)
        wrong["illegible figure"] += [
            (theme, name[:60], pixels, pale)
            for name, pixels, pale in tab.evaluate(FIGURES)
            if pixels < LEAST_LABEL or pale
        ]
    tab.evaluate(axe.AXE_SCRIPT)
    tab.evaluate(INSIDES)
    if width == WIDE:
        tab.evaluate(TITLE_ALONE)
    for theme in THEMES:
        show(tab, theme)
        # One text of every look: contrast of the 20,000 elements of a long page takes a minute.
        assert tab.evaluate(LOOKS) > 1
        tab.evaluate(SHORT_TABLES)
        wrong["violation"] += [(theme, *found) for found in violations(tab, ONCE, COLOURS)]
    if width == NARROW:
        facts["solutions"], wrong["fold that does not open"] = tab.evaluate(UNFOLD)
    wrong["violation"] += violations(tab, WHERE, STRUCTURE)
    wrong |= watch.taken()
    return facts, [(kind, page, width, what) for kind in wrong for what in wrong[kind]]


def walk(browser, address: str, pages: Iterable[str], width: int) -> tuple[dict, list[tuple]]:
    """Visit pages on a screen of a width; give the facts of each, and all that is wrong."""
    facts, wrong = {}, []
    with open_profile(browser, width, THEMES[0]) as context:
        # One tab for all pages: its cache halves the time.
        tab = context.new_page()
        watch = Watch(tab, address)
        for page in pages:
            facts[page], more = visit(tab, watch, page, width)
            wrong += more
    return facts, wrong


def of_kind(wrong: list[tuple], kind: str) -> list[tuple]:
    """Return what is wrong in one way.

    The index of terms and the search page are the theme's, and have no chapter's headings.
    """
    return [
        entry
        for entry in wrong
        if entry[0] == kind and (kind != "headings" or entry[1].startswith("book/"))
    ]
