"""A measure as an object: an equation on checked arrays, facts, and a place among the others.

Facts say what is true of the definitions; ``tests/measures`` tests each. If a paper prints
something else, `ordbook.papers.claims` has it.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import (
    Any,
    ClassVar,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike

from .confusion import confusion_matrix
from .validation import (
    Array,
    Distance,
    Weights,
    as_score,
    check_confusion,
    check_pair,
    refuse_keywords,
)

__all__ = ["CLASSIFICATION", "QUANTIFICATION", "Measure", "register"]

P = ParamSpec("P")
Q = ParamSpec("Q")
Row: TypeAlias = Sequence[float]
Rows: TypeAlias = Sequence[Row] | Sequence[Sequence[Row]]
# Blocks of confusion matrices stay in the processor's cache.
BLOCK = 2**18


# -- the keywords of measures, as editors and checkers of types see them ------------------------


def plain(*, normalise: bool = False, tolerance: float = 1e-5) -> None:
    """All quantification measures have these."""


def with_distance(
    *, distance: Distance = None, normalise: bool = False, tolerance: float = 1e-5
) -> None:
    """Those with a distance between classes have these."""


def with_steps(
    *, steps: ArrayLike | None = None, normalise: bool = False, tolerance: float = 1e-5
) -> None:
    """Those with a width for each step from class to class have these."""


def with_labels(*, labels: Sequence[Any] | None = None) -> None:
    """All classification measures have this; those that depend on N have nothing else."""


def with_sample_weight(
    *, labels: Sequence[Any] | None = None, sample_weight: ArrayLike | None = None
) -> None:
    """Those that depend on the shares of the items only have these."""


def with_weights(
    *,
    labels: Sequence[Any] | None = None,
    weights: Weights = None,
    sample_weight: ArrayLike | None = None,
) -> None:
    """Those with a weight for each pair of classes have these."""


# -- what docstrings have in common -------------------------------------------------------------

ONE_EACH = "float or ndarray, shape (...)"
# Of the parameters, by the name of the last of each line.
PARAMETERS = {
    "estimate": r"""gold, estimate : array_like, shape (..., C)
    Distributions over the classes in their order; rows broadcast.""",
    "y_pred": r"""y_true, y_pred : array_like, shape (n,)
    Gold and predicted classes.""",
    "distance": r"""distance : (C, C) matrix or callable, optional
    :math:`\delta_{ij}`, by default :math:`|i - j|`; a callable takes the gold distributions.""",
    "steps": r"""steps : array_like, shape (C - 1,), optional
    Widths above 0, of which only the ratios count; by default all steps are equal.""",
    "tolerance": r"""normalise, tolerance : bool, float
    Divide each row by its sum (for counts); how far a sum may be from 1.""",
    "labels": r"""labels : sequence, optional
    All classes from lowest to highest; see `confusion_matrix`.""",
    "weights": r"""weights : "linear", "quadratic", (C, C) matrix or callable, optional
    Cost ``w[gold, predicted]`` of each pair, 0 on the diagonal; a callable takes C, such as
    ``lambda n: 1 - np.eye(n)`` for classes without an order, the default of scikit-learn.""",
    "sample_weight": r"""sample_weight : array_like, shape (n,), optional
    Weight of each item, at least 0.""",
}


def documented(own: str | None, takes: Callable[..., None], returns: str, notes: str = "") -> str:
    """Return a docstring in full: its own text, what all measures have in common, its examples.

    In the source a measure has its equation, its range and examples; keywords and facts, which its
    decorator is given, are not told again.
    """
    text, title, examples = inspect.cleandoc(own or "").partition("Examples\n--------\n")
    keywords = takes.__kwdefaults__ or {}
    first, fault = "estimate", "a row is not a distribution"
    if "labels" in keywords:
        weighted = " or weights" if "sample_weight" in keywords else ""
        first, fault = "y_pred", f"labels{weighted} cannot be used; see `confusion_matrix`"
    options = {"distance": "the distance is invalid", "steps": "the steps do not fit"}
    faults = [fault, *(text for name, text in options.items() if name in keywords)]
    sections = {
        "Parameters": "\n".join(PARAMETERS[k] for k in (first, *keywords) if k in PARAMETERS),
        "Returns": returns,
        "Raises": f"ValueError\n    If {', or '.join(faults)}.",
        "Notes": notes,
    }
    parts = [f"{name}\n{'-' * len(name)}\n{part}\n\n" for name, part in sections.items() if part]
    return f"{text}{''.join(parts)}{title}{examples}"


def _notes(facts: Mapping[str, Any]) -> str:
    """Say the facts of a measure that its docstring leaves to its decorator."""
    if "source" not in facts:
        raise TypeError(f"{facts['name']}: its decorator needs source=")
    order = "Does not assume equidistance" if facts.get("ordinal") else "Blind to the order"
    if facts.get("equidistant"):
        order = "Assumes equidistance"
    notes = ["Symmetric." if facts.get("symmetric") else "Not symmetric.", f"{order}."]
    if not facts.get("imbalance", True):
        notes.append("Ignores class imbalance.")
    if "imbalance" in facts and facts["better"] == "low":
        notes.append(
            f'scikit-learn needs ``scoring=ob.scorer("{facts["name"]}")``, which negates it.'
        )
    if not facts.get("papers"):
        notes.append("None of the five papers uses it.")
    if not facts.get("default", True):
        notes.append(":func:`ordbook.score` takes it only if it is named.")
    return "\n".join([*notes, f"Source: {facts['source']}."])


# -- what is defined on checked arrays ----------------------------------------------------------


class _of_objects(functools.cached_property[Any]):
    """A cached property that the class itself lacks, as `inspect` would take it for the class's."""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            raise AttributeError
        return super().__get__(instance, owner)


