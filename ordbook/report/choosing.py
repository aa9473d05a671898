"""What chapters are executed with: names, values and data checked before anything runs.

Contents
--------
choose_parameters   what one chapter is executed with
choose_all          the same for several; each gets what it has
choose_report       the same for the report
chapters_of         the chapters asked for, or all of an edition that are about tasks of a kind
load_once           load a task unless it was loaded before
"""

from collections.abc import Mapping, Sequence
from operator import ge

from ordbook.chapters.data_argument import kind, load_ranked, resolve
from ordbook.chapters.parameters import (
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
from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.measures import import_measures
from ordbook.report import custom_measures as own

ALL = "all"
# Place of data, and the parameter it is for where that matters -> the task.
Loaded = dict[tuple[str, str], Task]


def choose_parameters(
    chapter: str,
    data: str,
    classes: str,
    parameters: Mapping[str, str],
    loaded: Loaded | None = None,
) -> dict[str, str | int]:
    """Merge and check what a chapter is to be executed with, before anything runs.

    Parameters
    ----------
    chapter
        Its name.
    data
        A catalogue name or a path; a task of a folder in NTCIR's format as ``PATH#A``.
    classes
        Labels from lowest to highest, separated by commas, or "".
    parameters
        Further parameters, as text.
    loaded
        Tasks that were loaded before, and to which those loaded here are added.

    Returns
    -------
    dict
        For :func:`execute`.

    Raises
    ------
    ValueError
        If a name, a value or the data are not possible.
    """
    loaded = {} if loaded is None else loaded
    known = chapter_parameters(chapter)
    for name in parameters:
        if name not in known:
            raise ValueError(f"{chapter} has no parameter {name!r}; it has {', '.join(known)}")
    if classes and parameters.get("classes"):
        raise ValueError("the classes are given twice; give them once")
    labels = split_classes(classes or parameters.get("classes", ""))
    task = load_once(data, labels, loaded)
    part = kind(task)
    if part not in CHAPTERS[chapter]:
        raise ValueError(f"{chapter} is not about {part} tasks, and {data} is one")
    if parameters.get(part):
        raise ValueError(f"{part} data are given twice, as {data} and as {parameters[part]}")
    chosen = dict.fromkeys(CHAPTERS[chapter], "") | {"classes": join_classes(labels)}
    chosen |= {**parameters, part: data}
    for name in CHAPTERS[chapter]:
        place = chosen[name]
        if place and name != part:
            other = load_once(place, labels, loaded, name)
            if kind(other) != name:
                raise ValueError(f"{name}={place!r}: this is a {kind(other)} task")
        if place and not is_catalogued(place):
            # The notebook runs in a folder of its own: a relative path would lead elsewhere there.
            chosen[name] = str(resolve(place, name))
    if chosen.get("own"):
        chosen["own"] = _own(chosen)
    if chosen.get("runs"):
        named_runs(chosen["runs"], task.runs)
    checked = {name: check_number(name, v) if name in NUMBERS else v for name, v in chosen.items()}
    return checked


def chapters_of(
    chapters: str | Sequence[str], place: str, classes: str, loaded: Loaded
) -> list[str]:
    """Return the chapters asked for, in the order in which they are read, without the report."""
    names = [chapters] if isinstance(chapters, str) else list(chapters)
    if names == [REPORT]:
        return []
    names = [name for name in names if name != REPORT]  # it is in front of several anyway
    if ALL not in names:
        for name in names:
            require_chapter(name, ", report and all")
        if not names or len(set(names)) < len(names):
            raise ValueError("name each chapter once, and at least one")
        return names
    if len(names) > 1:
        raise ValueError("all are all chapters: name no other beside it")
    task = load_once(place, split_classes(classes), loaded, report=True)
    size = len(task.runs), len(task.topics)
    fitting = [name for name in EDITION if kind(task) in CHAPTERS[name]]
    return [name for name in fitting if all(map(ge, size, FEWEST.get(name, (2, 2))))]


def choose_all(
    names: Sequence[str],
    place: str,
    classes: str,
    parameters: Mapping[str, str],
    loaded: Loaded,
) -> dict[str, dict[str, str | int]]:
    """Choose the parameters of every chapter; each gets those that it has."""
    known = {name: chapter_parameters(name) for name in names}
    if len(names) > 1:
        every = list(dict.fromkeys(p for has in known.values() for p in has))
        every += [name for name in chapter_parameters(REPORT) if name not in every]
        for name in parameters:
            if name not in every:
                raise ValueError(
                    f"no chapter here has a parameter {name!r}; there are {', '.join(every)}"
                )
        given = {
            name: {p: value for p, value in parameters.items() if p in known[name]}
            for name in names
        }
    else:
        given = {name: dict(parameters) for name in names}
    return {name: choose_parameters(name, place, classes, given[name], loaded) for name in names}


def choose_report(
    place: str, classes: str, parameters: Mapping[str, str], loaded: Loaded, *, alone: bool
) -> dict[str, str | int]:
    """Choose what the report is executed with: the data, and those parameters that it has."""
    known = chapter_parameters(REPORT)
    if alone and (strange := [name for name in parameters if name not in known]):
        raise ValueError(f"the report has no parameter {strange[0]!r}; it has {', '.join(known)}")
    labels = split_classes(classes or parameters.get("classes", ""))
    task = load_once(place, labels, loaded, report=True)
    given = {name: value for name, value in parameters.items() if name in known}
    given |= {"data": place if is_catalogued(place) else str(resolve(place, "data"))}
    given["classes"] = join_classes(labels)
    if given.get("own"):
        given["own"] = _own({**given, kind(task): place})
    if given.get("runs"):
        named_runs(given["runs"], task.runs)
    return {name: check_number(name, v) if name in NUMBERS else v for name, v in given.items()}


def _own(chosen: Mapping[str, str]) -> str:
    """Check measures of the reader's before anything runs; make the paths of files absolute."""
    places = ",".join(own.absolute(place) for place in own.places(chosen["own"]))
    for measure in import_measures(places):
        if not chosen.get(measure.kind):
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    return places


def load_once(
    data: str,
    labels: Sequence[str] | None,
    loaded: Loaded,
    part: str = "",
    *,
    report: bool = False,
) -> Task:
    """Load a task unless it was loaded before; chapters need two runs and topics, a report not."""
    if (data, part) not in loaded:
        loaded[data, part] = load_ranked(data, labels, part, scores=report, few=report)
    return loaded[data, part]
