"""The checks of DNKT's definitions: Table 1, footnotes 2 and 3, Section 2's examples.

Contents
--------
definition_relations   all of them
DEFINITION_ERRATA      claims that the definitions do not bear out
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import wasserstein_distance

from ordbook.measures import (
    QUANTIFICATION,
    dnkt,
    dnkt_jsd,
    dnkt_nmd,
    dnkt_rnod,
    nmd,
    od,
)
from ordbook.papers.checks.counting import compositions
from ordbook.papers.checks.dnkt.numbers import at
from ordbook.papers.checks.places import DNKT
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import (
    Cell,
    Finding,
    Printed,
    Relation,
    condition,
    exact,
    recomputed,
    relate,
    value_of,
)

TICK, BLANK, NOT_APPLICABLE = "✓", "blank", "N/A"
SYMMETRIC = "(c) symmetric"
ARBITRARY = "(d) no equidistance"
SUFFICIENT = "C* = C makes OD symmetric"
COMBINED = (dnkt_jsd, dnkt_nmd, dnkt_rnod)
UNIFORM = (0.25, 0.25, 0.25, 0.25)


def _grid(steps: int, classes: int = 3) -> np.ndarray:
    """Return every distribution whose probabilities are multiples of 1/steps."""
    return compositions(steps, classes)[::-1] / steps


def definition_relations(printed: Printed) -> list[Relation]:
    """Return the checks of definitions and worked examples."""
    return [
        *_ticks(printed),
        *_symmetry(printed),
        _unit_steps(),
        *_order_aware_divergence(),
        *_ranges(),
        *_priorities(printed),
        *_uniform(),
    ]


# -- Table 1 -----------------------------------------------------------------------------------


def _ticks(printed: Printed) -> Iterator[Relation]:
    """Table 1 against the properties of the measures, which tests prove or refute."""
    for cell in DNKT.cells(printed, "1"):
        measure = QUANTIFICATION[cell.column]
        holds = {
            "(a) magnitude": measure.magnitude,
            "(b) ordinal": measure.ordinal,
            SYMMETRIC: measure.symmetric,
            ARBITRARY: None if measure.equidistant is None else not measure.equidistant,
        }[cell.row]
        mark = NOT_APPLICABLE if holds is None else TICK if holds else BLANK
        yield recomputed(cell, mark, f"{measure.title}: {measure.source}", "claim")
    equidistant = QUANTIFICATION["RNADW2"].equidistant
    yield recomputed(
        at("s2.1", "RNADW2 avoids equidistance", "claim"),
        "assumes" if equidistant else "avoids",
        "Eq. 6: distances are gold probabilities",
        "claim",
    )


def _exchanged(function: Callable[..., Any], gold: np.ndarray, estimates: np.ndarray) -> str:
    """Return where exchanging gold and estimate changes a score most, or nothing."""
    there = function(gold[:, None], estimates[None])
    back = function(estimates[None], gold[:, None])
    gaps = np.round(abs(there - back), 9)  # the first of equal ones, whatever the float noise
    worst = np.unravel_index(np.argmax(gaps), gaps.shape)
    if gaps[worst] == 0:
        return ""
    pair = [
        "({})".format(", ".join(f"{x:.3g}" for x in v))
        for v in (gold[worst[0]], estimates[worst[1]])
    ]
    return f"gold {pair[0]}, estimate {pair[1]}: {there[worst]:.4f}, exchanged {back[worst]:.4f}"


def _symmetry(printed: Printed) -> Iterator[Relation]:
    """Table 1 (c) and Section 2.1's ADW: scores of all pairs of a grid, exchanged."""
    grid = _grid(4)
    for cell in DNKT.cells(printed, "1", SYMMETRIC):
        found = _exchanged(QUANTIFICATION[cell.column].function, grid, grid)
        yield _tested(cell, TICK, found, f"the definition of {cell.column}")
    # ADW is RNADW squared, times |C| - 1 (Eq. 8).
    found = _exchanged(QUANTIFICATION["RNADW"].function, grid, grid)
    yield _tested(at("s2.1", "ADW symmetric", "claim"), "symmetric", found, "Eqs. 2, 3, 7, 8")


def _tested(cell: Cell, yes: str, counterexample: str, relies: str) -> Relation:
    """Hold the claim of a property (``yes``) to the search for a counterexample."""

    def test(printed: Printed) -> Finding:
        text = counterexample or "no counterexample on a grid of distributions"
        return Finding((printed[cell] == yes) == (not counterexample), text)

    return Relation("claim", (cell,), test, relies)


def _unit_steps() -> Relation:
    """Table 1 (d): NMD is the Wasserstein distance with one unit for each step, normalised."""
    cell = at("1", ARBITRARY, "NMD")
    grid = _grid(4)
    classes = range(grid.shape[1])
    same = all(
        abs(nmd(p, q) * (len(classes) - 1) - wasserstein_distance(classes, classes, p, q)) < 1e-9
        for p, q in combinations(grid, 2)
    )

    def test(printed: Printed) -> Finding:
        text = f"NMD x (|C| - 1) is the Wasserstein distance with unit steps: {same}"
        return Finding((printed[cell] == TICK) != same, text)

    return Relation("claim", (cell,), test, "Eq. 1")


# -- footnotes and Section 2.3 -----------------------------------------------------------------


