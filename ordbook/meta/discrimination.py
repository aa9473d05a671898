r"""Significant differences of runs: their number by measure, their overlap, and contradictions.

A difference is significant if p < alpha, strictly. LQ'21 says "significant at alpha" and leaves
p = alpha open; with B = 5,000 trials p can be exactly .05.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from ordbook.meta.significance import SignificanceTests
from ordbook.meta.validation import between_0_and_1


def discriminative_power(
    tests: SignificanceTests, alpha: float = 0.05, *, level: float = 0.95
) -> pd.DataFrame:
    r"""Count the significant differences that each measure finds, and bound the counts.

    :math:`DP_D = S_D / T_D` with :math:`T_D = m(m - 1)/2` pairs of m runs.

    ``low`` and ``high`` bound the count that endless trials would give: they are the numbers of
    pairs whose exact (Clopper-Pearson) upper limit, or lower limit, of p is below alpha. No
    correction for many pairs is needed: a Tukey test orders the pairs by their p-values, so the
    count exceeds s exactly if the (s + 1)th p-value is below alpha, and each end is wrong only if
    one limit of one p-value is.

    Parameters
    ----------
    tests
        From :func:`ordbook.tukey_hsd` or :func:`ordbook.paired_t`.
    alpha
        Significant is p < alpha.
    level
        Confidence level of ``low`` and ``high``.

    Returns
    -------
    DataFrame
        By measure: significant (S_D), pairs (T_D), share, low, high. If p-values are exact
        (no trials), low = high = significant.

    References
    ----------
    LQ'21, Section 5.1 and Table 3.
    """
    significant = (significant_signs(tests, alpha) != 0).sum()
    low, high = tests.limits(level)
    counts = pd.DataFrame({"significant": significant, "pairs": len(tests.p)})
    return _with_share(counts.assign(low=(high < alpha).sum(), high=(low < alpha).sum()))


def pooled_discriminative_power(
    tests: Sequence[SignificanceTests], alpha: float = 0.05, *, level: float = 0.95
) -> pd.DataFrame:
    r"""Pool the discriminative power of several data sets.

    .. math:: DP = \sum_D S_D \Big/ \sum_D T_D

    (LQ'21, Eq. 9).

    Parameters
    ----------
    tests
        Several, each of another task, by the same measures.
    alpha, level
        As for :func:`discriminative_power`.

    Returns
    -------
    DataFrame
        As :func:`discriminative_power`. low and high are sums of the data sets' limits, at a
        higher level so that all of them hold together (Bonferroni).

    Raises
    ------
    ValueError
        If there are no tests, a task occurs twice, or the measures are not the same everywhere.
    """
    if isinstance(tests, SignificanceTests):
        raise ValueError("tests must be several, in a list; of one data set write [tests]")
    tests = list(tests)
    between_0_and_1(level, "level")
    if not tests:
        raise ValueError("pooling needs the tests of at least one data set")
    tasks = [_checked(result).task for result in tests]
    if len(set(tasks)) < len(tasks):
        raise ValueError(f"each data set counts once; there are {', '.join(tasks)}")
    measures = list(tests[0].measures)
    for result in tests:
        if differing := set(measures) ^ set(result.measures):
            raise ValueError(
                f"{result.task}: pooling needs the same measures in all data sets; "
                f"{', '.join(sorted(differing))} only in some"
            )
    joint = 1 - (1 - level) / len(tests)
    tables = [discriminative_power(result, alpha, level=joint).loc[measures] for result in tests]
    return _with_share(sum(tables[1:], tables[0]))


def p_curves(tests: SignificanceTests) -> pd.DataFrame:
    """Sort the p-values of all run pairs, largest first, as the papers' curves show them.

    Parameters
    ----------
    tests
        From :func:`ordbook.tukey_hsd` or :func:`ordbook.paired_t`.

    Returns
    -------
    DataFrame
        Rows 1 to T_D, a column per measure. The lower a curve, the more discriminative.
    """
    p = _checked(tests).p
    return pd.DataFrame(-np.sort(-p, axis=0), pd.RangeIndex(1, len(p) + 1, name="pair"), p.columns)


def significance_overlap(tests: SignificanceTests, alpha: float = 0.05) -> pd.DataFrame:
    r"""Count how far every two measures agree on which differences are significant.

    :math:`SSO = b / (a + b + c)` with b differences significant with both measures, a with the
    first only and c with the second only; so a + b and b + c are the measures' S_D. Some of the b
    may be contradictions (see :func:`contradictions`); without them SSO is
    :math:`b' / (a + b' + c)`.

    Parameters
    ----------
    tests, alpha
        As for :func:`discriminative_power`; by two measures or more.

    Returns
    -------
    DataFrame
        By (first, second) measure: first_only (a), both (b), second_only (c), overlap,
        agreeing (b'), overlap_agreeing (SSO without contradictions). If neither measure finds
        anything (0/0), the overlap is NaN: there is nothing to agree on.

    References
    ----------
    LQ'21, Section 5.2 and Table 4.
    """
    signs = significant_signs(_comparable(tests), alpha).to_numpy()
    both, agreements = abs(signs).T @ abs(signs), signs.T @ signs  # less contradictions
    power, clashes = both.diagonal(), (both - agreements) // 2
    first, second = np.triu_indices(len(power), 1)
    b, clashes = both[first, second], clashes[first, second]
    either = power[first] + power[second] - b
    with np.errstate(invalid="ignore"):
        return pd.DataFrame(
            {
                "first_only": power[first] - b,
                "both": b,
                "second_only": power[second] - b,
                "overlap": b / either,
                "agreeing": b - clashes,
                "overlap_agreeing": (b - clashes) / (either - clashes),
            },
            pd.MultiIndex.from_tuples(combinations(tests.measures, 2), names=["first", "second"]),
        )


def contradictions(tests: SignificanceTests, alpha: float = 0.05) -> pd.DataFrame:
    """List the run pairs on which two measures reach opposite significant conclusions.

    The first measure says that run ``better`` significantly outperforms run ``worse``, the
    second that it significantly underperforms it. The mean scores, and the better end of each
    measure's scale, say which run is better.

    Parameters
    ----------
    tests, alpha
        As for :func:`discriminative_power`; by two measures or more.

    Returns
    -------
    DataFrame
        One row per measure pair and run pair: first, second (measures), better, worse (runs, by
        the first measure), p_first, p_second. Empty if there are none. Duplicate runs, such as
        LQ'21's BL-popularity-C and BL-popularity-E, make several rows of one contradiction.

    References
    ----------
    LQ'21, Section 5.2, Tables 5 and 6.
    """
    signs, p = significant_signs(_comparable(tests), alpha).to_numpy(), tests.p.to_numpy()
    rows = []
    for (i, one), (j, other) in combinations(enumerate(tests.measures), 2):
        for k in np.flatnonzero(signs[:, i] * signs[:, j] < 0):
            pair = tests.p.index[int(k)]
            runs = pair if signs[k, i] > 0 else pair[::-1]
            rows.append((one, other, *runs, p[k, i], p[k, j]))
    return pd.DataFrame(rows, columns=["first", "second", "better", "worse", "p_first", "p_second"])


def significant_signs(tests: SignificanceTests, alpha: float = 0.05) -> pd.DataFrame:
    """Return the sign of each difference that is significant, and 0 for all others.

    Returns
    -------
    DataFrame, pair of runs x measure
        1 if the first run is significantly better than the second, -1 if it is worse. With S this
        table, the number of differences that two measures both find is an entry of
        :math:`|S|^T |S|`, and how many more of them agree than contradict each other one of
        :math:`S^T S`.
    """
    return _checked(tests).signs * (tests.p < between_0_and_1(alpha, "alpha"))


def _checked(tests: SignificanceTests) -> SignificanceTests:
    if not isinstance(tests, SignificanceTests):
        raise ValueError(f"what ordbook.tukey_hsd returns is needed, not a {type(tests).__name__}")
    return tests


def _comparable(tests: SignificanceTests) -> SignificanceTests:
    if len(_checked(tests).measures) < 2:
        raise ValueError(f"{tests.task}: comparing measures needs at least 2, there is 1")
    return tests


def _with_share(counts: pd.DataFrame) -> pd.DataFrame:
    counts["share"] = counts["significant"] / counts["pairs"]
    return counts[["significant", "pairs", "share", "low", "high"]]
