"""Numbers drawn for exercises that are worked by hand."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import ordbook as ob
from ordbook.meta.significance_tests import SignificanceTests

TENTHS = 10
ITEMS = 12
RUNS = 6
TESTED = ("A", "B", "C", "D", "E")
ALPHA = 0.05
MEASURES = ("RNOD", "NMD")
LIMITS = (3, 9)


@dataclass(frozen=True)
class Drawn:
    """The numbers of one sheet.

    Attributes
    ----------
    gold, estimate
        Probabilities of the classes, in tenths.
    y_true, y_pred
        Gold and predicted labels of twelve items, from 1 to 3.
    ranks
        Ranks of six runs by two measures; two runs share a rank by the second.
    means
        Mean scores of five runs by two measures, in hundredths; smaller is better.
    p
        p-values of their pairs by the two measures, in thousandths.
    """

    gold: tuple[int, ...]
    estimate: tuple[int, ...]
    y_true: tuple[int, ...]
    y_pred: tuple[int, ...]
    ranks: tuple[tuple[int, ...], tuple[int, ...]]
    means: tuple[tuple[int, ...], tuple[int, ...]]
    p: tuple[tuple[int, ...], tuple[int, ...]]


def draw(seed: int, variant: int = 0, classes: int = 5) -> Drawn:
    """Draw the numbers of one sheet: the same for the same seed, variant and number of classes.

    Raises
    ------
    ValueError
        If the number of classes is not from 3 to 9, or the seed is negative.
    """
    if not LIMITS[0] <= classes <= LIMITS[1]:
        raise ValueError(f"classes must be from {LIMITS[0]} to {LIMITS[1]}, not {classes}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, it is {seed}")
    # A stream for each part: more classes leave the other questions as they are.
    streams = [np.random.default_rng([seed, variant, part]) for part in range(4)]
    return Drawn(
        *_distributions(streams[0], classes),
        *_labels(streams[1]),
        _ranks(streams[2]),
        *_significance(streams[3]),
    )


def _distributions(
    rng: np.random.Generator, classes: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Gold with an empty class, so that C* matters, and an estimate that is neither far nor equal.

    An estimate that orders the classes exactly as the gold does, or the other way round, is drawn
    again, and so is a distribution with all classes tied, by which DNKT says nothing.
    """
    while True:
        gold, estimate = (
            rng.multinomial(TENTHS, rng.dirichlet(np.full(classes, 0.9))) for _ in range(2)
        )
        if not 2 <= np.count_nonzero(gold) < classes or np.count_nonzero(estimate) < 2:
            continue
        if len(set(estimate.tolist())) < 2:
            continue
        if np.minimum(gold, estimate).sum() == 0 or (gold == estimate).all():
            continue
        if not 0 < ob.dnkt(gold / TENTHS, estimate / TENTHS) < 1:
            continue
        return _whole(gold), _whole(estimate)


def _labels(rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Labels with all gold classes, three to six errors, one of two steps; the two MAE differ."""
    while True:
        y_true = np.sort(rng.integers(1, 4, ITEMS))
        wrong = rng.random(ITEMS) < 0.4
        y_pred = np.where(wrong, rng.integers(1, 4, ITEMS), y_true)
        steps = np.abs(y_true - y_pred)
        if len(set(y_true.tolist())) < 3 or len(set(y_pred.tolist())) < 2:
            continue
        counts = np.bincount(y_true)[1:]
        if not 3 <= np.count_nonzero(steps) <= 6 or steps.max() < 2 or len(set(counts)) < 2:
            continue
        if abs(ob.kappa(y_true, y_pred)) < 0.01:
            continue
        if abs(ob.mae_macro(y_true, y_pred) - ob.mae_micro(y_true, y_pred)) < 0.02:
            continue
        return _whole(y_true), _whole(y_pred)


def _ranks(rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two rankings that are neither equal nor reversed nor unrelated; the second has a tie."""
    while True:
        first, second = (rng.permutation(RUNS) + 1 for _ in range(2))
        tied = int(rng.integers(1, RUNS))
        second = np.where(second == tied + 1, tied, second)
        if 0.1 < abs(ob.kendall_tau(first, second)) < 0.8:
            return _whole(first), _whole(second)


def _significance(
    rng: np.random.Generator,
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], tuple[tuple[int, ...], tuple[int, ...]]]:
    """Means and p-values with one contradiction, and one pair that only looks like one.

    One p-value of the first measure is .050, which is not below .05; no other is near it. The
    larger a difference, the smaller its p-value, as in any Tukey test.
    """
    while True:
        means = [rng.choice(np.arange(15, 45), len(TESTED), replace=False) for _ in MEASURES]
        differences = [
            np.array([mean[j] - mean[i] for i, j in combinations(range(len(TESTED)), 2)])
            for mean in means
        ]
        if any(len(set(np.abs(values).tolist())) < len(values) for values in differences):
            continue
        p = []
        for measure, values in enumerate(differences):
            drawn = np.round(1000 * 10 ** rng.uniform(-3, -0.05, len(values))).astype(int)
            drawn = np.where((drawn > 45) & (drawn < 56), 60 + drawn, drawn)
            drawn.sort()
            above = np.flatnonzero(drawn > 50)
            if measure == 0 and len(above):
                drawn[above[0]] = 50
            by_size = np.empty(len(values), dtype=int)
            by_size[np.argsort(-np.abs(values))] = drawn
            p.append(by_size)
        significant = [values < 1000 * ALPHA for values in p]
        opposed = differences[0] * differences[1] < 0
        if not all(2 <= found.sum() <= 8 for found in significant) or 50 not in p[0]:
            continue
        both, either = significant[0] & significant[1], significant[0] | significant[1]
        if (opposed & both).sum() == 1 and (opposed & either & ~both).any() and both.sum() > 1:
            return (_whole(means[0]), _whole(means[1])), (_whole(p[0]), _whole(p[1]))


def tests_of(drawn: Drawn) -> SignificanceTests:
    """Return the p-values of a sheet as the functions of ordbook take them: exact, no trials."""
    n = len(TESTED)
    tables = {}
    for measure, values in zip(MEASURES, drawn.p, strict=True):
        square = np.eye(n)
        for (i, j), value in zip(combinations(range(n), 2), values, strict=True):
            square[i, j] = square[j, i] = value / 1000
        tables[measure] = pd.DataFrame(square, list(TESTED), list(TESTED))
    means = pd.DataFrame(
        dict(zip(MEASURES, np.array(drawn.means) / 100, strict=True)), list(TESTED)
    )
    nothing = pd.Series(0.0, list(MEASURES))
    return SignificanceTests(
        task="the table",
        measures=MEASURES,
        runs=TESTED,
        topics=100,
        trials=nothing.astype(int),
        seed=0,
        method="parametric",
        p=tables,
        means=means,
        better=dict.fromkeys(MEASURES, "low"),
        v_e1=nothing,
        v_e2=nothing,
        slack=nothing,
        exceed=np.zeros((len(MEASURES), n, n), dtype=np.int64),
    )


def _whole(values: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)
