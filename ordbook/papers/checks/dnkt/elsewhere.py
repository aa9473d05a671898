"""The checks of DNKT against the other papers: DialEval-1, ACL'21 and LQ'21.

Contents
--------
elsewhere_relations   all of them

The same runs and measures, so the same tau, but for ties: DNKT counts a tied pair 0, ACL'21 as
concordant or discordant. The baselines of NTCIR are each handed in twice, as Chinese and English
run, with equal scores: two pairs that are tied by every measure, concordant in ACL'21.
"""

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from ordbook.papers.checks.counting import pairs_of
from ordbook.papers.checks.dnkt.consistency import sizes
from ordbook.papers.checks.dnkt.numbers import (
    DATA_SETS,
    HALVES,
    MEASURES,
    NOMINAL,
    at,
)
from ordbook.papers.checks.dnkt.taus import numerator
from ordbook.papers.checks.places import ACL21, DIALEVAL1, DNKT, LQ21
from ordbook.papers.relations import (
    Printed,
    Relation,
    Rounded,
    claim,
    condition,
    exact,
    plus,
    relate,
    same,
    same_text,
)

COMMON = ("NMD", "RNOD", "NVD", "RNSS", "JSD")
# Data set -> ACL'21's tables of tau, and of consistency (full split, 10 vs. 10).
IN_ACL21 = {
    "Sem16T4E": ("8i", "9i left", "9i right"),
    "Sem17T4E": ("8ii", "9ii left", "9ii right"),
    "DialEval-1 DQ-A": ("5i", "6a", "6b"),
    "DialEval-1 DQ-E": ("5ii", "6c", "6d"),
    "DialEval-1 DQ-S": ("5iii", "6e", "6f"),
}
SEMEVAL = ("Sem16T4E", "Sem17T4E")
# Where no measure ties more than one further pair; in DQ-E some do.
FEW_TIES = ("DialEval-1 DQ-A", "DialEval-1 DQ-S")
BY_NAME = {each.name: each for each in DATA_SETS}
DUPLICATES = 2


def elsewhere_relations(printed: Printed) -> list[Relation]:
    """Return the checks across papers."""
    return [
        *_data(printed),
        *_stated(),
        *_taus(printed),
        *_ties(printed),
        *_consistency(),
        *_test_sets(),
        *_earlier_findings(printed),
    ]


# -- data and parameters -----------------------------------------------------------------------


def _data(printed: Printed) -> Iterator[Relation]:
    """Table 2 is Table 2 of LQ'21; ACL'21's Table 1 has three rows of it, LQ'21's 3 all T_D."""
    columns = {
        "Evaluation venue": "Evaluation venue",
        "Task Type": "Task type",
        "Language": "Language",
        "#Ordinal classes": "#ordinal classes",
        "Test data sample size": "Test data sample size",
        "#Runs used": "#runs used",
    }
    rows = {each.listed: each.name for each in DATA_SETS if each.name in SEMEVAL}
    for cell in DNKT.cells(printed, "2"):
        if (other := cell._replace(paper=LQ21.name)) in printed:
            yield same_text(cell, other, "Section 3: the data sets of LQ'21")
        other = ACL21.at("1", rows.get(cell.row, ""), columns.get(cell.column, ""))
        if other in printed:
            yield same_text(cell, other, "the data sets of ACL'21")
    dialogues = BY_NAME["DialEval-1 DQ-A"].listed
    acl_row = dialogues.removeprefix("DialEval-1 ")
    runs = [at("2", dialogues, f"#Runs used{part}") for part in ("", " C", " E")]
    yield condition(
        "printed twice",
        (*runs, ACL21.at("1", acl_row, "#runs used")),
        lambda n, c, e, text: text == f"{n} ({c}+{e})",
        "the data sets of ACL'21",
        "runs",
    )
    for column in ("Evaluation venue", "Language", "#Ordinal classes", "Test data sample size"):
        other = ACL21.at("1", acl_row, columns[column])
        yield same_text(at("2", dialogues, column), other, "the data sets of ACL'21")
    for each in DATA_SETS:
        for measure in (*COMMON, "RSNOD"):
            yield exact(
                "product",
                (each.runs, LQ21.at("3", each.name, f"{measure} T_D")),
                lambda n, pairs: pairs == pairs_of(n),
                "LQ'21 Table 3: T_D = m(m - 1)/2 pairs of the same runs",
                "runs, pairs",
            )


