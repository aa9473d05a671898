"""The checks of DNKT's ranking agreements: Tables 3 to 24.

Contents
--------
tau_relations   all of them

Every tau is tau-a, (concordant - discordant pairs of runs)/T: tied pairs count 0 and stay in T.
What is computed from tau (limits and averages) is computed from the printed three digits: of
720 limits and 126 averages all come out that way, and 199 limits and 10 averages do not from
the fractions themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from itertools import product
from math import atanh, sqrt, tanh
from statistics import NormalDist

import numpy as np

from ordbook.papers.checks.counting import least, pairs_of
from ordbook.papers.checks.dnkt.numbers import (
    COMBINED,
    DATA_SETS,
    MEASURES,
    DataSet,
    at,
    taus,
)
from ordbook.papers.checks.places import DNKT, compared, triangles
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    exact,
    relate,
    same,
    value_of,
)

HALF = Decimal("0.0005")
# Tables 19 and 24 round averages of rounded numbers: half a unit twice.
AVERAGED = 2 * HALF
# Sets without equal mean scores: every numerator has the parity of the number of run pairs.
UNTIED = ("Sem16T4E", "Sem17T4E")


def tau_relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 3 to 24."""
    return [
        *_intervals(printed),
        *_averages(printed),
        *_components(),
        *_steps(printed),
        *_triangles(printed),
        *_feasible(printed),
        *_feasible_without_ties(printed),
    ]


def _tables(data_set: DataSet) -> tuple[tuple[str, Cell, Cell], ...]:
    """Return both tables of a data set, each with its runs and percentage of the interval."""
    caption = f"caption{data_set.combined[:2]}"
    venue = "SemEval" if caption == "caption21" else data_set.name.partition(" ")[0]
    percentage = "interval percentage"
    return (
        (data_set.taus, data_set.runs, data_set.runs._replace(column=percentage)),
        (data_set.combined, data_set.combined_runs, at(caption, venue, percentage)),
    )


# -- one tau and its interval ------------------------------------------------------------------


def is_step(tau: Decimal, runs: Decimal) -> bool:
    """Whether tau is a whole number of the n(n-1)/2 run pairs, over their number."""
    return abs(tau - Decimal(numerator(tau, runs)) / pairs_of(runs)) <= HALF


def numerator(tau: Decimal, runs: Decimal) -> int:
    """Return concordant minus discordant run pairs."""
    return round(tau * pairs_of(runs))


def _steps(printed: Printed) -> Iterator[Relation]:
    """Tau is a multiple of 1/T, T = n(n-1)/2: ties count 0 (Tables 3 to 17 and 21 to 23)."""
    for data_set in DATA_SETS:
        for table, runs, _ in _tables(data_set):
            for tau in taus(printed, table):
                yield exact("step", (tau, runs), is_step, "a count over n(n-1)/2", "tau, runs")


def _limit(sign: int, tau: Rounded, runs: Rounded, percentage: Rounded) -> float:
    if abs(tau.middle) == 1:
        return tau.middle
    quantile = NormalDist().inv_cdf((1 + percentage.middle / 100) / 2)
    return tanh(atanh(tau.middle) + sign * quantile * sqrt(0.437 / (runs.middle - 4)))


def _intervals(printed: Printed) -> Iterator[Relation]:
    """Limits of tau: Fieller's interval, as in Long and Cliff, DNKT's reference [8].

    tanh(artanh tau -+ z sqrt(.437/(n - 4))), from tau as printed; [1, 1] around 1.
    """
    for data_set in DATA_SETS:
        for table, runs, percentage in _tables(data_set):
            for tau in taus(printed, table):
                for end, sign in (("low", -1), ("high", 1)):
                    yield relate(
                        "interval",
                        tau._replace(column=f"{tau.column} {end}"),
                        (tau, runs, percentage),
                        partial(_limit, sign),
                        "Fieller's interval of tau as printed",
                        f"{end} limit",
                    )


# -- averages and repetitions ------------------------------------------------------------------


def _mean(cell: Cell, parts: Sequence[Cell], relies: str) -> Relation:
    """Hold a cell to the mean of printed numbers, halves rounded up."""

    def holds(mean: Decimal, *terms: Decimal) -> bool:
        unit = Decimal(1).scaleb(int(mean.as_tuple().exponent))
        return mean == (sum(terms, Decimal()) / len(terms)).quantize(unit, ROUND_HALF_UP)

    return exact("average", (cell, *parts), holds, relies, "mean, of the printed values")


