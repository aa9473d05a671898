"""Verdicts: whether a printed value comes out.

==========  ==============================================================================
exact       equal after rounding to the printed digits
close       within one unit of the last printed digit; a reason is given
differs     anything else; a reason is given, or the comparison is refused
not public  the data it needs were never published; the reason says which
==========  ==============================================================================

Contents
--------
judge        one printed value and ours -> a verdict
Comparison   a printed table beside ours, cell by cell
compare      look up a printed table and judge every cell
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

import pandas as pd

from ordbook.data.printed import printed_values

Verdict = Literal["exact", "close", "differs", "not public"]
VERDICTS: tuple[Verdict, ...] = ("exact", "close", "differs", "not public")
Cell = tuple[str, str]
Ours = pd.DataFrame | Mapping[Cell, float | str] | None
# A value that lies half a unit from the printed one may round either way: floating point
# decides which. This much beyond half a unit is still equal.
ROUNDING = Decimal("1e-9")


class UnexplainedDifference(ValueError):
    """A cell does not come out, or was not recomputed, and no reason is given."""


def judge(printed: str, ours: float | str) -> Verdict:
    """Judge one recomputed value against the printed one.

    Parameters
    ----------
    printed
        The value as printed: its digits are the tolerance.
    ours
        The recomputed value; a string is compared as text.

    Examples
    --------
    >>> judge("0.848", 56 / 66), judge("0.848", 0.849), judge("0.848", 0.85)
    ('exact', 'close', 'differs')
    """
    if isinstance(ours, str):
        return "exact" if ours == printed else "differs"
    try:
        number, value = Decimal(printed), Decimal(float(ours))
    except (InvalidOperation, TypeError, ValueError):
        raise ValueError(f"printed {printed!r} and ours {ours!r} are not two numbers") from None
    if not number.is_finite():
        raise ValueError(f"the printed value {printed!r} is not a finite number")
    if not value.is_finite():
        return "differs"
    exponent = number.as_tuple().exponent
    unit = Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)
    distance = abs(value - number)
    if distance <= unit / 2 + ROUNDING:
        return "exact"
    return "close" if distance <= unit + ROUNDING else "differs"


@dataclass(frozen=True, eq=False)
class Comparison:
    """A printed table beside ours.

    Attributes
    ----------
    paper, table
        Which table.
    cells
        DataFrame with the columns row, column, printed, ours, verdict, reason and note, one
        line per printed cell.
    """

    paper: str
    table: str
    cells: pd.DataFrame

    def counts(self) -> dict[Verdict, int]:
        """Verdict -> number of cells, verdicts without a cell left out."""
        found = self.cells["verdict"].value_counts()
        return {verdict: int(found[verdict]) for verdict in VERDICTS if verdict in found}

    def summary(self) -> str:
        """Return for example ``36 of 36 exact``, or ``35 exact and 1 close of 36``."""
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
    not_public: str | Mapping[Cell, str] = "",
    reasons: Mapping[Cell, str] | None = None,
    printed: pd.DataFrame | None = None,
) -> Comparison:
    """Put a printed table beside ours and judge every cell.

    Parameters
    ----------
    paper, table
        As for :func:`ordbook.data.printed.printed_values`: ``"acl21"``, ``"2i"``.
    ours
        Recomputed values: a DataFrame whose index and columns are the printed rows and
        columns (other cells are ignored), or a mapping (row, column) -> value.
    columns
        Compare only these printed columns.
    not_public
        Why there is no value of ours: one reason for all such cells, or cell -> reason.
    reasons
        Cell -> why it is only close, or differs.
    printed
        The printed values themselves (columns row, column, printed), where they are not part of
        ``data/published``.

    Raises
    ------
    UnexplainedDifference
        If a cell has neither a value of ours nor a reason, or does not come out exactly and
        has no reason.
    ValueError
        If the table is unknown, or a reason is given for a cell that needs none.

    Examples
    --------
    >>> compare("acl21", "8i", {("RNSS", "NMD"): 54 / 66}, not_public="an example").summary()
    '1 exact and 14 not public of 15'
    """
    if printed is None:
        printed = printed_values(paper, table)
    if columns is not None:
        if unknown := set(columns) - set(printed["column"]):
            raise ValueError(f"table {table} of {paper} has no column {min(unknown)!r}")
        printed = printed[printed["column"].isin(columns)].reset_index(drop=True)
    values = _as_mapping(ours)
    unused = dict(reasons or {})
    cells = []
    for row, column, text in zip(
        printed["row"], printed["column"], printed["printed"], strict=True
    ):
        cell = (row, column)
        where = f"table {table} of {paper}, row {row!r}, column {column!r}"
        if cell in values:
            verdict = judge(text, values[cell])
            reason = "" if verdict == "exact" else unused.pop(cell, "")
            if verdict != "exact" and not reason:
                raise UnexplainedDifference(
                    f"{where}: printed {text}, ours {values[cell]}: {verdict}, "
                    "and no reason is given"
                )
        else:
            verdict = "not public"
            reason = not_public if isinstance(not_public, str) else not_public.get(cell, "")
            if not reason:
                raise UnexplainedDifference(
                    f"{where}: printed {text}, but there is neither a value of ours nor a reason"
                )
        cells.append((row, column, text, values.get(cell), verdict, reason))
    if unused:
        raise ValueError(
            f"table {table} of {paper}: a reason is given for {next(iter(unused))}, "
            "which needs none"
        )
    frame = pd.DataFrame(cells, columns=["row", "column", "printed", "ours", "verdict", "reason"])
    return Comparison(paper, table, frame.assign(note=printed.get("note", "")))


def _as_mapping(ours: Ours) -> Mapping[Hashable, float | str]:
    if ours is None:
        return {}
    if isinstance(ours, pd.DataFrame):
        return {
            (str(row), str(column)): ours.loc[row, column]
            for row in ours.index
            for column in ours.columns
        }
    return dict(ours)
