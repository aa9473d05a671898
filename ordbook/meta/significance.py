"""Which runs differ: Tukey's randomised HSD test of all runs, and the result of every such test.

Tests without random trials are in :mod:`ordbook.meta.parametric`, that of only two runs in
:mod:`ordbook.meta.randomisation`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from ordbook.data.scores import Better, ScoreMatrix
from ordbook.meta import kernels
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.kernels import Integers
from ordbook.meta.parallel import Progress, further, in_chunks
from ordbook.meta.validation import between_0_and_1, chosen_scores, whole_number
from ordbook.meta.variances import Floats, residual_variances
from ordbook.words import Glance, counted

Method = Literal["randomised", "parametric", "paired t"]
# The largest difference in each trial, by measure: (first trial, the one after the last).
Ranges = Callable[[int, int], Floats]
# A sequential test looks after so many trials, the papers' number, and whenever they have doubled.
FIRST_LOOK = 5000
# It ends after so many trials, or sooner where these would go through more scores of a measure:
# 40,000 trials of 60 runs on 500 topics, 5 seconds for 13 measures on two processors.
MOST_TRIALS, MOST_SCORES = 1_000_000, 1_600_000_000

# A decision is safe if it is, with this probability at least, the one of endless trials.
SURE = 0.999


@dataclass(frozen=True, eq=False, repr=False)
class SignificanceTests(Glance):
    """Significance of the difference between every two runs, by every measure.

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
        Measure -> DataFrame run x run, symmetric, 1 on the diagonal and if two runs have
        the same mean.
    means
        Mean scores: a DataFrame, run x measure.
    better
        Measure -> whether ``low`` or ``high`` scores are better.
    v_e1, v_e2
        Measure -> residual variance; see :func:`ordbook.meta.variances.residual_variances`.
    oriented
        Mean oriented scores, run x measure, of which those within 1e-12 tie; see
        :attr:`ordbook.ScoreMatrix.oriented`.
    exceed
        (measures, runs, runs): number of trials whose largest difference reached the observed
        one; p is their share of all trials. The pairs of a measure share the trials, so a pair's
        trials are among those of any pair that differs less.
    looks
        How often a sequential test could have ended; 1 if the number of trials was fixed.
    """

    task: str
    measures: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    trials: pd.Series
    seed: int
    method: Method
    p: Mapping[str, pd.DataFrame]
    means: pd.DataFrame
    better: Mapping[str, Better]
    v_e1: pd.Series
    v_e2: pd.Series
    oriented: pd.DataFrame
    exceed: Integers
    looks: int = 1

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
        notes = [
            f"{self.task}: by {measure} all runs have the same scores on every topic, so every p "
            "is 1 and effect sizes are undefined"
            for measure in self.measures
            if self.v_e2[measure] == 0 and self.differences(measure).max() == 0
        ]
        runs, topics = len(self.runs), self.topics
        least = math.exp((1 - topics) * math.lgamma(runs + 1))
        if self.method == "randomised" and least >= 0.05:
            notes.append(
                f"{self.task}: {runs} runs on {topics} topics can be permuted in so few ways that "
                f"no p is below {least:.3g}, however far the runs are apart: nothing can be "
                "significant at .05"
            )
        return tuple(notes)

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
            Positive if the run of the row has the higher mean, better or worse. If the
            variance is 0: infinite, or NaN between runs with the same mean.
        """
        if variance not in ("e1", "e2"):
            raise ValueError(f"variance must be 'e1' or 'e2', not {variance!r}")
        differences = self.differences(measure)
        residual = float((self.v_e2 if variance == "e2" else self.v_e1)[measure])
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._frame(differences / np.sqrt(residual))

    def p_interval(self, measure: str, level: float = 0.95) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Clopper and Pearson's interval of every p: the lower and upper limits, run x run.

        It holds the p of endless trials with a probability of at least ``level``, even
        if a sequential test ended early: the error is shared equally among its looks. The
        limits of tests without trials, and of runs with the same mean, equal p.
        """
        p, trials = self._table(measure), int(self.trials[measure])
        if not trials:
            return p.copy(), p.copy()
        counts = self.exceed[self.measures.index(measure)]
        sure = 1 - (1 - between_0_and_1(level, "level")) / self.looks
        low, high = clopper_pearson(counts, trials, sure)
        same = self.differences(measure) == 0
        return self._frame(np.where(same, 1.0, low)), self._frame(np.where(same, 1.0, high))

    def pairs(self, measure: str, level: float = 0.95) -> pd.DataFrame:
        """One row per pair of runs.

        Its columns are first, second, difference (mean of the first minus mean of the second),
        p, the limits low and high of p, and the effect sizes es_e1 and es_e2.
        """
        low, high = self.p_interval(measure, level)
        rows, columns = np.triu_indices(len(self.runs), 1)
        tables = {
            "difference": self._frame(self.differences(measure)),
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

    def matrix(self, measure: str) -> pd.DataFrame:
        """Return p as a square, run x run: symmetric, 1 on the diagonal."""
        return self._table(measure)

    def _table(self, measure: str) -> pd.DataFrame:
        if measure not in self.measures:
            raise ValueError(
                f"{self.task}: no test by {measure!r}; there are {', '.join(self.measures)}"
            )
        return self.p[measure]

    def differences(self, measure: str) -> Floats:
        """Differences of means, the row's less the column's; 0 if they are float noise."""
        self._table(measure)
        means = self.means[measure].to_numpy()
        differences: Floats = means[:, None] - means[None, :]
        oriented = self.oriented[measure].to_numpy()
        differences[np.abs(oriented[:, None] - oriented) <= TIE_TOLERANCE] = 0
        return differences

    def _frame(self, values: NDArray[np.float64]) -> pd.DataFrame:
        names = pd.Index(self.runs, name="run")
        return pd.DataFrame(values, index=names, columns=names)


def collect(
    scores: ScoreMatrix,
    trials: Integers,
    seed: int,
    method: Method,
    p: Floats,
    exceed: Integers,
    looks: int = 1,
) -> SignificanceTests:
    """Put (measures, runs, runs) p-values and counts into one object with names and variances."""
    names = pd.Index(scores.runs, name="run")
    by_measure = pd.Index(scores.measures, name="measure")
    v_e1, v_e2 = residual_variances(scores.values)
    return SignificanceTests(
        scores.task,
        scores.measures,
        scores.runs,
        len(scores.topics),
        pd.Series(trials, index=by_measure, name="trials"),
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
        pd.DataFrame(scores.oriented.mean(axis=1).T, index=names, columns=by_measure),
        exceed,
        looks,
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
    all looks. All pairs of a measure share its trials, so the p-values next to the
    significance level decide for all: for each measure, the probability is at least ``level``
    that every decision is the one of endless trials. :func:`ordbook.pairs_in_doubt` lists the
    pairs that the last trial leaves undecided at this level.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least two topics.
    trials
        Number of trials, B; by default 5,000. The papers use 1,000 to 10,000. With
        ``decide_at``, the largest number: by default 5,000, doubled up to 640,000, as long as the
        trials go through at most 1.6 billion scores of a measure. That takes some 5 seconds for
        13 measures on two processors.
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
    >>> bool(tests.p["NMD"].loc["ECNU", "HSENN"] < 0.001)
    True
    >>> int((tests.pairs("NMD")["p"] < 0.05).sum())  # of 66; LQ'21 Table 3 has 38
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
        trials = FIRST_LOOK if decide_at is None else most_trials(topics * runs)
    trials = whole_number(trials, "trials")
    key = kernels.stream_key(seed, "randomised Tukey HSD")

    def ranges_of(going: Integers) -> tuple[Ranges, int]:
        layers = kernels.as_layers(scores.oriented[going])
        steps = layers[:, :, 0].size * (1 + layers.shape[2] // kernels.LANES)
        measures = len(going)
        return lambda i, j: kernels.permuted_ranges(layers, key, i, j)[:, :measures], steps

    return randomised(scores, ranges_of, trials, seed, threads, progress, decide_at, level)


def randomised(
    scores: ScoreMatrix,
    ranges_of: Callable[[Integers], tuple[Ranges, int]],
    trials: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
    decide_at: float | None,
    level: float,
) -> SignificanceTests:
    """Compare the differences of means with the largest ones in trials, as :func:`tukey_hsd` does.

    Parameters
    ----------
    scores
        Whose means are compared.
    ranges_of
        Places of the measures that need trials -> a function of the first trial and of the one
        after the last, which returns the largest difference in each, (trials, measures); and how
        many steps of work a trial is.
    trials, seed, threads, progress, decide_at, level
        As for :func:`tukey_hsd`; a measure is decided at ``decide_at``.
    """
    trials = whole_number(trials, "trials")
    looks = [trials]
    if decide_at is not None:
        between_0_and_1(decide_at, "decide_at")
        looks = [min(FIRST_LOOK, trials)]
        while looks[-1] < trials:
            looks.append(min(2 * looks[-1], trials))
    count, _, runs = scores.values.shape
    means = scores.oriented.mean(axis=1)
    first, second = np.triu_indices(runs, 1)
    observed = np.abs(means[:, first] - means[:, second]) - TIE_TOLERANCE
    thresholds = np.sort(observed, axis=1)
    exceeding = np.zeros(thresholds.shape, np.int64)
    done = np.zeros(count, np.int64)
    going = np.arange(count)
    for before, look in pairwise([0, *looks]):
        ranges, steps = ranges_of(going)
        exceeding[going] += _exceeding(
            ranges, steps, thresholds[going], (before, look),
            threads, further(progress, before, looks[-1]),
        )  # fmt: skip
        done[going] = look
        if decide_at is not None:
            sure = 1 - (1 - level) / len(looks)
            going = going[[not _decided(exceeding[k], look, decide_at, sure) for k in going]]
        if not len(going):
            break
    exceed = np.empty((count, runs, runs), np.int64)
    exceed[:] = done[:, None, None]
    for k in range(count):
        positions = np.searchsorted(thresholds[k], observed[k])
        exceed[k, first, second] = exceed[k, second, first] = exceeding[k, positions]
    p = exceed / done[:, None, None]
    return collect(scores, done, int(seed), "randomised", p, exceed, len(looks))


def most_trials(scores: int) -> int:
    """Return how many trials a sequential test takes at most, from the scores of a measure.

    Of ten runs on 100,000 items it takes a thousand, which is seconds.
    """
    if FIRST_LOOK * scores > 3 * MOST_SCORES:
        return 1000
    trials = FIRST_LOOK
    while 2 * trials <= MOST_TRIALS and 2 * trials * scores <= MOST_SCORES:
        trials *= 2
    return trials


def _exceeding(
    ranges: Ranges,
    steps: int,
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
        largest = ranges(begin + start, begin + stop).T
        return [
            np.searchsorted(*pair, side="right") for pair in zip(thresholds, largest, strict=True)
        ]

    for _, _, positions in in_chunks(work, end - begin, steps, threads, progress):
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
    if not scores.measures:
        raise ValueError(f"{scores.task}: no measure to test by; name at least one")
    few = f"{scores.task}: a significance test needs at least 2"
    if len(scores.runs) < 2:
        raise ValueError(f"{few} runs, there is {len(scores.runs)}")
    if len(scores.topics) < 2:
        raise ValueError(f"{few} topics, there is 1; for labels, ordbook.meta.items.item_tests")
    return scores
