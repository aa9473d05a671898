"""What a sweep does: every job of a plan, checked before anything runs."""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import ordbook
from ordbook.chapters.data_argument import load_ranked, place_of, resolve, split_place
from ordbook.chapters.parameters import (
    CHAPTERS,
    EDITION,
    NUMBERS,
    REPORT,
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
from ordbook.report.sweep_tables import HEADS, table_kind

Value = str | int
# The job that computes what the tables across data sets show; no chapter has this name.
TABLES = "numbers"
# Its parameters and their defaults: those of the papers.
TABLE_PARAMETERS: Mapping[str, int] = {"trials": 5000, "splits": 1000, "seed": 0}
TABLE_HELP: Mapping[str, str] = {
    "trials": "random trials of every significance test",
    "splits": "random splits of the topics",
    "seed": "of the tests and the splits",
}


# What may be said of imperfect runs of a data set, as for `ordbook.load`.
IMPERFECT = ("exclude", "skip_invalid", "missing")


@dataclass(frozen=True)
class Plan:
    """What is asked for.

    Attributes
    ----------
    chapters
        Names of chapters, ``report`` among them, or ``all`` alone for those that fit; without any,
        only the tables across data sets are made.
    data
        Catalogue names and paths; or mappings with ``path``, and where need be ``classes`` (labels
        from lowest to highest, separated by commas), ``part`` (of NTCIR files: ``A``),
        ``exclude``, ``skip_invalid`` and ``missing`` (as for :func:`ordbook.load`).
    parameters
        Parameter -> a value, or a list of values that are all run. A chapter gets those that it
        has; ``trials``, ``splits`` and ``seed`` also count for the tables.
    measures
        Measures of your own, as ``file.py:NAME``.

    Examples
    --------
    >>> plan = Plan(["lq21"], ["sem16t4e", "fair-oq"], {"trials": 1000, "seed": [0, 1]})
    """

    chapters: Sequence[str] = ()
    data: Sequence[str | Path | Mapping[str, Any]] = ()
    parameters: Mapping[str, Value | Sequence[Value]] = field(default_factory=dict)
    measures: Sequence[str] = ()


def read_plan(path: str | Path) -> Plan:
    """Read a plan from a TOML file; relative paths in it start at its folder.

    The file has up to four entries, and nothing else::

        chapters = ["acl21", "lq21"]
        data = ["sem16t4e", "../my task", { path = "marriage.zip", classes = "low,mid,high" }]
        measures = ["my_measures.py:CHEBYSHEV"]

        [parameters]
        trials = 1000
        seed = [0, 1]

    Raises
    ------
    ValueError
        If the file cannot be read, is no TOML or has other entries.
    """
    path = Path(path)
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}; name the plan, a TOML file") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}; a plan is a TOML file in UTF-8") from None
    known = {"chapters": list, "data": list, "measures": list, "parameters": dict}
    for name, value in found.items():
        if name not in known:
            raise ValueError(f"{path}: no entry {name!r}; a plan has {', '.join(known)}")
        if not isinstance(value, known[name]):
            what = "a table" if name == "parameters" else "a list, in square brackets"
            raise ValueError(f"{path}: {name} must be {what}")

    def near(place: Any) -> Any:
        if isinstance(place, dict) and "path" in place:
            return {**place, "path": near(place["path"])}
        known = isinstance(place, str) and (is_catalogued(place) or place.startswith("~"))
        return str(path.parent / place) if isinstance(place, str) and not known else place

    measures = [near(one) if ".py:" in str(one) else one for one in found.get("measures", [])]
    data = [near(entry) for entry in found.get("data", [])]
    return Plan(found.get("chapters", []), data, found.get("parameters", {}), measures)


@dataclass(frozen=True)
class DataSet:
    """One data set of a plan: its name, place, labels, kind, runs and checksum.

    Of scores, ``table`` is the kind of task that their measures are for. What ``content`` says is
    the same for the same data, whatever they are called.
    """

    name: str
    place: str
    classes: str
    kind: str
    table: str
    runs: tuple[str, ...]
    checksum: str
    content: str

    def load(self) -> Task:
        """Load it again.

        Raises
        ------
        ValueError
            If the data are not those that the sweep began with.
        """
        task = load_ranked(self.place, split_classes(self.classes), scores=True)
        if checksum(task) != self.checksum:
            raise ValueError(f"{self.place}: these are not the data that the sweep began with")
        return task


@dataclass(frozen=True)
class Job:
    """A chapter, or the numbers for the tables, on one data set with one choice of parameters.

    Attributes
    ----------
    key
        Name of its folder; the same chapter, data and parameters always have the same key.
    what
        A chapter, ``"report"`` or ``"numbers"``.
    data
        The data set.
    parameters
        Those of the plan, without the ones that name data.
    measures
        Where the reader's measures are, of those that fit the data.
    sources
        What :func:`ordbook.report.custom_measures.contents` says of these.
    """

    key: str
    what: str
    data: DataSet
    parameters: Mapping[str, Value]
    measures: str = ""
    sources: tuple[str, ...] = ()

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
    chapters = list(EDITION) if every else list(dict.fromkeys(plan.chapters))
    for chapter in chapters:
        if chapter != REPORT:
            require_chapter(chapter, ", report and all")
    values = _values(chapters, plan.parameters)
    data = [_load(entry) for entry in plan.data]
    if not data:
        raise ValueError("data: name at least one data set")
    names = [one.name for one in data]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two data sets are called {min(twice)!r}; rename a folder or leave one")
    if taken := sorted(HEADS.intersection(names)):
        raise ValueError(
            f"a data set is called {taken[0]!r}, as a column of the tables is; rename the folder"
        )
    same: dict[str, list[str]] = {}
    for one in data:
        same.setdefault(one.content, []).append(one.name)
    notes = [
        f"{' and '.join(called)} hold the same data, which the tables count {len(called)} times"
        for called in same.values()
        if len(called) > 1
    ]
    jobs: dict[str, Job] = {}
    for one in data:
        _add(jobs, TABLES, one, values, plan.measures)
    for chapter, one in product(chapters, data):
        if chapter == REPORT or one.kind in CHAPTERS[chapter]:
            _add(jobs, chapter, one, values, plan.measures)
        elif one.kind == "scores":
            notes.append(f"{chapter} needs gold data, and {one.name} holds scores: left out")
        elif not every:
            notes.append(f"{chapter} is not about {one.kind} tasks: left out for {one.name}")
    if chapters and not every and all(job.what == TABLES for job in jobs.values()):
        raise ValueError("no chapter fits any of the data: " + "; ".join(notes))
    return list(jobs.values()), notes


