"""LQ'21, Table 7 and Section 5.3: what any votes of 19 or 20 assessors allow.

A gold distribution is made of whole votes, so all of them can be tried: 8,855 vectors of 19 votes
for five classes, 10,626 of 20.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks.lq21.tables import MEASURES, at, described
from ordbook.papers.checks.tools import LQ21, compositions, least
from ordbook.papers.relations import (
    Cell,
    CheckResult,
    Printed,
    Relation,
    Rounded,
    minus,
    relate,
    rounded,
    total,
)

CLASSES = 5
TIE = 1e-12
# Nobody tries more votes than this: a number of assessors that is far off is for other checks.
MOST_VOTES = 30
SIDES = {"uni": 1, "pop": -1}
VOTES = "Section 4: whole votes; Popularity shares its probability among tied classes"

# Outcomes that are counted together, and their least and largest number of dialogues.
Count = tuple[NDArray[np.bool_], float, float]


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of Table 7 and of Section 5.3."""
    return [*_wins(printed), *_joint(printed), *_section(), *_quadrants(), *_top_two()]


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
    """The cells that belong to a row of Table 7: wins by measure, Uniform first."""

    wins: tuple[Cell, ...]
    dialogues: Cell
    votes: Cell

    @classmethod
    def of(cls, data: str) -> "Row":
        """Return the cells of a data set."""
        return cls(
            tuple(at("7", data, f"{measure} {side}") for measure in MEASURES for side in SIDES),
            described(data, "Test data sample size"),
            at("s4", f"{data.split()[0]}: assessors", "count"),
        )

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of them."""
        return (*self.wins, self.dialogues, self.votes)

    def counts(self, outcomes: NDArray[np.int_], printed: Printed) -> list[Count]:
        """Return the counts that the row states."""
        dialogues = int(printed[self.dialogues])
        counts: list[Count] = [(np.ones(len(outcomes), dtype=bool), dialogues, dialogues)]
        sides = product(range(len(MEASURES)), SIDES.values())
        for cell, (i, sign) in zip(self.wins, sides, strict=True):
            number = int(printed[cell])
            counts.append((outcomes[:, i] == sign, number, number))
        return counts


def of_votes(
    cell: Cell, test: Callable[[Printed, int], CheckResult]
) -> Callable[[Printed], CheckResult]:
    """Return a test that reads the number of votes in a cell, and holds if it is too large."""

    def limited(printed: Printed) -> CheckResult:
        votes = int(printed[cell])
        if votes > MOST_VOTES:
            return CheckResult(True, f"{votes} votes are too many to try")
        return test(printed, votes)

    return limited


def solve(counts: Iterable[Count], objective: NDArray[np.float64] | None = None) -> float | None:
    """Return the least objective over dialogues with these counts; None if nothing fits.

    Parameters
    ----------
    counts
        What is counted.
    objective
        One weight for each outcome; by default it is asked only whether anything fits.
    """
    masks, low, high = zip(*counts, strict=True)
    return least(masks, low, high, objective)


# -- Table 7 -----------------------------------------------------------------------------------


def _wins(printed: Printed) -> Iterator[Relation]:
    """Table 7: TOTAL is the sum; wins and ties make the dialogues; what wins imply (Eq. 10)."""
    data_sets = [row for row in LQ21.rows(printed, "7") if row != "TOTAL"]
    for cell in LQ21.cells(printed, "7", "TOTAL"):
        yield total(cell, [cell._replace(row=d) for d in data_sets], "TOTAL sums the data sets")
    for row in map(Row.of, data_sets):
        for i in range(len(MEASURES)):
            yield _with_ties(row, i)
        yield Relation("order", row.cells, of_votes(row.votes, _implied(row)), VOTES)


def _with_ties(row: Row, which: int) -> Relation:
    """Hold the wins of a measure to the dialogues: none is left where no votes can tie."""
    uniform, popular = row.wins[2 * which : 2 * which + 2]

    def test(printed: Printed) -> CheckResult:
        votes, dialogues = int(printed[row.votes]), int(printed[row.dialogues])
        ties = dialogues - int(printed[uniform]) - int(printed[popular])
        text = f"{ties} of {dialogues} dialogues are left for ties"
        if votes > MOST_VOTES or (shared(votes)[:, which] == 0).any():
            return CheckResult(ties >= 0, text)
        return CheckResult(ties == 0, f"{text}, and {votes} votes cannot tie in {MEASURES[which]}")

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


def _implied(row: Row) -> Callable[[Printed, int], CheckResult]:
    def test(printed: Printed, votes: int) -> CheckResult:
        signs = tuple(SIDES.values())
        for first, sign, second, other in implications(votes):
            fewer = row.wins[2 * first + signs.index(sign)]
            more = row.wins[2 * second + signs.index(other)]
            if int(printed[fewer]) > int(printed[more]):
                return CheckResult(False, f"{fewer.column} implies {more.column}")
        return CheckResult(True, f"{len(implications(votes))} implications hold")

    return test


def _joint(printed: Printed) -> Iterator[Relation]:
    """Hold every row of Table 7 to votes: some must give all twelve counts.

    The finding says whether they also could if Popularity put everything on one of the tied
    classes, as Section 5.2 reads literally. It does not say what happens to ties, and the counts
    do: in DialEval-1 DQ-E two dialogues tie in RSNOD and none in JSD.
    """
    for row in (Row.of(data) for data in LQ21.rows(printed, "7") if data != "TOTAL"):

        def test(printed: Printed, votes: int, row: Row = row) -> CheckResult:
            fits = [
                solve(row.counts(outcomes, printed)) is not None
                for outcomes in (shared(votes), on_one_class(votes))
            ]
            yes = {True: "possible", False: "impossible"}
            return CheckResult(
                fits[0],
                f"{yes[fits[0]]} where Popularity shares its probability among tied classes, "
                f"{yes[fits[1]]} where it is on one of them",
            )

        yield Relation("feasibility", row.cells, of_votes(row.votes, test), VOTES, slow=True)


# -- Section 5.3: disagreements ----------------------------------------------------------------

LOWEST = at("s5.3", "NMD prefers Popularity, another measure Uniform: lowest")
HIGHEST = LOWEST._replace(row=LOWEST.row.replace("lowest", "highest"))
# Dialogues of DialEval-1 DQ-A on which NMD and RNOD disagree: 2nd and 4th quadrant.
WITH_RNOD = (
    at("s5.3", "NMD RNOD: NMD prefers Popularity, RNOD Uniform"),
    at("s5.3", "NMD RNOD: NMD prefers Uniform, RNOD Popularity"),
)


def _disagreeing(
    outcomes: NDArray[np.int_], which: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the outcomes in which NMD prefers Popularity, or Uniform, and a measure the other."""
    nmd, other = outcomes[:, 0], outcomes[:, which]
    return (nmd == -1) & (other == 1), (nmd == 1) & (other == -1)


