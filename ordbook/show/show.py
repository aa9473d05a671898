"""Output of chapters: tables, figures and sentences with numbers in them.

Everything that comes from a file is escaped here, in every format.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from matplotlib.axes import Axes

from ordbook.show.charts import embolden
from ordbook.show.colours import NUMBERS
from ordbook.show.escape import escape_figure, escape_markdown

if TYPE_CHECKING:  # it compiles loops, which most pages do not need
    from ordbook.meta.significance import SignificanceTests

# What a cell holds: (style class, text) pieces, each on its own line.
Pieces = tuple[tuple[str, str], ...]
# Begins the type of a value that is only kept for the text.
GLUED = "application/papermill.record/"
# The sign keeps verdicts apart for readers who do not see the colours; in the book the style
# sheet sets the same signs before the value.
SIGNS = {
    "recomputed": "=",
    "within chance": "∈",
    "consistent": "~",
    "contradicted": "!",
    "unchecked": "·",
}


@dataclass(frozen=True)
class Table:
    """A captioned table in plain text; with a name, the book numbers it and ``{numref}`` finds it.

    The first head is that of the stub, the column of row names, with which each row begins.
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
    """One line that opens to a table, if there is one, and remarks in Markdown.

    The table has no caption, so that the book does not number it; ``name`` is a label for links.
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


def starred(numbers: pd.DataFrame, form: str) -> pd.DataFrame:
    """Write numbers, the best of each column marked by a star."""
    best = numbers == numbers.max()
    return numbers.map(form.format) + best.replace({True: "*", False: ""})


def facts(found: Mapping[str, object], prefix: str = "") -> None:
    """Keep numbers for the text: ``{glue:text}`` finds each as ``prefix-name``.

    NumPy's scalars become Python's, so that formats work.
    """
    for name, value in found.items():
        plain = value.item() if isinstance(value, np.generic) else value
        # The record that `myst_nb.glue` makes, without its package, which only the book needs.
        about = {"name": f"{prefix}-{name}" if prefix else name, "mime_prefix": GLUED}
        display({f"{GLUED}text/plain": repr(plain)}, raw=True, metadata={"scrapbook": about})


def verdict_style(word: str) -> str:
    """Return the class of the style sheet."""
    return f"verdict-{word.replace(' ', '-')}"


def notes(tests: SignificanceTests) -> None:
    """Show a note if a test had too little data to find differences, with the reason."""
    if tests.notes:
        display(Markdown("\n".join(f"- {escape_markdown(note)}." for note in tests.notes)))


def heatmap(matrix: pd.DataFrame, label: str) -> Axes:
    """Draw a symmetric matrix of correlations as a triangle with values.

    Parameters
    ----------
    matrix
        Square; values from -1 to 1.
    label
        Name of the correlation, beside the colours.
    """
    import seaborn as sns  # takes a second or two

    names = [escape_figure(name) for name in matrix.index]
    side = 0.36 * (len(names) - 1)
    # All heat maps have one scale, on which everything below 0 is darkest.
    low = "min" if np.nanmin(matrix) < 0 else "neither"
    # Narrow, so that the numbers can be read on a phone.
    _, axes = plt.subplots(figsize=(side + 1.1, side + 1.9), layout="constrained")
    sns.heatmap(
        matrix.iloc[1:, :-1],
        mask=np.triu(np.ones(matrix.shape, dtype=bool))[1:, :-1],
        vmin=0,
        vmax=1,
        cmap="cividis",
        annot=matrix.map("{:.2f}".format).replace(r"^(-?)0\.", r"\1.", regex=True).iloc[1:, :-1],
        fmt="",
        annot_kws={"size": NUMBERS},
        linewidths=1,
        square=True,
        xticklabels=names[:-1],
        yticklabels=names[1:],
        cbar_kws={"label": label, "location": "top", "shrink": 0.7, "aspect": 25, "extend": low},
        ax=axes,
    )
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90)
    axes.tick_params(axis="y", rotation=0)
    embolden([*axes.get_xticklabels(), *axes.get_yticklabels()])
    return axes


def _text(value: object, digits: int) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{value:.{digits}f}"
    return str(value)
