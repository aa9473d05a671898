"""Tables 14 to 29 of the DialEval-1 overview: effect sizes, and who is listed.

Contents
--------
effect_sizes    every effect size from two means and the one V_E1 of its table
additivity      three runs, three effect sizes: the two steps add up
one_variance    all effect sizes and means of a table at once, a linear programme
baselines       one difference, two tables: uniform and popular baseline in both languages
lists           who is listed: the differences above one threshold, and no other
orders          effect sizes along rows and columns
widest_unlisted the largest difference that a table does not list, as an effect size
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from ordbook.papers.checks.dialeval1.layout import (
    Pair,
    Significance,
    gap,
    significances,
)
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Finding,
    Printed,
    Relation,
    Rounded,
    condition,
    minus,
    ordered,
    over,
    plus,
    relate,
    rounded,
)


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of Tables 14 to 29."""
    tables = significances(printed)
    for table in tables.values():
        yield from effect_sizes(table)
        yield one_variance(table)
        yield from additivity(table)
        yield lists(table)
        yield from orders(table)
    for (part, language, measure), table in tables.items():
        if language == "Chinese":
            yield baselines(table, tables[part, "English", measure])


# -- effect sizes ----------------------------------------------------------------------------


def effect_sizes(table: Significance) -> Iterator[Relation]:
    """ES = (M_worse - M_better) / sqrt(V_E1), V_E1 from the table's widest pair (Sakai 2018)."""
    ruler = table.ruler
    ends = (ruler.effect, *_means(table, ruler))
    for pair in table.legible:
        if pair == ruler:
            continue
        means = _means(table, pair)
        # A run may be an end of the ruler too: no cell is read twice.
        sources = tuple(dict.fromkeys((*means, *ends)))
        yield relate(
            "effect size",
            pair.effect,
            sources,
            _in_units(*([sources.index(cell) for cell in cells] for cells in (means, ends))),
            f"means of Table {table.ranking.table} over the root of one residual variance V_E1 of "
            "the one-way ANOVA (Section 5.1), which the widest pair gives",
            f"difference of means in units of {ruler.better} / {ruler.worse}",
        )


def _in_units(means: Sequence[int], ends: Sequence[int]) -> Callable[..., Rounded]:
    def formula(*values: Rounded) -> Rounded:
        size, top, bottom = (values[i] for i in ends)
        scale = over(size, minus(bottom, top))
        better, worse = (values[i] for i in means)
        part = minus(worse, better)
        return Rounded(
            min(part.low * scale.low, part.low * scale.high),
            max(part.high * scale.low, part.high * scale.high),
        )

    return formula


def additivity(table: Significance) -> Iterator[Relation]:
    """ES(a, c) = ES(a, b) + ES(b, c): all effect sizes of a table have one divisor."""
    legible = {(pair.better, pair.worse): pair.effect for pair in table.legible}
    for a, b, c in combinations(table.ranking.runs, 3):
        if {(a, b), (b, c), (a, c)} <= set(legible):
            yield relate(
                "additivity",
                legible[a, c],
                (legible[a, b], legible[b, c]),
                plus,
                "all effect sizes of a table are differences of means over one V_E1 (Section 5.1)",
                f"{a} to {b} to {c}",
            )


def one_variance(table: Significance) -> Relation:
    """One V_E1 and unrounded means in printed order must give all means and effect sizes.

    Linear in x_r = M_r / sqrt(V_E1) and the factor c = 1 / sqrt(V_E1).
    """
    runs = table.ranking.runs
    sizes = tuple(pair.effect for pair in table.legible)
    n = len(runs)
    at = {run: i for i, run in enumerate(runs)}
    steps = np.zeros((len(sizes), n + 1))
    for row, pair in zip(steps, table.legible, strict=True):
        row[at[pair.worse]], row[at[pair.better]] = 1, -1
    rises = np.zeros((n - 1, n + 1))
    rises[np.arange(n - 1), np.arange(n - 1)] = 1
    rises[np.arange(n - 1), np.arange(1, n)] = -1
    each = np.eye(n, n + 1)

    def test(printed: Printed) -> Finding:
        effects = [rounded(printed[cell]) for cell in sizes]
        means = [rounded(printed[cell]) for cell in table.ranking.cells]
        above, below = each.copy(), -each
        above[:, n] = [-mean.high for mean in means]
        below[:, n] = [mean.low for mean in means]
        limits = [e.high for e in effects] + [-e.low for e in effects]
        found = linprog(
            np.eye(n + 1)[n],
            A_ub=np.vstack([steps, -steps, above, below, rises]),
            b_ub=np.array(limits + [0.0] * (3 * n - 1)) + NOISE,
            bounds=(0, None),
            method="highs",
        )
        if found.status != 0:
            return Finding(False, "no V_E1 and no means in the printed order give them all")
        return Finding(True, f"V_E1 = {found.fun**-2:.6f} at most gives all effect sizes")

    return Relation(
        "effect size",
        (*sizes, *table.ranking.cells),
        test,
        f"one V_E1 and the unrounded means of Table {table.ranking.table} (Section 5.1)",
    )


