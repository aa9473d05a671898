"""What ACL'21 says about its tables: Tables 4 and 7, the groups of measures, Sections 5 and 6."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from ordbook.papers.checks.acl21.tables import at, measures
from ordbook.papers.checks.tools import ACL21
from ordbook.papers.claims import PAPER_CLAIMS
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import (
    NOISE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    exact,
    mean,
    rounded,
)

# Table -> its column of groups, and the parts of the table of correlations behind it.
GROUPED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "4": ("(iv)", ("2i", "2ii")),
    "7": ("(iii)", ("5i", "5ii", "5iii")),
}
# Parts whose averages Sections 5.2 and 6.2 take, as the rows of the text name them.
AVERAGES: Mapping[str, tuple[str, ...]] = {
    "averages of Table 3(a) and (c)": ("3a", "3c"),
    "averages of Table 3(b) and (d)": ("3b", "3d"),
    "averages of Table 6(a)(c)(e)": ("6a", "6c", "6e"),
    "averages of Table 6(b)(d)(f)": ("6b", "6d", "6f"),
}
# Table -> its columns of consistency and discriminative power.
GRADED: Mapping[str, tuple[str, str]] = {"4": ("(v)", "(vi)"), "7": ("(iv)", "(v)")}
GRADES = ("good", "fair", "poor")


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 4 and 7 and of the claims in prose."""
    return [
        *_ticks(printed),
        *_groups(printed),
        *_between_groups(printed),
        *_grades(printed),
        *_discriminative(printed),
        *_numbers_of_measures(printed),
        *_tops(printed),
        *_power_at_five_percent(printed),
    ]


def words(printed: Printed, table: str, column: str) -> dict[str, Cell]:
    """Return a column of Table 4 or 7, named by how it begins; cells that are lost left out."""
    return {
        cell.row: cell
        for cell in ACL21.cells(printed, table)
        if cell.column.startswith(f"{column} ") and printed[cell] != LOST
    }


# -- properties and groups ---------------------------------------------------------------------


def _ticks(printed: Printed) -> Iterator[Relation]:
    """Ticks and blanks of Tables 4 (i) to (iii) and 7 (i), (ii) against what is true of a measure.

    ``ordbook.papers.claims`` has the properties, each proved or refuted by a kept counterexample.
    """
    for claim in PAPER_CLAIMS:
        cell = at(claim.place.removeprefix("Table "), claim.measure, claim.claim)
        if claim.paper == ACL21.name and printed.get(cell, LOST) != LOST:
            true = (claim.printed == "yes") != (claim.verdict == "refuted")
            relies = f"properties of {claim.measure}, ordbook.papers.claims: {claim.verdict}"
            holds = ("✓" if true else "blank").__eq__
            yield condition("claim", (cell,), holds, relies, "yes" if true else "no")


def _by_group(
    printed: Printed, parts: Iterable[str], group: Mapping[str, Cell], others: Iterable[str] = ()
) -> Iterator[tuple[list[Cell], Callable[[Printed, Mapping[str, str]], dict[str, list[Rounded]]]]]:
    """Yield for every part its correlations, and how to sort them by the groups of both sides."""
    pairs = [*combinations(group, 2), *product(others, group)]
    for part in parts:
        taus = [ACL21.between(printed, part, *pair) for pair in pairs]

        def sort(
            printed: Printed, labels: Mapping[str, str], taus: Sequence[Cell] = taus
        ) -> dict[str, list[Rounded]]:
            label = {measure: printed[cell] for measure, cell in group.items()} | dict(labels)
            found: dict[str, list[Rounded]] = {}
            for pair, cell in zip(pairs, taus, strict=True):
                key = "".join(sorted(label[measure] for measure in pair))
                found.setdefault(key, []).append(rounded(printed[cell]))
            return found

        yield taus, sort


