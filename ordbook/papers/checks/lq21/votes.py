"""LQ'21, Table 7: what any votes of 19 or 20 assessors allow.

A gold distribution is made of whole votes, so all of them can be tried: 8,855 vectors of 19 votes
for five classes, 10,626 of 20.

Contents
--------
vectors, deltas        every vote vector and its score deltas, Eq. 10
shared, on_one_class   what can happen to a dialogue in the six measures
Row, row_of            the cells of one row of Table 7
of_votes               a test that tries all votes, unless they are too many
wins                   Table 7: sums, ties, what one measure implies for another
solve, row_counts, joint   Table 7: do all counts of a row fit together?
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks.counting import compositions, least
from ordbook.papers.checks.lq21.tables import MEASURES, at, described
from ordbook.papers.checks.places import LQ21
from ordbook.papers.relations import Cell, Finding, Printed, Relation, total

CLASSES = 5
TIE = 1e-12
# Nobody tries more votes than this: a number of assessors that is far off is for other checks.
MOST_VOTES = 30
SIDES = {"uni": 1, "pop": -1}
VOTES = "Section 4: whole votes; Popularity shares its probability among tied classes"


@lru_cache
def vectors(votes: int) -> NDArray[np.int_]:
    """Return every way to spread the votes over the classes, shape (ways, classes)."""
    return compositions(votes, CLASSES)


def _deltas(gold: NDArray[np.float64], popular: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Popularity's score minus Uniform's, shape (golds, measures): Eq. 10."""
    uniform = np.full_like(gold, 1 / CLASSES)
    scores = [
        QUANTIFICATION[m].kernel(gold, popular) - QUANTIFICATION[m].kernel(gold, uniform)
        for m in MEASURES
    ]
    return np.stack(scores, axis=1)


@lru_cache
def deltas(votes: int) -> NDArray[np.float64]:
    """Return the score deltas of every vote vector, shape (ways, measures).

    Popularity shares its probability equally among the most voted classes.
    """
    ways = vectors(votes)
    most = ways == ways.max(axis=1, keepdims=True)
    return _deltas(ways / votes, most / most.sum(axis=1, keepdims=True))


def _outcomes(found: NDArray[np.float64]) -> NDArray[np.int_]:
    """Return the different rows of signs: 1 Uniform is better, -1 Popularity, 0 a tie."""
    signs = np.where(np.abs(found) < TIE, 0, np.sign(found)).astype(int)
    return np.asarray(np.unique(signs, axis=0))


@lru_cache
def shared(votes: int) -> NDArray[np.int_]:
    """Return what can happen to a dialogue in the six measures, shape (outcomes, measures)."""
    return _outcomes(deltas(votes))


@lru_cache
def on_one_class(votes: int) -> NDArray[np.int_]:
    """Return the same if Popularity gives all to one of the tied classes, whichever."""
    ways = vectors(votes)
    found = []
    for which in range(CLASSES):
        among = ways[ways[:, which] == ways.max(axis=1)]
        popular = np.zeros(among.shape)
        popular[:, which] = 1
        found.append(_outcomes(_deltas(among / votes, popular)))
    return np.asarray(np.unique(np.vstack(found), axis=0))


