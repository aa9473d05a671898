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
from ordbook.papers.checks.tools import SIGIR18, compositions, triangles
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
    rounded,
    value_of,
)

Measure = Callable[[ArrayLike, ArrayLike], float | NDArray[np.float64]]
EXAMPLE_MEASURES: dict[str, Measure] = {"VD": vd, "RNSS": rnss, "JSD": jsd}
TAU_TABLES = ("1a", "1b", "2i")
at = SIGIR18.at


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of SIGIR'18."""
    return [
        *_intervals(printed),
        *_triangles(printed),
        *_dbdc(),
        *_ranges_of_measures(),
        *_tenths(printed),
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


def _disagreement(agreement: Rounded) -> Rounded:
    """Return the percentage of pairs on which two measures disagree."""
    return Rounded(100 - agreement.high, 100 - agreement.low)


def _triangles(printed: Printed) -> Iterator[Relation]:
    """Three measures obey the triangle inequality: angles arccos tau, disagreements of Table 2(II).

    Tau-b is the cosine of two vectors of signs, one sign for each pair of items; tau-a is that
    of two longer vectors. The distances (1 - tau)/2 obey it for tau-a only, and Table 1 looks
    like tau-b: (2,2,1), (2,1,1) and (2,1,2) have tau-b 1/2, 1/2 and -1/2, so 3/4 > 1/4 + 1/4.
    """
    angles = (_angle, "tau is the cosine of sign vectors", "angles of tau")
    disagreements = (_disagreement, "Table 2(II), the definition of agreement", "agreements")
    for table in (*TAU_TABLES, "2ii"):
        distance, relies, shown = disagreements if table == "2ii" else angles

        def obeys(*texts: str, distance: Callable[[Rounded], Rounded] = distance) -> bool:
            side, first, second = (distance(rounded(text)) for text in texts)
            return side.low <= plus(first, second).high + NOISE

        for cells in triangles(_pairs(printed, table)):
            yield condition("triangle", cells, obeys, relies, shown)


# -- data and measures -------------------------------------------------------------------------


def _dbdc() -> Iterator[Relation]:
    """Compare with the catalogued DBDC3 data: utterances, classes."""
    dbdc3 = catalog()["dbdc3"]
    classes, family = len(dbdc3.classes), "catalogue"
    relies = "the catalogue's DBDC3 (data/catalog.toml)"
    yield recomputed(at("s4.2", "DBDC3 system utterances"), dbdc3.topics, relies, family)
    yield recomputed(at("s4.2", "DBDC3 bins", "L"), classes, relies, family)
    yield counted(at("s2", "DBDC bins"), classes, relies, family=family)
    shown, topics = at("figure3", "utterance shown", "identifier"), load("dbdc3").topics
    yield condition(family, (shown,), topics.__contains__, relies, "one of its utterances")


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


def _tenths(printed: Printed) -> Iterator[Relation]:
    """Hold the scores of Systems X and Y in Section 3.1 to the gold: some tenths have all three."""
    gold = [cell for cell in SIGIR18.cells(printed, "s3.1", "example gold") if "p" in cell.column]
    for system in "XY":
        yield condition(
            "example",
            (*(at("s3.1", f"example System {system}", name) for name in EXAMPLE_MEASURES), *gold),
            _some_tenths,
            "Section 3.1: all probabilities of the example are in tenths",
            f"{', '.join(EXAMPLE_MEASURES)} of System {system}, and the gold",
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