def _groups(printed: Printed) -> Iterator[Relation]:
    """Sections 5.1, 6.1: measures of one group rank more alike than measures of two groups."""
    for table, (column, parts) in GROUPED.items():
        group = words(printed, table, column)
        group.pop("CEM_ORD", None)  # between the groups
        relies = f"Table {table} {column}: measures of a group rank alike"
        for taus, sort in _by_group(printed, parts, group):

            def test(
                printed: Printed, sort: Callable[..., dict[str, list[Rounded]]] = sort
            ) -> CheckResult:
                sides: dict[bool, list[Rounded]] = {True: [], False: []}
                for key, found in sort(printed, {}).items():
                    half = len(key) // 2
                    sides[key[:half] == key[half:]] += found
                if not all(sides.values()):
                    return CheckResult(False, "there is one group, or none has two measures")
                least, most = min(t.high for t in sides[True]), max(t.low for t in sides[False])
                text = f"within groups at least {least:.3f}, between at most {most:.3f}"
                return CheckResult(most <= least + NOISE, text)

            yield Relation("claim", (*group.values(), *taus), test, relies)


def _between_groups(printed: Printed) -> Iterator[Relation]:
    """Section 5.1 (c): CEM_ORD ranks unlike both groups, but closer to A; on average it does."""
    group = words(printed, "4", "(iv)")
    own = group.pop("CEM_ORD")
    relies = "Section 5.1 (c): unlike both groups, closer to A; on average over measures"
    for taus, sort in _by_group(printed, GROUPED["4"][1], group, ["CEM_ORD"]):

        def test(
            printed: Printed, sort: Callable[..., dict[str, list[Rounded]]] = sort
        ) -> CheckResult:
            of = sort(printed, {"CEM_ORD": "C"})
            if not {"AA", "BB", "AC", "BC"} <= set(of) or printed[own] != "A/B":
                return CheckResult(False, "the groups are not A, B, and A/B for CEM_ORD")
            middle = {key: mean(*taus).middle for key, taus in of.items()}
            text = ", ".join(f"{key} {middle[key]:.3f}" for key in sorted(middle))
            holds = middle["BC"] < middle["AC"] < middle["AA"] and middle["BC"] < middle["BB"]
            return CheckResult(holds, f"means within and between groups (C is CEM_ORD): {text}")

        yield Relation("claim", (own, *group.values(), *taus), test, relies)


# -- consistency -------------------------------------------------------------------------------


def _falls(
    printed: Printed, ranks: Sequence[set[str]], cells: Mapping[str, list[Cell]]
) -> CheckResult:
    """Whether the averages of each set of measures are at least those of the next, all placed."""
    averages = {
        name: mean(*(rounded(printed[cell]) for cell in taus)) for name, taus in cells.items()
    }
    text = ", ".join(f"{name} {average.middle:.4f}" for name, average in averages.items())
    if set().union(*ranks) != set(averages) or sum(map(len, ranks)) != len(averages):
        return CheckResult(False, f"not every measure is placed once: {text}")
    holds = all(
        averages[better].high + NOISE >= averages[worse].low
        for upper, lower in combinations(ranks, 2)
        for better, worse in product(upper, lower)
    )
    return CheckResult(holds, f"averages {text}")


def _falling(
    places: Iterable[Cell],
    cells: Mapping[str, list[Cell]],
    ranks: Callable[[Printed], Sequence[set[str]]],
    relies: str,
    ordinal: Mapping[str, Cell] | None = None,
) -> Relation:
    """Hold what says which measures are better to the averages; of some, only those ticked."""

    def test(printed: Printed) -> CheckResult:
        chosen = cells
        if ordinal is not None:
            chosen = {m: cells[m] for m, tick in ordinal.items() if printed[tick] == "✓"}
        return _falls(printed, ranks(printed), chosen)

    taus = [cell for column in cells.values() for cell in column]
    return Relation("claim", (*places, *taus), test, relies)


