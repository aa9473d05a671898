"""Cases to try measures on: drawn at random, moved, on other classes, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .validation import Array

# Gold and estimate, or counts; cases on the first axis.
Cases: TypeAlias = tuple[Array, ...]
ITEMS = 100


def drawn(
    kind: str, classes: int, size: int, flat: bool, rng: np.random.Generator
) -> tuple[Cases, Cases]:
    """Draw gold with two estimates, or two confusion matrices with the same gold."""
    if kind == "quantification":
        if flat:
            gold, *estimates = rng.dirichlet(np.ones(classes), (3, size))
        else:
            gold, *estimates = (_votes(classes, size, rng) for _ in range(3))
            estimates[0][: size // 3] = np.eye(classes)[rng.integers(0, classes, size // 3)]
            last = gold[:, -1] > 0.9  # nearly all in the last class, and missed by one class
            estimates[0][last] = gold[last][:, exchange(classes, classes - 2)]
            estimates[0][-size // 10 :] = gold[-size // 10 :]
        return (gold, estimates[0]), (gold, estimates[1])
    if flat:
        golds = rng.multinomial(ITEMS, rng.dirichlet(np.ones(classes), size))
    else:
        golds = rng.multinomial(8, _votes(classes, size, rng))
    runs = []
    for _ in range(2):
        rows = size * classes
        answers = rng.dirichlet(np.ones(classes), rows) if flat else _votes(classes, rows, rng)
        if flat:  # a run that knows something: half of its answers are right, and some by chance
            answers = (answers + np.tile(np.eye(classes), (size, 1))) / 2
        counts = rng.multinomial(golds.ravel(), answers).reshape(size, classes, classes)
        if not flat:
            right = size // 10
            counts[-right:] = golds[-right:, :, None] * np.eye(classes, dtype=int)
        runs.append((counts.astype(np.float64),))
    return runs[0], runs[1]


def _votes(classes: int, size: int, rng: np.random.Generator) -> Array:
    """Shares of few or of a hundred votes over some of the classes, a third of them tied."""
    weights = rng.random((size, classes)) * (rng.random((size, classes)) < rng.random((size, 1)))
    weights **= rng.choice([1, 8], (size, 1))
    weights[np.arange(size), rng.integers(0, classes, size)] += 1
    totals = rng.choice([4, 100], size)
    votes = rng.multinomial(totals, weights / weights.sum(axis=1, keepdims=True)).astype(float)
    votes[-size // 3 :] = np.minimum(votes[-size // 3 :], 1)
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def moves(classes: int) -> dict[str, list[tuple[int, int, int]]]:
    """Return the ways in which an answer gets worse: gold class, answer, and worse answer."""
    every = [(i, j, k) for i in range(classes) for j in range(classes) for k in range(classes)]
    right = [(i, j, k) for i, j, k in every if i == j and abs(k - j) == 1]
    same = [(i, j, k) for i, j, k in every if (k - j) * np.sign(j - i) == 1]
    across = [(i, j, k) for i, j, k in every if (j - i) * (k - i) < 0 and abs(k - i) > abs(j - i)]
    return {
        "right answer": right,
        "same side": same,
        "across gold": across,
        "below 0": right + same,
    }


def moved(
    cases: Cases, ways: Sequence[tuple[int, int, int]], flat: bool, rng: np.random.Generator
) -> tuple[Cases, Cases]:
    """Return cases with an answer, where there is gold for it, and the same with a worse one."""
    size = len(cases[0])
    i, j, k = np.array(ways)[rng.integers(0, len(ways), size)].T
    kept = gold_of(cases)[np.arange(size), i] > 0.001
    i, j, k, rows = i[kept], j[kept], k[kept], np.arange(kept.sum())
    if len(cases) > 1:
        gold = cases[0][kept]
        mass = gold[rows, i] * (rng.random(len(rows)) if flat else 1)
        near, far = gold.copy(), gold.copy()
        for estimate, end in ((near, j), (far, k)):
            estimate[rows, i] -= mass
            estimate[rows, end] += mass
        return (gold, near), (gold, far)
    near, far = cases[0][kept], cases[0][kept]
    commonest = near[rows, i].argmax(axis=1)
    for cm, end in ((near, j), (far, k)):
        cm[rows, i, commonest] -= 1
        cm[rows, i, end] += 1
    return (near,), (far,)


def gold_of(cases: Cases) -> Array:
    """Return gold distributions, or the number of items of each gold class."""
    return cases[0] if len(cases) > 1 else cases[0].sum(axis=2)


def mapped(cases: Cases, matrix: Array) -> Cases:
    """Return the cases on other classes: row d of a matrix says which of them make class d."""
    if len(cases) > 1:
        return tuple(np.matmul(matrix, case[..., None])[..., 0] for case in cases)
    return (matrix @ cases[0] @ np.swapaxes(matrix, -1, -2),)


def words(case: Sequence[Array]) -> str:
    """Write a case in words."""
    if len(case) > 1:
        gold, estimate = (", ".join(f"{v:.4g}" for v in values) for values in case)
        return f"gold ({gold}) and estimate ({estimate})"
    return f"the counts [{'; '.join(' '.join(f'{v:g}' for v in row) for row in case[0])}]"


def exchange(classes: int, k: int) -> NDArray[np.int_]:
    """Return the order of the classes with class k and the next one exchanged."""
    order = np.arange(classes)
    order[[k, k + 1]] = k + 1, k
    return order
