"""Where the DialEval-1 overview prints what: its rankings, significance tables and sentences.

Contents
--------
PARTS, LANGUAGES   parts of the task, and the tables of their rankings
Ranking            one list of runs: Tables 4 to 7 and 9 to 12, two lists each
rankings           (part, language, measure) -> Ranking
Pair               two runs of a significance table: the better, the worse, p and effect size
Significance       one of Tables 14 to 29
significances      all of them
said               a cell of the text
correlation        a column of Tables 8 and 13
gap                how far two means are apart
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ordbook.papers.checks.places import DIALEVAL1
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import Cell, Printed, Rounded, minus, rounded

said = DIALEVAL1.at
LANGUAGES = ("Chinese", "English")
# Part -> its ranking table in either language, from the captions.
PARTS = {"DQ-A": ("4", "9"), "DQ-S": ("5", "10"), "DQ-E": ("6", "11"), "ND": ("7", "12")}
QUALITY = ("DQ-A", "DQ-S", "DQ-E")
MEASURES = {**dict.fromkeys(QUALITY, ("NMD", "RSNOD")), "ND": ("JSD", "RNSS")}
# Language -> the table of its correlations.
CORRELATIONS = {"Chinese": "8", "English": "13"}


class Ranking(NamedTuple):
    """The runs of one list in printed order, which is the order of the unrounded means."""

    table: str
    part: str
    language: str
    measure: str
    cells: tuple[Cell, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs, the best first."""
        return tuple(cell.row for cell in self.cells)

    def cell(self, run: str) -> Cell:
        """Where the mean of a run stands."""
        return said(self.table, run, self.measure)


def rankings(printed: Printed) -> dict[tuple[str, str, str], Ranking]:
    """Return the sixteen lists, in the order of their significance tables 14 to 29."""
    found = {}
    for place, language in enumerate(LANGUAGES):
        for part, tables in PARTS.items():
            for measure in MEASURES[part]:
                table = tables[place]
                cells = tuple(DIALEVAL1.column(printed, table, measure))
                found[part, language, measure] = Ranking(table, part, language, measure, cells)
    return found


class Pair(NamedTuple):
    """Two runs of which one is significantly better."""

    better: str
    worse: str
    p: Cell
    effect: Cell


@dataclass(frozen=True)
class Significance:
    """One of Tables 14 to 29.

    Attributes
    ----------
    table
        Its number.
    ranking
        The means that it compares, after its caption.
    pairs
        The listed pairs in printed order, rows and lists from the best run to the worst.
    legible
        Those whose numbers the text extraction has kept.
    """

    table: str
    ranking: Ranking
    pairs: tuple[Pair, ...]
    legible: tuple[Pair, ...]

    def pair(self, better: str, worse: str) -> Pair | None:
        """Return a listed pair, or None."""
        return next((p for p in self.pairs if (p.better, p.worse) == (better, worse)), None)

    @property
    def ruler(self) -> Pair:
        """The pair farthest apart in its row, first row first: it fixes V_E1 best."""
        first = self.legible[0].better
        return [pair for pair in self.legible if pair.better == first][-1]

    def lines(self) -> Iterator[list[Pair]]:
        """Yield the legible pairs of every row and column, from the closest runs to the farthest.

        Rows and lists stand in the order of the means.
        """
        for name in self.ranking.runs:
            yield [pair for pair in self.legible if pair.better == name]
        for name in self.ranking.runs:
            yield [pair for pair in self.legible if pair.worse == name][::-1]

    def unlisted(self) -> Iterator[tuple[str, str]]:
        """Yield every pair that the table does not list, the better run first."""
        listed = {(pair.better, pair.worse) for pair in self.pairs}
        runs = self.ranking.runs
        for i, better in enumerate(runs):
            for worse in runs[i + 1 :]:
                if (better, worse) not in listed:
                    yield better, worse


def significances(printed: Printed) -> dict[tuple[str, str, str], Significance]:
    """Return Tables 14 to 29, by the part, language and measure of their captions."""
    found = {}
    for number, (key, ranking) in enumerate(rankings(printed).items(), start=14):
        table = str(number)
        pairs = tuple(
            Pair(cell.row, cell.column.removesuffix(" p"), cell, _effect(cell))
            for cell in DIALEVAL1.cells(printed, table)
            if cell.column.endswith(" p")
        )
        legible = tuple(pair for pair in pairs if printed[pair.effect] != LOST)
        found[key] = Significance(table, ranking, pairs, legible)
    return found


def _effect(p: Cell) -> Cell:
    return p._replace(column=p.column.removesuffix(" p") + " ES")


def correlation(part: str) -> str:
    """Return the column of Tables 8 and 13 that holds a part's tau."""
    return " vs ".join(MEASURES[part])


def gap(better: str, worse: str) -> Rounded:
    """By how much the mean of the worse run is larger: smaller is better in all four measures."""
    return minus(rounded(worse), rounded(better))
