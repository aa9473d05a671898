r"""Significant differences of runs: their number by measure, their overlap, and contradictions.

A difference is significant if p < alpha, strictly. LQ'21 says "significant at alpha" and leaves
p = alpha open; with B = 5,000 trials p can be exactly .05.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.meta.kendall import pair_signs
from ordbook.meta.significance import SURE, SignificanceTests
from ordbook.meta.validation import between_0_and_1


def discriminative_power(
    tests: SignificanceTests, alpha: float = 0.05, *, level: float = 0.95
) -> pd.DataFrame:
    r"""Count the significant differences that each measure finds, and bound the counts.

    :math:`DP_D = S_D / T_D` with :math:`T_D = m(m - 1)/2` pairs of m runs.

    Every p-value of a randomisation test is a share of B random trials. ``low`` and ``high``
    bound the count that endless trials would give: ``low`` is the number of pairs whose exact
    (Clopper-Pearson) upper limit of p is below alpha, ``high`` the number of those whose lower
    limit is. No correction for many pairs is needed: a Tukey test compares all differences
    with the same largest difference, so the pairs are ordered by their p-values, and
    the count exceeds s exactly if the (s + 1)th p-value is below alpha. Each end is thus wrong
    only if one limit of one p-value is. (The p-values of pairwise tests are not ordered in this
    way; for these the interval is approximate.)

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
    _check(tests, alpha)
    lower, upper = _limits(tests, level)
    pairs = len(tests.runs) * (len(tests.runs) - 1) // 2
    significant = (_p_values(tests) < alpha).sum(axis=1)
    return _power(
        tests.measures,
        significant,
        np.full(len(tests.measures), pairs),
        (upper < alpha).sum(axis=1),
        (lower < alpha).sum(axis=1),
    )


