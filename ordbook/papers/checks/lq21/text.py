"""LQ'21: numbers and sentences of the running text, against the tables."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import product

from ordbook.papers.checks.lq21.tables import (
    CONTRADICTING,
    MEASURES,
    at,
    data_sets,
    described,
    expanded,
    lines,
    listed,
    overlap,
    parts,
    shared,
)
from ordbook.papers.checks.tools import LQ21
from ordbook.papers.relations import (
    Printed,
    Relation,
    claim,
    condition,
    counted,
    total,
)

LOW = ("f", "h")  # Table 4: DialEval-1 DQ-A and DQ-S, of which the text says most
said = LQ21.claim


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of the running text."""
    return [
        *_without_contradictions(),
        *_quantities(printed),
        *_listed_pairs(printed),
        *_agreement(printed),
        *_contradicting(printed),
        *_preferences(printed),
    ]


def _largest(first: Decimal, *others: Decimal) -> bool:
    """Tell whether the first number is above all others."""
    return first > max(others)


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


# -- overlaps and contradictions ---------------------------------------------------------------


def _mostly(*values: Decimal) -> bool:
    return sum(value > 0 for value in values) > len(values) / 2


def _agreement(printed: Printed) -> Iterator[Relation]:
    """Table 4: how far NMD agrees with the others."""
    letters, others = list(parts(printed)), MEASURES[1:]
    sso, only = (
        {part: [overlap(part, ("NMD", m), what) for m in others] for part in letters}
        for what in ("SSO", "a")
    )

    def all_below(line: Decimal, *values: Decimal) -> bool:
        by_part = zip(*[iter(values)] * len(others), strict=True)
        below = [part for part, own in zip(letters, by_part, strict=True) if max(own) < line]
        return below == list(LOW)

    def outside(sentence: str, *values: str) -> bool:
        named = re.findall(r"Table 4|\((\w)\)", sentence)
        return named == ["", *LOW] and _mostly(*map(Decimal, values))

    line = at("caption4", "percentages underlined: below", "percentage")
    yield claim(
        said("s5.2", "DialEval-1 DQ-A and DQ-S: SSOs of NMD particularly low"),
        [line, *(cell for part in letters for cell in sso[part])],
        all_below,
        "Table 4: only in (f) and (h) every SSO of NMD is among the underlined",
        "the line, and SSO with NMD",
    )
    situation = (
        "DialEval-1 DQ-A and DQ-S: NMD finds differences outside the others' (Situation (ii))"
    )
    for part in LOW:
        yield condition(
            "claim",
            (said("s5.2", situation), *only[part]),
            outside,
            f"Table 4({part}): a above 0 with most measures (with JSD it is 0 in (f))",
            "the sentence, and a of NMD",
        )
    subsets = "NMD's significant differences generally not subsets of the others'"
    every = [cell for part in letters for cell in only[part]]
    for table in ("s5.2", "s6"):
        relies = "Table 4: a above 0 in most"
        yield claim(said(table, subsets), every, _mostly, relies, "a of NMD")


def _contradicting(printed: Printed) -> Iterator[Relation]:
    """Tables 5 and 6: who contradicts whom."""
    details = {part: lines(printed, part) for part in CONTRADICTING}
    everything = [cell for part in details.values() for cell in part]
    counts = [LQ21.cells(printed, f"5{part}") for part in CONTRADICTING]

    def all_popular(_: str, *texts: str) -> bool:
        return all("BL-popularity" in run for line in listed(texts) for run in line.better)

    def nmd_first(_: str, *texts: str) -> bool:
        return all(
            "NMD" in line.first and not {"NMD", "RSNOD"} & line.second for line in listed(texts)
        )

    def alike(sentence: str, *texts: str) -> bool:
        (one,), (other,) = listed(texts[:4]), listed(texts[4:])
        same_measures = (one.first, one.second) == (other.first, other.second)
        runs = [[run.partition("_")[2] for run in (*x.better, *x.worse)] for x in (one, other)]
        return CONTRADICTING["I"] in sentence and same_measures and runs[0] == runs[1]

    def third_largest(*values: Decimal) -> bool:
        size = len(counts[0])
        found = [sum(values[i : i + size], Decimal()) for i in range(0, len(values), size)]
        return _largest(found.pop(list(CONTRADICTING).index("III")), *found)

    yield condition(
        "claim",
        (said("s5.2", "all contradictions involve a Popularity baseline"), *everything),
        all_popular,
        "Table 6",
        "Run 1",
    )
    yield condition(
        "claim",
        (
            said("s5.2", "DialEval-1 DQ-E: Table 6(IV) as Table 6(I)"),
            *details["I"],
            *details["IV"],
        ),
        alike,
        "Table 6(I) and (IV), without the prefix of the subtask",
        "lines",
    )
    highest = "DialEval-1 DQ-A: highest number of contradictions of the five data sets"
    cells = [cell for part in counts for cell in part]
    yield claim(said("s5.3", highest), cells, third_largest, "Table 5", "contradictions")
    for sentence in (
        said("abstract", "NMD favours popularity over uniform, contradicting the other measures"),
        said("s6", "NMD contradicts RNOD and the nominal measures"),
    ):
        yield condition("claim", (sentence, *everything), nmd_first, "Table 6", "lines")


# -- Popularity and Uniform --------------------------------------------------------------------


def _preferences(printed: Printed) -> Iterator[Relation]:
    """Table 7, TOTAL: which baseline a measure prefers more often."""
    relies = "Table 7, TOTAL"
    half = at("s5.3", "TOTAL: RNOD NVD RNSS JSD prefer Popularity far below", "percentage")
    ntcir = [data for data in data_sets(printed) if not data.startswith("Sem")]
    sizes = list(dict.fromkeys(described(data, "Test data sample size") for data in ntcir))

    def below(half: str, popular: str, *sizes: str) -> bool:
        each = len(ntcir) // len(sizes)
        return 100 * int(popular) / (each * sum(map(int, sizes))) < float(half)

    for measure in MEASURES[2:]:
        cells = [half, at("7", "TOTAL", f"{measure} pop"), *sizes]
        yield condition("claim", cells, below, relies, "line, wins, sizes")