@dataclass(frozen=True, eq=False, repr=False)
class _Defined:
    """A function with the name and docstring of its kernel; one of a module is pickled by its name.

    The signature of ``takes`` has the keywords of a call.
    """

    kernel: Callable[..., Array]
    takes: Callable[..., None]
    __name__: ClassVar[str]  # of the kernel, as its module and docstring

    def __post_init__(self) -> None:
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            vars(self)[name] = getattr(self.kernel, name)
        vars(self)["__wrapped__"] = self.kernel

    @_of_objects
    def __signature__(self) -> inspect.Signature:
        _, *first, _, _ = inspect.signature(type(self).__call__).parameters.values()
        parameters = [part.replace(annotation=part.empty) for part in first]
        parameters += inspect.signature(self.takes).parameters.values()
        return inspect.Signature(parameters)

    def _refuse_unknown(self, options: Mapping[str, Any]) -> None:
        """Raise TypeError for a keyword that the signature does not have."""
        known = self.__signature__.parameters
        if "classes" in options and "labels" in known:
            refuse_keywords(options, "labels", "classes", self.__name__)
        if unknown := [name for name in options if name not in known]:
            from ordbook.words import did_you_mean  # which takes longer to import than the measures

            near = did_you_mean(unknown[0], list(known))
            raise TypeError(
                f"{self.__name__}() got an unexpected keyword argument {unknown[0]!r}{near}"
            )

    def __repr__(self) -> str:
        return f"<{self.__module__}.{self.__name__}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        # A string names a global of __module__; copy and scikit-learn's clone keep the object.
        module, name = sys.modules.get(self.__module__), self.__name__
        if getattr(module, name, None) is self:
            return name
        return object.__new__, (type(self),), vars(self)


class OfDistributions(_Defined, Generic[P]):
    """A function of gold and estimated distributions, which checks them when it is called."""

    @overload
    def __call__(self, gold: Row, estimate: Row, *args: P.args, **kwargs: P.kwargs) -> float: ...
    @overload
    def __call__(
        self, gold: Rows, estimate: Row | Rows, *args: P.args, **kwargs: P.kwargs
    ) -> Array: ...
    @overload
    def __call__(self, gold: Row, estimate: Rows, *args: P.args, **kwargs: P.kwargs) -> Array: ...
    @overload
    def __call__(
        self, gold: ArrayLike, estimate: ArrayLike, *args: P.args, **kwargs: P.kwargs
    ) -> Any: ...
    def __call__(self, gold: Any, estimate: Any, *args: Any, **options: Any) -> Any:
        """Score estimated distributions against gold ones."""
        if options:
            self._refuse_unknown(options)
        checks = {key: options.pop(key) for key in ("normalise", "tolerance") if key in options}
        pair = check_pair(gold, estimate, **checks)
        return as_score(self.kernel(*pair, *args, **options))


