"""LQ'21: what it says in words, against its tables and definitions.

Contents
--------
power            pooled discriminative power: abstract, Sections 5.1 and 6, ACL'21 Section 6.3
agreement        overlaps and contradictions: Sections 5.2, 5.3 and 6
preferences      Popularity against Uniform: abstract, Section 5.3
systems          Section 3: A and B compared
"""

import re
from decimal import Decimal

from ordbook.measures import nmd
from ordbook.papers.checks.lq21.contradictions import CONTRADICTING, lines, listed
from ordbook.papers.checks.lq21.tables import (
    MEASURES,
    at,
    data_sets,
    described,
    overlap,
    parts,
    significant,
)
from ordbook.papers.checks.places import ACL21, LQ21
from ordbook.papers.relations import Printed, Relation, claim, condition, exact

LOW = ("f", "h")  # Table 4: DialEval-1 DQ-A and DQ-S, of which the text says most


def largest(first: Decimal, *others: Decimal) -> bool:
    """Tell whether the first number is above all others."""
    return first > max(others)


# -- discriminative power ----------------------------------------------------------------------


def power(printed: Printed) -> list[Relation]:
    """Table 3, row POOLED and others: which measure finds more differences."""
    pooled = {measure: significant("POOLED", measure) for measure in MEASURES}
    two = [pooled["RNOD"], pooled["NVD"]]
    rest = [pooled[m] for m in ("NMD", "RSNOD", "RNSS", "JSD")]
    sem16 = [significant("Sem16T4E", measure) for measure in MEASURES]
    relations = [
        claim(
            at(table, "pooled: RNOD and NVD most discriminative", "claim"),
            two + rest,
            lambda rnod, nvd, *others: min(rnod, nvd) > max(others),
            "Table 3, POOLED",
            "RNOD and NVD before the others",
        )
        for table in ("s5.1", "s6")
    ]
    relations += [
        claim(
            at(
                "abstract",
                "RNOD: overall winner of pooled discriminative power among OQ measures",
                "claim",
            ),
            [pooled[m] for m in ("RNOD", "RSNOD", "NMD")],
            largest,
            "Table 3, POOLED",
            "RNOD before RSNOD and NMD",
        ),
        claim(
            at("s5.1", "pooled: RNOD outperforms NMD", "claim"),
            [pooled["RNOD"], pooled["NMD"]],
            largest,
            "Table 3, POOLED",
            "RNOD before NMD",
        ),
        claim(
            at("s5.1", "pooled: RSNOD slightly underperforms RNOD", "claim"),
            [pooled[m] for m in ("RNOD", "RSNOD", "NMD")],
            lambda rnod, rsnod, nmd: 0 < rnod - rsnod < rsnod - nmd,
            "Table 3, POOLED: below RNOD, and nearer to it than to NMD",
            "RNOD, RSNOD, NMD",
        ),
        claim(
            at("s5.1", "NMD Sem16T4E: higher than the other measures", "claim"),
            sem16,
            largest,
            "Table 3, Sem16T4E",
            "NMD before the others",
        ),
    ]
    for data in ("DialEval-1 DQ-A", "DialEval-1 DQ-S"):
        found = [significant(data, measure) for measure in MEASURES]
        relations += [
            claim(
                ACL21.at("s6.3", "NMD performs extremely poorly, Figure 2", "claim"),
                found,
                lambda nmd, *others: nmd < min(others),
                f"Table 3, {data}, the same tests",
                "NMD after all others",
            ),
            claim(
                ACL21.at("s6.3", "RNOD outperforms RSNOD, Figure 2", "claim"),
                [found[2], found[1]],
                largest,
                f"Table 3, {data}, the same tests",
                "RNOD before RSNOD",
            ),
        ]
    larger = at("s4", "NTCIR data sets larger than SemEval in n and runs", "claim")
    for column in ("Test data sample size", "#Runs used"):
        sizes = [at("2", row, column) for row in LQ21.rows(printed, "2")]
        relations.append(
            claim(
                larger,
                sizes,
                lambda *n: max(n[:2]) < min(n[2:]),
                f"Table 2, {column}: SemEval, then NTCIR",
                column,
            )
        )
    return relations


