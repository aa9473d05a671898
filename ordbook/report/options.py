"""Options of executed chapters: names, values and data, checked before anything runs."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from operator import ge
from pathlib import Path
from typing import Any

from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.files import sha256
from ordbook.measures import import_measures
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    FEWEST,
    NUMBERS,
    REPORT,
    chapter_parameters,
    check_number,
    join_classes,
    named_runs,
    require_chapter,
)
from ordbook.show.source import Source, require_two

ALL = "all"
Chosen = dict[str, Any]


def named_chapters(chapters: str | Sequence[str]) -> list[str]:
    """Return the chapters that are asked for.

    Raises
    ------
    ValueError
        If there is no such chapter, or one is named twice or beside all.
    """
    names = [chapters] if isinstance(chapters, str) else list(chapters)
    if names == [ALL]:
        return names
    if ALL in names:
        raise ValueError("'all' names every chapter; name no other with it")
    for name in names:
        if name != REPORT:
            require_chapter(name, ", report and all")
    if not names or len(set(names)) < len(names):
        raise ValueError("name each chapter once, and at least one")
    return names


def chapters_of(names: Sequence[str], task: Task) -> list[str]:
    """Return the chapters to run of :func:`named_chapters`, in the order of reading.

    Of several chapters, or all, the report is the first; one alone is a page by itself.
    """
    if names == [ALL]:
        size = len(task.runs), len(task.topics)
        fitting = [name for name in EDITION if task.kind in CHAPTERS[name]]
        return [REPORT, *(n for n in fitting if all(map(ge, size, FEWEST.get(n, (2, 2)))))]
    names = list(names)
    return names if len(names) == 1 else [REPORT, *(name for name in names if name != REPORT)]


def choose(
    names: Sequence[str],
    task: Task,
    source: Source,
    values: Mapping[str, str | int],
    measures: Sequence[str] = (),
) -> dict[str, Chosen]:
    """Choose the parameters with which each of some chapters is executed.

    Parameters
    ----------
    names
        Chapters, the report among them.
    task, source
        The data, and where they are.
    values
        Further parameters; each chapter gets those that it has.
    measures
        Measures of the reader's, as ``file.py:NAME``; each chapter that takes any gets them.

    Raises
    ------
    ValueError
        If a name, a value or the data are not possible.
    """
    known = {name: list(chapter_parameters(name)) for name in names}
    every = dict.fromkeys(
        p for has in known.values() for p in has if p not in ("own", "data", "classes", "reading")
    )
    for name in values:
        if name not in every:
            raise ValueError(f"there is no parameter {name!r}; there are {', '.join(every)}")
    if values.get("runs"):
        named_runs(str(values["runs"]), task.runs)
    chosen: dict[str, Chosen] = {}
    for name, has in known.items():
        passed: Chosen = {p: values[p] for p in has if p in values}
        passed["classes"] = join_classes(source.classes)
        if source.reading:
            passed["reading"] = deepcopy(dict(source.reading))
        if name == REPORT:
            passed["data"] = source.data
            if str(passed.get("trials")).strip() == "0":
                del passed["trials"]  # as many as it takes, which is the default
        else:
            passed = _data(name, task, source, passed) | passed
        if measures and "own" in has:
            passed["own"] = ",".join(map(absolute, measures))
            for measure in import_measures(passed["own"]):
                if measure.kind != task.kind:
                    raise ValueError(
                        f"{measure.name}: this edition has no {measure.kind} task to score"
                    )
        chosen[name] = {
            p: check_number(p, value) if p in NUMBERS else value for p, value in passed.items()
        }
    if measures and not any("own" in has for has in known.values()):
        raise ValueError("measures: none of these chapters takes any; name report, which does")
    return chosen


def _data(chapter: str, task: Task, source: Source, passed: Chosen) -> Chosen:
    """Check the data parameters of a chapter and return them."""
    if task.kind == "scores":
        raise ValueError(
            f"{source.data}: these are scores; the chapters need the gold data and the runs. For "
            "scores there is 'ordbook rerun report'"
        )
    require_two(task, source.data)
    parts = CHAPTERS[chapter]
    if task.kind not in parts:
        raise ValueError(f"{chapter} is not about {task.kind} tasks, and {source.data} is one")
    data: Chosen = {**dict.fromkeys(parts, ""), task.kind: source.data}
    for part in parts:
        if other := str(passed.pop(part, "")):
            if part == task.kind:
                raise ValueError(f"{part} data are given twice, as {source.data} and as {other}")
            beside = replace(source, data=other if is_catalogued(other) else _whole(other))
            second = beside.load_ranked(part)
            if second.kind != part:
                raise ValueError(f"{part}={other!r}: this is a {second.kind} task")
            require_two(second, beside.data)
            data[part] = beside.data
    return data


def absolute(place: str) -> str:
    """Return a place with the whole path of its file; that of a module stays as it is."""
    source, colon, name = place.rpartition(":")
    return f"{_whole(source)}{colon}{name}" if source.endswith(".py") else place


def _whole(path: str) -> str:
    return str(Path(path).expanduser().resolve())


def contents(places: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the file of each measure by its name, without the file's imports.

    Parameters
    ----------
    places
        Measures that :func:`ordbook.measures.import_measures` has imported; where their files lie
        does not matter.
    """
    sums = {}
    for place in places:
        source = place.rpartition(":")[0]
        file = source if source.endswith(".py") else str(sys.modules[source].__file__)
        sums[Path(place).name] = sha256(Path(file))
    return sums
