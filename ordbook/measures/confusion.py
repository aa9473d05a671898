"""Confusion matrices of labels, and measures that take either.

The papers write c_ij with i the system's class and j the gold class; here it is
cm[..., gold, predicted], as in scikit-learn.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .components import equidistance
from .validation import (
    Array,
    Score,
    as_score,
    check_confusion,
    check_distance,
    check_labels,
    refuse_keywords,
    refuse_masked,
)

__all__ = ["ClassificationMeasure", "WeightedMeasure", "Weights", "confusion_matrix"]

MOST_CLASSES = 1000
"""More integers than this between smallest and largest label are taken for a mistake."""

Weights: TypeAlias = ArrayLike | Callable[[int], ArrayLike] | str | None

# Weights by name, as scikit-learn calls them, and the power of |i - j| that each is.
POWERS = {"linear": 1, "quadratic": 2}


def _one_dimensional(labels: Any, name: str) -> NDArray[Any]:
    """Turn labels into a one-dimensional array with at least one entry."""
    refuse_masked(labels, name)
    try:
        array = np.asarray(labels)
    except ValueError:
        raise ValueError(f"{name} has entries of different lengths: pass one label each") from None
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}: pass one label per item, shape (n,)")
    if array.size == 0:
        raise ValueError(f"{name} is empty: pass at least one item")
    return array


def is_missing(value: Any) -> bool:
    """Recognise None, NaN, NaT and pandas' NA without importing pandas."""
    return (
        value is None
        or (isinstance(value, numbers.Real) and math.isnan(float(value)))
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, np.datetime64) and bool(np.isnat(value)))
    )


def _refuse_missing(array: NDArray[Any], name: str) -> None:
    if array.dtype.kind in "iubUS":
        return
    for row, value in enumerate(array):
        if is_missing(value):
            raise ValueError(f"{name}[{row}] is missing ({value}): drop or fill that row")


def _whole_numbers(array: NDArray[Any], name: str) -> NDArray[np.int64]:
    """Labels as integers; anything else has no order of its own and needs ``labels=``."""
    if array.dtype.kind == "O" and all(
        isinstance(v, numbers.Real) and not isinstance(v, (bool, np.bool_)) for v in array
    ):
        array = array.astype(np.float64)
    if array.dtype.kind not in "iuf":
        first = array[0].item() if isinstance(array[0], np.generic) else array[0]
        raise ValueError(
            f"{name} holds labels such as {first!r} that are not numbers: give labels= with all "
            "classes from lowest to highest (the alphabet is not their order)"
        )
    bad = ~np.isfinite(array) | (array != np.floor(array))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"{name}[{row}] is {float(array[row]):g}, not a whole number: "
            "pass class numbers, or labels= with all classes from lowest to highest"
        )
    too_far = np.abs(array.astype(np.float64)) > 2**53
    if too_far.any():
        row = int(np.argmax(too_far))
        raise ValueError(f"{name}[{row}] is {array[row]}: pass class numbers, or labels=")
    return array.astype(np.int64)


def _categories(*arguments: object) -> list[Any] | None:
    """Return the categories of ordered categorical data of pandas, without importing it."""
    kinds = [getattr(part, "dtype", None) for part in arguments]
    orders = [list(kind.categories) for kind in kinds if getattr(kind, "ordered", False)]  # type: ignore[union-attr]
    if len(orders) == 2 and orders[0] != orders[1]:
        raise ValueError(
            f"y_true has the ordered categories {orders[0]} and y_pred {orders[1]}: "
            "give labels= with all classes from lowest to highest"
        )
    return orders[0] if orders else None


def _positions(
    array: NDArray[Any], index: dict[Any, int], name: str, labels: list[Any]
) -> NDArray[np.int64]:
    """Position of every label in `labels`."""
    positions = np.empty(array.size, dtype=np.int64)
    for row, value in enumerate(array.tolist()):
        try:
            positions[row] = index[value]
        except (KeyError, TypeError):
            listed = labels if len(labels) <= 10 else [*labels[:9], "..."]
            raise ValueError(
                f"{name}[{row}] is {value!r}, which is not in labels={listed}: "
                "add the class to labels, or correct that row"
            ) from None
    return positions


