"""LQ'21, Tables 3 to 6 together: some sets of significant differences must give them all.

Every pair of runs has a pattern: for each measure, whether the pair differs significantly and
which run is better. Integer programmes ask how many pairs of runs may have which pattern.

Contents
--------
feasible     do all counts of a data set fit together?
left_over    the two questioned counts of Table 4(h) against what the others leave
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordbook.papers.checks.counting import least, pairs_of
from ordbook.papers.checks.lq21.contradictions import CONTRADICTING, Contradiction, lines, listed
from ordbook.papers.checks.lq21.tables import (
    MEASURES,
    at,
    described,
    overlap,
    parts,
    significant,
)
from ordbook.papers.relations import Cell, Finding, Printed, Relation, value_of

PAIRS = tuple(combinations(range(len(MEASURES)), 2))
# Significant with both signs, or not; a pair without contradictions is only in or out.
SIGNED = np.array(list(product((-1, 0, 1), repeat=len(MEASURES))))
# The two cells that repeat the row above them.
QUESTIONED = (("NVD", "RNSS"), ("NVD", "JSD"))
RELIES = (
    "Section 5.2: a, b and c are sizes of sets of run pairs, both language versions of a baseline "
    "are the same run, and Table 6 lists every contradiction"
)


class Block(NamedTuple):
    """Units that may have the same patterns; a unit is one pair of runs, or several equal ones."""

    patterns: NDArray[np.int_]
    units: int
    weight: int


@dataclass(frozen=True)
class Case:
    """A data set: what is counted, and the cells that are read."""

    data: str
    part: str
    runs: Cell
    none: Cell | None
    details: tuple[Cell, ...]

    def blocks(self, printed: Printed) -> list[Block]:
        """Return the units of the data set, those of Table 6 each by itself."""
        m = int(printed[self.runs])
        agreeing = SIGNED[(SIGNED >= 0).all(axis=1)]
        if self.data.startswith("Sem"):
            return [Block(agreeing, pairs_of(m), 1)]
        # Two baselines in two languages: 4 equal pairs between them, 2 with every other run.
        units = {4: 1, 2: 2 * (m - 4), 1: pairs_of(m - 4)}
        blocks = []
        found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Contradiction]] = {}
        for line in listed([printed[cell] for cell in self.details]):
            found.setdefault((line.better, line.worse), []).append(line)
        for same in found.values():
            units[same[0].pairs] -= 1
            blocks.append(Block(_contradicting(same), 1, same[0].pairs))
        return blocks + [Block(agreeing, number, weight) for weight, number in units.items()]


def _contradicting(found: Sequence[Contradiction]) -> NDArray[np.int_]:
    """Return the patterns that contradict between these measures, and between no others."""
    wanted = {frozenset(pair) for line in found for pair in product(line.first, line.second)}
    fits = np.ones(len(SIGNED), dtype=bool)
    for i, j in PAIRS:
        opposite = SIGNED[:, i] * SIGNED[:, j] < 0
        fits &= opposite == (frozenset((MEASURES[i], MEASURES[j])) in wanted)
    return SIGNED[fits]


def cases(printed: Printed) -> list[Case]:
    """Return the eight data sets."""
    contradicting = {data: part for part, data in CONTRADICTING.items()}
    found = []
    for part, data in parts(printed).items():
        roman = contradicting.get(data, "")
        none = at("caption5", f"contradictions: {data}", "count")
        found.append(
            Case(
                data,
                part,
                described(data, "#Runs used"),
                none if none in printed else None,
                tuple(lines(printed, roman)) if roman else (),
            )
        )
    return found


def _counts(case: Case, skip: Sequence[tuple[str, str]]) -> dict[Cell, tuple[int, ...]]:
    """Return cell -> the measures that all find a difference it counts."""
    found: dict[Cell, tuple[int, ...]] = {
        significant(case.data, measure): (i,) for i, measure in enumerate(MEASURES)
    }
    for i, j in PAIRS:
        pair = MEASURES[i], MEASURES[j]
        if pair not in skip:
            found[overlap(case.part, pair, "b")] = (i, j)
    return found


def solve(
    blocks: Sequence[Block],
    counts: Mapping[tuple[int, ...], int],
    objective: tuple[int, ...] = (),
    sign: int = 1,
) -> int | None:
    """Return the least (or largest) overlap that the counts allow, None if nothing fits.

    Parameters
    ----------
    blocks
        Units and their patterns.
    counts
        Measures, as indices -> number of run pairs in which all of them find a difference.
    objective
        Measures whose overlap is sought, or none.
    sign
        1 for the least, -1 for the largest.
    """
    patterns = np.vstack([block.patterns for block in blocks]) != 0
    weights = np.concatenate([[block.weight] * len(block.patterns) for block in blocks])

    def row(measures: tuple[int, ...]) -> NDArray[np.float64]:
        return np.asarray(weights * patterns[:, list(measures)].all(axis=1), dtype=float)

    owner = np.repeat(np.arange(len(blocks)), [len(block.patterns) for block in blocks])
    units = [np.asarray(owner == i, dtype=float) for i in range(len(blocks))]
    equal = np.array([block.units for block in blocks] + list(counts.values()))
    matrix = np.array(units + [row(measures) for measures in counts])
    found = least(matrix, equal, equal, sign * row(objective) if objective else None)
    return None if found is None else round(sign * found)


def _cells(case: Case, counts: Mapping[Cell, tuple[int, ...]]) -> tuple[Cell, ...]:
    none = () if case.none is None else (case.none,)
    return (*counts, case.runs, *none, *case.details)


def feasible(printed: Printed) -> list[Relation]:
    """Hold S_D, b, the runs and the contradictions of a data set to one another (Tables 2 to 6).

    Of Table 4(h) the two questioned cells are left out: :func:`left_over` has them.
    """
    relations = []
    for case in cases(printed):
        counts = _counts(case, QUESTIONED if case.part == "h" else ())

        def test(
            printed: Printed, case: Case = case, counts: Mapping[Cell, tuple[int, ...]] = counts
        ) -> Finding:
            if case.none is not None and value_of(printed[case.none]):
                return Finding(False, "contradictions, but Table 6 lists none")
            numbers = {measures: int(printed[cell]) for cell, measures in counts.items()}
            holds = solve(case.blocks(printed), numbers) is not None
            fits = "fit together" if holds else "do not fit together"
            return Finding(holds, f"the {len(counts)} counts {fits}")

        relations.append(Relation("feasibility", _cells(case, counts), test, RELIES, slow=True))
    return relations


def left_over(printed: Printed) -> list[Relation]:
    """Hold b of NVD with RNSS and with JSD, Table 4(h), to what the other counts leave for it."""
    relations = []
    (case,) = (case for case in cases(printed) if case.part == "h")
    counts = _counts(case, QUESTIONED)
    for pair in QUESTIONED:
        cell = overlap(case.part, pair, "b")
        objective = tuple(MEASURES.index(measure) for measure in pair)

        def test(
            printed: Printed, cell: Cell = cell, objective: tuple[int, ...] = objective
        ) -> Finding:
            blocks = case.blocks(printed)
            numbers = {measures: int(printed[cell]) for cell, measures in counts.items()}
            low, high = (solve(blocks, numbers, objective, sign) for sign in (1, -1))
            if low is None or high is None:
                return Finding(False, "the other counts do not fit together")
            text = f"the other counts leave {low} to {high}, printed {printed[cell]}"
            return Finding(low <= int(printed[cell]) <= high, text)

        cells = (cell, *_cells(case, counts))
        relations.append(Relation("feasibility", cells, test, RELIES, slow=True))
    return relations