def _averaged(names: Iterable[str], parts: Sequence[str]) -> dict[str, list[Cell]]:
    return {name: [at(part, name, "mean tau") for part in parts] for name in names}


def _extremes(where: str, parts: Sequence[str]) -> list[Cell]:
    """Return where the text names the first and the last measures of averages."""
    section, first = ("s5.2", "top") if parts[0][0] == "3" else ("s6.2", "second worst")
    return [ACL21.claim(section, f"{where}, {end}") for end in (first, "worst")]


def _grades(printed: Printed) -> Iterator[Relation]:
    """Tables 4 (v) and 7 (iv): good, fair, poor by the averages of Sections 5.2 and 6.2."""
    for where, parts in AVERAGES.items():
        table = "4" if parts[0].startswith("3") else "7"
        grade = words(printed, table, GRADED[table][0])
        relies = f"Table {table} sums up the consistency: {where}"

        def ranks(printed: Printed, grade: Mapping[str, Cell] = grade) -> list[set[str]]:
            return [{m for m, c in grade.items() if printed[c] == word} for word in GRADES]

        yield _falling(grade.values(), _averaged(grade, parts), ranks, relies)

        def named(
            first: str, last: str, *grades: str, names: Sequence[str] = tuple(grade), top: bool
        ) -> bool:
            said, worst = (set(text.split()) & set(names) for text in (first, last))
            good, _, poor = (
                {m for m, found in zip(names, grades, strict=True) if found == word}
                for word in GRADES
            )
            return (said == good and worst == poor) if top else said | worst == poor

        best = "top" if table == "4" else "second worst"
        yield condition(
            "claim",
            (*_extremes(where, parts), *grade.values()),
            lambda *texts, named=named, top=table == "4": named(*texts, top=top),
            f"{relies}, in prose",
            f"{best}, worst, and the grades",
        )


def _tops(printed: Printed) -> Iterator[Relation]:
    """Sections 5.2 and 6.2: which measures are at the top and at the bottom of the averages."""
    for where, parts in AVERAGES.items():
        cells, places = _averaged(measures(printed, parts[0]), parts), _extremes(where, parts)
        upper_first = parts[0].startswith("3")

        def ranks(
            printed: Printed,
            places: Sequence[Cell] = places,
            names: Iterable[str] = tuple(cells),
            upper_first: bool = upper_first,
        ) -> list[set[str]]:
            upper, lower = (set(printed[place].split()) for place in places)
            rest = set(names) - upper - lower
            return [upper, rest, lower] if upper_first else [rest, upper, lower]

        yield _falling(places, cells, ranks, where)
        for place in places:
            number = place._replace(column="count")
            if number in printed:
                yield counted(number, lambda named: len(named.split()), "they are named", [place])
        if not upper_first:
            best, ticks = ACL21.claim("s6.2", "best ordinal measure"), words(printed, "7", "(i)")

            def winner(
                printed: Printed, best: Cell = best, ticks: Mapping[str, Cell] = ticks
            ) -> list[set[str]]:
                ordinal = {m for m, tick in ticks.items() if printed[tick] == "✓"}
                return [{printed[best]}, ordinal - {printed[best]}]

            places = [best, *ticks.values()]
            yield _falling(places, cells, winner, "Section 6.2, Table 7 (i)", ticks)


# -- discriminative power, and numbers of measures ---------------------------------------------


def _discriminative(printed: Printed) -> Iterator[Relation]:
    """Hold Tables 4 (vi) and 7 (v) to Sections 5.3 and 6.3: the least discriminative are poor."""
    grade = words(printed, "4", GRADED["4"][1])
    for row, word in (
        ("least discriminative in both tasks", "poor"),
        ("consistently discriminative", "good"),
    ):

        def holds(said: str, *grades: str, word: str = word) -> bool:
            graded = {m for m, found in zip(grade, grades, strict=True) if found == word}
            return set(said.split()) == graded and set(grades) <= set(GRADES)

        cells = (ACL21.claim("s5.3", row), *grade.values())
        yield condition("claim", cells, holds, f"Section 5.3, {word}", word)
    relies = "Sections 6.3, 6.4: NMD alone is poor or unpredictable"
    for measure, cell in words(printed, "7", GRADED["7"][1]).items():

        def poor(found: str, expected: bool = measure == "NMD") -> bool:
            return found in GRADES and (found == "poor") == expected

        yield condition("claim", (cell,), poor, relies, measure)


