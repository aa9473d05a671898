"""What chapters show: tables, figures and sentences with numbers in them.

Everything that comes from a file is escaped here, in every format.

Contents
--------
Table        a captioned table: HTML in a notebook, a numbered native table in the book
table        a DataFrame -> Table
comparison   printed values beside ours, a verdict in every cell -> Table
pairs_in_rows   a layout for tables of measure pairs with several numbers in a cell
similarity   correlations between rankings, with their intervals -> Table
prose        a sentence whose numbers come from code
notes        show what a significance test says about itself, if anything
heatmap      a matrix of correlations -> matplotlib Axes
"""

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown, display
from matplotlib.axes import Axes

from ordbook.book.admonitions import Myst
from ordbook.book.escape import escape_figure
from ordbook.book.escape import escape_markdown as escape_markdown
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity
from ordbook.papers.comparison import Comparison
from ordbook.papers.montecarlo import Seen, Spread
from ordbook.papers.verdicts import STATUSES, Status

# What a cell holds: (style class, text) pieces, each on its own line.
Pieces = tuple[tuple[str, str], ...]
# The sign keeps verdicts apart for readers who do not see the colours; in the book the style
# sheet sets the same signs before the value.
SIGNS: dict[Status, str] = {
    "exact": "=",
    "within Monte-Carlo": "∈",
    "follows": "∴",
    "consistent": "~",
    "close": "≈",
    "differs": "≠",
    "erratum": "!",
    "open": "?",
    "not reached": "–",
    "stated": "·",
    "lost": "×",
}
# What the signs mean, in captions: first where a value of ours stands below the printed one.
OURS: dict[Status, str] = {
    "exact": "equal after rounding",
    "within Monte-Carlo": "the printed value lies in this range of 99.9% of our seeds",
    "close": "within one unit of the last digit",
    "differs": "differs",
}
ALONE: dict[Status, str] = {
    "follows": "fixed by other printed numbers",
    "consistent": "other printed numbers allow it",
    "erratum": "cannot be right as printed",
    "open": "something contradicts it",
    "not reached": "its data were not reached",
    "stated": "nothing else speaks about it",
    "lost": "lost in the extracted text",
}


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
    signs = {_style(verdict): sign for verdict, sign in SIGNS.items()}
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


def comparison(
    compared: Comparison,
    caption: str,
    name: str = "",
    layout: Callable[[str, str], tuple[str, str]] | None = None,
) -> Table:
    """Show a printed table, each cell with the printed value, ours and the verdict.

    The limits of an interval (columns ``X low`` and ``X high``) are shown in the cell of ``X``,
    under one sign: that of the worst of the three verdicts.

    Parameters
    ----------
    compared
        From :func:`ordbook.compare`.
    caption, name
        As for :func:`table`; the meaning of the signs is added to the caption.
    layout
        Printed row and column -> those to show.
    """
    columns = ["row", "column", "printed", "ours", "verdict"]
    found = {
        (layout(row, column) if layout else (row, column)): (
            printed,
            _as_printed(ours, printed, verdict),
            verdict,
        )
        for row, column, printed, ours, verdict in compared.cells[columns].to_numpy()
    }
    shown: dict[tuple[str, str], Pieces] = {}
    for (row, column), cell in found.items():
        limits = [found.get((row, f"{column} {end}")) for end in ("low", "high")]
        if column.removesuffix(" low") == column.removesuffix(" high"):
            shown[row, column] = _verdict_pieces(cell, [limit for limit in limits if limit])
    rows, heads = (list(dict.fromkeys(key[axis] for key in shown)) for axis in (0, 1))
    body = tuple(((("", row),), *(shown.get((row, head), ()) for head in heads)) for row in rows)
    legend = _legend(compared.cells["verdict"])
    return Table(("", *heads), body, f"{caption} {legend}", name)


