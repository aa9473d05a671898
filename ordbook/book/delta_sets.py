"""Score deltas of several data sets, and what is known of LQ'21's own figures of them.

Contents
--------
scatter    deltas of one measure against those of others: data sets in columns, measures in rows
deduced    what other printed numbers leave of the lost counts of LQ'21's Figures 1 and 2
"""

import re
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ordbook.book.deltas import kinds_legend, panel
from ordbook.book.pictures import WIDTH
from ordbook.data.printed import printed_values

# What the notes of the printed values say of a count that is lost.
_PREDICTED = re.compile(r"predicted: (.+?)(?: because | \()")


def scatter(deltas: Mapping[str, pd.DataFrame], x: str, others: Sequence[str]) -> Figure:
    """Draw the deltas of several data sets: a column each, a row for each other measure.

    Parameters
    ----------
    deltas
        Name of a data set -> deltas, from :func:`ordbook.book.deltas.popularity_deltas`; two sets
        fit a page.
    x, others
        As for :func:`ordbook.book.deltas.scatter`.
    """
    figure, panels = plt.subplots(
        len(others),
        len(deltas),
        figsize=(WIDTH, 2.75 * len(others) + 0.6),
        squeeze=False,
        layout="constrained",
    )
    for column, (name, frame) in zip(panels.T, deltas.items(), strict=True):
        for axes, other in zip(column, others, strict=True):
            panel(axes, frame, x, other)
            # Names come from files: a dollar sign is no formula.
            axes.set_xlabel(f"Δ{x}, {name}", parse_math=False)
    kinds_legend(figure)
    return figure


def deduced() -> pd.DataFrame:
    """Say what is known of the counts in LQ'21's Figures 1 and 2, whose pictures are lost.

    Returns
    -------
    DataFrame
        By panel: measures ("NMD, RNOD"), and what other printed numbers and the possible votes of
        20 assessors leave for the "2nd quadrant" and the "4th quadrant", as text.
    """
    rows = {}
    for figure, letters in (("figure1", "abcd"), ("figure2", "abc")):
        for letter in letters:
            cells = printed_values("lq21", figure + letter)
            row = {"measures": str(cells["row"].iloc[0]).replace(" vs ", ", ")}
            for cell in cells.itertuples(index=False):
                if str(cell.column).endswith("quadrant"):
                    found = _PREDICTED.search(str(cell.note))
                    row[str(cell.column)] = found[1] if found else str(cell.printed)
            rows[f"{figure.removeprefix('figure')}({letter})"] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("figure")
