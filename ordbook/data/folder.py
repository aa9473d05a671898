"""The contents of a path: the roles of its files, and the task that they make.

The formats, and how they are told apart, stand in the docstring of :func:`ordbook.load`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from ordbook.data.annotators import ANNOTATORS
from ordbook.data.answers import read_task
from ordbook.data.formats import FORMATS, is_json
from ordbook.data.gaps import Missing, may_lack
from ordbook.data.labels import SIDECARS, listed_classes
from ordbook.data.ntcir import NTCIR_PARTS, about, classes_of_part, parts, reader
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Fault, Note, Problems, Row, as_notes
from ordbook.data.scorefiles import RUN_LISTS, read_scores, score_files
from ordbook.data.scores import Better, ScoreMatrix, ScoresTask
from ordbook.data.tasks import GROUPS, ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import Table, plain, read_table, read_text, wrong_header
from ordbook.files import sha256
from ordbook.words import did_you_mean, meant, name_fault, some, told_apart

Task = QuantificationTask | ClassificationTask | NuggetTask | ScoresTask
TITLES = {name: format.title for name, format in FORMATS.items()} | {
    "ntcir": "NTCIR STC-3 and DialEval, JSON",
    "scores": "scores",
}
_ADDRESS = re.compile(r"https?://[^\s<>\"'|\\]+")
LISTED = 5  # names in a note
BELONG = "run files belong into runs/, groups of runs into runs.csv."
_COMPANION = re.compile(r"(readme|licen[cs]e|copying).*", re.IGNORECASE)


class SeveralTasks(ValueError):
    """Files hold several tasks, and none was chosen; ``parts`` are those with runs, if any has."""

    def __init__(self, message: str, parts: Sequence[str] = NTCIR_PARTS) -> None:
        super().__init__(message)
        self.parts = tuple(parts)


@dataclass(frozen=True)
class Reading:
    """The contents that were read.

    Attributes
    ----------
    task
        The task of the runs in which nothing is wrong; None where something is with the gold data.
    problems
        All that is wrong.
    format
        A key of ``TITLES``; empty where the format could not be told.
    runs
        Names of the runs whose files were found.
    """

    task: Task | None
    problems: Problems
    format: str = ""
    runs: tuple[str, ...] = ()


def read_path(
    path: Path,
    *,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
    exclude: Collection[str] = (),
    missing: Missing = "refuse",
) -> Reading:
    """Read the contents of a path; parameters are those of :func:`ordbook.load`.

    Raises
    ------
    SeveralTasks
        If NTCIR files hold several tasks, and ``part`` chooses none.
    ValueError
        If an option does not go with the format.
    """
    listed = None if classes is None else [str(label) for label in classes]
    return _Reader(path, listed, part, better, tuple(dict.fromkeys(exclude)), missing).read()


@dataclass
class _Reader:
    """The reader of a folder or a file: its options, and its results so far.

    ``named`` are all runs in ``runs``, ``paths`` those that are read.
    """

    path: Path
    classes: Sequence[str] | None
    part: str | None
    better: Better | Mapping[str, Better] | None
    exclude: Collection[str]
    missing: Missing
    problems: Problems = field(default_factory=Problems)
    notes: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    paths: dict[str, Path] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder."""
        return self.path if self.path.is_dir() else self.path.parent

    def read(self) -> Reading:
        """Read the contents."""
        if self.path.is_dir():
            return self.read_folder()
        name = plain(self.path).name
        if name.lower().endswith(".zip"):
            self.problems.add(self.path, found="a zip file", fix="unpack it, and name the folder")
            return Reading(None, self.problems)
        if name.startswith("gold") or is_json(self.path):
            format = self.format_of(self.path)
            if self.problems or format == "ntcir":
                return self.answers(self.path, format) if format else Reading(None, self.problems)
            fix = f"name the folder with the gold file and runs/: {self.folder}"
            self.problems.add(self.path, found="a gold file alone", fix=fix)
            return Reading(None, self.problems)
        self.refuse_capitals(GROUPS)
        return self.scores(name.removesuffix(".csv"), [self.path])

    def read_folder(self) -> Reading:
        """Tell the format by the files, and read it."""
        files = sorted(self.path.iterdir())
        golds = [
            entry for entry in files if entry.name.lower().startswith("gold") and entry.is_file()
        ]
        scores = [] if golds or (self.path / "runs").exists() else score_files(self.path)
        if golds or scores:
            self.refuse_capitals("gold.csv", "gold.json", "runs", GROUPS, ANNOTATORS, *SIDECARS)
        if scores:
            beside = [path for path in files if plain(path).suffix in (".runs", ".json")]
            self.notes += self.unread([*RUN_LISTS, *(path.name for path in [*scores, *beside])])
            return self.scores(self.path.name, scores)
        if len(golds) != 1:
            self.refuse_golds(golds)
        if self.problems:
            return Reading(None, self.problems)
        format = self.format_of(golds[0])
        return self.answers(golds[0], format) if format else Reading(None, self.problems)

    def format_of(self, gold: Path) -> str:
        """Tell the format of a gold file; empty after ``problems`` got why it cannot be read."""
        text = self.problems.attempt(gold, read_text, gold)
        if text is None:
            return ""
        return next((name for name, x in FORMATS.items() if x.recognise(gold, text)), "ntcir")

    def answers(self, gold: Path, format: str) -> Reading:
        """Read gold data and runs."""
        self.refuse_options(format)
        name = plain(gold).stem
        if self.path.is_dir():
            name = self.path.name
            self.find_runs()
        if format == "ntcir":
            if self.part is None:
                raise SeveralTasks(
                    f"{gold}: holds several tasks; choose one with --part=A, E, S or nugget (in "
                    "Python part='A')",
                    parts(self.paths.values()),
                )
            read, beside = reader(self.part, gold), list[Path]()
            listed: list[str] | None = list(classes_of_part(self.part))
        else:
            read, folder = FORMATS[format].read, self.folder
            listed, lists = listed_classes(folder, self.classes, self.problems, self.notes)
            beside = [folder / ANNOTATORS, *lists]
        task = read_task(
            name,
            gold,
            self.paths,
            read,
            classes=listed,
            provenance=self.yours([gold, *beside, *self.paths.values()]),
            problems=self.problems,
            missing=self.missing,
            ratings=next(iter(beside), None),
        )
        known = [gold.name] if format == "ntcir" else [gold.name, ANNOTATORS, *SIDECARS]
        notes = self.unread(known) if self.path.is_dir() else []
        people = task.annotators.names if task and task.annotators else ()
        if both := sorted({*people} & {*self.paths}):
            fault = f"the annotator {both[0]!r}, which is a run's name, too"
            self.problems.add(beside[0], found=fault, fix="rename one of them")
        return self._reading(task, format, notes)

    def scores(self, name: str, paths: Sequence[Path]) -> Reading:
        """Read files of scores."""
        self.refuse_options("scores")
        task = read_scores(
            name, paths, better=self.better, notes=self.notes, problems=self.problems
        )
        if task is None:
            return Reading(None, self.problems, "scores")
        self.named, left = set(task.runs), self.leave_out(set(task.runs))
        if self.exclude:
            task = replace(task, scores=_without(task.scores, self.exclude))
        if self.folder / GROUPS in paths:
            return Reading(task, self.problems, "scores", task.runs)
        return replace(self._reading(task, "scores", left), runs=task.runs)

    def _reading(self, task: Task | None, format: str, notes: Iterable[str] = ()) -> Reading:
        """Add the contents of ``runs.csv``, if there is one, and notes on answers and names."""
        about = self.about()
        if task is not None:
            task = with_notes(replace(task, about=about), notes)
            if (path := self.folder / GROUPS).is_file():
                files = {**task.provenance.files, GROUPS: sha256(path)}
                task = _from(task, replace(task.provenance, files=files))
        return Reading(task, self.problems, format, tuple(self.paths))

    def refuse_options(self, format: str) -> None:
        """Refuse an option that is for another format."""
        for option, formats, files in (
            ("classes", FORMATS, "CSV and TREC files"),
            ("part", ("ntcir",), "NTCIR files"),
            ("better", ("scores",), "scores"),
        ):
            if getattr(self, option) is not None and format not in formats:
                self.refuse_option(option, files)
        if may_lack(self.missing) and format == "scores":
            self.refuse_option("missing", "files of runs, not of scores")

    def refuse_option(self, option: str, files: str) -> NoReturn:
        """Say of which files an option is."""
        names = {"better": "better (--lower-is-better, --higher-is-better)"}
        raise ValueError(
            f"{names.get(option, option)}: this is for {files}; leave it out for {self.path}"
        )

    def find_runs(self) -> None:
        """Find the run files: the run's name is that of the file without its ending.

        Files whose names say that they are about another part of NTCIR's tasks are not read.
        """
        runs = self.folder / "runs"
        if not runs.is_dir():
            self.problems.add(runs, found="no folder runs", fix="put the file of each run there")
            return
        skipped: dict[str, list[str]] = {}
        for path in sorted(runs.iterdir()):
            run = plain(path).stem
            hidden = "it is a hidden file" if path.name.startswith((".", "~$")) else ""
            if reason := hidden or about(self.part, path.name):
                skipped.setdefault(reason, []).append(path.name)
            elif path.is_dir():
                fix = "put the file of the run into runs itself"
                self.problems.add(path, found="a folder in place of a run", fix=fix, run=run)
            elif fault := name_fault(run):
                self.problems.add(path, found=fault, fix="rename the file", run=run)
            elif run in self.paths:
                finding = f"run {run!r}, which is also {self.paths[run].name}"
                fix = "keep one file for each run"
                self.problems.add(path, found=finding, fix=fix, run=run)
            elif run not in self.exclude:
                self.paths[run] = path
            if not hidden:
                self.named.add(run)
        for reason, names in skipped.items():
            self.notes.append(f"{_were(names, 'runs/')} not read: {reason}.")
        self.notes += self.leave_out(self.named)

    def leave_out(self, runs: Collection[str]) -> list[Note]:
        """Return notes on the runs that are excluded; refuse names of none."""
        for run in self.exclude:
            if run not in runs:
                raise ValueError(
                    f"exclude: there is no run {run!r}, but {some(sorted(runs))}"
                    f"{did_you_mean(run, runs)}"
                )
        return [Note(f"run {run} left out, as asked.", "left out", run) for run in self.exclude]

    def about(self) -> pd.DataFrame:
        """Read ``runs.csv``, if there is one: a column ``run``, and others about the runs.

        No other runs may be listed, and not all need be.
        """
        path, problems = self.folder / GROUPS, self.problems
        table = problems.attempt(path, _table_of_runs, path) if path.exists() else None
        if table is None:
            return pd.DataFrame()
        problems += table.faults
        problems.add_faults(_faults_of_runs(table, self.named))
        frame = pd.DataFrame(table.rows, columns=table.head, dtype=object).set_index("run")
        return frame[~frame.index.duplicated()]

    def refuse_golds(self, golds: Sequence[Path]) -> None:
        """Add the problem that a folder has no gold file, or several."""
        folder = self.path
        fault = "no file whose name starts with 'gold', and no scores *.csv"
        fix = "add the gold file, or name another folder"
        inside = [path for path in sorted(folder.iterdir()) if path.is_dir()]
        inside = [path for path in inside if path.name != "runs"]
        tasks = [path for path in inside if any(path.glob("[gG]old*"))]
        if golds:
            fault = f"{len(golds)} gold files: {', '.join(path.name for path in golds)}"
            fix = "keep one, and move or rename the others"
        elif inside:
            names = some([path.name for path in tasks or inside])
            fault = f"no gold file, but the folders {names}"
            fix = "name the folder of one task"
        self.problems.add(folder, found=fault, fix=fix)

    def refuse_capitals(self, *known: str) -> None:
        """Add a problem for each name that is known, but for capitals.

        Some systems open ``classes.txt`` where there is only ``Classes.txt``, and others do not.
        """
        for name in sorted(path.name for path in self.folder.iterdir()):
            if name.lower() in known and name != name.lower():
                fix = f"rename it to {name.lower()}, or move it elsewhere"
                fault = f"the name {name}, with capitals"
                self.problems.add(self.folder / name, found=fault, fix=fix)

    def unread(self, read: Collection[str]) -> list[str]:
        """Return a note that names the files beside gold data and runs that are not read."""
        names = [
            f"{path.name}/" if path.is_dir() else path.name
            for path in sorted(self.folder.iterdir())
            if path.name not in (*read, "runs", GROUPS, "__MACOSX")
            and not path.name.startswith(".")
            and not _COMPANION.fullmatch(path.name)
        ]
        return [Note(f"{_were(names)} not read: {BELONG}", "unread")] if names else []

    def yours(self, paths: Iterable[Path]) -> Provenance:
        """Return the source of the numbers."""
        files = [path for path in paths if path.is_file()]
        names = {path.relative_to(self.folder).as_posix(): sha256(path) for path in files}
        return Provenance("yours", names, as_notes(self.notes))


