"""Which runs differ, without random trials: paired t-tests and the parametric Tukey HSD test."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy.special import stdtr

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.parallel import CHUNK, Progress, in_chunks
from ordbook.meta.significance import SignificanceTests, chosen_scores, collect
from ordbook.meta.variances import Floats, residual_variances, run_slack

# Half of what the interpolation may err by; SciPy integrates to about 1e-11.
PRECISION = 5e-11
# Numbers of intervals between the points of the series; each series holds the points before it.
INTERVALS = (32, 64, 128, 256)
SCALE = 4.0
# From here on the tail is looked at once only, if it is empty.
FAR = 1000.0


def upper_tail(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return P(Q >= q) of the studentised range of `runs` means, to 1e-10.

    Parameters
    ----------
    q
        Any shape, at least 0 and finite.
    runs, freedom
        Number of means, and degrees of freedom of the variance.
    threads, progress
        As everywhere; the series is the same whatever they are.
    """
    different, where = np.unique(q, return_inverse=True)
    upper = np.zeros(len(different))
    near = np.ones(len(different), dtype=bool)
    if len(different) > INTERVALS[0]:
        if different[-1] > FAR and _integrate(np.array([FAR]), runs, freedom)[0] <= PRECISION:
            near = different <= FAR
        upper[near] = _interpolated(different[near], runs, freedom, threads, progress)
    elif len(different):
        upper = _integrate(different, runs, freedom, threads, progress)
    return np.asarray(np.clip(upper, 0, 1)[where.reshape(q.shape)])


def _interpolated(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None,
    progress: Progress | None,
) -> NDArray[np.float64]:
    """Return the tail at ascending q from a series, or one by one if no series is exact enough."""
    end = q[-1] / (q[-1] + SCALE) if len(q) else 0.0
    known: dict[float, float] = {}
    for intervals in INTERVALS:
        if len(q) <= intervals or end >= 1 - 1e-6:
            break
        points = np.cos(np.pi * np.arange(intervals + 1) / intervals)
        scaled = np.clip(end * (points + 1) / 2, 0.0, end)
        at = SCALE * scaled / (1 - scaled)
        new = np.array([x for x in at.tolist() if x not in known])
        tails = _integrate(new, runs, freedom, threads, progress)
        known.update(zip(new.tolist(), tails.tolist(), strict=True))
        series = chebyshev.chebfit(points, [known[x] for x in at.tolist()], intervals)
        if np.abs(series[-intervals // 8 :]).sum() <= PRECISION:
            return np.asarray(chebyshev.chebval(2 * q / (q + SCALE) / end - 1, series))
    return _integrate(q, runs, freedom, threads, progress)


def _integrate(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return SciPy's value for every q."""
    from scipy.integrate import IntegrationWarning
    from scipy.stats import studentized_range  # takes half a second

    upper = np.empty(len(q))

    def work(start: int, stop: int) -> NDArray[np.float64]:
        tails: NDArray[np.float64] = studentized_range.sf(q[start:stop], runs, freedom)
        return tails

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)  # of errors that are no matter here
        for start, stop, tails in in_chunks(work, len(q), CHUNK // 4, threads, progress):
            upper[start:stop] = tails
    return upper


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
    scores = chosen_scores(scores, measures)
    values = scores.values
    count, topics, runs = values.shape
    differences, deviations = np.zeros((2, count, runs, runs))
    for run in range(runs):
        apart = values[:, :, [run]] - values
        differences[:, run], deviations[:, run] = apart.mean(axis=1), apart.std(axis=1, ddof=1)
    noise = run_slack(values)
    noise = np.maximum(noise[:, :, None], noise[:, None, :])
    deviations[deviations <= noise] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(differences) * np.sqrt(topics) / deviations
    p = 2 * stdtr(topics - 1, -t)
    p[np.abs(differences) <= noise] = 1
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
    progress: Progress | None = None,
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
    threads, progress
        As for :func:`tukey_hsd`; progress counts values of the distribution. For many pairs p is
        interpolated, to 1e-10.

    References
    ----------
    Tukey (1949); Sakai (2018), Laboratory Experiments in Information Retrieval.
    """
    scores = chosen_scores(scores, measures)
    _, topics, runs = scores.values.shape
    means = scores.values.mean(axis=1)
    differences = np.abs(means[:, :, None] - means[:, None, :])
    noise = run_slack(scores.values)
    same = differences <= np.maximum(noise[:, :, None], noise[:, None, :])
    _, v_e2 = residual_variances(scores.values)
    p = np.ones_like(differences)
    first, second = np.triu_indices(runs, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = differences[:, first, second] / np.sqrt(v_e2 / topics)[:, None]
    finite = np.isfinite(q)
    upper = np.zeros_like(q)
    freedom = (runs - 1) * (topics - 1)
    upper[finite] = upper_tail(q[finite], runs, freedom, threads, progress)
    p[:, first, second] = p[:, second, first] = upper
    p[same] = 1
    none = np.zeros(len(p), np.int64)
    return collect(scores, none, 0, "parametric", p, np.zeros(p.shape, np.int64))