def _section() -> Iterator[Relation]:
    """Section 5.3: sums and shares as printed."""
    out_of = LOWEST._replace(row=LOWEST.row.replace("lowest", "out of"))
    relies = "Section 5.3, rounded to whole percent"
    for end in (LOWEST, HIGHEST):
        cell = end._replace(column="percentage")
        yield relate("share", cell, (end, out_of), _whole_percent, relies)


def _whole_percent(part: Rounded, whole: Rounded) -> Rounded:
    percent = 100 * part.low / whole.low
    return Rounded(percent - 0.5, percent + 0.5)


def _quadrants() -> Iterator[Relation]:
    """Hold the disagreements of Section 5.3 to Table 7, DialEval-1 DQ-A.

    The second check is about a claim that rests on lost figures: Table 7 proves it.
    """
    row = Row.of("DialEval-1 DQ-A")
    all_second = LQ21.claim("s5.3", "NMD with NVD RNSS JSD: all disagreements in the 2nd quadrant")
    claim = LQ21.claim("s5.3", "NMD with NVD RNSS JSD: more disagreements than RNOD")
    rnod, *nominal = (MEASURES.index(measure) for measure in ("RNOD", "NVD", "RNSS", "JSD"))

    def counts(outcomes: NDArray[np.int_], printed: Printed) -> list[Count]:
        """Return the counts: NMD against the others, those for NVD, RNSS and JSD as a range."""
        found = row.counts(outcomes, printed)
        for mask, cell in zip(_disagreeing(outcomes, rnod), WITH_RNOD, strict=True):
            found.append((mask, int(printed[cell]), int(printed[cell])))
        for i in nominal:
            second, fourth = _disagreeing(outcomes, i)
            found += [(second, int(printed[LOWEST]), int(printed[HIGHEST])), (fourth, 0, 0)]
        return found

    def attained(printed: Printed, votes: int) -> CheckResult:
        outcomes = shared(votes)
        every = counts(outcomes, printed)
        if "2nd quadrant" not in printed[all_second]:
            return CheckResult(False, "the measures disagree in the 2nd and 4th quadrant only")
        low, high = int(printed[LOWEST]), int(printed[HIGHEST])
        for first, last in permutations(nominal, 2):
            ends = [
                (_disagreeing(outcomes, i)[0], number, number)
                for i, number in ((first, low), (last, high))
            ]
            if solve([*every, *ends]) is not None:
                return CheckResult(
                    True, f"{low} with {MEASURES[first]}, {high} with {MEASURES[last]}"
                )
        return CheckResult(False, "no votes give these numbers")

    def more(printed: Printed, votes: int) -> CheckResult:
        outcomes = shared(votes)
        least = []
        for i in nominal:
            disagree = [outcomes[:, j] * outcomes[:, i] < 0 for j in (0, rnod)]
            margin = disagree[0].astype(float) - disagree[1]
            least.append(solve(counts(outcomes, printed), margin))
        text = ", ".join(
            f"{MEASURES[i]} at least {number:.0f}"
            for i, number in zip(nominal, least, strict=True)
            if number is not None
        )
        holds = all(number is not None and number > 0.5 for number in least)
        return CheckResult(holds, f"NMD's disagreements beyond RNOD's: {text}")

    relies = f"{VOTES}; Table 7; Section 5.3"
    cells = (*row.cells, *WITH_RNOD, LOWEST, HIGHEST)
    for where, test in (((*cells, all_second), attained), ((claim, *cells), more)):
        yield Relation("feasibility", where, of_votes(row.votes, test), relies, slow=True)


