"""Repairs of the written pages: weight, labels and landmarks that the theme leaves out.

Everything here works on finished files, because the theme's templates write these parts.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ordbook.files import write_whole

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# The script draws every icon of Font Awesome, 1.5 MB; the theme's style sheets show the same icons
# from a font of a tenth of that.
ICON_SCRIPT = "fontawesome"
# Its rules for single icons, of 1,900 icons; the book shows some fifteen of them.
THEME_STYLES = "_static/styles/pydata-sphinx-theme.css"
ICON = re.compile(r"fa-[\w-]+")
ICON_RULE = re.compile(r'(?:\.fa-[\w-]+:before,?)+\{content:"[^"]*"\}')
# The theme loads the whole index of words into every page for a search field that finds while one
# types, and this book has none: its field leads to the search page.
SEARCH_SCRIPTS = "searchtools|language_data|searchindex"
SCRIPT = r'[ \t]*<script (?:defer )?src="[^"]*(?:{})\.js[^"]*"></script>\n?'
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
    # The arrow that folds pages in the sidebar says nothing by itself.
    (
        '<summary><span class="toctree-toggle"',
        '<summary aria-label="Pages below this one"><span class="toctree-toggle"',
    ),
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
    """Mend every page that was written, and the theme's style sheet."""
    if exception or app.builder.name not in ("html", "dirhtml"):
        return
    icons: set[str] = set()
    for path in Path(app.outdir).rglob("*.js"):
        if path.stem != ICON_SCRIPT:
            icons.update(ICON.findall(path.read_text(encoding="utf-8")))
    for path in Path(app.outdir).rglob("*.html"):
        before = path.read_text(encoding="utf-8")
        after = mend_page(before, is_search=path.name == "search.html")
        if after != before:
            write_whole(path, after)
        icons.update(ICON.findall(after))
    for path in Path(app.outdir).glob(THEME_STYLES):  # another theme has none
        write_whole(path, drop_icons(path.read_text(encoding="utf-8"), icons))


def drop_icons(styles: str, icons: set[str]) -> str:
    """Drop the rules of icons that are not among those used.

    Examples
    --------
    >>> drop_icons('.fa-sun:before{content:"1"}.fa-tv:before{content:"2"}', {"fa-sun"})
    '.fa-sun:before{content:"1"}'
    """
    return ICON_RULE.sub(lambda rule: rule[0] if icons & {*ICON.findall(rule[0])} else "", styles)


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
    >>> mend_page('<script defer src="../_static/scripts/fontawesome.js?digest=1"></script>')
    ''
    """
    dropped = ICON_SCRIPT if is_search else f"{ICON_SCRIPT}|{SEARCH_SCRIPTS}"
    text = re.sub(SCRIPT.format(dropped), "", text)
    for before, after in REPLACED:
        text = text.replace(before, after)
    return TABLE.sub(_name_table, text)


def _name_table(found: re.Match[str]) -> str:
    """Name the box that scrolls, which the theme lets readers reach by keyboard."""
    caption = TAG.sub("", (found[1] or "").partition('<a class="headerlink"')[0])
    name = html.escape(" ".join(html.unescape(caption).split())) or "Table"
    return f'<div class="pst-scrollable-table-container" role="group" aria-label="{name}">'
