"""What is there in a task, in a few lines."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.folder import FORMATS, Task
from ordbook.data.names import some
from ordbook.data.nuggets import NuggetTask
from ordbook.data.scores import ScoresTask
from ordbook.data.tasks import ClassificationTask

SAME = 1e-12  # probabilities this close are the same


@dataclass(frozen=True)
class Summary:
    """What is there.

    Attributes
    ----------
    name, format, kind, part
        Name of the task; its format, a key of :data:`ordbook.data.folder.FORMATS`;
        quantification, classification, nuggets or scores; and, of NTCIR files, which part.
    topics, items
        How many there are; items are those of classification, and turns of dialogues.
    runs, classes, measures
        Their names, in order; measures only of scores.
    votes
        (fewest, median, most) votes per topic in the gold data, and items per topic of
        classification; None where they do not say.
    identical
        Runs that answer the same everywhere, or have the same scores, together.
    constant
        Runs that answer the same for every topic or item.
    empty
        Classes that the gold data never have.
    groups, languages
        Run -> group and language, where a list says so.
    notes
        What had to be accepted, one sentence each.
    """

    name: str
    format: str
    kind: str
    part: str | None
    topics: int
    items: int | None
    runs: tuple[str, ...]
    classes: tuple[str, ...]
    measures: tuple[str, ...]
    votes: tuple[int, float, int] | None
    identical: tuple[tuple[str, ...], ...]
    constant: tuple[str, ...]
    empty: tuple[str, ...]
    groups: Mapping[str, str]
    languages: Mapping[str, str]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        lines: list[tuple[str, object]] = [
            ("task", self.name + (f", part {self.part}" if self.part else "")),
            ("format", FORMATS[self.format]),
            ("kind", self.kind),
            ("topics", self.topics),
            ("turns" if self.kind == "nuggets" else "items", self.items),
            ("runs", f"{len(self.runs)}: {some(self.runs)}" if self.runs else "none"),
            ("classes", in_order(self.classes, self.kind) if self.classes else None),
            (
                "measures",
                f"{len(self.measures)}: {some(self.measures)}" if self.measures else None,
            ),
            (f"{'items' if self.kind == 'classification' else 'votes'} per topic", self._votes()),
            ("groups", _grouped(self.groups) if self.groups else None),
            ("languages", _grouped(self.languages) if self.languages else None),
            *(("identical runs", " = ".join(runs)) for runs in self.identical),
            ("constant runs", ", ".join(self.constant) or None),
            ("classes without gold", ", ".join(self.empty) or None),
            *(("note", note) for note in self.notes),
        ]
        return "\n".join(f"{what + ':':<22}{value}" for what, value in lines if value is not None)

    def _votes(self) -> str | None:
        if self.votes is None:
            return None
        low, middle, high = self.votes
        return str(low) if low == high else f"{low} to {high}, median {middle:g}"


def summarise(task: Task, format: str, part: str | None = None) -> Summary:
    """Say what is there."""
    identical, constant = _alike(task)
    votes = np.array(task.votes)
    if isinstance(task, ClassificationTask):
        votes = np.bincount(task.topic, minlength=len(task.topics))
    notes = (*task.provenance.notes, *_few(task), *_perfect(task), *by_convention(task))
    return Summary(
        name=task.name,
        format=format,
        kind=task.kind,
        part=part,
        topics=len(task.topics),
        items=_items(task),
        runs=task.runs,
        classes=task.classes,
        measures=task.measures if isinstance(task, ScoresTask) else (),
        votes=(int(votes.min()), float(np.median(votes)), int(votes.max())) if votes.size else None,
        identical=identical,
        constant=constant,
        empty=_empty(task),
        groups=dict(task.groups),
        languages=dict(task.languages),
        notes=notes,
    )


def in_order(classes: Sequence[str], kind: str) -> str:
    """Return how many classes there are, and which, lowest first; nuggets have no order.

    Examples
    --------
    >>> in_order(["low", "high"], "quantification")
    '2: low < high'
    """
    return f"{len(classes)}: {(', ' if kind == 'nuggets' else ' < ').join(classes)}"


def _few(task: Task) -> Iterator[str]:
    """Say what cannot be analysed with so few runs or topics."""
    if len(task.runs) == 1:
        yield (
            "there is only one run: it can be scored, but rankings, significance tests and all "
            "that compares runs need two or more."
        )
    if len(task.topics) == 1:
        yield (
            "there is only one topic: significance tests, intervals, consistency and all that "
            "looks at differences between topics need two or more."
        )


def _perfect(task: Task) -> Iterator[str]:
    """Name the runs that equal the gold data."""
    if isinstance(task, ScoresTask):
        return
    if isinstance(task, NuggetTask):
        golds: list[NDArray[Any]] = [task.customer.gold, task.helpdesk.gold]
    else:
        golds = [task.gold[:, None] if isinstance(task, ClassificationTask) else task.gold]
    names = [
        run
        for run, answers in zip(task.runs, _answers(task), strict=True)
        if all(
            np.allclose(answer, gold, rtol=0, atol=SAME)
            for answer, gold in zip(answers, golds, strict=True)
        )
    ]
    if names:
        equal, them = ("equals", "it") if len(names) == 1 else ("equal", "them")
        yield f"{some(names)} {equal} the gold: every measure gives {them} the best score."


def by_convention(task: object) -> Iterator[str]:
    """Count the scores of kappa and alpha that are 0/0: gold and run hold one and the same class.

    Examples
    --------
    >>> task = ClassificationTask.from_labels([0, 0, 1], {"A": [0, 0, 0]}, ["s", "s", "t"], [0, 1])
    >>> next(by_convention(task))[:58]
    'kappa, alpha_ord and alpha_int are 1 by convention for 1 o'
    """
    if not isinstance(task, ClassificationTask) or task.missing:
        return
    topics, classes = len(task.topics), len(task.classes)
    held = np.unique(task.topic * classes + task.gold) // classes
    alone = np.bincount(held, minlength=topics) == 1
    count = sum(
        int((alone & (np.bincount(task.topic[labels != task.gold], minlength=topics) == 0)).sum())
        for labels in task.predicted
    )
    if count:
        yield (
            f"kappa, alpha_ord and alpha_int are 1 by convention for {count} of "
            f"{topics * len(task.runs)} pairs of topic and run: gold and run hold one and the same "
            "class there, and these measures are 0/0."
        )


def _answers(task: Task) -> list[list[NDArray[Any]]]:
    """Return per run its answers, as arrays with topics or items first."""
    if isinstance(task, ScoresTask):
        return [[task.scores.values[..., run].T] for run in range(len(task.runs))]
    if isinstance(task, ClassificationTask):
        return [[labels[:, None]] for labels in task.predicted]
    if isinstance(task, NuggetTask):
        sides = task.customer, task.helpdesk
        return [[turns.estimates[run] for turns in sides] for run in range(len(task.runs))]
    return [[estimates] for estimates in task.estimates]


def _alike(task: Task) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return identical runs together, and constant ones."""
    same: dict[bytes, list[str]] = defaultdict(list)
    constant = []
    for run, arrays in zip(task.runs, _answers(task), strict=True):
        same[b"".join((array + 0).tobytes() for array in arrays)].append(run)
        several = any(len(array) > 1 for array in arrays)
        if several and all((array == array[:1]).all() for array in arrays):
            constant.append(run)
    return tuple(tuple(runs) for runs in same.values() if len(runs) > 1), tuple(constant)


def _empty(task: Task) -> tuple[str, ...]:
    if isinstance(task, ScoresTask):
        return ()
    if isinstance(task, ClassificationTask):
        counts = np.bincount(task.gold, minlength=len(task.classes))
    elif isinstance(task, NuggetTask):
        counts = np.concatenate([side.gold.sum(axis=0) for side in (task.customer, task.helpdesk)])
    else:
        counts = task.gold.sum(axis=0)
    return tuple(label for label, count in zip(task.classes, counts, strict=True) if count == 0)


def _items(task: Task) -> int | None:
    if isinstance(task, ClassificationTask):
        return len(task.gold)
    if isinstance(task, NuggetTask):
        return len(task.customer.topic) + len(task.helpdesk.topic)
    return None


def _grouped(groups: Mapping[str, str]) -> str:
    members: dict[str, list[str]] = defaultdict(list)
    for run, group in groups.items():
        members[group].append(run)
    return "; ".join(f"{group} ({some(runs)})" for group, runs in members.items())
