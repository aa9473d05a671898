"""ACL'21's tables of correlations (2, 5 and 8) and of system ranking consistency (3, 6 and 9).

Correlations rest on what Kendall's tau is for rankings of m runs without ties: of T = m(m-1)/2
pairs of runs C are ordered alike and D are not, C + D = T and tau = (C - D)/T, so D = T(1 - tau)/2
is a whole number. All 147 taus give one, and every three an even sum, although two baselines stand
twice among the DQ runs: the paper breaks ties, how it does not say.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import combinations, pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.stats import studentized_range

from ordbook.measures import cem_ord, kappa
from ordbook.meta.seeds import SURE
from ordbook.papers.checks.tools import ACL21, DIALEVAL1, compared, discordant, least, pairs_of
from ordbook.papers.relations import (
    NOISE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    condition,
    counted,
    exact,
    ordered,
    recomputed,
    relate,
    rounded,
    value_of,
)

DQ = "DQ-{A, E, S}"
at = ACL21.at
# Parts of the tables of correlations -> row of Table 1.
TASKS: Mapping[str, str] = {
    "2i": "Sem16T4C",
    "2ii": "Sem17T4C",
    **dict.fromkeys(("5i", "5ii", "5iii"), DQ),
    "8i": "Sem16T4E",
    "8ii": "Sem17T4E",
}
# Parts of Tables 3, 6, 9 -> row of Table 1.
SPLIT_TASKS: Mapping[str, str] = {
    **dict.fromkeys(("3a", "3b"), "Sem16T4C"),
    **dict.fromkeys(("3c", "3d"), "Sem17T4C"),
    **dict.fromkeys(("6a", "6b", "6c", "6d", "6e", "6f"), DQ),
    **dict.fromkeys(("9i left", "9i right"), "Sem16T4E"),
    **dict.fromkeys(("9ii left", "9ii right"), "Sem17T4E"),
}
# Part of Table 5 -> the tables of DialEval-1 with its means, Chinese and English.
MEANS: Mapping[str, tuple[str, str]] = {"5i": ("4", "9"), "5ii": ("6", "11"), "5iii": ("5", "10")}


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of Tables 2, 3, 5, 6, 8 and 9, and of the definitions."""
    for part, row in TASKS.items():
        cells, runs = ACL21.cells(printed, part), at("1", row, "#runs used")
        for cell in cells:
            yield _step(cell, runs)
        yield from _triangles(printed, part, runs)
        yield _feasible(cells, runs)
    yield from _means_of_dialeval(printed)
    for part in SPLIT_TASKS:
        split = Split.of(printed, part)
        relies = "Tables 3, 6, 9 list measures from the best to the worst"
        yield from ordered(split.taus, relies)
        yield _critical_difference(split)
        yield _tukey(printed, split)
    yield from _legends(printed)
    yield from _effect_sizes(printed)
    yield from _definitions()


def measures(printed: Printed, table: str, column: str = "mean tau") -> list[str]:
    """Return the measures that have a number in a column, in printed order."""
    return [cell.row for cell in ACL21.column(printed, table, column)]


# -- correlations ------------------------------------------------------------------------------


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

    relies = "three rankings without ties disagree on an even number of pairs, counted thrice"
    for three in combinations(compared(ACL21.cells(printed, part)), 3):
        sides = [ACL21.between(printed, part, one, other) for one, other in combinations(three, 2)]
        shown = f"{', '.join(three)} in {part}"
        yield condition("parity", (*sides, runs), holds, relies, shown)


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
    for part, both in MEANS.items():
        cell, runs = at(part, "RSNOD", "NMD"), at("1", TASKS[part], "#runs used")
        columns = [
            sorted(cell for table in both for cell in DIALEVAL1.column(printed, table, measure))
            for measure in (cell.row, cell.column)
        ]
        relies = "the means of the same runs in DialEval-1, Tables " + " and ".join(both)
        cells = (cell, runs, *columns[0], *columns[1])
        yield Relation("interval", cells, _orders(cell, runs, columns), relies)


def _orders(
    cell: Cell, runs: Cell, columns: Sequence[Sequence[Cell]]
) -> Callable[[Printed], CheckResult]:
    def test(printed: Printed) -> CheckResult:
        signs = []
        for cells in columns:
            means = np.array([float(printed[c]) for c in cells])
            signs.append(np.sign(np.subtract.outer(means, means)[np.triu_indices(len(means), 1)]))
        product = signs[0] * signs[1]
        free = np.count_nonzero(product == 0)
        low, high = int(product.sum()) - free, int(product.sum()) + free
        pairs = pairs_of_runs(printed[runs])
        found = discordant(printed[cell], pairs)
        text = f"C - D is {low} to {high} by the means"
        if found is None or len(product) != pairs:
            return CheckResult(False, f"{text} of {len(product)} pairs, printed {printed[cell]}")
        agreement = pairs - 2 * found
        text += f"; printed {printed[cell]}, which is {agreement}/{pairs}"
        return CheckResult(bool(low <= agreement <= high), text)

    return test


