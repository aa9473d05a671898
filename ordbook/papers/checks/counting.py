"""Counting: pairs of runs, what a tau says about them, and integer programmes.

Contents
--------
pairs_of       how many pairs so many runs make
discordant     printed tau -> number of pairs of runs that two rankings order differently
both           printed means and counts -> how many pairs two measures can both find significant
compositions   all ways to write a whole number as a sum
least          the least value of a linear programme, and whether it has a solution at all
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from ordbook.papers.relations import Rounded, rounded, value_of

Integers = NDArray[np.int_]


def pairs_of(runs: int | Decimal) -> int:
    """Return T = m(m-1)/2, the number of pairs of m runs."""
    return int(runs * (runs - 1) // 2)


def discordant(text: str, pairs: int) -> int | None:
    """Return the number D of discordant pairs, of so many, that a printed tau stands for.

    Without ties tau = (C - D)/T with C + D = T, so D = T(1 - tau)/2 is a whole number from 0 to
    T. None if there is none.

    Examples
    --------
    >>> discordant("0.818", 66), discordant("0.819", 66), discordant("0.833", 66)
    (6, None, None)
    """
    if pairs < 1:
        return None
    found = int(((1 - value_of(text)) / 2 * pairs).to_integral_value())
    tau = 1 - 2 * found / pairs
    return found if 0 <= found <= pairs and rounded(text).meets(Rounded(tau, tau)) else None


def both(means: ArrayLike, counts: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of runs two measures can both find significant: least and most.

    The p-values of a Tukey HSD test fall as the differences of the means grow, so that the S
    significant pairs of a measure are the S pairs with the largest differences. Each mean may be
    half a unit of its last digit away from what is printed.

    Parameters
    ----------
    means
        (runs, 2): printed means, in whole units of their last digit.
    counts
        How many pairs each of the two measures finds significant.

    Examples
    --------
    >>> both([[0, 0], [10, 30], [40, 10]], [2, 1])
    (0, 0)
    >>> both([[0, 0], [10, 30], [40, 10]], [2, 2])
    (1, 1)
    """
    units = np.asarray(means, dtype=int)
    first, second = np.triu_indices(len(units), 1)
    sure = maybe = True
    for distances, count in zip(np.abs(units[first] - units[second]).T, counts, strict=True):
        ranked = np.concatenate(([-np.inf], np.sort(distances), [np.inf]))
        beyond, last = ranked[-count - 2], ranked[-count - 1]
        # Two differences of rounded means are in order when they are two units apart.
        sure = sure & (distances > beyond + 2)
        maybe = maybe & (distances >= last - 2)
    return int(np.count_nonzero(sure)), int(np.count_nonzero(maybe))


def least(
    rows: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    objective: ArrayLike | None = None,
    whole: bool = True,
) -> float | None:
    """Return the least objective over x >= 0 with low <= rows x <= high; None if there is no x.

    Parameters
    ----------
    rows, low, high
        The conditions, one per row.
    objective
        One weight for each x; by default it is asked only whether there is an x.
    whole
        Whether x is made of whole numbers.
    """
    matrix = np.asarray(rows, dtype=float)
    free = np.zeros(matrix.shape[1])
    found = milp(
        free if objective is None else objective,
        constraints=LinearConstraint(matrix, low, high),
        integrality=free + whole,
        bounds=Bounds(0, np.inf),
    )
    return float(found.fun) if found.status == 0 else None


def compositions(number: int, parts: int) -> Integers:
    """Return all ways to write a whole number as an ordered sum of so many, zeros included.

    Examples
    --------
    >>> compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    bars = np.array(list(combinations(range(number + parts - 1), parts - 1)))
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), number + parts - 1)
    return np.diff(np.hstack([ends[0], bars, ends[1]])) - 1
