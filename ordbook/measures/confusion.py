"""Confusion matrices of labels.

The papers write c_ij with i the system's class and j the gold class; here it is
cm[..., gold, predicted], as in scikit-learn.
"""

from __future__ import annotations

import math
import numbers
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import Array, as_real_array, check_labels, refuse_masked, refuse_where

__all__ = ["confusion_matrix"]

MOST_CLASSES = 1000
"""More integers than this between smallest and largest label are taken for a mistake."""


def _one_dimensional(labels: Any, name: str) -> NDArray[Any]:
    """Turn labels into a one-dimensional array with at least one entry."""
    refuse_masked(labels, name)
    if labels is None or isinstance(labels, Set | Mapping | Iterator):
        kind = "None" if labels is None else f"a {type(labels).__name__}"
        raise ValueError(f"{name} is {kind}: pass a list, which has an order")
    try:
        array = np.asarray(labels)
    except ValueError:
        raise ValueError(f"{name} has entries of different lengths: pass one label each") from None
    if array.ndim == 2 and len(set(array.shape)) == 1:
        raise ValueError(
            f"{name} has shape {array.shape}: pass one label per item, shape (n,); counts go into "
            "from_confusion, as in kappa.from_confusion(cm)"
        )
    if array.ndim == 0:
        raise ValueError(f"{name} is a {type(labels).__name__}: pass a list, one label per item")
    if array.ndim != 1:
        mend = ""
        if array.ndim == 2:
            mend = ", such as .argmax(axis=1); rps scores probabilities"
            mend = ", by .ravel()" if array.shape[1] == 1 else mend
        raise ValueError(
            f"{name} has shape {array.shape}: pass one label per item, shape (n,){mend}"
        )
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
    numbers = array.dtype.kind == "f"
    missing = np.isnan(array) if numbers else np.array([is_missing(value) for value in array])
    if missing.any():
        row = int(missing.argmax())
        raise ValueError(f"{name}[{row}] is missing ({array[row]}): drop or fill that row")


def _whole_numbers(array: NDArray[Any], name: str) -> NDArray[np.int64]:
    """Labels as integers; anything else has no order of its own and needs ``labels=``."""
    _refuse_missing(array, name)
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


