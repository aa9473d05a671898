"""Measures of your own."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from .cases import words
from .registry import (
    FACTS,
    ClassificationMeasure,
    Measure,
    QuantificationMeasure,
    plain,
    refuse_built_in,
    with_labels,
)
from .validation import Array

__all__ = ["custom_measure", "import_measures"]

Better = Literal["low", "high"]
Kind = Literal["quantification", "classification"]
Bounds = tuple[float, float] | Callable[[int], tuple[float, float]]


def custom_measure(
    name: str,
    function: Callable[..., Any],
    *,
    better: Better,
    kind: Kind = "quantification",
    title: str | None = None,
    bounds: Bounds | None = None,
    source: str = "yours",
    **facts: Any,
) -> Measure:
    """Make a measure of your function, which every analysis then takes like a built-in one.

    Parameters
    ----------
    name
        Its name in tables, other than that of a built-in measure.
    function
        For quantification f(gold, estimate): arrays (..., C) of distributions that broadcast ->
        one score each (...). For classification f(cm): counts (..., C, C), ``cm[..., gold,
        predicted]`` -> (...). It is called with many rows at once; wrap a function of single rows
        by ``numpy.vectorize(f, signature="(c),(c)->()")``.
    better
        Which end of the scale is better: ``"low"`` or ``"high"``.
    kind
        ``"quantification"`` or ``"classification"``.
    title
        Full name.
    bounds
        (least, largest) score, or a function of the number of classes that returns them.
        :func:`probe` checks them. Unknown by default.
    source
        Where the definition stands.
    **facts
        Other attributes of :class:`Measure` that you state (``symmetric=True``), else None.

    Returns
    -------
    Measure
        A call validates input as the built-in ones do. Its ``kernel`` refuses scores that are
        not finite numbers of the right shape.

    Raises
    ------
    ValueError
        If the name is taken, an argument is unknown, or the function fails on a perfect estimate.

    Examples
    --------
    >>> import numpy as np
    >>> def chebyshev(gold, estimate):
    ...     return np.abs(gold - estimate).max(axis=-1)
    >>> measure = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1))
    >>> measure([.5, .5, 0], [.2, .3, .5])
    0.5
    """
    if not isinstance(name, str) or not name.isprintable() or not name or name != name.strip():
        raise ValueError(f"a measure needs a printable name without blanks around it, not {name!r}")
    refuse_built_in(name)
    if better not in ("low", "high"):
        raise ValueError(f"{name}: better must be 'low' or 'high', not {better!r}")
    if kind not in ("quantification", "classification"):
        raise ValueError(f"{name}: kind must be 'quantification' or 'classification', not {kind!r}")
    if unknown := set(facts) - set(FACTS) | set(facts) & {"skill"}:
        raise ValueError(f"{name}: a measure has no {', '.join(sorted(unknown))}")
    if callable(bounds):
        limits, in_words = bounds, "depends on the number of classes"
    elif bounds is None:
        limits, in_words = (lambda classes: (-np.inf, np.inf)), "not stated"
    else:
        low, high = bounds
        if not low < high:
            raise ValueError(f"bounds must be (least, largest), not {bounds!r}")
        limits, in_words = (lambda classes: (float(low), float(high))), f"{low:g} to {high:g}"
    quantification = kind == "quantification"
    kernel = _checked(name, function, quantification)
    uneven = np.array([[3.0, 2.0, 1.0], [1.0, 4.0, 1.0]])
    perfect = (uneven / 6, uneven / 6) if quantification else (uneven[..., None] * np.eye(3),)
    attributes: dict[str, Any] = dict.fromkeys(FACTS) | {
        "name": name,
        "title": title or name,
        "better": better,
        "range": in_words,
        "bounds": limits,
        "perfect": float(kernel(*perfect)[0]),
        "skill": False,
        "default": True,
        "source": source,
        "papers": (),
    }
    del attributes["kind"]
    if quantification:
        return QuantificationMeasure(kernel, plain, **attributes | facts)
    return ClassificationMeasure(kernel, with_labels, **attributes | facts)


def _checked(name: str, function: Callable[..., Any], quantification: bool) -> Callable[..., Array]:
    """Return the user's function with its output checked."""
    axes = 1 if quantification else 2

    @functools.wraps(function)
    def kernel(*cases: Array) -> Array:
        shapes = ", ".join(str(case.shape) for case in cases)
        try:
            returned = function(*(case.copy() for case in cases))
            scores = np.ma.filled(np.ma.array(returned, dtype=np.float64), np.nan)
        except (Exception, SystemExit) as error:
            raise ValueError(
                f"{name}: the function fails on arrays of shape {shapes} ({_in_a_line(error)})"
            ) from error
        expected = np.broadcast_shapes(*(case.shape for case in cases))[:-axes]
        if scores.shape != expected:
            raise ValueError(
                f"{name}: the function returns shape {scores.shape} for input of shape {shapes}, "
                f"expected {expected}: one score per row (work along the last axis, axis=-1)"
            )
        if not np.isfinite(scores).all():
            where = tuple(np.argwhere(~np.isfinite(scores))[0])
            case = tuple(array[where] for array in np.broadcast_arrays(*cases))
            raise ValueError(
                f"{name}: {words(case)} score {scores[where]}; define it "
                "(every valid case needs a score)"
            )
        return scores

    kernel.__name__ = name
    return kernel


def import_measures(places: str) -> tuple[Measure, ...]:
    """Import measures of your own from Python files or modules.

    The file is executed, so name only files that you trust.

    Parameters
    ----------
    places
        ``"my_measures.py:CHEBYSHEV"`` or ``"my_package.measures:CHEBYSHEV"``; several are
        separated by commas. NAME must be what :func:`custom_measure` returned. Empty for none.

    Returns
    -------
    tuple of Measure

    Raises
    ------
    ValueError
        If a place is not of that form, the file or module cannot be imported, it has no NAME,
        NAME is no measure, or two measures have one name.
    """
    measures: dict[str, Measure] = {}
    for place in filter(None, map(str.strip, places.split(","))):
        source, colon, name = place.rpartition(":")
        if not colon or not source or not name:
            raise ValueError(f"measure {place!r}: write FILE.py:NAME or MODULE:NAME")
        try:
            measure = _namespace(source).get(name)
        except (Exception, SystemExit) as error:  # whatever the user's file raises, an exit too
            raise ValueError(f"measure {place!r}: {_in_a_line(error)}") from error
        if not isinstance(measure, Measure):
            fault = "there is no such name" if measure is None else "that is no measure"
            raise ValueError(
                f"measure {place!r}: {fault} in {source}; define there "
                f"{name} = ordbook.measures.custom_measure(...)"
            )
        if measure.name in measures:
            raise ValueError(f"measure {place!r}: {measure.name!r} is named twice")
        measures[measure.name] = measure
    return tuple(measures.values())


def _namespace(source: str) -> dict[str, Any]:
    """Return the names that a file defines, or a module."""
    if not source.endswith(".py"):
        return vars(importlib.import_module(source))
    from pathlib import Path  # half of the time that importing the measures takes

    names: dict[str, Any] = {"__name__": Path(source).stem, "__file__": source}
    exec(compile(Path(source).read_bytes(), source, "exec"), names)  # noqa: S102, named by the user
    return names


def _in_a_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
