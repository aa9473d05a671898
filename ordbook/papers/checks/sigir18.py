"""The checks of SIGIR'18: artificial distributions (Table 1), DBDC3 (Table 2), Section 3's example.

Whole numbers and repetitions are compared exactly: .859 does not repeat .860, although both
could stand for .8595. Number words count as numbers.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from math import acos

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.measures import jsd, nvd, rnod_supremum, rnss, rsnod, vd
from ordbook.papers.checks.tools import SIGIR18, compared, compositions, triangles
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    exact,
    plus,
    recomputed,
    relate,
    rounded,
    value_of,
)

Measure = Callable[[ArrayLike, ArrayLike], float | NDArray[np.float64]]
EXAMPLE_MEASURES: dict[str, Measure] = {"VD": vd, "RNSS": rnss, "JSD": jsd}
TAU_TABLES = ("1a", "1b", "2i")
AGREEMENTS = "2ii"
CROSS_BIN = ("NMD", "RSNOD")
at = SIGIR18.at


def relations(printed: Printed) -> list[Relation]:
    """Return every check of SIGIR'18."""
    return [
        *_intervals(printed),
        *_angles(printed),
        *_gram_matrices(printed),
        *_agreement_triangles(printed),
        *_trend(printed),
        *_numbers_of_measures(printed),
        *_dbdc(),
        *_ranges_of_measures(),
        *_example(printed),
        *SIGIR18.written(),
        *SIGIR18.twice(),
    ]


def _pairs(printed: Printed, table: str) -> list[Cell]:
    """Return the cells of a table that compare two different measures, limits left out."""
    cells = SIGIR18.cells(printed, table)
    return [cell for cell in cells if " " not in cell.column and cell.row != cell.column]


# -- Tables 1 and 2 ----------------------------------------------------------------------------


def _intervals(printed: Printed) -> Iterator[Relation]:
    """Tau lies in its interval, and in the middle of it.

    The paper does not name its interval; all 30 are symmetric, as Hollander, Wolfe and Chicken's
    asymptotic one (R's ``kendall.ci``). Then low + high - 2 tau is 0 before rounding, and less
    than two units after it: two only if all three numbers lay exactly halfway.
    """

    def holds(low: Decimal, tau: Decimal, high: Decimal) -> bool:
        return low <= tau <= high

    def central(low: Decimal, tau: Decimal, high: Decimal) -> bool:
        return abs(low + high - 2 * tau) < 2 * Decimal(1).scaleb(int(tau.as_tuple().exponent))

    for table in TAU_TABLES:
        for cell in _pairs(printed, table):
            low, high = (cell._replace(column=f"{cell.column} {end}") for end in ("low", "high"))
            for test, says in (
                (holds, "an interval holds its estimate"),
                (central, "tau is the middle of an asymptotic interval"),
            ):
                relies = f"{says}, Table {table}"
                yield exact("interval", (low, cell, high), test, relies, "low, tau, high")


def _angle(tau: Rounded) -> Rounded:
    """Return the angle between two sign vectors whose cosine is tau."""
    return Rounded(acos(min(tau.high, 1)), acos(max(tau.low, -1)))


def _angles(printed: Printed) -> Iterator[Relation]:
    """Angles arccos tau of three measures obey the triangle inequality.

    Tau-b is the cosine of two vectors of signs, one sign for each pair of items; tau-a is that
    of two longer vectors. The distances (1 - tau)/2 obey it for tau-a only, and Table 1 looks
    like tau-b: (2,2,1), (2,1,1) and (2,1,2) have tau-b 1/2, 1/2 and -1/2, so 3/4 > 1/4 + 1/4.
    """

    def obeys(*texts: str) -> bool:
        side, first, second = (_angle(rounded(text)) for text in texts)
        return side.low <= plus(first, second).high + NOISE

    relies = "tau is the cosine of sign vectors"
    for table in TAU_TABLES:
        for cells in triangles(_pairs(printed, table)):
            yield condition("triangle", cells, obeys, relies, "angles of tau")