def _table_of_runs(path: Path) -> Table:
    """Read a list of runs."""
    table = read_table(path)
    if "run" not in table.head or "" in table.head or len({*table.head}) < len(table.head):
        wanted, fix = "'run' and other columns, each once", "write such a header, in small letters"
        raise wrong_header(path, table.head, wanted, f"{fix}, as run,group")
    return table


def _faults_of_runs(table: Table, runs: Collection[str]) -> Iterator[Fault]:
    """Yield the faults of a table about runs."""
    cells = [
        Row(path=table.path, line=line, column=column, name=name, cell=row[column - 1])
        for line, row in zip((1, *table.lines), (table.head, *table.rows), strict=True)
        for column, name in enumerate(table.head, 1)
    ]
    named = [row for row in cells[len(table.head) :] if row.name == "run"]
    again = pd.Index([row.cell for row in named]).duplicated()
    stray = [row for row in named if row.cell not in runs]
    same = meant({row.cell for row in stray}, runs)
    yield (
        "run twice",
        [row for row, is_again in zip(named, again, strict=True) if is_again],
        lambda row: f"run {row.cell!r} again",
        "list each run once",
    )

    def why(row: Any) -> str:
        if row.cell in same:
            return "run {}, which is named {}".format(*told_apart(row.cell, same[row.cell]))
        return f"run {row.cell!r}, which is not there"

    yield "stray run", stray, why, "write the names of the run files"
    wrong = [row for row in cells if row.cell and name_fault(row.cell)]
    yield "name", wrong, lambda row: name_fault(row.cell), "correct the name"
    links = [row for row in cells[len(table.head) :] if row.name == "link" and row.cell]
    yield (
        "link",
        [row for row in links if not _ADDRESS.fullmatch(row.cell)],
        lambda row: f"the link {row.cell!r}",
        "write an address that begins with https://, or leave the cell empty",
    )


def with_notes(task: Task, notes: Iterable[str]) -> Task:
    """Return a task with further notes in its provenance."""
    before = task.provenance
    return _from(task, replace(before, notes=as_notes([*before.notes, *notes])))


def _from(task: Task, provenance: Provenance) -> Task:
    if isinstance(task, ScoresTask):
        return replace(task, scores=replace(task.scores, provenance=provenance))
    return replace(task, provenance=provenance)


def _without(scores: ScoreMatrix, runs: Collection[str]) -> ScoreMatrix:
    """Return the scores of the other runs."""
    return scores.keep(runs={*scores.runs} - {*runs})


def _were(names: Sequence[str], folder: str = "") -> str:
    """Return the first of some names, and the verb."""
    return f"{folder}{some(names, LISTED)} {'was' if len(names) == 1 else 'were'}"
