"""Where the data of a chapter are, and the task that is there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ordbook.data.catalog import catalog, is_catalogued
from ordbook.data.checking import check
from ordbook.data.loading import SeveralTasks, Task, load
from ordbook.data.scores import Better, ScoresTask

# Tasks of a folder in NTCIR's format. A notebook finds one of them under ``PATH#A``.
PARTS = ("A", "E", "S", "nugget")


def place_of(data: str, part: str) -> str:
    """Return where the data are, with the task chosen of a folder in NTCIR's format.

    Examples
    --------
    >>> place_of("stc3", "A"), place_of("stc3", "")
    ('stc3#A', 'stc3')
    """
    if not part:
        return data
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS[:-1])} and nugget, not {part!r}")
    if is_catalogued(data):
        raise ValueError(f"{data}: a part is chosen of files; a catalogued task is one task")
    return f"{data}#{part}"


def split_place(data: str) -> tuple[str, str]:
    """Return path and part of ``PATH#A``; the part is "" where none is chosen.

    Examples
    --------
    >>> split_place("stc3#nugget"), split_place("stc3"), split_place("my#data")
    (('stc3', 'nugget'), ('stc3', ''), ('my#data', ''))
    """
    place, _, chosen = data.rpartition("#")
    return (place, chosen) if place and chosen in PARTS and not _exists(data) else (data, "")


def load_part(
    part: str,
    data: str | Path,
    classes: Sequence[str] | None,
    better: Better | Mapping[str, Better] | None = None,
    **imperfect: Any,
) -> Task:
    """Load the data of a parameter: of NTCIR files, ``nuggets`` takes the nuggets.

    ``PATH#A`` is the task A of a folder in NTCIR's format, and ``PATH#nugget`` its nuggets.
    """
    if isinstance(data, str) and data in catalog():
        return load(data, better=better, **imperfect)
    place, chosen = split_place(str(data))
    if chosen:
        task = load(place, classes=classes, part=chosen, better=better, **imperfect)
        if not isinstance(task, ScoresTask):
            return replace(task, name=f"{task.name} {chosen}")
    if part == "nuggets":
        return load(data, part="nugget", **imperfect)
    return load(data, classes=classes, better=better, **imperfect)


def load_ranked(
    data: str,
    classes: Sequence[str] | None,
    part: str = "",
    *,
    better: Better | Mapping[str, Better] | None = None,
    scores: bool = False,
    few: bool = False,
    **imperfect: Any,
) -> Task:
    """Load a task whose runs can be ranked.

    Parameters
    ----------
    data
        A catalogue name or a path, also as ``PATH#A``.
    classes, part, better
        As for :func:`load_part`.
    scores
        Whether scores without gold data and runs will do.
    few
        Whether a single run, or a single topic, will do.
    imperfect
        ``exclude``, ``skip_invalid`` and ``missing``, as for :func:`ordbook.load`.

    Raises
    ------
    ValueError
        If it cannot be loaded, holds several tasks of which none is chosen, or has fewer than two
        runs or topics. Where files hold no run, it is the first problem that ``ordbook check``
        lists.
    """
    if not data:
        raise ValueError("data: the name is empty; name a folder or a catalogued data set")
    try:
        place = data if is_catalogued(data) else str(resolve(data, "data"))
        task = load_part(part, place, classes, better, **imperfect)
    except SeveralTasks as error:
        named = "|".join(error.parts or PARTS)
        raise ValueError(
            f"{data}: NTCIR files hold several tasks; choose one with --part {named}"
        ) from error
    if kind(task) == "scores" and not scores:
        raise ValueError(
            f"{data}: these are scores; the chapters need the gold data and the runs. Of scores "
            "'ordbook rerun report' makes a report"
        )
    if not task.runs and not is_catalogued(data):
        path, chosen = split_place(place)
        chosen = "nugget" if part == "nuggets" else chosen
        check(path, classes, chosen or None, better).problems.raise_first(data)
    if not few or not task.runs:
        require_two(task, data)
    return task


def require_two(task: Task, data: str) -> None:
    """Refuse a task with fewer than two runs or topics: nothing can be compared."""
    for number, what in ((len(task.runs), "run"), (len(task.topics), "topic")):
        if number < 2:
            found = "is one" if number else "is no"
            raise ValueError(f"{data}: there {found} {what}; comparing runs needs two of each")


def kind(task: Task | None) -> str:
    """Return ``classification``, ``quantification``, ``nuggets`` or ``scores``."""
    return "quantification" if task is None else task.kind


def _exists(path: str) -> bool:
    try:
        return Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False  # a name too long, with a zero byte, or a home folder that is not there


def resolve(path: str | Path, what: str) -> Path:
    """Return an absolute path; a home folder that does not exist is an error in ``what``."""
    try:
        return Path(path).expanduser().resolve()
    except (RuntimeError, OSError, ValueError) as error:  # a zero byte is a ValueError
        raise ValueError(f"{what}: {path}: {error}") from None