def pooled_discriminative_power(
    tests: Sequence[SignificanceTests], alpha: float = 0.05, *, level: float = 0.95
) -> pd.DataFrame:
    r"""Pool the discriminative power of several data sets.

    .. math:: DP = \sum_D S_D \Big/ \sum_D T_D

    (LQ'21, Eq. 9).

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
    for result in tests:
        _check(result, alpha)
    between_0_and_1(level, "level")
    if not tests:
        raise ValueError("pooling needs the tests of at least one data set")
    tasks = [result.task for result in tests]
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
    total = sum(tables[1:], tables[0])
    return _power(
        measures, *(total[name].to_numpy() for name in ("significant", "pairs", "low", "high"))
    )


def pairs_in_doubt(
    tests: SignificanceTests, alpha: float = 0.05, *, level: float = SURE
) -> pd.DataFrame:
    """List the run pairs whose p-value could fall on either side of alpha with endless trials.

    Parameters
    ----------
    tests, alpha
        As for :func:`discriminative_power`.
    level
        Of the intervals; at 99.9% by default, so that for each measure all decisions about pairs
        that are not listed are those of endless trials with that probability.

    Returns
    -------
    DataFrame
        One row per measure and pair whose Clopper-Pearson interval holds alpha: measure, first,
        second, p, low, high. More trials decide them; another seed only draws again.
    """
    _check(tests, alpha)
    p, (lower, upper) = _p_values(tests), _limits(tests, level)
    rows, columns = np.triu_indices(len(tests.runs), 1)
    where, pair = np.nonzero((lower < alpha) & (upper >= alpha))
    runs = pd.Index(tests.runs)
    return pd.DataFrame(
        {
            "measure": pd.Index(tests.measures)[where],
            "first": runs[rows[pair]],
            "second": runs[columns[pair]],
            "p": p[where, pair],
            "low": lower[where, pair],
            "high": upper[where, pair],
        }
    )


def p_curves(tests: SignificanceTests) -> pd.DataFrame:
    """Sort the p-values of all run pairs, largest first, as the papers' curves show them.

    Returns
    -------
    DataFrame
        Rows 1 to T_D, a column per measure. The lower a curve, the more discriminative.
    """
    _check(tests, 0.05)
    values = -np.sort(-_p_values(tests), axis=1)
    return pd.DataFrame(
        values.T,
        index=pd.RangeIndex(1, values.shape[1] + 1, name="pair"),
        columns=pd.Index(tests.measures, name="measure"),
    )


def significance_overlap(tests: SignificanceTests, alpha: float = 0.05) -> pd.DataFrame:
    r"""Count how far every two measures agree on which differences are significant.

    :math:`SSO = b / (a + b + c)` with b differences significant with both measures, a with the
    first only and c with the second only; so a + b and b + c are the measures' S_D. Some of the b
    may be contradictions (see :func:`contradictions`); without them SSO is
    :math:`b' / (a + b' + c)`.

    Returns
    -------
    DataFrame
        By (first, second) measure: first_only (a), both (b), second_only (c), overlap,
        agreeing (b'), overlap_agreeing (SSO without contradictions). If neither measure finds
        anything (0/0), the overlap is NaN: there is nothing to agree on.

    Raises
    ------
    ValueError
        If there are fewer than two measures or two runs.

    References
    ----------
    LQ'21, Section 5.2 and Table 4.
    """
    _check(tests, alpha, measures=2)
    significant = _p_values(tests) < alpha
    signs = _directions(tests)
    rows = []
    for i, j in combinations(range(len(tests.measures)), 2):
        both = significant[i] & significant[j]
        a = int((significant[i] & ~significant[j]).sum())
        c = int((significant[j] & ~significant[i]).sum())
        b = int(both.sum())
        agreeing = b - int((both & (signs[i] * signs[j] < 0)).sum())
        rows.append((a, b, c, _share(b, a + b + c), agreeing, _share(agreeing, a + agreeing + c)))
    return pd.DataFrame(
        rows,
        index=pd.MultiIndex.from_tuples(combinations(tests.measures, 2), names=["first", "second"]),
        columns=["first_only", "both", "second_only", "overlap", "agreeing", "overlap_agreeing"],
    )


def contradictions(tests: SignificanceTests, alpha: float = 0.05) -> pd.DataFrame:
    """List the run pairs on which two measures reach opposite significant conclusions.

    The first measure says that run ``better`` significantly outperforms run ``worse``, the
    second that it significantly underperforms it. The mean scores, and the better end of each
    measure's scale, say which run is better.

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
    _check(tests, alpha, measures=2)
    p, signs = _p_values(tests), _directions(tests)
    pairs = list(combinations(tests.runs, 2))
    rows = []
    for i, j in combinations(range(len(tests.measures)), 2):
        clash = (p[i] < alpha) & (p[j] < alpha) & (signs[i] * signs[j] < 0)
        for k in np.flatnonzero(clash):
            better, worse = pairs[k] if signs[i, k] > 0 else pairs[k][::-1]
            names = (tests.measures[i], tests.measures[j], better, worse)
            rows.append((*names, float(p[i, k]), float(p[j, k])))
    return pd.DataFrame(rows, columns=["first", "second", "better", "worse", "p_first", "p_second"])


def _check(tests: SignificanceTests, alpha: float, measures: int = 1) -> None:
    if not isinstance(tests, SignificanceTests):
        raise ValueError(f"what ordbook.tukey_hsd returns is needed, not a {type(tests).__name__}")
    between_0_and_1(alpha, "alpha")
    if len(tests.runs) < 2:
        raise ValueError(f"{tests.task}: a difference needs at least 2 runs, there is 1")
    if len(tests.measures) < measures:
        raise ValueError(f"{tests.task}: comparing measures needs at least 2, there is 1")


def _upper(square: NDArray[np.float64]) -> NDArray[np.float64]:
    rows, columns = np.triu_indices(square.shape[-1], 1)
    upper: NDArray[np.float64] = square[..., rows, columns]
    return upper


def _p_values(tests: SignificanceTests) -> NDArray[np.float64]:
    """Measures x pairs, the pairs in the order of ``combinations(runs, 2)``."""
    runs = list(tests.runs)
    return np.stack([_upper(tests.p[m].loc[runs, runs].to_numpy(float)) for m in tests.measures])


def _limits(
    tests: SignificanceTests, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the limits of every p-value, as ``tests.p_interval`` has them, measures x pairs."""
    between_0_and_1(level, "level")
    runs = list(tests.runs)
    limits = [tests.p_interval(measure, level) for measure in tests.measures]
    lower, upper = (
        np.stack([_upper(limit[end].loc[runs, runs].to_numpy(float)) for limit in limits])
        for end in (0, 1)
    )
    return lower, upper


def _directions(tests: SignificanceTests) -> NDArray[np.int64]:
    """Return measures x pairs: 1 if the first run is better by the means, -1 worse, 0 tied."""
    return -pair_signs(tests.oriented.to_numpy().T).astype(np.int64)


def _power(
    measures: Sequence[str],
    significant: NDArray[np.int64],
    pairs: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "significant": significant,
            "pairs": pairs,
            "share": significant / pairs,
            "low": low,
            "high": high,
        },
        index=pd.Index(measures, name="measure"),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
