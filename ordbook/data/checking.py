"""Check files before anything is computed from them: list their faults, or summarise them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ordbook.data.catalog import catalog
from ordbook.data.folder import TITLES, Reading, SeveralTasks, Task, read_path
from ordbook.data.loading import find_path
from ordbook.data.nuggets import NuggetTask
from ordbook.data.oddities import Oddity, oddities
from ordbook.data.problems import Problems
from ordbook.data.scores import Better, ScoresTask
from ordbook.data.submission import read_submission
from ordbook.data.tasks import ClassificationTask, stated
from ordbook.data.text import plain
from ordbook.words import counted, shown, some

SHOWN = 25


@dataclass(frozen=True)
class Summary:
    """The contents of a checked task.

    Attributes
    ----------
    name, format, kind, part
        Name of the task; its format, a key of :data:`ordbook.data.folder.TITLES`;
        quantification, classification, nuggets or scores; and, of NTCIR files, which part.
    topics, items
        How many there are; items are those of classification, and turns of dialogues.
    runs, classes, measures
        Their names, in order; measures only of scores.
    votes
        (fewest, median, most) votes per topic in the gold data, and items per topic of
        classification; None where they do not say.
    oddities
        What is no fault and yet worth a look: kind, runs or classes, and a sentence.
    about
        What is known of the runs: column, such as ``group`` -> run -> text.
    notes
        What readers accepted, one sentence each.
    annotators
        Who rated the items, and how far they agree, where the ratings are known.
    left
        Runs that are not among ``runs``: ``incomplete``, as they lack answers, or ``wrong``.
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
    oddities: tuple[Oddity, ...]
    about: Mapping[str, Mapping[str, str]]
    notes: tuple[str, ...]
    annotators: str | None = None
    left: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        votes = None
        if self.votes is not None:
            low, middle, high = self.votes
            votes = str(low) if low == high else f"{low} to {high}, median {middle:g}"
        lines: list[tuple[str, object]] = [
            ("task", self.name + (f", part {self.part}" if self.part else "")),
            ("format", TITLES[self.format]),
            ("kind", self.kind),
            ("topics", self.topics),
            ("turns" if self.kind == "nuggets" else "items", self.items),
            ("runs", self._runs()),
            ("classes", in_order(self.classes, self.kind) if self.classes else None),
            ("measures", f"{len(self.measures)}: {some(self.measures)}" if self.measures else None),
            (f"{'items' if self.kind == 'classification' else 'votes'} per topic", votes),
            ("annotators", self.annotators),
            *((column, _grouped(texts)) for column, texts in self.about.items()),
            *((odd.kind, odd.text) for odd in self.oddities),
            *(("note", note) for note in self.notes),
        ]
        return "\n".join(f"{label + ':':<22}{value}" for label, value in lines if value is not None)

    def _runs(self) -> str:
        """Count the runs, those that are left out by the reason, and name the others."""
        left = "".join(f", {count} {why}" for why, count in Counter(self.left.values()).items())
        number = len(self.runs) + len(self.left)
        if not number:
            return "none"
        names = some(self.runs) or "none"
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
            lines += ["", f"{'format:':<22}{TITLES[self.format]}"]
            if self.format != "scores":
                lines.append(f"{'run files:':<22}{len(self.runs)}: {some(self.runs)}")
        return "\n".join(lines) + "".join(f"\n\n{summary}" for summary in self.summary)

    def as_json(self) -> dict[str, Any]:
        """Return everything in types that JSON knows."""
        return {
            "path": self.path,
            "format": self.format,
            "runs": list(self.runs),
            "causes": self.problems.causes(),
            "problems": [asdict(problem) for problem in self.problems],
            "summary": [asdict(summary) for summary in self.summary],
        }


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
    >>> len(report.problems), report.summary[0].topics, len(report.summary[0].runs)
    (0, 56, 16)
    """
    if isinstance(path, str) and path in catalog() and not Path(path).exists():
        dataset = catalog()[path]
        if dataset.format == "elsewhere":
            raise ValueError(dataset.how_to_get())
        raise ValueError(f"{path}: a catalogued data set, which is checked whenever it is read")
    source = find_path(path)
    readings: dict[str | None, Reading] = {}
    try:
        readings[part] = read_path(source, classes=classes, part=part, better=better)
    except SeveralTasks as several:
        for name in several.parts:
            readings[name] = read_path(source, classes=classes, part=name, better=better)
    problems = Problems()
    for reading in readings.values():
        _refuse_none(source, reading)
        known = set(problems)  # the parts of NTCIR's tasks share files
        problems += [problem for problem in reading.problems if problem not in known]
    return Report(
        str(path),
        problems,
        tuple(
            _summarise(reading.task, reading.format, name, _left(source, reading))
            for name, reading in readings.items()
            if reading.task is not None
        ),
        next(iter(readings.values())).format,
        tuple(dict.fromkeys(run for reading in readings.values() for run in reading.runs)),
    )


def check_submission(path: str | Path, sample: str | Path) -> Report:
    """List all faults in the form of a submission to a competition.

    Parameters
    ----------
    path
        The file.
    sample
        A sample submission; the classes stand in ``classes.txt`` beside it.

    Raises
    ------
    ValueError
        If one of the files does not exist.
    """
    return Report(str(path), read_submission(path, sample).problems, ())


def _left(path: Path, reading: Reading) -> dict[str, str]:
    """Return the runs that are left out of a task -> why."""
    here = reading.task.runs if reading.task else ()
    _, by_file = reading.problems.split(f"{path}/runs")
    incomplete = {
        plain(Path(name)).stem
        for name, problems in by_file.items()
        if all(problem.code == "lacking" for problem in problems)
    }
    left = [run for run in reading.runs if run not in here]
    return {run: "incomplete" if run in incomplete else "wrong" for run in left}


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
    if not reading.problems.within(runs):
        fault = "no runs, without which nothing can be scored"
        reading.problems.add(path if alone else runs, found=fault, fix=fix)


def in_order(classes: Sequence[str], kind: str) -> str:
    """Return how many classes there are, and which, lowest first; nuggets have no order.

    Of more than 12, only the lowest and the highest three are named.

    Examples
    --------
    >>> in_order(["low", "high"], "quantification")
    '2: low < high'
    """
    names = classes if len(classes) <= 12 else [*classes[:3], "...", *classes[-3:]]
    return f"{len(classes)}: {(', ' if kind == 'nuggets' else ' < ').join(names)}"


def _summarise(task: Task, format: str, part: str | None, left: Mapping[str, str]) -> Summary:
    """Describe the contents."""
    items, votes = None, np.array(task.votes)
    if isinstance(task, ClassificationTask | NuggetTask):
        items = len(task.gold)
    if isinstance(task, ClassificationTask):
        votes = np.bincount(task.topic, minlength=len(task.topics))
    people = getattr(task, "annotators", None)
    return Summary(
        name=task.name,
        format=format,
        kind=task.kind,
        part=part,
        topics=len(task.topics),
        items=items,
        runs=task.runs,
        classes=task.classes,
        measures=task.measures if isinstance(task, ScoresTask) else (),
        votes=(int(votes.min()), float(np.median(votes)), int(votes.max())) if votes.size else None,
        oddities=tuple(odd for odd in oddities(task) if odd.kind != "one run" or not left),
        about={str(column): stated(task.about, str(column)) for column in task.about},
        notes=task.provenance.notes,
        annotators=people and str(people),
        left=left,
    )


def _grouped(groups: Mapping[str, str]) -> str | None:
    members: dict[str, list[str]] = defaultdict(list)
    for run, group in groups.items():
        members[group].append(run)
    return "; ".join(f"{group} ({some(runs)})" for group, runs in members.items()) or None
