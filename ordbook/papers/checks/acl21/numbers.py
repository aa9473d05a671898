"""Where ACL'21 prints the numbers that several of its checks read.

Contents
--------
TASKS         part of a table of correlations -> row of Table 1
SPLIT_TASKS   part of Tables 3, 6, 9 -> row of Table 1
at            the place of a number
measures      the measures of a table or part, in printed order
words         one column of a table of words: measure -> cell
"""

from collections.abc import Mapping

from ordbook.papers.checks.places import ACL21
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import Cell, Printed

DQ = "DQ-{A, E, S}"
at = ACL21.at
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


def measures(printed: Printed, table: str, column: str) -> list[str]:
    """Return the measures that have a number in a column, in printed order."""
    return [cell.row for cell in ACL21.column(printed, table, column)]


def words(printed: Printed, table: str, column: str) -> dict[str, Cell]:
    """Return a column of Table 4 or 7, named by how it begins; cells that are lost left out."""
    return {
        cell.row: cell
        for cell in ACL21.cells(printed, table)
        if cell.column.startswith(f"{column} ") and printed[cell] != LOST
    }
