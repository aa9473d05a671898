"""DNKT's ranking consistencies, Tables 25 to 28, and the symbols of which outperforms which.

The p-value of a randomised Tukey HSD test depends on the size of a difference only. So each
column has one honestly significant difference: a measure outperforms whatever is lower by more.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations_with_replacement, pairwise
from statistics import mean
from typing import NamedTuple

from ordbook.papers.checks.dnkt.tables import (
    DATA_SETS,
    NOMINAL,
    ORDINAL,
    DataSet,
    at,
    said,
)
from ordbook.papers.checks.tools import DNKT, ranked
from ordbook.papers.ledger import errata
from ordbook.papers.relations import (
    Cell,
    CheckResult,
    Printed,
    Relation,
    average,
    condition,
    counted,
    exact,
    value_of,
)
from ordbook.papers.symbols import OUTPERFORMED

SUMMARY = "28"
HALVES = ("full split", "10 vs. 10")


class Column(NamedTuple):
    """Half of a part of Tables 25 to 27, or of Table 28; measures in the printed order."""

    table: str
    half: str
    measures: tuple[str, ...]

    def value(self, measure: str) -> Cell:
        """Mean tau of a measure."""
        return at(self.table, measure, self.half)

    def symbols(self, measure: str) -> Cell:
        """Symbols of what a measure outperforms."""
        return at(self.table, measure, f"{self.half} outperforms")

    @property
    def values(self) -> tuple[Cell, ...]:
        """Mean tau, all of them."""
        return tuple(map(self.value, self.measures))


def columns_of(printed: Printed, table: str) -> list[Column]:
    """Return both halves of a table of consistencies."""
    return [
        Column(table, half, tuple(cell.row for cell in DNKT.column(printed, table, half)))
        for half in HALVES
    ]


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 25 to 28."""
    columns = {each.name: columns_of(printed, each.consistency) for each in DATA_SETS}
    every = [column for both in columns.values() for column in both]
    summaries = columns_of(printed, SUMMARY)
    return [
        *_order([*every, *summaries]),
        *_averages(summaries),
        *_sample_sizes(),
        *_tops(columns),
        *_ordinal_winner(summaries),
        *_nominal_winners(summaries),
        *_worst(summaries),
        *_one_hsd(every),
        *_in_order(every),
        *_prose(printed),
    ]


def _order(columns: Sequence[Column]) -> Iterator[Relation]:
    """Tables 25 to 28 list the measures of each half from the best to the worst."""
    for column in columns:
        for cells in pairwise(column.values):
            yield exact("order", cells, Decimal.__ge__, "ranked lists", "one after another")


def _averages(summaries: Sequence[Column]) -> Iterator[Relation]:
    """Table 28 averages the mean tau of the eight data sets.

    Not of the printed values, it seems: the three averages that lie halfway are rounded down.
    """
    for column in summaries:
        for cell in column.values:
            parts = [cell._replace(table=each.consistency) for each in DATA_SETS]
            yield average(cell, parts, "caption of Table 28")


def sizes(data_set: DataSet, half: str) -> tuple[Cell, Cell]:
    """Return the sizes of both test sets, from the headings of Tables 25 to 27."""
    one = at(f"caption{data_set.consistency}", f"{data_set.name} {half}", "first half")
    if half != HALVES[0]:
        one = one._replace(column="first set")
    return one, one._replace(column=one.column.replace("first", "second"))


def _sample_sizes() -> Iterator[Relation]:
    """Section 5: the test data are split in half, or two sets of 10 are drawn."""
    for data_set in DATA_SETS:
        yield exact(
            "sum",
            (at("2", data_set.listed, "Test data sample size"), *sizes(data_set, HALVES[0])),
            lambda size, one, two: size == one + two and abs(one - two) <= 1,
            "Section 5: split in half",
            "sample size and its halves",
        )
    both = sizes(DATA_SETS[0], HALVES[1])
    yield counted(at("s5", "small test sets"), len(both), "Table 25(a) names both")


# -- what Sections 5 and 6 say -----------------------------------------------------------------


