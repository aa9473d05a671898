"""The checks of SIGIR'18's counts: utterances, agreements, distributions, pairs, bins, measures.

Contents
--------
count_relations   sums, products, repetitions, and the catalogue
"""

from collections.abc import Iterator

from ordbook.data.catalog import catalog
from ordbook.data.dbdc import ANNOTATORS
from ordbook.papers.checks.counting import pairs_of
from ordbook.papers.checks.places import SIGIR18, compared
from ordbook.papers.checks.sigir18.numbers import (
    AGREEMENTS,
    CROSS_BIN,
    at,
    pair_cells,
)
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    counted,
    exact,
    recomputed,
    same,
    share,
)

DISAGREEMENTS = "NMD and RSNOD disagreements"
TIED = f"{DISAGREEMENTS} with NMD delta zero"
AGREED = "NMD and RSNOD agreements"
TRUE = "NMD and RSNOD true disagreements"


def count_relations(printed: Printed) -> list[Relation]:
    """Return the checks of counts."""
    return [
        *_agreement_counts(),
        *_artificial_counts(printed),
        *_repeated(),
        *_numbers_of_measures(printed),
        *_dbdc(),
    ]


def _agreement_counts() -> Iterator[Relation]:
    """Section 4.2: agreements, their share, disagreements, and those that are true.

    A true disagreement has opposite signs: no utterance that NMD ties is one.
    """
    agreed, utterances = at("s4.2", AGREED), at("s4.2", "DBDC3 system utterances")
    top, bottom = (at("s4.2", AGREED, part) for part in ("numerator", "denominator"))
    relies = "Section 4.2, agreements among the utterances"
    yield share(at(AGREEMENTS, *CROSS_BIN), agreed, utterances, relies)
    yield share(at("s4.2", AGREED, "percentage"), top, bottom, relies)
    minuend, subtrahend = (at("s4.2", DISAGREEMENTS, n) for n in ("minuend", "subtrahend"))
    for cell in (top, subtrahend):
        yield same(cell, agreed, relies)
    for cell in (bottom, minuend):
        yield same(cell, utterances, relies)
    disagreements = at("s4.2", DISAGREEMENTS)
    yield exact(
        "sum",
        (disagreements, minuend, subtrahend),
        lambda left, all_, gone: left == all_ - gone,
        relies,
        "disagreements, utterances, agreements",
    )
    tied = at("s4.2", TIED)
    for place in ("s4.2", "figure2"):
        yield exact(
            "sum",
            (at(place, TRUE), disagreements, tied),
            lambda true, all_, tied: true == all_ - tied,
            "Section 4.2, true disagreements are those where NMD's delta is not zero",
            "true disagreements, disagreements, of these with NMD delta zero",
        )
    yield same(at("figure2", TRUE), at("s4.2", TRUE), "Figure 2 shows them")


def _artificial_counts(printed: Printed) -> Iterator[Relation]:
    """Section 4.1 and Table 1: L times 20 distributions, and n(n-1)/2 pairs of n distributions."""
    for classes in SIGIR18.column(printed, "s4.1", "L"):
        columns = [c.column for c in SIGIR18.cells(printed, "s4.1", classes.row)]
        total = next(at("s4.1", classes.row, c) for c in columns if c.endswith("distributions"))
        each, bins, pairs = (
            total._replace(column=column)
            for column in ("distributions per number of bins", "numbers of bins", "pairs")
        )
        yield exact(
            "product",
            (total, each, bins),
            lambda n, each, bins: n == each * bins,
            "Section 4.1: so many distributions for each number of bins",
            "distributions, per number of bins, numbers of bins",
        )
        yield same(bins, classes, "Section 4.1: distributions cover 1 to L bins")
        yield exact(
            "product",
            (pairs, total),
            lambda pairs, n: pairs == pairs_of(n),
            "Section 4.1: n(n-1)/2 pairs of n distributions",
            "pairs, distributions",
        )
        heading = at("table1", classes.row.removeprefix("artificial "), "L")
        for column, cell in (("L", classes), ("distributions", total), ("pairs", pairs)):
            if heading in printed:
                yield same(heading._replace(column=column), cell, "Table 1's heading")
        if "pairs factor 1" in columns:
            covering = [
                each._replace(column=column)
                for column in columns
                if column.startswith("distributions covering")
            ]
            yield from _written_out(total, each, pairs, covering)
        else:
            yield same(each, at("s4.1", "artificial L = 3", each.column), "'similarly'")


