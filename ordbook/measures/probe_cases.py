"""The cases that a probe tries a measure on: the simplest first, then random ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from .validation import Array


def cases_of(quantification: bool, classes: int, seed: int, size: int) -> tuple[Array, ...]:
    """Gold and estimates, or confusion matrices: the simplest first."""
    rng = np.random.default_rng((seed, classes, size))
    if quantification:
        small = all_votes(classes, 4 if classes <= 3 else 2 if classes <= 7 else 1)
        small = np.unique(small / small.sum(1, keepdims=True), axis=0)[::-1]
        # Simple: few classes in use, and few votes.
        votes = 1 / np.where(small > 0, small, 1).min(axis=1)
        order = np.argsort((small > 0).sum(1) * 10 + votes, kind="stable")
        small = small[order]
        cost = np.arange(len(small))
        first, second = (a.ravel() for a in np.meshgrid(cost, cost, indexing="ij"))
        order = np.argsort(first + second, kind="stable")
        gold, estimate = small[first[order]], small[second[order]]
        drawn = [random_votes(classes, size, 30, rng) for _ in range(2)]
        drawn[1][-size // 10 :] = drawn[0][-size // 10 :]
        drawn = [d / d.sum(1, keepdims=True) for d in drawn]
        return np.concatenate([gold, drawn[0]]), np.concatenate([estimate, drawn[1]])
    cells = classes**2
    small = all_votes(cells, 4 if classes == 2 else 3 if classes == 3 else 2 if classes <= 7 else 1)
    drawn_cm = [random_votes(cells, size // 2 + 1, total, rng) for total in (6, 60)]
    off = ~np.eye(classes, dtype=bool).ravel()
    right = drawn_cm[1].copy()
    right[:, off] = np.floor(right[:, off] / 4)
    right[right.sum(1) == 0, 0] = 1
    matrices = np.concatenate([small, *drawn_cm, right])
    return (matrices.reshape(-1, classes, classes),)


def all_votes(cells: int, most: int) -> Array:
    """Every way to put 1, 2, ... `most` votes into cells, the fewest votes first."""
    rows = [
        np.bincount(chosen, minlength=cells)
        for count in range(1, most + 1)
        for chosen in combinations_with_replacement(range(cells - 1, -1, -1), count)
    ]
    return np.array(rows, dtype=np.float64)


def random_votes(cells: int, size: int, total: int, rng: np.random.Generator) -> Array:
    """Votes spread over random subsets of the cells, some with ties."""
    weights = rng.random((size, cells)) * (rng.random((size, cells)) < rng.random((size, 1)))
    weights[np.arange(size), rng.integers(0, cells, size)] += 0.1
    votes = np.stack([rng.multinomial(total, w / w.sum()) for w in weights])
    votes[: size // 3] = np.minimum(votes[: size // 3], 1)  # tied: all of the chosen are equal
    return votes.astype(np.float64)


def moved_farther(
    quantification: bool, cases: tuple[Array, ...]
) -> Iterator[tuple[tuple[Array, ...], tuple[Array, ...]]]:
    """Pairs of cases, the second with the same error one class farther from the gold class."""
    classes = cases[0].shape[-1]
    for i in range(classes):
        for j in range(classes):
            k = j + 1 if j > i else j - 1
            if j == i or not 0 <= k < classes:
                continue
            if quantification:
                # Half or all of a gold class's mass is put into class j, or into class k.
                gold = np.unique(cases[0], axis=0)[::-1]
                gold = gold[gold[:, i] > 0]
                for part in (1.0, 0.5):
                    near = gold.copy()
                    near[:, i] -= part * gold[:, i]
                    far = near.copy()
                    near[:, j] += part * gold[:, i]
                    far[:, k] += part * gold[:, i]
                    yield (gold, near), (gold, far)
            else:
                near = cases[0][cases[0][:, i, j] > 0]
                far = near.copy()
                far[:, i, j] -= 1
                far[:, i, k] += 1
                if len(near):
                    yield (near,), (far,)


def permuted(quantification: bool, cases: tuple[Array, ...], order: Any) -> tuple[Array, ...]:
    """Return the cases with their classes in another order."""
    if quantification:
        return tuple(case[:, order].copy() for case in cases)
    return (cases[0][:, order][:, :, order].copy(),)


def complexity(cases: tuple[Array, ...], k: int) -> float:
    """Size of a case: classes in use, then items or digits."""
    if len(cases) == 2:
        used = sum(float((case[k] > 0).sum()) for case in cases)
        return used + 0.01 * sum(len({round(float(v), 9) for v in case[k]}) for case in cases)
    return float(cases[0][k].sum()) + 0.01 * float((cases[0][k] > 0).sum())