def baselines(chinese: Significance, english: Significance) -> Relation:
    """BL-uniform and BL-popularity need no training data: one difference in both languages."""
    cells: list[Cell] = []
    for table in (chinese, english):
        pair = next(
            p for p in table.legible if {p.better, p.worse} == {"BL-uniform", "BL-popularity"}
        )
        cells += [pair.effect, table.ruler.effect, *_means(table, table.ruler)]
    if len(set(cells)) < len(cells):
        raise ValueError(f"the baselines are the ruler of Table {chinese.table}")

    def holds(*texts: str) -> bool:
        found = []
        for size, whole, better, worse in (texts[:4], texts[4:]):
            size_, whole_, means = rounded(size), rounded(whole), gap(better, worse)
            found.append(
                Rounded(size_.low * means.low / whole_.high, size_.high * means.high / whole_.low)
            )
        return found[0].meets(found[1])

    return condition(
        "effect size",
        cells,
        holds,
        "the test dialogues and their gold are the same in both languages (Section 4.3)",
        "BL-uniform and BL-popularity differ equally in both languages",
    )


# -- lists -----------------------------------------------------------------------------------


def lists(table: Significance) -> Relation:
    """List a pair if its difference exceeds the threshold that one test has for all pairs."""
    cells = table.ranking.cells
    at = {run: i for i, run in enumerate(table.ranking.runs)}
    listed = [(at[pair.better], at[pair.worse]) for pair in table.pairs]
    others = [(at[better], at[worse]) for better, worse in table.unlisted()]

    def holds(*texts: str) -> bool:
        means = [rounded(text) for text in texts]
        smallest = min(minus(means[b], means[a]).high for a, b in listed)
        largest = max(minus(means[b], means[a]).low for a, b in others)
        return smallest > 0 and largest <= smallest + NOISE

    return condition(
        "list",
        cells,
        holds,
        f"randomised Tukey HSD has one null distribution for all pairs of Table {table.table}",
        "every listed difference is larger than every unlisted one",
    )


def widest_unlisted(
    table: Significance, size: str, means: Mapping[str, str]
) -> tuple[tuple[str, str], Rounded]:
    """Return the pair with the largest difference that a table does not list, and its effect size.

    Parameters
    ----------
    table
        The table.
    size
        The printed effect size of its ruler, which gives V_E1.
    means
        Run -> printed mean.
    """
    ruler = table.ruler
    whole, unit = gap(means[ruler.better], means[ruler.worse]), rounded(size)
    gaps = {pair: gap(means[pair[0]], means[pair[1]]) for pair in table.unlisted()}
    pair = max(gaps, key=lambda pair: gaps[pair].middle)
    low, high = gaps[pair]
    return pair, Rounded(max(low, 0) * unit.low / whole.high, high * unit.high / whole.low)


def orders(table: Significance) -> Iterator[Relation]:
    """Rows and columns stand in the order of the means, so effect sizes rise."""
    relies = f"the rows and lists of Table {table.table} follow Table {table.ranking.table}"
    for line in table.lines():
        yield from ordered([pair.effect for pair in line[::-1]], relies)


def _means(table: Significance, pair: Pair) -> tuple[Cell, Cell]:
    return table.ranking.cell(pair.better), table.ranking.cell(pair.worse)
