"""Colours and widths of figures.

One style for all: gold amber with hatching, estimate blue, right green, wrong red; no colour is
the only sign. Every figure is small enough to be read on a phone.
"""

from typing import Any

# Okabe and Ito's colours, which stay apart for colour-blind readers.
GOLD, ESTIMATE, RIGHT, WRONG, TIED = "#E69F00", "#0072B2", "#009E73", "#D55E00", "#6E6E6E"
WIDTH = 5.0  # inches; text of 10 points is then still legible on a phone 360 pixels wide
GOLD_STYLE: dict[str, Any] = {
    "facecolor": GOLD,
    "hatch": "///",
    "edgecolor": "#8A5F00",
    "linewidth": 0.8,
}
ESTIMATE_STYLE: dict[str, Any] = {"facecolor": ESTIMATE, "edgecolor": "#00385A", "linewidth": 0.8}
