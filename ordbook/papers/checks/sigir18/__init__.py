"""The checks of SIGIR'18: artificial distributions (Table 1), DBDC3 (Table 2), Section 3's example.

Contents
--------
relations   every check
ERRATA      what they broke on
unreached   why no check reaches a number

Whole numbers and repetitions are compared exactly: .859 does not repeat .860, although both
could stand for .8595. Number words count as numbers.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.catalog import catalog
from ordbook.measures import jsd, nvd, rnod_supremum, rnss, rsnod, vd
from ordbook.papers.checks.counting import compositions
from ordbook.papers.checks.places import SIGIR18
from ordbook.papers.checks.sigir18.counts import TIED, TRUE, count_relations
from ordbook.papers.checks.sigir18.numbers import at
from ordbook.papers.checks.sigir18.tables import table_relations
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    exact,
    recomputed,
    relate,
    rounded,
    same,
    value_of,
)

__all__ = ["ERRATA", "relations", "unreached"]

Measure = Callable[[ArrayLike, ArrayLike], float | NDArray[np.float64]]
EXAMPLE_MEASURES: dict[str, Measure] = {"VD": vd, "RNSS": rnss, "JSD": jsd}


def relations(printed: Printed) -> list[Relation]:
    """Return every check of SIGIR'18."""
    return [
        *table_relations(printed),
        *count_relations(printed),
        *_ranges_of_measures(),
        *_example(printed),
    ]


def _ranges_of_measures() -> Iterator[Relation]:
    """Equal distributions score 0; the worst ones 1: Figure 1(b), Eqs. 2 and 12.

    RSNOD exceeds 1 from five classes on (``ordbook.papers.claims``); here it has Figure 1's three.
    """
    first, last = [1, 0, 0], [0, 0, 1]
    for name, low, high in (
        ("NVD", nvd(first, first), nvd(first, last)),
        ("RSNOD", rsnod(first, first), rnod_supremum(len(first))),
    ):
        section = "s3.1" if name == "NVD" else "s3.2"
        for end, value in (("low", low), ("high", high)):
            cell = at(section, f"{name} range", end)
            yield recomputed(cell, float(value), f"{name} with three classes", family="example")


def _example(printed: Printed) -> Iterator[Relation]:
    """Section 3.1's example: gold, X and Y, and their VD (Eq. 1), RNSS (Eq. 4), JSD (Eq. 5).

    The probabilities are exact, not rounded. As some Y must have the printed scores, a
    distribution in tenths must exist that has all three.
    """

    def of(row: str, letter: str) -> list[Cell]:
        cells = SIGIR18.cells(printed, "s3.1", row)
        return [cell for cell in cells if cell.column.startswith(f"{letter}(")]

    gold = of("example gold", "p*")
    systems = {name: of(f"example System {name}", "p") for name in "XY"}
    bins = at("s3.1", "example bins", "L")
    for who, cells in {"gold": gold, **systems}.items():
        yield counted(bins, len(cells), f"{who}'s probabilities", family="count")
        yield exact(
            "example", cells, lambda *p: sum(p) == 1, "probabilities of a distribution", f"{who}"
        )
    for name, cells in systems.items():
        scores = [at("s3.1", f"example System {name}", measure) for measure in EXAMPLE_MEASURES]
        for score, (measure, function) in zip(scores, EXAMPLE_MEASURES.items(), strict=True):

            def formula(
                *p: Rounded,
                function: Measure = function,
                size: int = len(gold),
            ) -> float:
                values = [value.middle for value in p]
                return float(function(values[:size], values[size:]))

            yield relate(
                "example",
                score,
                (*gold, *cells),
                formula,
                f"Section 3.1, {measure} of System {name} and the gold",
                measure,
            )

        yield condition(
            "feasibility",
            (*scores, *gold),
            _some_tenths,
            "Section 3.1: all probabilities of the example are in tenths",
            f"{', '.join(EXAMPLE_MEASURES)} of System {name}, and the gold",
        )
    x, y = ({m: at("s3.1", f"example System {n}", m) for m in EXAMPLE_MEASURES} for n in "XY")
    yield same(x["VD"], y["VD"], "Section 3.1: 'will receive the same score'")
    for measure in ("RNSS", "JSD"):
        yield exact(
            "claim",
            (x[measure], y[measure]),
            lambda x, y: x < y,
            "Section 3.1: X is considered better",
            measure,
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


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "sigir18-true-disagreements",
        (at("s4.2", TRUE), at("figure2", TRUE), at("s4.2", TIED)),
        "open",
        "177 true disagreements do not fit 184 disagreements, eight of them with an NMD tie.",
        "2000 - 1816 = 184, as printed; 184 - 8 = 176, not 177; RSNOD ties could only lower it. "
        "Either 177 (twice) should be 176, or eight seven. 1815 agreements, which also print as "
        "90.8%, would allow 177, but four numbers would then be wrong.",
    ),
    Erratum(
        "sigir18-example-y",
        tuple(at("s3.1", "example System Y", f"p({i})") for i in (1, 2)),
        "misprint",
        "System Y is printed with the probabilities of System X.",
        "As printed, Y has RNSS .1414 and JSD .0390, X's; the paper has .1732 and .0490. With VD "
        ".4 only .4, .2, .2, .1, .1 in some order gives all three (of all distributions in "
        "hundredths), and it has no .3: p(1) and p(2) are wrong; in X's order, .4 and .2.",
    ),
    Erratum(
        "sigir18-pairs-product",
        (at("s4.1", "artificial L = 3", "pairs factor 2"),),
        "extraction",
        "60 * 59 is not 1,770: a division by 2 is missing.",
        "60 * 59 = 3,540, and 60 * 59 / 2 = 1,770, as in Table 1's heading; 4,950 and 9,730 are "
        "n(n-1)/2 too. The number of pairs is right; whether the page lacks '/2' or only the "
        "extracted text, cannot be told.",
    ),
)


def unreached(cell: Cell) -> tuple[Literal["not reached", "stated"], str]:
    """Say why no check reaches a number of SIGIR'18."""
    if cell.column == "p" or cell.column.startswith("largest delta"):
        data = catalog()["sigir18-data"].published()
        return "not reached", f"needs the paper's data, with two runs at DBDC3, {data}"
    if cell.column == "identifier":
        return "stated", "the name of the utterance in Figure 3, whose bars are not in the text"
    if (cell.table, cell.row, cell.column) == ("2i", "NMD", "NMD"):
        return "stated", "a dash: a measure is not compared with itself"
    return "stated", "a description that no other number speaks about"
