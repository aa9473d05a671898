"""System ranking consistency: how alike two samples of topics rank the runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ordbook.data.problems import as_notes
from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.kernels import stream_key
from ordbook.meta.parallel import Progress
from ordbook.meta.significance import TRIALS, SignificanceTests, tukey_hsd
from ordbook.meta.splits import sampled, tau_between
from ordbook.meta.validation import at_least, between_0_and_1, chosen_scores, whole_number
from ordbook.meta.variances import Floats, residual_variances, settled


@dataclass(frozen=True, eq=False)
class RankingConsistency:
    """Kendall's tau between the rankings of the runs by two disjoint samples of topics.

    Attributes
    ----------
    task, measures
        Names; the measures in the order of the request.
    sizes
        Numbers of topics in the two samples.
    splits, seed
        Number of random splits, and the seed that they and the test come from.
    tau
        tau-a: a DataFrame, split x measure. Every measure sees the same splits.
    mean
        Measure -> mean tau over the splits, the highest (best) first; ties keep the order of the
        measures.
    v_e2
        Residual variance of the two-way layout of ``tau``, as ACL'21 prints it; NaN for a
        single measure or split.
    threads
        Threads for :attr:`tests`.
    notes
        Sentences on measures whose tau says nothing, because all runs score the same.
    trials
        Of :attr:`tests`.
    """

    task: str
    measures: tuple[str, ...]
    sizes: tuple[int, int]
    splits: int
    seed: int
    tau: pd.DataFrame
    mean: pd.Series
    v_e2: float
    threads: int | None = None
    notes: tuple[str, ...] = ()
    trials: int = TRIALS

    @cached_property
    def tests(self) -> SignificanceTests:
        """Randomised Tukey HSD of the split-by-measure matrix, by default with 5,000 trials.

        Splits take the place of topics and measures that of runs; the measure is ``tau``. Computed
        at its first use.

        Raises
        ------
        ValueError
            If there is only one measure or one split.
        """
        if len(self.measures) < 2 or self.splits < 2:
            raise ValueError(
                f"{self.task}: comparing measures needs at least 2 measures and 2 splits, "
                f"not {len(self.measures)} and {self.splits}"
            )
        matrix = ScoreMatrix(
            self.task,
            self.tau.to_numpy()[None],
            ("tau",),
            tuple(str(split) for split in self.tau.index),
            self.measures,
            {"tau": "high"},
            Provenance("yours", notes=as_notes(["Kendall's tau between random samples of topics"])),
        )
        return tukey_hsd(matrix, self.trials, self.seed, self.threads)

    def effect_size(self) -> pd.DataFrame:
        """Differences of mean tau divided by the square root of V_E2, measure x measure.

        In the order of ``mean``; infinite or NaN if V_E2 is 0.
        """
        mean = self.mean.to_numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            sizes = (mean[:, None] - mean[None, :]) / np.sqrt(self.v_e2)
        return pd.DataFrame(sizes, index=self.mean.index, columns=self.mean.index)

    def outperforms(self, alpha: float = 0.05) -> pd.DataFrame:
        """Whether the measure of the row is significantly more consistent than the column's.

        A DataFrame of bool, measure x measure, in the order of ``mean``: its mean tau is higher,
        and p is below ``alpha``.
        """
        between_0_and_1(alpha, "alpha")
        order = self.mean.index
        significant = self.tests.matrix("tau").loc[order, order].to_numpy() < alpha
        mean = self.mean.to_numpy()
        higher = mean[:, None] > mean[None, :]
        return pd.DataFrame(significant & higher, index=order, columns=order)

    def outperforms_worst(self, alpha: float = 0.05) -> pd.Series:
        """Measure -> the largest k such that it significantly outperforms the worst k measures.

        The symbols of ACL'21's Tables 3, 6 and 9.
        """
        wins = self.outperforms(alpha)
        backwards = wins.to_numpy()[:, ::-1]
        return pd.Series(np.cumprod(backwards, axis=1).sum(axis=1), index=wins.index, name="worst")


def ranking_consistency(
    scores: ScoreMatrix,
    size: int | None = None,
    splits: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    measures: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> RankingConsistency:
    """Correlate the rankings of the runs by two random disjoint samples of the topics, many times.

    Runs are ranked by their mean scores over the topics of a sample. Means within 1e-12 of the
    measure's largest score are ties; a pair of runs tied in either ranking counts as neither
    concordant nor discordant (tau-a).

    Parameters
    ----------
    scores
        Scores of at least two runs on at least three topics.
    size
        Topics in each sample. By default all topics are split in half; of an odd number, the
        second half has one topic more.
    splits
        Number of random splits.
    seed
        A whole number from 0. The splits depend only on the seed and their number: they are the
        same for every measure, choice of measures and number of threads.
    threads
        By default one per processor.
    measures
        Which measures, in which order; by default all.
    progress
        Called now and then as ``progress(splits done, splits)``.

    Returns
    -------
    RankingConsistency
        If all runs are the same on every topic by a measure, its tau is 0 and ``notes`` say so.

    Raises
    ------
    ValueError
        If there are fewer than two runs or three topics (two can be split in only one way), fewer
        topics than two samples need, all runs are the same by every measure, a measure is
        unknown, or a number is out of range.

    References
    ----------
    ACL'21, Section 5.2; DNKT, Section 5.

    Examples
    --------
    >>> import ordbook as ob
    >>> from ordbook.meta.consistency import ranking_consistency
    >>> scores = ob.score(ob.load("sem16t4e"), ["NMD", "RNOD", "JSD"])
    >>> consistency = ranking_consistency(scores)
    >>> consistency.sizes
    (50, 50)
    >>> list(consistency.mean.index)             # the most consistent first, as in Table 9(i)
    ['JSD', 'RNOD', 'NMD']
    """
    scores = chosen_scores(scores, measures)
    at_least(scores, "a ranking", runs=2)
    at_least(scores, "a random split", topics=3)
    topics = len(scores.topics)
    splits = whole_number(splits, "splits")
    size = None if size is None else whole_number(size, "size")
    if size is not None and 2 * size > topics:
        raise ValueError(
            f"{scores.task}: two disjoint samples of {size} topics need {2 * size}, "
            f"there are {topics}; let size be at most {topics // 2}"
        )
    flat = np.ptp(scores.oriented, axis=2).max(axis=1) <= TIE_TOLERANCE
    if flat.all():
        raise ValueError(
            f"{scores.task}: all runs have the same scores on every topic by "
            f"{', '.join(scores.measures)}; there is nothing to rank"
        )
    notes = tuple(
        f"{scores.task}: by {measure} all runs have the same scores on every topic, so its "
        "tau of 0 says nothing about it"
        for measure, same in zip(scores.measures, flat, strict=True)
        if same
    )
    taus = split_taus(scores, size, splits, seed, threads, progress)
    names = pd.Index(scores.measures, name="measure")
    tau = pd.DataFrame(taus, pd.RangeIndex(splits, name="split"), names)
    v_e2 = float("nan")
    if len(names) > 1 and splits > 1:
        v_e2 = float(residual_variances(taus[None])[1][0])
    mean = tau.mean().rename("mean")
    best_first = np.argsort(-settled(mean.to_numpy()), kind="stable")
    return RankingConsistency(
        scores.task, scores.measures, _sizes(topics, size), splits, seed, tau,
        mean.iloc[best_first], v_e2, threads, notes,
    )  # fmt: skip


def split_taus(
    scores: ScoreMatrix,
    size: int | None = None,
    splits: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return the tau of every split, (splits, measures), of scores that need no check."""
    first, second = _sizes(len(scores.topics), size)
    key = stream_key(seed, "ranking consistency")
    samples = (0, first), (first, first + second)
    return sampled(scores.oriented, samples, tau_between, range(splits), key, threads, progress)


