"""Ranked lists, with symbols for what each entry significantly outperforms."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from ordbook.papers.relations import (
    NOISE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    condition,
    ordered,
    rounded,
    value_of,
)
from ordbook.papers.tables import Paper

NAMES = "names"
# Printed means in whole units of their last digit.
UNITS = 10_000


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
        if symbols == NAMES:
            yield from _one_hsd(listed, paper.symbols)
        elif symbols:
            yield _critical_difference(listed)


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


def _critical_difference(listed: List) -> Relation:
    """One Tukey HSD test has one critical difference, for all pairs of means.

    Every difference that the symbols call significant must exceed every one that they do not;
    the caption says what the symbols mean. Rounding makes the first as large and the others as
    small as they can be.
    """

    def test(printed: Printed) -> CheckResult:
        means = [rounded(printed[cell]) for cell in listed.means]
        number = {s: int(value_of(printed[cell])) for s, cell in listed.legend.items()}
        number["blank"] = 0
        worst = [len(means) - number[printed[cell]] for cell in listed.symbols]
        if any(first <= i for i, first in enumerate(worst) if first < len(means)):
            return CheckResult(False, "a measure outperforms itself or a better one")
        pairs = list(combinations(range(len(means)), 2))
        below = max((means[i].low - means[j].high for i, j in pairs if j < worst[i]), default=0)
        above = min((means[i].high - means[j].low for i, j in pairs if j >= worst[i]), default=2)
        text = f"not significant from {below:.3f} down, significant from {above:.3f} up"
        return CheckResult(below <= above + NOISE, text)

    relies = "the symbols come from one critical difference, footnote 7 and the caption"
    cells = (*listed.means, *listed.symbols, *listed.legend.values())
    return Relation("symbols", cells, test, relies)


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
            values = [round(float(text) * UNITS) for text in texts[len(rows) :]]
            marks = dict(zip(rows, texts, strict=False))
            return not contradictory(dict(zip(measures, values, strict=True)), marks, names)

        cells = (*(beside[row] for row in rows), *listed.means)
        title = f"one HSD for {' and '.join(rows)}"
        yield condition("symbols", cells, holds, "one Tukey HSD in a column", title)


def contradictory(
    values: Mapping[str, int], marks: Mapping[str, str], names: Mapping[str, str]
) -> bool:
    """Whether a significant difference must be smaller than one that is not, or than itself.

    Parameters
    ----------
    values
        Measure -> mean tau in units of 0.0001.
    marks
        Measure -> symbols of the measures that it outperforms, for one row or two.
    names
        Symbol -> the measure that it stands for.
    """
    significant: list[tuple[int, str, str]] = []
    others: list[tuple[int, str, str]] = []
    for measure, text in marks.items():
        lower = [] if text == "blank" else [names[symbol] for symbol in text]
        if measure in lower:
            return True
        for other in values.keys() - {measure}:
            difference = (values[measure] - values[other], measure, other)
            (significant if other in lower else others).append(difference)
    for (large, high, low), (small, top, bottom) in product(significant, others):
        if large < small:
            # Each value may be off by half a unit. In both differences it cancels, or counts twice.
            weights = Counter([high, bottom])
            weights.subtract([low, top])
            if small - large >= sum(map(abs, weights.values())) / 2:
                return True
    return False
