"""How the checks of SIGIR'18 read its numbers: exactly, words included.

Contents
--------
at            the place of a number
value_of      a printed number, or number word, as it stands
exact         a question about numbers as they stand
twice         one number printed twice
pair_cells    the cells of a table of pairs of measures
measures_in   the measures that cells compare
triangles     every three of them
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import permutations

from ordbook.papers.relations import Cell, Printed, Relation, condition, plain

PAPER = "sigir18"
TAU_TABLES = ("1a", "1b", "2i")
AGREEMENTS = "2ii"
CROSS_BIN = ("NMD", "RSNOD")
NUMBER_WORDS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "thirty": 30,
}


def at(section: str, row: str, column: str = "count") -> Cell:
    """Return the place of a number, a count unless told."""
    return Cell(PAPER, section, row, column)


def value_of(text: str) -> Decimal:
    """Return a printed number, also where it is a word."""
    try:
        return Decimal(NUMBER_WORDS.get(text.lower(), plain(text)))
    except InvalidOperation:
        raise ValueError(f"{text!r} is not a number") from None


def exact(
    family: str, cells: Sequence[Cell], holds: Callable[..., bool], relies: str, shown: str
) -> Relation:
    """Hold numbers as printed, without rounding, to a question."""
    return condition(
        family, cells, lambda *texts: holds(*map(value_of, texts)), relies, f"{shown} ({relies})"
    )


def twice(cell: Cell, other: Cell, relies: str) -> Relation:
    """Hold a number to another place that prints it with the same digits, or as a word."""
    return exact("printed twice", (cell, other), lambda a, b: a == b, relies, "the same number")


def pair_cells(printed: Printed, table: str) -> list[Cell]:
    """Return the cells of a table that compare two different measures, limits left out."""
    return [
        cell
        for cell in printed
        if (cell.paper, cell.table) == (PAPER, table)
        and " " not in cell.column
        and cell.row != cell.column
    ]


def measures_in(cells: Iterable[Cell]) -> list[str]:
    """Return the names of rows and columns in order, each once."""
    return list(dict.fromkeys(name for cell in cells for name in (cell.row, cell.column)))


def triangles(cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell, Cell]]:
    """Yield every side a-c of every triangle, followed by its other sides a-b and b-c."""
    sides = {frozenset((cell.row, cell.column)): cell for cell in cells}
    for a, b, c in permutations(measures_in(cells), 3):
        if a < c:
            yield tuple(sides[frozenset(side)] for side in ((a, c), (a, b), (b, c)))  # type: ignore[misc]
