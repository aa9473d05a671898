"""What chapters show: tables, figures and sentences with numbers in them.

Everything that comes from a file is escaped here, in every format.
"""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown, display
from matplotlib.axes import Axes
from myst_nb import glue

from ordbook.advice.grades import listing
from ordbook.chapters.escape import escape_figure
from ordbook.chapters.escape import escape_markdown as escape_markdown
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.papers.comparison import Comparison, Ours, compare
from ordbook.papers.montecarlo import Seen, Spread
from ordbook.papers.relations import PLAIN, STATUSES, Plain, Status

# What a cell holds: (style class, text) pieces, each on its own line.
Pieces = tuple[tuple[str, str], ...]
# Names of printed tables in ``data/published``: 2i, figure1ii, s6.3, "9i left", "table13 caption".
_TABLE = re.compile(r"(figure|footnote|table|s|)(\d[\d.]*)([a-zIVX]*)( .*)?")
_KINDS = {
    "": "Table",
    "figure": "Figure",
    "footnote": "Footnote",
    "s": "Section",
    "table": "Table",
}
# The sign keeps verdicts apart for readers who do not see the colours; in the book the style
# sheet sets the same signs before the value.
SIGNS: dict[Plain, str] = {
    "recomputed": "=",
    "within chance": "∈",
    "implied": "∴",
    "compatible": "~",
    "contradicted": "!",
    "unchecked": "·",
}
MEANING: dict[Plain, str] = {
    "recomputed": "equal to ours after rounding",
    "within chance": "within the range that holds 99.9% of our seeds",
    "implied": "fixed by other printed numbers",
    "compatible": "allowed by other printed numbers",
    "contradicted": "in conflict with our value, with other printed numbers or with its definition",
    "unchecked": "nothing to check it by",
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
        lines = [f"```{{list-table}} {escape_markdown(self.caption)}".rstrip(), *options, ""]
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
    signs = {verdict_style(word): sign for word, sign in SIGNS.items()}
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
        At most a few columns; a wide table scrolls in itself.
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


@dataclass(frozen=True)
class Fold:
    """One line that opens to a table, if there is one, and remarks.

    Attributes
    ----------
    title
        Plain text: what is inside, and what it says.
    table
        Without a caption, so that the book does not number it.
    remarks
        Markdown below the table.
    name
        Label for links.
    """

    title: str
    table: Table | None
    remarks: str = ""
    name: str = ""

    def _repr_markdown_(self) -> str:
        options = [":class: dropdown", *([f":name: {self.name}"] if self.name else [])]
        inside = [self.table._repr_markdown_() if self.table else "", "", self.remarks]
        head = f"::::{{admonition}} {escape_markdown(self.title)}"
        return "\n".join([head, *options, "", *inside, "::::"])

    def _repr_html_(self) -> str:
        from markdown_it import MarkdownIt  # only where something is shown in a notebook

        inside = self.table._repr_html_() if self.table else ""
        inside += MarkdownIt("commonmark", {"html": False}).render(self.remarks)
        return f"<details><summary>{html.escape(self.title)}</summary>{inside}</details>"


def printed(
    paper: str,
    table: str,
    ours: Ours = None,
    *,
    about: str = "",
    name: str = "",
    layout: Callable[[str, str], tuple[str, str]] | None = None,
    columns: Sequence[str] | None = None,
) -> Fold:
    """Put a printed table beside ours: one line with the verdicts that opens to the cells.

    Parameters
    ----------
    paper, table, ours, columns
        As for :func:`ordbook.compare`.
    about
        What the table is about, in a few words.
    name
        Label for links. Only a table that has one says how its values were read.
    layout
        As for :func:`comparison`.

    Raises
    ------
    ValueError
        As :func:`ordbook.compare`.
    """
    compared = compare(paper, table, ours, columns=columns)
    words = compared.cells["verdict"].map(PLAIN).value_counts()
    counts = [f"{words[word]} {word}" for word in SIGNS if word in words]
    alone = len(counts) == 1 and len(compared.cells) > 1
    said = f"all {counts[0]}" if alone else listing(counts)
    title = f"{table_title(table)}{about and f', {about}'}: {said}"
    legend = escape_markdown(_legend(compared.cells))
    grid = comparison(compared, layout)
    return Fold(title, grid, f"{legend}\n\n{remarks(compared, bool(name))}", name)


def starred(numbers: pd.DataFrame, form: str) -> pd.DataFrame:
    """Write numbers, the best of each column marked by a star."""
    best = numbers == numbers.max()
    return numbers.map(form.format) + best.replace({True: "*", False: ""})


def comparison(
    compared: Comparison, layout: Callable[[str, str], tuple[str, str]] | None = None
) -> Table:
    """Show the cells of a printed table, each with the printed value, ours and the verdict.

    The limits of an interval (columns ``X low`` and ``X high``) are shown in the cell of ``X``,
    under one sign: that of the worst of the three verdicts. ``layout`` gives the row and the column
    that are shown for printed ones.
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
    return crossed(shown)


def crossed(shown: Mapping[tuple[str, str], Pieces], columns: Sequence[str] = ()) -> Table:
    """Make a table of cells by row and column, with these columns or all in their order."""
    rows, heads = (list(dict.fromkeys(key[axis] for key in shown)) for axis in (0, 1))
    heads = [head for head in columns or heads if head in heads]
    body = tuple(((("", row),), *(shown.get((row, head), ()) for head in heads)) for row in rows)
    return Table(("", *heads), body, "")


def table_title(table: str) -> str:
    """Return a table's name as readers know it.

    Examples
    --------
    >>> table_title("2i"), table_title("figure1ii"), table_title("s6.3"), table_title("9i left")
    ('Table 2(i)', 'Figure 1(ii)', 'Section 6.3', 'Table 9(i) left')
    """
    found = _TABLE.fullmatch(table)
    if found is None:
        raise ValueError(f"{table!r} names no table, figure or section")
    kind, number, part, side = found.groups(default="")
    return f"{_KINDS[kind]} {number}{f'({part})' if part else ''}{side}"


def remarks(compared: Comparison, notes: bool = True) -> str:
    """Write what a table cannot hold: why cells do not agree, with notes how they were read."""
    cells = compared.cells
    wrong = cells[cells["verdict"].isin(["close", "differs", "erratum", "open"])]
    lines = []
    for reason, places in wrong.groupby("reason", sort=False):
        where = "; ".join(f"{cell.row}, {cell.column}" for cell in places.itertuples(index=False))
        lines.append(f"- **{escape_markdown(where)}**: {escape_markdown(reason)}")
    absent = cells.loc[cells["verdict"] == "not reached", "reason"].unique()
    lines += [f"- Not reached: {escape_markdown(reason)}." for reason in absent]
    read = [note.removeprefix("part: ") for note in cells["note"].unique() if note]
    if read and notes:
        lines += ["", "How the printed values were read:", ""]
        lines += [f"- {escape_markdown(note)}" for note in read]
    return "\n".join(lines)


def facts(found: Mapping[str, object], prefix: str = "") -> None:
    """Keep numbers for the text: ``{glue:text}`` finds each by its name.

    Parameters
    ----------
    found
        Name -> number or text; NumPy's scalars become Python's, so that formats work.
    prefix
        Begins every name: ``prefix-name``.
    """
    for name, value in found.items():
        plain = value.item() if isinstance(value, np.generic) else value
        glue(f"{prefix}-{name}" if prefix else name, plain, display=False)


def pairs_in_rows(row: str, column: str) -> tuple[str, str]:
    """Lay out a table of measure pairs with several numbers in a cell: one row for each pair.

    Examples
    --------
    >>> pairs_in_rows("NMD", "RNOD SSO")
    ('NMD, RNOD', 'SSO')
    """
    other, _, what = column.partition(" ")
    return f"{row}, {other}", what


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
    styles = ("printed", verdict_style(PLAIN[worst]))
    pieces = []
    alone = not cell[1]
    for which in (0,) if alone else (0, 1):
        pieces.append((styles[1] if alone else styles[which], cell[which]))
        if limits:
            pieces.append(("interval", f"[{', '.join(limit[which] for limit in limits)}]"))
    return tuple(pieces)


def verdict_style(word: Plain) -> str:
    """Return the class of the style sheet."""
    return f"verdict-{word.replace(' ', '-')}"


def _legend(cells: pd.DataFrame) -> str:
    """Explain the signs that occur."""
    used = {PLAIN[status] for status in cells["verdict"]}
    said = "; ".join(f"{SIGNS[word]} {word}: {MEANING[word]}" for word in SIGNS if word in used)
    beside = "The printed value, and below it ours. " if cells["ours"].notna().any() else ""
    return f"{beside}{said[:1].upper()}{said[1:]}."


def notes(tests: SignificanceTests) -> None:
    """Show a note if a test could not find what it should, with the reason."""
    if tests.notes:
        display(Markdown("\n".join(f"- {escape_markdown(note)}." for note in tests.notes)))


def heatmap(matrix: pd.DataFrame, label: str) -> Axes:
    """Draw a symmetric matrix of correlations as a triangle with values.

    Parameters
    ----------
    matrix
        Square; values from -1 to 1.
    label
        What the colours mean.
    """
    names = [escape_figure(name) for name in matrix.index]
    side = 0.37 * (len(names) - 1)
    # Narrow, so that the numbers can be read on a phone.
    _, axes = plt.subplots(figsize=(side + 1.1, side + 1.9), layout="constrained")
    sns.heatmap(
        matrix.iloc[1:, :-1],
        mask=np.triu(np.ones(matrix.shape, dtype=bool))[1:, :-1],
        vmin=min(0.0, float(np.nanmin(matrix))),
        vmax=1,
        cmap="cividis",
        annot=matrix.map("{:.2f}".format).replace(r"^(-?)0\.", r"\1.", regex=True).iloc[1:, :-1],
        fmt="",
        annot_kws={"size": 9},
        linewidths=1,
        square=True,
        xticklabels=names[:-1],
        yticklabels=names[1:],
        cbar_kws={"label": label, "location": "top", "shrink": 0.7, "aspect": 25},
        ax=axes,
    )
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90)
    axes.tick_params(axis="y", rotation=0)
    return axes


def _text(value: object, digits: int) -> str:
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{value:.{digits}f}"
    return str(value)
