"""The checks of ACL'21's properties and groups of measures: Tables 4 and 7, Sections 5.1 and 6.1.

Contents
--------
group_relations   ticks, groups of measures that rank alike, CEM_ORD and RSNOD between them
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

from ordbook.papers.checks.acl21.numbers import (
    at,
    measures,
    words,
)
from ordbook.papers.checks.places import ACL21
from ordbook.papers.claims import PAPER_CLAIMS
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Finding,
    Printed,
    Relation,
    Rounded,
    condition,
    mean,
    rounded,
    value_of,
)

# Table -> its column of groups, and the parts of the table of correlations behind it.
GROUPED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "4": ("(iv)", ("2i", "2ii")),
    "7": ("(iii)", ("5i", "5ii", "5iii")),
}


def group_relations(printed: Printed) -> list[Relation]:
    """Return the checks of ticks and groups."""
    return [
        *_ticks(printed),
        *_groups(printed),
        *_between_groups(printed),
        *_rsnod_between(printed),
    ]


def _ticks(printed: Printed) -> Iterator[Relation]:
    """Ticks and blanks of Tables 4 (i) to (iii) and 7 (i), (ii) against what is true of a measure.

    ``ordbook.papers.claims`` has the properties, each proved or refuted by a kept counterexample.
    """
    for claim in PAPER_CLAIMS:
        cell = at(claim.place.removeprefix("Table "), claim.measure, claim.claim)
        if claim.paper != ACL21.name or printed.get(cell, LOST) == LOST:
            continue
        true = (claim.printed == "yes") != (claim.verdict == "refuted")

        def holds(tick: str, true: bool = true) -> bool:
            return tick == ("✓" if true else "blank")

        relies = f"properties of {claim.measure}, ordbook.papers.claims: {claim.verdict}"
        yield condition("claim", (cell,), holds, relies, "yes" if true else "no")


def _taus(printed: Printed, part: str, pairs: Iterable[tuple[str, str]]) -> list[Cell]:
    return [ACL21.between(printed, part, one, other) for one, other in pairs]


def _groups(printed: Printed) -> Iterator[Relation]:
    """Sections 5.1, 6.1: measures of one group rank more alike than measures of two groups."""
    for table, (column, parts) in GROUPED.items():
        group = words(printed, table, column)
        group.pop("CEM_ORD", None)  # between the groups
        for part in parts:
            pairs = list(combinations(group, 2))
            taus = _taus(printed, part, pairs)
            places = dict(zip(pairs, taus, strict=True))

            def test(
                printed: Printed,
                group: Mapping[str, Cell] = group,
                places: Mapping[tuple[str, str], Cell] = places,
            ) -> Finding:
                label = {measure: printed[cell] for measure, cell in group.items()}
                within: list[Rounded] = []
                between: list[Rounded] = []
                for (one, other), cell in places.items():
                    side = within if label[one] == label[other] else between
                    side.append(rounded(printed[cell]))
                if not within or not between:
                    return Finding(False, "there is one group, or none has two measures")
                least, most = min(t.high for t in within), max(t.low for t in between)
                text = f"within groups at least {least:.3f}, between at most {most:.3f}"
                return Finding(most <= least + NOISE, text)

            relies = f"Table {table} {column}: measures of a group rank alike"
            yield Relation("claim", (*group.values(), *taus), test, relies)


def _between_groups(printed: Printed) -> Iterator[Relation]:
    """Section 5.1 (c): CEM_ORD ranks unlike both groups, but closer to A; on average it does."""
    group = words(printed, "4", "(iv)")
    own = group.pop("CEM_ORD")
    for part in GROUPED["4"][1]:
        pairs = [*combinations(group, 2), *product(["CEM_ORD"], group)]
        taus = _taus(printed, part, pairs)
        places = dict(zip(pairs, taus, strict=True))

        def test(printed: Printed, places: Mapping[tuple[str, str], Cell] = places) -> Finding:
            label = {measure: printed[cell] for measure, cell in group.items()}
            label["CEM_ORD"] = "C"
            of: dict[str, list[Rounded]] = {}
            for (one, other), cell in places.items():
                key = "".join(sorted((label[one], label[other])))
                of.setdefault(key, []).append(rounded(printed[cell]))
            if not {"AA", "BB", "AC", "BC"} <= set(of) or printed[own] != "A/B":
                return Finding(False, "the groups are not A, B, and A/B for CEM_ORD")
            middle = {key: mean(*taus).middle for key, taus in of.items()}
            text = ", ".join(f"{key} {middle[key]:.3f}" for key in sorted(middle))
            holds = middle["BC"] < middle["AC"] < middle["AA"] and middle["BC"] < middle["BB"]
            return Finding(holds, f"means within and between groups (C is CEM_ORD): {text}")

        relies = "Section 5.1 (c): unlike both groups, closer to A; on average over measures"
        yield Relation("claim", (own, *group.values(), *taus), test, relies)


def _rsnod_between(printed: Printed) -> Iterator[Relation]:
    """Section 6.1: RSNOD lies between NMD and the others where it is the closest to NMD."""
    row = "RSNOD lies between NMD and the others"
    for place, parts in (
        ("Table 5 (i) and (iii)", ("5i", "5iii")),
        ("Table 5 (ii)", ("5ii",)),
        ("Table 8", ("8i", "8ii")),
    ):
        for part in parts:
            column = [at(part, m, "NMD") for m in measures(printed, part, "NMD")]
            own = at(part, "RSNOD", "NMD")
            others = [cell for cell in column if cell != own]

            def closest(said: str, own: str, *others: str) -> bool:
                return (said == "yes") == all(value_of(own) > value_of(t) for t in others)

            claim = at("s6.1", f"{row}, {place}", "claim")
            yield condition(
                "claim", (claim, own, *others), closest, "Section 6.1, the column NMD", part
            )
