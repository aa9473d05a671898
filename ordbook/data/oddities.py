"""Oddities of a task, no faults of its files and yet worth a look, a row for each."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordbook.data.folder import Task
from ordbook.data.nuggets import COLUMNS, NuggetTask
from ordbook.data.scores import ScoresTask
from ordbook.data.tasks import POOLED, ClassificationTask, QuantificationTask
from ordbook.words import counted, listing, some

FAR = 2  # times the error of reversed answers
SAME = 1e-12  # probabilities this close are the same
_ENOUGH = 4  # topics or items, to ask whether a scale is reversed
# Measures that are 0/0 where gold and run hold one and the same class.
CONVENTIONAL = ("kappa", "QWK", "alpha_ord", "alpha_int")


class Oddity(NamedTuple):
    """An oddity.

    Attributes
    ----------
    kind
        ``identical runs``, ``constant runs``, ``constant in topics``, ``tied by kappa``,
        ``classes without gold``, ``perfect runs``, ``reversed scale``, ``one gold class``, ``one
        run`` or ``one topic``.
    names
        The runs or classes that it is true of; none if it is of the whole task.
    text
        A sentence about it.
    """

    kind: str
    names: tuple[str, ...]
    text: str


def oddities(task: Task) -> Iterator[Oddity]:
    """Yield the oddities of a task.

    Parameters
    ----------
    task
        Any task; of one whose raw files are not on this machine nothing is known.

    Yields
    ------
    Oddity
        A row for each.

    Examples
    --------
    >>> runs = {"A": [0, 0, 0, 1, 1, 1], "B": [0] * 6, "C": [0, 1, 1, 1, 1, 1]}
    >>> task = ClassificationTask.from_labels([0, 1, 1, 0, 1, 0], runs, list("sssttt"), [0, 1])
    >>> for kind, names, _ in oddities(task):
    ...     print(kind, names)
    constant runs ('B',)
    constant in topics ('A',)
    tied by kappa ('B', 'A')
    """
    if not isinstance(task, ScoresTask) and task.missing:
        return
    for names in identical_runs(task):
        text = "are the same everywhere, and so of the same rank; if one is a copy, remove it."
        yield Oddity("identical runs", names, f"{_listed(names)} {text}")
    constant, within = constant_runs(task), _constant_in_topics(task)
    labels = isinstance(task, ClassificationTask)
    if constant:
        what = "one class" if labels else "the same distribution"
        what = "the same" if isinstance(task, ScoresTask) else what
        says = "score" if isinstance(task, ScoresTask) else "answer"
        yield Oddity("constant runs", constant, f"{_verb(constant, f'always {says}')} {what}.")
    if within:
        text = f"{_verb(within, 'answer')} one class within each topic."
        yield Oddity("constant in topics", within, text)
    if labels and len(both := constant + within) > 1:
        how = f" ({some(within)} within each topic)" if within else ""
        text = (
            f"{len(both)} runs always answer one class{how}, and kappa and QWK give them all 0 "
            "wherever the gold data hold several."
        )
        yield Oddity("tied by kappa", both, text)
    gold, answers = _arrays(task)
    if isinstance(task, ScoresTask):
        used: NDArray[Any] = np.ones(len(task.classes))
    else:
        used = np.bincount(task.gold, minlength=len(task.classes)) if labels else gold.sum(axis=0)
    if empty := tuple(np.array(task.classes, dtype=object)[used == 0]):
        yield Oddity("classes without gold", empty, f"{_listed(empty)}: in no gold data.")
    perfect = [len(gold) > 0 and np.allclose(rows, gold, rtol=0, atol=SAME) for rows in answers]
    if names := tuple(np.array(task.runs, dtype=object)[np.array(perfect, dtype=bool)]):
        them = "it" if len(names) == 1 else "them"
        text = f"{_verb(names, 'equal')} the gold: every measure gives {them} the best score."
        yield Oddity("perfect runs", names, text)
    yield from _reversed_scales(task)
    yield from _one_gold_class(task)
    yield from _too_few(task)


def _listed(names: tuple[str, ...]) -> str:
    """Return names as a list of at most 13 words."""
    return listing(names) if len(names) <= 12 else some(names)


def _verb(names: tuple[str, ...], verb: str) -> str:
    """Return names with a verb, in the singular or the plural."""
    return f"{_listed(names)} {verb}{'s' if len(names) == 1 else ''}"


def _arrays(task: Task) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return gold data (rows, values), without rows if unknown, and answers (runs, rows, values).

    Rows are topics, items or turns.
    """
    if isinstance(task, ScoresTask):
        return np.empty((0, 0)), task.scores.values.T
    if isinstance(task, ClassificationTask):
        return task.gold[:, None], task.predicted[..., None]
    return task.gold, task.estimates