def _tops(columns: dict[str, list[Column]]) -> Iterator[Relation]:
    """Section 5: RNOD is second in Table 25(a), RNSS first in 26(b) and (c), full split."""
    for name in ("STC-3 DQ-E", "STC-3 DQ-S"):
        full = columns[name][0]
        values = {m: full.value(m) for m in full.measures}
        yield ranked(at("s5", f"{name} full split", "top"), values, -1, f"Table {full.table}, top")


def _ordinal_winner(summaries: Sequence[Column]) -> Iterator[Relation]:
    """RNOD is the best ordinal measure of Table 28: nowhere lower, and higher by both halves.

    In full split RNOD2 has the same four digits, so only 10 vs. 10 tells them apart.
    """
    relies = "Table 28, both halves: no other ordinal measure is higher in one or as high in sum"
    cells = [column.value(measure) for measure in ORDINAL for column in summaries]

    def wins(text: str, *texts: str) -> bool:
        numbers = [value_of(number) for number in texts]
        scores = dict(zip(ORDINAL, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
        full, small = scores.pop(text if text in scores else "RNOD")
        return all(full >= f and small >= s and full + small > f + s for f, s in scores.values())

    for sentence in (
        said("abstract", "most consistent ordinal measure"),
        said("s1", "most consistent ordinal measure"),
        at("s5", "Table 28 ordinal winner", "measure"),
        said("s6", "most consistent ordinal measure"),
        said("s6", "RNOD against NMD and the variants"),
    ):
        yield condition("claim", (sentence, *cells), wins, relies, relies)
        yield _first_alone(sentence)


def _first_alone(sentence: Cell) -> Relation:
    """Hold a sentence to the eight full splits, where RNOD should be before RNOD2."""
    columns = {
        measure: [at(each.consistency, measure, HALVES[0]) for each in DATA_SETS]
        for measure in ("RNOD", "RNOD2")
    }

    def test(printed: Printed) -> CheckResult:
        found = {m: mean(value_of(printed[c]) for c in cells) for m, cells in columns.items()}
        text = ", ".join(f"{measure} {value:.5f}" for measure, value in found.items())
        holds = found["RNOD"] > found["RNOD2"]
        return CheckResult(holds, f"means of the eight printed values: {text}")

    cells = [cell for column in columns.values() for cell in column]
    return Relation("claim", (sentence, *cells), test, "Tables 25 to 27, full split")


def _nominal_winners(summaries: Sequence[Column]) -> Iterator[Relation]:
    """Section 5: NVD and JSD are above RNSS in both halves of Table 28."""

    def holds(text: str, *texts: str) -> bool:
        scores = dict(zip(NOMINAL, map(value_of, texts), strict=True))
        named = text.split()
        rest = [score for name, score in scores.items() if name not in named]
        return bool(rest) and min(scores[name] for name in named) > max(rest)

    sentence = at("s5", "Table 28 nominal winners", "measures")
    for column in summaries:
        cells = (sentence, *map(column.value, NOMINAL))
        yield condition("claim", cells, holds, "Table 28", f"above, {column.half}")


def _worst(summaries: Sequence[Column]) -> Iterator[Relation]:
    """DNKT is the lowest of Table 28, and a combined measure below the other component."""
    for column in summaries:
        values = {measure: column.value(measure) for measure in column.measures}
        for sentence in (
            said("abstract", "least consistent measure"),
            said("s1", "least consistent measure"),
            at("s5", "Table 28 worst measure", "measure"),
        ):
            yield ranked(sentence, values, 0, f"Table 28, {column.half}, lowest")


# -- symbols -----------------------------------------------------------------------------------


def beaten(text: str) -> list[str]:
    """Return the measures that symbols stand for."""
    if text == "blank":
        return []
    if unknown := set(text) - set(OUTPERFORMED):
        raise ValueError(f"unknown symbols {sorted(unknown)}")
    return [OUTPERFORMED[symbol] for symbol in text]


def _in_order(columns: Sequence[Column]) -> Iterator[Relation]:
    """Symbols stand in the order of their column's ranking, below the measure itself."""
    relies = "symbols stand in the order of the ranking, all over Tables 25 to 27"
    shown = "outperformed, from the best to the worst"
    for column in columns:
        for measure in column.measures:

            def holds(text: str, column: Column = column, measure: str = measure) -> bool:
                rows = [column.measures.index(other) for other in (measure, *beaten(text))]
                return all(a < b for a, b in pairwise(rows))

            yield condition("symbols", (column.symbols(measure),), holds, relies, shown)


def _one_hsd(columns: Sequence[Column]) -> Iterator[Relation]:
    """Hold every significant difference above all others, in one row and across two."""
    for column in columns:
        for pair in combinations_with_replacement(column.measures, 2):
            rows = tuple(dict.fromkeys(pair))

            def holds(*texts: str, column: Column = column, rows: tuple[str, ...] = rows) -> bool:
                marks = dict(zip(rows, texts, strict=False))
                return not _contradictory(_values(column, texts[len(rows) :]), marks)

            cells = (*map(column.symbols, rows), *column.values)
            shown = f"one HSD for {' and '.join(rows)}"
            yield condition("symbols", cells, holds, "one Tukey HSD in a column", shown)


def _values(column: Column, texts: Sequence[str]) -> dict[str, int]:
    """Return the mean tau of a column's measures in units of 0.0001."""
    numbers = (round(float(text) * 10_000) for text in texts)
    return dict(zip(column.measures, numbers, strict=True))


def _differences(
    values: Mapping[str, int], marks: Mapping[str, str]
) -> tuple[list[tuple[int, str, str]], list[tuple[int, str, str]]]:
    """Return the significant differences of rows, and the others: size and both measures."""
    significant: list[tuple[int, str, str]] = []
    others: list[tuple[int, str, str]] = []
    for measure, text in marks.items():
        lower = beaten(text)
        for other, value in values.items():
            if other != measure:
                found = (values[measure] - value, measure, other)
                (significant if other in lower else others).append(found)
    return significant, others


def _contradictory(values: Mapping[str, int], marks: Mapping[str, str]) -> bool:
    """Whether a significant difference must be smaller than one that is not.

    Each value can be off by half a unit. A value in both differences cancels, or counts twice.
    """
    significant, others = _differences(values, marks)
    if not significant or not others or min(significant)[0] >= max(others)[0]:
        return False
    for large, high, low in significant:
        for small, top, bottom in others:
            if large < small:
                weights = dict.fromkeys((high, low, top, bottom), 0)
                for name, weight in ((high, 1), (low, -1), (top, -1), (bottom, 1)):
                    weights[name] += weight
                if small - large >= sum(map(abs, weights.values())) / 2:
                    return True
    return False


def _prose(printed: Printed) -> Iterator[Relation]:
    """Section 5 on Table 25(a): how many measures JSD and RNOD outperform.

    Once by their symbols; and once by the HSD that the rows without a doubtful symbol show.
    """
    first = DATA_SETS[0]
    doubtful = {cell for erratum in errata() for cell in erratum.implied}
    for column in columns_of(printed, first.consistency):
        clean = tuple(m for m in column.measures if column.symbols(m) not in doubtful)
        for measure in ("JSD", "RNOD"):
            sentence = at("s5", f"{first.name} {measure} {column.half}", "outperforms")
            yield condition(
                "claim",
                (sentence, column.symbols(measure)),
                lambda count, text, column=column: len(beaten(text)) == _count(count, column),
                "Section 5, Table 25(a)",
                "so many symbols",
            )

            def holds(
                count: str,
                *texts: str,
                column: Column = column,
                measure: str = measure,
                clean: Sequence[str] = clean,
            ) -> bool:
                values = _values(column, texts[len(clean) :])
                significant, others = _differences(values, dict(zip(clean, texts, strict=False)))
                lower = [values[measure] - value for value in values.values()]
                return {
                    sum(size >= min(significant)[0] for size in lower),
                    sum(size > max(others)[0] for size in lower),
                } == {_count(count, column)}

            cells = (sentence, *map(column.symbols, clean), *column.values)
            relies = "Section 5, Table 25(a): the HSD of the rows without a doubtful symbol"
            yield condition("claim", cells, holds, relies, "so many are lower by the HSD")


def _count(text: str, column: Column) -> int:
    return len(column.measures) - 1 if text == "all" else int(value_of(text))
