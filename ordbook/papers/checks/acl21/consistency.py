"""The checks of ACL'21's system ranking consistency: Tables 3, 6 and 9.

Contents
--------
consistency_relations   order, symbols, the test's critical difference, effect sizes, sizes
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import sqrt

import numpy as np
from scipy.stats import studentized_range

from ordbook.papers.checks.acl21.numbers import (
    SPLIT_TASKS,
    at,
    measures,
)
from ordbook.papers.checks.places import ACL21
from ordbook.papers.montecarlo import SURE
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Finding,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    exact,
    ordered,
    relate,
    rounded,
    same,
    value_of,
)


def consistency_relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 3, 6 and 9."""
    found: list[Relation] = []
    for part in SPLIT_TASKS:
        taus = _column(printed, part, "mean tau")
        found += ordered(taus, "Tables 3, 6, 9 list measures from the best to the worst")
        found += [_critical_difference(printed, part), _tukey(printed, part)]
    return [*found, *_sizes(), *_legends(printed), *_effect_sizes(printed)]


def _column(printed: Printed, part: str, column: str) -> list[Cell]:
    return [at(part, measure, column) for measure in measures(printed, part, "mean tau")]


def _caption(part: str) -> str:
    return f"table{part[0]}"


def _legend(printed: Printed, part: str) -> dict[str, Cell]:
    """Return the caption's symbols: symbol -> number of worst measures outperformed."""
    return {
        cell.row[0]: cell
        for cell in ACL21.cells(printed, _caption(part))
        if "worst measures outperformed" in cell.row
    }


def _gaps(
    taus: Sequence[Rounded], symbols: Sequence[str], legend: Mapping[str, str]
) -> tuple[float, float] | None:
    """Return the largest difference that is not significant and the smallest that is.

    Rounding makes the first as small, and the second as large, as it can. None if a measure
    outperforms itself or a better one.
    """
    worst = len(taus) - np.array(
        [0 if symbol == "blank" else int(value_of(legend[symbol])) for symbol in symbols]
    )
    if any(first <= i for i, first in enumerate(worst) if first < len(taus)):
        return None
    at_most = [taus[i].low - taus[j].high for i, j in _pairs(taus) if j < worst[i]]
    at_least = [taus[i].high - taus[j].low for i, j in _pairs(taus) if j >= worst[i]]
    return max(at_most, default=0), min(at_least, default=2)


def _pairs(taus: Sequence[Rounded]) -> Iterator[tuple[int, int]]:
    return combinations(range(len(taus)), 2)


def _critical_difference(printed: Printed, part: str) -> Relation:
    """One Tukey HSD test has one critical difference, for all pairs of means (footnote 7).

    Every difference that the symbols call significant must exceed every one that they do not;
    the caption says what the symbols mean.
    """
    legend = _legend(printed, part)
    taus, symbols = _column(printed, part, "mean tau"), _column(printed, part, "outperforms")

    def test(printed: Printed) -> Finding:
        meaning = {symbol: printed[cell] for symbol, cell in legend.items()}
        marks = [printed[c] for c in symbols]
        if not all(mark in meaning or mark == "blank" for mark in marks):
            return Finding(False, "a symbol is not in the caption")
        gaps = _gaps([rounded(printed[c]) for c in taus], marks, meaning)
        if gaps is None:
            return Finding(False, "a measure outperforms itself or a better one")
        below, above = gaps
        text = f"not significant from {below:.3f} down, significant from {above:.3f} up"
        return Finding(below <= above + NOISE, text)

    relies = "the symbols come from one critical difference, footnote 7 and the caption"
    return Relation("symbols", (*taus, *symbols, *legend.values()), test, relies)


@cache
def _quantile(p: float, n: int) -> float:
    return float(studentized_range.isf(p, n, np.inf))


def _tukey(printed: Printed, part: str) -> Relation:
    """Hold the symbols to the critical difference that V_E2 and the means give (Section 5.2).

    The randomised test exchanges the taus of one split. Under it the difference of two means over
    N splits has 2/N times the variance of the taus within splits, (N-1)/N V_E2 plus the variance
    of the means, and the largest is nearly a studentised range of the n measures. With B trials
    the share alpha is met up to sqrt(alpha(1 - alpha)/B).
    """
    legend = _legend(printed, part)
    taus, symbols = _column(printed, part, "mean tau"), _column(printed, part, "outperforms")
    matrix = ACL21.cells(printed, _caption(part), "V_E2 matrix")
    splits = next(cell for cell in matrix if cell.column in ("trials", "splits"))
    test_of = "randomised Tukey HSD"
    single = [at(part, "all measures", "V_E2"), splits, at("s5.2", test_of, "alpha")]
    single.append(at("s5.2", test_of, "trials"))

    def test(printed: Printed) -> Finding:
        meaning = {symbol: printed[cell] for symbol, cell in legend.items()}
        means = [rounded(printed[c]) for c in taus]
        gaps = _gaps(means, [printed[c] for c in symbols], meaning)
        residual = rounded(printed[single[0]])
        n, alpha, trials = (float(value_of(printed[c])) for c in single[1:])
        if gaps is None or not n or not trials or not 0 < alpha < 1:
            return Finding(False, "no such test")
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
        return Finding(low <= gaps[1] + NOISE and gaps[0] <= high + NOISE, f"{text}{gaps[1]:.3f}")

    relies = "the randomised Tukey HSD test of Section 5.2, from V_E2 and the means"
    return Relation("p-value", (*taus, *symbols, *legend.values(), *single), test, relies)


