"""Check files before anything is computed from them: list their faults, or summarise them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from ordbook.data.catalog import catalog
from ordbook.data.folder import Options, Reading, SeveralTasks, Task, read_path, read_submission
from ordbook.data.formats import title_of
from ordbook.data.loading import find_path
from ordbook.data.nuggets import NuggetTask
from ordbook.data.oddities import Oddity, oddities
from ordbook.data.problems import Problems
from ordbook.data.scores import Better, ScoresTask
from ordbook.data.tasks import ClassificationTask, stated
from ordbook.words import counted, shown, some

SHOWN = 25


@dataclass(frozen=True)
class Summary:
    """A task that was checked, in a few lines.

    Attributes
    ----------
    task
        The task of the runs without problems.
    format, part
        Its format, as :class:`ordbook.data.folder.Reading` names it; of NTCIR files, which part.
    left
        Runs that are not in the task: ``incomplete``, as they lack answers, or ``wrong``.
    """

    task: Task
    format: str
    part: str | None = None
    left: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def oddities(self) -> tuple[Oddity, ...]:
        """Oddities, no faults and yet worth a look: kind, runs or classes, and a sentence."""
        return tuple(odd for odd in oddities(self.task) if odd.kind != "one run" or not self.left)

    @property
    def items(self) -> int | None:
        """How many items or turns there are; None of topics alone."""
        task = self.task
        return len(task.topic) if isinstance(task, ClassificationTask | NuggetTask) else None

    @property
    def votes(self) -> tuple[int, float, int] | None:
        """Fewest, median and most votes, or items, of a topic; None where files do not say."""
        counts = np.array(self.task.votes)
        if isinstance(self.task, ClassificationTask):
            counts = np.bincount(self.task.topic, minlength=len(self.task.topics))
        if not counts.size:
            return None
        return int(counts.min()), float(np.median(counts)), int(counts.max())

    def __str__(self) -> str:
        task, kind, votes = self.task, self.task.kind, None
        if self.votes is not None:
            low, middle, high = self.votes
            votes = str(low) if low == high else f"{low} to {high}, median {middle:g}"
        measures = task.measures if isinstance(task, ScoresTask) else ()
        facts: list[tuple[str, object]] = [
            ("task", task.name + (f", part {self.part}" if self.part else "")),
            ("format", title_of(self.format)),
            ("kind", kind),
            ("topics", len(task.topics)),
            ("turns" if kind == "nuggets" else "items", self.items),
            ("runs", self._runs()),
            ("classes", in_order(task.classes, kind) if task.classes else None),
            ("measures", f"{len(measures)}: {some(measures)}" if measures else None),
            (f"{'items' if kind == 'classification' else 'votes'} per topic", votes),
            ("annotators", None if isinstance(task, ScoresTask) else task.annotators),
            *((name, _grouped(stated(task.about, name))) for name in map(str, task.about)),
            *((odd.kind, odd.text) for odd in self.oddities),
            *(("note", note) for note in task.provenance.notes),
        ]
        return "\n".join(f"{name + ':':<22}{fact}" for name, fact in facts if fact is not None)

    def _runs(self) -> str:
        """Count the runs, those that are left out by the reason, and name the others."""
        left = "".join(f", {count} {why}" for why, count in Counter(self.left.values()).items())
        number = len(self.task.runs) + len(self.left)
        if not number:
            return "none"
        names = some(self.task.runs) or "none"
        if not left:
            return f"{number}: {names}"
        return f"{counted(number, 'run')}{left}; without problems: {names}"


@dataclass(frozen=True)
class Report:
    """The result of a check.

    Attributes
    ----------
    path
        What was checked.
    problems
        All that is wrong, in the order in which it was found.
    summary
        What is there: one for each task; where there are problems, of the runs without.
    format, runs
        The format, empty where it could not be told, and the runs whose files were found.
    """

    path: str
    problems: Problems
    summary: tuple[Summary, ...]
    format: str = ""
    runs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Problems, cause by cause on at most 25 lines, and summaries, as people read them."""
        causes = self.problems.causes()
        lines = causes[:SHOWN]
        if len(causes) > SHOWN:
            lines.append(f"... and {counted(len(causes) - SHOWN, 'more kind')} of problems")
        return self._with_summary(lines, "; --all lists each")

    def in_full(self) -> str:
        """Return the same with a line for each problem."""
        return self._with_summary(list(map(str, self.problems)), "")

    def _with_summary(self, lines: list[str], hint: str) -> str:
        if self.problems:
            hint = hint if len(lines) < len(self.problems) else ""
            lines.append(f"{shown(self.path)}: {counted(len(self.problems), 'problem')}{hint}")
        else:
            lines.append(f"{shown(self.path)}: nothing is wrong")
        if self.problems and self.summary:
            lines += ["", "what can be read, without the runs that have problems:"]
        elif self.format and not self.summary:
            lines += ["", f"{'format:':<22}{title_of(self.format)}"]
            if self.format != "scores":
                lines.append(f"{'run files:':<22}{len(self.runs)}: {some(self.runs)}")
        return "\n".join(lines) + "".join(f"\n\n{summary}" for summary in self.summary)


