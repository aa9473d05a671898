"""What chapters are executed with: names, values and data checked before anything runs."""

from collections.abc import Mapping, Sequence
from operator import ge
from typing import Any

from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.measures import import_measures
from ordbook.report import custom_measures
from ordbook.show.data_argument import load_ranked, place_of, require_two, resolve
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
    split_classes,
)

ALL = "all"
Chosen = dict[str, str | int]


def located(
    data: str, *, classes: str = "", part: str = "", **imperfect: Any
) -> tuple[str, list[str] | None]:
    """Return where data are and how they are read, as chapters take it, and the classes.

    A path is made absolute: notebooks run in a folder of their own.

    Parameters
    ----------
    data
        A catalogue name or a path.
    classes
        Labels from lowest to highest, separated by commas, where the files do not say so.
    part, imperfect
        As for :func:`ordbook.show.data_argument.place_of`.
    """
    if not data:
        raise ValueError("the name of the data is empty; name a folder or a catalogued data set")
    place, labels = place_of(data, part, **imperfect), split_classes(classes)
    if not is_catalogued(place):
        return str(resolve(place, "data")), labels
    if labels:
        raise ValueError(
            f"{place}: the classes of a catalogued data set are known; leave --classes out"
        )
    return place, None


def chapters_of(chapters: str | Sequence[str], task: Task) -> list[str]:
    """Return what is to be run, in the order in which it is read.

    Of several chapters, or all, the report is the first; one alone is a page by itself.

    Raises
    ------
    ValueError
        If there is no such chapter, or one is named twice or beside all.
    """
    names = [chapters] if isinstance(chapters, str) else list(chapters)
    if names == [ALL]:
        size = len(task.runs), len(task.topics)
        fitting = [name for name in EDITION if task.kind in CHAPTERS[name]]
        return [REPORT, *(n for n in fitting if all(map(ge, size, FEWEST.get(n, (2, 2)))))]
    if ALL in names:
        raise ValueError("'all' names every chapter; name no other with it")
    for name in names:
        if name != REPORT:
            require_chapter(name, ", report and all")
    if not names or len(set(names)) < len(names):
        raise ValueError("name each chapter once, and at least one")
    return names if len(names) == 1 else [REPORT, *(name for name in names if name != REPORT)]


def choose(
    names: Sequence[str],
    task: Task,
    place: str,
    labels: Sequence[str] | None,
    values: Mapping[str, str | int],
    measures: Sequence[str] = (),
) -> dict[str, Chosen]:
    """Choose what each of some chapters is executed with.

    Parameters
    ----------
    names
        Chapters, the report among them.
    task
        The data.
    place
        Where they are, as :func:`located` returns it.
    labels
        Labels from lowest to highest, or None.
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
        p for has in known.values() for p in has if p not in ("own", "data", "classes")
    )
    for name in values:
        if name not in every:
            raise ValueError(f"there is no parameter {name!r}; there are {', '.join(every)}")
    if values.get("runs"):
        named_runs(str(values["runs"]), task.runs)
    chosen: dict[str, Chosen] = {}
    for name, has in known.items():
        given: Chosen = {p: values[p] for p in has if p in values}
        given["classes"] = join_classes(labels)
        if name == REPORT:
            given["data"] = place
            if str(given.get("trials")).strip() == "0":
                del given["trials"]  # as many as it takes, which is the default
        else:
            given = _data(name, task, place, labels, given) | given
        if measures and "own" in has:
            given["own"] = _own(measures, task)
        chosen[name] = {
            p: check_number(p, value) if p in NUMBERS else value for p, value in given.items()
        }
    if measures and not any("own" in has for has in known.values()):
        raise ValueError("measures: none of these chapters takes any; name report, which does")
    return chosen


def _data(
    chapter: str,
    task: Task,
    place: str,
    labels: Sequence[str] | None,
    given: Chosen,
) -> Chosen:
    """Take the data parameters of a chapter from what was given; check and return them."""
    if task.kind == "scores":
        raise ValueError(
            f"{place}: these are scores; the chapters need the gold data and the runs. For "
            "scores there is 'ordbook rerun report'"
        )
    require_two(task, place)
    parts = CHAPTERS[chapter]
    if task.kind not in parts:
        raise ValueError(f"{chapter} is not about {task.kind} tasks, and {place} is one")
    found: Chosen = {**dict.fromkeys(parts, ""), task.kind: place}
    for part in parts:
        if other := str(given.pop(part, "")):
            if part == task.kind:
                raise ValueError(f"{part} data are given twice, as {place} and as {other}")
            kind = load_ranked(other, labels, part).kind
            if kind != part:
                raise ValueError(f"{part}={other!r}: this is a {kind} task")
            found[part] = other if is_catalogued(other) else str(resolve(other, part))
    return found


def _own(measures: Sequence[str], task: Task) -> str:
    """Check measures of the reader's before anything runs; make the paths of files absolute."""
    places = ",".join(map(custom_measures.absolute, measures))
    for measure in import_measures(places):
        if measure.kind != task.kind:
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    return places
