"""Which runs differ: Tukey's HSD test of all runs, randomised and parametric.

What they find is a :class:`ordbook.meta.significance_tests.SignificanceTests`; the test of two
runs alone is in :mod:`ordbook.meta.randomisation`.
"""

from collections.abc import Sequence

import numpy as np

from ordbook.data.scores import ScoreMatrix
from ordbook.meta import kernels
from ordbook.meta.checks import a_score_matrix, several_names, whole_number
from ordbook.meta.chunks import Progress, in_chunks
from ordbook.meta.kernels import Integers
from ordbook.meta.significance_tests import SignificanceTests, collect
from ordbook.meta.studentised import upper_tail
from ordbook.meta.variances import pair_slack, residual_variances, run_slack


def tukey_hsd(
    scores: ScoreMatrix,
    trials: int = 5000,
    seed: int = 0,
    threads: int | None = None,
    measures: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> SignificanceTests:
    r"""Randomised, paired Tukey HSD test of the differences between all runs.

    In each trial the runs' scores are permuted within every topic, which is harmless if all runs
    are the same (the null hypothesis). With :math:`\bar x^{(b)}` the permuted means of trial b,

    .. math::

        p_{ij} &= \frac{1}{B} \left|\left\{ b : R^{(b)} \geq |\bar x_i - \bar x_j| \right\}\right|,

        R^{(b)} &= \max_k \bar x^{(b)}_k - \min_k \bar x^{(b)}_k

    Comparing every pair with the largest difference keeps the probability of one or more false
    alarms, over all pairs, at the significance level. Differences within 1e-12 of the largest
    score are equal, so that float noise decides nothing.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    trials
        Number of trials, B. The papers take 1,000 to 10,000; 100,000 take seconds.
    seed
        A whole number from 0. The permutations depend on seed and trial alone: they are the same
        for every measure, choice of measures and number of threads.
    threads
        By default one per processor.
    measures
        Which measures, in which order; by default all.
    progress
        Called now and then as ``progress(trials done, trials)``.

    Returns
    -------
    SignificanceTests
        If all runs have the same scores, every p is 1, and its ``notes`` say so; and they say
        where runs and topics are too few for any p below .05.

    Raises
    ------
    ValueError
        If there are fewer than two runs or topics, or more than 4,096 runs (the random indices
        would be biased by more than 2**-20), a measure is unknown, or a number makes no sense.

    References
    ----------
    Carterette (2012); Sakai (2018); ACL'21, footnote 7; LQ'21, Table 3.

    Examples
    --------
    >>> import ordbook as ob
    >>> from ordbook.meta.significance import tukey_hsd
    >>> tests = tukey_hsd(ob.score(ob.load("sem16t4e")), measures=["NMD"])
    >>> bool(tests.p["NMD"].loc["ECNU", "HSENN"] < 0.001)
    True
    >>> int((tests.pairs("NMD")["p"] < 0.05).sum())  # of 66; LQ'21 Table 3 has 38
    37
    """
    scores = _chosen(scores, measures)
    if len(scores.runs) > kernels.MOST_RUNS:
        raise ValueError(
            f"{scores.task}: {len(scores.runs)} runs; at most {kernels.MOST_RUNS} can be tested"
        )
    trials = whole_number(trials, "trials")
    count, topics, runs = scores.values.shape
    key = kernels.stream_key(seed, "randomised Tukey HSD")
    layers = kernels.as_layers(scores.values)
    means = scores.values.mean(axis=1)
    noise = pair_slack(run_slack(scores.values))
    first, second = np.triu_indices(runs, 1)
    observed = np.abs(means[:, first] - means[:, second]) - noise
    thresholds = np.sort(observed, axis=1)
    # How many trials reach exactly the lowest k thresholds, k from 0 to all.
    reached = np.zeros((count, len(first) + 1), np.int64)

    def work(start: int, stop: int) -> Integers:
        ranges = kernels.permuted_ranges(layers, key, start, stop)
        found = np.zeros_like(reached)
        for k in range(count):
            positions = np.searchsorted(thresholds[k], ranges[:, k], side="right")
            found[k] = np.bincount(positions, minlength=found.shape[1])
        return found

    steps = topics * runs * (1 + layers.shape[2] // kernels.LANES)
    for _, _, found in in_chunks(work, trials, steps, threads, progress):
        reached += found
    # At least the lowest k + 1, that is, the threshold at k.
    exceeding = np.flip(np.cumsum(np.flip(reached, axis=1), axis=1), axis=1)[:, 1:]
    exceed = np.full((count, runs, runs), trials, np.int64)
    for k in range(count):
        positions = np.searchsorted(thresholds[k], observed[k])
        exceed[k, first, second] = exceed[k, second, first] = exceeding[k, positions]
    return collect(scores, trials, int(seed), "randomised", exceed / trials, exceed)


def parametric_tukey_hsd(
    scores: ScoreMatrix,
    measures: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SignificanceTests:
    r"""Tukey's HSD test of the differences between all runs, topics being blocks.

    .. math::

        p_{ij} &= P\left(Q_{m,\,(m-1)(n-1)} \geq q_{ij}\right),

        q_{ij} &= \frac{|\bar x_i - \bar x_j|}{\sqrt{V_{E2} / n}}

    with Q the studentised range of m runs. It presumes normal residuals of one variance. The
    randomised test differs where runs differ: its null distribution holds the variance between
    runs too, and is close to this one with :math:`V_{E2} + \mathrm{var}(\bar x)` in place of
    :math:`V_{E2}`.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    measures
        Which measures, in which order; by default all.
    threads, progress
        As for :func:`tukey_hsd`; in place of trials, values of the distribution are computed. Of
        many pairs p is interpolated, to 1e-10.

    References
    ----------
    Tukey (1949); Sakai (2018), Laboratory Experiments in Information Retrieval.
    """
    scores = _chosen(scores, measures)
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
    return collect(scores, 0, 0, "parametric", p, np.zeros(p.shape, np.int64))


def _chosen(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    """Return the scores by the chosen measures, if there is something to test."""
    a_score_matrix(scores)
    several_names(measures)
    if measures is not None:
        scores = scores.select(measures)
    if not scores.measures:
        raise ValueError(f"{scores.task}: no measure to test by; name at least one")
    for what, names in (("runs", scores.runs), ("topics", scores.topics)):
        if len(names) < 2:
            raise ValueError(
                f"{scores.task}: a significance test needs at least 2 {what}, there is {len(names)}"
            )
    return scores
