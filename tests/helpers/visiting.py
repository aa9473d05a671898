"""A walk over the built pages with Chromium, which notes all that is wrong with any of them.

A page is loaded once, on a phone, and then shown on a wide screen. One page of each make is also
looked at with axe-core, an established checker of accessibility.
"""

import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from helpers.browsing import THEMES, Watch, open_profile, settle
from helpers.page_scripts import BOXES, FIGURES, INSPECT, PALE, UNFOLD

axe = pytest.importorskip("axe_playwright_python.base")

NARROW, WIDE = 390, 1440
# Pixels of the smallest label of a figure, on a phone too.
LEAST_LABEL = 8
# One page of each make.
CHECKED = (
    *("index", "ratings", "choosing", "measures", "audit", "api_data", "glossary", "teaching"),
    *("explorer", "explorer_labels", "explorer_luck", "records/lq21", "course/session1"),
)
# MathJax answers for the inside of its formulas, and a figure is read by its name: thousands of
# elements, which axe would walk through in every run.
INSIDES = """() => {
  for (const whole of document.querySelectorAll("mjx-container, svg.ord-figure"))
    whole.replaceChildren();
}"""
WHERE = {"exclude": [["mjx-container"]]}
# Without `preload`: axe would fetch the theme's style sheets again, from wrong addresses.
OPTIONS = {
    "resultTypes": ["violations"],
    "preload": False,
    "rules": {"color-contrast": {"enabled": False}},  # PALE looks at every page
}
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
    "pale text",
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


def violations(tab) -> Iterator[tuple[str, str, str, str]]:
    """Run axe; give impact, rule, element and what is wrong with it."""
    tab.evaluate(axe.AXE_SCRIPT)
    tab.evaluate(INSIDES)
    program = f"axe.run({json.dumps(WHERE)}, {json.dumps(OPTIONS)}).then(r => r.violations)"
    for violation in tab.evaluate(program):
        if violation["impact"] in REFUSED:
            for node in violation["nodes"]:
                said = "; ".join(c["message"] for c in node["any"] + node["all"] + node["none"])
                yield violation["impact"], violation["id"], node["html"][:200], said


def show(tab, theme: str) -> None:
    """Change the theme as the system does at sunset."""
    tab.emulate_media(color_scheme=theme)
    tab.wait_for_function(SHOWN, arg=theme)


def visit(tab, watch: Watch, page: str) -> tuple[dict, list[tuple]]:
    """Open a page; give its facts, and (kind, page, what) for all that is wrong."""
    tab.set_viewport_size({"width": NARROW, "height": 900})
    tab.emulate_media(color_scheme=THEMES[0])
    tab.goto(f"{watch.address}/{page}", wait_until="load", timeout=120_000)
    settle(tab)
    # Colours would be measured while the theme fades from one to the other.
    tab.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
    facts = tab.evaluate(INSPECT)
    problems = problems_of(facts)
    for width, theme in ((NARROW, THEMES[0]), (NARROW, THEMES[1]), (WIDE, THEMES[1])):
        tab.set_viewport_size({"width": width, "height": 900})
        show(tab, theme)
        if folder := os.environ.get("ORDBOOK_SCREENSHOTS"):
            name = f"{page.replace('/', '_').removesuffix('.html')}-{width}-{theme}.png"
            tab.screenshot(path=Path(folder) / name, full_page=True)
        boxes = tab.evaluate(BOXES)
        seen = {
            "overflow": [boxes["overflow"]] if boxes["overflow"] > 0 else [],
            "table that does not scroll": boxes["boxes"],
            "formula that is cut": boxes["formulas"],
            "illegible figure": [
                (name[:60], pixels, pale)
                for name, pixels, pale in tab.evaluate(FIGURES)
                if pixels < LEAST_LABEL or pale
            ],
            "pale text": tab.evaluate(PALE),
        }
        for kind, found in seen.items():
            problems.setdefault(kind, []).extend((width, theme, what) for what in found)
    facts["solutions"], problems["fold that does not open"] = tab.evaluate(UNFOLD)
    is_checked = page.removeprefix("book/").removesuffix(".html") in CHECKED
    problems["violation"] = list(violations(tab)) if is_checked else []
    problems |= watch.taken()
    return facts, [(kind, page, what) for kind, found in problems.items() for what in found]


def walk(browser, address: str, pages: Iterable[str]) -> tuple[dict, list[tuple]]:
    """Visit pages; give the facts of each, and all that is wrong."""
    facts, wrong = {}, []
    with open_profile(browser, NARROW, THEMES[0]) as context:
        # One tab for all pages: its cache halves the time.
        tab = context.new_page()
        watch = Watch(tab, address)
        for page in pages:
            facts[page], more = visit(tab, watch, page)
            # The index of terms and the search page are the theme's, without a chapter's headings.
            wrong += [w for w in more if w[0] != "headings" or page.startswith("book/")]
    return facts, wrong
