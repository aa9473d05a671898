"""One topic of labelled items: intervals and tests in which items take the place of topics.

Where there is a single topic, no sample of topics can vary. Items can: they are drawn again, or
swapped between runs, and every measure is computed anew from the whole confusion matrix, so that
measures that are no means over items (kappa, macro F1) are treated like all others.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION
from ordbook.meta import kernels
from ordbook.meta.checks import between_0_and_1, whole_number
from ordbook.meta.parallel import Progress, in_chunks
from ordbook.meta.significance_tests import Integers, SignificanceTests, collect
from ordbook.meta.variances import Floats, pair_slack, run_slack


def item_intervals(
    task: ClassificationTask,
    measures: Sequence[str] | None = None,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Bootstrap the items of each run: how far other items could move its score.

    Each resample draws as many items as there are, with replacement; its confusion matrix is
    multinomial. The interval holds the middle ``level`` of the resamples' scores. It tells nothing
    about differences of runs, which answer the same items: see :func:`item_tests`.

    Parameters
    ----------
    task
        Labels of one topic.
    measures
        Names, by default all.
    resamples, level, seed
        Of the bootstrap.

    Returns
    -------
    DataFrame
        measure, run, score, low and high, in the order of the task.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.ClassificationTask.from_labels([0, 0, 1, 1] * 25, {"A": [0, 0, 1, 0] * 25},
    ...     ["all"] * 100, [0, 1])
    >>> item_intervals(task, ["accuracy"]).round(2)
        measure run  score   low  high
    0  accuracy   A   0.75  0.66  0.83
    """
    between_0_and_1(level, "level")
    resamples = whole_number(resamples, "resamples")
    counts, scores = _counts(task), _scores(task, measures)
    rng = np.random.default_rng([seed, 20260101])
    ends = (1 - level) / 2, (1 + level) / 2
    rows = []
    shape = (resamples, *counts.shape[1:])
    drawn = [
        rng.multinomial(int(cm.sum()), cm.ravel() / cm.sum(), resamples).reshape(shape)
        for cm in counts
    ]
    for k, name in enumerate(scores.measures):
        for run, cms in enumerate(drawn):
            low, high = np.quantile(_of(name, cms), ends)
            rows.append((name, scores.runs[run], scores.values[k, 0, run], low, high))
    return pd.DataFrame(rows, columns=["measure", "run", "score", "low", "high"])


def item_tests(
    task: ClassificationTask,
    measures: Sequence[str] | None = None,
    trials: int = 5000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SignificanceTests:
    """Tukey's randomised HSD over items: which runs differ on one topic of labels.

    In each trial the runs swap their answers at random, item by item. A difference of two runs is
    as unlikely as the share of trials in which the best and the worst of these made-up runs differ
    at least as much. It is :func:`ordbook.tukey_hsd` with items in the place of topics, and the
    measure of all items in the place of a mean.

    Parameters
    ----------
    task
        Labels of one topic, of at least two runs.
    measures, trials, seed, threads, progress
        As for :func:`ordbook.tukey_hsd`.

    Returns
    -------
    SignificanceTests
        ``topics`` is the number of items. There are no effect sizes (NaN), as a score of all items
        has no residual variance.

    Raises
    ------
    ValueError
        If there are several topics or a single run.

    References
    ----------
    Smucker, Allan and Carterette (2007); Carterette (2012).
    """
    counts, scores = _counts(task), _scores(task, measures)
    runs, classes = len(task.runs), len(task.classes)
    if runs < 2:
        raise ValueError(f"{task.name}: there is one run; comparing runs needs two of them")
    trials = whole_number(trials, "trials")
    gold = np.asarray(task.gold, dtype=np.int64)
    answers = np.ascontiguousarray(np.asarray(task.predicted).T, dtype=np.int64)
    key = kernels.stream_key(seed, "randomised Tukey HSD over items")
    values = scores.values[:, 0]
    noise = pair_slack(run_slack(scores.values))
    first, second = np.triu_indices(runs, 1)
    observed = np.abs(values[:, first] - values[:, second]) - noise
    reached = np.zeros((len(scores.measures), len(first)), np.int64)

    def work(start: int, stop: int) -> Integers:
        cms = kernels.permuted_confusions(gold, answers, classes, key, start, stop)
        found = np.empty_like(reached)
        for k, name in enumerate(scores.measures):
            ranges = np.ptp(_of(name, cms), axis=1)
            found[k] = (ranges[:, None] >= observed[k]).sum(axis=0)
        return found

    steps = max(counts[0].sum() * runs, 40 * runs * classes**2)
    for _, _, found in in_chunks(work, trials, int(steps), threads, progress):
        reached += found
    exceed = np.full((len(scores.measures), runs, runs), trials, np.int64)
    exceed[:, first, second] = exceed[:, second, first] = reached
    with np.errstate(invalid="ignore"):  # no variance within a single topic
        made = np.full(len(exceed), trials)
        tests = collect(scores, made, int(seed), "randomised", exceed / trials, exceed)
    unknown = pd.Series(np.nan, tests.v_e1.index)
    return replace(tests, topics=len(gold), v_e1=unknown, v_e2=unknown)


def _counts(task: ClassificationTask) -> Floats:
    """Return the confusion matrix of each run (runs, C, C)."""
    if len(task.topics) != 1:
        raise ValueError(
            f"{task.name}: there are {len(task.topics)} topics; items take their place only where "
            "there is a single one"
        )
    counts: Floats = np.asarray(task.confusion(), dtype=np.float64)[:, 0]
    return counts


def _scores(task: ClassificationTask, measures: Sequence[str] | None) -> ScoreMatrix:
    return score(task, measures or list(CLASSIFICATION))


def _of(name: str, cms: Floats) -> Floats:
    """Return the scores of confusion matrices (..., C, C)."""
    found: Floats = np.asarray(CLASSIFICATION[name].kernel(cms))
    return found