# -- overlaps and contradictions ---------------------------------------------------------------


def agreement(printed: Printed) -> list[Relation]:
    """Tables 4 to 6: how far NMD agrees with the others, and where it contradicts them."""
    letters = list(parts(printed))
    others = MEASURES[1:]
    sso = {part: [overlap(part, ("NMD", m), "SSO") for m in others] for part in letters}
    only = {part: [overlap(part, ("NMD", m), "a") for m in others] for part in letters}
    line = at("caption4", "percentages underlined: below", "percentage")
    by_part = len(others)

    def all_below(line: Decimal, *values: Decimal) -> bool:
        below = [
            part
            for i, part in enumerate(letters)
            if max(values[i * by_part : (i + 1) * by_part]) < line
        ]
        return below == list(LOW)

    def mostly(*values: Decimal) -> bool:
        return sum(value > 0 for value in values) > len(values) / 2

    def outside(sentence: str, *values: str) -> bool:
        named = re.findall(r"Table 4|\((\w)\)", sentence)
        return named == ["", *LOW] and mostly(*map(Decimal, values))

    relations = [
        claim(
            at("s5.2", "DialEval-1 DQ-A and DQ-S: SSOs of NMD particularly low", "claim"),
            [line, *(cell for part in letters for cell in sso[part])],
            all_below,
            "Table 4: only in (f) and (h) every SSO of NMD is among the underlined",
            "the line, and SSO with NMD",
        )
    ]
    situation = (
        "DialEval-1 DQ-A and DQ-S: NMD finds differences outside the others' (Situation (ii))"
    )
    for part in LOW:
        relations.append(
            condition(
                "claim",
                (at("s5.2", situation, "claim"), *only[part]),
                outside,
                f"Table 4({part}): a above 0 with most measures (with JSD it is 0 in (f))",
                "the sentence, and a of NMD",
            )
        )
    subsets = "NMD's significant differences generally not subsets of the others'"
    every = [cell for part in letters for cell in only[part]]
    relations += [
        claim(at(table, subsets, "claim"), every, mostly, "Table 4: a above 0 in most", "a of NMD")
        for table in ("s5.2", "s6")
    ]
    closer = at("s5.2", "RSNOD closer to NMD than RNOD is (DialEval-1 DQ-A, DQ-S)", "claim")
    for part, theirs in zip(LOW, ("5i", "5iii"), strict=True):
        tau = [ACL21.at(theirs, measure, "NMD") for measure in ("RSNOD", "RNOD")]
        relations += [
            claim(closer, sso[part][:2], largest, f"Table 4({part})", "SSO of NMD, RSNOD and RNOD"),
            claim(closer, tau, largest, "ACL'21 Table 5", "tau of NMD, RSNOD and RNOD"),
        ]
    return relations + _contradicting(printed)