def pairs_in_rows(row: str, column: str) -> tuple[str, str]:
    """Lay out a table of measure pairs with several numbers in a cell: one row for each pair.

    Examples
    --------
    >>> pairs_in_rows("NMD", "RNOD SSO")
    ('NMD, RNOD', 'SSO')
    """
    other, _, what = column.partition(" ")
    return f"{row}, {other}", what


def similarity(found: RankingSimilarity, caption: str, name: str = "", digits: int = 3) -> Table:
    """Show the upper triangle of a ranking similarity, each cell with its interval if any."""
    measures = list(found.tau.index)
    shown: dict[tuple[str, str], Pieces] = {}
    for first, second, tau, low, high in found.pairs().to_numpy():
        interval = (("interval", f"[{low:.{digits}f}, {high:.{digits}f}]"),)
        shown[first, second] = (("", f"{tau:.{digits}f}"), *(interval if low == low else ()))
    rows = tuple(
        ((("", first),), *(shown.get((first, second), ()) for second in measures[1:]))
        for first in measures[:-1]
    )
    return Table(("", *measures[1:]), rows, caption, name)


def _as_printed(ours: Any, printed: str, verdict: str) -> str:
    """Round a value of ours to the printed digits; half a unit away, either way is equal."""
    if verdict == "exact":
        return printed
    if isinstance(ours, Seen):
        return " or ".join(ours.counts)
    if isinstance(ours, str):
        return ours
    digits = len(printed.rstrip("%").partition(".")[2])
    if isinstance(ours, Spread):
        low, high = (f"{limit:.{digits}f}" for limit in ours.interval())
        return low if low == high else f"{low} to {high}"
    return "" if ours is None else f"{float(ours):.{digits}f}"


def _verdict_pieces(
    cell: tuple[str, str, Status], limits: Sequence[tuple[str, str, Status]]
) -> Pieces:
    """Pieces of a cell: the printed value and ours, each with its limits where there are some."""
    verdicts: list[Status] = [judged for *_, judged in (cell, *limits)]
    worst = max(verdicts, key=STATUSES.index)
    styles = ("printed", _style(worst))
    pieces = []
    alone = not cell[1]
    for which in (0,) if alone else (0, 1):
        pieces.append((styles[1] if alone else styles[which], cell[which]))
        if limits:
            pieces.append(("interval", f"[{', '.join(limit[which] for limit in limits)}]"))
    return tuple(pieces)


def _style(verdict: Status) -> str:
    """Return the class of the style sheet."""
    return f"verdict-{verdict.replace(' ', '-').lower()}"


def _legend(verdicts: Iterable[Status]) -> str:
    """Explain the signs that occur."""
    used = set(verdicts)
    ours, alone = (
        "; ".join(f"{SIGNS[status]} {text}" for status, text in meaning.items() if status in used)
        for meaning in (OURS, ALONE)
    )
    parts = [f"The printed value, and below it ours: {ours}."] if ours else []
    return " ".join([*parts, *([f"Printed values not recomputed: {alone}."] if alone else [])])


def prose(template: str, **values: object) -> Markdown:
    """Show a sentence of Markdown, its ``{fields}`` filled in and escaped.

    Examples
    --------
    >>> prose("**{n}** of {total} cells", n=36, total=36).data
    '**36** of 36 cells'
    """
    return Markdown(template.format(**{key: escape_markdown(v) for key, v in values.items()}))


def notes(tests: SignificanceTests) -> None:
    """Show, as a note, why a test could not find what was asked of it; nothing where it could."""
    if tests.notes:
        lines = "\n".join(f"- {escape_markdown(note)}." for note in tests.notes)
        display(Myst(f":::{{note}}\n{lines}\n:::"))


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
    names = [escape_figure(name) for name in (matrix.index if names is None else names)]
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
    axes.tick_params(axis="y", rotation=0)
    return axes


def _text(value: object, digits: int) -> str:
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{value:.{digits}f}"
    return str(value)
