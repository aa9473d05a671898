"""Where DNKT prints what.

Contents
--------
DataSet, DATA_SETS   the eight data sets, and the tables of each
Column, columns_of   one half of a consistency table, as it is ranked
MEASURES             the nine measures of Tables 3 to 20, in the printed order
COMBINED             the components of the three combined measures
at                   the place of a number
ranked               a measure named in a sentence against its rank
taus                 the correlations of a table, limits left out
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ordbook.papers.checks.places import DNKT
from ordbook.papers.relations import Cell, Printed, Relation, condition, value_of

at = DNKT.at
MEASURES = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT")
ORDINAL = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2")
NOMINAL = ("NVD", "RNSS", "JSD")
COMBINED = ("JSD", "NMD", "RNOD")
HALVES = ("full split", "10 vs. 10")


class DataSet(NamedTuple):
    """One of the eight data sets, and the numbers of its tables."""

    name: str
    listed: str
    taus: str
    averages: str
    combined: str
    consistency: str

    @property
    def runs(self) -> Cell:
        """Number of runs, from the caption of its correlations."""
        return at(f"caption{self.taus}", self.name, "runs")

    @property
    def combined_runs(self) -> Cell:
        """Number of runs, from the caption of its combined measures."""
        return at(f"caption{self.combined}", self.name, "runs")

    @property
    def size(self) -> Cell:
        """Sample size, from Table 2."""
        return at("2", self.listed, "Test data sample size")


_STC, _DIALEVAL = "STC-3 DQ-{A, E, S}", "DialEval-1 DQ-{A, E, S}"
DATA_SETS = (
    DataSet("Sem16T4E", "Sem16T4E", "3", "4", "21a", "25a"),
    DataSet("Sem17T4E", "Sem17T4E", "5", "6", "21b", "25b"),
    DataSet("STC-3 DQ-A", _STC, "7", "8", "22a", "26a"),
    DataSet("STC-3 DQ-E", _STC, "9", "10", "22b", "26b"),
    DataSet("STC-3 DQ-S", _STC, "11", "12", "22c", "26c"),
    DataSet("DialEval-1 DQ-A", _DIALEVAL, "13", "14", "23a", "27a"),
    DataSet("DialEval-1 DQ-E", _DIALEVAL, "15", "16", "23b", "27b"),
    DataSet("DialEval-1 DQ-S", _DIALEVAL, "17", "18", "23c", "27c"),
)


class Column(NamedTuple):
    """Half of a part of Tables 25 to 27, or of Table 28; measures in the printed order."""

    table: str
    half: str
    measures: tuple[str, ...]

    def value(self, measure: str) -> Cell:
        """Mean tau of a measure."""
        return at(self.table, measure, self.half)

    def symbols(self, measure: str) -> Cell:
        """Symbols of what a measure outperforms."""
        return at(self.table, measure, f"{self.half} outperforms")

    @property
    def values(self) -> tuple[Cell, ...]:
        """Mean tau, all of them."""
        return tuple(map(self.value, self.measures))


def columns_of(printed: Iterable[Cell], table: str) -> list[Column]:
    """Return both halves of a table of consistencies."""
    return [
        Column(table, half, tuple(cell.row for cell in DNKT.column(printed, table, half)))
        for half in HALVES
    ]


def ranked(sentence: Cell, values: Mapping[str, Cell], rank: int, relies: str) -> Relation:
    """Hold the measure named in a sentence to its rank from below, no other as low.

    Where the sentence is not a measure's name, its row is one.
    """
    names = list(values)

    def holds(text: str, *texts: str) -> bool:
        numbers = [value_of(number) for number in texts]
        found = sorted(numbers)[rank]
        name = text if text in names else sentence.row
        return numbers.count(found) == 1 and numbers.index(found) == names.index(name)

    return condition("claim", (sentence, *values.values()), holds, relies, relies)


def taus(printed: Printed, table: str) -> list[Cell]:
    """Return the correlations of a table, limits left out."""
    return [cell for cell in DNKT.cells(printed, table) if " " not in cell.column]
