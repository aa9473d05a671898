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
_EXPECTED = 5  # items of a topic beyond a class, to ask about a scale that ends there
_TOGETHER = 20  # of all such topics
_USUAL = 1 / 3  # of the expected items beyond it
_ENOUGH = 4  # topics or items, to ask whether a scale is reversed
# Measures that are 0/0 where gold and run hold one and the same class.
CONVENTIONAL = ("kappa", "QWK", "alpha_ord", "alpha_int")


class Oddity(NamedTuple):
    """An oddity.

    Attributes
    ----------
    kind
        ``identical runs``, ``constant runs``, ``constant in topics``, ``tied by kappa``,
        ``classes without gold``, ``perfect runs``, ``several scales``, ``reversed scale``, ``one
        gold class``, ``one run`` or ``one topic``.
    names
        The runs, classes or topics that it is true of; none if it is of the whole task.
    text
        A sentence about it.
    """

    kind: str
    names: tuple[str, ...]
    text: str


def oddities(task: Task) -> Iterator[Oddity]:
    """Yield the oddities of a task; of one whose raw files are not on this machine, none.

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
    if isinstance(task, ScoresTask) or not task.missing:
        for rule in RULES:
            yield from rule(task)


def _identical(task: Task) -> Iterator[Oddity]:
    """Name the runs that answer the same everywhere, or have the same scores."""
    same: dict[bytes, list[str]] = defaultdict(list)
    for run, rows in zip(task.runs, _arrays(task)[1], strict=True):
        same[(rows + 0).tobytes()].append(run)
    text = "are the same everywhere, and so of the same rank; if one is a copy, remove it."
    for names in map(tuple, same.values()):
        if len(names) > 1:
            yield Oddity("identical runs", names, f"{_listed(names)} {text}")


def _constant(task: Task) -> Iterator[Oddity]:
    """Name the runs that always answer alike, everywhere or within each topic."""
    constant, within = constant_runs(task), _constant_in_topics(task)
    verb, what = "always answer", "the same distribution"
    if isinstance(task, ClassificationTask):
        what = "one class"
    elif isinstance(task, ScoresTask):
        verb, what = "always score", "the same"
    if constant:
        yield Oddity("constant runs", constant, f"{_verb(constant, verb)} {what}.")
    if within:
        text = f"{_verb(within, 'answer')} one class within each topic."
        yield Oddity("constant in topics", within, text)
    both = constant + within
    if isinstance(task, ClassificationTask) and len(both) > 1:
        how = f" ({some(within)} within each topic)" if within else ""
        text = (
            f"{len(both)} runs always answer one class{how}, and kappa and QWK give them all 0 "
            "wherever the gold data hold several."
        )
        yield Oddity("tied by kappa", both, text)


def _unused(task: Task) -> Iterator[Oddity]:
    """Name the classes that no gold data have."""
    if isinstance(task, ScoresTask):
        return
    is_labels = isinstance(task, ClassificationTask)
    used = np.eye(len(task.classes))[task.gold] if is_labels else task.gold
    if empty := tuple(np.array(task.classes, dtype=object)[used.sum(axis=0) == 0]):
        yield Oddity("classes without gold", empty, f"{_listed(empty)}: in no gold data.")


def _perfect(task: Task) -> Iterator[Oddity]:
    """Name the runs that equal the gold data."""
    gold, answers = _arrays(task)
    equal = [len(gold) > 0 and np.allclose(rows, gold, rtol=0, atol=SAME) for rows in answers]
    if names := tuple(run for run, is_equal in zip(task.runs, equal, strict=True) if is_equal):
        them = "it" if len(names) == 1 else "them"
        text = f"{_verb(names, 'equal')} the gold: every measure gives {them} the best score."
        yield Oddity("perfect runs", names, text)


def _listed(names: tuple[str, ...]) -> str:
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


def constant_runs(task: Task) -> tuple[str, ...]:
    """Return the runs that answer everything alike: with one class, or one distribution."""
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


def _scales(task: Task) -> Iterator[Oddity]:
    """Ask about topics that never use the upper or lower classes, as if by a scale of their own.

    Topics of one scale differ, too. So these topics must use the last of their classes so often
    that many uses of the classes beyond it are expected, and all others about as many have.
    """
    counts = _counts(task)
    for turned in (counts, counts[:, ::-1]):
        for end in range(counts.shape[1] - 2, 0, -1):
            beyond, at = turned[:, end + 1 :].sum(axis=1), turned[:, end]
            without = beyond == 0
            expected = at * beyond.sum() / max(at[~without].sum(), 1)
            sure = np.minimum(expected, at)  # as tails fall
            large = sure >= _EXPECTED
            own, others = large & without, large & ~without
            usual = bool((beyond[others] >= _USUAL * expected[others]).all())
            together = min(sure[rows].sum() for rows in (own, others))
            if together < _TOGETHER or not usual:
                continue
            classes = task.classes if turned is counts else task.classes[::-1]
            names = tuple(np.array(task.topics, dtype=object)[own])
            text = (
                f"The gold data of {counted(len(names), 'topic')} ({some(names, 5)}) end at "
                f"{classes[end]}, and those of others reach {classes[-1]}: if topics have scales "
                "of their own, make a task for each scale, as a step on one is none on another."
            )
            yield Oddity("several scales", names, text)
            return


def _counts(task: Task) -> NDArray[np.float64]:
    """Return how many gold items or votes of each topic have each class, (topics, classes)."""
    size = (len(task.topics), len(task.classes))
    if isinstance(task, ClassificationTask):
        cells = task.topic * size[1] + task.gold
        return np.bincount(cells, minlength=size[0] * size[1]).reshape(size).astype(float)
    counts = np.zeros(size)
    if isinstance(task, QuantificationTask) and task.votes:
        counts = np.rint(task.gold * np.array(task.votes)[:, None])
    return counts


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
    """Count for each class the topics of which all gold items have it, (classes,)."""
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


RULES = (
    _identical,
    _constant,
    _unused,
    _perfect,
    _scales,
    _reversed_scales,
    _one_gold_class,
    _too_few,
)
