"""LQ'21: numbers and sentences of the running text, against the tables."""

from collections.abc import Iterator
from itertools import product

from ordbook.papers.checks.lq21.tables import (
    CONTRADICTING,
    MEASURES,
    at,
    data_sets,
    expanded,
    lines,
    listed,
    shared,
)
from ordbook.papers.checks.tools import LQ21
from ordbook.papers.relations import (
    Printed,
    Relation,
    condition,
    counted,
    total,
)

said = LQ21.claim


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of the running text."""
    return [
        *_without_contradictions(),
        *_quantities(printed),
        *_listed_pairs(printed),
    ]


# -- how many ----------------------------------------------------------------------------------


def _without_contradictions() -> Iterator[Relation]:
    """Section 5.2: 64/(3 + 64 + 0) is the SSO of Table 4(c) once contradictions are taken out."""
    data = "STC-3 DQ-A NMD RNOD"
    a, b, c = (at("s5.2", f"{data} without contradictions: {x}") for x in "abc")
    yield shared(at("s5.2", f"{data} without contradictions: SSO", "percentage"), (a, b, c))


def _quantities(printed: Printed) -> Iterator[Relation]:
    """Hold counts in the text to the rows of the tables, to Table 2 and to Table 6."""
    sets = data_sets(printed)
    ntcir = [data for data in sets if not data.startswith("Sem")]
    stc3 = [data for data in sets if data.startswith("STC-3")]
    for section, row, number in (
        ("s4", "data sets", len(sets)),
        ("s5.1", "data sets of Table 3", len(sets)),
        ("s4", "STC-3 data sets", len(stc3)),
        ("s5.1", "STC-3 data sets", len(stc3)),
        ("s4", "dialogue quality viewpoints", len(stc3)),
        ("s4", "NTCIR data sets", len(ntcir)),
        ("s4", "SemEval data sets", len(sets) - len(ntcir)),
        ("s5.3", "NTCIR data sets with the two baselines", len(LQ21.rows(printed, "7")) - 1),
        ("s5.3", "data sets of Tables 5 and 6", len(CONTRADICTING)),
        ("s5.2", "NTCIR data sets with contradictions", len(CONTRADICTING)),
    ):
        relies = "the rows and parts of the tables"
        yield counted(at(section, row), number, relies, family="count")


def _listed_pairs(printed: Printed) -> Iterator[Relation]:
    """Hold the run pairs of Section 5.2 to Tables 5 and 6."""
    four = [at("s5.2", f"STC-3 DQ-A: contradiction {i}", "run pair") for i in (1, 2, 3, 4)]
    first, third = lines(printed, "I"), lines(printed, "III")
    combined = [c for c in LQ21.cells(printed, "s5.2") if c.column == "run combinations"]

    def written(*texts: str) -> bool:
        return set(texts[:4]) == {
            f"{better} vs. {worse}"
            for line in listed(texts[4:])
            for better, worse in product(line.better, line.worse)
        }

    def cases(*texts: str) -> float:
        return sum(line.second == {"RNOD", "RNSS", "JSD"} for line in listed(texts))

    def contradicted(*numbers: str) -> float:
        return len({m for m, n in zip(MEASURES[1:] * 5, numbers, strict=True) if int(n)})

    yield condition("list", (*four, *first), written, "Table 6(I)", "run pairs, Table 6(I)")
    table5 = [at(f"5{part}", "NMD", m) for part in CONTRADICTING for m in MEASURES[1:]]
    same_runs = "the lines of Table 6(I): Chinese and English baselines are the same"
    for row, number, relies, cells in (
        (
            "STC-3 DQ-A: essentially different contradictions",
            lambda *texts: len(listed(texts)),
            same_runs,
            first,
        ),
        ("DialEval-1 DQ-A: cases of these 8", cases, "Table 6(III)", third),
        ("measures that NMD contradicts", contradicted, "Table 5, row NMD", table5),
        (
            "STC-3 DQ-A: contradictions listed",
            lambda *pairs: len(set(pairs)),
            "the list in Section 5.2",
            four,
        ),
    ):
        yield counted(at("s5.2", row), number, relies, cells, "count")
    everyone = at("s5.2", "DialEval-1 DQ-A: contradictions of NMD RSNOD with RNOD RNSS JSD")
    yield total(everyone, combined, "Section 5.2: 4 + 2 + 2 combinations")
    for cell in combined:

        def combinations_of(*texts: str, name: str = cell.row.partition(": ")[2]) -> float:
            better, _, worse = name.partition(" vs. ")
            claimed = (expanded(better), expanded(worse))
            listed_there = {(line.better, line.worse) for line in listed(texts)}
            return len(claimed[0]) * len(claimed[1]) if claimed in listed_there else 0

        yield counted(cell, combinations_of, "Table 6(III)", third)
