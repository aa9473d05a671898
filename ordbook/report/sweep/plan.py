"""What a sweep does: every job of a plan, checked before anything runs.

Contents
--------
DataSet     one data set of a plan, loaded once
Job         one thing to do: a chapter, or the numbers, on one data set
make_jobs   Plan -> jobs, and notes on combinations that do not fit
checksum    of the data of a task
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import ordbook
from ordbook.chapters.data_argument import kind, load_ranked, place_of, resolve, split_place
from ordbook.chapters.parameters import (
    CHAPTERS,
    EDITION,
    NUMBERS,
    chapter_parameters,
    check_number,
    join_classes,
    named_runs,
    notebook_of,
    require_chapter,
    split_classes,
)
from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.data.scoring import score
from ordbook.files import sha256
from ordbook.measures import import_measures
from ordbook.report import custom_measures as own
from ordbook.report.choosing import ALL
from ordbook.report.sweep.plan_file import Plan, Value
from ordbook.report.sweep.tables import HEADS

# The job that computes what the tables across data sets show; no chapter has this name.
TABLES = "numbers"
# Its parameters and their defaults: those of the papers.
TABLE_PARAMETERS: Mapping[str, str | int] = {"trials": 5000, "splits": 1000, "seed": 0, "own": ""}
TABLE_HELP: Mapping[str, str] = {
    "trials": "random trials of every significance test",
    "splits": "random splits of the topics",
    "seed": "of the tests and the splits",
    "own": "measures of your own: file.py:NAME, ...",
}


@dataclass(frozen=True, eq=False)
class DataSet:
    """One data set of a plan: name, place, labels, kind, names of runs, checksum.

    What ``content`` says is the same for the same data, whatever they are called.
    """

    name: str
    place: str
    classes: str
    kind: str
    runs: tuple[str, ...]
    checksum: str
    content: str


@dataclass(frozen=True, eq=False)
class Job:
    """A chapter, or the numbers for the tables, on one data set with one choice of parameters.

    Attributes
    ----------
    key
        Name of its folder; the same chapter, data and parameters always have the same key.
    what
        A chapter, or ``"numbers"``.
    data
        The data set.
    parameters
        Those of the plan, without the ones that name data.
    sources
        What :func:`ordbook.report.custom_measures.contents` says of the reader's measures.
    """

    key: str
    what: str
    data: DataSet
    parameters: Mapping[str, Value]
    sources: Sequence[str] = ()

    def __str__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.parameters.items() if value)
        return f"{self.what} on {self.data.name}" + (f" ({chosen})" if chosen else "")


def make_jobs(plan: Plan) -> tuple[list[Job], list[str]]:
    """Check a plan and say what is to be done: the numbers first, then the chapters.

    Returns
    -------
    jobs, notes
        Notes say which combinations do not fit and are left out, and which data sets are the same.

    Raises
    ------
    ValueError
        If a name or a value is not possible, or no chapter fits any of the data.
    """
    every = list(plan.chapters) == [ALL]
    chapters = list(EDITION) if every else _names(plan.chapters)
    values = _values(chapters, plan.parameters)
    data = [_load(entry) for entry in plan.data]
    if not data:
        raise ValueError("data: name at least one data set")
    names = [one.name for one in data]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two data sets are called {min(twice)!r}; rename a folder or leave one")
    if taken := sorted({name for name in names if name in HEADS}):
        raise ValueError(
            f"a data set is called {taken[0]!r}, as a column of the tables is; rename the folder"
        )
    jobs: dict[str, Job] = {}
    same: dict[str, list[str]] = {}
    for one in data:
        same.setdefault(one.content, []).append(one.name)
    notes = [
        f"{' and '.join(called)} hold the same data, which the tables count {len(called)} times"
        for called in same.values()
        if len(called) > 1
    ]
    for one, what in product(data, [TABLES]):
        _add(jobs, what, one, values, TABLE_PARAMETERS)
    for chapter, one in product(chapters, data):
        if one.kind not in CHAPTERS[chapter]:
            if not every:
                notes.append(f"{chapter} is not about {one.kind} tasks: left out for {one.name}")
            continue
        _add(jobs, chapter, one, values, dict.fromkeys(chapter_parameters(chapter)))
    if chapters and not any(job.what != TABLES for job in jobs.values()):
        raise ValueError("no chapter fits any of the data: " + "; ".join(notes))
    return list(jobs.values()), notes


def _names(chapters: Sequence[str]) -> list[str]:
    if isinstance(chapters, str):
        raise ValueError(f"chapters={chapters!r}: a list of names is needed")
    for chapter in chapters:
        if not isinstance(chapter, str):
            raise ValueError(
                f"chapters: {chapter!r} is no name of a chapter; write names in quotes"
            )
        require_chapter(chapter)
    return list(dict.fromkeys(chapters))


def _values(
    chapters: Sequence[str], parameters: Mapping[str, Value | Sequence[Value]]
) -> dict[str, list[Value]]:
    """Check names, types and limits; every parameter gets a list of values."""
    known: dict[str, None] = dict.fromkeys(TABLE_PARAMETERS)
    for chapter in chapters:
        known |= dict.fromkeys(chapter_parameters(chapter))
    known = {name: None for name in known if not _about_data(name)}
    found: dict[str, list[Value]] = {}
    for name, given in parameters.items():
        if _about_data(name):
            raise ValueError(f"{name} belongs to the data of a sweep, not to its parameters")
        if name not in known:
            raise ValueError(f"no parameter {name!r}; these chapters have {', '.join(known)}")
        listed: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
        if not listed:
            raise ValueError(f"{name}: the list is empty; leave the parameter away")
        if name in NUMBERS:
            found[name] = [check_number(name, value) for value in listed]
        elif all(isinstance(value, str) for value in listed):
            found[name] = listed
        else:
            raise ValueError(f"{name} must be text, not {given!r}")
        found[name] = list(dict.fromkeys(found[name]))
    return found


def _about_data(name: str) -> bool:
    return name == "classes" or any(name in parts for parts in CHAPTERS.values())


def _load(entry: str | Path | Mapping[str, str]) -> DataSet:
    """Load a data set of a plan once, to know its kind, its runs and its checksum."""
    given = dict(entry) if isinstance(entry, Mapping) else {"path": entry}
    if "path" not in given or given.keys() - {"path", "classes", "part"}:
        raise ValueError(
            f"data: {given} must have path, and may have classes and part, and nothing else"
        )
    if not all(isinstance(value, str | Path) and str(value) for value in given.values()):
        raise ValueError(f"data: {given} must hold text that is not empty")
    place = place_of(str(given["path"]), str(given.get("part", "")))
    labels = split_classes(str(given.get("classes", "")))
    if not is_catalogued(place):
        place = str(resolve(place, "data"))
    elif labels:
        raise ValueError(f"{place}: the classes of a catalogued data set are known; leave them")
    task = load_ranked(place, labels)
    classes = join_classes(labels)
    # Several catalogued tasks may come from the same files, and so may the parts of a folder.
    part = place if is_catalogued(place) else split_place(place)[1]
    content = _digest([part, classes, list(task.runs), sorted(task.provenance.files.values())])
    return DataSet(task.name, place, classes, kind(task), tuple(task.runs), checksum(task), content)


def checksum(task: Task) -> str:
    """Return the checksum of a task: of its files, or of its scores where it has none."""
    files: object = sorted(task.provenance.files.items())
    if not files:
        files = hashlib.sha256(score(task).values.tobytes()).hexdigest()
    return _digest([task.name, kind(task), task.provenance.source, list(task.runs), files])


def _add(
    jobs: dict[str, Job],
    what: str,
    data: DataSet,
    values: Mapping[str, Sequence[Value]],
    known: Mapping[str, Value | None],
) -> None:
    """Add a job for every choice of the values that this chapter knows."""
    names = [name for name in values if name in known]
    defaults = {name: value for name, value in known.items() if value is not None}
    for choice in product(*(values[name] for name in names)):
        chosen = {**defaults, **dict(zip(names, choice, strict=True))}
        if chosen.get("runs"):
            named_runs(str(chosen["runs"]), data.runs)
        if chosen.get("own"):
            chosen["own"] = _own(str(chosen["own"]), data)
        sources = own.contents(str(chosen.get("own", "")))
        key = _key(what, data, chosen, sources)
        jobs.setdefault(key, Job(key, what, data, chosen, sources))


def _own(text: str, data: DataSet) -> str:
    """Return those measures of the reader's that fit the data."""
    fitting = []
    names: set[str] = set()
    for place in map(own.absolute, own.places(text)):
        measures = import_measures(place)
        if taken := [measure.name for measure in measures if measure.name in HEADS]:
            raise ValueError(f"{place}: the tables have a column {taken[0]!r}; rename the measure")
        if all(measure.kind == data.kind for measure in measures):
            if twice := [measure.name for measure in measures if measure.name in names]:
                raise ValueError(f"measure {place!r}: {twice[0]!r} is named twice")
            names |= {measure.name for measure in measures}
            fitting.append(place)
    return ",".join(fitting)


def _key(what: str, data: DataSet, chosen: Mapping[str, Value], sources: Iterable[str]) -> str:
    """Name a job's folder after all that its results depend on, and nothing else."""
    rest = {name: value for name, value in sorted(chosen.items()) if name != "own"}
    page = "" if what == TABLES else sha256(notebook_of(what))
    about = [ordbook.__version__, what, page, rest, list(sources), data.checksum, data.classes]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", data.name)[:40].strip("-.") or "data"
    return f"{what}-{name}-{_digest(about)[:12]}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()
