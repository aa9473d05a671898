"""The checks of ACL'21's tables of correlations between measures: Tables 2, 5 and 8.

Contents
--------
ranking_relations   steps, triangles, joint feasibility, the means of DialEval-1
MEANS               part of Table 5 -> the tables of DialEval-1 with its means

All rest on what Kendall's tau is for rankings of m runs without ties: of T = m(m-1)/2 pairs of
runs C are ordered alike and D are not, C + D = T and tau = (C - D)/T, so D = T(1 - tau)/2 is a
whole number. All 147 taus give one, and every three an even sum, although two baselines stand
twice among the DQ runs: the paper breaks ties, how it does not say.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ordbook.papers.checks.acl21.numbers import TASKS, at
from ordbook.papers.checks.counting import discordant, least, pairs_of
from ordbook.papers.checks.places import ACL21, DIALEVAL1, compared
from ordbook.papers.relations import Cell, Finding, Printed, Relation, condition, value_of

MEANS: Mapping[str, tuple[str, str]] = {"5i": ("4", "9"), "5ii": ("6", "11"), "5iii": ("5", "10")}


def ranking_relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 2, 5 and 8."""
    found: list[Relation] = []
    for part, row in TASKS.items():
        cells = ACL21.cells(printed, part)
        runs = at("1", row, "#runs used")
        found += [_step(cell, runs) for cell in cells]
        found += _triangles(printed, part, runs)
        found.append(_feasible(cells, runs))
    return [*found, *_means_of_dialeval(printed)]


def pairs_of_runs(text: str) -> int:
    """Return T = m(m-1)/2 for Table 1's number of runs, such as ``12`` or ``22 (13+9)``."""
    return pairs_of(value_of(text.split()[0]))


def _whole(*texts: str) -> tuple[list[int] | None, int]:
    """Read taus and, last, Table 1's runs -> every D, or None if one is impossible; and T."""
    *taus, runs = texts
    pairs = pairs_of_runs(runs)
    found = [discordant(tau, pairs) for tau in taus]
    return (None if None in found else [d for d in found if d is not None]), pairs


def _step(cell: Cell, runs: Cell) -> Relation:
    """Every tau is 1 - 2D/T with a whole D from 0 to T (Section 5.1; Table 1 has the runs)."""

    def holds(*texts: str) -> bool:
        return _whole(*texts)[0] is not None

    relies = "Kendall's tau of rankings without ties, Table 1's runs"
    return condition("step", (cell, runs), holds, relies, "tau is 1 - 2D/T")


def _triangles(printed: Printed, part: str, runs: Cell) -> Iterator[Relation]:
    """Three rankings: every pair of runs separates none of them, or one from the other two.

    Hence each pair of runs counts 0 or 2 in the sum of the three D: it is even and at most 2T,
    and no D exceeds the sum of the other two.
    """

    def holds(*texts: str) -> bool:
        found, pairs = _whole(*texts)
        return (
            found is not None and sum(found) % 2 == 0 and 2 * max(found) <= sum(found) <= 2 * pairs
        )

    for three in combinations(compared(ACL21.cells(printed, part)), 3):
        sides = [ACL21.between(printed, part, one, other) for one, other in combinations(three, 2)]
        yield condition(
            "triangle",
            (*sides, runs),
            holds,
            "three rankings without ties disagree on an even number of pairs, counted thrice",
            f"{', '.join(three)} in {part}",
        )


def _feasible(cells: Sequence[Cell], runs: Cell) -> Relation:
    """Ask for rankings that have all D of a table at once.

    Every pair of runs divides the measures into those that order it one way and the others: the
    D are whole multiples of such divisions, T in all. Necessary, not sufficient.
    """
    names = compared(cells)
    cuts = np.arange(1, 2 ** (len(names) - 1))
    side = (cuts[:, None] << 1) >> np.arange(len(names)) & 1
    parted = [side[:, names.index(c.row)] != side[:, names.index(c.column)] for c in cells]
    matrix = np.array([*parted, np.ones(len(cuts), dtype=bool)], dtype=float)

    def holds(*texts: str) -> bool:
        found, pairs = _whole(*texts)
        return found is not None and least(matrix, [*found, 0], [*found, pairs]) is not None

    relies = "an integer programme over the ways in which a pair of runs divides the measures"
    made = condition("feasibility", (*cells, runs), holds, relies, "some rankings have all taus")
    return replace(made, slow=True)


def _means_of_dialeval(printed: Printed) -> Iterator[Relation]:
    """Table 5's tau of RSNOD and NMD against the means of the same 22 runs in DialEval-1.

    DialEval-1 prints both measures' means with four digits: Tables 4 to 6 for Chinese, 9 to 11
    for English runs. Runs whose printed means differ are ordered; where they are equal (the two
    baselines that are the same in both languages, and one pair more in E) any order is allowed.
    DQ-A needs it: its tau fits only if both baselines are ordered otherwise by the two measures.
    """
    for part, tables in MEANS.items():
        cell = at(part, "RSNOD", "NMD")
        runs = at("1", TASKS[part], "#runs used")
        means = {
            measure: sorted(
                cell for table in tables for cell in DIALEVAL1.column(printed, table, measure)
            )
            for measure in (cell.row, cell.column)
        }
        yield Relation(
            "interval",
            (cell, runs, *means["RSNOD"], *means["NMD"]),
            _orders(cell, runs, means["RSNOD"], means["NMD"]),
            "the means of the same runs in DialEval-1, Tables " + " and ".join(tables),
        )


def _orders(
    cell: Cell, runs: Cell, one: Sequence[Cell], other: Sequence[Cell]
) -> Callable[[Printed], Finding]:
    def test(printed: Printed) -> Finding:
        signs = []
        for cells in (one, other):
            means = np.array([float(printed[c]) for c in cells])
            signs.append(np.sign(np.subtract.outer(means, means)[np.triu_indices(len(means), 1)]))
        product = signs[0] * signs[1]
        free = np.count_nonzero(product == 0)
        low, high = int(product.sum()) - free, int(product.sum()) + free
        pairs = pairs_of_runs(printed[runs])
        found = discordant(printed[cell], pairs)
        text = f"C - D is {low} to {high} by the means"
        if found is None or len(product) != pairs:
            return Finding(False, f"{text} of {len(product)} pairs, printed {printed[cell]}")
        agreement = pairs - 2 * found
        text += f"; printed {printed[cell]}, which is {agreement}/{pairs}"
        return Finding(bool(low <= agreement <= high), text)

    return test