def _sizes() -> Iterator[Relation]:
    """Section 5.2: a full split halves Table 1's sample, the larger half second; else 10 and 10."""
    for part, row in SPLIT_TASKS.items():
        small, large = (at(part, "test sets", f"size {i}") for i in (1, 2))
        if part[-1] in "ace" or part.endswith("left"):
            sample = at("1", row, "Test data sample size")
            relies = "Section 5.2: randomly split the topic set in half"
            shown = "halves, and the sample"
            yield exact(
                "sum",
                (small, large, sample),
                lambda a, b, n: a == n // 2 and a + b == n,
                relies,
                shown,
            )
        else:
            where = ("s6.2", "dialogues in each small set")
            if part[0] == "3":
                where = ("s5.2", "Table 3(b)(d) topics in each subset")
            for cell in (small, large):
                yield same(cell, at(*where), "the small test sets of Sections 5.2 and 6.2")
    yield same(
        at("s5.2", "Table 3(b)(d) topics in each subset"),
        at("s6.2", "dialogues in each small set"),
        "Section 6.2: conducted as described in Section 5.2",
    )


def _legends(printed: Printed) -> Iterator[Relation]:
    """Hold the captions' symbols to n-1, ..., 1 measures; the score matrix has n columns."""
    for part in ("3a", "6a", "9i left"):
        legend = list(_legend(printed, part).values())
        number = at(_caption(part), "V_E2 matrix", "measures")
        yield exact(
            "list",
            (number, legend[0]),
            lambda n, k: k == n - 1,
            "the best can outperform all others",
            "measures, and the most that one can outperform",
        )
        yield counted(legend[-1], 1, "caption: the last symbol")
        for before, after in pairwise(legend):
            yield exact("list", (before, after), lambda a, b: a == b + 1, "caption", "falls by one")
        for other in SPLIT_TASKS:
            if _caption(other) == _caption(part):
                listed = len(measures(printed, other, "mean tau"))
                yield counted(number, listed, f"the measures of Table {other}")


def _effect_sizes(printed: Printed) -> Iterator[Relation]:
    """Hold the captions' effect sizes to (a - b)/sqrt(V_E2), of the numbers as written there.

    The inputs repeat cells of the table; the rounded words after it are about the result.
    """
    for result in printed:
        example = re.fullmatch(
            r"(example (\w+) minus (\w+) in \((\w+)\)( left)?, )(.*)", result.row
        )
        if result.paper != ACL21.name or not example or example[6] != "effect size":
            continue
        stem, better, worse = example[1], example[2], example[3]
        part = f"{result.table.removeprefix('table')}{example[4]}{example[5] or ''}"
        sources = {
            f"{better} mean tau": at(part, better, "mean tau"),
            f"{worse} mean tau": at(part, worse, "mean tau"),
            "V_E2": at(part, "all measures", "V_E2"),
        }
        inputs = [at(result.table, f"{stem}{name}", "input") for name in sources]
        for cell, source in zip(inputs, sources.values(), strict=True):
            yield same(cell, source, f"the caption's example is about Table {part}")
        yield relate(
            "effect size",
            result,
            inputs,
            lambda a, b, v: (a.middle - b.middle) / sqrt(v.middle),
            "the caption's formula, of the numbers written in it",
            "(a - b)/sqrt(V_E2)",
        )
        for cell in ACL21.cells(printed, result.table, f"{stem}standard deviations apart"):
            yield _in_words(cell, result)


def _in_words(cell: Cell, result: Cell) -> Relation:
    """'Over five' and 'about two' standard deviations apart."""

    def holds(word: str, number: str) -> bool:
        value = float(value_of(number))
        whole = int(value) if cell.column == "more than" else round(value)
        return whole == value_of(word)

    return condition("claim", (cell, result), holds, "the caption", f"{cell.column}")
