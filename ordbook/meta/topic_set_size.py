r"""How many topics a test collection needs: topic set size design.

Topic set size design (Sakai 2016, 2018) asks for the number of topics n such that an analysis of
variance of m runs at significance alpha finds, with probability 1 - beta, that the best and the
worst run differ by D. The case hardest to find has all other runs half-way between, so that the
run effects satisfy :math:`\sum_i a_i^2 = D^2 / 2`, and F then follows the noncentral F
distribution with

.. math::

    \lambda &= \frac{n \sum_i a_i^2}{V} = \frac{n D^2}{2 V},

    \phi_1 &= m - 1,

    \phi_2 &= (m - 1)(n - 1)

where :math:`V = V_{E2}`, the residual variance of runs that are all scored on the same topics.

The question and the least favourable case are Sakai's, whose paired design is the t-test of two
runs. Ours are the paired design over m runs, SciPy's noncentral F distribution and an exact search
in place of the approximations in Sakai's spreadsheets, and the shrunk spread of the runs of a
pilot.
"""

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, special

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.validation import (
    a_score_matrix,
    above_0,
    at_least,
    between_0_and_1,
    whole_number,
)
from ordbook.meta.variances import residual_variances
from ordbook.words import counted

# More topics than this, and the answer is that the difference cannot be found. Nor are there so
# many runs.
MOST_TOPICS = 100_000
# A spread that shrinks to less than this part of it is explained by chance.
LEAST = 0.05
# With fewer topics a half cannot be split again, nor its variance be estimated.
FEWEST_TOPICS = 8


def design_power(
    variance: float,
    difference: float,
    topics: int,
    runs: int,
    *,
    alpha: float = 0.05,
) -> float:
    """Return the probability that `topics` topics show that the runs differ.

    Parameters
    ----------
    variance
        V_E2.
    difference
        D, between the means of the best and the worst run.
    topics, runs
        n and m, at least 2.
    alpha
        Significance level.

    Examples
    --------
    >>> round(design_power(0.5, 0.5, topics=34, runs=2), 4)  # a paired t-test with d = .5
    0.8078
    """
    _check_design(variance, difference, runs, alpha)
    whole_number(topics, "topics", 2)
    return _power(topics * _effect(variance, difference), topics, runs, alpha)


