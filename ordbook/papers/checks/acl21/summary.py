"""The checks of what ACL'21 says about consistency and power: Tables 4 and 7, Sections 5 and 6.

Contents
--------
summary_relations   good and poor measures, counts of measures, what Sections 5 and 6 say
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from ordbook.papers.checks.acl21.numbers import (
    at,
    measures,
    words,
)
from ordbook.papers.checks.places import ACL21
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Finding,
    Printed,
    Relation,
    condition,
    counted,
    exact,
    mean,
    rounded,
)

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


def summary_relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 4 and 7 and of the claims in prose."""
    return [
        *_grades(printed),
        *_discriminative(printed),
        *_numbers_of_measures(printed),
        *_tops(printed),
        *_power_at_five_percent(printed),
    ]


def _falls(printed: Printed, ranks: Sequence[set[str]], cells: Mapping[str, list[Cell]]) -> Finding:
    """Whether the averages of each set of measures are at least those of the next, all placed."""
    averages = {
        name: mean(*(rounded(printed[cell]) for cell in taus)) for name, taus in cells.items()
    }
    text = ", ".join(f"{name} {average.middle:.4f}" for name, average in averages.items())
    if set().union(*ranks) != set(averages) or sum(map(len, ranks)) != len(averages):
        return Finding(False, f"not every measure is placed once: {text}")
    holds = all(
        averages[better].high + NOISE >= averages[worse].low
        for upper, lower in combinations(ranks, 2)
        for better, worse in product(upper, lower)
    )
    return Finding(holds, f"averages {text}")


def _averaged(names: Iterable[str], parts: Sequence[str]) -> dict[str, list[Cell]]:
    return {name: [at(part, name, "mean tau") for part in parts] for name in names}


def _grades(printed: Printed) -> Iterator[Relation]:
    """Tables 4 (v) and 7 (iv): good, fair, poor by the averages of Sections 5.2 and 6.2."""
    for where, parts in AVERAGES.items():
        table = "4" if parts[0].startswith("3") else "7"
        grade = words(printed, table, GRADED[table][0])
        cells = _averaged(grade, parts)

        def test(
            printed: Printed,
            grade: Mapping[str, Cell] = grade,
            cells: Mapping[str, list[Cell]] = cells,
        ) -> Finding:
            ranks = [{m for m, c in grade.items() if printed[c] == word} for word in GRADES]
            return _falls(printed, ranks, cells)

        taus = [cell for column in cells.values() for cell in column]
        relies = f"Table {table} sums up the consistency: {where}"
        yield Relation("claim", (*grade.values(), *taus), test, relies)
        section, best = ("s5.2", "top") if table == "4" else ("s6.2", "second worst")
        places = [at(section, f"{where}, {end}", "claim") for end in (best, "worst")]

        def named(*texts: str, grade: Sequence[str] = tuple(grade), best: str = best) -> bool:
            first, worst = (set(text.split()) & set(grade) for text in texts[:2])
            good, _, poor = (
                {m for m, found in zip(grade, texts[2:], strict=True) if found == word}
                for word in GRADES
            )
            return (first == good and worst == poor) if best == "top" else first | worst == poor

        shown = f"{best}, worst, and the grades"
        yield condition("claim", (*places, *grade.values()), named, f"{relies}, in prose", shown)


def _tops(printed: Printed) -> Iterator[Relation]:
    """Sections 5.2 and 6.2: which measures are at the top and at the bottom of the averages."""
    for where, parts in AVERAGES.items():
        names = measures(printed, parts[0], "mean tau")
        cells = _averaged(names, parts)
        taus = [cell for column in cells.values() for cell in column]
        places = [at("s5.2", f"{where}, {end}", "claim") for end in ("top", "worst")]
        if parts[0].startswith("6"):
            places = [at("s6.2", f"{where}, {end}", "claim") for end in ("second worst", "worst")]

        def test(
            printed: Printed,
            names: Sequence[str] = names,
            places: Sequence[Cell] = places,
            cells: Mapping[str, list[Cell]] = cells,
        ) -> Finding:
            upper, lower = (set(printed[place].split()) for place in places)
            rest = set(names) - upper - lower
            nearly = places[0].row.endswith("second worst")
            return _falls(printed, [rest, upper, lower] if nearly else [upper, rest, lower], cells)

        yield Relation("claim", (*places, *taus), test, where)
        for place in places:
            number = place._replace(column="count")
            if number in printed:
                yield counted(number, lambda named: len(named.split()), "they are named", [place])
        if parts[0].startswith("6"):
            yield _best_ordinal(printed, cells)
    every = at("s5.2", "Table 3(a) kappa outperforms", "claim")
    symbol = at("3a", "kappa", "outperforms")
    most = next(cell for cell in ACL21.cells(printed, "table3") if "outperformed" in cell.row)
    yield condition(
        "claim",
        (every, symbol),
        lambda said, mark: (said == "all other measures") == (mark == most.row[0]),
        "Table 3(a): kappa's symbol stands for all others",
        "kappa",
    )