# -- consistency -------------------------------------------------------------------------------


def _caption(part: str) -> str:
    return f"table{part[0]}"


class Split(NamedTuple):
    """A part of Table 3, 6 or 9, and what its caption says of the symbols."""

    part: str
    taus: list[Cell]
    symbols: list[Cell]
    legend: dict[str, Cell]  # symbol -> number of worst measures outperformed

    @classmethod
    def of(cls, printed: Printed, part: str) -> "Split":
        """Return the cells of a part."""
        taus, symbols = (
            [at(part, name, column) for name in measures(printed, part)]
            for column in ("mean tau", "outperforms")
        )
        legend = {
            cell.row[0]: cell
            for cell in ACL21.cells(printed, _caption(part))
            if "worst measures outperformed" in cell.row
        }
        return cls(part, taus, symbols, legend)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of them."""
        return (*self.taus, *self.symbols, *self.legend.values())

    def gaps(self, printed: Printed) -> tuple[float, float] | None:
        """Return the largest difference that is not significant and the smallest that is.

        Rounding makes the first as small, and the second as large, as it can. None if a measure
        outperforms itself or a better one. A symbol that the caption lacks is a ``KeyError``.
        """
        taus = [rounded(printed[cell]) for cell in self.taus]
        number = {s: int(value_of(printed[cell])) for s, cell in self.legend.items()} | {"blank": 0}
        worst = [len(taus) - number[printed[cell]] for cell in self.symbols]
        if any(first <= i for i, first in enumerate(worst) if first < len(taus)):
            return None
        pairs = list(combinations(range(len(taus)), 2))
        at_most = [taus[i].low - taus[j].high for i, j in pairs if j < worst[i]]
        at_least = [taus[i].high - taus[j].low for i, j in pairs if j >= worst[i]]
        return max(at_most, default=0), min(at_least, default=2)


def _critical_difference(split: Split) -> Relation:
    """One Tukey HSD test has one critical difference, for all pairs of means (footnote 7).

    Every difference that the symbols call significant must exceed every one that they do not;
    the caption says what the symbols mean.
    """

    def test(printed: Printed) -> CheckResult:
        gaps = split.gaps(printed)
        if gaps is None:
            return CheckResult(False, "a measure outperforms itself or a better one")
        below, above = gaps
        text = f"not significant from {below:.3f} down, significant from {above:.3f} up"
        return CheckResult(below <= above + NOISE, text)

    relies = "the symbols come from one critical difference, footnote 7 and the caption"
    return Relation("symbols", split.cells, test, relies)


@cache
def _quantile(p: float, n: int) -> float:
    return float(studentized_range.isf(p, n, np.inf))


def _tukey(printed: Printed, split: Split) -> Relation:
    """Hold the symbols to the critical difference that V_E2 and the means give (Section 5.2).

    The randomised test exchanges the taus of one split. Under it the difference of two means over
    N splits has 2/N times the variance of the taus within splits, (N-1)/N V_E2 plus the variance
    of the means, and the largest is nearly a studentised range of the n measures. With B trials
    the share alpha is met up to sqrt(alpha(1 - alpha)/B).
    """
    matrix = ACL21.cells(printed, _caption(split.part), "V_E2 matrix")
    splits = next(cell for cell in matrix if cell.column in ("trials", "splits"))
    levels = [at("s5.2", "randomised Tukey HSD", column) for column in ("alpha", "trials")]
    single = [at(split.part, "all measures", "V_E2"), splits, *levels]

    def test(printed: Printed) -> CheckResult:
        gaps, means = split.gaps(printed), [rounded(printed[c]) for c in split.taus]
        residual = rounded(printed[single[0]])
        n, alpha, trials = (float(value_of(printed[c])) for c in single[1:])
        if gaps is None or not n or not trials or not 0 < alpha < 1:
            return CheckResult(False, "no such test")
        error = SURE * sqrt(alpha * (1 - alpha) / trials)
        spread = float(np.std([mean.middle for mean in means], ddof=1))
        off = float(np.max([mean.high - mean.low for mean in means])) / 2
        off *= sqrt(len(means) / (len(means) - 1))
        low, high = (
            _quantile(p, len(means)) * sqrt(((n - 1) / n * v + sd**2) / n)
            for p, v, sd in (
                (min(alpha + error, 1 - NOISE), max(residual.low, 0), max(spread - off, 0)),
                (max(alpha - error, NOISE), residual.high, spread + off),
            )
        )
        text = f"critical difference {low:.4f} to {high:.4f}, by the symbols {gaps[0]:.3f} to "
        return CheckResult(
            low <= gaps[1] + NOISE and gaps[0] <= high + NOISE, f"{text}{gaps[1]:.3f}"
        )

    relies = "the randomised Tukey HSD test of Section 5.2, from V_E2 and the means"
    return Relation("p-value", (*split.cells, *single), test, relies)


def _legends(printed: Printed) -> Iterator[Relation]:
    """Hold the captions' symbols to n-1, ..., 1 measures; the score matrix has n columns."""
    for part in ("3a", "6a", "9i left"):
        legend = list(Split.of(printed, part).legend.values())
        number = at(_caption(part), "V_E2 matrix", "measures")
        falls = "measures, and the most that one can outperform", "falls by one"
        for cells, relies, shown in (
            ((number, legend[0]), "the best can outperform all others", falls[0]),
            *((pair, "caption", falls[1]) for pair in pairwise(legend)),
        ):
            yield exact("list", cells, lambda a, b: a == b + 1, relies, shown)
        yield counted(legend[-1], 1, "caption: the last symbol")
        for other in SPLIT_TASKS:
            if _caption(other) == _caption(part):
                listed = len(measures(printed, other))
                yield counted(number, listed, f"the measures of Table {other}")


