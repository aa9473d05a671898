"""Which runs differ, without random trials: paired t-tests and the parametric Tukey HSD test."""

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtr

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.meta.significance import SignificanceTests, collect, mean_differences, tested_scores
from ordbook.meta.studentised import upper_tail
from ordbook.meta.variances import Floats, residual_variances


def paired_t(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> SignificanceTests:
    r"""Test the differences between all runs: paired t-tests of all pairs, adjusted by Holm.

    The differences of two runs on n topics, with mean :math:`\bar d` and standard deviation s, give
    :math:`t = \bar d \sqrt n / s` with n - 1 degrees of freedom. With the p-values of all M pairs
    in ascending order,

    .. math::

        p'_{(k)} = \max_{j \leq k} \min\left(1, (M - j + 1)\, p_{(j)}\right)

    which keeps the probability of one or more false alarms at the significance level, however the
    pairs depend on each other. Each pair has its own variance. So one run whose scores vary more
    than those of other runs does no harm, whereas :func:`ordbook.tukey_hsd` then finds too much.

    The test assumes that the topics are a random sample, and that the mean of their differences is
    nearly normal, as it is for some dozens of topics. It holds for each measure separately.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    measures
        Which measures, in which order; by default all.

    Returns
    -------
    SignificanceTests
        As from :func:`ordbook.tukey_hsd`, but without trials; p is adjusted. It is 1 if two runs
        have the same mean, and 0 if they differ by the same amount on every topic.

    Raises
    ------
    ValueError
        If there are fewer than two runs or topics, or a measure is unknown.

    References
    ----------
    Student (1908), The Probable Error of a Mean; Holm (1979), A Simple Sequentially Rejective
    Multiple Test Procedure.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4e"))
    >>> tests = paired_t(scores, ["NMD", "JSD"])
    >>> ob.discriminative_power(tests)["significant"].to_dict()  # of 66 pairs; HSD finds 37 and 33
    {'NMD': 45, 'JSD': 54}
    """
    scores = tested_scores(scores, measures)
    values = scores.oriented
    _, topics, runs = values.shape
    means, deviations = [], []
    for run in range(runs - 1):
        apart = values[:, :, [run]] - values[:, :, run + 1 :]
        means.append(np.abs(apart.mean(axis=1)))
        deviations.append(apart.std(axis=1, ddof=1))
    differences, spread = np.concatenate(means, axis=1), np.concatenate(deviations, axis=1)
    spread[spread <= TIE_TOLERANCE] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(topics - 1, -differences * np.sqrt(topics) / spread)
    p[differences <= TIE_TOLERANCE] = 1
    return collect(scores, "paired t", _holm(p))


def _holm(p: Floats) -> Floats:
    """Adjust the p-values of each row."""
    order = np.argsort(p, axis=1)
    ascending = np.take_along_axis(p, order, axis=1) * np.arange(p.shape[1], 0, -1)
    adjusted = np.empty_like(p)
    np.put_along_axis(
        adjusted, order, np.minimum(np.maximum.accumulate(ascending, axis=1), 1), axis=1
    )
    return adjusted


def parametric_tukey_hsd(
    scores: ScoreMatrix,
    measures: Sequence[str] | None = None,
    threads: int | None = None,
) -> SignificanceTests:
    r"""Test the differences between all runs: Tukey's HSD test with topics as blocks.

    .. math::

        p_{ij} &= P\left(Q_{m,\,(m-1)(n-1)} \geq q_{ij}\right),

        q_{ij} &= \frac{|\bar x_i - \bar x_j|}{\sqrt{V_{E2} / n}}

    with Q the studentised range of m runs. It assumes normal residuals of one variance. It is not
    the closed form of the papers' randomised test: where runs differ, the null distribution of that
    test also holds the variance between runs, and is close to this one with
    :math:`V_{E2} + \mathrm{var}(\bar x)` in place of :math:`V_{E2}`.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    measures
        Which measures, in which order; by default all.
    threads
        By default one per processor. For many pairs p is interpolated, to 1e-10.

    Returns
    -------
    SignificanceTests
        As from :func:`ordbook.tukey_hsd`, but without trials.

    Raises
    ------
    ValueError
        If there are fewer than two runs or topics, or a measure is unknown.

    References
    ----------
    Tukey (1949); Sakai (2018), Laboratory Experiments in Information Retrieval.
    """
    scores = tested_scores(scores, measures)
    _, topics, runs = scores.oriented.shape
    _, v_e2 = residual_variances(scores.oriented)
    differences = mean_differences(scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = differences / np.sqrt(v_e2 / topics)[:, None]
    finite = np.isfinite(q)
    p = np.zeros_like(q)
    p[finite] = upper_tail(q[finite], runs, (runs - 1) * (topics - 1), threads)
    p[differences <= TIE_TOLERANCE] = 1
    return collect(scores, "parametric", p)
