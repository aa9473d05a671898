"""DNKT's definitions (Table 1, footnotes, Section 2), counts, data, and Section 4's prose."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import wasserstein_distance

from ordbook.measures import QUANTIFICATION, dnkt, dnkt_jsd, dnkt_nmd, dnkt_rnod, nmd, od
from ordbook.papers.checks.dnkt.tables import (
    DATA_SETS,
    MEASURES,
    at,
    said,
)
from ordbook.papers.checks.tools import DNKT, compositions, ranked
from ordbook.papers.relations import (
    Cell,
    CheckResult,
    Printed,
    Relation,
    condition,
    counted,
    exact,
    recomputed,
    relate,
    value_of,
)

TICK, BLANK, NOT_APPLICABLE = "✓", "blank", "N/A"
SYMMETRIC = "(c) symmetric"
ARBITRARY = "(d) no equidistance"
ORDER = (0.4, 0.3, 0.2, 0.1)
UNIFORM = (0.25, 0.25, 0.25, 0.25)
RUNS = "#Runs used"


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of definitions, of worked examples and of the prose."""
    return [
        *_ticks(printed),
        *DNKT.written(),
        *_symmetry(printed),
        _unit_steps(),
        *_ranges(),
        *_priorities(printed),
        *_uniform(),
        *_data_sets(printed),
        *_levels(printed),
        *_numbers_of_measures(printed),
        *_outliers(),
    ]


def _grid(steps: int, classes: int = 3) -> np.ndarray:
    """Return every distribution whose probabilities are multiples of 1/steps."""
    return compositions(steps, classes)[::-1] / steps


# -- Table 1 and footnote 2 --------------------------------------------------------------------


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
        yield condition("claim", (cell,), mark.__eq__, f"{measure.title}: {measure.source}", mark)
    word = "assumes" if QUANTIFICATION["RNADW2"].equidistant else "avoids"
    sentence = said("s2.1", "RNADW2 avoids equidistance")
    relies = "Eq. 6: distances are gold probabilities"
    yield condition("claim", (sentence,), word.__eq__, relies, word)


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
    """Table 1 (c), Section 2.1's ADW and footnote 2's OD: scores of all pairs, exchanged."""
    fine, coarse, corners = _grid(4), _grid(3), np.eye(5)
    full = coarse[(coarse > 0).all(axis=1)]
    for cell in DNKT.cells(printed, "1", SYMMETRIC):
        function = QUANTIFICATION[cell.column].function
        relies = f"the definition of {cell.column}"
        yield _tested(cell, TICK, _exchanged(function, fine, fine), relies)
    # ADW is RNADW squared, times |C| - 1 (Eq. 8).
    found = _exchanged(QUANTIFICATION["RNADW"].function, fine, fine)
    yield _tested(said("s2.1", "ADW symmetric"), "symmetric", found, "Eqs. 2, 3, 7, 8")
    for row, gold, estimates in (
        ("C* = C makes OD symmetric", full, coarse),
        ("both distributions with one positive probability", corners, corners),
    ):
        found = _exchanged(od, gold, estimates)
        yield _tested(said("footnote2", row), "sufficient", found, "Eqs. 2 to 4")


def _tested(cell: Cell, yes: str, counterexample: str, relies: str) -> Relation:
    """Hold the claim of a property (``yes``) to the search for a counterexample."""

    def test(printed: Printed) -> CheckResult:
        text = counterexample or "no counterexample on a grid of distributions"
        return CheckResult((printed[cell] == yes) == (not counterexample), text)

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

    def test(printed: Printed) -> CheckResult:
        text = f"NMD x (|C| - 1) is the Wasserstein distance with unit steps: {same}"
        return CheckResult((printed[cell] == TICK) != same, text)

    return Relation("claim", (cell,), test, "Eq. 1")


# -- Section 2.3 -------------------------------------------------------------------------------


def _ranges() -> Iterator[Relation]:
    """Section 2.3: tau-b from the reversed order to the same one, and Eq. 15."""
    for end, other in (("low", ORDER[::-1]), ("high", ORDER)):
        cell, nkt = (at("s2.3", name, f"range {end}") for name in ("tau-b", "NKT"))
        yield recomputed(cell, 1 - 2 * float(dnkt(ORDER, other)), "Eq. 16 for tau-b", "example")
        yield relate("example", nkt, (cell,), lambda tau: (tau.middle + 1) / 2, "Eq. 15")