def _gram_matrices(printed: Printed) -> Iterator[Relation]:
    """Matrices of the five measures' tau have no negative eigenvalue.

    They hold the cosines of five vectors (see ``_angles``). Rounding can move an eigenvalue by at
    most the largest row sum of the errors: half a unit for each of the other measures.
    """
    for table in TAU_TABLES:
        pairs = _pairs(printed, table)
        names = compared(pairs)
        places = [(names.index(cell.row), names.index(cell.column)) for cell in pairs]

        def possible(
            *texts: str, size: int = len(names), places: list[tuple[int, int]] = places
        ) -> bool:
            matrix, errors = np.eye(size), np.zeros((size, size))
            for (i, j), tau in zip(places, map(rounded, texts), strict=True):
                matrix[i, j] = matrix[j, i] = tau.middle
                errors[i, j] = errors[j, i] = tau.high - tau.middle
            return bool(np.linalg.eigvalsh(matrix)[0] >= -errors.sum(axis=0).max() - NOISE)

        yield condition(
            "feasibility", pairs, possible, "tau is the cosine of sign vectors", "all tau together"
        )


def _agreement_triangles(printed: Printed) -> Iterator[Relation]:
    """Disagreements of Table 2(II): where a and c part, b parts from one of them."""

    def obeys(*texts: str) -> bool:
        side, first, second = (rounded(text) for text in texts)
        return 100 - side.high <= (100 - first.low) + (100 - second.low) + NOISE

    relies = "Table 2(II), the definition of agreement"
    for cells in triangles(_pairs(printed, AGREEMENTS)):
        yield condition("triangle", cells, obeys, relies, "agreements")


def _groups(printed: Printed, table: str) -> tuple[list[Cell], Cell, list[Cell]]:
    """Return the pairs without NMD, the pair NMD-RSNOD, and NMD with bin-by-bin measures."""
    pairs = _pairs(printed, table)
    both = next(cell for cell in pairs if {cell.row, cell.column} == set(CROSS_BIN))
    without = [cell for cell in pairs if "NMD" not in (cell.row, cell.column)]
    return without, both, [cell for cell in pairs if cell != both and cell not in without]


def _trend(printed: Printed) -> Iterator[Relation]:
    """Section 4.1's trend, which "still holds" in Table 2(I) and is "similar" in 2(II).

    Bin-by-bin measures and RSNOD are more similar to each other than NMD and RSNOD, and these
    more than NMD and bin-by-bin measures.
    """
    relies = "Sections 4.1 and 4.2, a trend that is consistent across the L's"
    for table in (*TAU_TABLES, AGREEMENTS):
        without, both, with_nmd = _groups(printed, table)
        for cells, shown, holds in (
            (without, "NMD-RSNOD below all pairs without NMD", Decimal.__lt__),
            (with_nmd, "NMD-RSNOD above NMD with bin-by-bin measures", Decimal.__gt__),
        ):
            for cell in cells:
                yield exact("claim", (both, cell), holds, relies, shown)


# -- counts ------------------------------------------------------------------------------------


DBDC3 = "DBDC3 system utterances"


def _numbers_of_measures(printed: Printed) -> Iterator[Relation]:
    """Hold counts in words to what is counted: measures, p-values, bins after merging two."""
    measures = len(compared(_pairs(printed, "1a")))
    tests = sum(cell.column == "p" and cell.paper == SIGIR18.name for cell in printed)
    agreeing = len(compared(_pairs(printed, AGREEMENTS)))
    every, bins = at("s4", "measures compared"), at("s4.1", "bin-by-bin measures")
    cross = at("abstract", "cross-bin measures")
    for cell, number, relies in (
        (every, measures, "the measures of Table 1"),
        (at("s4.1", every.row), measures, "the measures of Table 1"),
        (at("s4.2", "measures compared in Table 2(II)"), agreeing, "the measures of Table 2(II)"),
        (at("s4.2", "measures by which System 2 is better"), tests, "the p-values that follow"),
        (cross, len(CROSS_BIN), "NMD and RSNOD"),
        (bins, measures - len(CROSS_BIN), "all but the cross-bin"),
    ):
        yield counted(cell, number, relies, family="count")


