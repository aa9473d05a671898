"""LQ'21: numbers in the running text, against the tables and other papers.

Contents
--------
repeated                 numbers that a table, a caption or another paper prints too
without_contradictions   64/(3 + 64 + 0) and 38/66
quantities               how many data sets, classes, run pairs, cases
"""

import re
from itertools import product

from ordbook.papers.checks.lq21.contradictions import CONTRADICTING, expanded, lines, listed
from ordbook.papers.checks.lq21.tables import (
    MEASURES,
    at,
    data_sets,
    described,
    overlap,
    parts,
    shared,
    significant,
)
from ordbook.papers.checks.places import ACL21, DIALEVAL1, LQ21
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    condition,
    counted,
    same,
    share,
    total,
)

# -- printed twice -----------------------------------------------------------------------------


def repeated(printed: Printed) -> list[Relation]:
    """Hold numbers of Sections 5.1 and 5.2 to the tables, B and alpha to captions and ACL'21."""
    alpha = [at(table, "significance level", "alpha") for table in ("s5.1", "caption3")]
    alpha += [at(table, "significance level", "alpha") for table in ("caption4", "caption5")]
    trials = at("s5.1", "randomised Tukey HSD of the curves", "trials")
    quoted = "Sections 5.1 and 5.2 quote the tables"
    tests = "the same tests as in ACL'21"
    twice = [
        (alpha[0], ACL21.at("s6.3", "significance level on the axis", "value"), tests),
        *((cell, alpha[0], "Section 5.1 and the captions") for cell in alpha[1:]),
        (trials, ACL21.at("figure2", "randomised Tukey HSD", "trials"), tests),
        (at("caption3", "randomised Tukey HSD", "trials"), trials, "Section 5.1 and the caption"),
        (
            at("s5.1", "NMD: pooled discriminative power", "percentage"),
            at("3", "POOLED", "NMD %"),
            quoted,
        ),
        (
            at("s4", "DialEval-1: assessors"),
            DIALEVAL1.at("3", "#annotators/dialogue", "Chinese Test"),
            "the overview's test dialogues",
        ),
        (
            at("s4", "STC-3: assessors"),
            DIALEVAL1.at("3", "#annotators/dialogue", "Chinese Dev"),
            "the overview's 390 development dialogues are the test dialogues of STC-3",
        ),
    ]
    twice += [(cell, there, quoted) for cell in printed if (there := _in_table(printed, cell))]
    return [same(cell, other, relies) for cell, other, relies in twice]


def _in_table(printed: Printed, cell: Cell) -> Cell | None:
    """Return the cell of Table 3 or 4 that a sentence of Section 5.1 or 5.2 quotes."""
    if cell.paper != LQ21.name or cell.table not in ("s5.1", "s5.2"):
        return None
    if found := re.fullmatch(r"(.*): (\w+) significant pairs", cell.row):
        return significant(found[1], found[2])
    if found := re.fullmatch(r"(\w+) (\w+): (significant pairs|pairs|discriminative .*)", cell.row):
        column = {"significant pairs": "S_D", "pairs": "T_D"}.get(found[3], "%")
        return at("3", found[2], f"{found[1]} {column}")
    pattern = r"(.*) ([A-Z]+) ([A-Z]+)(?: without contradictions)?: (SSO|both|NMD only|a|c)"
    if found := re.fullmatch(pattern, cell.row):
        if found[4] == "SSO" and "without" in cell.row:
            return None
        (part,) = (part for part, data in parts(printed).items() if data == found[1])
        what = {"both": "b", "NMD only": "a"}.get(found[4], found[4])
        return overlap(part, found.group(2, 3), what)
    return None


def without_contradictions() -> list[Relation]:
    """Section 5.2: 64/(3 + 64 + 0) is the SSO of Table 4(c) once contradictions are taken out."""
    data = "STC-3 DQ-A NMD RNOD"
    a, b, c = (at("s5.2", f"{data} without contradictions: {x}") for x in "abc")
    sso = at("s5.2", f"{data} without contradictions: SSO", "percentage")
    removed = at("s5.2", f"{data}: contradictions")
    return [
        total(at("s5.2", f"{data}: both"), (b, removed), "both less contradictions"),
        shared(sso, (a, b, c)),
        same(removed, at("5I", "NMD", "RNOD"), "Table 5(I)"),
        share(
            at("s5.1", "NMD Sem16T4E: discriminative power", "percentage"),
            at("s5.1", "NMD Sem16T4E: significant pairs"),
            at("s5.1", "NMD Sem16T4E: pairs"),
            "Section 5.1: 38/66",
        ),
    ]


# -- how many ----------------------------------------------------------------------------------


