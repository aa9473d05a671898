"""The p-values of Tables 14 to 29 of the DialEval-1 overview.

Contents
--------
probability  a printed p as a share of trials
orders       p falls with the effect size: along rows, along columns, in the whole table
trials       p counts trials
level        only pairs below five percent are listed
scale, tail  the studentised range that a table's p allow
null         all p of a table, and those it does not list, from one studentised range
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.stats import studentized_range

from ordbook.papers.checks.dialeval1.layout import Significance, said, significances
from ordbook.papers.checks.dialeval1.significance import widest_unlisted
from ordbook.papers.montecarlo import SURE
from ordbook.papers.relations import NOISE, Printed, Relation, Rounded, condition, rounded

TRIALS = said("s5.1", "randomised Tukey HSD B", "trials")
# What is listed as significant. Section 5.1 prints it as 0.5, see ERRATA.
LEVEL = 0.05


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of the p-values."""
    for table in significances(printed).values():
        yield from orders(table)
        yield from trials(table, printed)
        yield from level(table)
        yield null(table)


def probability(text: str) -> float:
    """Return p as a share of trials, ``<0.0001`` as none of them.

    Raises
    ------
    ValueError
        If it is printed as 0.0000, which these tables never do.

    Examples
    --------
    >>> probability("0.0344"), probability("<0.0001")
    (0.0344, 0.0)
    """
    if text.startswith("<"):
        return 0.0
    if not 0 < float(text) <= 1:
        raise ValueError(f"p cannot be printed as {text}")
    return float(text)


def orders(table: Significance) -> Iterator[Relation]:
    """No larger difference has a larger p: it is the share of trials that exceed it."""
    relies = "p is the share of trials whose largest difference is at least as large"
    for line in table.lines():
        for near, far in pairwise(line):
            yield condition(
                "order",
                (near.p, far.p),
                lambda near, far: probability(far) <= probability(near),
                f"{relies}; the rows and lists of Table {table.table} follow the means",
                "p does not rise",
            )

    def monotone(*texts: str) -> bool:
        half = len(texts) // 2
        line = sorted(
            (rounded(size), probability(p))
            for size, p in zip(texts[:half], texts[half:], strict=True)
        )
        return not any(
            larger.low >= size.high - NOISE and other > p
            for i, (size, p) in enumerate(line)
            for larger, other in line[i + 1 :]
        )

    cells = [pair.effect for pair in table.legible] + [pair.p for pair in table.legible]
    yield condition("p-value", cells, monotone, relies, "no larger effect has a larger p")


def trials(table: Significance, printed: Printed) -> Iterator[Relation]:
    """Count trials out of B = 10,000: p below one of them is printed as less than 1/B."""
    below = [pair.p for pair in table.legible if printed[pair.p].startswith("<")]
    rest = [pair.p for pair in table.legible if pair.p not in below]
    for cell in below:
        yield condition(
            "step",
            (cell, TRIALS),
            _countable,
            "no trial of B has so large a difference",
            "less than one trial",
        )

    def whole(total: str, *shares: str) -> bool:
        return all(_countable(p, total) for p in shares)

    if rest:
        yield condition(
            "step", (TRIALS, *rest), whole, "p counts trials", "whole numbers of trials"
        )


def _countable(p: str, trials: str) -> bool:
    """Whether so many trials can give this p: less than one of them, or a whole number."""
    if p.startswith("<"):
        return abs(rounded(p).high * rounded(trials).low - 1) < 1e-6
    count = probability(p) * rounded(trials).low
    return abs(count - round(count)) < 1e-6


def level(table: Significance) -> Iterator[Relation]:
    """Only significant pairs are listed."""
    for pair in table.legible:
        yield condition(
            "list",
            (pair.p,),
            lambda p: probability(p) < LEVEL,
            f"Table {table.table} lists what is significant, at the five percent level",
            "significant",
        )


# -- the null distribution -------------------------------------------------------------------


@lru_cache
def _tail(runs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return q and log P(Q > q) of the studentised range of so many runs, infinitely many df."""
    grid = np.linspace(2, 10, 161)
    return grid, np.log(studentized_range.sf(grid, runs, np.inf))


def _quantile(p: float, runs: int) -> float:
    grid, log_p = _tail(runs)
    return float(np.interp(np.log(p), log_p[::-1], grid[::-1], left=np.inf, right=0))


def tail(q: float, runs: int) -> float:
    """Return P(Q > q) of the studentised range of so many runs."""
    grid, log_p = _tail(runs)
    return float(np.exp(np.interp(q, grid, log_p)))


def _score_interval(share: float, trials: float) -> Rounded:
    """Return Wilson's 99.9% interval of a probability, from its share in the trials."""
    z = SURE**2 / trials
    centre = (share + z / 2) / (1 + z)
    half = SURE * np.sqrt(share * (1 - share) / trials + z / (4 * trials)) / (1 + z)
    return Rounded(float(centre - half), float(centre + half))


def scale(sizes: Sequence[str], shares: Sequence[str], trials: str, runs: int) -> Rounded:
    """Return all s with P(Q > s ES) = p for every pair, as far as B trials can tell.

    Below p = 0.001 (ten trials) the tail of the randomisation distribution may be heavier than
    the normal one, so that such a p only says that the studentised range is not above it.
    """
    low, high = 0.0, np.inf
    for text, p in zip(sizes, shares, strict=True):
        size, share = rounded(text), probability(p)
        ends = _score_interval(share, rounded(trials).low)
        low = max(low, _quantile(ends.high, runs) / size.high)
        if share >= 0.001:
            high = min(high, _quantile(ends.low, runs) / size.low)
    return Rounded(low, high)


def null(table: Significance) -> Relation:
    """Every p is the tail of one studentised range at its effect size, times one factor.

    The largest difference of m exchangeable means over its standard error is a studentised range
    but for the finite number of dialogues. The largest difference that is not listed must have p
    of at least five percent.
    """
    half, runs = len(table.legible), table.ranking.runs
    sizes = [pair.effect for pair in table.legible]
    place = sizes.index(table.ruler.effect)

    def holds(trials: str, *texts: str) -> bool:
        found = scale(texts[:half], texts[half : 2 * half], trials, len(runs))
        means = dict(zip(runs, texts[2 * half :], strict=True))
        _, unlisted = widest_unlisted(table, texts[place], means)
        least = _quantile(_score_interval(LEVEL, rounded(trials).low).low, len(runs))
        high = min(found.high, least / unlisted.low) if unlisted.low > 0 else found.high
        return found.low <= high

    return condition(
        "p-value",
        (TRIALS, *sizes, *(pair.p for pair in table.legible), *table.ranking.cells),
        holds,
        "the null distribution of randomised Tukey HSD is about the studentised range",
        f"one studentised range of {len(runs)} runs gives all p",
    )
