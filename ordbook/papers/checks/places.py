"""Finding printed numbers: the cells of a paper, of a table, of a row or a column.

Contents
--------
Paper       where one paper prints what
SIGIR18, ACL21, LQ21, DNKT, DIALEVAL1   the five papers
compared    the measures that the cells of a table compare
triangles   every three of them
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from ordbook.papers.relations import Cell


@dataclass(frozen=True)
class Paper:
    """Where one paper prints what.

    Attributes
    ----------
    name
        As in ``data/published``, such as ``acl21``.
    """

    name: str

    def at(self, table: str, row: str, column: str = "count") -> Cell:
        """Return the place of a number, a count unless told."""
        return Cell(self.name, table, row, column)

    def cells(self, printed: Iterable[Cell], table: str, row: str | None = None) -> list[Cell]:
        """Return the cells of a table, or of one row of it, in printed order."""
        return [
            cell
            for cell in printed
            if cell.paper == self.name and cell.table == table and row in (None, cell.row)
        ]

    def column(self, printed: Iterable[Cell], table: str, column: str) -> list[Cell]:
        """Return the cells of one column of a table, in printed order."""
        return [cell for cell in self.cells(printed, table) if cell.column == column]

    def rows(self, printed: Iterable[Cell], table: str) -> list[str]:
        """Return the rows of a table, in printed order."""
        return list(dict.fromkeys(cell.row for cell in self.cells(printed, table)))

    def between(self, printed: Collection[Cell], table: str, one: str, other: str) -> Cell:
        """Return the cell that compares two measures, whichever of them is the row."""
        cell = self.at(table, one, other)
        return cell if cell in printed else self.at(table, other, one)


SIGIR18, ACL21, LQ21, DNKT, DIALEVAL1 = map(
    Paper, ("sigir18", "acl21", "lq21", "dnkt", "dialeval1")
)


def compared(cells: Iterable[Cell]) -> list[str]:
    """Return the measures that cells compare, rows and columns in order, each once."""
    return list(dict.fromkeys(name for cell in cells for name in (cell.row, cell.column)))


def triangles(cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell, Cell]]:
    """Yield every side a-c of every triangle of measures, followed by its sides a-b and b-c."""
    sides = {frozenset((cell.row, cell.column)): cell for cell in cells}
    for a, b, c in permutations(compared(cells), 3):
        edges = frozenset((a, c)), frozenset((a, b)), frozenset((b, c))
        if a < c and all(edge in sides for edge in edges):
            yield sides[edges[0]], sides[edges[1]], sides[edges[2]]