def _best_ordinal(printed: Printed, cells: Mapping[str, list[Cell]]) -> Relation:
    """Section 6.2: RNOD is the most consistent of the measures that handle ordinal classes."""
    best, ticks = at("s6.2", "best ordinal measure", "claim"), words(printed, "7", "(i)")

    def test(printed: Printed) -> Finding:
        ordinal = {m: cells[m] for m, tick in ticks.items() if printed[tick] == "✓"}
        return _falls(printed, [{printed[best]}, set(ordinal) - {printed[best]}], ordinal)

    taus = [cell for column in cells.values() for cell in column]
    return Relation("claim", (best, *ticks.values(), *taus), test, "Section 6.2, Table 7 (i)")


def _discriminative(printed: Printed) -> Iterator[Relation]:
    """Hold Tables 4 (vi) and 7 (v) to Sections 5.3 and 6.3: the least discriminative are poor."""
    grade = words(printed, "4", GRADED["4"][1])
    for row, word in (
        ("least discriminative in both tasks", "poor"),
        ("consistently discriminative", "good"),
    ):

        def holds(said: str, *grades: str, word: str = word) -> bool:
            graded = {m for m, found in zip(grade, grades, strict=True) if found == word}
            return set(said.split()) == graded

        claim = at("s5.3", row, "claim")
        yield condition("claim", (claim, *grade.values()), holds, f"Section 5.3, {word}", word)
    for measure, cell in words(printed, "7", GRADED["7"][1]).items():
        yield condition(
            "claim",
            (cell,),
            lambda found, poor=measure == "NMD": (found == "poor") == poor,
            "Sections 6.3, 6.4: NMD alone is poor or unpredictable",
            measure,
        )


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
    named = (
        (at("s2.1", "SemEval Subtask C ordinal measures used"), [m for m in oc if m[:3] == "MAE"]),
        (at("s5.1", "macro F1 measures of group A"), [m for m in oc if m in ("F1_M", "HMPR")]),
        (at("s3.1", "definitions of macro F1"), [m for m in oc if m in ("F1_M", "HMPR")]),
        (at("s3.2", "OD-based measures considered"), [m for m in oq if m.endswith("NOD")]),
    )
    for cell, names in named:
        yield counted(cell, len(names), f"named in the same sentence: {', '.join(names)}")


def _power_at_five_percent(printed: Printed) -> Iterator[Relation]:
    """Section 6.3: pairs of runs that are significant at 5%, DQ-E; RNOD performs well there too.

    And NMD, poor in Figure 2 (i) and (iii), is the least consistent in Table 6 (a) and (e) alone.
    """
    counts = ACL21.column(printed, "s6.3", "significant pairs")
    pairs = at("s6.3", "DQ-E system pairs")
    best = at("s6.3", "DQ-E RNOD", "significant pairs")
    for cell in counts:
        shown = "significant pairs, of all"
        yield exact("interval", (cell, pairs), lambda k, n: 0 <= k <= n, "a part of them", shown)
        if cell != best:
            relies = "Section 6.3: RNOD performs well in (ii) also"
            yield exact("claim", (best, cell), lambda a, b: a >= b, relies, "RNOD, the other")
    poor = at("s6.3", "NMD full-split consistency is as poor, Table 6", "claim")
    curves = at("s6.3", "NMD performs extremely poorly, Figure 2", "claim")
    parts = {"6a": "(a)", "6c": "(c)", "6e": "(e)"}
    cells = {
        part: [at(part, m, "mean tau") for m in measures(printed, part, "mean tau")]
        for part in parts
    }

    def test(printed: Printed) -> Finding:
        worst = [
            parts[part]
            for part, taus in cells.items()
            if min(taus, key=lambda cell: float(printed[cell])).row == "NMD"
        ]
        said = " and ".join(worst)
        figures = said.replace("(a)", "(i)").replace("(c)", "(ii)").replace("(e)", "(iii)")
        holds = printed[poor] == said and printed[curves] == figures
        return Finding(holds, f"NMD is the worst in {said}, printed {printed[poor]}")

    taus = [cell for column in cells.values() for cell in column]
    relies = "Section 6.3: Figure 2 (i), (ii), (iii) and Table 6 (a), (c), (e) are DQ-A, -E, -S"
    yield Relation("claim", (poor, curves, *taus), test, relies)
