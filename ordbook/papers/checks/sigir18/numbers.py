"""Where SIGIR'18 prints the numbers that several of its checks read.

Contents
--------
at            the place of a number
pair_cells    the cells of a table of pairs of measures
"""

from collections.abc import Iterable

from ordbook.papers.checks.places import SIGIR18
from ordbook.papers.relations import Cell

TAU_TABLES = ("1a", "1b", "2i")
AGREEMENTS = "2ii"
CROSS_BIN = ("NMD", "RSNOD")
at = SIGIR18.at


def pair_cells(printed: Iterable[Cell], table: str) -> list[Cell]:
    """Return the cells of a table that compare two different measures, limits left out."""
    cells = SIGIR18.cells(printed, table)
    return [cell for cell in cells if " " not in cell.column and cell.row != cell.column]
