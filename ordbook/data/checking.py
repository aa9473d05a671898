"""Check files before anything is computed from them: all that is wrong, and what is there.

Contents
--------
check        a path -> a report
Report       the problems and the summary, as text or for JSON
Summary      what is there
summarise    a task -> what is there
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.catalog import catalog
from ordbook.data.formats import FORMATS, Reading, SeveralTasks, Task, read_path
from ordbook.data.loading import find_path
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Problems
from ordbook.data.scores import Better
from ordbook.data.scoretask import ScoresTask
from ordbook.data.tasks import ClassificationTask

SHOWN = 100
LISTED = 12


@dataclass(frozen=True)
class Summary:
    """What is there.

    Attributes
    ----------
    name, format, kind, part
        Name of the task; its format, a key of :data:`ordbook.data.formats.FORMATS`;
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
        classes = " < ".join(self.classes) if self.kind != "nuggets" else ", ".join(self.classes)
        lines: list[tuple[str, object]] = [
            ("task", self.name + (f", part {self.part}" if self.part else "")),
            ("format", FORMATS[self.format]),
            ("kind", self.kind),
            ("topics", self.topics),
            ("turns" if self.kind == "nuggets" else "items", self.items),
            ("runs", f"{len(self.runs)}: {_some(self.runs)}" if self.runs else "none"),
            ("classes", f"{len(self.classes)}: {classes}" if classes else None),
            (
                "measures",
                f"{len(self.measures)}: {_some(self.measures)}" if self.measures else None,
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


@dataclass(frozen=True)
class Report:
    """What a check found.

    Attributes
    ----------
    path
        What was checked.
    problems
        All that is wrong, in the order in which it was found.
    summary
        What is there: one for each task that could be read whole.
    format, runs
        The format, empty where it could not be told, and the runs whose files were found.
    """

    path: str
    problems: Problems
    summary: tuple[Summary, ...]
    format: str = ""
    runs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Problems, at most 100 of them, and summaries, as people read them."""
        lines = [str(problem) for problem in self.problems.items[:SHOWN]]
        more = len(self.problems) - SHOWN
        if more > 0:
            lines.append(f"... and {more} more problem{'s' * (more > 1)}; --json lists them all")
        if self.problems:
            count = len(self.problems)
            lines.append(f"{self.path}: {count} problem{'s' * (count > 1)}")
        else:
            lines.append(f"{self.path}: nothing is wrong")
        if self.format and not self.summary:
            lines += ["", f"{'format:':<22}{FORMATS[self.format]}"]
            if self.format != "scores":
                lines.append(f"{'run files:':<22}{len(self.runs)}: {_some(self.runs)}")
            lines.append(f"{'the rest:':<22}is shown when the files can be read")
        return "\n".join(lines) + "".join(f"\n\n{summary}" for summary in self.summary)

    def as_json(self) -> dict[str, Any]:
        """Return everything in types that JSON knows."""
        return {
            "path": self.path,
            "format": self.format,
            "runs": list(self.runs),
            "problems": [asdict(problem) for problem in self.problems],
            "summary": [asdict(summary) for summary in self.summary],
        }


def check(
    path: str | Path,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
) -> Report:
    """List everything that is wrong with a task's files, and what is there.

    Parameters
    ----------
    path
        A folder, a zip file or a file in one of the formats of :func:`ordbook.load`.
    classes, part, better
        As for :func:`ordbook.load`; without ``part``, NTCIR files are checked for each part that
        runs are about.

    Raises
    ------
    ValueError
        If the path does not exist, names a catalogued data set, or an option does not go with its
        format.

    Examples
    --------
    >>> from ordbook.data.paths import share
    >>> report = check(share("data", "examples", "fair-oq"))
    >>> len(report.problems), report.summary[0].topics, len(report.summary[0].runs)
    (0, 56, 16)
    """
    if isinstance(path, str) and path in catalog() and not Path(path).exists():
        raise ValueError(f"{path}: a catalogued data set, which is checked whenever it is read")
    found = find_path(path)
    readings: list[tuple[str | None, Reading]] = []
    try:
        readings.append((part, read_path(found, classes=classes, part=part, better=better)))
    except SeveralTasks as several:
        for each in several.parts:
            readings.append((each, read_path(found, classes=classes, part=each, better=better)))
    problems = Problems()
    # The parts of NTCIR's tasks share files, and so faults.
    problems.items += dict.fromkeys(
        problem for _, reading in readings for problem in reading.problems
    )
    return Report(
        str(path),
        problems,
        tuple(
            summarise(reading.task, reading.format, each)
            for each, reading in readings
            if reading.task is not None
        ),
        readings[0][1].format,
        tuple(dict.fromkeys(run for _, reading in readings for run in reading.runs)),
    )


def summarise(task: Task, format: str, part: str | None = None) -> Summary:
    """Say what is there."""
    identical, constant = _alike(task)
    votes = np.array(task.votes)
    if isinstance(task, ClassificationTask):
        votes = np.bincount(task.topic, minlength=len(task.topics))
    notes = task.provenance.notes
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


def _some(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _grouped(groups: Mapping[str, str]) -> str:
    members: dict[str, list[str]] = defaultdict(list)
    for run, group in groups.items():
        members[group].append(run)
    return "; ".join(f"{group} ({_some(runs)})" for group, runs in members.items())
