"""Rules that give the words and letters of ACL'21's Tables 4 and 7 from results."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from ordbook.meta.variances import settled

# With fewer runs Kendall's tau has no interval, and nothing that rests on it is graded.
FEWEST_RUNS = 5
# Means this close are equal: sums of some thousand terms in another order differ by far less, and
# means over splits that do differ by more.
SAME = 1e-9
# A grade is relative, but not where the difference is of no consequence: mean taus this close to
# the best are as good, and so many significant pairs more or fewer say nothing.
CLOSE_TAU = 0.01
CLOSE_PAIRS = 2


def groups(
    taus: Sequence[pd.DataFrame],
    anchors: Mapping[str, str],
    other: str,
    runs: int,
    cut: float = 0.8,
) -> pd.Series:
    """Put measures into one group if tau reaches ``cut`` in every data set, directly or by a chain.

    Parameters
    ----------
    taus
        One matrix of tau between measures per data set.
    anchors
        Measure -> the letter of its group; unknown measures are ignored.
    other
        The letter of everything else.
    runs
        How many runs were ranked.
    cut
        ACL'21's limit between two colours.
    """
    names = taus[0].index
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", names)
    least = np.min([tau.to_numpy() for tau in taus], axis=0)
    group = pd.Series(connected_components(least >= cut - SAME)[1], names)
    letters = {group[m]: letter for m, letter in anchors.items() if m in names}
    return group.map(lambda one: letters.get(one, other))


def consistent(kinds: Sequence[pd.Series], runs: int) -> pd.Series:
    """Grade mean tau: among the best three in every kind of split is good, the worst two poor.

    The words of ACL'21's Sections 5.2 and 6.2; its Table 7 calls *good* what is *fair* here. A
    measure within ``CLOSE_TAU`` of the best in every kind of split is good whatever its rank.

    Parameters
    ----------
    kinds
        Mean tau by measure, one Series for each kind of split.
    runs
        How many runs were ranked.
    """
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", kinds[0].index)
    means = pd.concat([level(split) for split in kinds], axis=1)
    ranks = means.rank(ascending=False)
    grades = pd.Series("fair", means.index)
    grades[(ranks > len(ranks) - 2).all(axis=1)] = "poor"
    close = (means >= means.max() - CLOSE_TAU - SAME).all(axis=1)
    grades[(ranks <= 3).all(axis=1) | close] = "good"
    return grades


def discriminative(found: pd.Series) -> pd.Series:
    """Grade numbers of significant differences: 10% above the median is good, 10% below poor.

    A number within ``CLOSE_PAIRS`` of the median is fair.
    """
    if not found.any():
        return pd.Series("finds none", found.index)
    gap, limit = found - found.median(), 0.1 * found.median() + SAME
    enough = gap.abs() > CLOSE_PAIRS
    grades = np.select([enough & (gap > limit), enough & (gap < -limit)], ["good", "poor"], "fair")
    return pd.Series(grades, found.index)


def level(values: pd.Series) -> pd.Series:
    """Return the values, each replaced by the least of those that it equals up to ``SAME``.

    Float noise then decides no ranking or comparison. NaN stays NaN.

    Examples
    --------
    >>> level(pd.Series([0.1 + 0.2, 0.5, 0.3])).tolist()
    [0.3, 0.5, 0.3]
    """
    numbers = values.to_numpy(float, copy=True)
    known = ~np.isnan(numbers)
    numbers[known] = settled(numbers[known], SAME)
    return pd.Series(numbers, values.index)
