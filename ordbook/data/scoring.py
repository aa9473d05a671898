"""Score a task with the measures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.loading import Task as AnyTask
from ordbook.data.nuggets import NuggetTask, score_nuggets
from ordbook.data.problems import RawDataMissing
from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix, ScoresTask, committed_scores
from ordbook.data.tasks import POOLED, ClassificationTask, QuantificationTask
from ordbook.measures import QUANTIFICATION, Measure
from ordbook.measures.registry import MEASURES, named
from ordbook.words import did_you_mean

Task = QuantificationTask | ClassificationTask | NuggetTask

# Nugget types have no order: DialEval-1, Section 3.2, scores them with these two.
NUGGET_MEASURES = ("RNSS", "JSD")
# Weight of the customer's turns -> how the name of the committed scores ends. Mean scores by any
# other weight follow from those of the two sides.
SIDES: Mapping[float, str] = {NuggetTask.alpha: "", 1.0: "-customer", 0.0: "-helpdesk"}


def score(
    task: AnyTask,
    measures: Iterable[str | Measure] | None = None,
    *,
    aggregate: Literal["topic", "pooled"] = "topic",
) -> ScoreMatrix:
    """Score every run of a task on every topic, or once on all items together.

    Without its raw files, a catalogued task has its committed scores (``source`` is
    ``committed``), by the measures that are committed. With them, the scores are recomputed
    (``source`` is ``raw``) and must equal the committed ones.

    Parameters
    ----------
    task
        From :func:`ordbook.load`, or built from arrays. A task of which only scores are known
        returns these.
    measures
        Keys of ``ordbook.measures.QUANTIFICATION`` or ``CLASSIFICATION``; by default those of
        the task's kind whose fact ``default`` is True. Nugget tasks are scored with RNSS and JSD.
        A measure of your own, from :func:`ordbook.measures.custom_measure`, goes by its name only
        if it is registered.
    aggregate
        ``"topic"``: a score per topic, as in the papers. ``"pooled"``: one score over the items
        of all topics, as in SemEval's official results of subtask C; the matrix then has the
        single topic ``pooled``. Only classification tasks have items to pool.
        :class:`~ordbook.data.tasks.ClassificationTask` says which always are one pool.

    Returns
    -------
    ScoreMatrix
        Measure x topic x run; ``scores["NMD"]`` is a DataFrame, topic x run.

    Raises
    ------
    ValueError
        If ``task`` is no task or has no runs, a measure is unknown, or recomputed scores differ
        from the committed ones.
    RawDataMissing
        If scores that are not committed are asked for, and the raw files are not here.
    """
    if isinstance(task, ScoresTask):
        if aggregate != "topic":
            raise ValueError(f"{task.name}: scores by topic cannot be pooled over items")
        asked: Any = task.measures if measures is None else measures
        return task.scores.select([asked] if isinstance(asked, str) else asked)
    if not isinstance(task, Task):
        raise ValueError(
            f"a task is needed, not a {type(task).__name__}: ordbook.load(path) reads one, "
            "ordbook.from_ratings makes one of a table of ratings, and "
            "QuantificationTask.from_arrays one of shares"
        )
    chosen = chosen_measures(task, measures)
    pooled = aggregate == "pooled"
    if aggregate not in ("topic", "pooled"):
        raise ValueError(f"aggregate must be 'topic' or 'pooled', not {aggregate!r}")
    if pooled and not isinstance(task, ClassificationTask):
        raise ValueError(f"{task.name}: a task of distributions has no items to pool")
    if not task.runs:
        hint = "" if isinstance(task, ClassificationTask) else "; task.with_baselines() adds two"
        raise ValueError(f"{task.name}: there are no runs to score{hint}")
    name = committed_name(task, pooled)
    ours = task.provenance.source in ("raw", "committed")
    committed = committed_scores(name) if name and ours else None
    known, held = _measures_for(task), committed.measures if committed else ()
    names = [m.name for m in chosen if m.name in held and known.get(m.name) is m]
    if task.missing:
        if committed and measures is None:
            return committed
        if not committed or len(names) < len(chosen):
            lacking = [measure.name for measure in chosen if measure.name not in names]
            raise RawDataMissing(
                f"{task.name}: no scores by {', '.join(lacking)} are committed, and {task.missing}"
            )
        return committed.select(names)
    scores = compute(task, chosen, pooled=pooled)
    if committed and names:
        _require_same(scores.select(names), committed.select(names))
    return scores


def compute(
    task: Task, measures: Iterable[str | Measure] | None = None, *, pooled: bool = False
) -> ScoreMatrix:
    """Score a task from its distributions or labels."""
    chosen = chosen_measures(task, measures)
    if isinstance(task, ClassificationTask):
        if pooled:
            task = replace(task, topics=(POOLED,), _topic=np.zeros_like(task.topic))
        items = np.bincount(task.topic, minlength=len(task.topics))
        if not items.all():
            raise ValueError(f"{task.name}: topic {task.topics[items.argmin()]!r} has no items")
    return ScoreMatrix(
        task.name,
        np.stack(_score_by_run(task, chosen)).transpose(0, 2, 1),
        tuple(measure.name for measure in chosen),
        task.topics,
        task.runs,
        {measure.name: measure.better for measure in chosen},
        task.provenance,
        _references(task, [measure for measure in chosen if measure.skill]),
    )


def _score_by_run(task: Task, chosen: Sequence[Measure]) -> list[NDArray[np.float64]]:
    """Score a task by each measure: (runs, topics)."""
    if isinstance(task, ClassificationTask):
        # One run at a time, as all confusion matrices together may be many.
        tables = (task.confusion(run) for run in range(len(task.runs)))
        values = [[measure.kernel(table) for measure in chosen] for table in tables]
        return [np.stack(scores) for scores in zip(*values, strict=True)]
    if isinstance(task, NuggetTask):
        return [score_nuggets(task, measure.kernel) for measure in chosen]
    return [_score_shares(task, measure) for measure in chosen]


def _score_shares(task: QuantificationTask, measure: Measure) -> NDArray[np.float64]:
    """Score distributions; a topic without any gets the worst score of all single classes."""
    scores = measure.kernel(task.gold[None], task.estimates)
    if not task.unanswered:
        return scores
    shape = len(task.classes), *task.gold.shape
    by_class = measure.kernel(task.gold[None], np.broadcast_to(np.eye(shape[0])[:, None], shape))
    worst = by_class.max(axis=0) if measure.better == "low" else by_class.min(axis=0)
    return task._filled(scores, worst)


def _references(task: Task, measures: Sequence[Measure]) -> pd.DataFrame:
    """Score the reference of skill by each measure: topic x measure.

    It is the mean shares of gold; of labels, the best single class, of equal ones the lowest.
    """
    if isinstance(task, NuggetTask) or not measures:
        return pd.DataFrame()
    blind: Task
    if isinstance(task, ClassificationTask):
        classes = np.arange(len(task.classes))
        constant = np.broadcast_to(classes[:, None], (len(classes), len(task.gold)))
        blind = replace(task, runs=task.classes, _predicted=constant, unanswered={})
    else:
        shares = np.broadcast_to(task.gold.mean(axis=0), task.gold.shape)
        blind = replace(task, runs=("shares",), _estimates=shares[None], unanswered={})
    by_run = _score_by_run(blind, measures)
    best = {}
    for measure, scores in zip(measures, by_run, strict=True):
        means = scores.mean(axis=1)
        best[measure.name] = scores[np.argmax(means <= means.min() + TIE_TOLERANCE)]
    return pd.DataFrame(best, index=task.topics)


def committed_name(task: Task, pooled: bool) -> str:
    """Name the committed scores of a task; "" if there are none for its alpha."""
    if isinstance(task, NuggetTask):
        return f"{task.name}{SIDES[task.alpha]}" if task.alpha in SIDES else ""
    return f"{task.name}-pooled" if pooled else task.name


def kind_of(task: AnyTask) -> str:
    """Return the kind of a task; of scores that of their measures, or ``scores`` if not all known.

    >>> from ordbook.data.loading import load
    >>> kind_of(load("fair-oq"))
    'quantification'
    """
    if not isinstance(task, ScoresTask):
        return task.kind
    return next((kind for kind in MEASURES if {*task.measures} <= {*MEASURES[kind]}), "scores")


def measures_for(task: AnyTask) -> list[str]:
    """Return the measures that score a task by default; of scores alone, those that are there."""
    if isinstance(task, ScoresTask):
        return list(task.measures)
    return [name for name, measure in _measures_for(task).items() if measure.default]


def _measures_for(task: Task) -> Mapping[str, Measure]:
    if isinstance(task, NuggetTask):
        return {name: QUANTIFICATION[name] for name in NUGGET_MEASURES}
    return MEASURES[task.kind]


def require_measures(names: Iterable[str], option: str) -> None:
    """Refuse a name that no measure of any kind of task has, before files are read."""
    known = [name for measures in MEASURES.values() for name in measures]
    for name in names:
        if named(name, known) not in known:
            proposed = did_you_mean(name, known)
            raise ValueError(f"{option}: {name!r} is no measure of ordbook{proposed}")


def chosen_measures(task: Task, measures: Iterable[str | Measure] | None) -> list[Measure]:
    """Return the measures of these names, and those that are given themselves; refuse others."""
    known = _measures_for(task)
    if measures is None:
        return [measure for measure in known.values() if measure.default]
    kind = "classification" if isinstance(task, ClassificationTask) else "quantification"
    chosen = []
    for asked in [measures] if isinstance(measures, str | Measure) else measures:
        measure = known.get(named(asked, known)) if isinstance(asked, str) else asked
        ordered = isinstance(task, NuggetTask) and measure not in known.values()
        if measure is None or measure.kind != kind or ordered:
            subject = "nuggets, whose classes have no order" if ordered else kind
            name = asked if isinstance(asked, str) else asked.name
            raise ValueError(
                f"{task.name}: {name!r} is not a measure for {subject}; choose from "
                f"{', '.join(known)}"
                f"{did_you_mean(name, known)}"
            )
        chosen.append(measure)
    if not chosen or len({measure.name for measure in chosen}) < len(chosen):
        raise ValueError(f"{task.name}: name each measure once, and at least one")
    return chosen


def _require_same(scores: ScoreMatrix, committed: ScoreMatrix) -> None:
    """Refuse recomputed scores that differ from the committed ones or break other ties.

    Runs that were added to the task, such as baselines, have no committed scores.
    """
    ours = [scores.runs.index(run) for run in committed.runs if run in scores.runs]
    if scores.topics != committed.topics or len(ours) < len(committed.runs):
        raise ValueError(f"{scores.task}: data/scores has other topics or runs; run 'make scores'")
    values = scores.values[:, :, ours]
    same = np.abs(values - committed.values) <= TIE_TOLERANCE
    same &= (_signs(values) == _signs(committed.values)).all(axis=-1)
    if not same.all():
        where = np.argwhere(~same)
        measure, topic, run = where[0]
        raise ValueError(
            f"{scores.task}: the scores recomputed from raw files differ from data/scores in "
            f"{len(where)} places: first {scores.measures[measure]} of {committed.runs[run]!r} on "
            f"{scores.topics[topic]!r}, {values[measure, topic, run]!r} now and "
            f"{committed.values[measure, topic, run]!r} committed; if a measure was changed on "
            "purpose, run 'make scores'"
        )
    apart = (scores.references - committed.references).abs()
    if not (apart <= TIE_TOLERANCE).all(axis=None):
        raise ValueError(
            f"{scores.task}: the references of skill differ from those in data/scores; if a "
            "measure was changed on purpose, run 'make scores'"
        )


def _signs(values: NDArray[np.float64]) -> NDArray[np.int8]:
    """Sign of every difference between two runs, differences up to the tolerance being ties."""
    differences = values[..., :, None] - values[..., None, :]
    signs = np.sign(differences).astype(np.int8)
    signs[np.abs(differences) <= TIE_TOLERANCE] = 0
    return signs
