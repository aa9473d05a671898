"""How alike measures rank pairs of artificial distributions (SIGIR'18, Table 1).

Thousands of pairs are ranked hundreds of times, so concordance is counted by a compiled loop that
takes n log n steps.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.measures import QUANTIFICATION
from ordbook.measures.registry import of_paper
from ordbook.meta.kernels import Integers, compiled
from ordbook.meta.validation import whole_number

# Of SIGIR'18, in the order of its tables: those that know the order of the classes come last.
MEASURES = tuple(
    sorted(
        of_paper("sigir18", "quantification"), key=lambda name: bool(QUANTIFICATION[name].ordinal)
    )
)
# Votes for each artificial distribution.
VOTES = 30


def artificial_distributions(classes: int, seed: int = 0, *, each: int = 20) -> NDArray[np.float64]:
    """Draw the artificial distributions of SIGIR'18, Section 4.1.

    For every number k of classes from all of them down to one, ``each`` distributions that cover
    just k classes: a random set of k classes, and 30 votes for them at random, drawn again
    until each of the k has one. (The paper does not say how it drew; this reading gives all of
    its printed correlations.)

    Parameters
    ----------
    classes
        Number of classes L, from 2 to 30.
    seed
        Which draw.
    each
        Distributions for every k.

    Returns
    -------
    ndarray
        (each * classes, classes), rows sum to 1; the fullest first.

    Examples
    --------
    >>> drawn = artificial_distributions(3, seed=1)
    >>> drawn.shape, [(drawn[start : start + 20] > 0).sum() for start in (0, 20, 40)]
    ((60, 3), [np.int64(60), np.int64(40), np.int64(20)])
    """
    whole_number(classes, "classes", 2, VOTES)
    whole_number(each, "each")
    rng = np.random.default_rng(seed)
    drawn = np.zeros((each * classes, classes))
    row = 0
    for covered in range(classes, 0, -1):
        for _ in range(each):
            chosen = rng.permutation(classes)[:covered]
            counts = np.zeros(covered, dtype=np.intp)
            while not counts.all():
                counts = np.bincount(rng.integers(covered, size=VOTES), minlength=covered)
            drawn[row, chosen] = counts / VOTES
            row += 1
    return drawn


def pair_scores(
    classes: int, seed: int, measures: Sequence[str] = MEASURES
) -> dict[str, NDArray[np.float64]]:
    """Score every pair of artificial distributions, one as gold and the other as estimate.

    Parameters
    ----------
    classes
        Number of classes L: 20 L distributions are drawn.
    seed
        Which draw.
    measures
        Keys of ``ordbook.measures.QUANTIFICATION``.

    Returns
    -------
    dict
        Measure -> (n(n-1)/2,) scores, the pairs in the order of ``numpy.triu_indices(n, 1)``.

    Examples
    --------
    >>> {name: len(values) for name, values in pair_scores(3, 0, ["NMD", "NVD"]).items()}
    {'NMD': 1770, 'NVD': 1770}
    """
    drawn = artificial_distributions(classes, seed)
    first, second = np.triu_indices(len(drawn), 1)
    return {
        name: np.asarray(QUANTIFICATION[name].kernel(drawn[first], drawn[second]))
        for name in measures
    }


def artificial_table(
    classes: int,
    seed: int,
    measures: Sequence[str] = MEASURES,
    decimals: int | None = None,
) -> Mapping[tuple[str, str], float]:
    """Correlate the rankings of these pairs by every two measures: Kendall's tau-b.

    Scores that are equal in exact arithmetic tie only if floating point leaves them equal, unless
    ``decimals`` rounds them. If all of them tied, NVD and JSD would agree better for L = 7 than the
    paper prints. The interval is the asymptotic one of :func:`ordbook.kendall_interval`, for
    independent pairs.

    Returns
    -------
    dict
        (first, second) -> tau-b; (first, "second low") and (first, "second high") -> the limits
        of its 95% interval: the cells of a half of Table 1. To be repeated by
        :func:`ordbook.meta.seeds.over_seeds`.

    References
    ----------
    SIGIR'18, Section 4.1 and Table 1.

    Examples
    --------
    >>> table = artificial_table(3, seed=0)
    >>> len(table), table["RNSS", "JSD"] > table["NMD", "RSNOD"] > table["JSD", "NMD"]
    (30, True)
    """
    scores = pair_scores(classes, seed, measures)
    if decimals is not None:
        scores = {name: np.round(values, decimals) for name, values in scores.items()}
    ranks = {name: np.unique(v, return_inverse=True)[1] for name, v in scores.items()}
    tied = {name: _pairs(np.bincount(rank)) for name, rank in ranks.items()}
    n = len(next(iter(ranks.values())))
    pairs, z = n * (n - 1), NormalDist().inv_cdf(0.975)
    cells = {}
    for first, second in combinations(measures, 2):
        agreed = concordances(ranks[first], ranks[second])
        untied = [pairs // 2 - tied[name] for name in (first, second)]
        # SciPy divides in this order too: the bits are the same.
        tau = int(agreed.sum()) // 2 / np.sqrt(untied[0]) / np.sqrt(untied[1])
        variance = 2 / pairs * (2 * (n - 2) / pairs * agreed.var(ddof=1) + 1 - tau**2)
        half = z * max(variance, 0.0) ** 0.5
        cells[first, second] = float(min(max(tau, -1.0), 1.0))
        cells[first, f"{second} low"], cells[first, f"{second} high"] = tau - half, tau + half
    return cells


def concordances(x: ArrayLike, y: ArrayLike) -> Integers:
    """Count for every item the others on which two rankings agree, less those on which they differ.

    Parameters
    ----------
    x, y
        (n,): ranks of the same n items, whole numbers from 0; equal ranks are ties, and others
        that an item ties with in either ranking do not count.

    Returns
    -------
    ndarray
        (n,): the C_i of Hollander, Wolfe and Chicken; their sum is twice C - D of Kendall's tau.

    Examples
    --------
    >>> concordances([0, 1, 2, 3], [0, 1, 3, 2]).tolist()  # the last two are swapped
    [3, 3, 1, 1]
    """
    first, second = (np.asarray(ranks, dtype=np.int64) for ranks in (x, y))
    order = np.argsort(first * (second.max() + 1) + second, kind="stable")
    below = np.concatenate([[0], np.cumsum(np.bincount(second))])
    agreeing: Integers = _count(first[order], second[order], below)
    counts = np.empty_like(agreeing)
    counts[order] = agreeing
    return counts


@compiled
def _count(x: Integers, y: Integers, below: Integers) -> Integers:
    """Count concordances of items sorted by x and then y; below[r] items have y under r.

    A Fenwick tree holds the y of all items with a smaller x.
    """
    n = len(x)
    tree = np.zeros(len(below), np.int64)
    counts = np.zeros(n, np.int64)
    start = 0
    while start < n:
        stop = start
        while stop < n and x[stop] == x[start]:
            stop += 1
        low = start  # where the items with this x and this y begin
        for i in range(start, stop):
            if y[i] != y[low]:
                low = i
            high = i + 1
            while high < stop and y[high] == y[i]:
                high += 1
            left_below, left_upto = 0, 0
            k = y[i]
            while k > 0:
                left_below += tree[k]
                k -= k & -k
            k = y[i] + 1
            while k > 0:
                left_upto += tree[k]
                k -= k & -k
            left_above = start - left_upto
            right_below = below[y[i]] - left_below - (low - start)
            right_above = (n - below[y[i] + 1]) - left_above - (stop - high)
            counts[i] = left_below + right_above - left_above - right_below
        for i in range(start, stop):
            k = y[i] + 1
            while k < len(tree):
                tree[k] += 1
                k += k & -k
        start = stop
    return counts


def _pairs(counts: Integers) -> int:
    return int((counts * (counts - 1) // 2).sum())
