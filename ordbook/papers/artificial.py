"""How alike measures rank pairs of artificial distributions (SIGIR'18, Table 1)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ordbook.measures import QUANTIFICATION
from ordbook.measures.registry import of_paper
from ordbook.meta.kendall import concordances
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

    The pairs of a measure are in the order of ``itertools.combinations``.
    """
    drawn = artificial_distributions(classes, seed)
    first, second = np.triu_indices(len(drawn), 1)
    return {
        name: np.asarray(QUANTIFICATION[name].kernel(drawn[first], drawn[second]))
        for name in measures
    }


def artificial_table(
    classes: int, seed: int, measures: Sequence[str] = MEASURES
) -> Mapping[tuple[str, str], float]:
    """Correlate the rankings of these pairs by every two measures: Kendall's tau-b.

    Scores that are equal in exact arithmetic tie only if floating point leaves them equal. If all
    of them tied, NVD and JSD would agree better for L = 7 than the paper prints. The interval is
    that of :func:`ordbook.meta.kendall.asymptotic_interval`, for independent pairs.

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
    n = len(next(iter(scores.values())))
    pairs, z = n * (n - 1), NormalDist().inv_cdf(0.975)
    cells = {}
    for first, second in combinations(measures, 2):
        agreed, *untied = concordances(scores[first], scores[second], tolerance=0)
        # SciPy divides in this order too: the bits are the same.
        tau = int(agreed.sum()) // 2 / np.sqrt(untied[0]) / np.sqrt(untied[1])
        variance = 2 / pairs * (2 * (n - 2) / pairs * agreed.var(ddof=1) + 1 - tau**2)
        half = z * max(variance, 0.0) ** 0.5
        cells[first, second] = float(min(max(tau, -1.0), 1.0))
        cells[first, f"{second} low"], cells[first, f"{second} high"] = tau - half, tau + half
    return cells