def _averages(printed: Printed) -> Iterator[Relation]:
    """Section 4: average similarities, and Tables 19, 20 and 24 over the eight data sets.

    All are means of the printed three digits, halves rounded up.
    """
    means = "the mean of printed values, halves up: "
    for measure in MEASURES:
        for data_set in DATA_SETS:
            others = [
                DNKT.between(printed, data_set.taus, measure, other)
                for other in MEASURES
                if other != measure
            ]
            cell = at(data_set.averages, measure, "average")
            yield _mean(cell, others, f"{means}Section 4, Table {data_set.taus}")
        parts = [at(data_set.averages, measure, "average") for data_set in DATA_SETS]
        yield _mean(at("20", measure, "average"), parts, f"{means}caption of Table 20")
    for table, where in (("19", 0), ("24", 1)):
        for cell in taus(printed, table):
            parts = [cell._replace(table=_tables(each)[where][0]) for each in DATA_SETS]
            yield _mean(cell, parts, f"{means}caption of Table {table}")


def _components() -> Iterator[Relation]:
    """Tables 21 to 24 print the components' tau with DNKT again, limits too."""
    for measure in COMBINED:
        for data_set in DATA_SETS:
            for end in ("", " low", " high"):
                yield same(
                    at(data_set.combined, "DNKT", f"{measure}{end}"),
                    at(data_set.taus, measure, f"DNKT{end}"),
                    f"the same rankings as in Table {data_set.taus}",
                )
        yield same(at("24", "DNKT", measure), at("19", measure, "DNKT"), "as in Table 19")


# -- several tau at once -----------------------------------------------------------------------


def _triangles(printed: Printed) -> Iterator[Relation]:
    """(1 - tau)/2 obeys the triangle inequality, ties counted 0, and so do its averages.

    For every run pair xy + yz - xz <= 1 as long as x, y, z lie in [-1, 1].
    """
    relies = "tau-a is a scalar product of sign vectors"
    tables = [(table, HALF) for each in DATA_SETS for table in (each.taus, each.combined)]
    for table, slack in (*tables, ("19", AVERAGED), ("24", AVERAGED)):

        def obeys(side: Decimal, one: Decimal, two: Decimal, most: Decimal = 1 + 3 * slack) -> bool:
            return one + two - side <= most

        for cells in triangles(taus(printed, table)):
            yield exact("triangle", cells, obeys, relies, "three tau")


def _patterns(measures: int) -> np.ndarray:
    """Return every way in which rankings can order two runs, one of each pair of opposites."""
    return np.array([(1, *signs) for signs in product((1, -1), repeat=measures - 1)], float)


def _products(names: Sequence[str], pairs: Sequence[Cell]) -> np.ndarray:
    """Return, for every pair of measures and every pattern, whether they agree (1) or not (-1)."""
    patterns = _patterns(len(names))
    return np.array(
        [patterns[:, names.index(c.row)] * patterns[:, names.index(c.column)] for c in pairs]
    )


def _feasible(printed: Printed) -> Iterator[Relation]:
    """All tau of a data set together: shares of run pairs for each pattern of signs exist.

    Holds for any number of ties, as a tied pair counts like half a pair of either sign; and for
    averages over data sets. Twelve measures: Tables 3 to 17 with 21 to 23, and 19 with 24.
    """
    relies = "tau-a of several measures: run pairs by pattern of signs, in shares"
    sets = [(each.taus, each.combined, HALF) for each in DATA_SETS]
    for table, combined, slack in (*sets, ("19", "24", AVERAGED)):
        cells = [*taus(printed, table)]
        cells += [cell for cell in taus(printed, combined) if cell.column.startswith("DNKT_")]
        products = _products(compared(cells), cells)

        def possible(
            *texts: str, products: np.ndarray = products, slack: float = float(slack) + 1e-9
        ) -> bool:
            tau = np.array([float(text) for text in texts])
            rows = np.vstack([np.ones(products.shape[1]), products])
            low, high = np.append(1, tau - slack), np.append(1, tau + slack)
            return least(rows, low, high, whole=False) is not None

        shown = f"Tables {table} and {combined} together"
        yield _slow(condition("feasibility", cells, possible, relies, shown))


def _feasible_without_ties(printed: Printed) -> Iterator[Relation]:
    """SemEval: whole numbers of run pairs exist for each pattern of signs, none of them tied.

    All 36 numerators have the parity of T, so no two runs are tied; the NTCIR sets have ties,
    two pairs of identical baselines at least.
    """
    relies = "tau-a of nine measures: whole numbers of run pairs by pattern of signs, no ties"
    for data_set in DATA_SETS:
        if data_set.name not in UNTIED:
            continue
        cells = taus(printed, data_set.taus)
        products = _products(MEASURES, cells)

        def possible(runs: str, *texts: str, products: np.ndarray = products) -> bool:
            n = value_of(runs)
            counts = [pairs_of(n), *(numerator(value_of(text), n) for text in texts)]
            rows = np.vstack([np.ones(products.shape[1]), products])
            return least(rows, counts, counts) is not None

        shown = f"Table {data_set.taus} as a whole"
        cells = [data_set.runs, *cells]
        yield _slow(condition("feasibility", cells, possible, relies, shown))


def _slow(relation: Relation) -> Relation:
    return replace(relation, slow=True)
