"""Bring your own measure.

What can be found out about it is probed (`ordbook.measures.probing`) and becomes its properties.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .confusion import ClassificationMeasure
from .probing import (
    MUST_HOLD,
    Finding,
    check_broadcasting,
    perfect_score,
    probe_with,
    show_values,
)
from .registry import CLASSIFICATION, QUANTIFICATION, Measure
from .validation import Array, Score, as_score, check_pair

__all__ = ["custom_measure", "import_measures"]

Better = Literal["low", "high"]
Kind = Literal["quantification", "classification"]

# What stands in a measure until the probe has found it.
UNKNOWN: dict[str, Any] = {
    "ordinal": False,
    "farther_is_worse": "never",
    "symmetric": False,
    "equidistant": None,
    "magnitude": None,
    "attained": "not probed",
    "perfect": float("nan"),
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
    bounds: tuple[float, float] | Callable[[int], tuple[float, float]] | None = None,
    source: str = "yours; properties probed, not proved",
    **facts: Any,
) -> Measure:
    """Make a measure of your function, ready for every analysis beside the built-in ones.

    Parameters
    ----------
    name
        How tables call it; not the name of a built-in measure.
    function
        For quantification f(gold, estimate): arrays (..., C) of distributions that broadcast ->
        one score each (...). For classification f(cm): counts (..., C, C), ``cm[..., gold,
        predicted]`` -> (...). It is called with many rows at once; a function of single rows can
        be wrapped by ``numpy.vectorize(f, signature="(c),(c)->()")``.
    better
        Which end of the scale is better: ``"low"`` or ``"high"``. If estimates score better than
        perfect ones by this end, and none by the other, it is refused as a slip; state
        ``perfect=`` (the score of a perfect estimate) if it is meant.
    kind
        ``"quantification"`` or ``"classification"``.
    title
        Full name.
    bounds
        (least, largest) score, or a function of the number of classes that returns them. They are
        checked by :func:`probe`. Unknown by default.
    source
        Where the definition stands.
    **facts
        Other attributes of :class:`Measure` to state (``symmetric=True``). Those not stated are
        filled from a quick probe with three and five classes.

    Returns
    -------
    Measure
        Its ``function`` validates its input as the built-in ones do; its ``kernel`` refuses
        scores that are not finite numbers of the right shape.

    Raises
    ------
    ValueError
        If the name is taken, an argument is unknown, `better` seems the wrong end, or the
        function fails on valid input: it returns another shape or no numbers, changes its input,
        or scores a row differently alone and among others.

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
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise ValueError(f"a measure needs a name without blanks around it, not {name!r}")
    if not name.isprintable():
        raise ValueError(f"the name {name!r} holds a character that cannot be printed")
    if name in QUANTIFICATION or name in CLASSIFICATION:
        raise ValueError(f"{name!r} is a built-in measure: choose another name")
    if not callable(function):
        raise ValueError(f"{name}: the function is not callable but {function!r}")
    if better not in ("low", "high"):
        raise ValueError(f"{name}: better must be 'low' or 'high', not {better!r}")
    if kind not in ("quantification", "classification"):
        raise ValueError(f"{name}: kind must be 'quantification' or 'classification', not {kind!r}")
    limits = _Bounds(bounds)
    known = set(Measure.__dataclass_fields__) - {"kernel", "mean"}
    if unknown := set(facts) - known:
        raise ValueError(f"{name}: a measure has no {', '.join(sorted(unknown))}")
    quantification = kind == "quantification"
    kernel = _Kernel(name, function, quantification)
    draft = Measure(
        name=name,
        title=title or name,
        kind=kind,
        function=_OnDistributions(kernel) if quantification else _OnLabels(kernel),
        kernel=kernel,
        mean=_Mean(kernel) if quantification else None,
        better=better,
        range=str(limits),
        bounds=limits,
        source=source,
        papers=(),
        **UNKNOWN,
    )
    if quantification:
        check_broadcasting(draft)
    found: dict[str, Finding] = {}
    for finding in _probed(draft):
        if finding.property in MUST_HOLD and not finding.holds:
            raise ValueError(f"{name}: {finding.statement.removeprefix(f'{name}: ')}")
        before = found.get(finding.property)
        # Only what holds for each number of classes holds; aware of the order it is with any.
        if before is None or (before.holds != (finding.property == "order-aware")):
            found[finding.property] = finding
    best = found["best at identity"]
    other: Better = "high" if better == "low" else "low"
    if not best.holds and "perfect" not in facts and _best_at_identity(draft, other):
        raise ValueError(
            f"{name}: with better={better!r} imperfect estimates beat perfect ones "
            f"({best.statement}); did you mean better={other!r}? If not, state perfect="
            f"{perfect_score(draft):g}, what a perfect estimate scores"
        )
    ordinal = found["order-aware"].holds
    farther = "weakly" if found["farther is never better"].holds else "not always"
    if found["farther is worse"].holds:
        farther = "always"
    perfect = perfect_score(draft)
    return replace(
        draft,
        **{
            "ordinal": ordinal,
            "farther_is_worse": farther if ordinal else "never",
            "symmetric": found["symmetric"].holds,
            "perfect": perfect,
            "identity": "always" if found["identity"].holds else "not always",
            "only_at_identity": found["only at identity"].holds,
            **facts,
        },
    )


