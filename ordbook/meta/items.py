"""One topic of labelled items: intervals and tests in which items take the place of topics.

A single topic, or one pool of the items of small ones, leaves no sample of topics to vary. Items
can vary: they are drawn again, or swapped between runs, as if they were independent, and every
measure is computed anew from the whole confusion matrix. So measures that are no means over items
(kappa, macro F1) are treated like all others.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np
import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import chosen_measures, score
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import Measure
from ordbook.measures.intervals import redrawn
from ordbook.meta import kernels
from ordbook.meta.kernels import Integers
from ordbook.meta.parallel import Progress
from ordbook.meta.significance import (
    SURE,
    TRIALS,
    SignificanceTests,
    Trials,
    most_trials,
    randomised,
    tukey_hsd,
)
from ordbook.meta.validation import between_0_and_1, whole_number
from ordbook.meta.variances import Floats
from ordbook.words import counted

Measures = Sequence[str | Measure] | None


def by_item(task: object) -> TypeGuard[ClassificationTask]:
    """Tell whether items take the place of topics: there is one topic, of labels."""
    return isinstance(task, ClassificationTask) and len(task.topics) == 1


def size(task: object, topics: int) -> str:
    """Return how many topics a task has; of one pool of labels, how many items."""
    if isinstance(task, ClassificationTask) and topics == 1 and not task.missing:
        return f"one pool of {counted(len(task.gold), 'item')}"
    return counted(topics, "topic")


def compare_runs(
    task: object,
    scores: ScoreMatrix,
    measures: Measures = None,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    *,
    decide_at: float | None = None,
    progress: Progress | None = None,
) -> SignificanceTests | None:
    """Test which runs differ, over topics, or over items if there is one topic of labels.

    The measures are those of the scores, by name or of your own, and other options those of
    :func:`ordbook.tukey_hsd`. None if nothing can be tested: there is one run, or one topic without
    items.
    """
    if len(scores.runs) < 2:
        return None
    if len(scores.topics) > 1:
        return tukey_hsd(scores, trials, seed, threads, None, progress, decide_at=decide_at)
    if by_item(task):
        return item_tests(
            task, measures, trials, seed, threads, decide_at=decide_at, progress=progress
        )
    return None


def item_intervals(
    task: ClassificationTask,
    measures: Measures = None,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Bootstrap the items of each run to see how far other items could move its score.

    Each resample draws as many items as there are, with replacement; its confusion matrix is
    multinomial. Every run has the same random numbers, so equal runs have equal intervals. The
    interval holds the middle ``level`` of the resamples' scores. It says nothing
    about differences of runs, which answer the same items: see :func:`item_tests`.

    Parameters
    ----------
    task
        Labels of one topic.
    measures
        Names, or measures of your own; by default all that are known.
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
    counts, chosen = _counts(task), chosen_measures(task, measures)
    scores = score(task, chosen)
    ends = np.empty((len(chosen), len(counts), 2))
    for run, cm in enumerate(counts):
        cells, rng = np.nonzero(cm), np.random.default_rng([seed, 20260101])
        cms = np.concatenate([cms for (cms,) in redrawn(cells, cm[cells], len(cm), resamples, rng)])
        for k, measure in enumerate(chosen):
            ends[k, run] = np.quantile(measure.kernel(cms), [(1 - level) / 2, (1 + level) / 2])
    names = [[measure.name, run] for measure in chosen for run in scores.runs]
    table = pd.DataFrame(names, columns=["measure", "run"])
    return table.assign(
        score=scores.values.ravel(), low=ends[..., 0].ravel(), high=ends[..., 1].ravel()
    )


def item_tests(
    task: ClassificationTask,
    measures: Measures = None,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    *,
    decide_at: float | None = None,
    progress: Progress | None = None,
) -> SignificanceTests:
    """Tukey's randomised HSD over items: which runs differ on one topic of labels.

    In each trial the runs swap their answers at random, item by item. The p-value of a difference
    of two runs is the share of trials in which the best and the worst of these made-up runs differ
    at least as much. It is :func:`ordbook.tukey_hsd` with items in place of topics, and the
    measure of all items in place of a mean.

    Parameters
    ----------
    task
        Labels of one topic, of at least two runs.
    measures
        As for :func:`item_intervals`.
    trials, seed, threads, decide_at, progress
        As for :func:`ordbook.tukey_hsd`.

    Returns
    -------
    SignificanceTests
        ``topics`` is the number of items. There are no effect sizes (NaN), because a score of all
        items has no residual variance.

    Raises
    ------
    ValueError
        If there are several topics or a single run.

    References
    ----------
    Smucker, Allan and Carterette (2007); Carterette (2012).
    """
    _counts(task)
    chosen = chosen_measures(task, measures)
    if len(task.runs) < 2:
        raise ValueError(f"{task.name}: there is one run; comparing runs needs two of them")
    scores = score(task, chosen)
    gold = np.asarray(task.gold, dtype=np.int64)
    answers = np.ascontiguousarray(np.asarray(task.predicted).T, dtype=np.int64)
    key = kernels.stream_key(seed, "randomised Tukey HSD over items")
    classes = len(task.classes)
    steps = int(max(answers.size, 40 * len(task.runs) * classes**2))

    def trials_of(places: Integers) -> Trials:
        def ranges(start: int, stop: int) -> Floats:
            cms = kernels.permuted_confusions(gold, answers, classes, key, start, stop)
            scored = [np.ptp(chosen[k].kernel(cms), axis=1) for k in places]
            return np.stack(scored, axis=1) / scores.scale[places]

        return Trials(ranges, steps)

    if trials is None:
        trials = TRIALS if decide_at is None else most_trials(steps)
    tests = randomised(scores, trials_of, trials, seed, threads, progress, decide_at, SURE)
    return replace(tests, topics=len(task.gold))


def _counts(task: ClassificationTask) -> Floats:
    """Return the confusion matrix of each run (runs, C, C)."""
    if len(task.topics) != 1:
        raise ValueError(
            f"{task.name}: there are {len(task.topics)} topics; items take their place only where "
            "there is a single one"
        )
    counts: Floats = np.asarray(task.confusion(), dtype=np.float64)[:, 0]
    return counts
