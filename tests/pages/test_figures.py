"""Figures in a page: their own ids, the page's ink and paper, and colours that mean something."""

import io
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from ordbook.pages.figures import figure_in_page
from ordbook.show.colours import ESTIMATE, WRONG


@pytest.fixture
def svg() -> str:
    """A heat map of two cells with a word on each, a blue line and a label."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ordbook"}):
        figure, axes = plt.subplots()
        axes.bar([0, 1], [1, 1], color=[WRONG, ESTIMATE])
        axes.text(0, 0.5, "dark", color="white")
        axes.plot([0, 1], [0, 1], color=ESTIMATE)
        axes.set_xlabel("a < b")
        output = io.StringIO()
        figure.savefig(output, format="svg")
        plt.close(figure)
    return output.getvalue()


def test_words_stay_words_in_the_font_and_ink_of_the_page(svg):
    page = figure_in_page(svg, 'A "bar"', "one")
    assert ">a &lt; b</text>" in page
    assert 'aria-label="A &quot;bar&quot;"' in page
    assert not re.search("#000000|<style|<metadata|DejaVu", page)
    assert re.search(r'<text style="[^"]*fill: #ffffff[^"]*"[^>]*>dark<', page)


def test_surfaces_keep_their_colour_and_lines_follow_the_theme(svg):
    page = figure_in_page(svg, "", "one")
    for colour in (ESTIMATE, WRONG):
        assert f"fill: {colour.lower()}" in page
    assert "stroke: var(--ord-estimate)" in page
    assert "fill: var(--pst-color-background)" in page


def test_two_figures_of_a_page_share_no_id(svg):
    first, second = (figure_in_page(svg, "", key) for key in ("one", "two"))
    ids = [set(re.findall(r' id="([^"]+)"', page)) for page in (first, second)]
    assert ids[0]
    assert not ids[0] & ids[1]
    for page, own in zip((first, second), ids, strict=True):
        assert set(re.findall(r'(?:url\(|href=")#([^")]+)', page)) == own