def confusion_matrix(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Sequence[Any] | None = None
) -> Array:
    """Count the items of each gold class (rows) that were put in each class (columns).

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Gold and predicted classes.
    labels : sequence, optional
        All classes from lowest to highest; by default the categories of ordered categorical
        data of pandas. Without either, labels are whole numbers and the classes
        are *every* integer from the smallest to the largest present, as the papers represent
        classes by consecutive integers: -2 and 0 are two steps apart even if -1 is empty.

    Returns
    -------
    ndarray, shape (C, C)

    Raises
    ------
    ValueError
        Different lengths, no items, missing labels, labels that are not whole numbers or span
        over 1000 classes without `labels`, duplicates in `labels`, a label not in `labels`,
        two Series whose indexes disagree, or gold and predictions whose ordered categories do.

    Examples
    --------
    >>> confusion_matrix([-2, 0, 0], [-2, 0, -2])
    array([[1., 0., 0.],
           [0., 0., 0.],
           [1., 0., 1.]])
    """
    check_labels(y_true, y_pred, ("y_true", "y_pred"), "items")
    true, pred = _one_dimensional(y_true, "y_true"), _one_dimensional(y_pred, "y_pred")
    if true.size != pred.size:
        raise ValueError(
            f"y_true has {true.size} items and y_pred has {pred.size}: "
            "pass one prediction per item, in the same order"
        )
    _refuse_missing(true, "y_true")
    _refuse_missing(pred, "y_pred")
    if labels is None:
        labels = _categories(y_true, y_pred)
    if labels is None:
        rows, columns = _whole_numbers(true, "y_true"), _whole_numbers(pred, "y_pred")
        low = int(min(rows.min(), columns.min()))
        n_classes = int(max(rows.max(), columns.max())) - low + 1
        if n_classes > MOST_CLASSES:
            raise ValueError(
                f"labels run from {low} to {low + n_classes - 1}, {n_classes} classes: "
                "give labels= with all classes from lowest to highest"
            )
        rows, columns = rows - low, columns - low
    else:
        classes = _one_dimensional(labels, "labels")
        _refuse_missing(classes, "labels")
        order = classes.tolist()
        index = {label: k for k, label in enumerate(order)}
        if len(index) < len(order):
            twice = next(v for k, v in enumerate(order) if v in order[:k])
            raise ValueError(f"labels names {twice!r} twice: give every class once")
        if len(order) < 2:
            raise ValueError(f"labels has 1 class ({order[0]!r}): give at least two")
        n_classes = len(order)
        rows = _positions(true, index, "y_true", order)
        columns = _positions(pred, index, "y_pred", order)
    counts = np.bincount(rows * n_classes + columns, minlength=n_classes * n_classes)
    return counts.reshape(n_classes, n_classes).astype(np.float64)


class ClassificationMeasure:
    """A measure defined once, on confusion matrices, and callable on labels.

    Made from its kernel: ``accuracy = ClassificationMeasure(kernel)`` takes over the kernel's
    name and docstring. ``accuracy(y_true, y_pred, labels=None)`` is what scikit-learn's
    ``make_scorer`` expects; ``accuracy.from_confusion(cm)`` scores any number of matrices.
    It is pickled by its name, as a function is.
    """

    __name__: str
    __signature__: inspect.Signature

    def __init__(self, kernel: Callable[..., Array]) -> None:
        functools.update_wrapper(self, kernel)
        self.kernel = kernel
        bound = inspect.signature(type(self).__call__)
        own = [p for name, p in bound.parameters.items() if name not in ("self", "others")]
        self.__signature__ = bound.replace(parameters=own)

    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Sequence[Any] | None = None,
        **others: Any,
    ) -> float:
        """Score predicted labels against gold labels (see `confusion_matrix`)."""
        refuse_keywords(others, "labels", "classes", self.__name__)
        return float(self.kernel(confusion_matrix(y_true, y_pred, labels=labels)))

    def from_confusion(self, cm: ArrayLike) -> Score:
        """Score matrices of counts cm[..., gold, predicted]; the result has shape (...)."""
        return as_score(self.kernel(check_confusion(cm)))

    def __repr__(self) -> str:
        return f"<measure {self.__module__}.{self.__name__}>"

    def __reduce__(self) -> str:
        # A string names a global of __module__; copy and scikit-learn's clone keep the object.
        return self.__name__


class WeightedMeasure(ClassificationMeasure):
    """A `ClassificationMeasure` whose disagreements are weighted by ``weights=``.

    ``weights`` is None or ``"linear"`` for |i - j|, ``"quadratic"`` for its square, a (C, C)
    matrix (0 on the diagonal, indexed [gold, predicted]), or a callable that takes C and returns
    one.
    """

    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Sequence[Any] | None = None,
        weights: Weights = None,
        **others: Any,
    ) -> float:
        """Score predicted labels against gold labels (see `confusion_matrix`)."""
        refuse_keywords(others, "labels", "classes", self.__name__)
        cm = confusion_matrix(y_true, y_pred, labels=labels)
        return float(self.kernel(cm, _weight_matrix(weights, cm.shape[-1])))

    def from_confusion(self, cm: ArrayLike, *, weights: Weights = None) -> Score:
        """Score matrices of counts cm[..., gold, predicted]; the result has shape (...)."""
        counts = check_confusion(cm)
        return as_score(self.kernel(counts, _weight_matrix(weights, counts.shape[-1])))


def _weight_matrix(weights: Weights, n_classes: int) -> Array:
    """Return the (C, C) matrix that `weights` stands for; |i - j| by default."""
    if weights is None or isinstance(weights, str):
        name = "linear" if weights is None else weights
        if name not in POWERS:
            raise ValueError(
                f"weights={name!r} is not known: pass {' or '.join(map(repr, POWERS))}, a matrix "
                "of one row and one column per class, or a callable that returns one"
            )
        return equidistance(n_classes) ** POWERS[name]
    matrix = weights(n_classes) if callable(weights) else weights
    return check_distance(matrix, n_classes, "weights")