def _priorities(printed: Printed) -> Iterator[Relation]:
    """Section 2.3's example: both sum to 1 and rank the classes alike, so DNKT is 0."""
    gold, estimate = (
        [c for c in DNKT.cells(printed, "s2.3", row) if c.column.startswith("class")]
        for row in ("example DNKT gold", "example DNKT estimate")
    )

    def perfect(text: str, *texts: str) -> bool:
        values = [float(value_of(number)) for number in texts]
        half = len(values) // 2
        score = dnkt(values[:half], values[half:], normalise=True)
        return (text == "perfect") == (score == 0)

    cells = [said("s2.3", "example DNKT estimate"), *gold, *estimate]
    yield condition("example", cells, perfect, "Eq. 16", "DNKT of 0")
    for combined in (dnkt_jsd, dnkt_nmd, dnkt_rnod):
        cell = at("s2.3", "DNKT = M = 0", "DNKT_M")
        yield recomputed(cell, float(combined(ORDER, ORDER)), "Eq. 17, equal", "example")


def _uniform() -> Iterator[Relation]:
    """Section 2.3 and footnote 3: nothing is concordant with a uniform distribution."""
    row, family = "at least one uniform distribution", "example"
    signs = [
        np.sign(UNIFORM[i] - UNIFORM[j]) * np.sign(ORDER[i] - ORDER[j])
        for i, j in combinations(range(len(ORDER)), 2)
    ]
    for place in ("gold uniform distribution", row):
        for name, sign in (("CONC", 1), ("DISC", -1)):
            relies = "Section 2.3: tied pairs are ignored"
            yield recomputed(at("s2.3", place, name), signs.count(sign), relies, family)
    tau, divergence = at("s2.3", row, "tau-b"), at("s2.3", row, "DNKT")
    score = float(dnkt(UNIFORM, ORDER))
    yield recomputed(divergence, score, "Eq. 16, gold uniform", family)
    yield recomputed(tau, 1 - 2 * score, "Eq. 16 for tau-b, gold uniform", family)
    yield relate(family, divergence, (tau,), lambda tau: (1 - tau.middle) / 2, "Eq. 16")
    word = "not zero" if float(dnkt(UNIFORM, UNIFORM)) else "zero"
    cell = at("footnote3", "two uniform distributions", "DNKT")
    yield recomputed(cell, word, "Eq. 16, both uniform", family)


# -- data --------------------------------------------------------------------------------------


def _data_sets(printed: Printed) -> Iterator[Relation]:
    """Eight data sets: those of Table 2, two of SemEval and six of NTCIR."""
    eight = at("caption2", "Table 2", "data sets")
    semeval, ntcir = (at("s3", f"{venue} data sets") for venue in ("SemEval", "NTCIR"))
    viewpoints = at("s3", "viewpoints of the NTCIR ratings")
    rows = DNKT.rows(printed, "2")
    names = {name for row in rows for name in _names(row)}
    ours = {each.name for each in DATA_SETS}
    tasks = [row for row in rows if len(_names(row)) > 1]
    singles = len(rows) - len(tasks)
    listed = "Table 2 lists them"
    yield exact("list", (eight,), lambda n: n == len(names) and names == ours, listed, "data sets")
    yield counted(semeval, singles, f"{listed}: SemEval")
    yield exact(
        "product",
        (ntcir, viewpoints),
        lambda n, views: n == views * len(tasks),
        f"{listed}: each NTCIR task has a data set for each viewpoint",
        "data sets, viewpoints",
    )


def _names(row: str) -> list[str]:
    """Return the data sets of a row of Table 2, such as three of ``STC-3 DQ-{A, E, S}``."""
    stem, _, rest = row.partition("{")
    return [f"{stem}{part}" for part in rest.rstrip("}").split(", ")]


def _levels(printed: Printed) -> Iterator[Relation]:
    """One level of significance, in text and captions."""
    alpha, relies = at("s5", "randomised Tukey HSD test", "alpha"), "Section 5: alpha in percent"
    for cell in printed:
        if cell.paper == DNKT.name and cell.column == "significance percentage":
            yield relate("printed twice", cell, (alpha,), lambda a: 100 * a.middle, relies)


# -- measures ----------------------------------------------------------------------------------


def _numbers_of_measures(printed: Printed) -> Iterator[Relation]:
    """Five ordinal and three nominal measures, by Table 1's ticks; three combined ones."""
    names = at("s2.3", "measures combined with DNKT", "measures")
    found = [row for row in DNKT.rows(printed, "24") if row != "DNKT"]
    yield condition(
        "list",
        (names,),
        lambda text: text.split() == found,
        "components in Table 24",
        "combined with DNKT",
    )


# -- Section 4's observations ------------------------------------------------------------------


def _outliers() -> Iterator[Relation]:
    """DNKT is the lowest of Table 20 and of each data set's averages; NMD comes before it.

    The paper observes it "from this table", 20: by Table 4 JSD is below NMD.
    """
    for table in (*(each.averages for each in DATA_SETS), "20"):
        averages = {measure: at(table, measure, "average") for measure in MEASURES}
        for section in ("s4", "s6"):
            relies = f"Table {table}: the lowest average similarity"
            yield ranked(said(section, "outlier measure"), averages, 0, relies)
    for sentence in (said("s4", "second outlier"), said("s6", "NMD")):
        yield ranked(sentence, averages, 1, "Table 20: the lowest average similarity but one")