def topics_needed(
    variance: float,
    difference: float,
    runs: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Return the smallest number of topics that finds a difference with the given power.

    Parameters
    ----------
    variance
        V_E2; see :func:`ordbook.meta.variances.residual_variances`.
    difference
        D, between the means of the best and the worst run.
    runs
        m, at least 2.
    alpha, power
        Significance level, and 1 - beta, which lies between alpha and 1.

    Returns
    -------
    int
        n, from 2 to 100,000.

    Raises
    ------
    ValueError
        If an argument is out of range, or more than 100,000 topics were needed.

    Examples
    --------
    >>> topics_needed(0.5, 0.5, runs=2)       # a paired t-test with d = .5
    34
    """
    _check_design(variance, difference, runs, alpha)
    _check_power(power, alpha)
    effect, numbers = _effect(variance, difference), range(2, MOST_TOPICS + 1)

    def power_of(topics: int) -> float:  # grows with the number of topics
        return _power(topics * effect, topics, runs, alpha)

    place = bisect_left(numbers, power, key=power_of)
    if place == len(numbers):
        raise ValueError(
            f"a difference of {difference:g} is too small for a variance of {variance:g}: "
            f"more than {MOST_TOPICS:,} topics were needed"
        )
    return numbers[place]


def detectable_difference(
    variance: float,
    topics: int,
    runs: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """Return the smallest difference that `topics` topics find with the given power.

    Parameters
    ----------
    variance, runs, alpha, power
        As for :func:`topics_needed`.
    topics
        n, at least 2.

    Returns
    -------
    float
        D, on the scale of the scores.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> round(detectable_difference(0.5, topics=34, runs=2), 3)
    0.495
    """
    _check_design(variance, 1.0, runs, alpha)
    _check_power(power, alpha)
    whole_number(topics, "topics", 2)

    def missing(noncentrality: float) -> float:
        return _power(noncentrality, topics, runs, alpha) - power

    high = 1.0
    while missing(high) < 0:
        high *= 2
    # Power falls from power - alpha at 0, so that the root lies below the first high enough.
    root = optimize.brentq(missing, 0.0, high, xtol=1e-14, rtol=1e-12)
    return float((2 * variance * root / topics) ** 0.5)


def topic_set_size(
    scores: ScoreMatrix,
    difference: float | Mapping[str, float],
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    runs: int | None = None,
) -> pd.DataFrame:
    r"""Design a topic set from the scores of a pilot or of last year's round.

    Parameters
    ----------
    scores
        At least two runs and three topics.
    difference
        D to be detected, one for all measures or one for each. The same D means different things
        on different scales: compare ``detectable`` with the spread of the means.
    alpha, power
        As in :func:`topics_needed`.
    runs
        Number of runs to be compared; by default as many as there are.

    Returns
    -------
    DataFrame
        By measure: variance, difference, topics (needed), available (topics in the scores), power
        and detectable (what these achieve), spread (observed difference of best and worst run) and
        shrunk, which is :func:`shrunk_spread`.

    References
    ----------
    Sakai (2016), Topic Set Size Design; Sakai (2018), Chapter 6.
    """
    check_enough(scores)
    variances = design_variances(scores)
    m, n = len(scores.runs) if runs is None else runs, len(scores.topics)
    if isinstance(difference, Mapping):
        if missing := set(scores.measures) - set(difference):
            raise ValueError(f"difference lacks {', '.join(sorted(missing))}")
        wanted = difference
    else:
        wanted = dict.fromkeys(scores.measures, difference)
    spread, shrunk, rows = np.ptp(scores.values.mean(axis=1), axis=1), shrunk_spread(scores), []
    for k, measure in enumerate(scores.measures):
        v, d = float(variances[k]), above_0(wanted[measure], "difference")
        rows.append(
            {
                "variance": v,
                "difference": d,
                "topics": topics_needed(v, d, m, alpha=alpha, power=power),
                "available": n,
                "power": design_power(v, d, n, m, alpha=alpha),
                "detectable": detectable_difference(v, n, m, alpha=alpha, power=power),
                "spread": float(spread[k]),
                "shrunk": float(shrunk.iloc[k]),
            }
        )
    return pd.DataFrame(rows, index=pd.Index(scores.measures, name="measure"))


def shrunk_spread(scores: ScoreMatrix) -> pd.Series:
    r"""Return by how much the best and the worst run should differ on other topics, by measure.

    Observed means overstate how far runs differ. With x the means of the runs on n topics,
    :math:`\tau^2 = \max(0, \operatorname{var}(x) - V_{E2}/n)` and normal effects, a difference
    shrinks by :math:`\tau^2 / (\tau^2 + V_{E2}/n)`, to 0 where chance alone explains the means.

    A design for the observed spread of a pilot asks for too few topics. In simulated pilots of 12
    runs on 12 topics, whose true means have .3 times the standard deviation of the residuals, a
    design with a power of .80 for the observed spread had one of .46 for the true spread, and a
    design with a power of .80 for the shrunk spread had one of .88.
    """
    means = scores.values.mean(axis=1)
    noise = design_variances(scores) / len(scores.topics)
    effects = np.maximum(0, means.var(axis=1, ddof=1) - noise)
    shrunk = np.ptp(means, axis=1) * effects / (effects + noise)
    return pd.Series(shrunk, index=pd.Index(scores.measures, name="measure"))


def unfit(scores: ScoreMatrix) -> str:
    """Give the reason why no topic set can be designed from the scores; empty if one can."""
    _, topics, runs = scores.values.shape
    if runs < 3 or topics < FEWEST_TOPICS:
        return (
            f"{scores.task} has {counted(runs, 'run')} and {counted(topics, 'topic')}; how "
            f"runs and topics vary is learnt from at least 3 runs and {FEWEST_TOPICS} topics"
        )
    if not _differing(scores):
        return (
            f"{scores.task}: by every measure all runs are equal, differ on all topics alike, or "
            "differ by no more than chance explains"
        )
    return ""


def with_differences(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores by those measures for which a design exists.

    By the others all runs differ by the same on every topic, or by no more than chance explains.
    """
    return scores.select(_differing(scores))


def _differing(scores: ScoreMatrix) -> list[str]:
    _, variances = residual_variances(scores.values)
    some = scores.select([m for m, v in zip(scores.measures, variances, strict=True) if v > 0])
    spread, shrunk = np.ptp(some.values.mean(axis=1), axis=1), shrunk_spread(some)
    return [str(measure) for measure in shrunk.index[shrunk > LEAST * spread]]


def check_enough(scores: ScoreMatrix) -> None:
    """Refuse scores that say nothing about differences or variances."""
    a_score_matrix(scores)
    at_least(scores, "a difference", runs=2)
    at_least(scores, "a variance", topics=3)


def design_variances(scores: ScoreMatrix) -> NDArray[np.float64]:
    """Return V_E2 of every measure, above 0."""
    _, v_e2 = residual_variances(scores.values)
    for measure, variance in zip(scores.measures, v_e2, strict=True):
        if variance <= 0:
            raise ValueError(
                f"{scores.task}: by {measure} the differences between runs are the same on every "
                "topic, so no number of topics and no power can be computed"
            )
    return v_e2


def _effect(variance: float, difference: float) -> float:
    """Return D^2 / 2V."""
    return difference * difference / (2 * variance)


def _power(noncentrality: float, topics: int, runs: int, alpha: float) -> float:
    """Return the power for the noncentrality lambda = n D^2 / 2V."""
    between = runs - 1
    within = between * (topics - 1)
    critical = special.fdtri(between, within, 1 - alpha)
    if noncentrality == 0:
        return alpha
    missed = float(special.ncfdtr(between, within, noncentrality, critical))
    if not np.isfinite(missed):
        # SciPy (Boost) gives NaN in bands of many topics, where F is a chi-squared over its degrees
        # of freedom, and a miss has all but no probability.
        missed = float(special.chndtr(between * critical, between, noncentrality))
    return 1 - missed


def _check_design(variance: float, difference: float, runs: int, alpha: float) -> None:
    above_0(variance, "variance")
    above_0(difference, "difference")
    whole_number(runs, "runs", 2, MOST_TOPICS)
    between_0_and_1(alpha, "alpha")


def _check_power(power: float, alpha: float) -> None:
    between_0_and_1(power, "power")
    if power <= alpha:
        raise ValueError(f"power must lie between alpha ({alpha}) and 1, not {power}")
