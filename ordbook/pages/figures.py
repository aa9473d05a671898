"""Figures stand in their page as SVG, so that their text and lines take its font and colours."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from ordbook.show.colours import ESTIMATE, TIED

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Pixels of a wide screen per point of a figure: text of 10 points is as large as the page's.
SCALE = 1.7
# Colours of lines and of words that custom.css lightens in dark mode.
INKS = {ESTIMATE.lower(): "--ord-estimate", TIED.lower(): "--ord-tied"}
# What no page needs; the rules of a style element would hold for the whole page.
DROPPED = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", re.DOTALL)
LONG_DECIMAL = re.compile(r"(\.\d\d)\d+")


def inline_figures(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the SVG files of a page into the page itself."""
    if app.builder.format != "html":
        return
    for number, image in enumerate(list(doctree.findall(nodes.image))):
        if image["uri"].endswith(".svg"):
            svg = Path(app.srcdir, image["uri"]).read_text(encoding="utf-8")
            inside = figure_in_page(svg, image.get("alt", ""), f"figure-{number}")
            image.replace_self(nodes.raw("", inside, format="html"))


def figure_in_page(svg: str, alt: str, key: str) -> str:
    """Return a figure for a page: black is its ink, white its paper.

    Parameters
    ----------
    svg
        As Matplotlib writes it with ``svg.fonttype: none``, or drawn by hand.
    alt
        What a reader hears who does not see it.
    key
        Begins every id; unique on the page.

    Examples
    --------
    >>> svg = '<svg viewBox="0 0 100 50"><path d="M0 0.12345" style="stroke: #000000"/></svg>'
    >>> print(figure_in_page(svg, "A line", "one"))
    <svg class="ord-figure" role="img" aria-label="A line" viewBox="0 0 100 50" \
style="max-width: 170px"><path d="M0 0.12" style="stroke: currentColor"/></svg>
    """
    root, _, inside = svg[svg.index("<svg") :].partition(">")
    box = re.search(r'viewBox="([^"]+)"', root)
    if box is None:
        raise ValueError("a figure has no viewBox, so that its size on a page is unknown")
    inside = DROPPED.sub("", inside)
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', inside))
    inside = re.sub(
        r' id="([^"]*)"', lambda m: f' id="{key}-{m[1]}"' if m[1] in used else "", inside
    )
    inside = re.sub(r'(url\(|href=")#', rf"\1#{key}-", inside)
    inside = re.sub(r' d="[^"]*"', lambda m: LONG_DECIMAL.sub(r"\1", m[0]), inside)
    inside = re.sub(r"<[a-z][^>]*>", lambda m: _in_style_of_the_page(m[0]), inside)
    hand = " ".join(re.findall(r'(?:font-size|text-anchor)="[^"]*"', root))
    width = round(SCALE * float(box[1].split()[2]))
    return (
        f'<svg class="ord-figure" role="img" aria-label="{escape(alt)}" viewBox="{box[1]}"'
        f'{f" {hand}" if hand else ""} style="max-width: {width}px">{inside}'
    )


def _in_style_of_the_page(tag: str) -> str:
    """Replace the font and the colours of an element by those of the page.

    A formula, whose letters are placed one by one, keeps its font, or takes one as wide.
    """
    is_text = tag.startswith(("<text", "<tspan"))
    family = "font-family: 'DejaVu Sans', Verdana, sans-serif" if tag.startswith("<tspan") else ""
    tag = re.sub(r"font-family: [^;\"]*", family, tag)
    tag = re.sub(r"(stroke|fill)(: |=\")#000000", r"\1\2currentColor", tag)
    if not is_text:  # white words stand on a dark surface
        tag = re.sub(r"(stroke|fill): #ffffff", r"\1: var(--pst-color-background)", tag)
    for colour, variable in INKS.items():
        tag = tag.replace(f"stroke: {colour}", f"stroke: var({variable})")
        if is_text:
            tag = tag.replace(f"fill: {colour}", f"fill: var({variable})")
    return tag