def _effect_sizes(printed: Printed) -> Iterator[Relation]:
    """Hold the captions' effect sizes to (a - b)/sqrt(V_E2), of the numbers as written there.

    The inputs repeat cells of the table; the rounded words after it are about the result.
    """
    for result in printed:
        stem, _, what = result.row.rpartition(", ")
        if result.paper != ACL21.name or what != "effect size":
            continue
        inputs = [c for c in ACL21.cells(printed, result.table) if c.column == "input"]
        yield relate(
            "effect size",
            result,
            [cell for cell in inputs if cell.row.startswith(f"{stem}, ")],
            lambda a, b, v: (a.middle - b.middle) / sqrt(v.middle),
            "the caption's formula, of the numbers written in it",
            "(a - b)/sqrt(V_E2)",
        )
        for cell in ACL21.cells(printed, result.table, f"{stem}, standard deviations apart"):
            yield _in_words(cell, result)


def _in_words(cell: Cell, result: Cell) -> Relation:
    """'Over five' and 'about two' standard deviations apart."""

    def holds(word: str, number: str) -> bool:
        value = float(value_of(number))
        whole = int(value) if cell.column == "more than" else round(value)
        return whole == value_of(word)

    return condition("claim", (cell, result), holds, "the caption", f"{cell.column}")


# -- definitions -------------------------------------------------------------------------------


def _definitions() -> Iterator[Relation]:
    """Section 3.1: kappa of constant runs, alpha's labels, CEM_ORD's floor, two classes."""
    gold = np.repeat(np.arange(5), (1, 2, 3, 2, 4))
    scores = {kappa(gold, np.full_like(gold, label)) for label in np.unique(gold)}
    constant = at("s3.1", "kappa of a run that always returns one class", "value")
    for score in sorted(scores):
        yield recomputed(constant, float(score), "Eq. 5", family="example")
    for says, labels in (
        ("gold and run both say i", "ii"),
        ("one of gold and run says i", "ij"),
        ("neither says i", "jk"),
    ):
        cell = at("s3.1", f"alpha label count, {says}", "value")
        relies = "Section 3.1: the number of labels that say i"
        yield recomputed(cell, float(labels.count("i")), relies, family="example")
    floor = at("s3.1", "CEM_ORD floor of the proximity count", "value")
    yield exact("example", (floor,), _floor_is_harmless, "Eqs. 3 and 4", "proximity of any error")


def _floor_is_harmless(floor: Decimal) -> bool:
    """Whether a floor of K leaves CEM_ORD as Eqs. 3 and 4 give it without one, and finite.

    The smallest K that counts is 1/2, of an item alone in its class; K = 0 comes with empty
    classes. ``ordbook.measures`` is compared on counts that have both.
    """
    lowest = float(floor)
    counts = np.array([[3, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 4]])  # gold x run
    gold = counts.sum(axis=1)
    if lowest <= 0:
        return False

    def proximity(i: int, j: int) -> float:
        between = gold[i + 1 : j + 1].sum() if i <= j else gold[j:i].sum()
        return float(-np.log2(max(lowest, gold[i] / 2 + between) / gold.sum()))

    n = range(len(gold))
    top = sum(proximity(run, true) * counts[true, run] for run in n for true in n)
    bottom = sum(proximity(true, true) * gold[true] for true in n)
    return bool(np.isclose(top / bottom, cem_ord.from_confusion(counts), rtol=1e-12))
