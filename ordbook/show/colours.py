"""Colours and widths of figures.

A colour has one meaning in the whole book, and is never the only sign of it:

============  ======================================================================================
amber         gold, what people say (bars are hatched)
blue          an estimate, a run, a result of ours: what the figure is about
ink           the second thing that is compared with it (hollow marks, dashed lines)
grey          the rest: other runs, other measures, ties, single data sets
green         an agreement, or an answer to take
vermilion     an error or a disagreement
yellow-brown  in a matrix, how much is wrong, from nothing on
light blue    in a matrix, how much is right
dark to pale  in a matrix (cividis), how much two measures agree
============  ======================================================================================

The names of the measures that this book recommends are bold. Labels stand beside what they name,
rather than in a legend, where there is room. Every figure is small enough to be read on a phone,
and no text in it is below 9 points. Pages show figures as SVG in their own ink and paper
(``ordbook.pages.figures``).
"""

import sys
from typing import Any

# Okabe and Ito's colours, which stay apart for colour-blind readers.
GOLD, ESTIMATE, RIGHT, WRONG, TIED = "#E69F00", "#0072B2", "#009E73", "#D55E00", "#6E6E6E"
INK = "black"  # on a page the colour of its text
WIDTH = 5.0  # inches; text of 10 points is then still legible on a phone 360 pixels wide
NUMBERS = 10.5  # points of the numbers in a heat map of all measures, which is wider
CLOUD = 300  # points; more of them are rasterised, as each would weigh as much as a word
GOLD_STYLE: dict[str, Any] = {
    "facecolor": GOLD,
    "hatch": "///",
    "edgecolor": "#8A5F00",
    "linewidth": 0.8,
}
ESTIMATE_STYLE: dict[str, Any] = {"facecolor": ESTIMATE, "edgecolor": "#00385A", "linewidth": 0.8}
# Text on a light ground that stays light where the page is dark. Black and white in a figure are
# the page's own ink and paper.
ON_LIGHT, QUIET_ON_LIGHT = "#1a1a1a", "#666666"


def _draw_sharp() -> None:
    """Let notebooks show figures as SVG whose text is text: sharp on any screen, and light.

    What is rasterised inside has as many pixels as a phone or a projector shows.
    """
    import matplotlib as mpl
    from matplotlib_inline.config import InlineBackend

    inline = InlineBackend.instance()
    # The same figure has the same bytes.
    without_date: dict[str, Any] = {**inline.print_figure_kwargs, "metadata": {"Date": None}}
    inline.print_figure_kwargs = without_date
    inline.figure_formats = {"svg"}
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "ordbook", "figure.dpi": 200})


if "ipykernel" in sys.modules:
    _draw_sharp()