def _order_aware_divergence() -> Iterator[Relation]:
    """Footnote 2: when OD does not change if gold and estimate are exchanged."""
    grid = _grid(3)
    full = grid[(grid > 0).all(axis=1)]
    found = _exchanged(od, full, grid)
    yield _tested(at("footnote2", SUFFICIENT, "claim"), "sufficient", found, "Eqs. 2 to 4")
    corners = np.eye(5)
    cell = at("footnote2", "both distributions with one positive probability", "claim")
    yield _tested(cell, "sufficient", _exchanged(od, corners, corners), "Eqs. 2 to 4")


def _ranges() -> Iterator[Relation]:
    """Section 2.3: tau-b from the reversed order to the same one, and Eq. 15."""
    order = (0.4, 0.3, 0.2, 0.1)
    for end, other in (("low", order[::-1]), ("high", order)):
        cell = at("s2.3", "tau-b", f"range {end}")
        yield recomputed(cell, 1 - 2 * float(dnkt(order, other)), "Eq. 16 for tau-b", "example")
        yield relate(
            "example",
            at("s2.3", "NKT", f"range {end}"),
            (cell,),
            lambda tau: (tau.middle + 1) / 2,
            "Eq. 15",
        )


def _priorities(printed: Printed) -> Iterator[Relation]:
    """Section 2.3's example: both sum to 1 and rank the classes alike, so DNKT is 0."""
    gold, estimate = (
        [c for c in DNKT.cells(printed, "s2.3", row) if c.column.startswith("class")]
        for row in ("example DNKT gold", "example DNKT estimate")
    )
    for cells in (gold, estimate):
        yield exact("sum", cells, lambda *p: sum(p) == 1, "probabilities", "sum of 1")

    def perfect(text: str, *texts: str) -> bool:
        values = [float(value_of(number)) for number in texts]
        half = len(values) // 2
        score = dnkt(values[:half], values[half:], normalise=True)
        return (text == "perfect") == (score == 0)

    sentence = at("s2.3", "example DNKT estimate", "claim")
    yield condition("example", (sentence, *gold, *estimate), perfect, "Eq. 16", "DNKT of 0")
    same = (0.4, 0.3, 0.2, 0.1)
    cell = at("s2.3", "DNKT = M = 0", "DNKT_M")
    for combined in COMBINED:
        yield recomputed(cell, float(combined(same, same)), "Eq. 17, equal", "example")


def _concordance(one: tuple[float, ...], two: tuple[float, ...]) -> tuple[int, int]:
    """Return CONC and DISC of Section 2.3."""
    signs = [
        np.sign(one[i] - one[j]) * np.sign(two[i] - two[j])
        for i, j in combinations(range(len(one)), 2)
    ]
    return signs.count(1), signs.count(-1)


def _uniform() -> Iterator[Relation]:
    """Section 2.3 and footnote 3: nothing is concordant with a uniform distribution."""
    other = (0.4, 0.3, 0.2, 0.1)
    row = "at least one uniform distribution"
    conc, disc = _concordance(UNIFORM, other)
    for place in ("gold uniform distribution", row):
        for name, count in (("CONC", conc), ("DISC", disc)):
            cell = at("s2.3", place, name)
            yield recomputed(cell, count, "Section 2.3: tied pairs are ignored", "example")
    tau, divergence = at("s2.3", row, "tau-b"), at("s2.3", row, "DNKT")
    score = float(dnkt(UNIFORM, other))
    yield recomputed(divergence, score, "Eq. 16, gold uniform", "example")
    yield recomputed(tau, 1 - 2 * score, "Eq. 16 for tau-b, gold uniform", "example")
    yield relate("example", divergence, (tau,), lambda tau: (1 - tau.middle) / 2, "Eq. 16")
    yield recomputed(
        at("footnote3", "two uniform distributions", "DNKT"),
        "not zero" if float(dnkt(UNIFORM, UNIFORM)) else "zero",
        "Eq. 16, both uniform",
        "example",
    )


DEFINITION_ERRATA = (
    Erratum(
        "dnkt-table1-rnadw2-symmetric",
        (at("1", SYMMETRIC, "RNADW2"),),
        "claim",
        "RNADW2 is ticked as symmetric, but its distances are made of gold probabilities only.",
        "RNADW2 replaces Eq. 3 by Eq. 6, which has p* and no p. Gold (.5, 0, .5) and estimate "
        "(0, 1, 0) score .3819, exchanged .5401. RNOD2, with the same distances, has no tick.",
    ),
    Erratum(
        "dnkt-footnote2-od-symmetric",
        (at("footnote2", SUFFICIENT, "claim"),),
        "claim",
        "That no gold probability is zero does not make OD symmetric.",
        "OD(p* || p) averages over the classes with p > 0 (Eq. 4), so p may have no zero either. "
        "Gold (1/3, 1/3, 1/3) and estimate (1, 0, 0): OD .6296, exchanged .3333. Footnote 2 of "
        "LQ'21 says the same.",
    ),
    Erratum(
        "dnkt-table1-nmd-equidistance",
        (at("1", ARBITRARY, "NMD"),),
        "modelling",
        "NMD is ticked as not assuming equidistance; whether it does depends on what that means.",
        "Eq. 1 names no distance, but it gives each step between neighbouring classes the weight "
        "1: it is the Wasserstein distance with unit steps, over |C| - 1. ACL'21 (Section 7) "
        "takes the same view as Table 1.",
    ),
)
