"""A printed table beside ours, one verdict for every cell.

The verdicts of the five papers' tables are those of the ledger (``data/audit.csv``). A comparison
with another verdict is refused, so a chapter and the audit can never differ.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from ordbook.data.printed import printed_values
from ordbook.papers.ledger import DETAILS, committed_verdicts
from ordbook.papers.relations import (
    COMES_OUT,
    VERDICTS,
    Cell,
    Status,
    Value,
    Verdict,
    judge,
    plain,
    show,
    verdict_of,
)

Place = tuple[str, str]
# A value of ours may stand beside these too, if it comes out: the ledger's word is the weaker.
NOT_RECOMPUTED = ("consistent", "not reached", "stated", *set(DETAILS) - {"shown"})
Ours = pd.DataFrame | Mapping[Place, Value] | None


class UnexplainedDifference(ValueError):
    """There is no value of ours for a cell that the ledger recomputed."""


class LedgerMismatch(ValueError):
    """A comparison has another verdict than the ledger."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """A printed table beside ours.

    Attributes
    ----------
    paper, table
        Which table.
    cells
        DataFrame with the columns row, column, printed, ours, verdict, detail, reason and note,
        one line per printed cell.
    """

    paper: str
    table: str
    cells: pd.DataFrame

    def counts(self) -> dict[Verdict, int]:
        """Verdict -> number of cells, verdicts without a cell left out."""
        numbers = self.cells["verdict"].value_counts()
        return {verdict: int(numbers[verdict]) for verdict in VERDICTS if verdict in numbers}

    def summary(self) -> str:
        """Return for example ``36 of 36 recomputed``, or ``35 recomputed and 1 close of 36``."""
        counts = [f"{count} {verdict}" for verdict, count in self.counts().items()]
        if len(counts) == 1:
            count, verdict = counts[0].split(" ", 1)
            return f"{count} of {len(self.cells)} {verdict}"
        return f"{', '.join(counts[:-1])} and {counts[-1]} of {len(self.cells)}"


def compare(
    paper: str,
    table: str,
    ours: Ours = None,
    *,
    columns: Sequence[str] | None = None,
) -> Comparison:
    """Put a printed table beside ours and judge every cell.

    Parameters
    ----------
    paper, table
        As for :func:`ordbook.data.printed.printed_values`: ``"acl21"``, ``"2i"``.
    ours
        Recomputed values: a DataFrame whose index and columns are the printed rows and
        columns (other cells are ignored), or a mapping (row, column) -> value. For a random
        procedure, a :class:`~ordbook.meta.seeds.Spread` over seeds.
    columns
        Compare only these printed columns, and show them in this order.

    Returns
    -------
    Comparison
        A table that shows itself on a page: printed, ours and a verdict, cell by cell.

    Raises
    ------
    UnexplainedDifference
        If we have no value for a cell that the ledger recomputed.
    LedgerMismatch
        If a verdict is not that of the ledger.
    ValueError
        If the table or a column is unknown.

    Examples
    --------
    >>> compare("acl21", "8ii").summary()
    '15 of 15 consistent'
    """
    ledger, printed = committed_verdicts(), printed_values(paper, table)
    if columns is not None:
        if unknown := set(columns) - set(printed["column"]):
            raise ValueError(f"table {table} of {paper} has no column {min(unknown)!r}")
        printed = printed[printed["column"].isin(columns)]
        order = printed["column"].map({name: place for place, name in enumerate(columns)})
        printed = printed.iloc[order.argsort(kind="stable")].reset_index(drop=True)
    values = _as_mapping(ours)
    lines = []
    for part, row, column, text in printed[["table", "row", "column", "printed"]].to_numpy():
        value = values.get((row, column))
        status, reason = _by_ledger(Cell(paper, part, row, column), text, value, ledger)
        lines.append((row, column, text, value, *verdict_of(status), reason))
    heads = ["row", "column", "printed", "ours", "verdict", "detail", "reason"]
    frame = pd.DataFrame(lines, columns=heads, dtype=object)  # None stays None
    return Comparison(paper, table, frame.assign(note=printed["note"]))


def _by_ledger(
    cell: Cell, text: str, value: Value | None, ledger: Mapping[Cell, tuple[str, Status, str]]
) -> tuple[Status, str]:
    """Return the ledger's verdict, and refuse ours if it is another one."""
    remedy = "run 'ordbook audit --commit' and look at what it says"
    if cell not in ledger:
        raise LedgerMismatch(f"{cell}: not in data/audit.csv; {remedy}")
    audited, status, reason = ledger[cell]
    if text != audited:
        raise LedgerMismatch(f"{cell}: printed {text}, but {audited} in data/audit.csv; {remedy}")
    if value is None:
        if status in COMES_OUT:
            raise UnexplainedDifference(f"{cell}: the audit recomputes this; give our value")
        return status, reason
    verdict = "differs" if status == "lost" else judge(plain(text), value)
    beside = NOT_RECOMPUTED if verdict in COMES_OUT else (*DETAILS, "lost")
    if verdict != status and status not in beside:
        raise LedgerMismatch(
            f"{cell}: printed {text}, ours {show(value)}: {verdict}, "
            f"but {status} in data/audit.csv; {remedy}"
        )
    return status, reason


def _as_mapping(ours: Ours) -> Mapping[Hashable, Value]:
    if ours is None:
        return {}
    if isinstance(ours, pd.DataFrame):
        return {
            (str(row), str(column)): ours.loc[row, column]
            for row in ours.index
            for column in ours.columns
        }
    return dict(ours)