def component(
    takes: Callable[P, None], returns: str = ONE_EACH
) -> Callable[[Callable[..., Array]], OfDistributions[P]]:
    """Define a part of measures: the decorated function is its equation on checked arrays."""

    def define(kernel: Callable[..., Array]) -> OfDistributions[P]:
        kernel.__doc__ = documented(kernel.__doc__, takes, returns)
        return OfDistributions(kernel, takes)

    return define


# -- measures -----------------------------------------------------------------------------------


def zero_to_one(n_classes: int) -> tuple[float, float]:
    """Return the bounds of most measures."""
    return 0.0, 1.0


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Measure(_Defined):
    """A measure: a function that checks its input and scores it, and facts about it.

    Facts that the author of a custom measure did not state are None.

    Attributes
    ----------
    kernel, takes : callable
        The definition on checked arrays, kernel(gold, estimate) or kernel(cm); a function whose
        signature has the keywords of a call.
    name, title : str
        Key (as the papers print it) and full name.
    kind : str
        "quantification" or "classification".
    ordinal : bool
        The order of the classes matters; else any permutation of the classes leaves the score.
    farther_is_worse : str
        Whether an error moved farther away in the same direction is worse: "always", "weakly"
        (never better, sometimes equal), "single-class gold" (there always, elsewhere not),
        "not always", "never" (the order does not enter).
    symmetric : bool
        Gold and estimate may be exchanged.
    equidistant : bool or None
        Assumes that neighbouring classes are equally far apart everywhere; None for nominal ones.
    magnitude : bool or None
        The size of the error in each class matters, not only the priorities; None for
        classification. The DNKT hybrids are True: they see it unless DNKT is 0.
    better : "low" or "high"
        The end of the scale that is better.
    range : str
        The range in words.
    bounds : callable
        bounds(n_classes) -> (least, largest): no score lies outside.
    perfect : float
        The score of a perfect answer (which by DNKT is .5 where all shares are equal).
    imbalance, constant_runs : bool or None
        Classification, as in ACL'21 Table 4: an error in a small class costs more than one in a
        large class; runs that always answer one class can differ in score.
    skill : bool
        Its scores are also given as skill, see :meth:`ordbook.ScoreMatrix.skill`.
    default : bool
        :func:`ordbook.score` takes it where no measures are named.
    source : str
        Equations.
    papers : tuple of str
        The papers that use it.
    """

    name: str
    title: str
    kind: ClassVar[str]
    ordinal: bool | None = False
    farther_is_worse: str | None = "never"
    symmetric: bool | None = False
    equidistant: bool | None = None
    magnitude: bool | None = None
    better: Literal["low", "high"] = "low"
    range: str = "0 to 1"
    bounds: Callable[[int], tuple[float, float]] = zero_to_one
    perfect: float = 0.0
    imbalance: bool | None = None
    constant_runs: bool | None = None
    skill: bool = False
    default: bool = True
    source: str
    papers: tuple[str, ...] = ()

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Check the input and score it."""
        raise NotImplementedError

    @property
    def facts(self) -> dict[str, Any]:
        """Name of each fact -> the fact."""
        return {name: getattr(self, name) for name in FACTS}


FACTS = ("kind", *(part.name for part in fields(Measure) if part.name not in ("kernel", "takes")))
# Facts of most measures of labels.
OF_LABELS = {"better": "high", "perfect": 1.0, "imbalance": True, "constant_runs": True}


class QuantificationMeasure(OfDistributions[P], Measure):
    """A measure of distributions: ``rnod(gold, estimate)`` scores, ``rnod.mean`` averages.

    Attributes
    ----------
    mean : callable
        Unweighted mean of the scores of all samples, one float, as the papers score runs (ACL'21
        Section 3.2). Model selection, such as QuaPy's, needs such a callable with a ``__name__``.

    Examples
    --------
    >>> from ordbook.measures import nmd
    >>> nmd.mean.__name__, nmd.mean([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    ('mean_nmd', 0.5)
    """

    kind = "quantification"
    mean: Callable[Concatenate[ArrayLike, ArrayLike, P], float]

    def __post_init__(self) -> None:
        super().__post_init__()
        own = self.__name__

        def mean(gold: Any, estimate: Any, *args: Any, **options: Any) -> float:
            return float(np.mean(self(gold, estimate, *args, **options)))

        mean.__name__, mean.__qualname__ = f"mean_{own}", f"{own}.mean"
        mean.__module__ = self.__module__  # so that it can be pickled
        mean.__doc__ = f"Mean of `{own}` over all samples, one float. Takes what `{own}` takes."
        vars(self).update(mean=mean)


class ClassificationMeasure(Measure, Generic[P, Q]):
    """A measure of labels, defined on confusion matrices.

    ``accuracy(y_true, y_pred, labels=None)`` is what scikit-learn's ``make_scorer`` expects;
    ``accuracy.from_confusion(cm)`` scores any number of matrices.
    """

    kind = "classification"

    def __call__(
        self, y_true: ArrayLike, y_pred: ArrayLike, *args: P.args, **kwargs: P.kwargs
    ) -> float:
        """Score predicted labels against gold labels (see `confusion_matrix`)."""
        options: dict[str, Any] = dict(kwargs)
        sample_weight = options.pop("sample_weight", None)
        if sample_weight is not None and not self.weighted:
            raise ValueError(
                f"{self.__name__} has no sample_weight=: its value depends on how many items there "
                "are, not only on their shares; repeat items instead, or take kappa or mae_macro"
            )
        if options:
            self._refuse_unknown(options)
        cm = confusion_matrix(
            y_true, y_pred, labels=options.pop("labels", None), sample_weight=sample_weight
        )
        return float(self.kernel(cm, *args, **options))

    @property
    def weighted(self) -> bool:
        """Whether items may have weights: the score depends on the shares of the items only."""
        return "sample_weight" in inspect.signature(self.takes).parameters

    @overload
    def from_confusion(self, cm: Sequence[Row], *args: Q.args, **kwargs: Q.kwargs) -> float: ...
    @overload
    def from_confusion(
        self, cm: Sequence[Sequence[Row]], *args: Q.args, **kwargs: Q.kwargs
    ) -> Array: ...
    @overload
    def from_confusion(self, cm: ArrayLike, *args: Q.args, **kwargs: Q.kwargs) -> Any: ...
    def from_confusion(self, cm: Any, *args: Any, **options: Any) -> Any:
        """Score counts.

        Parameters
        ----------
        cm : array_like, shape (..., C, C)
            Counts ``cm[..., gold, predicted]``; sums of weights, too, where a call of the measure
            has ``sample_weight=``.
        **options
            ``weights=``, where a call of the measure has it.

        Returns
        -------
        float or ndarray, shape (...)

        Raises
        ------
        ValueError
            If a count is negative or not finite, a matrix has no items, or, by CEM_ORD and the
            alphas, which depend on the number of items, a count is not a whole number.
        """
        return as_score(self.kernel(check_confusion(cm, self.weighted), *args, **options))


# -- definitions --------------------------------------------------------------------------------


def quantification_measure(
    name: str, takes: Callable[P, None], **facts: Any
) -> Callable[[Callable[..., Array]], QuantificationMeasure[P]]:
    """Define a measure of distributions: the decorated function is its equation.

    Parameters
    ----------
    name
        As it is printed.
    takes
        Its keywords: `plain`, `with_distance` or `with_steps`. A call gives the kernel those that
        `plain` does not have.
    **facts
        Attributes of `Measure` that are not those of most measures.
    """
    known: dict[str, Any] = {"name": name, "magnitude": True} | facts

    def define(kernel: Callable[..., Array]) -> QuantificationMeasure[P]:
        kernel.__doc__ = documented(kernel.__doc__, takes, ONE_EACH, _notes(known))
        return _built_in(QuantificationMeasure(kernel, takes, **known))

    return define


def classification_measure(
    name: str, takes: Callable[P, None], **facts: Any
) -> Callable[[Callable[Concatenate[Array, Q], Array]], ClassificationMeasure[P, Q]]:
    """Define a measure of labels: the decorated function is its equation on confusion matrices.

    Parameters are those of `quantification_measure`, with `with_labels`, `with_sample_weight` and
    `with_weights`.
    """

    def define(kernel: Callable[Concatenate[Array, Q], Array]) -> ClassificationMeasure[P, Q]:
        known: dict[str, Any] = OF_LABELS | {"name": name} | facts
        kernel.__doc__ = documented(kernel.__doc__, takes, "float", _notes(known))
        return _built_in(ClassificationMeasure[P, Q](_in_blocks(kernel), takes, **known))

    return define


def _in_blocks(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """Score many matrices a block at a time, so that the arrays in between stay small."""

    @functools.wraps(kernel)
    def blocked(cm: Array, *args: Any, **options: Any) -> Array:
        matrices = cm.reshape(-1, *cm.shape[-2:])
        size = max(1, BLOCK // matrices[0].size)
        if len(matrices) <= size:
            return kernel(cm, *args, **options)
        starts = range(0, len(matrices), size)
        scores = [kernel(matrices[k : k + size], *args, **options) for k in starts]
        return np.concatenate(scores).reshape(cm.shape[:-2])

    return blocked


# -- all measures by name -----------------------------------------------------------------------

_KNOWN: dict[str, dict[str, Any]] = {"quantification": {}, "classification": {}}
# Views, to which `register` adds.
QUANTIFICATION: Mapping[str, QuantificationMeasure[...]] = MappingProxyType(
    _KNOWN["quantification"]
)
CLASSIFICATION: Mapping[str, ClassificationMeasure[..., ...]] = MappingProxyType(
    _KNOWN["classification"]
)
MEASURES: Mapping[str, Mapping[str, Measure]] = {
    "quantification": QUANTIFICATION,
    "classification": CLASSIFICATION,
}
_BUILT_IN: set[str] = set()
M = TypeVar("M", bound=Measure)


def _built_in(measure: M) -> M:
    """Register a measure of ordbook; those of no paper come after all others."""
    known = _KNOWN[measure.kind]
    known[measure.name] = measure
    for other in [name for name in known if not known[name].papers]:
        known[other] = known.pop(other)
    _BUILT_IN.add(measure.name)
    return measure


def register(measure: Measure) -> Measure:
    """Add a measure of your own to those that ordbook knows, until Python ends.

    Afterwards it goes by its name wherever a built-in measure does, and is among the measures that
    :func:`ordbook.score` takes by default. A measure registered under the same name before is
    replaced.

    Parameters
    ----------
    measure
        From :func:`custom_measure`.

    Returns
    -------
    Measure
        The measure.

    Raises
    ------
    ValueError
        If the name is that of a built-in measure.

    Examples
    --------
    >>> from ordbook.measures import custom_measure
    >>> def chebyshev(gold, estimate):
    ...     return abs(gold - estimate).max(axis=-1)
    >>> measure = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1))
    >>> ordbook.measures.register(measure)  # doctest: +SKIP
    """
    refuse_built_in(measure.name)
    for measures in _KNOWN.values():
        measures.pop(measure.name, None)
    _KNOWN[measure.kind][measure.name] = measure
    return measure


def refuse_built_in(name: str) -> None:
    """Raise ValueError if a built-in measure has this name."""
    if name in _BUILT_IN:
        raise ValueError(f"{name!r} is a built-in measure: choose another name")


def by_default(kind: str) -> dict[str, Measure]:
    """Return the measures of a kind that are scored where none are named."""
    return {name: measure for name, measure in MEASURES[kind].items() if measure.default}


def measure_named(name: str) -> Measure | None:
    """Return the measure of either kind that has this name, None if there is none."""
    return QUANTIFICATION.get(name) or CLASSIFICATION.get(name)


def measure_asked(asked: str | Measure) -> Measure:
    """Return a measure, or the one of that name, whatever the case it is written in.

    Raises
    ------
    ValueError
        If no measure has that name.
    """
    if isinstance(asked, Measure):
        return asked
    known = {**QUANTIFICATION, **CLASSIFICATION}
    functions = {measure.__name__: name for name, measure in known.items()}
    name = str(getattr(asked, "__name__", asked))
    name = functions.get(name, named(name, known))
    if name not in known:
        from ordbook.words import did_you_mean  # which takes longer to import than the measures

        raise ValueError(
            f"there is no measure {name!r}, but {', '.join(known)}{did_you_mean(name, known)}"
        )
    return known[name]


def of_paper(paper: str, kind: str) -> tuple[str, ...]:
    """Return the names of the measures of a kind that a paper uses."""
    return tuple(name for name, measure in MEASURES[kind].items() if paper in measure.papers)


def named(asked: str, known: Iterable[str]) -> str:
    """Return the name of a measure as it is known, whatever the case it is written in.

    Examples
    --------
    >>> named("rnod", QUANTIFICATION), named("mine", QUANTIFICATION)
    ('RNOD', 'mine')
    """
    names = list(known)
    alike = [name for name in names if name.lower() == asked.lower()]
    return alike[0] if asked not in names and len(alike) == 1 else asked
