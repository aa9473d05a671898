"""DNKT's ranking agreements, Tables 3 to 24, and the data sets that its tables are about.

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
from typing import NamedTuple

import numpy as np

from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks.tools import DNKT, compared, least, pairs_of, triangles
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    exact,
    relate,
    value_of,
)
from ordbook.papers.symbols import NINE

at, said = DNKT.at, DNKT.claim
MEASURES = NINE  # of Tables 3 to 20, in the printed order
ORDINAL = tuple(name for name in NINE if QUANTIFICATION[name].ordinal)
NOMINAL = tuple(name for name in NINE if name not in (*ORDINAL, "DNKT"))
COMBINED = ("JSD", "NMD", "RNOD")
HALF = Decimal("0.0005")
# Tables 19 and 24 round averages of rounded numbers: half a unit twice.
AVERAGED = 2 * HALF
# Sets without equal mean scores: every numerator has the parity of the number of run pairs.
UNTIED = ("Sem16T4E", "Sem17T4E")


class DataSet(NamedTuple):
    """One of the eight data sets, its row of Table 2, and the numbers of its tables."""

    name: str
    listed: str
    taus: str
    averages: str
    combined: str
    consistency: str

    @property
    def runs(self) -> Cell:
        """Number of runs, from the caption of its correlations."""
        return at(f"caption{self.taus}", self.name, "runs")

    @property
    def agreements(self) -> tuple[tuple[str, Cell, Cell], ...]:
        """Both tables of correlations, each with its runs and percentage of the interval."""
        caption = f"caption{self.combined[:2]}"
        venue = "SemEval" if caption == "caption21" else self.name.partition(" ")[0]
        level = "interval percentage"
        combined_runs = at(f"caption{self.combined}", self.name, "runs")
        return (
            (self.taus, self.runs, self.runs._replace(column=level)),
            (self.combined, combined_runs, at(caption, venue, level)),
        )


_STC, _DIALEVAL = "STC-3 DQ-{A, E, S}", "DialEval-1 DQ-{A, E, S}"
DATA_SETS = (
    DataSet("Sem16T4E", "Sem16T4E", "3", "4", "21a", "25a"),
    DataSet("Sem17T4E", "Sem17T4E", "5", "6", "21b", "25b"),
    DataSet("STC-3 DQ-A", _STC, "7", "8", "22a", "26a"),
    DataSet("STC-3 DQ-E", _STC, "9", "10", "22b", "26b"),
    DataSet("STC-3 DQ-S", _STC, "11", "12", "22c", "26c"),
    DataSet("DialEval-1 DQ-A", _DIALEVAL, "13", "14", "23a", "27a"),
    DataSet("DialEval-1 DQ-E", _DIALEVAL, "15", "16", "23b", "27b"),
    DataSet("DialEval-1 DQ-S", _DIALEVAL, "17", "18", "23c", "27c"),
)


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 3 to 24."""
    return [
        *_intervals(printed),
        *_averages(printed),
        *_steps(printed),
        *_triangles(printed),
        *_feasible(printed),
        *_feasible_without_ties(printed),
    ]


def taus(printed: Printed, table: str) -> list[Cell]:
    """Return the correlations of a table, limits left out."""
    return [cell for cell in DNKT.cells(printed, table) if " " not in cell.column]


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
        for table, runs, _ in data_set.agreements:
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
    relies = "Fieller's interval of tau as printed"
    for data_set in DATA_SETS:
        for table, *given in data_set.agreements:
            for tau, (end, sign) in product(taus(printed, table), (("low", -1), ("high", 1))):
                limit, formula = tau._replace(column=f"{tau.column} {end}"), partial(_limit, sign)
                yield relate("interval", limit, (tau, *given), formula, relies, f"{end} limit")


# -- averages ----------------------------------------------------------------------------------


def _averages(printed: Printed) -> Iterator[Relation]:
    """Section 4: average similarities, and Tables 19, 20 and 24 over the eight data sets.

    All are means of the printed three digits, halves rounded up.
    """

    def holds(mean: Decimal, *terms: Decimal) -> bool:
        unit = Decimal(1).scaleb(int(mean.as_tuple().exponent))
        return mean == (sum(terms, Decimal()) / len(terms)).quantize(unit, ROUND_HALF_UP)

    def average(cell: Cell, parts: Sequence[Cell], where: str) -> Relation:
        relies = f"the mean of printed values, halves up: {where}"
        return exact("average", (cell, *parts), holds, relies, "mean, of the printed values")

    for measure in MEASURES:
        for data_set in DATA_SETS:
            table = data_set.taus
            others = [DNKT.between(printed, table, measure, m) for m in MEASURES if m != measure]
            cell = at(data_set.averages, measure, "average")
            yield average(cell, others, f"Section 4, Table {table}")
        parts = [at(data_set.averages, measure, "average") for data_set in DATA_SETS]
        yield average(at("20", measure, "average"), parts, "caption of Table 20")
    for table, name in (("19", "taus"), ("24", "combined")):
        for cell in taus(printed, table):
            parts = [cell._replace(table=getattr(each, name)) for each in DATA_SETS]
            yield average(cell, parts, f"caption of Table {table}")


# -- several tau at once -----------------------------------------------------------------------


def _triangles(printed: Printed) -> Iterator[Relation]:
    """(1 - tau)/2 obeys the triangle inequality, ties counted 0, and so do its averages.

    For every run pair xy + yz - xz <= 1 as long as x, y, z lie in [-1, 1].
    """
    relies = "tau-a is a scalar product of sign vectors"
    every = [(table, HALF) for each in DATA_SETS for table in (each.taus, each.combined)]
    for table, slack in (*every, ("19", AVERAGED), ("24", AVERAGED)):

        def obeys(side: Decimal, one: Decimal, two: Decimal, most: Decimal = 1 + 3 * slack) -> bool:
            return one + two - side <= most

        for cells in triangles(taus(printed, table)):
            yield exact("triangle", cells, obeys, relies, "three tau")


def _products(names: Sequence[str], pairs: Sequence[Cell]) -> np.ndarray:
    """Return, for every pair of measures and every pattern, whether they agree (1) or not (-1).

    Patterns are the ways in which rankings can order two runs, one of each pair of opposites.
    """
    patterns = np.array([(1, *signs) for signs in product((1, -1), repeat=len(names) - 1)], float)
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
        cells = taus(printed, table)
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
        yield replace(condition("feasibility", cells, possible, relies, shown), slow=True)


def _feasible_without_ties(printed: Printed) -> Iterator[Relation]:
    """SemEval: whole numbers of run pairs exist for each pattern of signs, none of them tied.

    All 36 numerators have the parity of T, so no two runs are tied; the NTCIR sets have ties,
    two pairs of identical baselines at least.
    """
    relies = "tau-a of nine measures: whole numbers of run pairs by pattern of signs, no ties"
    for data_set in (each for each in DATA_SETS if each.name in UNTIED):
        cells = taus(printed, data_set.taus)
        products = _products(MEASURES, cells)

        def possible(runs: str, *texts: str, products: np.ndarray = products) -> bool:
            n = value_of(runs)
            counts = [pairs_of(n), *(numerator(value_of(text), n) for text in texts)]
            rows = np.vstack([np.ones(products.shape[1]), products])
            return least(rows, counts, counts) is not None

        shown = f"Table {data_set.taus} as a whole"
        made = condition("feasibility", [data_set.runs, *cells], possible, relies, shown)
        yield replace(made, slow=True)