class Row(NamedTuple):
    """The cells that belong to a row of Table 7."""

    wins: tuple[Cell, ...]
    dialogues: Cell
    votes: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of them."""
        return (*self.wins, self.dialogues, self.votes)


def row_of(data: str) -> Row:
    """Return the cells of a data set: wins in the order of the measures, Uniform first."""
    return Row(
        tuple(at("7", data, f"{measure} {side}") for measure in MEASURES for side in SIDES),
        described(data, "Test data sample size"),
        at("s4", f"{data.split()[0]}: assessors", "count"),
    )


def of_votes(cell: Cell, test: Callable[[Printed, int], Finding]) -> Callable[[Printed], Finding]:
    """Return a test that reads the number of votes in a cell, and holds if it is too large."""

    def limited(printed: Printed) -> Finding:
        votes = int(printed[cell])
        if votes > MOST_VOTES:
            return Finding(True, f"{votes} votes are too many to try")
        return test(printed, votes)

    return limited


# -- Table 7 -----------------------------------------------------------------------------------


def wins(printed: Printed) -> list[Relation]:
    """Table 7: TOTAL is the sum; wins and ties make the dialogues; what wins imply (Eq. 10)."""
    data_sets = [row for row in LQ21.rows(printed, "7") if row != "TOTAL"]
    relations = [
        total(cell, [cell._replace(row=data) for data in data_sets], "TOTAL sums the data sets")
        for cell in LQ21.cells(printed, "7", "TOTAL")
    ]
    for data in data_sets:
        row = row_of(data)
        relations += [_with_ties(row, i) for i in range(len(MEASURES))]
        relations.append(Relation("order", row.cells, of_votes(row.votes, _implied(row)), VOTES))
    return relations


def _with_ties(row: Row, which: int) -> Relation:
    """Hold the wins of a measure to the dialogues: none is left where no votes can tie."""
    uniform, popular = row.wins[2 * which : 2 * which + 2]

    def test(printed: Printed) -> Finding:
        votes, dialogues = int(printed[row.votes]), int(printed[row.dialogues])
        ties = dialogues - int(printed[uniform]) - int(printed[popular])
        text = f"{ties} of {dialogues} dialogues are left for ties"
        if votes > MOST_VOTES or (shared(votes)[:, which] == 0).any():
            return Finding(ties >= 0, text)
        return Finding(ties == 0, f"{text}, and {votes} votes cannot tie in {MEASURES[which]}")

    return Relation("sum", (uniform, popular, row.dialogues, row.votes), test, VOTES)


@lru_cache
def implications(votes: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return (measure, sign, measure, sign): whoever wins in the first wins in the second."""
    found = shared(votes)
    return tuple(
        (first, sign, second, other)
        for first, second in permutations(range(len(MEASURES)), 2)
        for sign, other in product(SIDES.values(), repeat=2)
        if (found[found[:, first] == sign, second] == other).all()
    )


def _implied(row: Row) -> Callable[[Printed, int], Finding]:
    def test(printed: Printed, votes: int) -> Finding:
        signs = tuple(SIDES.values())
        for first, sign, second, other in implications(votes):
            fewer = row.wins[2 * first + signs.index(sign)]
            more = row.wins[2 * second + signs.index(other)]
            if int(printed[fewer]) > int(printed[more]):
                return Finding(False, f"{fewer.column} implies {more.column}")
        return Finding(True, f"{len(implications(votes))} implications hold")

    return test


# -- integer programmes ------------------------------------------------------------------------

Count = tuple[NDArray[np.bool_], float, float]


def solve(counts: Iterable[Count], objective: NDArray[np.float64] | None = None) -> float | None:
    """Return the least objective over dialogues with these counts; None if nothing fits.

    Parameters
    ----------
    counts
        Outcomes that are counted together, and their least and largest number of dialogues.
    objective
        One weight for each outcome; by default it is asked only whether anything fits.
    """
    masks, low, high = zip(*counts, strict=True)
    return least(masks, low, high, objective)


def row_counts(row: Row, outcomes: NDArray[np.int_], printed: Printed) -> list[Count]:
    """Return the counts that a row of Table 7 states."""
    dialogues = int(printed[row.dialogues])
    counts: list[Count] = [(np.ones(len(outcomes), dtype=bool), dialogues, dialogues)]
    for cell, (i, sign) in zip(
        row.wins, product(range(len(MEASURES)), SIDES.values()), strict=True
    ):
        number = int(printed[cell])
        counts.append((outcomes[:, i] == sign, number, number))
    return counts


def joint(printed: Printed) -> list[Relation]:
    """Hold every row of Table 7 to votes: some must give all twelve counts.

    The finding says whether they also could if Popularity put everything on one of the tied
    classes, as Section 5.2 reads literally. It does not say what happens to ties, and the counts
    do: in DialEval-1 DQ-E two dialogues tie in RSNOD and none in JSD.
    """
    relations = []
    for data in LQ21.rows(printed, "7"):
        if data == "TOTAL":
            continue
        row = row_of(data)

        def test(printed: Printed, votes: int, row: Row = row) -> Finding:
            fits = [
                solve(row_counts(row, outcomes, printed)) is not None
                for outcomes in (shared(votes), on_one_class(votes))
            ]
            yes = {True: "possible", False: "impossible"}
            return Finding(
                fits[0],
                f"{yes[fits[0]]} where Popularity shares its probability among tied classes, "
                f"{yes[fits[1]]} where it is on one of them",
            )

        possible = of_votes(row.votes, test)
        relations.append(Relation("feasibility", row.cells, possible, VOTES, slow=True))
    return relations
