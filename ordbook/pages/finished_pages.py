"""What is mended in the written pages: weight, labels and landmarks that the theme leaves out.

Everything here works on finished files, because the theme's templates write these parts.
"""

from __future__ import annotations

import html
import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from fontTools.subset import Options, Subsetter, load_font, save_font

from ordbook.files import write_whole

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Where the theme keeps all icons of Font Awesome: 1.5 MB, of which the pages show some fifteen.
ICON_SCRIPT = "_static/scripts/fontawesome.js"
ICON = re.compile(
    r'"?(?P<name>[\w-]+)"?:\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"[0-9a-f]+",'
    r'(?:"[^"]*"|\[[^\]]*\])\],?'
)
# The same icons as a font, for style sheets.
ICON_FONT = "fa-solid-900.woff2"
GLYPH_USED = re.compile(r"\\(f[0-9a-f]{3})\b", re.IGNORECASE)
# The theme's style sheet holds a rule for each icon of that font.
ICON_RULE = re.compile(r'(?:\.fa-[\w-]+::?before,?)+\{content:"[^"]*"\}')
ICON_USED = re.compile(r"\bfa-([a-z0-9-]+)")
# The theme loads the whole index of words into every page for a search field that finds while one
# types, and this book has none: its field leads to the search page.
SEARCH_SCRIPTS = re.compile(
    r'[ \t]*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>\n?'
)
TABLE = re.compile(
    r'<div class="pst-scrollable-table-container">(?=<table[^>]*>\s*(?:<caption>(.*?)</caption>)?)',
    re.DOTALL,
)
TAG = re.compile(r"<[^>]+>")
# Fixed text of the theme and of extensions -> what it should be.
REPLACED = (
    # The sidebar holds the logo and the search button outside any landmark.
    (
        '<div id="pst-primary-sidebar" class=',
        '<div id="pst-primary-sidebar" role="complementary" aria-label="Book" class=',
    ),
    # What the summary says itself is the better name: it tells which part is hidden.
    ('<summary aria-label="Toggle hidden content">', "<summary>"),
    # Every solution of a page has this id.
    ('<section id="solution-content">', '<section class="solution-content">'),
    ('<section id="exercise-content">', '<section class="exercise-content">'),
    # A role that ARIA has withdrawn, in a list that expects items.
    (' role="doc-biblioentry"', ' role="listitem"'),
    # The empty corner of a table heads nothing.
    ('<th class="head stub"></th>', '<td class="head stub"></td>'),
    ('<th class="head"></th>', '<td class="head"></td>'),
    ("<th></th>", "<td></td>"),
)


def finish_pages(app: Sphinx, exception: Exception | None) -> None:
    """Mend every page that was written, then keep the icons that the pages use."""
    if exception or app.builder.name not in ("html", "dirhtml"):
        return
    folder = Path(app.outdir)
    used: set[str] = set()
    pages = [path for path in folder.rglob("*.html") if "_static" not in path.parts]
    for path in pages:
        before = path.read_text(encoding="utf-8")
        after = mend_page(before, is_search=path.name == "search.html")
        used.update(ICON_USED.findall(after))
        if after != before:
            write_whole(path, after)
    script = folder / ICON_SCRIPT
    for other in (folder / "_static").rglob("*.js"):
        if other != script and "mathjax" not in other.parts:
            used.update(ICON_USED.findall(other.read_text(encoding="utf-8")))
    # Where these lie is the theme's affair; one that has none has nothing to leave out.
    if script.is_file():
        write_whole(script, keep_icons(script.read_text(encoding="utf-8"), used))
    for path in (folder / "_static").rglob("*.css"):
        before = path.read_text(encoding="utf-8")
        after = keep_rules(before, used)
        if after != before:
            write_whole(path, after)
    sheets = [path.read_text(encoding="utf-8") for path in (folder / "_static").rglob("*.css")]
    glyphs = {int(code, 16) for sheet in sheets for code in GLYPH_USED.findall(sheet)}
    for font in (folder / "_static").rglob(ICON_FONT):
        write_whole(font, keep_glyphs(font.read_bytes(), glyphs))


def mend_page(text: str, is_search: bool = False) -> str:
    """Mend one page; a mended page stays as it is.

    Parameters
    ----------
    text
        The page's HTML.
    is_search
        Whether this is the page that needs the index of words.

    Examples
    --------
    >>> mend_page('<summary aria-label="Toggle hidden content">Show code</summary>')
    '<summary>Show code</summary>'
    """
    if not is_search:
        text = SEARCH_SCRIPTS.sub("", text)
    for before, after in REPLACED:
        text = text.replace(before, after)
    return TABLE.sub(_name_table, text)


def keep_icons(script: str, used: set[str]) -> str:
    """Leave out the icons that are not used, under their own name or another.

    Examples
    --------
    >>> keep_icons('{bars:[4,5,["navicon"],"f0c9","M0"],sun:[5,5,[9728],"f185","M1"]}', {"sun"})
    '{sun:[5,5,[9728],"f185","M1"]}'
    """

    def kept(found: re.Match[str]) -> str:
        aliases = re.findall(r'"([^"]+)"', found["aliases"])
        return found[0] if used.intersection((found["name"], *aliases)) else ""

    return ICON.sub(kept, script)


def keep_rules(sheet: str, used: set[str]) -> str:
    """Leave out the rules of icons that are not used.

    Examples
    --------
    >>> keep_rules('.fa-a:before{content:"1"}.fa-b:before,.fa-sun:before{content:"2"}', {"sun"})
    '.fa-b:before,.fa-sun:before{content:"2"}'
    """
    return ICON_RULE.sub(
        lambda rule: rule[0] if used.intersection(ICON_USED.findall(rule[0])) else "", sheet
    )


def keep_glyphs(font: bytes, codes: set[int]) -> bytes:
    """Leave out what a font has for other characters than these."""
    options = Options(flavor="woff2", layout_features=[], drop_tables=["GSUB", "GPOS"])
    options.recalc_timestamp = False
    loaded = load_font(BytesIO(font), options)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(loaded)
    kept = BytesIO()
    save_font(loaded, kept, options)
    return kept.getvalue()


def _name_table(found: re.Match[str]) -> str:
    """Name the box that scrolls, which the theme lets readers reach by keyboard."""
    caption = TAG.sub("", (found[1] or "").partition('<a class="headerlink"')[0])
    name = html.escape(" ".join(html.unescape(caption).split())) or "Table"
    return f'<div class="pst-scrollable-table-container" role="group" aria-label="{name}">'
