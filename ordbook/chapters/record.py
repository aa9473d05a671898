"""The record of a paper: its printed tables beside ours, one line each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
from IPython.display import display

from ordbook.meta.seeds import Spread
from ordbook.papers.comparison import Comparison, Ours, compare
from ordbook.papers.draws import Seen
from ordbook.papers.relations import VERDICTS, Verdict, table_title
from ordbook.papers.tables import about
from ordbook.show.escape import escape_markdown
from ordbook.show.show import SIGNS, Fold, Pieces, Table, verdict_style
from ordbook.words import listing

MEANING: dict[Verdict, str] = {
    "recomputed": "equal to ours after rounding",
    "within chance": "within the range that holds 99.9% of our seeds",
    "consistent": "fixed or allowed by other printed numbers",
    "contradicted": "in conflict with our value, with other printed numbers or with its definition",
    "unchecked": "nothing to check it by",
}


def words() -> Table:
    """Return the five words for verdicts, with their signs and meanings."""
    rows = tuple(
        (((f"verdict-{word.replace(' ', '-')}", word),), (("", f"{MEANING[word]}"),))
        for word in MEANING
    )
    return Table(("verdict", "the printed value is"), rows, "")


def tables(
    paper: str,
    names: Sequence[str],
    ours: Mapping[str, Ours],
    layout: Callable[[str, str], tuple[str, str]] | None = None,
) -> None:
    """Show printed tables, each a line that opens.

    Parameters
    ----------
    paper
        Its short name.
    names
        Tables, as for :func:`ordbook.compare`. The label of Table 2(i) of ACL'21 is ``acl21-2i``.
    ours
        Table -> values of ours, where there are some.
    layout
        As for :func:`comparison`.
    """
    for table in names:
        label = f"{paper}-{table}".replace(" ", "-").replace(".", "")
        values = ours.get(table)
        fold = printed(paper, table, values, about=about(paper, table), name=label, layout=layout)
        display(fold)


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
    words = compared.cells["verdict"].value_counts()
    counts = [f"{words[word]} {word}" for word in MEANING if word in words]
    alone = len(counts) == 1 and len(compared.cells) > 1
    number = f"all {counts[0]}" if alone else listing(counts)
    title = f"{', '.join(filter(None, [table_title(table), about]))}: {number}"
    legend = escape_markdown(_legend(compared.cells))
    grid = comparison(compared, layout)
    return Fold(title, grid, f"{legend}\n\n{remarks(compared, bool(name))}", name)


def comparison(
    compared: Comparison, layout: Callable[[str, str], tuple[str, str]] | None = None
) -> Table:
    """Show the cells of a printed table, each with the printed value, ours and the verdict.

    The limits of an interval (columns ``X low`` and ``X high``) are shown in the cell of ``X``,
    under one sign: that of the worst of the three verdicts. ``layout`` gives the row and the column
    that are shown for printed ones.
    """
    columns = ["row", "column", "printed", "ours", "verdict"]
    results = {
        (layout(row, column) if layout else (row, column)): (
            printed,
            _as_printed(ours, printed, verdict),
            verdict,
        )
        for row, column, printed, ours, verdict in compared.cells[columns].to_numpy()
    }
    pieces: dict[tuple[str, str], Pieces] = {}
    for (row, column), cell in results.items():
        limits = [results.get((row, f"{column} {end}")) for end in ("low", "high")]
        if column.removesuffix(" low") == column.removesuffix(" high"):
            pieces[row, column] = _verdict_pieces(cell, [limit for limit in limits if limit])
    return crossed(pieces)


def crossed(shown: Mapping[tuple[str, str], Pieces], columns: Sequence[str] = ()) -> Table:
    """Make a table of cells by row and column, with these columns or all in their order."""
    rows, heads = (list(dict.fromkeys(key[axis] for key in shown)) for axis in (0, 1))
    heads = [head for head in columns or heads if head in heads]
    body = tuple(((("", row),), *(shown.get((row, head), ()) for head in heads)) for row in rows)
    return Table(("", *heads), body, "")


def remarks(compared: Comparison, notes: bool = True) -> str:
    """Write the explanations below a table: reasons for disagreement, and notes on the reading."""
    cells = compared.cells
    wrong = cells[(cells["verdict"] == "contradicted") | (cells["detail"] == "close")]
    lines = []
    for reason, places in wrong.groupby("reason", sort=False):
        where = "; ".join(f"{cell.row}, {cell.column}" for cell in places.itertuples(index=False))
        lines.append(f"- **{escape_markdown(where)}**: {escape_markdown(reason)}")
    absent = cells.loc[cells["detail"] == "not reached", "reason"].unique()
    lines += [f"- Not reached: {escape_markdown(reason)}." for reason in absent]
    read = [note.removeprefix("part: ") for note in cells["note"].unique() if note]
    if read and notes:
        lines += ["", "How the printed values were read:", ""]
        lines += [f"- {escape_markdown(note)}" for note in read]
    return "\n".join(lines)


def pairs_in_rows(row: str, column: str) -> tuple[str, str]:
    """Lay out a table of measure pairs with several numbers in a cell: one row for each pair.

    Examples
    --------
    >>> pairs_in_rows("NMD", "RNOD SSO")
    ('NMD, RNOD', 'SSO')
    """
    other, _, name = column.partition(" ")
    return f"{row}, {other}", name


def _as_printed(ours: Any, printed: str, verdict: str) -> str:
    """Round a value of ours to the printed digits; half a unit away, either way is equal."""
    if verdict == "recomputed":
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
    cell: tuple[str, str, Verdict], limits: Sequence[tuple[str, str, Verdict]]
) -> Pieces:
    """Return the pieces of a cell: the printed value and ours, with limits if there are some."""
    verdicts: list[Verdict] = [judged for *_, judged in (cell, *limits)]
    verdict = verdict_style(max(verdicts, key=VERDICTS.index))
    printed, ours, _ = cell
    intervals: list[Pieces] = [
        (("interval", f"[{', '.join(ends)}]"),)
        for ends in zip(*(limit[:2] for limit in limits), strict=True)
    ] or [(), ()]
    if not ours:
        return (verdict, printed), *intervals[0]
    return ("printed", printed), *intervals[0], (verdict, ours), *intervals[1]


def _legend(cells: pd.DataFrame) -> str:
    """Explain the signs that occur."""
    used = set(cells["verdict"])
    signs = "; ".join(f"{SIGNS[word]} {word}: {MEANING[word]}" for word in MEANING if word in used)
    beside = "The printed value, and below it ours. " if cells["ours"].notna().any() else ""
    return f"{beside}{signs[:1].upper()}{signs[1:]}."


def folded(title: str, table: Table) -> Fold:
    """Fold a table away behind a title."""
    return Fold(title, Table(table.header, table.rows, ""), table.caption)
