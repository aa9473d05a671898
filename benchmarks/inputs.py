"""Simulated inputs: distributions, labels, a task and scores. Nothing is real data."""

from typing import Any, NamedTuple

import numpy as np

from ordbook import ClassificationTask, ScoreMatrix
from ordbook.data.tasks import Provenance

# The shares of the five classes of SemEval-2016 Task 4 Subtask C.
SHARES = np.array([0.01, 0.11, 0.49, 0.38, 0.02])


class Pair(NamedTuple):
    """Gold and estimate (distributions, or labels 0 to ``classes`` - 1), and what they are."""

    gold: np.ndarray[Any, Any]
    estimate: np.ndarray[Any, Any]
    classes: int
    kind: str


def distribution_pairs(n: int, repeats: int) -> list[Pair]:
    """Pairs of distributions over n classes, ``repeats`` of each drawn kind."""
    rng = np.random.default_rng(n)
    one_hot, uniform = np.eye(n), np.full(n, 1 / n)
    pairs = [Pair(g, p, n, "degenerate") for g in one_hot for p in one_hot]
    pairs += [Pair(g, uniform, n, "uniform") for g in (uniform, *one_hot)]
    pairs += [Pair(uniform, p, n, "uniform") for p in one_hot]
    for _ in range(repeats):
        pairs.append(Pair(*rng.dirichlet(np.ones(n), 2), n, "random"))
        # Little mass outside one or two classes, and classes without any.
        g, p = rng.dirichlet(np.full(n, 0.3), 2)
        empty = rng.integers(n)
        pairs.append(Pair(_without(g, empty), _without(p, rng.integers(n)), n, "sparse"))
        # The shares of a few votes: zeros and ties.
        votes = rng.multinomial(rng.integers(1, 7), uniform, 2)
        pairs.append(Pair(*(votes / votes.sum(axis=1, keepdims=True)), n, "tied"))
        # Ties that rounding breaks: two classes of the same size, one of them off by its last bits.
        pairs.append(Pair(_nearly_tied(g, rng), _nearly_tied(p, rng), n, "float ties"))
        # Noise where there is no gold, as a subtraction leaves it.
        noisy = _without(rng.dirichlet(np.ones(n)), empty)
        noisy[empty] = 1e-13
        noisy /= noisy.sum()
        pairs.append(Pair(noisy, rng.dirichlet(np.ones(n)), n, "float noise"))
        near = rng.dirichlet(np.ones(n))
        pairs.append(Pair(near, 0.999 * near + 0.001 * uniform, n, "near"))
    return pairs


def _without(p: np.ndarray[Any, Any], k: int) -> np.ndarray[Any, Any]:
    """``p`` with nothing in class ``k``; all in the next class if there was nothing else."""
    kept = np.where(np.arange(p.size) == k, 0.0, np.round(p, 6))
    if not kept.any():
        kept[(k + 1) % p.size] = 1.0
    return kept / kept.sum()


def _nearly_tied(p: np.ndarray[Any, Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """``p`` with the mass of two classes shared equally, but for the last bits of one."""
    i, j = rng.choice(p.size, 2, replace=False)
    q = p.copy()
    q[i] = q[j] = (p[i] + p[j]) / 2
    q[i] += 2e-16 if q[i] > 0.1 else 0.0
    return q


def label_pairs(n: int, repeats: int) -> list[Pair]:
    """Pairs of label lists over n classes, ``repeats`` of each drawn kind."""
    rng = np.random.default_rng(100 + n)
    pairs = [
        Pair(np.full(size, g), np.full(size, p), n, "degenerate")
        for size in (1, 4)
        for g in range(n)
        for p in range(n)
    ]
    for _ in range(repeats):
        size = int(rng.integers(20, 200))
        gold = rng.integers(0, n, size)
        pairs.append(Pair(gold, rng.integers(0, n, size), n, "random"))
        gold = rng.choice(n, size, p=rng.dirichlet(np.full(n, 0.5)))
        off = np.clip(gold + rng.integers(-1, 2, size), 0, n - 1)
        pairs.append(Pair(gold, off, n, "imbalanced"))
        pairs.append(Pair(gold, np.full(size, rng.integers(n)), n, "constant run"))
        few = int(rng.integers(1, 6))  # empty classes, at the ends and between
        pairs.append(Pair(rng.integers(0, n, few), rng.integers(0, n, few), n, "sparse"))
    return pairs


def simulated_task(items: int = 20_632, topics: int = 100, runs: int = 12) -> ClassificationTask:
    """Simulate a task of the size of SemEval-2016 Task 4 Subtask C, with its class shares.

    Run r keeps a label with a probability that falls from .9 to .4 with r and moves it one or two
    classes otherwise.
    """
    rng = np.random.default_rng(0)
    n = SHARES.size
    gold = rng.choice(n, items, p=SHARES / SHARES.sum())
    # Every topic gets one item, the rest fall anywhere.
    topic = np.concatenate([np.arange(topics), rng.integers(0, topics, items - topics)])
    predicted = {}
    for r, right in enumerate(np.linspace(0.9, 0.4, runs)):
        step = rng.choice([-2, -1, 1, 2], items, p=[0.1, 0.4, 0.4, 0.1])
        step[rng.random(items) < right] = 0
        predicted[f"run{r + 1}"] = np.clip(gold + step, 0, n - 1)
    return ClassificationTask.from_labels(gold, predicted, topic, range(n), name="simulated")


def simulated_scores(measures: int, topics: int, runs: int) -> ScoreMatrix:
    """Scores that differ by topic and run, and whose noise differs by measure."""
    rng = np.random.default_rng(0)
    quality = rng.normal(0, 1, (topics, 1)) + rng.normal(0, 0.3, runs)
    values = quality + rng.normal(0, 1, (measures, topics, runs))
    names = tuple(f"measure {k}" for k in range(measures))
    return ScoreMatrix(
        f"{topics} x {runs}",
        values,
        names,
        tuple(map(str, range(topics))),
        tuple(f"run {k}" for k in range(runs)),
        dict.fromkeys(names, "high"),
        Provenance("yours"),
    )
