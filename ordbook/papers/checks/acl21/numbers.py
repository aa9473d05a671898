"""How the checks of ACL'21 find and read its numbers.

Contents
--------
TASKS         part of a table of correlations -> row of Table 1
SPLIT_TASKS   part of Tables 3, 6, 9 -> row of Table 1
at            the place of a number
value_of      a printed number, or number word, as it stands
exact         a question about numbers as they stand
twice         one number printed twice
size          the number of measures, parts or rows that the paper lists
measures      the measures of a table or part, in printed order
words         one column of a table of words: measure -> cell
pair          the cell of two measures in a table of correlations
mean          the mean of printed numbers, as an interval
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from ordbook.papers.relations import Cell, Printed, Relation, Rounded, condition, plain

PAPER = "acl21"
LOST = "lost"
DQ = "DQ-{A, E, S}"
NUMBER_WORDS = {
    name: number
    for number, name in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), start=1
    )
} | {"only one": 1}
# Parts of the tables of correlations -> row of Table 1.
TASKS: Mapping[str, str] = {
    "2i": "Sem16T4C",
    "2ii": "Sem17T4C",
    "5i": DQ,
    "5ii": DQ,
    "5iii": DQ,
    "8i": "Sem16T4E",
    "8ii": "Sem17T4E",
}
# Parts of Tables 3, 6, 9 -> row of Table 1.
SPLIT_TASKS: Mapping[str, str] = {
    **dict.fromkeys(("3a", "3b"), "Sem16T4C"),
    **dict.fromkeys(("3c", "3d"), "Sem17T4C"),
    **dict.fromkeys(("6a", "6b", "6c", "6d", "6e", "6f"), DQ),
    **dict.fromkeys(("9i left", "9i right"), "Sem16T4E"),
    **dict.fromkeys(("9ii left", "9ii right"), "Sem17T4E"),
}


def at(table: str, row: str, column: str = "count") -> Cell:
    """Return the place of a number, a count unless told."""
    return Cell(PAPER, table, row, column)


def value_of(text: str) -> Decimal:
    """Return a printed number, also where it is a word."""
    try:
        return Decimal(NUMBER_WORDS.get(text, plain(text)))
    except InvalidOperation:
        raise ValueError(f"{text!r} is not a number") from None


def exact(
    family: str, cells: Sequence[Cell], holds: Callable[..., bool], relies: str, shown: str
) -> Relation:
    """Hold numbers as printed, without rounding, to a question."""
    return condition(family, cells, lambda *texts: holds(*map(value_of, texts)), relies, shown)


def twice(cell: Cell, other: Cell, relies: str) -> Relation:
    """Hold a number to another place that prints it with the same digits, or as a word."""
    shown = f"the same number as {other}"
    return exact("printed twice", (cell, other), lambda a, b: a == b, relies, shown)


def size(cell: Cell, number: int, relies: str) -> Relation:
    """Hold a count to how many things of that kind the paper lists."""
    shown = f"there are {number}"
    return exact("list", (cell,), lambda printed: printed == number, relies, shown)


def measures(printed: Printed, table: str, column: str) -> list[str]:
    """Return the measures that have a number in a column, in printed order."""
    return [
        cell.row
        for cell in printed
        if (cell.paper, cell.table) == (PAPER, table) and cell.column == column
    ]


def words(printed: Printed, table: str, column: str) -> dict[str, Cell]:
    """Return a column of Table 4 or 7, named by how it begins; cells that are lost left out."""
    return {
        cell.row: cell
        for cell, text in printed.items()
        if (cell.paper, cell.table) == (PAPER, table)
        and cell.column.startswith(f"{column} ")
        and text != LOST
    }


def pair(printed: Printed, table: str, one: str, other: str) -> Cell:
    """Return where the correlation of two measures is printed."""
    cell = at(table, one, other)
    return cell if cell in printed else at(table, other, one)


def mean(terms: Sequence[Rounded]) -> Rounded:
    """Return the mean of printed numbers, as an interval."""
    number = len(terms)
    return Rounded(sum(t.low for t in terms) / number, sum(t.high for t in terms) / number)
