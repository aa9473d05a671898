"""Where the data of a chapter are, and the task that is there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

from ordbook.data.catalog import catalog, is_catalogued
from ordbook.data.checking import check
from ordbook.data.loading import SeveralTasks, Task, load
from ordbook.data.scores import Better, ScoresTask

# Tasks of a folder in NTCIR's format.
PARTS = ("A", "E", "S", "nugget")


def place_of(
    data: str,
    part: str = "",
    *,
    exclude: Sequence[str] = (),
    skip_invalid: bool = False,
    missing: str = "refuse",
) -> str:
    """Return where the data are and how they are read, as one text for a chapter's parameter.

    Examples
    --------
    >>> place_of("stc3", "A"), place_of("stc3")
    ('stc3#part=A', 'stc3')
    >>> place_of("my task", exclude=["A&B"], missing="worst")
    'my task#exclude=A%26B&missing=worst'
    """
    if part not in ("", *PARTS):
        raise ValueError(f"part must be one of {', '.join(PARTS[:-1])} and nugget, not {part!r}")
    said = {"part": part, "exclude": exclude, "skip_invalid": "yes" if skip_invalid else ""}
    said["missing"] = missing if missing != "refuse" else ""
    said = {name: value for name, value in said.items() if value}
    if said and is_catalogued(data):
        named = ", ".join(f"--{name.replace('_', '-')}" for name in said)
        raise ValueError(f"{data}: {named} is for files; a catalogued task is one whole task")
    return f"{data}#{urlencode(said, doseq=True)}" if said else data


def split_place(data: str) -> tuple[str, dict[str, Any]]:
    """Return the path, and how it is read: what :func:`place_of` was given, as for `ordbook.load`.

    Examples
    --------
    >>> split_place("stc3#part=nugget"), split_place("my#data")
    (('stc3', {'part': 'nugget'}), ('my#data', {}))
    """
    place, _, tail = data.rpartition("#")
    said = parse_qs(tail)
    if not place or not said or said.keys() - {"part", "exclude", "skip_invalid", "missing"}:
        return data, {}
    how: dict[str, Any] = {name: values[0] for name, values in said.items()}
    if "exclude" in said:
        how["exclude"] = said["exclude"]
    if "skip_invalid" in said:
        how["skip_invalid"] = True
    return place, how


def load_part(
    part: str,
    data: str | Path,
    classes: Sequence[str] | None,
    better: Better | Mapping[str, Better] | None = None,
) -> Task:
    """Load the data of a parameter; of NTCIR files, ``nuggets`` takes the nuggets.

    ``data`` is a catalogue name, or what :func:`place_of` returned.
    """
    if isinstance(data, str) and data in catalog():
        return load(data, better=better)
    place, how = split_place(str(data))
    if part == "nuggets":
        return load(place, **{"part": "nugget"} | how)
    task = load(place, classes=classes, better=better, **how)
    if "part" in how and not isinstance(task, ScoresTask):
        return replace(task, name=f"{task.name} {how['part']}")
    return task


def load_ranked(
    data: str,
    classes: Sequence[str] | None,
    part: str = "",
    *,
    better: Better | Mapping[str, Better] | None = None,
    scores: bool = False,
    few: bool = False,
) -> Task:
    """Load a task whose runs can be ranked.

    Parameters
    ----------
    data
        A catalogue name or a path, or what :func:`place_of` returned.
    classes, part, better
        As for :func:`load_part`.
    scores
        Whether scores without gold data and runs will do.
    few
        Whether a single run, or a single topic, will do.

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
        task = load_part(part, place, classes, better)
    except SeveralTasks as error:
        named = "|".join(error.parts or PARTS)
        raise ValueError(
            f"{data}: NTCIR files hold several tasks; choose one with --part {named}"
        ) from error
    if task.kind == "scores" and not scores:
        raise ValueError(
            f"{data}: these are scores; the chapters need the gold data and the runs. For "
            "scores there is 'ordbook rerun report'"
        )
    if not task.runs and not is_catalogued(data):
        path, how = split_place(place)
        chosen = "nugget" if part == "nuggets" else how.get("part")
        check(path, classes, chosen, better).problems.raise_first(data)
    if not few or not task.runs:
        require_two(task, data)
    return task


def require_two(task: Task, data: str) -> None:
    """Refuse a task with fewer than two runs or topics: nothing can be compared."""
    for number, what in ((len(task.runs), "run"), (len(task.topics), "topic")):
        if number < 2:
            found = "is one" if number else "is no"
            pool = "; 'ordbook score' and 'ordbook rerun report' compare runs over items"
            raise ValueError(
                f"{data}: there {found} {what}; comparing runs needs two of each"
                + (pool if task.kind == "classification" and (number, what) == (1, "topic") else "")
            )


def resolve(path: str | Path, what: str) -> Path:
    """Return an absolute path; a home folder that does not exist is an error in ``what``."""
    try:
        return Path(path).expanduser().resolve()
    except (RuntimeError, OSError, ValueError) as error:  # a zero byte is a ValueError
        raise ValueError(f"{what}: {path}: {error}") from None
