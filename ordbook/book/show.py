"""What chapters show: tables, figures and sentences with numbers in them.

Everything that comes from a file is escaped here, in every format.

Contents
--------
Table        a captioned table: HTML in a notebook, a numbered native table in the book
table        a DataFrame -> Table
comparison   printed values beside ours, a verdict in every cell -> Table
similarity   correlations between rankings, with their intervals -> Table
prose        a sentence whose numbers come from code
heatmap      a matrix of correlations -> matplotlib Axes
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown
from matplotlib.axes import Axes

from ordbook.meta.similarity import RankingSimilarity
from ordbook.papers.verdicts import Comparison

# What a cell holds: (style class, text) pieces, each on its own line.
Pieces = tuple[tuple[str, str], ...]
# The sign keeps verdicts apart for readers who do not see the colours; in the book the style
# sheet sets the same signs before the value.
SIGNS = {"exact": "=", "close": "≈", "differs": "≠", "not public": "–"}
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def escape_markdown(text: object) -> str:
    r"""Return text that MyST shows as it is.

    Examples
    --------
    >>> print(escape_markdown("a_b <i>{{x}}</i>\n# y"))
    a\_b \<i\>\{\{x\}\}\<\/i\> \# y
    """
    return _PUNCTUATION.sub(r"\\\1", " ".join(str(text).split()))


@dataclass(frozen=True)
class Table:
    """A captioned table.

    Attributes
    ----------
    header
        Column heads; the first is that of the stub, the column of row names.
    rows
        Rows of cells, the first being the row's name.
    caption
        Plain text. With a name, the book numbers the table and ``{numref}`` finds it.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Pieces, ...], ...]
    caption: str
    name: str = ""

    def _repr_markdown_(self) -> str:
        options = [":header-rows: 1", ":stub-columns: 1", ":class: ordbook-table"]
        if self.name:
            options.append(f":name: {self.name}")
        lines = [f"```{{list-table}} {escape_markdown(self.caption)}", *options, ""]
        for row in (tuple((("", head),) for head in self.header), *self.rows):
            for column, cell in enumerate(row):
                marker = "* -" if column == 0 else "  -"
                lines.append(
                    f"{marker} {' '.join(_piece_markdown(*piece) for piece in cell)}".rstrip()
                )
        return "\n".join([*lines, "```"])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(text)}</th>" for text in self.header)
        body = "".join(
            f"<tr>{''.join(f'<td>{_cell_html(cell)}</td>' for cell in row)}</tr>"
            for row in self.rows
        )
        return (
            f"<table><caption>{html.escape(self.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def _cell_html(cell: Pieces) -> str:
    signs = {f"verdict-{verdict.replace(' ', '-')}": sign for verdict, sign in SIGNS.items()}
    return "<br>".join(
        html.escape(f"{signs.get(style, '')} {text}".strip()) for style, text in cell
    )


def _piece_markdown(style: str, text: str) -> str:
    if not text:
        return ""
    return f"[{escape_markdown(text)}]{{.{style}}}" if style else escape_markdown(text)


def table(
    frame: pd.DataFrame, caption: str, name: str = "", digits: int = 3, stub: str = ""
) -> Table:
    """Show a DataFrame: its index is the stub, floats are rounded to ``digits``.

    Parameters
    ----------
    frame
        At most a few columns: what does not fit scrolls inside the table.
    caption
        What to see in the table, as plain text.
    name
        Label for cross-references.
    stub
        Head of the index column; by default the index's name.
    """
    header = (stub or str(frame.index.name or ""), *map(str, frame.columns))
    rows = tuple(
        ((("", str(label)),), *((("", _text(value, digits)),) for value in row))
        for label, row in zip(frame.index, frame.itertuples(index=False), strict=True)
    )
    return Table(header, rows, caption, name)


def comparison(compared: Comparison, caption: str, name: str = "") -> Table:
    """Show a printed table, each cell with the printed value, ours and the verdict.

    Parameters
    ----------
    compared
        From :func:`ordbook.compare`.
    caption, name
        As for :func:`table`; the meaning of the signs is added to the caption.
    """
    cells = compared.cells
    rows, columns = (list(dict.fromkeys(cells[axis])) for axis in ("row", "column"))
    shown = {
        (row, column): _verdict_pieces(printed, ours, verdict)
        for row, column, printed, ours, verdict in zip(
            *(cells[name] for name in ("row", "column", "printed", "ours", "verdict")), strict=True
        )
    }
    body = tuple(
        ((("", row),), *(shown.get((row, column), ()) for column in columns)) for row in rows
    )
    return Table(("", *columns), body, f"{caption} {_legend(cells['verdict'])}", name)


def similarity(found: RankingSimilarity, caption: str, name: str = "", digits: int = 3) -> Table:
    """Show the upper triangle of a ranking similarity, each cell with its interval."""
    measures = list(found.tau.index)
    shown = {
        (pair.first, pair.second): (
            ("", f"{pair.tau:.{digits}f}"),
            ("interval", f"[{pair.low:.{digits}f}, {pair.high:.{digits}f}]"),
        )
        for pair in found.pairs().itertuples(index=False)
    }
    rows = tuple(
        ((("", first),), *(shown.get((first, second), ()) for second in measures[1:]))
        for first in measures[:-1]
    )
    return Table(("", *measures[1:]), rows, caption, name)


def _verdict_pieces(printed: str, ours: Any, verdict: str) -> Pieces:
    if verdict == "not public":
        return (("verdict-not-public", printed),)
    decimals = len(printed.partition(".")[2])
    value = ours if isinstance(ours, str) else f"{float(ours):.{decimals}f}"
    return (("printed", printed), (f"verdict-{verdict.replace(' ', '-')}", value))


def _legend(verdicts: Iterable[str]) -> str:
    """Explain the signs that occur."""
    used = set(verdicts)
    meaning = {
        "exact": "= equal after rounding",
        "close": "≈ within one unit of the last digit",
        "differs": "≠ differs",
    }
    recomputed = "; ".join(text for verdict, text in meaning.items() if verdict in used)
    parts = [f"The printed value, and below it ours: {recomputed}."] if recomputed else []
    if "not public" in used:
        parts.append("A dash marks a printed value whose data were never published.")
    return " ".join(parts)


def prose(template: str, **values: object) -> Markdown:
    """Show a sentence of Markdown, its ``{fields}`` filled in and escaped.

    Examples
    --------
    >>> prose("**{n}** of {total} cells", n=36, total=36).data
    '**36** of 36 cells'
    """
    return Markdown(template.format(**{key: escape_markdown(v) for key, v in values.items()}))


def heatmap(matrix: pd.DataFrame, label: str, names: Sequence[str] | None = None) -> Axes:
    """Draw a symmetric matrix of correlations as an annotated triangle.

    Parameters
    ----------
    matrix
        Square; values from -1 to 1.
    label
        What the colours mean.
    names
        Names of rows and columns, where the matrix's own are not to be shown.
    """
    names = list(matrix.index if names is None else names)
    side = 1.6 + 0.46 * len(names)
    _, axes = plt.subplots(figsize=(side + 0.7, side), layout="constrained")
    sns.heatmap(
        matrix.iloc[1:, :-1],
        mask=np.triu(np.ones(matrix.shape, dtype=bool))[1:, :-1],
        vmin=min(0.0, float(np.nanmin(matrix))),
        vmax=1,
        cmap="cividis",
        annot=True,
        fmt=".2f",
        annot_kws={"size": 9},
        linewidths=1,
        square=True,
        xticklabels=names[:-1],
        yticklabels=names[1:],
        cbar_kws={"label": label, "shrink": 0.7},
        ax=axes,
    )
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    return axes


def _text(value: object, digits: int) -> str:
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{value:.{digits}f}"
    return str(value)
