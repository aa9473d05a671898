"""Everything that is wrong with some files, so that it can be listed at once.

Contents
--------
Problem    one thing that is wrong: where, what was found, what was expected, what to do
Problems   a list of them, which can be raised
listed     the lines that show most of many problems
Place      a file, and where in it, for files without rows and columns
Wrong      an exception that carries a problem
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from ordbook.data.names import counted, shown

T = TypeVar("T")
MOST = 100_000  # problems of a file: more would fill the memory, and nobody reads them
LONGEST = 400  # characters that a line gives to each phrase


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file.

    Attributes
    ----------
    file
        The file.
    line, column
        Where in it, counted from 1; None where it concerns the whole file or line.
    found, expected, fix
        What stands there, what should, and what to do: phrases without a full stop.
    place
        Where in a file that has no rows and columns: ``dialogue 'd1', turn 2``.

    Examples
    --------
    >>> print(Problem("gold.csv", 3, 2, "'0,5'", "a number", "write a point for the comma"))
    gold.csv, line 3, column 2: found '0,5', expected a number; write a point for the comma
    """

    file: str
    line: int | None
    column: int | None
    found: str
    expected: str
    fix: str
    place: str = ""

    def __str__(self) -> str:
        return self.said()

    def said(self, more: int = 0) -> str:
        """Return it in one line; with ``more``, as the first of those that differ in the place.

        Examples
        --------
        >>> print(Problem("a.csv", 3, 2, "'?'", "a number", "write one").said(204))
        a.csv, line 3 and 204 more lines, column 2: found '?', expected a number; write one
        """
        where = shown(self.file)
        if self.place:
            where += f", {shown(self.place, LONGEST)}"
        if self.line is not None:
            where += f", line {self.line}"
        if more:
            where += f" and {counted(more, 'more place' if self.place else 'more line')}"
        if self.column is not None:
            where += f", column {self.column}"
        found, expected, fix = (
            shown(text, LONGEST) for text in (self.found, self.expected, self.fix)
        )
        return f"{where}: found {found}, expected {expected}; {fix}"