def _probed(measure: Measure) -> Iterator[Finding]:
    for classes in CLASSES:
        yield from probe_with(measure, classes, 0, CASES)


def _best_at_identity(draft: Measure, better: Better) -> bool:
    """Whether nothing scores better than a perfect estimate, if this end is better."""
    turned = _probed(replace(draft, better=better))
    return all(finding.holds for finding in turned if finding.property == "best at identity")


def import_measures(places: str) -> tuple[Measure, ...]:
    """Get measures of your own from Python files or modules.

    The file is executed: name only files that you trust.

    Parameters
    ----------
    places
        ``"my_measures.py:CHEBYSHEV"`` or ``"my_package.measures:CHEBYSHEV"``; several are
        separated by commas. NAME must be what :func:`custom_measure` returned. Empty for none.

    Raises
    ------
    ValueError
        If a place is not of that form, the file or module cannot be imported, NAME is not in it
        or is no measure, or two measures have one name.
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


# -- a user's function, made safe ---------------------------------------------------------------


class _Kernel:
    """The user's function with its output checked; picklable where the function is."""

    def __init__(self, name: str, function: Callable[..., Any], quantification: bool) -> None:
        self.name, self.function, self.quantification = name, function, quantification
        self.__name__ = name
        self.__doc__ = inspect.getdoc(function)

    def __call__(self, *cases: Array) -> Array:
        if self.quantification:
            expected = np.broadcast_shapes(*(case.shape for case in cases))[:-1]
        else:
            expected = cases[0].shape[:-2]
        given = [case.copy() for case in cases]
        try:
            returned = self.function(*given)
            scores = np.array(returned)
        except (Exception, SystemExit) as error:
            raise ValueError(
                f"{self.name}: the function fails on arrays of shape "
                f"{', '.join(str(case.shape) for case in cases)} "
                f"({_in_a_line(error)})"
            ) from error
        for one, other in zip(cases, given, strict=True):
            if not np.array_equal(one, other):
                where = tuple(np.argwhere(one != other)[0])[: -1 if self.quantification else -2]
                raise ValueError(
                    f"{self.name}: the function writes into its input: "
                    f"{show_values(one[where])} becomes {show_values(other[where])}; work on a copy"
                )
        if scores.dtype.kind not in "iufb":
            raise ValueError(f"{self.name}: the function returns {scores.dtype}, not numbers")
        if scores.shape != expected:
            raise ValueError(
                f"{self.name}: the function returns shape {scores.shape} for input of shape "
                f"{', '.join(str(case.shape) for case in cases)}, expected {expected}: one score "
                "per row (work along the last axis, axis=-1)"
            )
        scores = scores.astype(np.float64)
        scores[np.ma.getmaskarray(np.ma.array(returned))] = np.nan
        bad = ~np.isfinite(scores)
        if bad.any():
            where = tuple(np.argwhere(bad)[0])
            cases = np.broadcast_arrays(*cases)
            shown = ", ".join(show_values(case[where]) for case in cases)
            raise ValueError(
                f"{self.name}: the score of {shown} is {scores[where]}; define it "
                "(every valid case needs a score)"
            )
        return scores


class _OnDistributions:
    """Score distributions, validated as those of the built-in measures."""

    def __init__(self, kernel: _Kernel) -> None:
        self.kernel = kernel
        self.__name__, self.__doc__ = kernel.__name__, kernel.__doc__

    def __call__(self, gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False) -> Score:
        return as_score(self.kernel(*check_pair(gold, estimate, normalise=normalise)))


class _Mean:
    """Mean score as one float, for QuaPy's model selection."""

    def __init__(self, kernel: _Kernel) -> None:
        self.kernel = kernel
        self.__name__ = f"mean_{kernel.__name__}"

    def __call__(self, gold: ArrayLike, estimate: ArrayLike) -> float:
        return float(np.mean(self.kernel(*check_pair(gold, estimate))))


class _OnLabels(ClassificationMeasure):
    """Callable on labels and, through ``from_confusion``, on matrices."""

    def __reduce__(self) -> Any:
        return type(self), (self.kernel,)  # it is no global of its module

    def __repr__(self) -> str:
        return f"<measure {self.__name__}, yours>"


class _Bounds:
    """Bounds by number of classes, from what the user stated."""

    def __init__(
        self, stated: tuple[float, float] | Callable[[int], tuple[float, float]] | None
    ) -> None:
        if stated is not None and not callable(stated):
            try:
                low, high = map(float, stated)
            except (TypeError, ValueError):
                raise ValueError(f"bounds must be (least, largest), not {stated!r}") from None
            if not low < high:
                raise ValueError(f"bounds must be (least, largest), not {stated!r}")
            stated = (low, high)
        self.stated = stated

    def __call__(self, n_classes: int) -> tuple[float, float]:
        if self.stated is None:
            return -np.inf, np.inf
        low, high = self.stated(n_classes) if callable(self.stated) else self.stated
        return float(low), float(high)

    def __str__(self) -> str:
        if self.stated is None:
            return "not stated"
        if callable(self.stated):
            return "depends on the number of classes"
        return f"{self.stated[0]:g} to {self.stated[1]:g}"