# -- Section 5.3: the dialogues of Figure 3 ----------------------------------------------------


def _top_two() -> Iterator[Relation]:
    """Check the dialogues of Figure 3: d = delta NMD - delta RNOD, the larger |d| first."""
    for name, says, more in (
        ("181th", "have a positive delta", ["probability of Class 1 in Popularity"]),
        ("18th", "prefer Uniform", []),
    ):
        head = f"{name} dialogue: "
        nmd, rnod, d = (
            at("s5.3", head + what, "value") for what in ("delta NMD", "delta RNOD", "d")
        )
        yield relate("sum", d, (nmd, rnod), minus, "Section 5.3: d = delta NMD - delta RNOD")
        places = {
            "NMD": nmd,
            "RNOD": rnod,
            "d": d,
            "mode": at("s5.3", f"{head}class with the highest gold probability", "class"),
            "lowest": at("s4", "lowest dialogue quality class", "value"),
        }
        claim = LQ21.claim("s5.3", f"{head}all measures except NMD {says}")
        yield dialogue(places, claim, [at("s5.3", head + what, "value") for what in more])


def dialogue(places: Mapping[str, Cell], claim: Cell, more: Sequence[Cell] = ()) -> Relation:
    """Hold a dialogue of Figure 3 to votes: some must give all that is said of it.

    Parameters
    ----------
    places
        ``NMD``, ``RNOD`` (deltas), ``d``, ``mode`` (the class voted most) and ``lowest`` (class).
    claim
        That all measures but NMD have positive deltas.
    more
        The probability that Popularity gives to the class.
    """
    votes_cell = at("s4", "DialEval-1: assessors", "count")

    def test(printed: Printed, votes: int) -> CheckResult:
        ways, found = vectors(votes), deltas(votes)
        which = int(printed[places["mode"]]) - int(printed[places["lowest"]])
        if which not in range(CLASSES):
            return CheckResult(False, f"no class {printed[places['mode']]}")
        most = ways == ways.max(axis=1, keepdims=True)
        fits = most[:, which] & (found[:, 1:] > TIE).all(axis=1)
        for cell in more:
            probability = rounded(printed[cell]).middle
            fits &= np.abs(most[:, which] / most.sum(axis=1) - probability) < TIE
        computed = {"NMD": found[:, 0], "RNOD": found[:, 2], "d": found[:, 0] - found[:, 2]}
        for name, values in computed.items():
            low, high = rounded(printed[places[name]])
            fits &= (values >= low - 1e-9) & (values <= high + 1e-9)
        texts = [f"({', '.join(map(str, way))})" for way in ways[fits]]
        return CheckResult(bool(texts), f"votes {' or '.join(texts) or 'do not exist'}")

    cells = (*places.values(), claim, *more, votes_cell)
    possible = of_votes(votes_cell, test)
    return Relation("feasibility", cells, possible, f"{VOTES}; Eq. 10; Figure 3")
