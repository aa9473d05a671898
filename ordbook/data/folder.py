"""The contents of a path: the roles of its files, and the task that they make.

The formats, and how they are told apart, stand in the docstring of :func:`ordbook.load`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from ordbook.data import formats
from ordbook.data.annotators import ANNOTATORS
from ordbook.data.answers import read_task
from ordbook.data.formats import is_json, read_csv
from ordbook.data.gaps import Missing, may_lack
from ordbook.data.labels import SIDECARS, listed_classes
from ordbook.data.ntcir import NTCIR_PARTS, about, classes_of_part, parts
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Fault, Note, Problems, Row, as_notes
from ordbook.data.scoreframes import RUN_LISTS, score_files
from ordbook.data.scores import Better, ScoresTask, read_scores
from ordbook.data.tasks import GROUPS, ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import Table, plain, read_table, read_text, wrong_header
from ordbook.files import sha256
from ordbook.words import did_you_mean, meant, name_fault, some, told_apart

Task = QuantificationTask | ClassificationTask | NuggetTask | ScoresTask
RUNS = "runs"  # the folder of the files of runs
# Kinds of formats: a gold file with runs, the same with several parts, and scores.
ONE, PARTS, SCORES = "one task", "several parts", "scores"
# The names of files with a role -> the kinds of formats that give it to them.
ROLES: Mapping[str, Collection[str]] = {
    RUNS: (ONE, PARTS, SCORES),
    GROUPS: (ONE, PARTS, SCORES),
    ANNOTATORS: (ONE,),
    **dict.fromkeys(SIDECARS, (ONE,)),
    **dict.fromkeys(RUN_LISTS, (SCORES,)),
}
# Options of `load` -> the kind that they are for, and both as messages call them.
OPTIONS = {
    "classes": (ONE, "classes", "CSV and TREC files"),
    "part": (PARTS, "part", "NTCIR files"),
    "better": (SCORES, "better (--lower-is-better, --higher-is-better)", "scores"),
}
_LISTED = 5  # names in a note
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
        A key of ``FORMATS`` or ``scores``; empty where the format could not be told.
    runs
        Names of the runs whose files were found.
    """

    task: Task | None
    problems: Problems
    format: str = ""
    runs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """The options of :func:`ordbook.load` for files."""

    classes: Sequence[str] | None = None
    part: str | None = None
    better: Better | Mapping[str, Better] | None = None
    exclude: Collection[str] = ()
    missing: Missing = "refuse"

    def require(self, kind: str, path: Path) -> None:
        """Refuse an option that is for another kind of format."""
        may_lack(self.missing)
        for option, (of_kind, name, files) in OPTIONS.items():
            if getattr(self, option) is not None and kind != of_kind:
                raise ValueError(f"{name}: this is for {files}; leave it out for {path}")

    def left_out(self, runs: Collection[str]) -> list[Note]:
        """Return notes on the runs that are excluded; refuse names of none."""
        for run in self.exclude:
            if run not in runs:
                raise ValueError(
                    f"exclude: there is no run {run!r}, but {some(sorted(runs))}"
                    f"{did_you_mean(run, runs)}"
                )
        return [Note(f"run {run} left out, as asked.", "left out", run) for run in self.exclude]


def read_path(path: Path, options: Options | None = None) -> Reading:
    """Read the contents of a path; raise ValueError if an option does not go with the format."""
    problems, options = Problems(), options or Options()
    gold, scores = _gold_and_scores(path, problems)
    if scores:
        return _read_scores(path, scores, options, problems)
    text = problems.attempt(gold, read_text, gold) if gold and not problems else None
    if gold is None or text is None:
        return Reading(None, problems)
    format = formats.format_of(gold, text)
    if path.is_file() and not formats.FORMATS[format].has_parts:
        fix = f"name the folder with the gold file and runs/: {path.parent}"
        problems.add(path, found="a gold file alone", fix=fix)
        return Reading(None, problems)
    return _read_answers(path, gold, format, options, problems)


def read_submission(answers: Path, gold: Path, missing: Missing = "refuse") -> Reading:
    """Read a submission to a competition, a single file of answers, as the only run of a task.

    It is held against the gold file or, for a check of the form alone, a sample submission; a list
    of classes beside that file holds.
    """
    for path in (answers, gold):
        if not path.is_file():
            raise ValueError(f"{path}: no such file; correct the path")
    problems, run = Problems(), plain(answers).stem
    listed, _ = listed_classes(gold.parent, None, problems, [])
    task = read_task(gold, {run: answers}, read_csv, listed, problems, missing=missing)
    for place, problem in enumerate(problems):
        if problem.code == "lacking":  # how the organisers count it is not for participants
            problems[place] = replace(problem, fix="add a line for each")
    return Reading(task, problems, "tables", (run,))


