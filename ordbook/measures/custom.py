"""Measures of your own."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .confusion import ClassificationMeasure
from .probing import NOISE, cases_of, probe, words
from .quantification import mean_form
from .registry import Measure, refuse_built_in
from .validation import Array, Score, as_score, check_pair

__all__ = ["custom_measure", "import_measures"]

Better = Literal["low", "high"]
Kind = Literal["quantification", "classification"]
Bounds = tuple[float, float] | Callable[[int], tuple[float, float]]
# What stands in a measure until the probe has found it.
UNKNOWN: dict[str, Any] = {
    "ordinal": False,
    "farther_is_worse": "never",
    "symmetric": False,
    "equidistant": None,
    "magnitude": None,
    "attained": "not probed",
    "identity": "always",
    "only_at_identity": False,
    "imbalance": None,
    "constant_runs": None,
}
# The quick probe: numbers of classes, and how many random cases of each.
CLASSES, CASES = (3, 5), 500


def custom_measure(
    name: str,
    function: Callable[..., Any],
    *,
    better: Better,
    kind: Kind = "quantification",
    title: str | None = None,
    bounds: Bounds | None = None,
    source: str = "yours; properties probed, not proved",
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
        Other attributes of :class:`Measure` that you state (``symmetric=True``). A quick probe with
        three and five classes finds the rest.

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
    >>> measure = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1))
    >>> measure.function([.5, .5, 0], [.2, .3, .5])
    0.5
    >>> measure.symmetric, measure.ordinal
    (True, False)
    """
    if not isinstance(name, str) or not name.isprintable() or not name or name != name.strip():
        raise ValueError(f"a measure needs a printable name without blanks around it, not {name!r}")
    refuse_built_in(name)
    if not callable(function):
        raise ValueError(f"{name}: the function is not callable but {function!r}")
    if better not in ("low", "high"):
        raise ValueError(f"{name}: better must be 'low' or 'high', not {better!r}")
    if kind not in ("quantification", "classification"):
        raise ValueError(f"{name}: kind must be 'quantification' or 'classification', not {kind!r}")
    if unknown := set(facts) - set(Measure.__dataclass_fields__) | set(facts) & {"kernel", "mean"}:
        raise ValueError(f"{name}: a measure has no {', '.join(sorted(unknown))}")
    if bounds is not None and not callable(bounds):
        low, high = bounds
        if not low < high:
            raise ValueError(f"bounds must be (least, largest), not {bounds!r}")
        limits, shown = (lambda classes: (float(low), float(high))), f"{low:g} to {high:g}"
    else:
        limits = bounds or (lambda classes: (-np.inf, np.inf))
        shown = "depends on the number of classes" if bounds else "not stated"
    quantification = kind == "quantification"
    kernel = _checked(name, function, quantification)
    scoring = _on_distributions(kernel) if quantification else ClassificationMeasure(kernel)
    uneven = np.array([3.0, 2.0, 1.0])
    perfect = kernel(uneven / 6, uneven / 6) if quantification else kernel(np.diag(uneven))
    stated: dict[str, Any] = {
        "title": title or name,
        "range": shown,
        "papers": (),
        "perfect": float(perfect),
    }
    draft = Measure(
        name=name,
        kind=kind,
        function=scoring,
        kernel=kernel,
        mean=mean_form(scoring) if quantification else None,
        better=better,
        bounds=limits,
        source=source,
        **UNKNOWN | stated | facts,
    )
    _refuse_mixed_rows(draft)
    found = {each.name: each for each in probe(draft, CLASSES, size=CASES)}
    best = found["best at identity"]
    if not best.holds and "perfect" not in facts:
        raise ValueError(
            f"{name}: with better={better!r} {best.statement}, a perfect estimate; state the other "
            f"end, or perfect={draft.perfect:g} if it is meant"
        )
    farther = "never"
    if found["order-aware"].holds:
        farther = "weakly" if found["farther is never better"].holds else "not always"
        farther = "always" if found["farther is worse"].holds else farther
    probed: dict[str, Any] = {
        "ordinal": found["order-aware"].holds,
        "farther_is_worse": farther,
        "symmetric": found["symmetric"].holds,
        "identity": "always" if found["identity"].holds else "not always",
        "only_at_identity": found["only at identity"].holds,
    }
    return replace(draft, **probed | facts)


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
            case = tuple(each[where] for each in np.broadcast_arrays(*cases))
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
    cases = tuple(case[:60] for case in cases_of(measure, 3, 0, 60))
    among = measure.kernel(*(np.stack([case, case[::-1]]) for case in cases))[0]
    for *case, score in zip(*cases, among, strict=True):
        alone = float(measure.kernel(*case))
        if abs(alone - score) > NOISE:
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
    found: dict[str, Measure] = {}
    for place in filter(None, map(str.strip, places.split(","))):
        source, colon, name = place.rpartition(":")
        if not colon or not source or not name:
            raise ValueError(f"measure {place!r}: write FILE.py:NAME or MODULE:NAME")
        measure = getattr(_imported(source, place), name, None)
        if not isinstance(measure, Measure):
            what = "there is no such name" if measure is None else "that is no measure"
            raise ValueError(
                f"measure {place!r}: {what} in {source}; define there "
                f"{name} = ordbook.measures.custom_measure(...)"
            )
        if measure.name in found:
            raise ValueError(f"measure {place!r}: {measure.name!r} is named twice")
        found[measure.name] = measure
    return tuple(found.values())


def _imported(source: str, place: str) -> ModuleType:
    if source.endswith(".py") and not Path(source).is_file():
        raise ValueError(f"measure {place!r}: there is no file {source}")
    if source.startswith("."):
        raise ValueError(f"measure {place!r}: write the whole name of the module")
    try:
        if not source.endswith(".py"):
            return importlib.import_module(source)
        spec = importlib.util.spec_from_file_location(Path(source).stem, source)
        if spec is None or spec.loader is None:
            raise ImportError(f"{source} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        writes = sys.dont_write_bytecode
        sys.dont_write_bytecode = True  # the folder of the file is the user's
        try:
            spec.loader.exec_module(module)
        finally:
            sys.dont_write_bytecode = writes
        return module
    except (Exception, SystemExit) as error:  # whatever the user's file raises, an exit too
        raise ValueError(f"measure {place!r}: {_in_a_line(error)}") from error


def _in_a_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