def _stated() -> Iterator[Relation]:
    """Say what other papers state too: counts, assessors, classes, trials, levels."""
    lq21 = {
        ("s3", "STC-3", "assessors"): ("STC-3: assessors", "count"),
        ("s3", "DialEval-1", "assessors"): ("DialEval-1: assessors", "count"),
        ("s3", "SemEval data sets", "count"): ("SemEval data sets", "count"),
        ("s3", "NTCIR data sets", "count"): ("NTCIR data sets", "count"),
        ("caption2", "Table 2", "data sets"): ("data sets", "count"),
        ("s3", "all data sets", "#ordinal classes"): (
            "ordinal classes of every data set",
            "count",
        ),
        ("s3", "NTCIR classes", "class 1"): ("lowest dialogue quality class", "value"),
        ("s3", "NTCIR classes", "class 5"): ("highest dialogue quality class", "value"),
    }
    for place, (row, column) in lq21.items():
        yield same(at(*place), LQ21.at("s4", row, column), "LQ'21 Section 4")
    acl21 = {
        ("s5", "splits", "B"): ("s5.2", "splits", "count"),
        ("s5", "randomised Tukey HSD test", "alpha"): ("s5.2", "randomised Tukey HSD", "alpha"),
        ("s5", "small test sets", "size"): ("s6.2", "dialogues in each small set", "count"),
    }
    for place, other in acl21.items():
        yield same(at(*place), ACL21.at(*other), "the procedure of ACL'21")
    dialeval1 = {
        ("s3", "DialEval-1", "assessors"): ("s4.2", "annotators", "count"),
        ("2", "DialEval-1 DQ-{A, E, S}", "Test data sample size"): (
            "s4.2",
            "test dialogues",
            "count",
        ),
        ("2", "STC-3 DQ-{A, E, S}", "Test data sample size"): (
            "s4.1",
            "DCH-1 test dialogues",
            "count",
        ),
        ("s3", "viewpoints of the NTCIR ratings", "count"): (
            "s2.2",
            "quality scores",
            "count",
        ),
    }
    for place, other in dialeval1.items():
        yield same(at(*place), DIALEVAL1.at(*other), "the overview of DialEval-1")


# -- ranking agreement -------------------------------------------------------------------------


def _taus(printed: Printed) -> Iterator[Relation]:
    """ACL'21 Table 8 prints tau of Tables 3 and 5: the SemEval sets have no ties."""
    for name in SEMEVAL:
        for one, two in combinations(COMMON, 2):
            other = ACL21.between(printed, IN_ACL21[name][0], one, two)
            cell = DNKT.between(printed, BY_NAME[name].taus, one, two)
            yield same(cell, other, "the same runs, measures and topics")


