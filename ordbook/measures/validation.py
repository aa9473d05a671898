"""Valid input of measures, and one-line errors for all other input.

Nothing is repaired silently. Every ``ValueError`` is one line that names the argument, the
row (its index in the leading axes), what was found there and how to fix it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

# A sum that is off by no more looks like one of rounded numbers, such as those of 16 bits.
ROUNDED = 0.01

Array: TypeAlias = NDArray[np.float64]
Score: TypeAlias = float | Array
Distance: TypeAlias = ArrayLike | Callable[[Array], ArrayLike] | None
Weights: TypeAlias = ArrayLike | Callable[[int], ArrayLike] | str | None


def as_score(values: Array) -> Score:
    """Return a Python float if `values` holds a single value without axes, else `values`."""
    return float(values) if np.ndim(values) == 0 else values


def _row(name: str, index: tuple[Any, ...]) -> str:
    """Write ``gold[3, 2]``, or just ``gold`` if there are no leading axes."""
    return f"{name}[{', '.join(str(int(i)) for i in index)}]" if index else name


def refuse_where(bad: NDArray[np.bool_], array: Array, name: str, why: str) -> None:
    """Raise ValueError for the first entry of an array that is bad, if there is one."""
    if bad.any():
        where = _first(bad)
        raise ValueError(f"{_row(name, where)} is {float(array[where]):g}{why}")


def _first(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """Index of the first true entry of `mask` (``()`` for a scalar)."""
    return tuple(int(i) for i in np.argwhere(mask)[0])


def refuse_masked(values: object, name: str, axes: int = 1) -> None:
    """Refuse a masked array, and lists of some, of so many axes in all."""
    rows = values if isinstance(values, list | tuple) else [values]
    if any(issubclass(kind, np.ma.MaskedArray) for kind in set(map(type, rows))):
        raise ValueError(
            f"{name} is a masked array: drop or fill its masked rows and pass a plain array"
        )
    if axes > 2:
        for row in rows:
            refuse_masked(row, name, axes - 1)


def as_real_array(values: ArrayLike, name: str) -> Array:
    """Turn `values` into a float array, refusing everything that is not plain real numbers."""
    if values is None or isinstance(values, Set | Mapping | Iterator):
        kind = "None" if values is None else f"a {type(values).__name__}"
        raise ValueError(f"{name} is {kind}: pass a list or an array, one number per class")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} has rows of different lengths: give every row one number per class"
        ) from None
    refuse_masked(values, name, array.ndim)
    if array.dtype.kind not in "iuf":
        raise ValueError(
            f"{name} is not numeric (dtype {array.dtype}): "
            "pass real numbers, for example with .astype(float)"
        )
    return np.asarray(array, dtype=np.float64)


def check_distributions(
    values: ArrayLike,
    name: str = "distribution",
    *,
    normalise: bool = False,
    tolerance: float = 1e-5,
    counts_by: str = "normalise=True for counts",
) -> Array:
    """Return `values` as a float array (..., C) of distributions, or raise ValueError on its fault.

    With `normalise` each row is divided by its sum, for counts; else nothing is changed. The sum of
    a row may be `tolerance` from 1: numbers printed to three decimals need more. `name` and
    `counts_by`, which says what the caller does with counts, are for messages.
    """
    array = as_real_array(values, name)
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance is {tolerance!r}: pass a number from 0 up to 1, such as 1e-5")
    if array.ndim == 0:
        raise ValueError(f"{name} is a single number: pass one number per class")
    if array.size == 0:
        raise ValueError(f"{name} is empty (shape {array.shape}): pass at least one row")
    if array.shape[-1] < 2:
        raise ValueError(
            f"{name} has 1 class (shape {array.shape}): pass at least two classes, on the last axis"
        )
    sums: Array = np.asarray(np.einsum("...i->...", array))  # which warns of nothing
    # The common case costs two passes: NaN and infinity make a sum fail this comparison.
    clean = bool(array.min() >= 0)
    if clean and not normalise and bool((np.abs(sums - 1) <= tolerance).all()):
        return array
    if clean and normalise and bool(((sums > 0) & (sums < np.inf)).all()):
        return array / sums[..., None]
    _refuse(array, sums, name, normalise, tolerance, counts_by)


def _refuse(
    array: Array, sums: Array, name: str, normalise: bool, tolerance: float, counts_by: str
) -> NoReturn:
    """Raise for the first row that made `check_distributions` fail."""
    for bad, fault, fix in (
        (~np.isfinite(array), "not a finite number", "drop or correct that row"),
        (
            array < 0,
            "negative",
            "probabilities and counts are at least 0 (of logits, take the softmax)",
        ),
    ):
        if bad.any():
            *row, k = _first(bad)
            value = float(array[(*row, k)])
            raise ValueError(f"{_row(name, tuple(row))} has {value:g} at class {k}, {fault}: {fix}")
    if normalise:
        row = list(_first(~((sums > 0) & (sums < np.inf))))
        raise ValueError(
            f"{_row(name, tuple(row))} sums to {float(sums[tuple(row)]):g} "
            "and cannot be normalised: drop that row"
        )
    row = list(_first(~(np.abs(sums - 1) <= tolerance)))
    finding = f"{_row(name, tuple(row))} sums to {float(sums[tuple(row)]):.10g}, not to 1:"
    if array.ndim == 1 and not np.mod(array, 1).any():
        finding += " if these are labels of items, score them with kappa or mae_macro; else"
    if abs(float(sums[tuple(row)]) - 1) <= ROUNDED:
        counts_by += f", or tolerance={ROUNDED:g} for numbers of few digits"
    raise ValueError(f"{finding} pass probabilities, or {counts_by}")


def refuse_keywords(keywords: Mapping[str, object], right: str, wrong: str, function: str) -> None:
    """Refuse keywords that a function does not have, and say how it calls the list of classes."""
    if wrong in keywords:
        raise ValueError(
            f"{function} has no {wrong}=: pass the classes from lowest to highest as {right}=[...]"
        )
    if keywords:
        raise TypeError(f"{function} got an unexpected keyword argument {min(keywords)!r}")


def check_labels(
    first: object,
    second: object,
    names: tuple[str, str] = ("gold", "estimate"),
    entries: str = "classes",
) -> None:
    """Refuse data frames and series whose labels differ: values are taken by position."""
    both = hasattr(first, "index") and hasattr(second, "index")  # frames of polars have none
    ordered = f".reindex_like({names[0]})" if both else f"[list({names[0]}.columns)]"
    for name, axis in ((entries, -1), ("rows", 0)):
        left, right = _labels(first, axis), _labels(second, axis)
        if left is not None and right is not None and _differ(left, right):
            raise ValueError(
                f"{names[0]} and {names[1]} differ in the labels of their {name}: pass the {name} "
                f"in the same order, for example {names[1]}{ordered}, or, if they are, as "
                "arrays: .to_numpy()"
            )


def _labels(data: object, axis: int) -> Any:
    """Labels of the classes (last axis) or the rows of a data frame or series, else None."""
    columns = getattr(data, "columns", None)
    if columns is not None and axis == -1:
        return columns
    index = getattr(data, "index", None)  # polars has none, and that of a list is a method
    return None if callable(index) or (columns is None) != (axis == -1) else index


def _differ(left: Any, right: Any) -> bool:
    """Tell whether labels of equal number are others, or in another order."""
    if len(left) != len(right):
        return False
    fast = hasattr(left, "equals") and hasattr(right, "equals")
    return not left.equals(right) if fast else list(left) != list(right)


def check_pair(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> tuple[Array, Array]:
    """Check gold and estimate together: the same classes, leading axes that broadcast.

    Parameters are those of `check_distributions`, once for each argument.
    """
    check_labels(gold, estimate)
    g = check_distributions(gold, "gold", normalise=normalise, tolerance=tolerance)
    p = check_distributions(estimate, "estimate", normalise=normalise, tolerance=tolerance)
    if g.shape[-1] != p.shape[-1]:
        raise ValueError(
            f"gold has {g.shape[-1]} classes and estimate has {p.shape[-1]}: "
            "pass the same classes in the same order"
        )
    try:
        np.broadcast_shapes(g.shape, p.shape)
    except ValueError:
        raise ValueError(
            f"gold {g.shape} and estimate {p.shape} do not broadcast: "
            "pass one row of each per sample, or one gold for all"
        ) from None
    return g, p


def check_distance(
    matrix: ArrayLike, n_classes: int, name: str = "distance", *, lead: tuple[int, ...] = ()
) -> Array:
    """Return a (C, C) matrix of distances as floats, or raise ValueError on its fault.

    Symmetry is not required, so that over- and underestimation may cost differently. `lead` are
    the leading axes that a matrix computed from the gold distributions may have.
    """
    array = as_real_array(matrix, name)
    square = (n_classes, n_classes)
    if array.shape != square and array.shape != lead + square:
        raise ValueError(
            f"{name} has shape {array.shape}: pass a {square} matrix, one row and one column "
            "per class, or a callable that returns one"
        )
    bad = ~(np.isfinite(array) & (array >= 0))
    refuse_where(bad, array, name, ": distances are finite and at least 0")
    if np.diagonal(array, axis1=-2, axis2=-1).any():
        raise ValueError(f"{name} is not 0 on its diagonal: a class is at distance 0 from itself")
    return array


def check_steps(steps: ArrayLike, n_classes: int) -> Array:
    """Return the widths of the steps between classes as floats, or refuse them."""
    widths = as_real_array(steps, "steps")
    if widths.shape != (n_classes - 1,):
        noun = "width" if n_classes == 2 else "widths"
        raise ValueError(
            f"steps has shape {widths.shape}: pass {n_classes - 1} {noun}, one for each step "
            f"between two neighbours of the {n_classes} classes"
        )
    mend = "two classes that are not to be told apart are merged in the data"
    bad = ~(np.isfinite(widths) & (widths > 0))
    refuse_where(bad, widths, "steps", f": widths are finite and above 0; {mend}")
    return widths


def check_confusion(cm: ArrayLike, fractions: bool = False) -> Array:
    """Return counts ``cm[..., gold, predicted]`` as floats, or raise ValueError on their fault.

    With ``fractions`` they may be sums of weights.
    """
    rows, columns = _labels(cm, 0), _labels(cm, -1)
    if rows is not None and columns is not None and _differ(rows, columns):
        raise ValueError(
            "cm differs in the labels of its rows (gold) and its columns (predicted): pass the "
            "classes in the same order, for example cm.reindex(index=cm.columns), or cm.to_numpy()"
        )
    array = as_real_array(cm, "cm")
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(
            f"cm has shape {array.shape}: pass square matrices cm[..., gold, predicted]"
        )
    if array.size == 0 and array.shape[-1] > 1:
        raise ValueError(f"cm is empty (shape {array.shape}): pass at least one matrix")
    if array.shape[-1] < 2:
        raise ValueError(
            f"cm has {array.shape[-1]} class(es): pass at least two, empty classes included"
        )
    mend = "pass counts, or sums of the items' weights"
    if not fractions:
        mend = "pass counts, not proportions (CEM_ORD and alpha depend on N)"
    for bad, fault in (
        (~np.isfinite(array), "not a finite number"),
        (array < 0, "negative"),
        (array != np.floor(array) if not fractions else np.False_, "not a whole number"),
    ):
        refuse_where(np.asarray(bad), array, "cm", f", {fault}: {mend}")
    if np.mod(array, 1).any():
        for axis, by in ((-1, "gold class"), (-2, "predicted class")):
            sums = array.sum(axis=axis)
            ones = np.abs(sums - 1) < 1e-9
            if (ones | (sums == 0)).all() and (ones.sum(axis=-1) > 1).any():
                raise ValueError(
                    f"cm is normalised by {by}: pass counts; or 100 * cm, if each {by} shall weigh "
                    "the same"
                )
    empty = ~array.any(axis=(-2, -1))
    if np.any(empty):
        raise ValueError(
            f"{_row('cm', _first(np.asarray(empty)))} holds no items: drop that matrix"
        )
    return array