def _written_out(total: Cell, each: Cell, pairs: Cell, covering: list[Cell]) -> Iterator[Relation]:
    """Section 4.1, L = 3: the distributions by the bins they cover, and the product for pairs."""
    yield exact(
        "sum",
        (total, *covering),
        lambda n, *parts: n == sum(parts),
        "Section 4.1: distributions that cover three, two and one of the bins",
        "distributions, and those that cover so many bins",
    )
    for cell in covering:
        yield same(cell, each, "Section 4.1")
    one, less = (pairs._replace(column=f"pairs factor {i}") for i in (1, 2))
    yield same(one, total, "Section 4.1: pairs of these distributions")
    yield exact("product", (less, one), lambda m, n: m == n - 1, "n(n-1)/2 pairs", "n - 1 and n")
    yield exact(
        "product",
        (pairs, one, less),
        lambda pairs, n, m: pairs == n * m,
        "Section 4.1, the equation as it stands",
        "pairs, and their factors",
    )


def _repeated() -> Iterator[Relation]:
    """Numbers that several places state: bins, utterances, votes, levels, scales, measures."""
    utterances, bins = at("s4.2", "DBDC3 system utterances"), at("s2", "DBDC bins")
    level = at("s4.1", "confidence intervals of Table 1", "percentage")
    scale = at("s4.1", "dialogue satisfaction scale", "points")
    votes = at("s2", "DBDC assessors of the gold distribution")
    for cell, other, relies in (
        (at("s4.2", "estimated distributions of a system"), utterances, "one per utterance"),
        (at("s4.2", "utterances ranked for Table 2(I)"), utterances, "Table 2(I)"),
        (at("s4.2", "utterances of Table 2(II)"), utterances, "Table 2(II)"),
        (at("table2", "DBDC3 utterances"), utterances, "Table 2's caption"),
        (at("figure2", "utterances"), utterances, "Figure 2's caption"),
        (at("s2", "DBDC bins before collapsing"), bins, "Section 2"),
        (at("s4.2", "DBDC3 bins", "L"), bins, "Sections 2 and 4.2"),
        (at("s4.1", "artificial L = 3", "L"), bins, "Section 4.1: 'the situation with DBDC'"),
        (at("figure1", "caption", "L"), at("s3.1", "Figure 1 bins", "L"), "Figure 1"),
        (at("s4.1", "artificial votes of a distribution"), votes, "Section 4.1: 'as in DBDC'"),
        (at("table1", "confidence intervals", "percentage"), level, "Table 1's caption"),
        (at("table2", "confidence intervals", "percentage"), level, "'in a way similar'"),
        (scale, at("s4.1", "artificial L = 7", "L"), "Section 4.1"),
        (at("s2", "STC-3 DQ customer satisfaction scale", "points"), scale, "a 7-point scale"),
        (at("s1", "cross-bin measures"), at("abstract", "cross-bin measures"), "Abstract"),
    ):
        yield same(cell, other, relies)


def _numbers_of_measures(printed: Printed) -> Iterator[Relation]:
    """Hold counts in words to what is counted: measures, p-values, bins after merging two."""
    measures = len(compared(pair_cells(printed, "1a")))
    tests = sum(cell.column == "p" and cell.paper == SIGIR18.name for cell in printed)
    for cell, number, relies in (
        (at("s4", "measures compared"), measures, "the measures of Table 1"),
        (at("s4.1", "measures compared"), measures, "the measures of Table 1"),
        (
            at("s4.2", "measures compared in Table 2(II)"),
            len(compared(pair_cells(printed, AGREEMENTS))),
            "the measures of Table 2(II)",
        ),
        (at("s4.2", "measures by which System 2 is better"), tests, "the p-values that follow"),
        (at("abstract", "cross-bin measures"), len(CROSS_BIN), "NMD and RSNOD"),
        (at("s4.1", "bin-by-bin measures"), measures - len(CROSS_BIN), "all but the cross-bin"),
    ):
        yield counted(cell, number, relies, family="count")
    yield exact(
        "sum",
        (
            at("s4", "measures compared"),
            at("s4.1", "bin-by-bin measures"),
            at("abstract", "cross-bin measures"),
        ),
        lambda n, bins, cross: n == bins + cross,
        "Section 4 compares bin-by-bin and cross-bin measures",
        "measures, bin-by-bin, cross-bin",
    )
    yield exact(
        "sum",
        (at("s2", "DBDC bins after collapsing"), at("s2", "DBDC bins before collapsing")),
        lambda after, before: after == before - 1,
        "Section 2: B and PB are merged",
        "bins after, bins before",
    )


def _dbdc() -> Iterator[Relation]:
    """Compare with the catalogued DBDC3 data: utterances, classes, annotators."""
    dbdc3 = catalog()["dbdc3"]
    relies = "the catalogue's DBDC3 (data/catalog.toml)"
    yield recomputed(
        at("s4.2", "DBDC3 system utterances"), dbdc3.topics, relies, family="catalogue"
    )
    yield recomputed(at("s4.2", "DBDC3 bins", "L"), len(dbdc3.classes), relies, family="catalogue")
    for cell, number in (
        (at("s2", "DBDC bins"), len(dbdc3.classes)),
        (at("s2", "DBDC assessors of the gold distribution"), ANNOTATORS),
    ):
        yield counted(cell, number, relies, family="catalogue")