def identical_runs(task: Task) -> list[tuple[str, ...]]:
    """Return the runs that answer the same everywhere, or have the same scores, together."""
    same: dict[bytes, list[str]] = defaultdict(list)
    for run, rows in zip(task.runs, _arrays(task)[1], strict=True):
        same[(rows + 0).tobytes()].append(run)
    return [tuple(runs) for runs in same.values() if len(runs) > 1]


def constant_runs(task: Task) -> tuple[str, ...]:
    """Return the runs that answer everything alike: with one class, or one distribution.

    Examples
    --------
    >>> runs = {"A": [0, 0, 1, 1], "B": [0, 0, 0, 0]}
    >>> constant_runs(ClassificationTask.from_labels([0, 1, 1, 1], runs, list("sstt"), [0, 1]))
    ('B',)
    """
    _, answers = _arrays(task)
    sides: list[NDArray[np.bool_]] = [np.ones(answers.shape[1], dtype=bool)]
    if isinstance(task, NuggetTask):  # whose two sides cannot answer alike
        sides = [np.asarray(task.gold[:, types].any(axis=1)) for types in COLUMNS.values()]
    if max(side.sum() for side in sides) < 2:
        return ()
    return tuple(
        run
        for run, rows in zip(task.runs, answers, strict=True)
        if all((rows[side] == rows[side][:1]).all() for side in sides)
    )


def _constant_in_topics(task: Task) -> tuple[str, ...]:
    """Return the runs that answer one class within each topic, but not the same one in all."""
    if not isinstance(task, ClassificationTask):
        return ()
    pairs = task.topic * len(task.classes) + task.predicted
    return tuple(
        run
        for run, labels, places in zip(task.runs, task.predicted, pairs, strict=True)
        if len(np.unique(labels)) > 1 and len(np.unique(places)) == len(task.topics)
    )


def _reversed_scales(task: Task) -> Iterator[Oddity]:
    """Ask about runs that fit the gold data far better with the scale turned round."""
    if not isinstance(task, ClassificationTask | QuantificationTask):
        return
    gold, answers = _arrays(task)
    if isinstance(task, QuantificationTask):
        gold, answers = (shares @ np.arange(len(task.classes)) for shares in (gold, answers))
    gold, answers = gold.reshape(len(gold)), answers.reshape(len(answers), len(gold))
    highest = len(task.classes) - 1
    for run, places in zip(task.runs, answers, strict=True):
        own = ~task.unanswered.get(run, np.zeros(len(gold), dtype=bool))
        if own.sum() < _ENOUGH:
            continue
        error, turned = (np.abs(gold - x)[own].mean() for x in (places, highest - places))
        if error > FAR * turned:
            text = (
                f"{run} is {error:.2f} classes from the gold on average, and {turned:.2f} if its "
                "classes are read in reverse: is its scale reversed?"
            )
            yield Oddity("reversed scale", (run,), text)


def one_class_topics(task: object) -> NDArray[np.intp]:
    """Count for each class the topics of which all gold items have it, (classes,).

    Examples
    --------
    >>> gold = [0, 0, 0, 1, 1, 1, 0, 1, 1]
    >>> task = ClassificationTask.from_labels(gold, {}, list("ssstttuuu"), [0, 1])
    >>> one_class_topics(task).tolist()
    [1, 1]
    """
    if not isinstance(task, ClassificationTask) or task.missing:
        return np.zeros(1, dtype=np.intp)
    topic, gold = np.unique(np.stack([task.topic, task.gold]), axis=1)
    alone = np.bincount(topic)[topic] == 1
    return np.bincount(gold[alone], minlength=len(task.classes))


def _one_gold_class(task: Task) -> Iterator[Oddity]:
    """Say how many topics have one gold class, and the gain of a constant run from them."""
    topics = one_class_topics(task)
    if topics.any():
        several = len(task.topics) > 1
        pool = "; to score all items as one pool, leave out the topics" if several else ""
        text = (
            f"The gold data of {topics.sum()} of {counted(len(task.topics), 'topic')} hold a "
            f"single class, where {listing(CONVENTIONAL)} are 1 by convention without an error, "
            "and kappa and QWK are 0 with any. A run that always answers "
            f"{task.classes[topics.argmax()]} gets a mean kappa of "
            f"{topics.max() / len(task.topics):.3f} by that{pool}."
        )
        yield Oddity("one gold class", (), text)


def _too_few(task: Task) -> Iterator[Oddity]:
    """Name the analyses for which there are too few runs or topics."""
    if len(task.runs) == 1:
        text = (
            "there is only one run: it can be scored, but rankings, significance tests and all "
            "that compares runs need two or more."
        )
        yield Oddity("one run", task.runs, text)
    if len(task.topics) > 1 or task.topics == (POOLED,):  # whose own note says so
        return
    text = (
        "there is only one topic: significance tests, intervals, consistency and all that "
        "looks at differences between topics need two or more."
    )
    if isinstance(task, ClassificationTask):
        text = (
            "there is one pool of items: intervals, tests and consistency are over its items, as "
            "if they were independent."
        )
    yield Oddity("one topic", (), text)
