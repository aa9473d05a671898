"""LQ'21, Tables 5 and 6: contradictions between significance tests.

Contents
--------
Contradiction, listed   a line of Table 6, read
lines                   the cells of a part of Table 6
contradictions          Table 5 against Tables 4 and 6
"""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ordbook.papers.checks.lq21.tables import MEASURES, at, overlap, parts
from ordbook.papers.checks.places import LQ21
from ordbook.papers.relations import Cell, Printed, Relation, condition, counted

# Headings of the parts of Tables 5 and 6.
CONTRADICTING = {
    "I": "STC-3 DQ-A",
    "II": "STC-3 DQ-S",
    "III": "DialEval-1 DQ-A",
    "IV": "DialEval-1 DQ-E",
    "V": "DialEval-1 DQ-S",
}


class Contradiction(NamedTuple):
    """One line of Table 6: measures and runs."""

    first: frozenset[str]
    second: frozenset[str]
    better: tuple[str, ...]
    worse: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """How many pairs of runs it stands for."""
        return len(self.better) * len(self.worse)


def expanded(run: str) -> tuple[str, ...]:
    """Return the runs that ``A_BL-uniform-{C,E}`` stands for."""
    found = re.fullmatch(r"(.*)\{(.*)\}", run)
    return tuple(found[1] + end for end in found[2].split(",")) if found else (run,)


def listed(texts: Sequence[str]) -> list[Contradiction]:
    """Read the lines of a part of Table 6, four texts each."""
    found = []
    for i in range(0, len(texts), 4):
        first, second, better, worse = texts[i : i + 4]
        found.append(
            Contradiction(
                frozenset(re.findall("[A-Z]+", first)),
                frozenset(re.findall("[A-Z]+", second)),
                expanded(better),
                expanded(worse),
            )
        )
    return found


def lines(printed: Printed, part: str) -> list[Cell]:
    """Return the cells of a part of Table 6, as ``listed`` reads them."""
    columns = ("Measure 1", "Measure 2", "Run 1", "Run 2")
    return [
        at(f"6{part}", row, column) for row in LQ21.rows(printed, f"6{part}") for column in columns
    ]


def contradictions(printed: Printed) -> list[Relation]:
    """Table 5: no more than the overlap b of Table 4, and exactly the run pairs of Table 6."""
    letters = {data: part for part, data in parts(printed).items()}
    relations = []
    for part, data in CONTRADICTING.items():
        details = lines(printed, part)
        for pair in combinations(MEASURES, 2):
            cell = at(f"5{part}", *pair)

            def pairs(*texts: str, pair: Sequence[str] = pair) -> float:
                return sum(
                    line.pairs
                    for line in listed(texts)
                    if (pair[0] in line.first and pair[1] in line.second)
                    or (pair[1] in line.first and pair[0] in line.second)
                )

            relations += [
                counted(cell, pairs, "Table 6 breaks down Table 5", details),
                condition(
                    "interval",
                    (cell, overlap(letters[data], pair, "b")),
                    lambda few, both: int(few) <= int(both),
                    "Section 5.2: contradictions are among the differences both measures find",
                    "contradictions among b",
                ),
            ]
        score = data[-1]
        for run in details[2::4] + details[3::4]:
            shown = f"a run of the {score}-score subtask"
            relations.append(
                condition(
                    "list",
                    (run,),
                    lambda name, prefix=f"{score}_": name.startswith(prefix),
                    "Section 5.2: the prefix of a run is its subtask",
                    shown,
                )
            )
    return relations