def _categories(values: object) -> list[Any] | None:
    """Return the categories of pandas' categorical data and of polars' Enum, importing neither."""
    dtype = getattr(values, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None or (hasattr(values, "to_physical") and not _is_enum(dtype)):
        return None  # polars' Categorical is text, in the order in which it was read
    return list(categories)


def _is_enum(dtype: object) -> bool:
    return type(dtype).__name__ == "Enum"


def _ordered_categories(answers: Mapping[str, object]) -> list[Any] | None:
    """Return the categories of those whose categories are ordered."""
    orders = {
        name: _categories(values)
        for name, values in answers.items()
        if getattr(dtype := getattr(values, "dtype", None), "ordered", 0) or _is_enum(dtype)
    }
    if not orders:
        return None
    (first, order), *others = orders.items()
    for name, another in others:
        if another != order:
            raise ValueError(
                f"{first} has the ordered categories {order} and {name} {another}: "
                "give labels= with all classes from lowest to highest"
            )
    return order


def _codes(values: Any) -> Any:
    """Return the codes of categorical data, else the data."""
    if _categories(values) is None:
        return values
    if hasattr(values, "to_physical"):
        return values.to_physical()
    return getattr(values, "cat", values).codes


def _positions(
    values: object, entries: NDArray[Any], classes: NDArray[Any], name: str
) -> NDArray[np.int64]:
    """Position of every label in `classes`; entries are codes where values are categorical."""
    order = classes.tolist()
    index = defaultdict(lambda: -1, {label: k for k, label in enumerate(order)})
    categories, kinds = _categories(values), {entries.dtype.kind, classes.dtype.kind}
    if categories is not None:
        places = np.array([*(index[category] for category in categories), -1])
        positions: NDArray[np.int64] = places[entries]  # the code of a missing entry is -1
    elif kinds <= set("iuf") or kinds == {"U"}:
        by_value = np.argsort(classes)
        places = np.searchsorted(classes, entries, sorter=by_value)
        positions = by_value[np.minimum(places, len(order) - 1)]
        positions[classes[positions] != entries] = -1
    else:
        places_of = map(index.__getitem__, entries.tolist())
        positions = np.fromiter(places_of, np.int64, entries.size)
    if positions.min() < 0:
        array = np.asarray(values)
        _refuse_missing(array, name)
        row = int(positions.argmin())
        listed = order if len(order) <= 10 else [*order[:9], "..."]
        raise ValueError(
            f"{name}[{row}] is {array[row : row + 1].tolist()[0]!r}, which is not in "
            f"labels={listed}: add the class to labels, or correct that row"
        )
    return positions


def _classes(labels: Any) -> NDArray[Any]:
    """Return the list of all classes as an array."""
    classes = _one_dimensional(labels, "labels")
    _refuse_missing(classes, "labels")
    order = classes.tolist()
    if len(set(order)) < len(order):
        twice = next(label for k, label in enumerate(order) if label in order[:k])
        raise ValueError(f"labels names {twice!r} twice: give every class once")
    if len(order) < 2:
        raise ValueError(f"labels has 1 class ({order[0]!r}): give at least two")
    return classes


def _item_weights(weights: ArrayLike, items: int) -> Array:
    """Return the weight of each item as floats."""
    array = as_real_array(weights, "sample_weight")
    if array.shape != (items,):
        raise ValueError(
            f"sample_weight has shape {array.shape}: pass one weight for each of {items} items"
        )
    refuse_where(
        ~(np.isfinite(array) & (array >= 0)),
        array,
        "sample_weight",
        ": weights are finite and at least 0; drop or correct that row",
    )
    if not array.any():
        raise ValueError("sample_weight is 0 for every item: leave it out, or correct it")
    return array


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
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
    sample_weight : array_like, shape (n,), optional
        Weight of each item, at least 0; an item of weight 2 counts as two items.

    Returns
    -------
    ndarray, shape (C, C)
        Counts, or sums of the weights.

    Raises
    ------
    ValueError
        Different lengths, no items, missing labels, labels that are not whole numbers or span
        over 1000 classes without `labels`, duplicates in `labels`, a label not in `labels`,
        weights that are negative, not finite or all 0,
        two Series whose indexes disagree, or gold and predictions whose ordered categories do.

    Examples
    --------
    >>> confusion_matrix([-2, 0, 0], [-2, 0, -2])
    array([[1., 0., 0.],
           [0., 0., 0.],
           [1., 0., 1.]])
    """
    (rows, columns), n_classes = class_codes({"y_true": y_true, "y_pred": y_pred}, labels)
    weights = None if sample_weight is None else _item_weights(sample_weight, rows.size)
    counts = np.bincount(rows * n_classes + columns, weights, minlength=n_classes * n_classes)
    return counts.reshape(n_classes, n_classes).astype(np.float64)


def class_codes(
    answers: Mapping[str, Any], labels: Sequence[Any] | None
) -> tuple[list[NDArray[np.int64]], int]:
    """Return the number of each item's class, from 0, in each list of labels, and that of classes.

    ``answers`` has their names for messages; the first is gold. Without ``labels`` the classes are
    those of ordered categories, or every integer from the smallest to the largest present.
    """
    (gold, y_true), *others = answers.items()
    for name, y_pred in others:
        check_labels(y_true, y_pred, (gold, name), "items")
    labels = _ordered_categories(answers) if labels is None else labels
    coded = {
        name: _one_dimensional(values if labels is None else _codes(values), name)
        for name, values in answers.items()
    }
    for name, _ in others:
        if coded[name].size != coded[gold].size:
            raise ValueError(
                f"{gold} has {coded[gold].size} items and {name} has {coded[name].size}: "
                "pass one prediction per item, in the same order"
            )
    if labels is not None:
        classes = _classes(labels)
        positions = [
            _positions(values, coded[name], classes, name) for name, values in answers.items()
        ]
        return positions, classes.size
    whole = [_whole_numbers(array, name) for name, array in coded.items()]
    low = int(min(array.min() for array in whole))
    n_classes = int(max(array.max() for array in whole)) - low + 1
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"labels run from {low} to {low + n_classes - 1}, {n_classes} classes: "
            "give labels= with all classes from lowest to highest"
        )
    return [array - low for array in whole], n_classes
