"""The checks of the symbols in DNKT's Tables 25 to 27: which measure outperforms which.

Contents
--------
beaten             the measures that symbols stand for
symbol_relations   all checks
PREDICTED          symbols that the extracted text cannot have right, and what the rest implies
SYMBOL_ERRATA      the same, by part of a table

The p-value of a randomised Tukey HSD test depends on the size of a difference only. So each
column has one honestly significant difference: a measure outperforms whatever is lower by more.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, pairwise

from ordbook.papers.checks.dnkt.numbers import DATA_SETS, Column, at, columns_of
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import Printed, Relation, condition, value_of
from ordbook.papers.symbols import OUTPERFORMED

# (table, half) -> measure -> the symbols that one HSD implies where the text has others.
PREDICTED: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("25a", "full split"): {
        "JSD": "♡◯*♠⋄♣⋆∘∇†△",
        "RNOD": "*♠⋄♣⋆∘∇†△",
        "DNKT_JSD": "*♠⋄♣⋆∘∇†△",
    },
    ("25a", "10 vs. 10"): {
        "JSD": "♡◯*♣♠⋄⋆†△∇∘",
        "RNOD": "♠⋄⋆†△∇∘",
        "DNKT_JSD": "♠⋄⋆†△∇∘",
        "NVD": "♠⋄⋆†△∇∘",
    },
    ("25b", "full split"): {"NMD": "*♮♡◯⋄♣♠△⋆∇∘", "RNOD2": "♠△⋆∇∘"},
    ("26c", "full split"): {
        "RNSS": "*⋄♡†◯∇♮△∘",
        "RNADW2": "⋄♡†◯∇♮△∘",
        "RNADW": "⋄♡†◯∇♮△∘",
        "NVD": "⋄♡†◯∇♮△∘",
    },
    ("27a", "10 vs. 10"): {
        "JSD": "∘♡*♠♣⋄∇◯△⋆†",
        "DNKT": "♡*♠♣⋄∇◯△⋆†",
        "RNOD": "♠♣⋄∇◯△⋆†",
    },
    ("27b", "full split"): {
        "NMD": "♮⋆◯*∇♡⋄♣∘♠△",
        "JSD": "⋆◯*∇♡⋄♣∘♠△",
        "RNSS": "*∇♡⋄♣∘♠△",
        "DNKT_JSD": "*∇♡⋄♣∘♠△",
    },
    ("27c", "full split"): {"RNOD2": "♡♠*∘∇△†", "RNSS": "♡♠*∘∇△†"},
    ("27c", "10 vs. 10"): {"DNKT": "♠⋆∇△†"},
}
# Table -> the contradiction in the column's numbers.
_WHY = {
    "25a": "Full split: ♠ but not ⋄, though RNOD2 is lower than RNADW2. 10 vs. 10: RNOD, DNKT_JSD "
    "and NVD have ♣ for RNADW, at most .0044 lower, but not ⋄ for RNOD2, at least .0141 lower; "
    "JSD lacks ⋄ too. Section 5 says that JSD outperforms all others, RNOD nine and seven.",
    "25b": "Full split: NMD is .0267 above NVD, while .0111 is significant in its column, but * is "
    "lacking; RNOD2 has ♣ for RNADW, but not ♠ for the lower RNADW2 (♣ may be right if the HSD "
    "is .0092 to a rounding; then ♠ is lacking beside it).",
    "26c": "Full split: RNADW2, RNADW and NVD have ⋄ but not ♡, though RNOD is lower than RNOD2; "
    "RNSS has * and ♡ but not ⋄ for RNOD2, which lies between NVD and RNOD.",
    "27a": "10 vs. 10: JSD, DNKT and RNOD have ♠ and ♣ but not ⋄ for RNOD2, which is lower than "
    "both.",
    "27b": "Full split: NMD, JSD, RNSS and DNKT_JSD have ♡ but not ⋄ for the lower RNOD2.",
    "27c": "Full split: RNOD2 and RNSS have ♣ for RNADW and ♡ for RNOD but not ♠ for the lower "
    "RNADW2; 10 vs. 10: DNKT has ♣ for RNADW but not ♠ for the lower RNADW2.",
}


def _errata() -> Iterator[Erratum]:
    for table, why in _WHY.items():
        halves = {half: rows for (part, half), rows in PREDICTED.items() if part == table}
        implied = "; ".join(
            f"{half} " + ", ".join(f"{measure} {marks}" for measure, marks in rows.items())
            for half, rows in halves.items()
        )
        yield Erratum(
            f"dnkt-table{table}-symbols",
            tuple(
                Column(table, half, ()).symbols(row)
                for half, rows in halves.items()
                for row in rows
            ),
            "extraction",
            "Symbols that no honestly significant difference gives with the column's numbers.",
            f"{why} Only the extracted text is at hand and the page may have them: nearly all "
            f"concern ♣ ♡ ♠ ⋄, easily confused. Implied by the other numbers: {implied}.",
        )


SYMBOL_ERRATA = tuple(_errata())
DOUBTFUL = frozenset(cell for erratum in SYMBOL_ERRATA for cell in erratum.cells)


def symbol_relations(printed: Printed) -> list[Relation]:
    """Return the checks of the symbols."""
    columns = [column for each in DATA_SETS for column in columns_of(printed, each.consistency)]
    return [*_one_hsd(columns), *_in_order(columns), *_prose(printed)]


def beaten(text: str) -> list[str]:
    """Return the measures that symbols stand for."""
    if text == "blank":
        return []
    if unknown := set(text) - set(OUTPERFORMED):
        raise ValueError(f"unknown symbols {sorted(unknown)}")
    return [OUTPERFORMED[symbol] for symbol in text]


def _in_order(columns: Sequence[Column]) -> Iterator[Relation]:
    """Symbols stand in the order of their column's ranking, below the measure itself."""
    for column in columns:
        for measure in column.measures:

            def holds(text: str, column: Column = column, measure: str = measure) -> bool:
                rows = [column.measures.index(other) for other in (measure, *beaten(text))]
                return all(a < b for a, b in pairwise(rows))

            yield condition(
                "symbols",
                (column.symbols(measure),),
                holds,
                "symbols stand in the order of the ranking, all over Tables 25 to 27",
                "outperformed, from the best to the worst",
            )


# -- one honestly significant difference -------------------------------------------------------


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


# -- Section 5's example -----------------------------------------------------------------------


def _prose(printed: Printed) -> Iterator[Relation]:
    """Section 5 on Table 25(a): how many measures JSD and RNOD outperform.

    Once by their symbols; and once by the HSD that the rows without a doubtful symbol show.
    """
    first = DATA_SETS[0]
    for column in columns_of(printed, first.consistency):
        clean = [m for m in column.measures if column.symbols(m) not in DOUBTFUL]
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
                clean: Sequence[str] = tuple(clean),
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
