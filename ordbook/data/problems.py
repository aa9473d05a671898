"""Faults of files, listed at once and cause by cause, and notes on accepted oddities."""

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ParamSpec, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ordbook.words import counted, shown

_LONGEST = 300  # characters of a phrase
P = ParamSpec("P")
T = TypeVar("T")
Phrase = str | Callable[[Any], str]
# A code, the rows that are wrong, what was found there, and what to do about it: texts, or
# functions of the row. A row makes a problem of its place: row.problem(found, fix).
Fault = tuple[str, Iterable[Any], Phrase, Phrase]


class RawDataMissing(FileNotFoundError):
    """Raw files were asked for that are not on this machine."""


class Note(str):
    """A sentence on something accepted or changed, of which code asks ``kind`` and ``run`` alone.

    Attributes
    ----------
    kind
        ``left out`` (a run is not scored), ``filled`` (missing answers count as the worst),
        ``unread`` (a file was not read) or ``other``.
    run
        The run it is about; None if it is about the gold data or the whole task.
    """

    kind: str
    run: str | None

    def __new__(cls, text: str, kind: str = "other", run: str | None = None) -> Self:
        """Return a note with the text of a sentence."""
        note = super().__new__(cls, text)
        note.kind, note.run = kind, run
        return note


def as_notes(sentences: Iterable[str]) -> tuple[Note, ...]:
    """Return sentences as notes; those that are notes already keep their kind and run."""
    return tuple(text if isinstance(text, Note) else Note(text) for text in sentences)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file.

    Attributes
    ----------
    file
        The file.
    line, column
        Where in it, counted from 1; None where it concerns the whole file or line.
    found, fix
        What was found there, and what to do: phrases without a full stop.
    place
        Where in a file that has no rows and columns: ``dialogue 'd1', turn 2``.
    code
        The kind of fault, for those who ask; problems with one code, or else with one fix, have
        one cause.
    run
        The run whose file it is; empty of gold data and all else.
    """

    file: str
    line: int | None
    column: int | None
    found: str
    fix: str
    place: str = ""
    code: str = ""
    run: str = ""

    def __str__(self) -> str:
        return self.in_a_line()

    def in_a_line(self, places: int = 1, files: int = 1) -> str:
        """Return it on one line, as the first of so many of its cause in so many files."""
        more = f" (and {places - 1} more like it" if places > 1 else ""
        more += f", in {files} files)" if files > 1 else ")" if more else ""
        separator = ", " if self._where else ": "
        return f"{shown(self.file)}{separator}{self.finding}{more}; {shown(self.fix, _LONGEST)}"

    @property
    def finding(self) -> str:
        """The place in the file, and the finding there."""
        return ": ".join(filter(None, [self._where, shown(self.found, _LONGEST)]))

    @property
    def _where(self) -> str:
        where = [shown(self.place, _LONGEST)]
        where += [f"line {self.line}" if self.line is not None else ""]
        where += [f"column {self.column}" if self.column is not None else ""]
        return ", ".join(filter(None, where))


class Problems(list[Problem]):
    """Problems in the order in which they were found.

    Examples
    --------
    >>> problems = Problems()
    >>> problems.add("gold.csv", 3, 2, found="'?' is no number", fix="write one")
    >>> problems.add("gold.csv", 4, 2, found="'x' is no number", fix="write one")
    >>> problems.causes()  # those with one code, or else with one fix
    ["gold.csv, line 3, column 2: '?' is no number (and 1 more like it); write one"]
    """

    def add(
        self,
        file: str | Path,
        line: int | None = None,
        column: int | None = None,
        *,
        found: str,
        fix: str,
        **others: str,
    ) -> None:
        """Add a problem; ``others`` are its ``place``, ``code`` and ``run``."""
        self.append(Problem(str(file), line, column, found, fix, **others))

    def add_faults(self, faults: Iterable[Fault]) -> None:
        """Add a problem for each row that is wrong."""
        for code, rows, *phrases in faults:
            for row in rows:
                found, fix = (text if isinstance(text, str) else text(row) for text in phrases)
                self.append(replace(row.problem(found, fix), code=code))

    def attempt(
        self, path: Path, read: Callable[P, T], *options: P.args, **named: P.kwargs
    ) -> T | None:
        """Return a reader's result; if it raises ValueError, add a problem of the file."""
        try:
            return read(*options, **named)
        except Wrong as wrong:
            self.append(wrong.problem)
        except ValueError as error:
            found, _, fix = str(error).removeprefix(f"{path}: ").partition("; ")
            self.add(path, found=found, fix=fix)
        return None

    def causes(self) -> list[str]:
        """Return a line for each cause: its first place, how many more there are, and its fix."""
        causes: dict[str, list[Problem]] = {}
        for problem in self:
            causes.setdefault(problem.code or problem.fix, []).append(problem)
        return [
            same[0].in_a_line(len(same), len({problem.file for problem in same}))
            for same in causes.values()
        ]

    def raise_first(self, path: str | Path | None = None) -> None:
        """Raise ValueError with the first problem, if any, and how many more there are.

        With ``path``, the message says that ``ordbook check`` lists them.
        """
        if self:
            command = f"ordbook check {shlex.quote(str(path))}"
            command = command if "'" in command else f"'{command}'"
            listed = f"; {command} lists them all" if path is not None else ""
            rest = len(self) - 1
            more = f" ({counted(rest, 'more problem')}{listed})" if rest else ""
            raise ValueError(f"{self[0]}{more}")


@dataclass(frozen=True)
class Place:
    """A file, and a place in it: ``dialogue 'd1', turn 2``."""

    file: str
    at: str = ""

    def inside(self, what: str) -> Self:
        """Return a place in this one."""
        return replace(self, at=f"{self.at}, {what}" if self.at else what)


class Wrong(ValueError):
    """Something is wrong with a file: an exception that carries the problem.

    Readers raise it where they cannot go on; :meth:`Problems.attempt` collects it.
    """

    def __init__(
        self,
        where: Place | Path | str,
        *,
        found: str,
        fix: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        at = where if isinstance(where, Place) else Place(str(where))
        self.problem = Problem(at.file, line, column, found, fix, at.at)
        super().__init__(self.problem)  # whose text is made when it is asked for


class Row(SimpleNamespace):
    """A row of a file: its ``path``, ``line``, ``column`` or ``place``, and whatever it holds."""

    def problem(self, found: str, fix: str) -> Problem:
        """Return the problem that something was found there."""
        line, column = (
            None if number is None else int(number)
            for number in (getattr(self, "line", None), getattr(self, "column", None))
        )
        column = column if line else None  # what has no lines has no columns
        return Problem(str(self.path), line, column, found, fix, getattr(self, "place", ""))


def among(cells: Iterable[str], names: Iterable[str]) -> NDArray[np.bool_]:
    """Tell for each cell whether it is one of some names."""
    known = set(names)
    return np.array([cell in known for cell in cells], dtype=bool)
