"""The results on one task that its report shows, computed once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.advice import choose
from ordbook.advice.criteria import COMPARED
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix, ScoresTask
from ordbook.data.scoring import kind_of, score
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure, import_measures
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.items import (
    by_item,
    compare_runs,
    item_intervals,
    size,
    split_consistency,
)
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.rankings import standings
from ordbook.meta.significance import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity, ranking_similarity
from ordbook.show.parameters import split_classes
from ordbook.show.source import Source


@dataclass(frozen=True, eq=False)
class Analysis:
    """A task, and the results on it that its report shows.

    Attributes
    ----------
    task
        As it was loaded.
    scores
        By the measures that ACL'21 compares, those that are recommended, and the reader's own.
    tests, similarity
        Of these scores; None where there is nothing to compare.
    advice
        What the papers' criteria add to the choice; None where there is a single run, or a single
        topic without items to draw, all runs score alike, or the papers say nothing of the
        measures.
    splits
        Of the consistency.
    own
        The reader's measures.
    """

    task: Task
    scores: ScoreMatrix
    tests: SignificanceTests | None
    similarity: RankingSimilarity | None
    advice: choose.Advice | None
    splits: int
    own: Sequence[Measure] = ()

    @property
    def kind(self) -> str:
        """The kind of the task, such as ``classification``, or of the measures of scores."""
        return kind_of(self.task)

    @cached_property
    def measures(self) -> list[str]:
        """The primary and the secondary measure, or all measures if none is recommended."""
        if self.kind in choose.FAVOURED:
            return choose.recommended(self.scores, self.task)
        return list(self.scores.measures)

    @property
    def primary(self) -> str:
        """The measure that the runs are ranked by."""
        return self.measures[0]

    @property
    def order(self) -> list[str]:
        """The runs, the best first."""
        return list(standings(self.scores, self.primary)["run"])

    @property
    def by_item(self) -> bool:
        """Whether items take the place of topics: there is one topic, of labels."""
        return by_item(self.task)

    @property
    def size(self) -> str:
        """How many topics there are, or items of one pool."""
        return size(self.task, len(self.scores.topics))

    def ranked(self, measure: str) -> pd.DataFrame:
        """Return rank, run, mean, low and high, the best run first."""
        table = standings(self.scores, measure)
        if by_item(self.task):
            ends = item_intervals(self.task, [measure]).set_index("run").loc[table["run"]]
            table[["low", "high"]] = ends[["low", "high"]].to_numpy()
        return table


def analyse(
    data: str,
    classes: str,
    own: str,
    trials: int,
    splits: int,
    reading: Mapping[str, Any] | None = None,
) -> Analysis:
    """Load a task, score its runs and compute the contents of the report.

    Parameters
    ----------
    data, classes, own
        As the chapters take them.
    trials, splits
        Of the significance tests and of the consistency. With 0 trials, there are as many as it
        takes to decide about every pair of runs; see :func:`ordbook.tukey_hsd`.
    reading
        As for :class:`ordbook.show.source.Source`.
    """
    task = Source(data, split_classes(classes), reading or {}).load()
    part = kind_of(task)
    own_measures: tuple[Measure, ...] = ()
    names: list[str | Measure] = []
    if isinstance(task, ScoresTask):
        scores = score(task)
    else:
        own_measures = tuple(m for m in import_measures(own) if m.kind == part) if own else ()
        compared = (*COMPARED.get(part, ()), *choose.FAVOURED.get(part, ()))
        names = [*dict.fromkeys(compared), *own_measures]
        scores = score(task, names or None)
    if len(scores.runs) < 2:
        return Analysis(task, scores, None, None, None, splits)
    similarity = None if choose.all_tie(scores) else ranking_similarity(scores)
    decide_at = None if trials else 0.05
    tests = compare_runs(task, scores, names, trials or None, decide_at=decide_at)
    if tests is None or similarity is None:
        return Analysis(task, scores, tests, similarity, None, splits)
    advice = None
    if part in COMPARED:
        consistency = split_consistency(task, scores, names, splits)
        advice = choose.advise(scores, tests, consistency, similarity, task, own=own_measures)
    return Analysis(task, scores, tests, similarity, advice, splits, own_measures)


def groups(
    tests: SignificanceTests, measure: str, order: Sequence[str], alpha: float = 0.05
) -> list[tuple[int, int]]:
    """Return the groups of neighbours in a ranking in which no two runs differ significantly.

    Returns
    -------
    list
        First and last place of each group of at least two runs that is part of no other.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4e"), ["NMD"])
    >>> order = standings(scores, "NMD")["run"].tolist()
    >>> groups(ob.tukey_hsd(scores, 1000), "NMD", order)[:1]
    [(0, 4)]
    """
    different = tests.matrix(measure).loc[list(order), list(order)].to_numpy() < alpha
    places: list[tuple[int, int]] = []
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not different[first : last + 1, last + 1].any():
            last += 1
        if last > first and (not places or last > places[-1][1]):
            places.append((first, last))
    return places


def undecided(analysis: Analysis, measure: str | None = None) -> pd.DataFrame:
    """Return the pairs of runs that are open, by a measure or all: p may be above .05 or below."""
    assert analysis.tests is not None
    pairs = pairs_in_doubt(analysis.tests)
    return pairs if measure is None else pairs[pairs["measure"] == measure]


def by_topic(scores: ScoreMatrix) -> pd.DataFrame:
    """Best and median score of every topic, by every measure.

    Returns
    -------
    pandas.DataFrame
        A row for each measure and topic: measure, topic, best, run (the first that reaches the
        best score), tied (how many runs reach it) and median.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("fair-oq"), ["NMD"])
    >>> by_topic(scores).drop(columns="measure").head(2).round(3)
            topic  best        run  tied  median
    0  m0.5-r2-o3  0.02  PCC-logit     1   0.145
    1  m0.5-r2-o4  0.02  PCC-bayes     1   0.062
    """
    tables = []
    for measure, values in zip(scores.measures, scores.values, strict=True):
        low = scores.better[measure] == "low"
        best = values.min(axis=1) if low else values.max(axis=1)
        tied = np.abs(values - best[:, None]) <= TIE_TOLERANCE
        table = pd.DataFrame({"topic": scores.topics, "best": best})
        table.insert(0, "measure", measure)
        table["run"] = np.array(scores.runs, dtype=object)[tied.argmax(axis=1)]
        tables.append(table.assign(tied=tied.sum(axis=1), median=np.median(values, axis=1)))
    return pd.concat(tables, ignore_index=True)


def by_class(task: ClassificationTask | QuantificationTask) -> pd.DataFrame:
    """Every run class by class, over all items or topics together.

    A missing answer is the class farthest from gold here.

    Returns
    -------
    pandas.DataFrame
        A row for each run and class. Of labels: run, class, gold and answers (numbers of items),
        precision, recall, F1, each from 0 to 1, higher is better, and NaN where it is 0/0; and
        distance, the mean distance between the answers and this gold class, in classes, lower is
        better, NaN without such items. Of distributions: run, class, the mean gold and mean
        estimated probability, and error, the mean absolute difference, from 0 to 1, lower is
        better.

    Raises
    ------
    RawDataMissing
        If the raw files of a catalogued task are not on this machine.

    Examples
    --------
    >>> import ordbook as ob
    >>> gold, runs, classes = [1, 1, 2, 3], {"A": [1, 2, 2, 1]}, [1, 2, 3]
    >>> task = ob.ClassificationTask.from_labels(gold, runs, "tttt", classes)
    >>> by_class(task).drop(columns="run").round(2)
      class  gold  answers  precision  recall    F1  distance
    0     1     2        2        0.5     0.5  0.50       0.5
    1     2     1        2        0.5     1.0  0.67       0.0
    2     3     1        0        NaN     0.0  0.00       2.0
    """
    tables = []
    for run in task.runs:
        if isinstance(task, ClassificationTask):
            counts = confusion(task, run)
            gold, answers, hits = counts.sum(axis=1), counts.sum(axis=0), counts.diagonal()
            places = np.arange(len(counts))
            distance = counts * np.abs(places[:, None] - places)
            with np.errstate(invalid="ignore"):
                columns = {
                    "gold": gold,
                    "answers": answers,
                    "precision": hits / answers,
                    "recall": hits / gold,
                    "F1": 2 * hits / (gold + answers),
                    "distance": distance.sum(axis=1) / gold,
                }
        else:
            gold, estimate = task.gold, task.estimates[task.runs.index(run)]
            columns = {
                "gold": gold.mean(axis=0),
                "estimate": estimate.mean(axis=0),
                "error": np.abs(estimate - gold).mean(axis=0),
            }
        tables.append(pd.DataFrame({"run": run, "class": task.classes} | columns))
    return pd.concat(tables, ignore_index=True)


def confusion(task: ClassificationTask, run: str) -> NDArray[np.intp]:
    """Count the items by gold class, in rows, and answer, over all topics together."""
    return np.asarray(task.confusion(task.runs.index(run)).sum(axis=0))
