"""Which runs differ: Tukey's HSD test, randomised and parametric, and the test of two runs.

Contents
--------
SignificanceTests         p-values, effect sizes and Monte-Carlo errors of every run pair
tukey_hsd                 randomised Tukey HSD of all runs
parametric_tukey_hsd      the same from the studentised range distribution
residual_variances        V_E1 and V_E2 of score matrices
RandomisationTest         p-value and Monte-Carlo error of one pair of runs
randomisation_test        randomisation test of two runs
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from ordbook.data.scores import Better, ScoreMatrix
from ordbook.meta import kernels
from ordbook.meta.kernels import Floats, Integers, Progress

# Mean differences closer than this, relative to the largest score, are equal.
TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class SignificanceTests:
    """Significance of the difference between every two runs, by every measure.

    Attributes
    ----------
    task
        Name of the task.
    measures, runs
        Names.
    topics
        Number of topics.
    trials, seed
        Of the randomised test; no trials (0) where ``method`` is ``parametric``.
    method
        ``randomised`` or ``parametric``.
    p
        Measure -> DataFrame run x run, symmetric, 1 on the diagonal and wherever two runs have
        the same mean.
    means
        Mean scores: a DataFrame, run x measure.
    better
        Measure -> whether ``low`` or ``high`` scores are better.
    v_e1, v_e2
        Measure -> residual variance; see :func:`residual_variances`.
    exceed
        (measures, runs, runs): number of trials whose largest difference reached the observed
        one; p is its share of the trials. The pairs of a measure share the trials, so a pair's
        trials are among those of any pair that differs less.
    """

    task: str
    measures: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    trials: int
    seed: int
    method: Literal["randomised", "parametric"]
    p: Mapping[str, pd.DataFrame]
    means: pd.DataFrame
    better: Mapping[str, Better]
    v_e1: pd.Series
    v_e2: pd.Series
    exceed: Integers

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on measures by which nothing can be told: all runs score the same."""
        return tuple(
            f"{self.task}: by {measure} all runs have the same scores on every topic, so every p "
            "is 1 and effect sizes are undefined"
            for measure in self.measures
            if self.v_e2[measure] == 0 and self._differences(measure).max() == 0
        )

    def effect_size(self, measure: str, variance: Literal["e2", "e1"] = "e2") -> pd.DataFrame:
        r"""Difference of means in standard deviations, :math:`(\bar x_i - \bar x_j) / \sqrt V`.

        Parameters
        ----------
        measure
            One of the measures.
        variance
            ``"e2"``, as in ACL'21, or ``"e1"``, as in DialEval-1.

        Returns
        -------
        DataFrame, run x run
            Positive where the run of the row has the higher mean, better or worse. Where the
            variance is 0: infinite, or NaN between runs with the same mean.
        """
        if variance not in ("e1", "e2"):
            raise ValueError(f"variance must be 'e1' or 'e2', not {variance!r}")
        differences = self._differences(measure)
        residual = float((self.v_e2 if variance == "e2" else self.v_e1)[measure])
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._frame(differences / np.sqrt(residual))

    def p_error(self, measure: str) -> pd.DataFrame:
        r"""Monte-Carlo standard error of every p, :math:`\sqrt{p(1 - p) / B}`, run x run.

        It is 0 where p is 0 or 1, which says little: see :meth:`p_interval`. The parametric test
        has none.
        """
        p = self._table(measure)
        return (p * (1 - p) / self.trials) ** 0.5 if self.trials else p * 0.0

    def p_interval(self, measure: str, level: float = 0.95) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Clopper and Pearson's interval of every p: the lower and upper limits, run x run.

        It holds the p of endlessly many trials with a probability of at least ``level``. The
        limits of the parametric test, and of runs with the same mean, equal p.
        """
        p = self._table(measure)
        if not self.trials:
            return p.copy(), p.copy()
        counts = self.exceed[self.measures.index(measure)]
        low, high = _clopper_pearson(counts, self.trials, level)
        same = self._differences(measure) == 0
        return self._frame(np.where(same, 1.0, low)), self._frame(np.where(same, 1.0, high))

    def pairs(self, measure: str, level: float = 0.95) -> pd.DataFrame:
        """One row per pair of runs.

        Its columns are first, second, difference (mean of the first minus mean of the second),
        p, the limits low and high of p, and the effect sizes es_e1 and es_e2.
        """
        low, high = self.p_interval(measure, level)
        rows, columns = np.triu_indices(len(self.runs), 1)
        tables = {
            "difference": self._frame(self._differences(measure)),
            "p": self.p[measure],
            "low": low,
            "high": high,
            "es_e1": self.effect_size(measure, "e1"),
            "es_e2": self.effect_size(measure, "e2"),
        }
        return pd.DataFrame(
            {
                "first": [self.runs[i] for i in rows],
                "second": [self.runs[i] for i in columns],
                **{name: table.to_numpy()[rows, columns] for name, table in tables.items()},
            }
        )

    def _table(self, measure: str) -> pd.DataFrame:
        if measure not in self.measures:
            raise ValueError(
                f"{self.task}: no test by {measure!r}; there are {', '.join(self.measures)}"
            )
        return self.p[measure]

    def _differences(self, measure: str) -> Floats:
        """Observed differences; 0 where float noise alone makes one."""
        self._table(measure)
        means = self.means[measure].to_numpy()
        differences: Floats = means[:, None] - means[None, :]
        differences[np.abs(differences) <= TOLERANCE * np.abs(means).max()] = 0
        return differences

    def _frame(self, values: NDArray[np.float64]) -> pd.DataFrame:
        names = pd.Index(self.runs, name="run")
        return pd.DataFrame(values, index=names, columns=names)


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

        p_{ij} = \frac{1}{B} \left|\left\{ b : \max_k \bar x^{(b)}_k - \min_k \bar x^{(b)}_k
        \geq |\bar x_i - \bar x_j| \right\}\right|

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
        If all runs have the same scores, every p is 1, and its ``notes`` say so.

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
    _at_least_one(trials, "trials")
    count, topics, runs = scores.values.shape
    key = kernels.stream_key(seed, "randomised Tukey HSD")
    layers = kernels.as_layers(scores.values)
    means = scores.values.mean(axis=1)
    slack = _slack(scores.values)
    first, second = np.triu_indices(runs, 1)
    observed = np.abs(means[:, first] - means[:, second]) - slack[:, None]
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
    for _, _, found in kernels.in_chunks(work, trials, steps, threads, progress):
        reached += found
    # At least the lowest k + 1, that is, the threshold at k.
    exceeding = np.flip(np.cumsum(np.flip(reached, axis=1), axis=1), axis=1)[:, 1:]
    exceed = np.full((count, runs, runs), trials, np.int64)
    for k in range(count):
        positions = np.searchsorted(thresholds[k], observed[k])
        exceed[k, first, second] = exceed[k, second, first] = exceeding[k, positions]
    return _tests(scores, trials, seed, "randomised", exceed / trials, exceed)


def parametric_tukey_hsd(
    scores: ScoreMatrix, measures: Sequence[str] | None = None
) -> SignificanceTests:
    r"""Tukey's HSD test of the differences between all runs, topics being blocks.

    .. math::

        p_{ij} = P\left(Q_{m,\,(m-1)(n-1)} \geq |\bar x_i - \bar x_j| / \sqrt{V_{E2} / n}\right)

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

    References
    ----------
    Tukey (1949); Sakai (2018), Laboratory Experiments in Information Retrieval.
    """
    from scipy.stats import studentized_range  # takes half a second

    scores = _chosen(scores, measures)
    _, topics, runs = scores.values.shape
    means = scores.values.mean(axis=1)
    differences = np.abs(means[:, :, None] - means[:, None, :])
    same = differences <= _slack(scores.values)[:, None, None]
    _, v_e2 = residual_variances(scores.values)
    p = np.ones_like(differences)
    first, second = np.triu_indices(runs, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = differences[:, first, second] / np.sqrt(v_e2 / topics)[:, None]
    finite = np.isfinite(q)
    upper = np.zeros_like(q)
    upper[finite] = studentized_range.sf(q[finite], runs, (runs - 1) * (topics - 1))
    upper = np.clip(upper, 0, 1)
    p[:, first, second] = p[:, second, first] = upper
    p[same] = 1
    return _tests(scores, 0, 0, "parametric", p, np.zeros(p.shape, np.int64))


def residual_variances(values: Floats) -> tuple[Floats, Floats]:
    r"""Residual variances of analyses of variance of scores (measures, topics, runs).

    .. math::

        V_{E1} = \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot})^2}{m(n-1)}, \qquad
        V_{E2} = \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot} - \bar x_{\cdot j} + \bar x)^2}
        {(m-1)(n-1)}

    for m runs i and n topics j: one-way, and two-way without replication. Returns both, one
    value per measure; what float noise alone could make is 0.
    """
    _, topics, runs = values.shape
    within = values - values.mean(axis=1, keepdims=True)
    v_e1 = (within**2).sum(axis=(1, 2)) / (runs * (topics - 1))
    within -= within.mean(axis=2, keepdims=True)
    v_e2 = (within**2).sum(axis=(1, 2)) / ((runs - 1) * (topics - 1))
    noise = _slack(values) ** 2
    return np.where(v_e1 <= noise, 0.0, v_e1), np.where(v_e2 <= noise, 0.0, v_e2)


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
        Number of trials, or of all ways to flip the signs where the test is exact.
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
    a: ArrayLike, b: ArrayLike, trials: int = 5000, seed: int = 0
) -> RandomisationTest:
    """Two-sided, paired randomisation test of the difference between two runs.

    If the runs are the same, the sign of each topic's difference is a coin toss: p is the share
    of trials, each with tossed signs, whose mean difference is at least as large as the observed
    one. Where there are no more ways to choose the signs than trials, all are counted.

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
        If the scores are not two vectors of one length, of finite numbers.

    References
    ----------
    Smucker, Allan and Carterette (2007); SIGIR'18, Section 5.

    Examples
    --------
    >>> result = randomisation_test([0.4, 0.5, 0.9], [0.1, 0.3, 0.5])
    >>> result.p, result.exact                   # of the 8 ways, +++ and --- reach 0.9 / 3
    (0.25, True)
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise ValueError(
            "two vectors of scores on the same topics are needed; "
            f"they have the shapes {first.shape} and {second.shape}"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("the scores must be finite numbers")
    _at_least_one(trials, "trials")
    key = kernels.stream_key(seed, "randomisation test")
    topics = len(first)
    exact = 2**topics <= trials
    count = 2**topics if exact else trials
    differences = first - second
    slack = TOLERANCE * topics * max(np.abs(first).max(), np.abs(second).max())
    threshold = abs(differences.sum()) - slack

    def work(start: int, stop: int) -> int:
        sums = kernels.flipped_sums(differences, key, start, stop, exact)
        return int(np.count_nonzero(np.abs(sums) >= threshold))

    reached = sum(found for *_, found in kernels.in_chunks(work, count, topics, threads=1))
    p = reached / count
    low, high = (p, p) if exact else _clopper_pearson(np.int64(reached), count, 0.95)
    return RandomisationTest(
        float(differences.mean()),
        p,
        0.0 if exact else (p * (1 - p) / count) ** 0.5,
        float(low),
        float(high),
        count,
        exact,
    )


def _chosen(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    """Return the scores by the chosen measures, if there is something to test."""
    if isinstance(measures, str):
        raise ValueError(f"measures must be several names, not {measures!r}; write [{measures!r}]")
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


def _at_least_one(number: int, name: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise ValueError(f"{name} must be a whole number from 1, not {number!r}")


def _slack(values: Floats) -> Floats:
    """By how much means that are equal may differ for float noise, per measure."""
    slack: Floats = TOLERANCE * np.abs(values).max(axis=(1, 2))
    return slack


def _clopper_pearson(counts: ArrayLike, trials: int, level: float) -> tuple[Floats, Floats]:
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    counts = np.asarray(counts, dtype=np.float64)
    tail = (1 - level) / 2
    some, rest = np.maximum(counts, 1), np.maximum(trials - counts, 1)
    low = np.where(counts == 0, 0.0, betaincinv(some, trials - some + 1, tail))
    high = np.where(counts == trials, 1.0, betaincinv(trials - rest + 1, rest, 1 - tail))
    return low, high


def _tests(
    scores: ScoreMatrix,
    trials: int,
    seed: int,
    method: Literal["randomised", "parametric"],
    p: Floats,
    exceed: Integers,
) -> SignificanceTests:
    names = pd.Index(scores.runs, name="run")
    by_measure = pd.Index(scores.measures, name="measure")
    v_e1, v_e2 = residual_variances(scores.values)
    return SignificanceTests(
        scores.task,
        scores.measures,
        scores.runs,
        len(scores.topics),
        trials,
        seed,
        method,
        {
            measure: pd.DataFrame(p[k], index=names, columns=names)
            for k, measure in enumerate(scores.measures)
        },
        scores.means(),
        dict(scores.better),
        pd.Series(v_e1, index=by_measure, name="v_e1"),
        pd.Series(v_e2, index=by_measure, name="v_e2"),
        exceed,
    )
