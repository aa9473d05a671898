"""Tables 8 and 13 of the DialEval-1 overview: tau of two rankings, and its limits.

The limits are those of a bootstrap (footnote 2): ``NSM3::kendall.ci`` draws as many runs with
replacement and takes tau-b.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from ordbook.meta.seeds import LEVEL, SURE
from ordbook.papers.checks.dialeval1.tables import MEASURES, PARTS, rankings, said
from ordbook.papers.checks.tools import discordant, pairs_of
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    ordered,
    relate,
    rounded,
)

# Language -> the table of its correlations.
CORRELATIONS = {"Chinese": "8", "English": "13"}
# Resamples drawn to know the bootstrap's distribution, and how unlikely a limit must be.
RESAMPLES = 40_000
TAIL = (1 - LEVEL) / 2


def correlation(language: str, part: str, end: str = "") -> Cell:
    """Return a part's tau, or its limit."""
    return said(CORRELATIONS[language], part, " vs ".join(MEASURES[part]) + end)


def agreement(first: Sequence[Cell], second: Sequence[Cell], printed: Printed) -> int:
    """Concordant minus discordant pairs; equal means are ranked by their printed order."""

    def ranks(cells: Sequence[Cell]) -> dict[str, int]:
        line = sorted(range(len(cells)), key=lambda i: (rounded(printed[cells[i]]).middle, i))
        return {cells[i].row: rank for rank, i in enumerate(line)}

    x, y = ranks(first), ranks(second)
    order = [y[run] for run in sorted(x, key=lambda run: x[run])]
    signs = [order[i] < order[j] for i in range(len(order)) for j in range(i + 1, len(order))]
    return 2 * sum(signs) - len(signs)


@lru_cache
def drawn(runs: int) -> NDArray[np.float64]:
    """Return how often each of so many runs is drawn, resample by resample; a stream per size."""
    rng = np.random.default_rng(runs)
    return rng.multinomial(runs, [1 / runs] * runs, size=RESAMPLES).astype(np.float64)


@lru_cache
def bootstrapped(order: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the sorted tau-b of many resamples of two rankings, the second in terms of the first.

    A run that is drawn twice ties with itself in both rankings, so that tau-b is (C - D)/(C + D).
    """
    n = len(order)
    times = drawn(n)
    signs = np.sign(np.subtract.outer(order, order) * np.subtract.outer(range(n), range(n)))
    untied = n * n - (times**2).sum(1)
    known = untied > 0
    return np.sort(((times @ signs) * times).sum(1)[known] / untied[known])


@lru_cache
def attainable(runs: int) -> NDArray[np.float64]:
    """Return every (C - D)/(C + D) of a resample, C + D being the pairs of different runs."""
    tied = [{0}] + [set[int]() for _ in range(runs)]  # pairs of copies among so many draws
    for n in range(1, runs + 1):
        tied[n] = {pairs_of(m) + rest for m in range(1, n + 1) for rest in tied[n - m]}
    untied = {pairs_of(runs) - pairs for pairs in tied[runs]} - {0}
    return np.unique([k / u for u in untied for k in range(-u, u + 1, 2)])


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of tau = (C - D)/T of two rankings, and of its limits.

    Limits are the k-th smallest and largest tau of B resamples, k = (B + 1) alpha/2. One fits if
    so many of B resamples lie below it and up to it with a probability of at least 0.0005.
    """
    lists = rankings(printed)
    footnote = [said("footnote2", "kendall.ci B", "trials")]
    footnote.append(said("footnote2", "kendall.ci alpha", "value"))
    for language, part in product(CORRELATIONS, PARTS):
        first, second = (lists[part, language, measure] for measure in MEASURES[part])
        tau, low, high = (correlation(language, part, end) for end in ("", " low", " high"))
        yield _tau(tau, first.cells, second.cells)
        runs, steps = len(first.runs), pairs_of(len(first.runs))
        yield condition(
            "step",
            (tau,),
            lambda text, steps=steps: discordant(text, steps) is not None,
            f"tau of {runs} {language} runs is (C - D)/{steps}, C + D = {steps}",
            f"one of the steps of {steps} pairs",
        )
        yield from ordered([high, tau, low], "tau lies in its interval", "interval")
        order = tuple(second.runs.index(run) for run in first.runs)
        for limit, end in ((low, "low"), (high, "high")):
            yield condition(
                "interval",
                (limit,),
                lambda text: -1 <= rounded(text).middle <= 1,
                "limits of a bootstrap are values of tau",
                "between -1 and 1",
            )
            relation = condition(
                "interval",
                (limit, *footnote),
                _fits(order, end == "high"),
                f"bootstrap of NSM3's kendall.ci (footnote 2) on Table {first.table}'s rankings",
                f"a likely {end} limit",
            )
            yield replace(relation, slow=True)
            yield condition(
                "step",
                (limit,),
                lambda text, runs=runs: _among(text, attainable(runs)),
                f"the limits are tau-b of resamples of {runs} runs (footnote 2)",
                "a value of tau-b",
            )


def _tau(tau: Cell, first: Sequence[Cell], second: Sequence[Cell]) -> Relation:
    """Recompute tau from two printed lists."""

    def formula(*values: Rounded) -> float:
        cells = (*first, *second)
        printed = {cell: str(value.middle) for cell, value in zip(cells, values, strict=True)}
        return agreement(first, second, printed) / pairs_of(len(first))

    relies = f"the rankings of Table {first[0].table}, equal means in their printed order"
    return relate("rankings", tau, (*first, *second), formula, relies, "(C - D)/T")


def _fits(order: tuple[int, ...], upper: bool) -> Callable[[str, str, str], bool]:
    def holds(limit: str, trials: str, alpha: str) -> bool:
        number, ends = int(rounded(trials).low), rounded(limit)
        k = int((number + 1) * rounded(alpha).middle / 2)
        place = number + 1 - k if upper else k
        taus = bootstrapped(order)
        below = np.searchsorted(taus, ends.low - NOISE) / len(taus)
        up_to = np.searchsorted(taus, ends.high + NOISE) / len(taus)
        return bool(
            binom.sf(place - 1, number, up_to + _error(up_to)) >= TAIL
            and binom.cdf(place - 1, number, below - _error(below)) >= TAIL
        )

    return holds


def _among(text: str, values: NDArray[np.float64]) -> bool:
    ends = rounded(text)
    first = np.searchsorted(values, ends.low - NOISE)
    return bool(first < len(values) and values[first] <= ends.high + NOISE)


def _error(share: float) -> float:
    """Return how far a share of our own resamples may be from its probability."""
    return float(SURE * np.sqrt(share * (1 - share) / RESAMPLES))