def _contradicting(printed: Printed) -> list[Relation]:
    """Tables 5 and 6: who contradicts whom."""
    cells = {part: LQ21.cells(printed, f"5{part}") for part in CONTRADICTING}
    none = at("s5.2", "NMD RSNOD: contradictions", "count")
    details = [lines(printed, part) for part in CONTRADICTING]
    everything = [cell for part in details for cell in part]
    popularity = at("s5.2", "all contradictions involve a Popularity baseline", "claim")

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

    sums = [cell for part in CONTRADICTING for cell in cells[part]]
    size = len(cells["I"])

    def third_largest(*values: Decimal) -> bool:
        found = [sum(values[i : i + size], Decimal()) for i in range(0, len(values), size)]
        return largest(found.pop(list(CONTRADICTING).index("III")), *found)

    highest = "DialEval-1 DQ-A: highest number of contradictions of the five data sets"
    relations = [
        exact(
            "claim",
            (none, *(at(f"5{part}", "NMD", "RSNOD") for part in CONTRADICTING)),
            lambda none, *numbers: all(number == none for number in numbers),
            "Table 5",
            "contradictions of NMD and RSNOD",
        ),
        condition("claim", (popularity, *everything), all_popular, "Table 6", "Run 1"),
        condition(
            "claim",
            (
                at("s5.2", "DialEval-1 DQ-E: Table 6(IV) as Table 6(I)", "claim"),
                *lines(printed, "I"),
                *lines(printed, "IV"),
            ),
            alike,
            "Table 6(I) and (IV), without the prefix of the subtask",
            "lines",
        ),
        claim(at("s5.3", highest, "claim"), sums, third_largest, "Table 5", "contradictions"),
    ]
    contradicts = {
        "abstract": "NMD favours popularity over uniform, contradicting the other measures",
        "s6": "NMD contradicts RNOD and the nominal measures",
    }
    relations += [
        condition("claim", (at(table, row, "claim"), *everything), nmd_first, "Table 6", "lines")
        for table, row in contradicts.items()
    ]
    return relations


# -- Popularity and Uniform --------------------------------------------------------------------


def preferences(printed: Printed) -> list[Relation]:
    """Table 7, TOTAL: which baseline a measure prefers more often."""
    wins = {
        measure: [at("7", "TOTAL", f"{measure} {side}") for side in ("pop", "uni")]
        for measure in MEASURES
    }
    half = at("s5.3", "TOTAL: RNOD NVD RNSS JSD prefer Popularity far below", "percentage")
    ntcir = [data for data in data_sets(printed) if not data.startswith("Sem")]
    sizes = list(dict.fromkeys(described(data, "Test data sample size") for data in ntcir))
    each = len(ntcir) // len(sizes)
    relations = [
        claim(
            at(table, row, "claim"),
            wins["NMD"],
            largest,
            "Table 7, TOTAL",
            "NMD prefers Popularity, Uniform",
        )
        for table, row in (
            ("s5.3", "TOTAL: NMD prefers Popularity more often"),
            ("abstract", "NMD favours popularity over uniform, contradicting the other measures"),
        )
    ]
    relations.append(
        claim(
            at("s5.3", "TOTAL: RSNOD prefers Uniform more often", "claim"),
            wins["RSNOD"][::-1],
            largest,
            "Table 7, TOTAL",
            "RSNOD prefers Uniform, Popularity",
        )
    )
    for measure in MEASURES[2:]:

        def below(half: str, popular: str, *sizes: str) -> bool:
            return 100 * int(popular) / (each * sum(map(int, sizes))) < float(half)

        cells = (half, wins[measure][0], *sizes)
        relations.append(condition("claim", cells, below, "Table 7, TOTAL", "line, wins, sizes"))
    return relations


# -- Section 3 ---------------------------------------------------------------------------------


def systems() -> list[Relation]:
    """Section 3: System A is better by OD, and equal to B in NMD."""
    gold = at("s3", "example: gold p1 to p4", "value")
    given = [at("s3", f"example System {s}: p{i}", "value") for s in "AB" for i in range(1, 5)]

    def equal(gold: Decimal, *p: Decimal) -> bool:
        golds, values = [float(gold)] * 4, [float(x) for x in p]
        return abs(float(nmd(golds, values[:4])) - float(nmd(golds, values[4:]))) < 1e-12

    return [
        claim(
            at("s3", "example: System A slightly better than B by OD", "claim"),
            [at("s3", f"example System {s}: OD", "value") for s in "BA"],
            largest,
            "smaller is better",
            "OD of B and of A",
        ),
        claim(
            at("s3", "example: A and B equal in NMD", "claim"),
            [gold, *given],
            equal,
            "Eq. 1",
            "NMD of A and B from gold, A, B",
        ),
    ]
