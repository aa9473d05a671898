"""Bootstrap intervals of a score, and of the difference of two systems' scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .confusion import class_codes
from .registry import ClassificationMeasure, Measure, measure_asked
from .validation import Array

__all__ = ["Interval", "interval"]

BATCH = 2**20  # numbers that are drawn at once


@dataclass(frozen=True)
class Interval:
    """A score, or a difference of two, and the ends of its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


def interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    measure: str | Measure,
    *,
    other: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    level: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Bootstrap a score over items: how far it could be off with other items of the same kind.

    Parameters
    ----------
    y_true, y_pred : array_like
        Gold and predicted classes, shape (n,), for a measure of labels; gold and estimated
        distributions, shape (n, C), for one of distributions, whose mean is the score.
    measure : str or measure
        Such as ``"kappa"`` or ``ob.kappa``.
    other : array_like, optional
        The answers of a second system to the same items. The result is then the score of `y_pred`
        minus that of `other`, drawn with the same items for both.
    labels : sequence, optional
        All classes from lowest to highest; see `confusion_matrix`.
    level : float
        The share of such intervals that should hold the score of endless items, between 0 and 1.
    samples : int
        How often the items are drawn again.
    seed : int
        Same seed, same numbers.

    Returns
    -------
    Interval
        ``value``, ``low`` and ``high``.

    Raises
    ------
    ValueError
        If the measure is unknown, the answers cannot be used, or `level` or `samples` is out of
        range.

    Notes
    -----
    The percentile method: the ends are quantiles of the scores of samples, drawn with replacement.
    Items are taken to be independent. The interval is too short for a few dozen items, and where a
    class that the measure weighs in full has but a few. An interval of a difference that holds 0
    does not show that two systems are equally good. Source: Efron and Tibshirani, An Introduction
    to the Bootstrap (1993), Chapter 13.

    Examples
    --------
    >>> gold, model = [1, 2, 3, 4, 5] * 20, [1, 2, 3, 5, 5] * 20
    >>> print(interval(gold, model, "kappa"))
    0.8837 [0.8359, 0.9254]
    """
    chosen = measure_asked(measure)
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}: pass a number between 0 and 1, such as .95")
    if samples < 1:
        raise ValueError(f"samples is {samples!r}: pass at least 1, usually 2000")
    rng = np.random.default_rng(seed)
    if isinstance(chosen, ClassificationMeasure):
        value, scores = _of_labels(chosen, y_true, y_pred, other, labels, samples, rng)
    else:
        if labels is not None:
            raise ValueError(f"{chosen.name} scores distributions, which have no labels=")
        value, scores = _of_distributions(chosen, y_true, y_pred, other, samples, rng)
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(value), float(low), float(high))


def _of_labels(
    measure: ClassificationMeasure[..., ...],
    y_true: Any,
    y_pred: Any,
    other: Any,
    labels: Sequence[Any] | None,
    samples: int,
    rng: np.random.Generator,
) -> tuple[Any, Array]:
    """Return the score of all items, or the difference of two, and those of the samples."""
    answers = {"y_true": y_true, "y_pred": y_pred}
    answers |= {} if other is None else {"other": other}
    codes, n_classes = class_codes(answers, labels)
    shape = (n_classes,) * len(codes)
    places, counts = np.unique(np.ravel_multi_index(codes, shape), return_counts=True)
    cells = np.unravel_index(places, shape)

    def scores(systems: Sequence[Array]) -> Array:
        by_system = [measure.kernel(matrices) for matrices in systems]
        return np.asarray(by_system[0] if other is None else by_system[0] - by_system[1])

    batches = redrawn(cells, counts, n_classes, samples, rng)
    whole = scores(_matrices(cells, counts[None], n_classes))
    return whole[0], np.concatenate([scores(systems) for systems in batches])


def redrawn(
    cells: Sequence[NDArray[np.int64]],
    counts: NDArray[Any],
    n_classes: int,
    samples: int,
    rng: np.random.Generator,
) -> Iterator[list[Array]]:
    """Draw items again, with replacement; yield batches of the confusion matrices of each system.

    `cells` are the gold class and the class by each system, of all the items that have the same,
    and `counts` says how many these are.
    """
    n, step = int(counts.sum()), max(1, BATCH // (len(counts) + n_classes**2))
    for start in range(0, samples, step):
        drawn = rng.multinomial(n, counts / n, min(step, samples - start))
        yield _matrices(cells, drawn, n_classes)


def _matrices(
    cells: Sequence[NDArray[np.int64]], counts: NDArray[Any], n_classes: int
) -> list[Array]:
    """Return the confusion matrices of each system for many counts (samples, cells)."""
    gold, *systems = cells
    by_system = []
    for predicted in systems:
        matrices = np.zeros((n_classes * n_classes, len(counts)))
        np.add.at(matrices, gold * n_classes + predicted, counts.T)
        by_system.append(matrices.T.reshape(-1, n_classes, n_classes))
    return by_system


def _of_distributions(
    measure: Measure, gold: Any, estimate: Any, other: Any, samples: int, rng: np.random.Generator
) -> tuple[Any, Array]:
    """Draw the items, and average their scores or differences."""
    scores = measure(gold, estimate)
    if other is not None:
        scores = scores - measure(gold, other)
    scores = np.atleast_1d(scores)
    if scores.ndim > 1 or len(scores) < 2:
        raise ValueError(
            f"y_true has {scores.size} items along {max(scores.ndim, 1)} axes: pass one "
            "distribution for each of at least two items, shape (n, C)"
        )
    n, step = len(scores), max(1, BATCH // len(scores))
    drawn = [
        rng.integers(n, size=(min(step, samples - start), n)) for start in range(0, samples, step)
    ]
    return scores.mean(), np.concatenate([scores[places].mean(axis=1) for places in drawn])
