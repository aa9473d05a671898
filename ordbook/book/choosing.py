"""What chapters are executed with: names, values and data checked before anything runs.

Contents
--------
chapter_parameters   the parameters of a chapter, with types, defaults and help
choose_parameters    what one chapter is executed with
choose_all           the same for several; each gets what it has
chapters_of          the chapters asked for, or all that are about tasks of a kind
place_of             where data are, with the task chosen of a folder in NTCIR's format
load_once            load a task unless it was loaded before
require_two          refuse a task with fewer than two runs or topics
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import papermill

from ordbook.book.parameters import (
    CHAPTERS,
    NUMBERS,
    QUALITY,
    SCALED,
    check_number,
    kind,
    load_part,
    seeds_for,
    split_classes,
)
from ordbook.book.two_runs import named_runs
from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import SeveralTasks, Task
from ordbook.data.paths import share
from ordbook.measures import import_measures

# The chapters of a whole edition, as they are read; `official` and the audit are about papers only.
EDITION = ("measures", "sigir18", "acl21", "lq21", "dnkt", "dialeval1", "topics")
ALL = "all"
# Place of data, and the parameter it is for where that matters -> the task.
Loaded = dict[tuple[str, str], Task]


def chapter_parameters(chapter: str) -> dict[str, dict[str, Any]]:
    """Return name -> type, default and help of each parameter of a chapter.

    Raises
    ------
    ValueError
        If there is no such chapter.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"no chapter {chapter!r}; there are {', '.join(CHAPTERS)}")
    found: dict[str, dict[str, Any]] = papermill.inspect_notebook(notebook_of(chapter))
    return found


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
        For :func:`execute`. Where the number of seeds is not given and the task is larger than
        the papers', it is that of :func:`ordbook.book.parameters.seeds_for`.

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
    chosen = dict.fromkeys(CHAPTERS[chapter], "") | {"classes": ",".join(labels or [])}
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
    if chapter in SCALED and "seeds" not in checked and data != CHAPTERS[chapter][part]:
        checked["seeds"] = seeds_for(task)
    return checked


def place_of(data: str, part: str) -> str:
    """Return where the data are, with the task chosen of a folder in NTCIR's format."""
    if not part:
        return data
    if part not in (*QUALITY, "nugget"):
        raise ValueError(f"part must be one of {', '.join(QUALITY)} and nugget, not {part!r}")
    if is_catalogued(data):
        raise ValueError(f"{data}: a part is chosen of files; a catalogued task is one task")
    return f"{data}#{part}"


def chapters_of(
    chapters: str | Sequence[str], place: str, classes: str, loaded: Loaded
) -> list[str]:
    """Return the chapters asked for, in the order in which they are read."""
    names = [chapters] if isinstance(chapters, str) else list(chapters)
    if ALL not in names:
        for name in names:
            if name not in CHAPTERS:
                raise ValueError(f"no chapter {name!r}; there are {', '.join(CHAPTERS)} and all")
        if not names or len(set(names)) < len(names):
            raise ValueError("name each chapter once, and at least one")
        return names
    if len(names) > 1:
        raise ValueError("all are all chapters: name no other beside it")
    part = kind(load_once(place, split_classes(classes), loaded))
    return [name for name in EDITION if part in CHAPTERS[name]]


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


def _own(chosen: Mapping[str, str]) -> str:
    """Check measures of the reader's before anything runs; make the paths of files absolute."""
    places = []
    for place in chosen["own"].split(","):
        source, colon, name = place.strip().rpartition(":")
        places.append(
            f"{resolve(source, 'own') if source.endswith('.py') else source}{colon}{name}"
        )
    for measure in import_measures(",".join(places)):
        if not chosen.get(measure.kind):
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    return ",".join(places)


def load_once(data: str, labels: Sequence[str] | None, loaded: Loaded, part: str = "") -> Task:
    """Load a task, once; refuse one whose runs cannot be ranked."""
    if (data, part) in loaded:
        return loaded[data, part]
    if not data:
        raise ValueError("data: the name is empty; name a folder or a catalogued data set")
    try:
        task = load_part(part, data if is_catalogued(data) else str(resolve(data, "data")), labels)
    except SeveralTasks as error:
        raise ValueError(
            f"{data}: NTCIR files hold several tasks; choose one with --part A, E, S or nugget"
        ) from error
    if kind(task) == "scores":
        raise ValueError(
            f"{data}: these are scores; the chapters score the runs themselves, and need the gold "
            "data and the runs"
        )
    require_two(task, data)
    loaded[data, part] = task
    return task


def require_two(task: Task, data: str) -> None:
    """Refuse a task with fewer than two runs or topics: nothing can be compared."""
    for number, what in ((len(task.runs), "run"), (len(task.topics), "topic")):
        if number < 2:
            found = "is one" if number else "is no"
            raise ValueError(f"{data}: there {found} {what}; comparing runs needs two of each")


def resolve(path: str | Path, what: str) -> Path:
    """Return an absolute path; a home folder that does not exist is an error in ``what``."""
    try:
        return Path(path).expanduser().resolve()
    except (RuntimeError, OSError) as error:
        raise ValueError(f"{what}: {path}: {error}") from None


def notebook_of(chapter: str) -> Path:
    """Return where the notebook of a chapter is."""
    return share("book", f"{chapter}.ipynb")
