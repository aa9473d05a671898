"""Whether two runs differ: the randomisation test."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ordbook.data.text import MOST
from ordbook.measures.validation import as_real_array, check_labels
from ordbook.meta import kernels
from ordbook.meta.parallel import in_chunks
from ordbook.meta.significance import clopper_pearson
from ordbook.meta.validation import whole_number
from ordbook.meta.variances import TOLERANCE


@dataclass(frozen=True)
class RandomisationTest:
    """Result of a randomisation test of two runs.

    Attributes
    ----------
    difference
        Mean of the first minus mean of the second.
    p
        Two-sided p-value.
    error, low, high
        Monte-Carlo standard error of p, and Clopper and Pearson's 95% limits. An exact test has
        an error of 0 and limits equal to p.
    trials
        Number of trials, or of all ways to flip the signs if the test is exact.
    exact
        Whether all ways were counted.
    """

    difference: float
    p: float
    error: float
    low: float
    high: float
    trials: int
    exact: bool


def randomisation_test(
    a: ArrayLike,
    b: ArrayLike,
    trials: int = 5000,
    seed: int = 0,
) -> RandomisationTest:
    """Test the difference between two runs: a two-sided, paired randomisation test.

    If the runs are the same, the sign of each topic's difference is a coin toss: p is the share
    of trials, each with tossed signs, whose mean difference is at least as large as the observed
    one. If there are no more ways to choose the signs than trials, all are counted.

    Parameters
    ----------
    a, b
        (n,): scores of two runs on the same n topics.
    trials
        Number of trials.
    seed
        A whole number from 0.

    Raises
    ------
    ValueError
        If the scores are not two vectors of one length, of numbers from -1e15 to 1e15, or the
        labels of two Series differ.

    References
    ----------
    Smucker, Allan and Carterette (2007); SIGIR'18, Section 5.

    Examples
    --------
    >>> result = randomisation_test([0.4, 0.5, 0.9], [0.1, 0.3, 0.5])
    >>> result.p, result.exact                   # of the 8 ways, +++ and --- reach 0.9 / 3
    (0.25, True)
    """
    check_labels(a, b, ("a", "b"), "topics")
    first, second = as_real_array(a, "a"), as_real_array(b, "b")
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise ValueError(
            "two vectors of scores on the same topics are needed; "
            f"they have the shapes {first.shape} and {second.shape}"
        )
    largest = np.abs([first, second]).max()
    if not largest <= MOST:
        raise ValueError(f"the scores must be finite numbers from -{MOST:g} to {MOST:g}")
    trials = whole_number(trials, "trials")
    key = kernels.stream_key(seed, "randomisation test")
    topics = len(first)
    exact = 2**topics <= trials
    count = 2**topics if exact else trials
    differences = first - second
    slack = TOLERANCE * topics * largest
    threshold = abs(differences.sum()) - slack

    def work(start: int, stop: int) -> int:
        sums = kernels.flipped_sums(differences, key, start, stop, exact)
        return int(np.count_nonzero(np.abs(sums) >= threshold))

    reached = sum(counts for *_, counts in in_chunks(work, count, topics))
    p = reached / count
    low, high = (p, p) if exact else clopper_pearson(np.int64(reached), count, 0.95)
    return RandomisationTest(
        float(differences.mean()),
        p,
        0.0 if exact else (p * (1 - p) / count) ** 0.5,
        float(low),
        float(high),
        count,
        exact,
    )
