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
from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.data.scoring import score
from ordbook.files import sha256
from ordbook.measures import import_measures
from ordbook.report.arguments import ALL, choose, located
from ordbook.report.custom_measures import absolute, contents
from ordbook.report.sweep_tables import HEADS
from ordbook.show.data_argument import load_ranked
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    NUMBERS,
    REPORT,
    chapter_parameters,
    check_number,
    join_classes,
    notebook_of,
    require_chapter,
)

Value = str | int
# The job that computes what the tables across data sets show; no chapter has this name.
TABLES = "numbers"
# Its parameters and their defaults: those of the papers.
TABLE_PARAMETERS: Mapping[str, int] = {"trials": 5000, "splits": 1000, "seed": 0}
# Parameters of chapters that follow from the data and the measures of a plan.
_GIVEN = {"data", "classes", "own", *(kind for kinds in CHAPTERS.values() for kind in kinds)}


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
        from lowest to highest), ``part`` (of NTCIR files: ``A``), ``exclude``, ``skip_invalid`` and
        ``missing`` (as for :func:`ordbook.load`).
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
    """Read a plan from a TOML file, as ``ordbook sweep --help`` shows one.

    Relative paths in it start at its folder.

    Raises
    ------
    ValueError
        If the file is no TOML or has other entries.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file; name the plan, a TOML file")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}; a plan is a TOML file in UTF-8") from None
    known = {"chapters": list, "data": list, "measures": list, "parameters": dict}
    for name, value in found.items():
        if not isinstance(value, known.get(name, ())):
            raise ValueError(
                f"{path}: {name}: a plan has lists of chapters, data and measures, in square "
                "brackets, and a table of parameters"
            )

    def near(place: Any) -> Any:
        if isinstance(place, dict):
            return {name: near(said) if name == "path" else said for name, said in place.items()}
        return place if is_catalogued(place) else str(path.parent / Path(place).expanduser())

    measures = [near(one) if ".py:" in one else one for one in found.get("measures", [])]
    data = [near(entry) for entry in found.get("data", [])]
    return Plan(found.get("chapters", []), data, found.get("parameters", {}), measures)


@dataclass(frozen=True)
class Job:
    """A chapter, or the numbers for the tables, on one data set with one choice of parameters.

    Attributes
    ----------
    key
        Name of its folder; the same chapter, data and parameters always have the same key.
    what
        A chapter, ``"report"`` or ``"numbers"``.
    data, place, labels
        Name of the task, where it is, and its classes where the files do not say them.
    choice
        Of the parameters of the plan, those that it has.
    given
        What the chapter is executed with.
    measures
        Where those of the reader's measures are that fit the data.
    content
        What :func:`fingerprint` says.
    """

    key: str
    what: str
    data: str
    place: str
    labels: Sequence[str] | None
    choice: Mapping[str, Value]
    given: Mapping[str, Value]
    measures: Sequence[str]
    content: str

    def __str__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.choice.items() if value)
        return f"{self.what} on {self.data}" + (f" ({chosen})" if chosen else "")

    def load(self) -> Task:
        """Load the data; refuse others, or another ordbook, than those that the sweep began with.

        Raises
        ------
        ValueError
            On a worker, or later, where something is different.
        """
        task = load_ranked(self.place, self.labels, scores=True)
        if fingerprint(task, self.measures) != self.content:
            raise ValueError(
                f"{self.place}: the data, the measures of your own or the version of ordbook are "
                "not those that the sweep began with"
            )
        return task


def make_jobs(plan: Plan) -> tuple[list[Job], list[str]]:
    """Check a plan and say what is to be done: the numbers first, then the chapters.

    Returns
    -------
    jobs, notes
        Notes say which combinations do not fit and are left out.

    Raises
    ------
    ValueError
        If a name or a value is not possible, or no chapter fits any of the data.
    """
    every = list(plan.chapters) == [ALL]
    chapters = list(EDITION) if every else list(dict.fromkeys(plan.chapters))
    takes = {TABLES: ["own", *TABLE_PARAMETERS]}
    for chapter in chapters:
        if chapter != REPORT:
            require_chapter(chapter, ", report and all")
        takes[chapter] = list(chapter_parameters(chapter))
    values = _values(plan.parameters, {name for has in takes.values() for name in has} - _GIVEN)
    data = [_load(entry) for entry in plan.data]
    names = [task.name for _, _, task in data]
    if not data:
        raise ValueError("data: name at least one data set")
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two data sets are called {min(twice)!r}; rename a folder or leave one")
    if taken := sorted(HEADS.intersection(names)):
        raise ValueError(f"a data set is called {taken[0]!r}, as the tables use it; rename it")
    jobs: dict[str, Job] = {}
    notes = []
    for what, (place, labels, task) in product(takes, data):
        if what not in (TABLES, REPORT) and task.kind not in CHAPTERS[what]:
            notes.append(f"{what} is left out for {task.name}: it is not about {task.kind}")
            continue
        fitting = _fitting(plan.measures, task) if "own" in takes[what] else []
        known = fingerprint(task, fitting)
        mine = {name: listed for name, listed in values.items() if name in takes[what]}
        for chosen in product(*mine.values()):
            choice = dict(zip(mine, chosen, strict=True))
            given: Mapping[str, Value] = {**TABLE_PARAMETERS, **choice}
            if what != TABLES:
                given = choose([what], task, place, labels, choice, fitting)[what]
            page = "" if what == TABLES else sha256(notebook_of(what))
            name = re.sub(r"[^A-Za-z0-9._-]+", "-", task.name)[:40].strip("-.") or "data"
            key = f"{what}-{name}-{_digest([known, page, choice, labels])[:12]}"
            jobs[key] = Job(key, what, task.name, place, labels, choice, given, fitting, known)
    if chapters and not every and all(job.what == TABLES for job in jobs.values()):
        raise ValueError("no chapter fits any of the data: " + "; ".join(notes))
    return list(jobs.values()), notes


def _values(
    parameters: Mapping[str, Value | Sequence[Value]], known: set[str]
) -> dict[str, list[Value]]:
    """Check names, types and limits; every parameter gets a list of values."""
    found: dict[str, list[Value]] = {}
    for name, given in parameters.items():
        if name not in known:
            raise ValueError(f"no parameter {name!r}; there are {', '.join(sorted(known))}")
        listed: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
        if not listed:
            raise ValueError(f"{name}: the list is empty; leave the parameter out")
        if name not in NUMBERS and not all(isinstance(value, str) for value in listed):
            raise ValueError(f"{name} must be text, not {given!r}")
        checked = [check_number(name, value) if name in NUMBERS else value for value in listed]
        found[name] = list(dict.fromkeys(checked))
    return found


def _load(entry: str | Path | Mapping[str, Any]) -> tuple[str, list[str] | None, Task]:
    """Load a data set of a plan, to know its kind and its runs; return how it is read, too."""
    given: dict[str, Any] = dict(entry) if isinstance(entry, Mapping) else {"path": entry}
    if isinstance(given.get("classes"), list):
        given["classes"] = join_classes(given["classes"])
    try:
        place, labels = located(str(given.pop("path")), **given)
    except (TypeError, KeyError):
        raise ValueError(
            f"data: {entry} must have path, and may have classes, part, exclude, skip_invalid and "
            "missing"
        ) from None
    return place, labels, load_ranked(place, labels, scores=True)


def _fitting(measures: Sequence[str], task: Task) -> list[str]:
    """Return where those of the reader's measures are that fit the data."""
    places = list(dict.fromkeys(map(absolute, measures)))
    found = import_measures(",".join(places))
    return [place for place, one in zip(places, found, strict=True) if one.kind == task.kind]


def fingerprint(task: Task, measures: Sequence[str]) -> str:
    """Return a digest of a task, of measures of the reader's and of the version of ordbook.

    Of the task these are its files and notes; without files its scores.
    """
    files: object = sorted(task.provenance.files.items())
    if not files:
        files = hashlib.sha256(score(task).values.tobytes()).hexdigest()
    about = [task.provenance.source, *task.provenance.notes, task.name, task.kind, *task.runs]
    return _digest([ordbook.__version__, about, files, contents(measures)])


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
