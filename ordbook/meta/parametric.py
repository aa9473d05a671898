"""Which runs differ, without random trials: paired t-tests and the parametric Tukey HSD test."""

import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.special import stdtr

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.parallel import CHUNK, in_order
from ordbook.meta.significance import SignificanceTests, collect, tested_scores
from ordbook.meta.variances import Floats, residual_variances

# Half of what the interpolation may err by; SciPy integrates to about 1e-11.
PRECISION = 5e-11
# Degree of the series that interpolates, and the scale by which it maps all q to 0 to 1.
DEGREE, SCALE = 128, 4.0


@cache
def studentised_quantile(level: float, runs: int, freedom: int) -> float:
    """Return a quantile of the studentised range, which takes SciPy a while."""
    from scipy.stats import studentized_range  # takes a second

    return float(studentized_range.ppf(level, runs, freedom))


def upper_tail(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return P(Q >= q) of the studentised range of `runs` means, to 1e-10.

    Each value takes SciPy some 30 ms, so that many of them are interpolated: by a Chebyshev series,
    or where this is not exact enough, piecewise, to some 1e-4.

    Parameters
    ----------
    q
        Any shape, at least 0 and finite.
    runs, freedom
        Number of means, and degrees of freedom of the variance.
    threads
        By default one per processor; the series does not depend on it.
    """
    different, where = np.unique(q, return_inverse=True)
    if len(different) <= DEGREE:
        upper = _integrate(different, runs, freedom, threads)
    else:
        end = different[-1] / (different[-1] + SCALE)
        points = np.cos(np.pi * np.arange(DEGREE + 1) / DEGREE)
        scaled = np.clip(end * (points + 1) / 2, 0.0, end)
        tails = _integrate(SCALE * scaled / (1 - scaled), runs, freedom, threads)
        series = chebyshev.chebfit(points, tails, DEGREE)
        mapped = 2 * different / (different + SCALE) / end - 1
        if np.abs(series[-DEGREE // 8 :]).sum() <= PRECISION:
            upper = chebyshev.chebval(mapped, series)
        else:
            upper = PchipInterpolator(points[::-1], tails[::-1])(mapped)
    return np.asarray(np.clip(upper, 0, 1)[where.reshape(q.shape)])


def _integrate(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return SciPy's value for every q."""
    from scipy.integrate import IntegrationWarning
    from scipy.stats import studentized_range  # takes half a second

    def work(start: int, stop: int) -> NDArray[np.float64]:
        tails: NDArray[np.float64] = studentized_range.sf(q[start:stop], runs, freedom)
        return tails

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)  # of errors that are no matter here
        return np.concatenate([q[:0], *in_order(work, len(q), CHUNK // 4, threads)])


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
    count, topics, runs = values.shape
    differences, deviations = np.zeros((2, count, runs, runs))
    for run in range(runs):
        apart = values[:, :, [run]] - values
        differences[:, run], deviations[:, run] = apart.mean(axis=1), apart.std(axis=1, ddof=1)
    deviations[deviations <= TIE_TOLERANCE] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(differences) * np.sqrt(topics) / deviations
    p = 2 * stdtr(topics - 1, -t)
    p[np.abs(differences) <= TIE_TOLERANCE] = 1
    first, second = np.triu_indices(runs, 1)
    p[:, first, second] = p[:, second, first] = _holm(p[:, first, second])
    none = np.zeros(count, np.int64)
    return collect(scores, none, 0, "paired t", p, np.zeros(p.shape, np.int64))


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

    with Q the studentised range of m runs. It assumes normal residuals of one variance. The
    randomised test differs if runs differ: its null distribution also holds the variance between
    runs, and is close to this one with :math:`V_{E2} + \mathrm{var}(\bar x)` in place of
    :math:`V_{E2}`.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    measures
        Which measures, in which order; by default all.
    threads
        By default one per processor. For many pairs p is interpolated, to 1e-10.

    References
    ----------
    Tukey (1949); Sakai (2018), Laboratory Experiments in Information Retrieval.
    """
    scores = tested_scores(scores, measures)
    _, topics, runs = scores.oriented.shape
    means = scores.oriented.mean(axis=1)
    differences = np.abs(means[:, :, None] - means[:, None, :])
    _, v_e2 = residual_variances(scores.oriented)
    p = np.ones_like(differences)
    first, second = np.triu_indices(runs, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = differences[:, first, second] / np.sqrt(v_e2 / topics)[:, None]
    finite = np.isfinite(q)
    upper = np.zeros_like(q)
    freedom = (runs - 1) * (topics - 1)
    upper[finite] = upper_tail(q[finite], runs, freedom, threads)
    p[:, first, second] = p[:, second, first] = upper
    p[differences <= TIE_TOLERANCE] = 1
    none = np.zeros(len(p), np.int64)
    return collect(scores, none, 0, "parametric", p, np.zeros(p.shape, np.int64))
