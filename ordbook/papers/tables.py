"""The papers and their printed tables, as ``data/published/tables.toml`` lists them."""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any

from ordbook.files import share
from ordbook.papers.relations import Cell


@dataclass(frozen=True)
class Paper:
    """A paper and its printed tables.

    Attributes
    ----------
    name
        As in ``data/published``, such as ``acl21``.
    title, key, question
        As readers know it, in the bibliography, and the question that its chapter asks.
    version, reading, sha256
        Of the text that was read, and whether its pages were recognised as pictures.
    symbols
        Symbol in its tables -> the measure that it stands for.
    unreached, beyond
        Numbers that no check reaches, and what no table prints: see ``tables.toml``.
    tables
        Table -> what it is ``about``, its ``kind`` and the options of that.
    """

    name: str
    title: str
    tables: Mapping[str, Mapping[str, Any]]
    key: str = ""
    question: str = ""
    version: str = ""
    reading: str = ""
    sha256: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)
    unreached: Sequence[Sequence[str]] = ()
    beyond: Sequence[Sequence[str]] = ()

    def at(self, table: str, row: str, column: str = "count") -> Cell:
        """Return the place of a number, a count unless told."""
        return Cell(self.name, table, row, column)

    def place(self, text: str) -> Cell:
        """Return the place that ``table::row::column`` names."""
        parts = text.split("::")
        if len(parts) != len(Cell._fields) - 1:
            raise ValueError(f"{text!r} is no place of {self.name}; write table::row::column")
        return Cell(self.name, *parts)

    def claim(self, table: str, row: str) -> Cell:
        """Return the place of a sentence."""
        return Cell(self.name, table, row, "claim")

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

    def between(self, printed: Collection[Cell], table: str, first: str, second: str) -> Cell:
        """Return the cell that compares two measures, whichever of them is the row."""
        cell = self.at(table, first, second)
        return cell if cell in printed else self.at(table, second, first)


@cache
def _listed() -> Mapping[str, Any]:
    with share("data", "published", "tables.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def papers() -> Mapping[str, Paper]:
    """Return the papers by their names in ``data/published``."""
    about_all = ("letter", "families")
    entries = {name: entry for name, entry in _listed().items() if name not in about_all}
    return {name: Paper(name, **entry) for name, entry in entries.items()}


def families() -> Mapping[str, str]:
    """Return the families of checks, and what they rest on."""
    known: Mapping[str, str] = _listed()["families"]
    return known


def about(paper: str, table: str) -> str:
    """Describe the subject of a printed table in a few words.

    Examples
    --------
    >>> about("acl21", "2i")
    'similarity, labels, SemEval-2016'
    """
    return str(papers()[paper].tables.get(table, {}).get("about", ""))


def letter() -> date:
    """Return the date of the letter to the papers' authors."""
    day: date = _listed()["letter"]
    return day


SIGIR18, ACL21, LQ21, DNKT, DIALEVAL1 = (
    papers()[name] for name in ("sigir18", "acl21", "lq21", "dnkt", "dialeval1")
)
