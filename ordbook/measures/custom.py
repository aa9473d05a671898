"""Measures of your own."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .cases import Cases, drawn, words
from .confusion import ClassificationMeasure
from .guarantees import SAME
from .quantification import mean_form
from .registry import Measure, refuse_built_in
from .validation import Array, Score, as_score, check_pair

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
        Other attributes of :class:`Measure` that you state (``symmetric=True``). Those that you do
        not state are None; :func:`probe` finds counterexamples to them.

    Returns
    -------
    Measure
        Its ``function`` validates input as the built-in ones do. Its ``kernel`` refuses
        scores that are not finite numbers of the right shape.

    Raises
    ------
    ValueError
        If the name is taken, an argument is unknown, the function fails on valid input or scores
        a row differently alone and among others, or an estimate scores better than a perfect one
        and ``perfect=`` (the score of a perfect estimate) is not stated.

    Examples
    --------
    >>> import numpy as np
    >>> def chebyshev(gold, estimate):
    ...     return np.abs(gold - estimate).max(axis=-1)
    >>> measure = custom_measure(
    ...     "Chebyshev", chebyshev, better="low", bounds=(0, 1), symmetric=True
    ... )
    >>> measure.function([.5, .5, 0], [.2, .3, .5])
    0.5
    >>> print(measure.symmetric, measure.ordinal)
    True None
    """
    if not isinstance(name, str) or not name.isprintable() or not name or name != name.strip():
        raise ValueError(f"a measure needs a printable name without blanks around it, not {name!r}")
    refuse_built_in(name)
    if better not in ("low", "high"):
        raise ValueError(f"{name}: better must be 'low' or 'high', not {better!r}")
    if kind not in ("quantification", "classification"):
        raise ValueError(f"{name}: kind must be 'quantification' or 'classification', not {kind!r}")
    own = {"kernel", "mean", "skill"}
    if unknown := set(facts) - set(Measure.__dataclass_fields__) | set(facts) & own:
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
    scoring = _on_distributions(kernel) if quantification else ClassificationMeasure(kernel)
    uneven = np.array([3.0, 2.0, 1.0])
    perfect = kernel(uneven / 6, uneven / 6) if quantification else kernel(np.diag(uneven))
    attributes = dict.fromkeys(Measure.__dataclass_fields__) | {
        "name": name,
        "title": title or name,
        "kind": kind,
        "function": scoring,
        "kernel": kernel,
        "mean": mean_form(scoring) if quantification else None,
        "better": better,
        "range": in_words,
        "bounds": limits,
        "perfect": float(perfect),
        "skill": False,
        "source": source,
        "papers": (),
    }
    measure = Measure(**attributes | facts)
    _refuse_mixed_rows(measure)
    if "perfect" not in facts:
        _refuse_wrong_end(measure)
    return measure


def _tried(measure: Measure) -> Cases:
    """Return cases to try a measure on: random ones, and some with ties and empty classes."""
    rng = np.random.default_rng(0)
    draws = [drawn(measure.kind, 3, 60, flat, rng)[0] for flat in (False, True)]
    return tuple(np.concatenate(parts) for parts in zip(*draws, strict=True))


def _refuse_wrong_end(measure: Measure) -> None:
    cases = _tried(measure)
    scores = measure.kernel(*cases)
    gain = (scores - measure.perfect) * (1 if measure.better == "high" else -1)
    k = int(gain.argmax())
    if gain[k] > SAME:
        raise ValueError(
            f"{measure.name}: with better={measure.better!r} {words([case[k] for case in cases])} "
            f"score {scores[k]:.6g}, better than {measure.perfect:g}, a perfect estimate; state "
            f"the other end, or perfect={measure.perfect:g} if it is meant"
        )


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


def _on_distributions(kernel: Callable[..., Array]) -> Callable[..., Score]:
    """Return the measure on distributions, validated as those of the built-in measures."""

    @functools.wraps(kernel)
    def function(gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False) -> Score:
        return as_score(kernel(*check_pair(gold, estimate, normalise=normalise)))

    return function


def _refuse_mixed_rows(measure: Measure) -> None:
    """Score some cases alone, and among others in two runs at once, as scoring does."""
    cases = _tried(measure)
    among = measure.kernel(*(np.stack([case, case[::-1]]) for case in cases))[0]
    for *case, score in zip(*cases, among, strict=True):
        alone = float(measure.kernel(*case))
        if abs(alone - score) > SAME:
            raise ValueError(
                f"{measure.name}: {words(case)} score {score:g} among others and {alone:g} "
                "alone; work along the last axis only (axis=-1)"
            )


def import_measures(places: str) -> tuple[Measure, ...]:
    """Import measures of your own from Python files or modules.

    The file is executed, so name only files that you trust.

    Parameters
    ----------
    places
        ``"my_measures.py:CHEBYSHEV"`` or ``"my_package.measures:CHEBYSHEV"``; several are
        separated by commas. NAME must be what :func:`custom_measure` returned. Empty for none.

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
    names: dict[str, Any] = {"__name__": Path(source).stem, "__file__": source}
    exec(compile(Path(source).read_bytes(), source, "exec"), names)  # noqa: S102, named by the user
    return names


def _in_a_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
