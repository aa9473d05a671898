"""The checks of DNKT's ranking consistencies: Tables 25 to 28 but for their symbols.

Contents
--------
consistency_relations   all of them
sizes                   the sizes of both test sets, from the headings of Tables 25 to 27
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ordbook.papers.checks.dnkt.numbers import (
    COMBINED,
    DATA_SETS,
    HALVES,
    NOMINAL,
    ORDINAL,
    Column,
    DataSet,
    at,
    columns_of,
    ranked,
)
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    average,
    claim,
    condition,
    counted,
    exact,
    same,
    value_of,
)

SUMMARY = "28"


def consistency_relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 25 to 28."""
    columns = {each.name: columns_of(printed, each.consistency) for each in DATA_SETS}
    summaries = columns_of(printed, SUMMARY)
    return [
        *_order([*(column for both in columns.values() for column in both), *summaries]),
        *_averages(summaries),
        *_sample_sizes(),
        *_tops(columns),
        *_ordinal_winner(summaries),
        *_nominal_winners(summaries),
        *_worst(summaries),
    ]


def _order(columns: Sequence[Column]) -> Iterator[Relation]:
    """Tables 25 to 28 list the measures of each half from the best to the worst."""
    for column in columns:
        for cells in pairwise(column.values):
            yield exact("order", cells, lambda a, b: a >= b, "ranked lists", "one after another")


def _averages(summaries: Sequence[Column]) -> Iterator[Relation]:
    """Table 28 averages the mean tau of the eight data sets.

    Not of the printed values, it seems: the three averages that lie halfway are rounded down.
    """
    for column in summaries:
        for cell in column.values:
            parts = [cell._replace(table=each.consistency) for each in DATA_SETS]
            yield average(cell, parts, "caption of Table 28")


# -- sample sizes ------------------------------------------------------------------------------


def sizes(data_set: DataSet, half: str) -> tuple[Cell, Cell]:
    """Return the sizes of both test sets, from the headings of Tables 25 to 27."""
    names = ("first half", "second half") if half == HALVES[0] else ("first set", "second set")
    row = f"{data_set.name} {half}"
    caption = f"caption{data_set.consistency}"
    return at(caption, row, names[0]), at(caption, row, names[1])


def _sample_sizes() -> Iterator[Relation]:
    """Section 5: the test data are split in half, or two sets of 10 are drawn."""
    for data_set in DATA_SETS:
        yield exact(
            "sum",
            (data_set.size, *sizes(data_set, HALVES[0])),
            lambda size, one, two: size == one + two and abs(one - two) <= 1,
            "Section 5: split in half",
            "sample size and its halves",
        )
        for cell in sizes(data_set, HALVES[1]):
            yield same(cell, at("s5", "small test sets", "size"), "Section 5: sets of size 10")
    first = DATA_SETS[0]
    for row, half in (("full split", HALVES[0]), ("small", HALVES[1])):
        for cell in sizes(first, half):
            yield same(at("s5", f"{first.name} {row}", "size"), cell, "Table 25(a)")
    drawn = at("s5", "small test sets", "count")
    both = sizes(first, HALVES[1])
    yield counted(drawn, len(both), "Table 25(a) names both")


# -- what Sections 5 and 6 say -----------------------------------------------------------------


def _tops(columns: dict[str, list[Column]]) -> Iterator[Relation]:
    """Section 5: RNOD is second in Table 25(a), RNSS first in 26(b) and (c), full split."""
    first = DATA_SETS[0].name
    for column in columns[first]:
        others = [m for m in column.measures if m != "RNOD"]
        yield claim(
            at("s5", f"{first} RNOD", "rank"),
            [column.value(m) for m in ("RNOD", *others)],
            lambda mine, *rest: sum(value > mine for value in rest) == 1 and mine not in rest,
            "Table 25(a), both halves",
        )
    for name in ("STC-3 DQ-E", "STC-3 DQ-S"):
        full = columns[name][0]
        values = {m: full.value(m) for m in full.measures}
        yield ranked(at("s5", f"{name} full split", "top"), values, -1, f"Table {full.table}, top")


def _ordinal_winner(summaries: Sequence[Column]) -> Iterator[Relation]:
    """RNOD is the best ordinal measure of Table 28: nowhere lower, and higher by both halves.

    In full split RNOD2 has the same four digits, so only 10 vs. 10 tells them apart.
    """
    sentences = (
        at("abstract", "most consistent ordinal measure", "claim"),
        at("s1", "most consistent ordinal measure", "claim"),
        at("s5", "Table 28 ordinal winner", "measure"),
        at("s6", "most consistent ordinal measure", "claim"),
        at("s6", "RNOD against NMD and the variants", "claim"),
        at("abstract", "variants of RNOD against RNOD", "claim"),
        at("s1", "variants of RNOD against RNOD", "claim"),
    )
    relies = "Table 28, both halves: no other ordinal measure is higher in one or as high in sum"
    cells = [column.value(measure) for measure in ORDINAL for column in summaries]

    def wins(text: str, *texts: str) -> bool:
        numbers = [value_of(number) for number in texts]
        scores = dict(zip(ORDINAL, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
        full, small = scores.pop(text if text in scores else "RNOD")
        return all(full >= f and small >= s and full + small > f + s for f, s in scores.values())

    for sentence in sentences:
        yield condition("claim", (sentence, *cells), wins, relies, relies)


def _nominal_winners(summaries: Sequence[Column]) -> Iterator[Relation]:
    """Section 5: NVD and JSD are above RNSS in both halves of Table 28."""
    for column in summaries:

        def holds(text: str, *texts: str) -> bool:
            scores = dict(zip(NOMINAL, map(value_of, texts), strict=True))
            named = text.split()
            rest = [score for name, score in scores.items() if name not in named]
            return bool(rest) and min(scores[name] for name in named) > max(rest)

        cells = [column.value(measure) for measure in NOMINAL]
        sentence = at("s5", "Table 28 nominal winners", "measures")
        yield condition("claim", (sentence, *cells), holds, "Table 28", f"above, {column.half}")


def _worst(summaries: Sequence[Column]) -> Iterator[Relation]:
    """DNKT is the lowest of Table 28, and a combined measure below the other component."""
    sentences = (
        at("abstract", "least consistent measure", "claim"),
        at("s1", "least consistent measure", "claim"),
        at("s5", "Table 28 worst measure", "measure"),
    )
    for column in summaries:
        values = {measure: column.value(measure) for measure in column.measures}
        for sentence in sentences:
            yield ranked(sentence, values, 0, f"Table 28, {column.half}, lowest")
        others = [cell for measure, cell in values.items() if measure != "DNKT"]
        yield claim(
            at("s6", "DNKT against the quantification measures", "claim"),
            [values["DNKT"], *others],
            lambda mine, *rest: all(mine < value for value in rest),
            f"Table 28, {column.half}: DNKT is lowest",
        )
        for measure in COMBINED:
            yield claim(
                at("s5", "Table 28 combined measures", "claim"),
                (values[measure], values[f"DNKT_{measure}"]),
                lambda component, combined: combined < component,
                f"Table 28, {column.half}: below the component",
            )
