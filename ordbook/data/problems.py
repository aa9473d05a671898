"""Everything that is wrong with some files, so that it can be listed at once.

Contents
--------
Problem    one thing that is wrong: where, what was found, what was expected, what to do
Problems   a list of them, which can be raised
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
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

    def __str__(self) -> str:
        where = self.file
        if self.line is not None:
            where += f", line {self.line}"
        if self.column is not None:
            where += f", column {self.column}"
        return f"{where}: found {self.found}, expected {self.expected}; {self.fix}"


@dataclass
class Problems:
    """Problems in the order in which they were found; true if there are any.

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

    def add(
        self,
        file: str | Path,
        line: int | None = None,
        column: int | None = None,
        *,
        found: str,
        expected: str,
        fix: str,
    ) -> None:
        """Add a problem."""
        self.items.append(Problem(str(file), line, column, found, expected, fix))

    def raise_first(self) -> None:
        """Raise ValueError with the first problem, if any, and how many more there are."""
        if self.items:
            others = len(self.items) - 1
            more = f" ({others} more problem{'s' * (others > 1)})" if others else ""
            raise ValueError(f"{self.items[0]}{more}")

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.items)

    def __str__(self) -> str:
        return "\n".join(map(str, self.items))