def _dbdc() -> Iterator[Relation]:
    """Compare with the catalogued DBDC3 data: utterances, classes."""
    dbdc3 = catalog()["dbdc3"]
    classes, family = len(dbdc3.classes), "catalogue"
    relies = "the catalogue's DBDC3 (data/catalog.toml)"
    yield recomputed(at("s4.2", DBDC3), dbdc3.topics, relies, family)
    yield recomputed(at("s4.2", "DBDC3 bins", "L"), classes, relies, family)
    yield counted(at("s2", "DBDC bins"), classes, relies, family=family)
    shown, topics = at("figure3", "utterance shown", "identifier"), load("dbdc3").topics
    yield condition(family, (shown,), topics.__contains__, relies, "one of its utterances")


# -- measures ----------------------------------------------------------------------------------


def _ranges_of_measures() -> Iterator[Relation]:
    """Equal distributions score 0; the worst ones 1: Figure 1(b), Eqs. 2 and 12.

    RSNOD exceeds 1 from five classes on (``ordbook.papers.claims``); here it has Figure 1's three.
    """
    first, last = [1, 0, 0], [0, 0, 1]
    for section, name, low, high in (
        ("s3.1", "NVD", nvd(first, first), nvd(first, last)),
        ("s3.2", "RSNOD", rsnod(first, first), rnod_supremum(len(first))),
    ):
        for end, value in (("low", low), ("high", high)):
            cell = at(section, f"{name} range", end)
            yield recomputed(cell, float(value), f"{name} with three classes", family="example")


def _example(printed: Printed) -> Iterator[Relation]:
    """Section 3.1's example: gold, X and Y, and their VD (Eq. 1), RNSS (Eq. 4), JSD (Eq. 5).

    The probabilities are exact, not rounded. As some Y must have the printed scores, a
    distribution in tenths must exist that has all three.
    """
    named = {who: f"example System {who}" for who in "XY"} | {"gold": "example gold"}
    of = {
        who: [c for c in SIGIR18.cells(printed, "s3.1", row) if c.column.startswith("p")]
        for who, row in named.items()
    }
    gold, bins = of.pop("gold"), at("s3.1", "example bins", "L")
    for who, cells in {"gold": gold, **of}.items():
        yield counted(bins, len(cells), f"{who}'s probabilities", family="count")
        relies = "probabilities of a distribution"
        yield exact("example", cells, lambda *p: sum(p) == 1, relies, who)
    scores = {who: [at("s3.1", named[who], measure) for measure in EXAMPLE_MEASURES] for who in of}
    for who, cells in of.items():
        for score, (measure, function) in zip(scores[who], EXAMPLE_MEASURES.items(), strict=True):

            def formula(*p: Rounded, function: Measure = function, size: int = len(gold)) -> float:
                values = [value.middle for value in p]
                return float(function(values[:size], values[size:]))

            relies = f"Section 3.1, {measure} of System {who} and the gold"
            yield relate("example", score, (*gold, *cells), formula, relies, measure)
        yield condition(
            "feasibility",
            (*scores[who], *gold),
            _some_tenths,
            "Section 3.1: all probabilities of the example are in tenths",
            f"{', '.join(EXAMPLE_MEASURES)} of System {who}, and the gold",
        )


def _some_tenths(*texts: str) -> bool:
    """Whether a distribution in tenths has all scores; texts: the scores, then the gold."""
    scores = [rounded(text) for text in texts[: len(EXAMPLE_MEASURES)]]
    gold = [float(value_of(text)) for text in texts[len(EXAMPLE_MEASURES) :]]
    tenths = compositions(10, len(gold)) / 10
    fits = np.ones(len(tenths), dtype=bool)
    for score, function in zip(scores, EXAMPLE_MEASURES.values(), strict=True):
        values = np.asarray(function(gold, tenths))
        fits &= (values >= score.low - NOISE) & (values <= score.high + NOISE)
    return bool(fits.any())