@dataclass
class Problems:
    """Problems in the order in which they were found; true if there are any.

    ``readable`` is a task of what can be read nevertheless, to be summarised and nothing else.

    Examples
    --------
    >>> problems = Problems()
    >>> problems.add("gold.csv", 3, 2, found="'?'", expected="a number", fix="write one")
    >>> problems.add("gold.csv", 4, 2, found="'?'", expected="a number", fix="write one")
    >>> len(problems)
    2
    >>> problems.raise_first()
    Traceback (most recent call last):
        ...
    ValueError: gold.csv, line 3, column 2: found '?', expected a number; write one (1 more problem)
    """

    items: list[Problem] = field(default_factory=list)
    readable: Any = None
    _in_file: Counter[str] = field(default_factory=Counter, repr=False, compare=False)

    def add(
        self,
        file: str | Path,
        line: int | None = None,
        column: int | None = None,
        *,
        found: str,
        expected: str,
        fix: str,
        first: bool = False,
    ) -> None:
        """Add a problem, with ``first`` before the others of its file, which follow from it."""
        self.put(Problem(str(file), line, column, found, expected, fix), first=first)

    def put(self, problem: Problem, *, first: bool = False) -> None:
        """Add a problem, unless its file has very many already."""
        if self.full(problem.file):
            return
        place = len(self.items)
        if first and self._in_file[problem.file]:
            files = [each.file for each in self.items]
            place = files.index(problem.file)
        self.items.insert(place, problem)
        self._in_file[problem.file] += 1
        if self.full(problem.file):
            said = f"{MOST} problems, beyond which none is listed"
            self.items.append(
                Problem(problem.file, None, None, said, "fewer", "correct these first")
            )

    def full(self, file: str | Path) -> bool:
        """Whether no further problem of a file is listed."""
        return self._in_file[str(file)] >= MOST

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Add the problem of :class:`Wrong`, if it is raised inside, and go on after it."""
        try:
            yield
        except Wrong as wrong:
            self.put(wrong.problem)

    def rename(self, before: str, after: str) -> None:
        """Let files whose names begin with ``before`` begin with ``after``."""
        self.items = [
            replace(problem, file=after + problem.file.removeprefix(before))
            if problem.file.startswith(before)
            else problem
            for problem in self.items
        ]

    def faulty(self, file: str | Path) -> set[int | None]:
        """Return the lines of a file that have problems, with None if the whole file has."""
        return {problem.line for problem in self.items if problem.file == str(file)}

    def keep(self, build: Callable[[], T]) -> T | None:
        """Build a task of what could be read; return it if nothing is wrong, else None.

        It is kept as :attr:`readable` either way. Where something is wrong, what is left may
        be no task at all.
        """
        try:
            task = build()
        except ValueError:
            if not self.items:
                raise
            return None
        self.readable = task
        return None if self.items else task

    def raise_first(self, path: str | Path | None = None) -> None:
        """Raise ValueError with the first problem, if any, and how many more there are.

        With ``path``, the message says that ``ordbook check`` lists them.
        """
        if self.items:
            others = len(self.items) - 1
            said = f"ordbook check {shlex.quote(str(path))}"
            said = said if "'" in said else f"'{said}'"
            listed = f"; {said} lists them all" if path is not None else ""
            more = f" ({others} more problem{'s' * (others > 1)}{listed})" if others else ""
            raise ValueError(f"{self.items[0]}{more}")

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.items)

    def __str__(self) -> str:
        return "\n".join(map(str, self.items))


def listed(problems: Iterable[Problem], most: int) -> tuple[list[str], int]:
    """Return at most ``most`` lines that show problems, and how many problems they leave out.

    What was found on several lines, or in several places, of a file is one line. Where there are
    more lines than may be shown, each kind of problem and each file gets its share: the first of
    each kind in each file go before the second ones, and among those kinds take turns.

    Examples
    --------
    >>> found = [Problem("a.csv", line, 1, "'?'", "a number", "write one") for line in range(2, 9)]
    >>> listed(found, 100)
    (["a.csv, line 2 and 6 more lines, column 1: found '?', expected a number; write one"], 0)
    """
    count = 0
    found: dict[tuple[object, ...], list[Problem]] = {}
    in_file: Counter[tuple[str, ...]] = Counter()
    files: Counter[tuple[object, ...]] = Counter()
    ranks: list[tuple[int, int, int]] = []
    for count, each in enumerate(problems, 1):
        kind = each.expected, each.fix
        what = each.file, each.column, each.found, *kind
        if what in found and (each.line is not None or each.place):
            found[what].append(each)
        elif (rank := in_file[each.file, *kind]) < most:  # later ones of the kind are never shown
            found[what if what not in found else (*what, count)] = [each]
            ranks.append((rank, files[rank, *kind], len(ranks)))
            in_file[each.file, *kind] += 1
            files[rank, *kind] += 1
    chosen = {index for _, _, index in sorted(ranks)[:most]}
    shown = [same for index, same in enumerate(found.values()) if index in chosen]
    return [same[0].said(len(same) - 1) for same in shown], count - sum(map(len, shown))


@dataclass(frozen=True)
class Place:
    """A file, and where in it.

    Examples
    --------
    >>> print(Place("run.json").inside("dialogue 'd1'").inside("turn 2"))
    run.json, dialogue 'd1', turn 2
    """

    file: str
    at: str = ""

    def inside(self, what: str) -> Self:
        """Return a place in this one."""
        return replace(self, at=f"{self.at}, {what}" if self.at else what)

    def __str__(self) -> str:
        return f"{self.file}, {self.at}" if self.at else self.file


class Wrong(ValueError):
    """Something is wrong with a file: an exception that carries the problem.

    Readers of nested files raise it where they cannot go on, and collect it
    (:meth:`Problems.collect`) where the next part can be read nevertheless.
    """

    def __init__(
        self,
        where: Place,
        *,
        found: str,
        expected: str,
        fix: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.problem = Problem(where.file, line, column, found, expected, fix, where.at)
        super().__init__(str(self.problem))