def _values(
    chapters: Sequence[str], parameters: Mapping[str, Value | Sequence[Value]]
) -> dict[str, list[Value]]:
    """Check names, types and limits; every parameter gets a list of values."""
    known = dict.fromkeys([*TABLE_PARAMETERS, *(p for one in chapters for p in _parameters(one))])
    found: dict[str, list[Value]] = {}
    for name, given in parameters.items():
        if name not in known:
            raise ValueError(f"no parameter {name!r}; these chapters have {', '.join(known)}")
        listed: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
        if not listed:
            raise ValueError(f"{name}: the list is empty; leave the parameter away")
        if name in NUMBERS:
            listed = [check_number(name, value) for value in listed]
        elif not all(isinstance(value, str) for value in listed):
            raise ValueError(f"{name} must be text, not {given!r}")
        found[name] = list(dict.fromkeys(listed))
    return found


def _parameters(what: str) -> list[str]:
    """Return what a job may be given besides its data and the reader's measures."""
    if what == TABLES:
        return list(TABLE_PARAMETERS)
    data = {"data", "classes", "own", *(part for parts in CHAPTERS.values() for part in parts)}
    return [name for name in chapter_parameters(what) if name not in data]


def _load(entry: str | Path | Mapping[str, Any]) -> DataSet:
    """Load a data set of a plan once, to know its kind, its runs and its checksum."""
    given: dict[str, Any] = dict(entry) if isinstance(entry, Mapping) else {"path": entry}
    if "path" not in given or given.keys() - {"path", "classes", "part", *IMPERFECT}:
        raise ValueError(
            f"data: {given} must have path, and may have classes, part, {', '.join(IMPERFECT)}, "
            "and nothing else"
        )
    how = {name: given.pop(name) for name in IMPERFECT if name in given}
    if not all(isinstance(value, str | Path) and str(value) for value in given.values()):
        raise ValueError(f"data: {given} must hold text that is not empty")
    place = place_of(str(given["path"]), str(given.get("part", "")), **how)
    labels = split_classes(str(given.get("classes", "")))
    if not is_catalogued(place):
        place = str(resolve(place, "data"))
    elif labels:
        raise ValueError(f"{place}: the classes of a catalogued data set are known; leave them")
    task = load_ranked(place, labels, scores=True)
    classes = join_classes(labels)
    # Several catalogued tasks may come from the same files, and so may the parts of a folder.
    part = place if is_catalogued(place) else str(split_place(place)[1])
    content = _digest([part, classes, list(task.runs), sorted(task.provenance.files.values())])
    return DataSet(
        task.name, place, classes, task.kind, table_kind(task), tuple(task.runs), checksum(task),
        content,
    )  # fmt: skip


def checksum(task: Task) -> str:
    """Return the checksum of a task: of its files and notes, or of its scores without any."""
    files: object = sorted(task.provenance.files.items())
    if not files:
        files = hashlib.sha256(score(task).values.tobytes()).hexdigest()
    about = [task.provenance.source, *task.provenance.notes]
    return _digest([task.name, task.kind, about, list(task.runs), files])


def _add(
    jobs: dict[str, Job],
    what: str,
    data: DataSet,
    values: Mapping[str, Sequence[Value]],
    measures: Sequence[str],
) -> None:
    """Add a job for every choice of the values that this chapter knows."""
    known = _parameters(what)
    given = {name: found for name, found in values.items() if name in known}
    takes_measures = what == TABLES or "own" in chapter_parameters(what)
    fitting = _fitting(measures, data) if takes_measures else ""
    sources = tuple(own.contents(fitting))
    for choice in product(*given.values()):
        chosen: dict[str, Value] = dict(TABLE_PARAMETERS) if what == TABLES else {}
        chosen |= dict(zip(given, choice, strict=True))
        if chosen.get("runs"):
            named_runs(str(chosen["runs"]), data.runs)
        page = "" if what == TABLES else sha256(notebook_of(what))
        about = [ordbook.__version__, what, page, chosen, sources, data.checksum, data.classes]
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", data.name)[:40].strip("-.") or "data"
        key = f"{what}-{name}-{_digest(about)[:12]}"
        jobs.setdefault(key, Job(key, what, data, chosen, fitting, sources))


def _fitting(measures: Sequence[str], data: DataSet) -> str:
    """Return those of the reader's measures that fit the data."""
    found: dict[str, str] = {}
    for place in map(own.absolute, measures):
        for measure in import_measures(place):
            if measure.name in HEADS:
                raise ValueError(f"{place}: the tables have a column {measure.name!r}; rename it")
            if measure.kind == data.kind:
                if measure.name in found:
                    raise ValueError(f"measure {place!r}: {measure.name!r} is named twice")
                found[measure.name] = place
    return ",".join(dict.fromkeys(found.values()))


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