def check(
    path: str | Path,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
) -> Report:
    """List all faults in a task's files, or summarise the task.

    Parameters
    ----------
    path
        A folder or a file in one of the formats of :func:`ordbook.load`.
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
    >>> from ordbook.files import share
    >>> report = check(share("data", "examples", "fair-oq"))
    >>> len(report.problems), report.summary[0].task.kind, len(report.summary[0].task.runs)
    (0, 'quantification', 16)
    """
    if isinstance(path, str) and path in catalog() and not Path(path).exists():
        dataset = catalog()[path]
        if dataset.format == "elsewhere":
            raise ValueError(dataset.how_to_get())
        raise ValueError(f"{path}: a catalogued data set, which is checked whenever it is read")
    source = find_path(path)
    labels = None if classes is None else list(map(str, classes))
    readings: dict[str | None, Reading] = {}
    try:
        readings[part] = read_path(source, Options(labels, part, better))
    except SeveralTasks as several:
        for name in several.parts:
            readings[name] = read_path(source, Options(labels, name, better))
    problems = Problems()
    for reading in readings.values():
        _refuse_none(source, reading)
        known = set(problems)  # the parts of NTCIR's tasks share files
        problems += [problem for problem in reading.problems if problem not in known]
    return Report(
        str(path),
        problems,
        tuple(
            Summary(reading.task, reading.format, name, _left(reading))
            for name, reading in readings.items()
            if reading.task is not None
        ),
        next(iter(readings.values())).format,
        tuple(dict.fromkeys(run for reading in readings.values() for run in reading.runs)),
    )


def check_submission(path: str | Path, sample: str | Path) -> Report:
    """List all faults in the form of a submission to a competition.

    It is held against a sample submission, beside which ``classes.txt`` lists the classes.
    """
    submission, held_against = (Path(each).expanduser() for each in (path, sample))
    return Report(str(path), read_submission(submission, held_against).problems, ())


def _left(reading: Reading) -> dict[str, str]:
    """Return the runs that are left out of a task -> why."""
    here = reading.task.runs if reading.task else ()
    wrong = {problem.run for problem in reading.problems if problem.code != "lacking"}
    left = [run for run in reading.runs if run not in here]
    return {run: "wrong" if run in wrong else "incomplete" for run in left}


def _refuse_none(path: Path, reading: Reading) -> None:
    """Add a problem if there are no runs, because nothing could be scored."""
    runs = path / "runs"
    if reading.task is None or reading.runs or reading.format == "scores":
        return
    alone = path.is_file()
    notes = reading.task.provenance.notes
    beside = [note.removesuffix(".") for note in notes if note.kind == "unread"]
    fix = "; ".join(["put the file of each run there", *beside])
    fix = "name the folder that holds the gold file and runs/" if alone else fix
    if not reading.problems:
        fault = "no runs, without which nothing can be scored"
        reading.problems.add(path if alone else runs, found=fault, fix=fix)


def in_order(classes: Sequence[str], kind: str) -> str:
    """Return how many classes there are, and of more than 12 only the first and last three."""
    names = classes if len(classes) <= 12 else [*classes[:3], "...", *classes[-3:]]
    return f"{len(classes)}: {(', ' if kind == 'nuggets' else ' < ').join(names)}"


def _grouped(groups: Mapping[str, str]) -> str | None:
    members: dict[str, list[str]] = defaultdict(list)
    for run, group in groups.items():
        members[group].append(run)
    return "; ".join(f"{group} ({some(runs)})" for group, runs in members.items()) or None