def quantities(printed: Printed) -> list[Relation]:
    """Hold counts in the text to the rows of the tables, to Table 2 and to Table 6."""
    sets = data_sets(printed)
    ntcir = [data for data in sets if not data.startswith("Sem")]
    stc3 = [data for data in sets if data.startswith("STC-3")]
    words = {
        ("s4", "data sets"): len(sets),
        ("s5.1", "data sets of Table 3"): len(sets),
        ("s4", "STC-3 data sets"): len(stc3),
        ("s5.1", "STC-3 data sets"): len(stc3),
        ("s4", "dialogue quality viewpoints"): len(stc3),
        ("s4", "NTCIR data sets"): len(ntcir),
        ("s4", "SemEval data sets"): len(sets) - len(ntcir),
        ("s5.3", "NTCIR data sets with the two baselines"): len(LQ21.rows(printed, "7")) - 1,
        ("s5.3", "data sets of Tables 5 and 6"): len(CONTRADICTING),
        ("s5.2", "NTCIR data sets with contradictions"): len(CONTRADICTING),
    }
    relations = [
        counted(at(*place), number, "the rows and parts of the tables", family="count")
        for place, number in words.items()
    ]
    classes = at("s4", "ordinal classes of every data set")
    ends = [at("s4", f"{end} dialogue quality class", "value") for end in ("highest", "lowest")]
    every = at("s1", "NTCIR dialogue quality: ratings", "classes")
    relations += [
        same(at("2", row, "#Ordinal classes"), classes, "Section 4")
        for row in LQ21.rows(printed, "2")
    ]
    relations += [
        counted(
            at("s4", "dialogue quality scale", "points"),
            lambda high, low: int(high) - int(low) + 1,
            "Section 4: -2 through 2",
            ends,
            "count",
        ),
        same(
            at("s1", "SemEval Task 4 Subtask E: classes"),
            described("Sem16T4E", "#Ordinal classes"),
            "Table 2",
        ),
        condition(
            "list",
            (every, *ends),
            lambda text, high, low: (
                [int(x) for x in text.split(",")] == list(range(int(low), int(high) + 1))
            ),
            "Sections 1 and 4: the same ratings",
            "ratings, highest, lowest",
        ),
        condition(
            "printed twice",
            (every, DIALEVAL1.at("s2.2", "DQ options", "classes")),
            lambda ours, theirs: sorted(ours.replace(",", "").split()) == sorted(theirs.split()),
            "the same task",
            "ratings",
        ),
        counted(
            DIALEVAL1.at("s3.1", "RSNOD and NMD", "measures"),
            lambda ours: len(re.findall("[A-Z]+", ours)),
            "the overview scores DQ with RSNOD and NMD",
            [at("s2", "OQ measures of the NTCIR tasks", "measures")],
            "printed twice",
        ),
    ]
    return relations + _listed_pairs(printed)


def _listed_pairs(printed: Printed) -> list[Relation]:
    """Hold the run pairs of Section 5.2 to Tables 5 and 6."""
    four = [at("s5.2", f"STC-3 DQ-A: contradiction {i}", "run pair") for i in (1, 2, 3, 4)]
    first, third = lines(printed, "I"), lines(printed, "III")
    everyone = "DialEval-1 DQ-A: contradictions of NMD RSNOD with RNOD RNSS JSD"
    combined = {cell: cell.row.partition(": ")[2] for cell in printed if _is_combination(cell)}

    def written(*texts: str) -> bool:
        pairs = {
            f"{better} vs. {worse}"
            for line in listed(texts[4:])
            for better, worse in product(line.better, line.worse)
        }
        return set(texts[:4]) == pairs

    def cases(*texts: str) -> float:
        return sum(line.second == {"RNOD", "RNSS", "JSD"} for line in listed(texts))

    def contradicted(*numbers: str) -> float:
        return len({m for m, n in zip(MEASURES[1:] * 5, numbers, strict=True) if int(n)})

    relations = [
        condition("list", (*four, *first), written, "Table 6(I)", "run pairs, Table 6(I)"),
        counted(
            at("s5.2", "STC-3 DQ-A: essentially different contradictions"),
            lambda *texts: len(listed(texts)),
            "the lines of Table 6(I): Chinese and English baselines are the same",
            first,
            "count",
        ),
        counted(
            at("s5.2", "DialEval-1 DQ-A: cases of these 8"), cases, "Table 6(III)", third, "count"
        ),
        total(at("s5.2", everyone), list(combined), "Section 5.2: 4 + 2 + 2 combinations"),
        counted(
            at("s5.2", "measures that NMD contradicts"),
            contradicted,
            "Table 5, row NMD",
            [at(f"5{part}", "NMD", m) for part in CONTRADICTING for m in MEASURES[1:]],
            "count",
        ),
        counted(
            at("s5.2", "STC-3 DQ-A: contradictions listed"),
            lambda *pairs: len(set(pairs)),
            "the list in Section 5.2",
            four,
            "count",
        ),
    ]
    relations += [
        same(at("s5.2", everyone), at("5III", *pair), "Table 5(III)")
        for pair in product(("NMD", "RSNOD"), ("RNOD", "RNSS", "JSD"))
    ]
    relations += [
        same(at("s5.2", "STC-3 DQ-S: contradictions"), at("5II", *pair), "Table 5(II)")
        for pair in product(("NMD", "RSNOD"), ("RNSS", "JSD"))
    ]
    relations += [
        same(
            at("s5.2", "STC-3 DQ-A: contradictions listed"),
            at("5I", "NMD", m),
            "Table 5(I)",
        )
        for m in MEASURES[2:]
    ]
    for cell, name in combined.items():

        def combinations_of(*texts: str, name: str = name) -> float:
            better, _, worse = name.partition(" vs. ")
            claimed = (expanded(better), expanded(worse))
            listed_there = {(line.better, line.worse) for line in listed(texts)}
            return len(claimed[0]) * len(claimed[1]) if claimed in listed_there else 0

        relations.append(counted(cell, combinations_of, "Table 6(III)", third))
    return relations


def _is_combination(cell: Cell) -> bool:
    return cell.paper == LQ21.name and cell.column == "run combinations"
