"""Numbers drawn for exercises that are worked by hand."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import ordbook as ob
from ordbook.meta.significance import SignificanceTests

TENTHS = 10
ITEMS = 12
RUNS = 6
TESTED = ("A", "B", "C", "D", "E")
TOPICS = 6
TRIALS = 1000
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
    matrix
        Confusion matrix of twelve items in three classes: rows are gold.
    ranks
        Ranks of six runs by two measures; two runs share a rank by the second.
    means
        Mean scores of five runs by two measures, in hundredths; smaller is better.
    p
        p-values of their pairs by the two measures, in thousandths.
    scores
        Scores of five runs on six topics, in tenths; smaller is better.
    reached
        Of 1,000 random trials, how many reached the difference of each pair of five runs.
    """

    gold: tuple[int, ...]
    estimate: tuple[int, ...]
    matrix: tuple[tuple[int, ...], ...]
    ranks: tuple[tuple[int, ...], tuple[int, ...]]
    means: tuple[tuple[int, ...], tuple[int, ...]]
    p: tuple[tuple[int, ...], tuple[int, ...]]
    scores: tuple[tuple[int, ...], ...]
    reached: tuple[int, ...]


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
    streams = [np.random.default_rng([seed, variant, part]) for part in range(6)]
    return Drawn(
        *_distributions(streams[0], classes),
        _matrix(streams[1]),
        _ranks(streams[2]),
        *_significance(streams[3]),
        _scores(streams[4]),
        _reached(streams[5]),
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


def _matrix(rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """All gold classes, three to six errors, one of two steps; the two MAE differ."""
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
        matrix = np.zeros((3, 3), dtype=np.int64)
        np.add.at(matrix, (y_true - 1, y_pred - 1), 1)
        return tuple(_whole(row) for row in matrix)


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


def _scores(rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """No two runs are tied on a half of the topics; another run is best on the other half."""
    while True:
        scores = rng.integers(1, 10, (len(TESTED), TOPICS))
        halves = [part.sum(axis=1) for part in np.split(scores, 2, axis=1)]
        if any(len(set(half.tolist())) < len(TESTED) for half in halves):
            continue
        if halves[0].argmin() != halves[1].argmin() and ob.kendall_tau(*halves) > 0:
            return tuple(_whole(row) for row in scores)


def _reached(rng: np.random.Generator) -> tuple[int, ...]:
    """Three pairs for which so many trials do not settle on which side of .05 they are."""
    pairs = len(TESTED) * (len(TESTED) - 1) // 2
    far = np.where(
        rng.random(pairs) < 0.5, rng.integers(0, 31, pairs), rng.integers(80, 700, pairs)
    )
    near = np.where(rng.random(3) < 0.5, rng.integers(40, 48, 3), rng.integers(53, 61, 3))
    far[rng.choice(pairs, 3, replace=False)] = near
    return _whole(far)


def tests_of(drawn: Drawn) -> SignificanceTests:
    """Return the p-values of a sheet as the functions of ordbook take them: exact, no trials."""
    return _tests(MEASURES, drawn.p, 0, np.array(drawn.means) / 100)


def trials_of(drawn: Drawn) -> SignificanceTests:
    """Return the random trials of a sheet as the functions of ordbook take them."""
    return _tests(("RNOD",), (drawn.reached,), TRIALS, np.array([range(len(TESTED))]))


def _tests(
    measures: tuple[str, ...],
    counts: tuple[tuple[int, ...], ...],
    trials: int,
    means: NDArray[np.float64],
) -> SignificanceTests:
    n = len(TESTED)
    exceed = np.stack([1000 * np.eye(n, dtype=np.int64)] * len(measures))
    for square, values in zip(exceed, counts, strict=True):
        for (i, j), value in zip(combinations(range(n), 2), values, strict=True):
            square[i, j] = square[j, i] = value
    nothing = pd.Series(0.0, list(measures))
    return SignificanceTests(
        task="the table",
        measures=measures,
        runs=TESTED,
        topics=100,
        trials=nothing.astype(int) + trials,
        seed=0,
        method="randomised" if trials else "parametric",
        p={
            m: pd.DataFrame(e / 1000, TESTED, TESTED) for m, e in zip(measures, exceed, strict=True)
        },
        means=pd.DataFrame(means.T, list(TESTED), list(measures)),
        better=dict.fromkeys(measures, "low"),
        v_e1=nothing,
        v_e2=nothing,
        slack=nothing,
        exceed=exceed if trials else np.zeros_like(exceed),
    )


def _whole(values: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)
