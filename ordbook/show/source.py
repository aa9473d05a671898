"""The source of a chapter's data: its path, the way it is read, and its task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ordbook.data.catalog import is_catalogued
from ordbook.data.checking import check
from ordbook.data.loading import Task, load
from ordbook.data.scores import Better, ScoresTask
from ordbook.show.parameters import FEWEST, split_classes
from ordbook.words import counted


@dataclass(frozen=True)
class Source:
    """Data, and how they are read.

    Attributes
    ----------
    data
        A catalogue name or a path.
    classes
        Labels from lowest to highest, where the files do not say so.
    reading
        ``part``, ``exclude``, ``skip_invalid`` and ``missing``, as for :func:`ordbook.load`. It
        says nothing of catalogued data.
    """

    data: str
    classes: Sequence[str] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: str, *, classes: str = "", **reading: Any) -> "Source":
        """Check names; make a path absolute, because notebooks run in a folder of their own.

        Examples
        --------
        >>> Source.of("fair-oq", exclude=[], missing="refuse")
        Source(data='fair-oq', classes=None, reading={})
        """
        if not data:
            raise ValueError(
                "the name of the data is empty; name a folder or a catalogued data set"
            )
        used = {k: v for k, v in reading.items() if v and (k, v) != ("missing", "refuse")}
        if not is_catalogued(data):
            return cls(str(Path(data).expanduser().resolve()), split_classes(classes), used)
        if options := [*used, *(["classes"] if classes else [])]:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in options)
            raise ValueError(f"{data}: {names} is for files; a catalogued task is one whole task")
        return cls(data)

    @property
    def files(self) -> list[str]:
        """The path in a list, which is empty for catalogued data."""
        return [] if is_catalogued(self.data) else [self.data]

    def load(self, kind: str = "", better: Better | Mapping[str, Better] | None = None) -> Task:
        """Load the task; of NTCIR files, ``nuggets`` is a kind that names its part."""
        if not self.files:
            return load(self.data, better=better)
        if kind == "nuggets":
            return load(self.data, **{**self.reading, "part": "nugget"})
        task = load(self.data, classes=self.classes, better=better, **self.reading)
        if "part" in self.reading and not isinstance(task, ScoresTask):
            return replace(task, name=f"{task.name} {self.reading['part']}")
        return task

    def load_ranked(self, better: Better | Mapping[str, Better] | None = None) -> Task:
        """Load a task that has runs; ``better`` is that of :meth:`load`.

        Raises
        ------
        ValueError
            If it cannot be loaded, holds several tasks of which none is chosen, or has no run:
            where files hold none, it is the first problem that ``ordbook check`` lists.
        """
        task = self.load(better=better)
        if not task.runs and self.files:
            part = self.reading.get("part")
            check(self.data, self.classes, part, better).problems.raise_first(self.data)
        if not task.runs:
            raise ValueError(f"{self.data}: {too_small(task)}")
        return task


def too_small(task: Task, chapter: str = "") -> str:
    """Say why a task has too few runs or topics, for any comparison or for a chapter; or nothing.

    Examples
    --------
    >>> too_small(load("sem17t4e"))
    'there is no run; comparing runs needs two runs and two topics'
    """
    sizes = len(task.runs), len(task.topics)
    fewest = FEWEST.get(chapter, (2, 2))
    for number, least, noun in zip(sizes, fewest, ("run", "topic"), strict=True):
        if number < 2:
            verb = "is one" if number else "is no"
            return f"there {verb} {noun}; comparing runs needs two runs and two topics"
        if number < least:
            return f"there are {counted(number, noun)}; {chapter} needs at least {least}"
    return ""