def _ties(printed: Printed) -> Iterator[Relation]:
    """ACL'21 Table 5 against Tables 13 and 17: they differ by tied pairs of runs only.

    A numerator has the parity of the untied pairs, so the parities of DNKT's tables show which
    measures tie a further pair. ACL'21's is higher by the two pairs of identical baselines, and
    differs by one more for each pair that one of both measures ties.
    """
    for name in FEW_TIES:
        each = BY_NAME[name]
        for one, two in combinations(COMMON, 2):
            other = ACL21.between(printed, IN_ACL21[name][0], one, two)
            rows = [
                [DNKT.between(printed, each.taus, m, x) for x in MEASURES if x not in (one, two)]
                for m in (one, two)
            ]

            def holds(theirs: Decimal, ours: Decimal, runs: Decimal, *tau: Decimal) -> bool:
                pairs = pairs_of(runs)
                half = len(tau) // 2
                ties = 0
                for mine in (tau[:half], tau[half:]):
                    odd = sum((pairs - numerator(t, runs)) % 2 for t in mine)
                    ties += 2 * odd > half
                gap = numerator(theirs, runs) - numerator(ours, runs)
                return abs(gap - DUPLICATES) <= ties

            yield exact(
                "printed twice",
                (other, DNKT.between(printed, each.taus, one, two), each.runs, *rows[0], *rows[1]),
                holds,
                "the same runs, measures and dialogues, but ties count 0 here",
                f"{one} and {two}",
            )


# -- ranking consistency -----------------------------------------------------------------------


def _consistency() -> Iterator[Relation]:
    """ACL'21 Tables 9 and 6 print mean tau of Tables 25 and 27 with three digits.

    DialEval-1 (full split): ACL'21's are higher by the two pairs of identical baselines over
    T, as in half of the dialogues other ties are rare. In sets of 10 they are not (two of 15
    values are .0001 off), so 10 vs. 10 is left out.
    """
    for name, (_, *tables) in IN_ACL21.items():
        each = BY_NAME[name]
        for measure in COMMON:
            if name in SEMEVAL:
                for table, half in zip(tables, HALVES, strict=True):
                    yield same(
                        ACL21.at(table, measure, "mean tau"),
                        at(each.consistency, measure, half),
                        "the same splits, four digits here",
                    )
            else:
                yield relate(
                    "printed twice",
                    ACL21.at(tables[0], measure, "mean tau"),
                    (at(each.consistency, measure, HALVES[0]), each.runs),
                    _with_duplicates,
                    "the same splits, but both pairs of identical baselines count 0 here",
                )


def _with_duplicates(tau: Rounded, runs: Rounded) -> Rounded:
    more = DUPLICATES / pairs_of(int(runs.middle))
    return plus(tau, Rounded(more, more))


def _test_sets() -> Iterator[Relation]:
    """ACL'21 Tables 6 and 9 print the sizes of the test sets, in either order."""
    for name, (_, *tables) in IN_ACL21.items():
        for table, half in zip(tables, HALVES, strict=True):
            cells = [ACL21.at(table, "test sets", f"size {i}") for i in (1, 2)]
            yield exact(
                "printed twice",
                (*sizes(BY_NAME[name], half), *cells),
                lambda *n: sorted(n[:2]) == sorted(n[2:]),
                f"ACL'21 Table {table}",
                "sizes",
            )


# -- what DNKT says that the earlier papers found ----------------------------------------------


def _earlier_findings(printed: Printed) -> Iterator[Relation]:
    """Sections 2.1 and 2.2 on ACL'21: RSNOD against RNOD, NMD and RNOD against the nominal."""
    tables = [table for _, *both in IN_ACL21.values() for table in both]
    names = ("RSNOD", "RNOD")
    yield claim(
        at("s2.1", "RSNOD against RNOD in consistency", "claim"),
        [ACL21.at(table, measure, "mean tau") for measure in names for table in tables],
        lambda *tau: sum(tau[: len(tau) // 2]) < sum(tau[len(tau) // 2 :]),
        "ACL'21 Tables 6 and 9, on average (it is lower in nine of ten)",
    )
    for table, *_ in IN_ACL21.values():
        cells = [ACL21.between(printed, table, one, x) for one in ("NMD", "RNOD") for x in NOMINAL]
        for row in ("NMD against nominal measures", "RNOD against nominal measures"):
            yield claim(
                at("s2.2", row, "claim"),
                cells,
                lambda *tau: sum(tau[: len(NOMINAL)]) < sum(tau[len(NOMINAL) :]),
                f"ACL'21 Table {table}: NMD is farther from them on average than RNOD",
            )