def _numbers_of_measures(printed: Printed) -> Iterator[Relation]:
    """Hold number words to the ticks, groups and rows of Tables 4 and 7."""
    for cell, table, column, text in (
        (at("s3.1", "OC measures that ignore the order of the classes"), "4", "(i)", "blank"),
        (at("s3.2", "OQ measures that ignore the order of the classes"), "7", "(i)", "blank"),
        (at("s5.1", "measures of group B"), "4", "(iii)", "blank"),
        (at("s5.1", "measures of group B"), "4", "(iv)", "B"),
    ):
        cells = words(printed, table, column).values()
        relies = f"{text} in Table {table} {column}"
        yield counted(cell, lambda *texts, text=text: texts.count(text), relies, cells)
    oc, oq = (list(words(printed, table, "(i)")) for table in ("4", "7"))
    for section, row, names in (
        ("s2.1", "SemEval Subtask C ordinal measures used", [m for m in oc if m[:3] == "MAE"]),
        ("s5.1", "macro F1 measures of group A", [m for m in oc if m in ("F1_M", "HMPR")]),
        ("s3.1", "definitions of macro F1", [m for m in oc if m in ("F1_M", "HMPR")]),
        ("s3.2", "OD-based measures considered", [m for m in oq if m.endswith("NOD")]),
    ):
        relies = f"named in the same sentence: {', '.join(names)}"
        yield counted(at(section, row), len(names), relies)


def _power_at_five_percent(printed: Printed) -> Iterator[Relation]:
    """Section 6.3: pairs of runs that are significant at 5%, DQ-E; RNOD performs well there too.

    And NMD, poor in Figure 2 (i) and (iii), is the least consistent in Table 6 (a) and (e) alone.
    """
    pairs = at("s6.3", "DQ-E system pairs")
    best = at("s6.3", "DQ-E RNOD", "significant pairs")
    for cell in ACL21.column(printed, "s6.3", "significant pairs"):
        shown = "significant pairs, of all"
        yield exact("interval", (cell, pairs), lambda k, n: 0 <= k <= n, "a part of them", shown)
        if cell != best:
            relies = "Section 6.3: RNOD performs well in (ii) also"
            yield exact("claim", (best, cell), lambda a, b: a >= b, relies, "RNOD, the other")
    poor = ACL21.claim("s6.3", "NMD full-split consistency is as poor, Table 6")
    curves = ACL21.claim("s6.3", "NMD performs extremely poorly, Figure 2")
    letters = {"a": "i", "c": "ii", "e": "iii"}
    cells = {part: ACL21.column(printed, f"6{part}", "mean tau") for part in letters}

    def test(printed: Printed) -> CheckResult:
        worst = [
            part
            for part, taus in cells.items()
            if min(taus, key=lambda cell: float(printed[cell])).row == "NMD"
        ]
        said = " and ".join(f"({part})" for part in worst)
        figures = " and ".join(f"({letters[part]})" for part in worst)
        holds = printed[poor] == said and printed[curves] == figures
        return CheckResult(holds, f"NMD is the worst in {said}, printed {printed[poor]}")

    taus = [cell for column in cells.values() for cell in column]
    relies = "Section 6.3: Figure 2 (i), (ii), (iii) and Table 6 (a), (c), (e) are DQ-A, -E, -S"
    yield Relation("claim", (poor, curves, *taus), test, relies)
