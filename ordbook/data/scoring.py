"""Score a task with the measures.

Contents
--------
score      a task -> its score matrix
compute    the same, from the task's data only, without a look at committed scores
commit     recompute the committed scores of every catalogued task that has runs
"""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ordbook.data.catalog import catalog
from ordbook.data.loading import Task, load
from ordbook.data.paths import share
from ordbook.data.scores import ScoreMatrix, committed_scores
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure

# Floating point differs in the last bits between machines: this far may scores recomputed on
# one be from those committed on another, and differences up to this are ties.
SAME_SCORE = 1e-12


def score(task: Task, measures: Iterable[str] | None = None) -> ScoreMatrix:
    """Score every run of a task on every topic.

    Where the raw files of a catalogued task are absent, its committed scores are returned
    (``source`` is ``committed``). Where they are present the scores are recomputed
    (``source`` is ``raw``) and must equal the committed ones.

    Parameters
    ----------
    task
        From :func:`ordbook.load`, or built from arrays.
    measures
        Keys of ``ordbook.measures.QUANTIFICATION`` or ``CLASSIFICATION``; by default all of
        the task's kind.

    Raises
    ------
    ValueError
        If a measure is unknown, the task has no runs, or recomputed scores differ from the
        committed ones.
    """
    chosen = _choose(task, measures)
    if not task.runs:
        hint = "" if isinstance(task, ClassificationTask) else "; task.with_baselines() adds two"
        raise ValueError(f"{task.name}: there are no runs to score{hint}")
    committed = (
        committed_scores(task.name) if task.provenance.source in ("raw", "committed") else None
    )
    if task.missing:
        if committed is None:
            task._require_raw()
        else:
            return committed.select(chosen)
    scores = compute(task, chosen)
    if committed is not None and task.runs == committed.runs:
        _require_same(scores, committed.select(chosen))
    return scores


def compute(task: Task, measures: Mapping[str, Measure] | Iterable[str]) -> ScoreMatrix:
    """Score a task from its distributions or labels."""
    known = _measures_for(task)
    chosen = [known[name] for name in measures]
    if isinstance(task, ClassificationTask):
        confusion = task.confusion()
        empty = np.flatnonzero(confusion[0].sum(axis=(1, 2)) == 0)
        if empty.size:
            raise ValueError(f"{task.name}: topic {task.topics[empty[0]]!r} has no items")
        by_run = [measure.kernel(confusion) for measure in chosen]
    else:
        by_run = [measure.kernel(task.gold[None], task.estimates) for measure in chosen]
    return ScoreMatrix(
        task.name,
        np.stack(by_run).transpose(0, 2, 1),
        tuple(measure.name for measure in chosen),
        task.topics,
        task.runs,
        {measure.name: measure.better for measure in chosen},
        task.provenance,
    )


def commit() -> None:
    """Recompute ``data/scores`` from raw files, for every catalogued task that has runs."""
    for dataset in catalog().values():
        if dataset.runs:
            task = load(dataset.name)
            path = share("data", "scores") / f"{dataset.name}.csv"
            compute(task, _measures_for(task)).save(path)
            print(f"{path}: written from {len(dataset.files)} raw files")


def _measures_for(task: Task) -> Mapping[str, Measure]:
    return CLASSIFICATION if isinstance(task, ClassificationTask) else QUANTIFICATION


def _choose(task: Task, measures: Iterable[str] | None) -> list[str]:
    known = _measures_for(task)
    chosen = list(
        known if measures is None else [measures] if isinstance(measures, str) else measures
    )
    for name in chosen:
        if name not in known:
            kind = "classification" if isinstance(task, ClassificationTask) else "quantification"
            raise ValueError(
                f"{task.name}: {name!r} is not a measure for {kind}; choose from {', '.join(known)}"
            )
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"{task.name}: name each measure once, and at least one")
    return chosen


def _require_same(scores: ScoreMatrix, committed: ScoreMatrix) -> None:
    """Refuse recomputed scores that differ from the committed ones or break other ties."""
    same = np.abs(scores.values - committed.values) <= SAME_SCORE
    same &= (_signs(scores.values) == _signs(committed.values)).all(axis=-1)
    if scores.topics != committed.topics or not same.all():
        where = np.argwhere(~same)
        detail = ""
        if where.size:
            measure, topic, run = where[0]
            detail = (
                f": first {scores.measures[measure]} of {scores.runs[run]!r} on "
                f"{scores.topics[topic]!r}, {scores.values[measure, topic, run]!r} now and "
                f"{committed.values[measure, topic, run]!r} committed"
            )
        raise ValueError(
            f"{scores.task}: the scores recomputed from raw files differ from data/scores in "
            f"{len(where)} places{detail}; if a measure was changed on purpose, run 'make scores'"
        )


def _signs(values: NDArray[np.float64]) -> NDArray[np.int8]:
    """Sign of every difference between two runs, differences up to the tolerance being ties."""
    differences = values[..., :, None] - values[..., None, :]
    signs = np.sign(differences).astype(np.int8)
    signs[np.abs(differences) <= SAME_SCORE] = 0
    return signs


if __name__ == "__main__":
    commit()
