"""Names from files stay text in every format."""

import re
from html import unescape

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cases import case
from hostile_names import LATEX_SIGNS, NAMES
from ordbook.meta.seeds import Spread
from ordbook.show import charts, show
from ordbook.show.escape import escape_cell, escape_figure, escape_latex

HOSTILE = [*NAMES, "two\nlines", "1) item", "+ item", "- item", "--- ,, '' <<", "% comment", "> x"]


def shown(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html)).strip()


@settings(max_examples=400, deadline=None)
@given(st.text(st.sampled_from("ab1 .,;:()[]{}=-+*_~`|\\#%$&<>!@/'\"^é"), min_size=1, max_size=14))
@example("0. a")
@example("12) b")
def test_markdown_shows_any_name_as_it_is_in_a_cell_and_in_a_list(name):
    _shows(name)


def test_markdown_shows_hostile_names_as_they_are():
    for name in HOSTILE:
        with case(name):
            _shows(name)


def _shows(name):
    text = " ".join(name.split())
    if not text:
        return
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    cell = reader.render(f"| head | n |\n|---|---|\n| {escape_cell(name)} | 1 |\n")
    cells = re.findall(r"<td>(.*?)</td>", cell)
    assert [unescape(content) for content in cells] == [text, "1"]
    item = reader.render(f"- {escape_cell(name)}\n")
    assert item.count("<") == 4, "one list of one item, and no other element"
    assert shown(item) == text


def latex_shows(source: str) -> str:
    """What LaTeX shows for the little of it that the escape writes; anything else is a fault."""
    token = re.compile(r"\\([A-Za-z]+\d*)\{\}|\\([&%$#_{}])|\{([\[\]*])\}|(\{\})|([^\\&%$#_{}~^])")
    found, at = "", 0
    while at < len(source):
        match = token.match(source, at)
        assert match, f"LaTeX would take {source[at:]!r} for a command"
        word, sign, braced, _, plain = match.groups()
        found += LATEX_SIGNS[word] if word else sign or braced or plain or ""
        at = match.end()
    return found


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab1 .,;()[]{}=-+*_~`|\\#%$&<>!'\"^é🦉"), min_size=1, max_size=14))
def test_latex_shows_any_name_as_it_is(name):
    assert latex_shows(escape_latex(name)) == " ".join(name.split())


def test_latex_joins_no_two_characters_and_takes_no_option_of_a_row():
    assert escape_latex("a---b") == "a-{}-{}-b"
    assert escape_latex("[2cm] *") == "{[}2cm{]} {*}"
    assert "''" not in escape_latex("''")
    assert "``" not in escape_latex("``")


PLAIN = [
    "0.0133",
    "-0.25",
    "R & D",
    "DNKT_JSD of V_E1",
    "'Better than' counts the listed runs; no more.",
    "In results/ and significance/, text (it begins with =, +, -, @ or a tab) is quoted.",
    "95% of a+b = c/d, isn't it? Yes!",
]


def test_what_markdown_does_not_interpret_has_no_backslash():
    for text in PLAIN:
        with case(text):
            assert escape_cell(text) == text
            _shows(text)


INTERPRETED = [
    "1. a",
    "- a",
    "---",
    "(x)=",
    "% c",
    "_a_",
    "x -- y",
]


def test_what_markdown_would_interpret_has_one():
    for text in INTERPRETED:
        with case(text):
            assert "\\" in escape_cell(text)
            _shows(text)


FIGURE_NAMES = ["$x$", r"$\frac$", "_hidden", r"\$", "a$b", "$_^$", r"\$$x", "%s {0}", "🦉"]


def texts_of(figure) -> set[str]:
    """What a figure shows, as it is drawn: a formula is no text."""
    figure.canvas.draw()
    found = set()
    for text in figure.findobj(plt.Text):
        drawn, mathematics = text._preprocess_math(text.get_text())
        assert not mathematics, text
        found.add(drawn.strip())
    return found


@pytest.mark.filterwarnings("ignore:Glyph")
def test_a_figure_shows_any_name_as_it_is():
    for name in FIGURE_NAMES:
        with case(name):
            figure, axes = plt.subplots()
            axes.plot([0, 1], label=escape_figure(name))
            axes.set_title(escape_figure(name))
            axes.set_xticks([0, 1], [escape_figure(name), "b"])
            legend = axes.legend()
            assert [text.get_text() for text in legend.get_texts()] == [escape_figure(name)]
            assert name in texts_of(figure)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_figures_of_the_chapters_show_classes_and_measures_as_they_are():
    shares = np.full((2, len(FIGURE_NAMES)), 1 / len(FIGURE_NAMES))
    dialogues = charts.topics(shares, {}, FIGURE_NAMES, ["$t$", "_t"])
    assert {*FIGURE_NAMES} <= texts_of(dialogues)
    square = pd.DataFrame(np.eye(len(FIGURE_NAMES)), FIGURE_NAMES, FIGURE_NAMES)
    assert {*FIGURE_NAMES} <= texts_of(show.heatmap(square, "tau").figure)
    ranges = {name: Spread(np.arange(100)) for name in FIGURE_NAMES}
    assert {*FIGURE_NAMES} <= texts_of(charts.seed_intervals(ranges, "share", {}).figure)
