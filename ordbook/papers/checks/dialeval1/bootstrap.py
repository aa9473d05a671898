"""The intervals of Tables 8 and 13 of the DialEval-1 overview, and the bootstrap of footnote 2.

Contents
--------
drawn         resamples of so many runs
bootstrapped  tau-b of all resamples of two rankings
attainable    the values that tau-b of a resample can have
relations     every limit against them
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from ordbook.papers.checks.counting import pairs_of
from ordbook.papers.checks.dialeval1.layout import (
    CORRELATIONS,
    MEASURES,
    PARTS,
    correlation,
    rankings,
    said,
)
from ordbook.papers.montecarlo import LEVEL, SURE
from ordbook.papers.relations import NOISE, Printed, Relation, condition, rounded

# Resamples drawn to know the bootstrap's distribution, and how unlikely a limit must be.
RESAMPLES = 40_000
TAIL = (1 - LEVEL) / 2


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
    """Footnote 2: limits are the k-th smallest and largest tau of B resamples, k = (B + 1) alpha/2.

    ``NSM3::kendall.ci`` draws as many runs with replacement and takes tau-b. A limit fits if so
    many of B resamples lie below it and up to it with a probability of at least 0.0005.
    """
    lists = rankings(printed)
    alpha = said("footnote2", "kendall.ci alpha", "value")
    number = said("footnote2", "kendall.ci B", "trials")
    for (language, table), part in product(CORRELATIONS.items(), PARTS):
        first, second = (lists[part, language, measure] for measure in MEASURES[part])
        ranked = tuple(second.runs.index(run) for run in first.runs)
        runs = len(ranked)
        for end in ("low", "high"):
            limit = said(table, part, f"{correlation(part)} {end}")
            relation = condition(
                "interval",
                (limit, number, alpha),
                _fits(ranked, end == "high"),
                f"bootstrap of NSM3's kendall.ci (footnote 2) on Table {first.table}'s rankings",
                f"a likely {end} limit",
            )
            yield replace(relation, slow=True)
            yield condition(
                "step",
                (limit,),
                lambda text, n=runs: _among(text, attainable(n)),
                f"the limits are tau-b of resamples of {runs} runs (footnote 2)",
                "a value of tau-b",
            )


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