def _gold_and_scores(path: Path, problems: Problems) -> tuple[Path | None, list[Path]]:
    """Return the gold file of a path, or else its files of scores."""
    name = plain(path).name
    if path.is_file() and name.lower().endswith(".zip"):
        problems.add(path, found="a zip file", fix="unpack it, and name the folder")
        return None, []
    if path.is_file() and (name.startswith("gold") or is_json(path)):
        return path, []
    if path.is_file():
        _refuse_capitals(path.parent, [GROUPS], problems)
        return None, [path]
    golds = [
        entry
        for entry in sorted(path.iterdir())
        if entry.name.lower().startswith("gold") and entry.is_file()
    ]
    scores = [] if golds or (path / RUNS).exists() else score_files(path)
    if golds or scores:
        _refuse_capitals(path, ["gold.csv", "gold.json", *ROLES], problems)
    if len(golds) != 1 and not scores:
        _refuse_golds(path, golds, problems)
    return (golds[0] if len(golds) == 1 else None), scores


def _read_scores(
    path: Path, scores: Sequence[Path], options: Options, problems: Problems
) -> Reading:
    """Read files of scores."""
    options.require(SCORES, path)
    name, folder, notes = plain(path).name.removesuffix(".csv"), path.parent, list[Note]()
    if path.is_dir():  # which may hold lists of runs and descriptions of scores
        name, folder = path.name, path
        beside = [each for each in path.iterdir() if plain(each).suffix in (".runs", ".json")]
        notes = _unread(path, SCORES, [each.name for each in (*scores, *beside)])
    task = read_scores(name, scores, better=options.better, notes=notes, problems=problems)
    if task is None:
        return Reading(None, problems, "scores")
    runs, left = task.runs, options.left_out(task.runs)
    if options.exclude:
        task = replace(task, scores=task.scores.keep(runs={*runs} - {*options.exclude}))
    if folder / GROUPS in scores:
        return Reading(task, problems, "scores", runs)
    return Reading(_described(task, folder, runs, problems, left), problems, "scores", runs)


def _read_answers(
    path: Path, gold: Path, format: str, options: Options, problems: Problems
) -> Reading:
    """Read gold data and runs."""
    kind = PARTS if formats.FORMATS[format].has_parts else ONE
    options.require(kind, path)
    folder, name, notes = gold.parent, plain(gold).stem, list[str]()
    runs, names = dict[str, Path](), set[str]()
    if path.is_dir():
        name = path.name
        runs, names = _find_runs(folder / RUNS, options, problems, notes)
    read, ratings, lists = formats.FORMATS[format].read, folder / ANNOTATORS, list[Path]()
    if kind == ONE:
        listed, lists = listed_classes(folder, options.classes, problems, notes)
        lists.append(ratings)
    elif options.part is None:
        message = "holds several tasks; choose one with --part=A, E, S or nugget"
        raise SeveralTasks(f"{gold}: {message} (in Python part='A')", parts(runs.values()))
    else:
        read, listed = read(options.part, gold), list(classes_of_part(options.part))
    files = [file for file in (gold, *lists, *runs.values()) if file.is_file()]
    checksums = {file.relative_to(folder).as_posix(): sha256(file) for file in files}
    people = ratings if ratings in files else None
    task: Any = read_task(
        gold, runs, read, listed, problems, missing=options.missing, ratings=people
    )
    if task is not None:
        notes += task.provenance.notes
        task = replace(task, name=name, provenance=Provenance("yours", checksums, as_notes(notes)))
    if task is not None and task.annotators and (both := {*task.annotators.names} & {*runs}):
        fault = f"the annotator {min(both)!r}, which is a run's name, too"
        problems.add(ratings, found=fault, fix="rename one of them")
    unread = _unread(path, kind, [gold.name]) if path.is_dir() else []
    task = _described(task, folder, names, problems, unread)
    return Reading(task, problems, format, tuple(runs))


