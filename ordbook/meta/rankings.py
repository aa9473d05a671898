"""The runs from best to worst, and which of them are better than which."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.meta.significance import SignificanceTests
from ordbook.meta.validation import a_score_matrix, between_0_and_1


def standings(scores: ScoreMatrix, measure: str, *, level: float = 0.95) -> pd.DataFrame:
    r"""Rank the runs by a measure, the best first.

    Runs whose means differ by no more than 1e-12 of the measure's largest score share a rank, in
    the order of the score matrix; the run after two that share rank 1 has rank 3.

    Parameters
    ----------
    scores
        Scores of the runs.
    measure
        One of its measures.
    level
        Confidence level.

    Returns
    -------
    DataFrame
        rank, run, mean, low, high: the limits of the interval of each mean by itself,
        :math:`\bar x_i \pm t_{n-1} s_i / \sqrt n` over the n topics, NaN of a single topic. It
        does not tell whether two runs differ, because all runs have the same topics.

    Examples
    --------
    >>> import ordbook as ob
    >>> from ordbook.meta.rankings import standings
    >>> standings(ob.score(ob.load("sem16t4e")), "NMD").head(2).round(3)
       rank     run   mean    low   high
    0     1   QCRI  0.061  0.055  0.067
    1     2  finki  0.079  0.073  0.085
    """
    a_score_matrix(scores)
    between_0_and_1(level, "level")
    chosen = scores.select([measure])
    values = chosen.values[0]
    means = values.mean(axis=0)
    place = ranks(chosen.oriented[0].mean(axis=0))
    n = len(values)
    half = np.full(len(means), np.nan)
    if n > 1:
        half = stdtrit(n - 1, (1 + level) / 2) * values.std(axis=0, ddof=1) / np.sqrt(n)
    frame = pd.DataFrame(
        {
            "rank": place,
            "run": list(scores.runs),
            "mean": means,
            "low": means - half,
            "high": means + half,
        }
    )
    return frame.sort_values("rank", kind="stable", ignore_index=True)


def ranks(means: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each run 1 and the number of runs with a larger mean of oriented scores."""
    # In order of the means each run has its betters before it: no table of all pairs is needed.
    ahead = np.searchsorted(np.sort(means), means + TIE_TOLERANCE, side="right")
    place: NDArray[np.int64] = len(means) - ahead + 1
    return place


def better_than(tests: SignificanceTests, measure: str, alpha: float = 0.05) -> pd.DataFrame:
    """List the run pairs that differ significantly by a measure.

    Parameters
    ----------
    tests
        From :func:`ordbook.tukey_hsd`, for example.
    measure
        One of the measures tested.
    alpha
        Pairs with p below it are listed.

    Returns
    -------
    DataFrame
        better, worse (runs), p (0 if no trial reached the difference, that is, below 1 by the
        number of trials), difference (of the means, positive) and effect_size: the difference in
        standard deviations by V_E1, as in DialEval-1. Sorted from the best run to the worst, and
        for each from the closest run that it beats to the farthest.

    References
    ----------
    DialEval-1, Tables 14 to 29.
    """
    pairs = tests.pairs(measure)
    pairs = pairs[pairs["p"] < between_0_and_1(alpha, "alpha")]
    first = tests.signs[measure].to_numpy()[pairs.index] > 0
    rows = pd.DataFrame(
        {
            "better": pairs["first"].where(first, pairs["second"]),
            "worse": pairs["second"].where(first, pairs["first"]),
            "p": pairs["p"],
            "difference": pairs["difference"].abs(),
            "effect_size": pairs["es_e1"].abs(),
        }
    )
    # In order of the means; runs that tie stand as in the matrix.
    order = np.argsort(ranks(tests.oriented[measure].to_numpy()), kind="stable")
    place = {tests.runs[run]: place for place, run in enumerate(order)}
    return rows.sort_values(
        ["better", "worse"], key=lambda runs: runs.map(place), ignore_index=True
    )


def identical_runs(scores: ScoreMatrix) -> list[tuple[str, ...]]:
    """Find the runs that are the same: equal scores on every topic by every measure.

    Scores are equal up to 1e-12 of the measure's largest. Duplicates inflate the number of run
    pairs, of differences found and of contradictions.

    Returns
    -------
    list
        One tuple of runs for each set of duplicates, all in the order of the score matrix.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.QuantificationTask.from_arrays(
    ...     [[1, 0], [0, 1]], {"A": [[1, 0], [1, 0]], "B": [[0, 1], [0, 1]], "C": [[1, 0], [1, 0]]}
    ... )
    >>> identical_runs(ob.score(task))
    [('A', 'C')]
    """
    a_score_matrix(scores)
    values, families = scores.oriented, []
    means = values.mean(axis=1)
    left = np.arange(len(scores.runs))
    while left.size:
        k, left = left[0], left[1:]
        # Runs with other means have other scores, and most runs have.
        near = left[(np.abs(means[:, left] - means[:, [k]]) <= 2 * TIE_TOLERANCE).all(axis=0)]
        apart = np.abs(values[:, :, near] - values[:, :, [k]])
        same = near[(apart <= TIE_TOLERANCE).all(axis=(0, 1))]
        if same.size:
            families.append(tuple(scores.runs[run] for run in (k, *same)))
            left = np.setdiff1d(left, same)
    return families