def _sizes(topics: int, size: int | None) -> tuple[int, int]:
    return (topics // 2, topics - topics // 2) if size is None else (size, size)


def sizes_within(most: int) -> list[int]:
    """Numbers of topics from 5 (or fewer) to `most`, each about 1.6 times the one before.

    Examples
    --------
    >>> sizes_within(100), sizes_within(4)
    ([5, 8, 13, 21, 34, 56, 100], [2, 3, 4])
    """
    least = 5 if most >= 10 else 2
    steps = [round(least * 1.62**k) for k in range(30)]
    return [size for size in steps if size <= most / 1.3] + [most]


def consistency_within(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    splits: int = 1000,
    seed: int = 0,
    threads: int | None = None,
) -> pd.DataFrame:
    """Compute the mean tau between two disjoint samples of k topics, for k up to half of them.

    Parameters are those of :func:`ordbook.ranking_consistency`.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, and low and high, which enclose 95%
        of the splits.
    """
    rows = []
    for size in sizes:
        tau = ranking_consistency(scores, size, splits, seed, threads).tau
        low, high = tau.quantile(0.025), tau.quantile(0.975)
        rows += [(m, size, tau[m].mean(), low[m], high[m]) for m in scores.measures]
    return pd.DataFrame(rows, columns=["measure", "topics", "mean", "low", "high"])