def _find_runs(
    runs: Path, options: Options, problems: Problems, notes: list[str]
) -> tuple[dict[str, Path], set[str]]:
    """Return run -> file, and the names of all runs there, some of which are not read.

    The run's name is that of the file without its ending. Files whose names say that they are about
    another part of NTCIR's tasks are not read.
    """
    paths, names, skipped = dict[str, Path](), set[str](), dict[str, list[str]]()
    if not runs.is_dir():
        problems.add(runs, found="no folder runs", fix="put the file of each run there")
        return paths, names
    for path in sorted(runs.iterdir()):
        run = plain(path).stem
        hidden = "it is a hidden file" if path.name.startswith((".", "~$")) else ""
        if reason := hidden or about(options.part, path.name):
            skipped.setdefault(reason, []).append(path.name)
        elif path.is_dir():
            fix = "put the file of the run into runs itself"
            problems.add(path, found="a folder in place of a run", fix=fix, run=run)
        elif fault := name_fault(run):
            problems.add(path, found=fault, fix="rename the file", run=run)
        elif run in paths:
            finding = f"run {run!r}, which is also {paths[run].name}"
            problems.add(path, found=finding, fix="keep one file for each run", run=run)
        elif run not in options.exclude:
            paths[run] = path
        names |= set() if hidden else {run}
    for reason, files in skipped.items():
        notes.append(f"{_were(files, 'runs/')} not read: {reason}.")
    notes += options.left_out(names)
    return paths, names


def _described(
    task: Task, folder: Path, runs: Collection[str], problems: Problems, notes: Sequence[str]
) -> Task:
    """Return a task with the contents of ``runs.csv``, if there is one, and further notes.

    Its columns are ``run``, and others about the runs. No other ``runs`` may be listed, and not
    all need be.
    """
    path, facts, files = folder / GROUPS, pd.DataFrame(), dict[str, str]()
    table = problems.attempt(path, _table_of_runs, path) if path.exists() else None
    if table is not None:
        problems += table.faults
        problems.add_faults(_faults_of_runs(table, runs))
        rows = pd.DataFrame(table.rows, columns=table.head, dtype=object).set_index("run")
        facts, files = rows[~rows.index.duplicated()], {GROUPS: sha256(path)}
    return task and with_notes(replace(task, about=facts), notes, files)


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


def with_notes(task: Task, notes: Iterable[str], files: Mapping[str, str] | None = None) -> Task:
    """Return a task with further notes and files in its provenance."""
    source = task.provenance
    notes = as_notes([*source.notes, *notes])
    source = replace(source, notes=notes, files={**source.files, **(files or {})})
    if isinstance(task, ScoresTask):
        return replace(task, scores=replace(task.scores, provenance=source))
    return replace(task, provenance=source)


def _refuse_golds(folder: Path, golds: Sequence[Path], problems: Problems) -> None:
    """Add the problem that a folder has no gold file, or several."""
    fault = "no file whose name starts with 'gold', and no scores *.csv"
    fix = "add the gold file, or name another folder"
    inside = [path for path in sorted(folder.iterdir()) if path.is_dir() and path.name != RUNS]
    tasks = [path for path in inside if any(path.glob("[gG]old*"))]
    if golds:
        fault = f"{len(golds)} gold files: {', '.join(path.name for path in golds)}"
        fix = "keep one, and move or rename the others"
    elif inside:
        names = some([path.name for path in tasks or inside])
        fault, fix = f"no gold file, but the folders {names}", "name the folder of one task"
    problems.add(folder, found=fault, fix=fix)


def _refuse_capitals(folder: Path, known: Collection[str], problems: Problems) -> None:
    """Add a problem for each name that is known, but for capitals.

    Some systems open ``classes.txt`` where there is only ``Classes.txt``, and others do not.
    """
    for name in sorted(path.name for path in folder.iterdir()):
        if name.lower() in known and name != name.lower():
            fix = f"rename it to {name.lower()}, or move it elsewhere"
            problems.add(folder / name, found=f"the name {name}, with capitals", fix=fix)


def _unread(folder: Path, kind: str, read: Collection[str]) -> list[Note]:
    """Return a note that names the files of a folder that are neither read nor have a role."""
    names = [
        f"{path.name}/" if path.is_dir() else path.name
        for path in sorted(folder.iterdir())
        if path.name not in (*read, "__MACOSX")
        and kind not in ROLES.get(path.name, ())
        and not path.name.startswith(".")
        and not _COMPANION.fullmatch(path.name)
    ]
    text = f"{_were(names)} not read: run files belong into runs/, groups of runs into runs.csv."
    return [Note(text, "unread")] if names else []


def _were(names: Sequence[str], folder: str = "") -> str:
    """Return the first of some names, and the verb."""
    return f"{folder}{some(names, _LISTED)} {'was' if len(names) == 1 else 'were'}"
