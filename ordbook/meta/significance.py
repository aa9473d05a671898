"""Which runs differ: Tukey's randomised HSD test of all runs, and the result of every such test.

Tests by other formulas are in :mod:`ordbook.meta.parametric`, that of only two runs in
:mod:`ordbook.meta.randomisation`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from ordbook.data.scores import TIE_TOLERANCE, Better, ScoreMatrix
from ordbook.meta import kernels
from ordbook.meta.kendall import pair_signs
from ordbook.meta.kernels import Integers
from ordbook.meta.parallel import Progress, further, in_chunks
from ordbook.meta.studentised import studentised_quantile
from ordbook.meta.validation import at_least, between_0_and_1, chosen_scores, whole_number
from ordbook.meta.variances import Floats, residual_variances
from ordbook.words import Glance, counted

Method = Literal["randomised", "parametric", "paired t"]
# The papers' number of trials. A sequential test may stop there, and whenever it has doubled.
TRIALS = 5000
# It ends after so many trials, or sooner where these would go through more scores of a measure:
# 40,000 trials of 60 runs on 500 topics, 15 seconds for 13 measures on two processors.
MOST_TRIALS, MOST_SCORES = 1_000_000, 1_600_000_000
# A decision is safe if it is, with this probability at least, the one of endless trials.
SURE = 0.999


class Trials(NamedTuple):
    """Random trials of some measures, each of so many steps of work.

    ``ranges`` gives the largest difference of the permuted runs, (trials, measures), from the first
    trial to the one before the last number.
    """

    ranges: Callable[[int, int], Floats]
    steps: int


@dataclass(frozen=True, eq=False, repr=False)
class SignificanceTests(Glance):
    """Significance of the difference between every two runs, by every measure.

    A table of pairs is a DataFrame with a row per pair of runs (first, second), in the order of
    ``itertools.combinations(runs, 2)``, and a column per measure.

    Attributes
    ----------
    task
        Name of the task.
    measures, runs
        Names.
    topics
        Number of topics.
    trials
        Of the randomised test, by measure; 0 for the other methods.
    seed
        Of the randomised test.
    method
        ``randomised`` or ``parametric`` (Tukey's HSD test), or ``paired t``.
    p
        Table of pairs: the p-values; 1 if two runs have the same mean. Of a randomised test, the
        share of trials whose largest difference reached the observed one. The pairs of a measure
        share the trials, so a pair's trials are among those of any pair that differs less.
    means
        Mean scores: a DataFrame, run x measure.
    better
        Measure -> whether ``low`` or ``high`` scores are better.
    v_e1, v_e2
        Measure -> residual variance; see :func:`ordbook.meta.variances.residual_variances`.
    oriented
        Mean oriented scores, run x measure, of which those within 1e-12 tie; see
        :attr:`ordbook.ScoreMatrix.oriented`.
    stops
        After how many numbers of trials a sequential test could have ended; 1 if it was fixed.
    """

    task: str
    measures: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    trials: pd.Series
    seed: int
    method: Method
    p: pd.DataFrame
    means: pd.DataFrame
    better: Mapping[str, Better]
    v_e1: pd.Series
    v_e2: pd.Series
    oriented: pd.DataFrame
    stops: int = 1

    def __repr__(self) -> str:
        how = f"{self.size}, seed {self.seed}" if self.trials.any() else "no trials"
        return (
            f"<{type(self).__name__} {self.task}: {counted(len(self.measures), 'measure')}, "
            f"{counted(len(self.runs), 'run')}, {counted(self.topics, 'topic')}; {self.method}, "
            f"{how}>"
        )

    @property
    def size(self) -> str:
        """The number of trials in words, such as ``5,000 to 80,000 trials``."""
        least, most = self.trials.min(), self.trials.max()
        return f"{least:,} to {most:,} trials" if least < most else f"{most:,} trials"

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the limits of these tests.

        They name measures by which all runs score the same, and say if topics and runs are too few
        for any p below .05: the same permutation in all n topics changes nothing, so that with m
        runs no p is below :math:`(m!)^{1 - n}`, except by the chance of few trials.
        """
        same = (self.v_e2 == 0) & (self.signs == 0).all()
        notes = [
            f"{self.task}: by {measure} all runs have the same scores on every topic, so every p "
            "is 1 and effect sizes are undefined"
            for measure in self.measures
            if same[measure]
        ]
        runs, topics = len(self.runs), self.topics
        least = math.exp((1 - topics) * math.lgamma(runs + 1))
        if self.method == "randomised" and least >= 0.05:
            notes.append(
                f"{self.task}: scores of {runs} runs, {topics} of each, can be permuted in so few "
                f"ways that no p is below {least:.3g}, however far the runs are apart: nothing can "
                "be significant at .05"
            )
        return tuple(notes)

    @cached_property
    def signs(self) -> pd.DataFrame:
        """Table of pairs: 1 if the first run has the better mean, -1 the second, 0 if they tie."""
        signs = -pair_signs(self.oriented.to_numpy().T).T.astype(np.int64)
        return pd.DataFrame(signs, self.p.index, self.p.columns)

    @property
    def differences(self) -> pd.DataFrame:
        """Table of pairs: mean of the first run less mean of the second; 0 if they tie."""
        means = self.means.to_numpy()
        first, second = np.triu_indices(len(means), 1)
        differences = pd.DataFrame(means[first] - means[second], self.p.index, self.p.columns)
        return differences.where(self.signs != 0, 0.0)

    @property
    def low(self) -> pd.DataFrame:
        """Table of pairs: the lower 95% limit of p, of :meth:`limits`."""
        return self._interval[0]

    @property
    def high(self) -> pd.DataFrame:
        """Table of pairs: the upper 95% limit of p, of :meth:`limits`."""
        return self._interval[1]

    @cached_property
    def _interval(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return self.limits()

    def limits(self, level: float = 0.95) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Clopper and Pearson's interval of every p: its lower and upper limits, tables of pairs.

        It holds the p of endless trials with a probability of at least ``level``, even
        if a sequential test ended early: the error is shared equally among its stops. The
        limits of tests without trials, and of runs with the same mean, equal p.
        """
        sure = 1 - (1 - between_0_and_1(level, "level")) / self.stops
        low, high = self.p.copy(), self.p.copy()
        for measure, trials in self.trials[self.trials > 0].items():
            reached = np.rint(self.p[measure] * trials)
            low[measure], high[measure] = clopper_pearson(reached, trials, sure)
        tied = self.signs == 0
        return low.mask(tied, 1.0), high.mask(tied, 1.0)

    def effect_sizes(self, variance: Literal["e2", "e1"] = "e2") -> pd.DataFrame:
        r"""Differences of means in standard deviations, :math:`(\bar x_i - \bar x_j) / \sqrt V`.

        Parameters
        ----------
        variance
            ``"e2"``, as in ACL'21, or ``"e1"``, as in DialEval-1.

        Returns
        -------
        DataFrame
            Table of pairs: positive if the first run has the higher mean, better or worse. If the
            variance is 0: infinite, or NaN between runs with the same mean.
        """
        if variance not in ("e1", "e2"):
            raise ValueError(f"variance must be 'e1' or 'e2', not {variance!r}")
        residual = self.v_e2 if variance == "e2" else self.v_e1
        return self.differences.div(residual**0.5)

    def matrix(self, measure: str) -> pd.DataFrame:
        """Return p as a square, run x run: symmetric, 1 on the diagonal."""
        square = np.eye(len(self.runs))
        square[np.triu_indices_from(square, 1)] = self._tested(measure, self.p)
        names = pd.Index(self.runs, name="run")
        return pd.DataFrame(np.maximum(square, square.T), names, names)

    def pairs(self, measure: str) -> pd.DataFrame:
        """One row per pair of runs.

        Its columns are first, second, difference (mean of the first minus mean of the second),
        p, its 95% limits low and high, and the effect sizes es_e1 and es_e2.
        """
        tables = {
            "difference": self.differences,
            "p": self.p,
            "low": self.low,
            "high": self.high,
            "es_e1": self.effect_sizes("e1"),
            "es_e2": self.effect_sizes("e2"),
        }
        return pd.DataFrame(
            {name: self._tested(measure, table) for name, table in tables.items()}
        ).reset_index()

    def _tested(self, measure: str, table: pd.DataFrame) -> pd.Series:
        if measure not in self.measures:
            raise ValueError(
                f"{self.task}: no test by {measure!r}; there are {', '.join(self.measures)}"
            )
        return table[measure]


def collect(
    scores: ScoreMatrix,
    method: Method,
    p: Floats,
    trials: int | Integers = 0,
    seed: int = 0,
    stops: int = 1,
) -> SignificanceTests:
    """Put p-values, (measures, pairs), into one object with names, means and variances."""
    runs = pd.Index(scores.runs, name="run")
    measures = pd.Index(scores.measures, name="measure")
    first, second = np.triu_indices(len(runs), 1)
    pairs = pd.MultiIndex.from_arrays([runs[first], runs[second]], names=["first", "second"])
    v_e1, v_e2 = residual_variances(scores.values)
    return SignificanceTests(
        scores.task,
        scores.measures,
        scores.runs,
        len(scores.topics),
        pd.Series(trials, index=measures, name="trials"),
        seed,
        method,
        pd.DataFrame(p.T, pairs, measures),
        scores.means(),
        dict(scores.better),
        pd.Series(v_e1, index=measures, name="v_e1"),
        pd.Series(v_e2, index=measures, name="v_e2"),
        pd.DataFrame(scores.oriented.mean(axis=1).T, runs, measures),
        stops,
    )


def clopper_pearson(counts: ArrayLike, trials: int, level: float) -> tuple[Floats, Floats]:
    """Return Clopper and Pearson's limits of the share that endless trials would give."""
    between_0_and_1(level, "level")
    counts, places = np.unique(np.asarray(counts, dtype=np.float64), return_inverse=True)
    tail = (1 - level) / 2
    hits, misses = np.maximum(counts, 1), np.maximum(trials - counts, 1)
    low = np.where(counts == 0, 0.0, betaincinv(hits, trials - hits + 1, tail))
    high = np.where(counts == trials, 1.0, betaincinv(trials - misses + 1, misses, 1 - tail))
    return low[places], high[places]


def tukey_hsd(
    scores: ScoreMatrix,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    measures: Sequence[str] | None = None,
    progress: Progress | None = None,
    *,
    decide_at: float | None = None,
    level: float = SURE,
) -> SignificanceTests:
    r"""Test the differences between all runs: the randomised, paired Tukey HSD test.

    Each trial permutes the runs' scores within every topic, which is harmless if all runs
    are the same (the null hypothesis). With :math:`\bar x^{(b)}` the permuted means of trial b,

    .. math::

        p_{ij} &= \frac{1}{B} \left|\left\{ b : R^{(b)} \geq |\bar x_i - \bar x_j| \right\}\right|,

        R^{(b)} &= \max_k \bar x^{(b)}_k - \min_k \bar x^{(b)}_k

    Comparing every pair with the largest difference keeps the probability of one or more false
    alarms, over all pairs, at the significance level, if all runs are exchangeable: their scores
    must have the same distribution on every topic, not only the same mean. Where the scores of one
    run vary more than those of other runs, as those of a baseline that bets on one class do, the
    test finds too much. Of 2,000 simulated tasks of 12 runs on 100 topics with equal means it found
    a difference at .05 in 16% where one run had 3 times the standard deviation of the other runs,
    and in 21% where it had 5.5 times; :func:`ordbook.paired_t` did so in 3% of both.

    Differences within 1e-12 of the largest score are equal, so that float noise decides nothing.

    With a fixed number of trials, the seed may decide on which side of the significance level a
    close p falls. ``decide_at`` makes the test sequential: after 5,000 trials, and whenever their
    number has doubled, a measure is done if no interval of a p holds the significance level.
    The intervals are Clopper and Pearson's, with the error ``1 - level`` shared equally among
    all stops. All pairs of a measure share its trials, so the p-values next to the
    significance level decide for all: for each measure, the probability is at least ``level``
    that every decision is the one of endless trials.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    trials
        Number of trials, B; by default 5,000. The papers use 1,000 to 10,000. With
        ``decide_at``, the largest number: by default 5,000, doubled up to 640,000, as long as the
        trials go through at most 1.6 billion scores of a measure, which may take 15 seconds.
    seed
        A whole number from 0. The permutations depend only on seed and trial: they are the same
        for every measure, choice of measures and number of threads.
    threads
        By default one per processor.
    measures
        Which measures, in which order; by default all.
    progress
        Called now and then as ``progress(trials done, trials)``.
    decide_at
        The significance level at which every pair is to be decided, between 0 and 1; by default
        none, and the number of trials is fixed.
    level
        Probability, for each measure, that all its decisions are right.

    Returns
    -------
    SignificanceTests
        If all runs have the same scores, every p is 1. Its ``notes`` say so, and they say
        if runs and topics are too few for any p below .05.

    Raises
    ------
    ValueError
        If there are fewer than two runs or topics, or more than 4,096 runs (the random indices
        would be biased by more than 2**-20), a measure is unknown, or a number is out of range.

    References
    ----------
    Carterette (2012); Sakai (2018); ACL'21, footnote 7; LQ'21, Table 3. Sequential tests: Gandy
    (2009), Sequential Implementation of Monte Carlo Tests with Uniformly Bounded Resampling Risk.

    Examples
    --------
    >>> import ordbook as ob
    >>> from ordbook.meta.significance import tukey_hsd
    >>> scores = ob.score(ob.load("sem16t4e"))
    >>> tests = tukey_hsd(scores, measures=["NMD"])
    >>> bool(tests.matrix("NMD").loc["ECNU", "HSENN"] < 0.001)
    True
    >>> int((tests.p["NMD"] < 0.05).sum())  # of 66; LQ'21 Table 3 has 38
    37
    >>> tukey_hsd(scores, measures=["JSD"], decide_at=0.05).trials.to_dict()
    {'JSD': 20000}
    """
    scores = tested_scores(scores, measures)
    if len(scores.runs) > kernels.MOST_RUNS:
        raise ValueError(
            f"{scores.task}: {len(scores.runs)} runs; at most {kernels.MOST_RUNS} can be tested"
        )
    between_0_and_1(level, "level")
    _, topics, runs = scores.values.shape
    if trials is None:
        trials = TRIALS if decide_at is None else most_trials(topics * runs)
    key = kernels.stream_key(seed, "randomised Tukey HSD")

    def trials_of(measures: Integers) -> Trials:
        values = np.ascontiguousarray(np.moveaxis(scores.oriented[measures], 0, 2))
        return Trials(lambda i, j: kernels.permuted_ranges(values, key, i, j), values.size)

    return randomised(scores, trials_of, trials, seed, threads, progress, decide_at, level)


def asymptotic_signs(scores: ScoreMatrix, alpha: float) -> Integers:
    """Return which run of each pair is significantly better by :func:`tukey_hsd` of many topics.

    (measures, pairs): 1 if the first run is significantly better, -1 if the second is, and else 0.
    In the limit, a difference is significant if it exceeds a quantile of the range of m standard
    normal variables, times the standard error of a mean by the variance among runs on a topic. On
    SemEval-2016 and STC-3 every p lay within .006 of 200,000 trials with 100 topics, within .04
    with 20.
    """
    _, topics, runs = scores.values.shape
    among_runs = scores.oriented.var(axis=2, ddof=1).mean(axis=1)
    limits = studentised_quantile(1 - alpha, runs, math.inf) * np.sqrt(among_runs / topics)
    means = scores.oriented.mean(axis=1)
    return -pair_signs(means, np.maximum(limits, TIE_TOLERANCE)[:, None]).astype(np.int64)


def randomised(
    scores: ScoreMatrix,
    trials_of: Callable[[Integers], Trials],
    trials: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
    decide_at: float | None,
    level: float,
) -> SignificanceTests:
    """Compare the differences of means with the largest ones in trials, as :func:`tukey_hsd` does.

    ``trials_of`` gives the trials of the measures at some places, those that are not decided.
    """
    trials = whole_number(trials, "trials")
    stops = [trials]
    if decide_at is not None:
        between_0_and_1(decide_at, "decide_at")
        stops = [min(TRIALS, trials)]
        while stops[-1] < trials:
            stops.append(min(2 * stops[-1], trials))
    sure = 1 - (1 - level) / len(stops)
    observed = mean_differences(scores) - TIE_TOLERANCE
    thresholds = np.sort(observed, axis=1)
    exceeding = np.zeros(thresholds.shape, np.int64)
    done = np.zeros(len(thresholds), np.int64)
    undecided = np.arange(len(thresholds))
    for before, stop in pairwise([0, *stops]):
        exceeding[undecided] += _exceeding(
            trials_of(undecided), thresholds[undecided], (before, stop),
            threads, further(progress, before, stops[-1]),
        )  # fmt: skip
        done[undecided] = stop
        if decide_at is not None:
            undecided = undecided[
                [not _decided(exceeding[k], stop, decide_at, sure) for k in undecided]
            ]
        if not len(undecided):
            break
    counts = [
        exceeding[k, np.searchsorted(thresholds[k], observed[k])] for k in range(len(observed))
    ]
    p = np.stack(counts) / done[:, None]
    return collect(scores, "randomised", p, done, int(seed), len(stops))


def mean_differences(scores: ScoreMatrix) -> Floats:
    """Return the absolute differences of the oriented means, (measures, pairs)."""
    means = scores.oriented.mean(axis=1)
    first, second = np.triu_indices(means.shape[1], 1)
    differences: Floats = np.abs(means[:, first] - means[:, second])
    return differences


def most_trials(scores: int) -> int:
    """Return how many trials a sequential test takes at most, from the scores of a measure.

    Of ten runs on 100,000 items it takes a thousand, which is seconds.
    """
    if TRIALS * scores > 3 * MOST_SCORES:
        return 1000
    trials = TRIALS
    while 2 * trials <= MOST_TRIALS and 2 * trials * scores <= MOST_SCORES:
        trials *= 2
    return trials


def _exceeding(
    trials: Trials,
    thresholds: Floats,
    span: tuple[int, int],
    threads: int | None,
    progress: Progress | None,
) -> Integers:
    """Count the trials of a span whose largest difference reaches each threshold, by measure."""
    begin, end = span
    # How many trials reach exactly the lowest k thresholds, k from 0 to all.
    reached = np.zeros((len(thresholds), thresholds.shape[1] + 1), np.int64)

    def work(start: int, stop: int) -> list[Integers]:
        largest = trials.ranges(begin + start, begin + stop).T
        return [
            np.searchsorted(*pair, side="right") for pair in zip(thresholds, largest, strict=True)
        ]

    for _, _, positions in in_chunks(work, end - begin, trials.steps, threads, progress):
        for counts, places in zip(reached, positions, strict=True):
            np.add.at(counts, places, 1)
    # At least the lowest k + 1, that is, the threshold at k.
    exceeding = reached[:, ::-1]
    np.cumsum(exceeding, axis=1, out=exceeding)
    return reached[:, 1:]


def _decided(exceeding: Integers, trials: int, alpha: float, level: float) -> bool:
    """Whether the interval of no p holds alpha: of the two p next to it, for the others follow."""
    place = np.searchsorted(-exceeding / trials, -alpha, side="right")  # the first p below alpha
    low, high = clopper_pearson(exceeding[max(place - 1, 0) : place + 1], trials, level)
    return not ((low < alpha) & (alpha <= high)).any()


def tested_scores(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    """Return the scores by the chosen measures; refuse scores that no test can use."""
    scores = chosen_scores(scores, measures)
    at_least(scores, "a significance test", runs=2)
    mend = "; for labels, ordbook.meta.items.item_tests"
    at_least(scores, "a significance test", topics=2, mend=mend)
    return scores
