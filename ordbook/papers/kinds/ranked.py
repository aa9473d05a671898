"""Ranked lists, with symbols for what each entry significantly outperforms."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    condition,
    ordered,
    value_of,
)
from ordbook.papers.tables import Paper

NAMES = "names"


def checks(
    paper: Paper,
    table: str,
    printed: Printed,
    columns: Sequence[str],
    symbols: str = "",
    best: str = "high",
) -> Iterator[Relation]:
    """Yield the checks of one table.

    Parameters
    ----------
    paper, table, printed
        Which table, and all printed numbers.
    columns
        The columns by which the rows are ranked, each from the best to the worst.
    symbols
        ``names`` if a symbol stands for the measure that is outperformed, as the entry of the
        paper says; or the caption that says how many of the worst measures it stands for.
    best
        Whether the best is ``high`` or ``low``.
    """
    if best not in ("high", "low"):
        raise ValueError(f"the best is 'high' or 'low', not {best!r}")
    for column in columns:
        listed = List.of(paper, table, column, printed, symbols)
        relies = f"Table {table} ranks by {column} from the best to the worst"
        yield from ordered(listed.means if best == "high" else listed.means[::-1], relies)
        if symbols:
            yield from _one_hsd(listed, paper.symbols)


class List(NamedTuple):
    """One ranked column of a table: the means, and the symbols beside them.

    ``legend`` is symbol -> the place that prints how many of the worst it outperforms.
    """

    table: str
    means: list[Cell]
    symbols: list[Cell]
    legend: dict[str, Cell]

    @classmethod
    def of(cls, paper: Paper, table: str, column: str, printed: Printed, symbols: str) -> "List":
        """Return the cells of a column."""
        means = paper.column(printed, table, column)
        beside = [
            next((cell for cell in (named, plain) if cell in printed), None)
            for mean in means
            for named, plain in [
                (
                    mean._replace(column=f"{column} outperforms"),
                    mean._replace(column="outperforms"),
                )
            ]
        ]
        legend = {
            cell.row[0]: cell
            for cell in paper.cells(printed, symbols)
            if "worst measures outperformed" in cell.row
        }
        return cls(table, means, [cell for cell in beside if cell], legend)


def _one_hsd(listed: List, names: Mapping[str, str]) -> Iterator[Relation]:
    """Hold every significant difference above all others, in one row and across two.

    The p-value of a randomised Tukey HSD test depends on the size of a difference only. So each
    column has one honestly significant difference: a measure outperforms whatever is lower by
    more.
    """
    measures = [cell.row for cell in listed.means]
    beside = dict(zip(measures, listed.symbols, strict=True))
    for pair in combinations_with_replacement(measures, 2):
        rows = tuple(dict.fromkeys(pair))

        def holds(*texts: str, rows: tuple[str, ...] = rows) -> bool:
            marks, rest = dict(zip(rows, texts, strict=False)), texts[len(rows) :]
            values = dict(zip(measures, map(value_of, rest), strict=False))
            numbers = dict(zip(listed.legend, rest[len(measures) :], strict=True))

            def lower(mark: str) -> list[str]:
                if mark == "blank":
                    return []
                if numbers:
                    return measures[-int(value_of(numbers[mark])) :]
                return [names[symbol] for symbol in mark]

            return not contradictory(values, {row: lower(mark) for row, mark in marks.items()})

        cells = (*(beside[row] for row in rows), *listed.means, *listed.legend.values())
        title = f"one HSD for {' and '.join(rows)}"
        yield condition("symbols", cells, holds, "one Tukey HSD in a column", title)


def contradictory(values: Mapping[str, Decimal], lower: Mapping[str, Sequence[str]]) -> bool:
    """Whether a significant difference must be smaller than one that is not, or than itself.

    Parameters
    ----------
    values
        Measure -> printed mean tau.
    lower
        Measure -> the measures that it significantly outperforms, for one row or two.
    """
    significant: list[tuple[Decimal, str, str]] = []
    others: list[tuple[Decimal, str, str]] = []
    for measure, outperformed in lower.items():
        if measure in outperformed:
            return True
        for other in values.keys() - {measure}:
            difference = (values[measure] - values[other], measure, other)
            (significant if other in outperformed else others).append(difference)
    unit = Decimal(1).scaleb(min(int(value.as_tuple().exponent) for value in values.values()))
    for (large, high, low), (small, top, bottom) in product(significant, others):
        if large < small:
            # Each value may be off by half a unit. In both differences it cancels, or counts twice.
            weights = Counter([high, bottom])
            weights.subtract([low, top])
            if small - large >= unit * sum(map(abs, weights.values())) / 2:
                return True
    return False
