"""LQ'21, Section 5.3: disagreements of measures, and the two dialogues of Figure 3.

Contents
--------
quadrants   the dialogues on which NMD disagrees with others, against Table 7
dialogue    a dialogue of Figure 3, searched among all votes
section     all checks of the section
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordbook.papers.checks.lq21.tables import MEASURES, at
from ordbook.papers.checks.lq21.votes import (
    CLASSES,
    TIE,
    VOTES,
    Count,
    deltas,
    of_votes,
    row_counts,
    row_of,
    shared,
    solve,
    vectors,
)
from ordbook.papers.checks.places import LQ21
from ordbook.papers.relations import (
    Cell,
    Finding,
    Printed,
    Relation,
    Rounded,
    exact,
    minus,
    relate,
    rounded,
    same,
    total,
)


class Quadrants(NamedTuple):
    """What Section 5.3 says about dialogues of DialEval-1 DQ-A on which measures disagree."""

    second: Cell
    fourth: Cell
    lowest: Cell
    highest: Cell

    def counts(self, outcomes: NDArray[np.int_], printed: Printed) -> list[Count]:
        """Return the counts: NMD against the others, those for NVD, RNSS and JSD as a range."""
        numbers = [int(printed[cell]) for cell in self]
        counts: list[Count] = []
        for measure in MEASURES[2:]:
            i = MEASURES.index(measure)
            second = (outcomes[:, 0] == -1) & (outcomes[:, i] == 1)
            fourth = (outcomes[:, 0] == 1) & (outcomes[:, i] == -1)
            if measure == "RNOD":
                counts += [(second, numbers[0], numbers[0]), (fourth, numbers[1], numbers[1])]
            else:
                counts += [(second, numbers[2], numbers[3]), (fourth, 0, 0)]
        return counts


DISAGREE = Quadrants(
    at("s5.3", "NMD RNOD: NMD prefers Popularity, RNOD Uniform", "count"),
    at("s5.3", "NMD RNOD: NMD prefers Uniform, RNOD Popularity", "count"),
    at("s5.3", "NMD prefers Popularity, another measure Uniform: lowest", "count"),
    at("s5.3", "NMD prefers Popularity, another measure Uniform: highest", "count"),
)


def quadrants() -> list[Relation]:
    """Hold the disagreements of Section 5.3 to Table 7, DialEval-1 DQ-A.

    The second check is about a claim that rests on lost figures: Table 7 proves it.
    """
    row = row_of("DialEval-1 DQ-A")
    stated = DISAGREE
    all_second = at("s5.3", "NMD with NVD RNSS JSD: all disagreements in the 2nd quadrant", "claim")
    claim = at("s5.3", "NMD with NVD RNSS JSD: more disagreements than RNOD", "claim")
    nominal = [MEASURES.index(measure) for measure in ("NVD", "RNSS", "JSD")]

    def all_counts(outcomes: NDArray[np.int_], printed: Printed) -> list[Count]:
        return row_counts(row, outcomes, printed) + stated.counts(outcomes, printed)

    def attained(printed: Printed, votes: int) -> Finding:
        outcomes = shared(votes)
        counts = all_counts(outcomes, printed)
        if "2nd quadrant" not in printed[all_second]:
            return Finding(False, "the measures disagree in the 2nd and 4th quadrant only")
        low, high = int(printed[stated.lowest]), int(printed[stated.highest])
        for first, last in permutations(nominal, 2):
            ends = [
                ((outcomes[:, 0] == -1) & (outcomes[:, i] == 1), number, number)
                for i, number in ((first, low), (last, high))
            ]
            if solve([*counts, *ends]) is not None:
                return Finding(True, f"{low} with {MEASURES[first]}, {high} with {MEASURES[last]}")
        return Finding(False, "no votes give these numbers")

    def more(printed: Printed, votes: int) -> Finding:
        outcomes = shared(votes)
        least = []
        for i in nominal:
            disagree = [outcomes[:, j] * outcomes[:, i] < 0 for j in (0, 2)]
            margin = disagree[0].astype(float) - disagree[1]
            least.append(solve(all_counts(outcomes, printed), margin))
        text = ", ".join(
            f"{MEASURES[i]} at least {number:.0f}"
            for i, number in zip(nominal, least, strict=True)
            if number is not None
        )
        holds = all(number is not None and number > 0.5 for number in least)
        return Finding(holds, f"NMD's disagreements beyond RNOD's: {text}")

    relies = f"{VOTES}; Table 7; Section 5.3"
    cells = (*row.cells, *stated)
    return [
        Relation("feasibility", where, of_votes(row.votes, test), relies, slow=True)
        for where, test in (((*cells, all_second), attained), ((claim, *cells), more))
    ]


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

    def test(printed: Printed, votes: int) -> Finding:
        ways, found = vectors(votes), deltas(votes)
        which = int(printed[places["mode"]]) - int(printed[places["lowest"]])
        if which not in range(CLASSES):
            return Finding(False, f"no class {printed[places['mode']]}")
        most = ways == ways.max(axis=1, keepdims=True)
        fits = most[:, which] & (found[:, 1:] > TIE).all(axis=1)
        for cell in more:
            probability = rounded(printed[cell]).middle
            fits &= np.abs(most[:, which] / most.sum(axis=1) - probability) < TIE
        computed = {"NMD": found[:, 0], "RNOD": found[:, 2], "d": found[:, 0] - found[:, 2]}
        for name, values in computed.items():
            fits &= _rounds_to(values, printed[places[name]])
        texts = [f"({', '.join(map(str, way))})" for way in ways[fits]]
        return Finding(bool(texts), f"votes {' or '.join(texts) or 'do not exist'}")

    cells = (*places.values(), claim, *more, votes_cell)
    possible = of_votes(votes_cell, test)
    return Relation("feasibility", cells, possible, f"{VOTES}; Eq. 10; Figure 3")


def _rounds_to(values: NDArray[np.float64], text: str) -> NDArray[np.bool_]:
    """Tell which values the printed text may stand for; a whole number is exact."""
    low, high = rounded(text)
    return np.asarray((values >= low - 1e-9) & (values <= high + 1e-9))


def section(printed: Printed) -> list[Relation]:
    """Section 5.3: sums, shares and differences as printed, and all that votes allow."""
    both = at("s5.3", "NMD RNOD: dialogues that disagree", "count")
    all_dialogues = at("2", "DialEval-1 DQ-{A, E, S}", "Test data sample size")
    out_of = DISAGREE.lowest._replace(row="NMD prefers Popularity, another measure Uniform: out of")
    relations = [
        total(both, DISAGREE[:2], "Section 5.3: both ways to disagree"),
        same(out_of, all_dialogues, "Table 2"),
        same(at("s5.3", "dialogues ranked by d", "count"), all_dialogues, "Table 2"),
    ]
    for end in DISAGREE[2:]:
        relations.append(
            relate(
                "share",
                end._replace(column="percentage"),
                (end, out_of),
                _whole_percent,
                "Section 5.3, rounded to whole percent",
            )
        )
    for cell in printed:
        if cell.paper == LQ21.name and cell.table.startswith("figure") and cell.column == "n":
            relations.append(same(cell, all_dialogues, "Figures 1 and 2 are of DialEval-1 DQ-A"))
    counts = {
        name: at("s5.3", f"STC-3 DQ-A NMD: {name}", "count")
        for name in ("prefers Uniform", "prefers Popularity", "ties", "dialogues")
    }
    tied, everything = counts["ties"], counts["dialogues"]
    of_table = row_of("STC-3 DQ-A")
    relations += [
        same(counts["prefers Uniform"], of_table.wins[0], "Table 7"),
        same(counts["prefers Popularity"], of_table.wins[1], "Table 7"),
        same(everything, of_table.dialogues, "Table 2"),
        total(everything, [tied, *list(counts.values())[:2]], "390 - 175 - 197 = 18"),
    ]
    return relations + quadrants() + _top_two()


def _whole_percent(part: Rounded, whole: Rounded) -> Rounded:
    percent = 100 * part.low / whole.low
    return Rounded(percent - 0.5, percent + 0.5)


def _top_two() -> list[Relation]:
    """Check the dialogues of Figure 3: d = delta NMD - delta RNOD, the larger |d| first."""
    relations = []
    claims = {
        "181th": ("have a positive delta", ["probability of Class 1 in Popularity"]),
        "18th": ("prefer Uniform", []),
    }
    for part, (name, (says, also)) in zip("ab", claims.items(), strict=True):
        head = f"{name} dialogue: "
        nmd, rnod, d = (
            at("s5.3", head + what, "value") for what in ("delta NMD", "delta RNOD", "d")
        )
        places = {
            "NMD": nmd,
            "RNOD": rnod,
            "d": d,
            "mode": at("s5.3", f"{head}class with the highest gold probability", "class"),
            "lowest": at("s4", "lowest dialogue quality class", "value"),
        }
        claim = at("s5.3", f"{head}all measures except NMD {says}", "claim")
        relations += [
            relate("sum", d, (nmd, rnod), minus, "Section 5.3: d = delta NMD - delta RNOD"),
            same(at(f"figure3{part}", f"{name} dialogue", "d"), d, "Figure 3"),
            dialogue(places, claim, [at("s5.3", head + what, "value") for what in also]),
        ]
    first, second = (at("s5.3", f"{name} dialogue: d", "value") for name in claims)
    relations.append(
        exact(
            "order",
            (first, second),
            lambda one, two: abs(one) >= abs(two),
            "Section 5.3: the top two in terms of d, in the order of Figure 3",
            "|d|",
        )
    )
    return relations
