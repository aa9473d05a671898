"""Learners that both subtasks share: features and shares of votes -> shares of votes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

Array = NDArray[np.float64]


def table(keys: Sequence[Any], y: Array, summary: Callable[..., Array] = np.mean) -> Array:
    """Summarise the training examples by key; a key that is not there gets the summary of all."""
    known, new = (key if key.ndim > 1 else key[:, None] for key in keys)
    answers = np.tile(summary(y, axis=0), (len(new), 1))
    for key in np.unique(new, axis=0):
        same = (known == key).all(axis=1)
        if same.any():
            answers[(new == key).all(axis=1)] = summary(y[same], axis=0)
    return answers


def clipped(shares: Array) -> Array:
    """Set what is negative to 0, and divide by the sum."""
    shares = np.maximum(shares, 0)
    return shares / shares.sum(axis=1, keepdims=True)


def logistic(x: Array, y: Array, new: Array, strength: float) -> Array:
    """Fit a multinomial logit; ``strength`` is scikit-learn's C for shares that sum to 1."""
    examples, classes, weights = _votes(x, y)
    model = LogisticRegression(C=strength, max_iter=2000, tol=1e-6)
    return model.fit(examples, classes, weights).predict_proba(new)


def forest(x: Array, y: Array, new: Array, leaf: int) -> Array:
    """Fit 200 extremely randomised trees with at least ``leaf`` examples in a leaf."""
    # One job: with more, the trees' answers are added in the order in which threads finish.
    model = ExtraTreesRegressor(200, min_samples_leaf=leaf, random_state=0, n_jobs=1)
    return clipped(model.fit(x, y).predict(new))


def boosted(x: Array, y: Array, new: Array, rounds: int) -> Array:
    """Fit small boosted trees for a number of rounds."""
    examples, classes, weights = _votes(x, y)
    model = HistGradientBoostingClassifier(
        learning_rate=0.1,
        max_iter=rounds,
        max_leaf_nodes=6,
        min_samples_leaf=100,
        l2_regularization=1,
        early_stopping=False,
        random_state=0,
    )
    return model.fit(examples, classes, weights).predict_proba(new)


def rounded(shares: Array, decimals: int = 4) -> NDArray[np.int64]:
    """Round to whole units of the last decimal, the largest remainders up (of equal ones the first).

    Examples
    --------
    >>> rounded(np.array([[1 / 3, 1 / 3, 1 / 3]])).tolist()
    [[3334, 3333, 3333]]
    """  # noqa: E501
    unit = 10**decimals
    exact = shares * unit
    units = np.floor(exact + 1e-9).astype(np.int64)
    order = np.argsort(-(exact - units).round(6), axis=1, kind="stable")
    rank = np.argsort(order, axis=1, kind="stable")
    return units + (rank < unit - units.sum(axis=1, keepdims=True))


def _votes(x: Array, y: Array) -> tuple[Array, NDArray[np.intp], Array]:
    """Turn shares into examples of one class each, with weights."""
    row, label = np.nonzero(y)
    return x[row], label, y[row, label]
