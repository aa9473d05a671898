"""The registry of measures: facts about each, as data from which tables are made.

Properties say what is true of the definitions; ``tests/measures`` tests each. If a paper
prints something else, `ordbook.papers.claims` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from . import agreement, classification, priority, quantification
from .validation import Array

__all__ = ["CLASSIFICATION", "QUANTIFICATION", "Measure", "register"]

Bounds = Callable[[int], tuple[float, float]]


@dataclass(frozen=True)
class Measure:
    """A measure and its properties.

    Properties that the author of a custom measure did not state are None.

    Attributes
    ----------
    name, title : str
        Key (as the papers print it) and full name.
    kind : str
        "quantification" or "classification".
    function : callable
        f(gold, estimate) or f(y_true, y_pred); validated.
    kernel : callable
        The definition on checked arrays: kernel(gold, estimate), or kernel(cm).
    mean : callable or None
        Mean form of a quantification measure, one float.
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
        "low" or "high".
    range : str
        The range in words.
    bounds : callable
        bounds(n_classes) -> (least, largest): no score lies outside.
    perfect : float
        The perfect score.
    identity : str
        Whether a perfect estimate gets it: "always", or "except ...".
    only_at_identity : bool
        Only a perfect estimate gets it.
    imbalance, constant_runs : bool or None
        Classification, as in ACL'21 Table 4: an error in a small class costs more than one in a
        large class; runs that always answer one class can differ in score.
    skill : bool
        Its scores are also given as skill, see :meth:`ordbook.ScoreMatrix.skill`.
    source : str
        Equations.
    papers : tuple of str
        The papers that use it.
    """

    name: str
    title: str
    kind: str
    function: Callable[..., Any]
    kernel: Callable[..., Array]
    mean: Callable[..., float] | None
    ordinal: bool | None
    farther_is_worse: str | None
    symmetric: bool | None
    equidistant: bool | None
    magnitude: bool | None
    better: Literal["low", "high"]
    range: str
    bounds: Bounds
    perfect: float
    identity: str | None
    only_at_identity: bool | None
    imbalance: bool | None
    constant_runs: bool | None
    skill: bool
    source: str
    papers: tuple[str, ...]

    def __reduce__(self) -> str | tuple[Any, ...]:
        # By name, as functions are pickled: the kernels of classification measures are not
        # importable, because their names are those of the measures.
        if self.name in _BUILT_IN and measure_named(self.name) is self:
            return measure_named, (self.name,)
        return super().__reduce__()


# -- bounds ----------------------------------------------------------------------------------


def _zero_to_one(n_classes: int) -> tuple[float, float]:
    return 0.0, 1.0


def _minus_one_to_one(n_classes: int) -> tuple[float, float]:
    return -1.0, 1.0


def _zero_to_steps(n_classes: int) -> tuple[float, float]:
    return 0.0, float(n_classes - 1)


def _rnod_bounds(n_classes: int) -> tuple[float, float]:
    return 0.0, quantification.rnod_supremum(n_classes)


def _rnod2_bounds(n_classes: int) -> tuple[float, float]:
    # Gold (0, 1 - e, e/(C-2), ...), estimate (1, 0, ...): OD tends to (1/2 + (C-2) 3/2)/(C-1).
    # That nothing exceeds it was found by search (tested), not proved.
    return 0.0, (1.5 * n_classes - 2.5) ** 0.5 / (n_classes - 1)


def _rnadw2_bounds(n_classes: int) -> tuple[float, float]:
    # Gold (0, 1, 0, ...), estimate (1, 0, ...): ADW = (1/2 + 1/2 + (C-2) 3/2)/C. As above.
    return 0.0, ((1.5 * n_classes - 2) / (n_classes * (n_classes - 1))) ** 0.5


def _dnkt_rnod_bounds(n_classes: int) -> tuple[float, float]:
    # The harmonic mean grows in both; not the least upper bound from five classes on.
    largest = quantification.rnod_supremum(n_classes)
    return 0.0, 2 * largest / (1 + largest)


# -- the two registries ----------------------------------------------------------------------


def _quantification(name: str, title: str, **facts: Any) -> Measure:
    module = priority if name.startswith("DNKT") else quantification
    key = name.lower()
    defaults: dict[str, Any] = {
        "magnitude": True,
        "better": "low",
        "range": "0 to 1",
        "bounds": _zero_to_one,
        "perfect": 0.0,
        "identity": "always",
        "only_at_identity": True,
        "imbalance": None,
        "constant_runs": None,
        "skill": False,
        "papers": (),
    }
    return Measure(
        name=name,
        title=title,
        kind="quantification",
        function=getattr(module, key),
        kernel=getattr(module, f"{key}_kernel"),
        mean=getattr(module, f"mean_{key}"),
        **(defaults | facts),
    )


def _classification(name: str, title: str, function: Any, **facts: Any) -> Measure:
    defaults: dict[str, Any] = {
        "mean": None,
        "magnitude": None,
        "better": "high",
        "range": "0 to 1",
        "bounds": _zero_to_one,
        "perfect": 1.0,
        "identity": "always",
        "only_at_identity": True,
        "imbalance": True,
        "constant_runs": True,
        "skill": False,
        "papers": (),
    }
    return Measure(
        name=name,
        title=title,
        kind="classification",
        function=function,
        kernel=function.kernel,
        **(defaults | facts),
    )


_NOMINAL: dict[str, Any] = {"ordinal": False, "farther_is_worse": "never", "equidistant": None}
_EVERY = ("sigir18", "acl21", "lq21", "dnkt")
_LABELS = ("acl21",)


def _nominal_quantification(name: str, title: str, **facts: Any) -> Measure:
    return _quantification(name, title, symmetric=True, **_NOMINAL, **facts)


_QUANTIFICATION = (
    _quantification(
        "NMD",
        "Normalised Match Distance",
        ordinal=True,
        farther_is_worse="always",
        symmetric=True,
        equidistant=True,
        source="SIGIR'18 Eq. 8; ACL'21 Eq. 11; LQ'21 Eq. 1; DNKT Eq. 1",
        papers=(*_EVERY, "dialeval1"),
    ),
    _quantification(
        "RNOD",
        "Root Normalised Order-aware Divergence",
        ordinal=True,
        farther_is_worse="single-class gold",
        symmetric=False,
        equidistant=True,
        range="0 to 1 up to four classes; to 1.041 for five, more for more",
        bounds=_rnod_bounds,
        source="ACL'21 Eq. 14; LQ'21 Eq. 5; DNKT Eq. 5",
        papers=("acl21", "lq21", "dnkt"),
    ),
    _quantification(
        "RSNOD",
        "Root Symmetric Normalised Order-aware Divergence",
        ordinal=True,
        farther_is_worse="single-class gold",
        symmetric=True,
        equidistant=True,
        range="0 to 1 up to four classes; to 1.041 for five, more for more",
        bounds=_rnod_bounds,
        source="SIGIR'18 Eq. 12; ACL'21 Eq. 15; LQ'21 Eq. 6",
        papers=("sigir18", "acl21", "lq21", "dialeval1"),
    ),
    _quantification(
        "RNOD2",
        "RNOD with the gold-mass distance",
        ordinal=True,
        farther_is_worse="not always",
        symmetric=False,
        equidistant=False,
        range="0 to .707 for two and three classes, .559 for five",
        bounds=_rnod2_bounds,
        source="DNKT Eqs. 5, 6; LQ'21 Eqs. 5, 11",
        papers=("dnkt",),
    ),
    _quantification(
        "RNADW",
        "Root Normalised Average Distance-Weighted sum of squares",
        ordinal=True,
        farther_is_worse="not always",
        symmetric=True,
        equidistant=True,
        source="LQ'21 Eq. 8; DNKT Eq. 8",
        papers=("dnkt",),
    ),
    _quantification(
        "RNADW2",
        "RNADW with the gold-mass distance",
        ordinal=True,
        farther_is_worse="not always",
        symmetric=False,
        equidistant=False,
        range="0 to .707 for two classes, .645 for three, .524 for five",
        bounds=_rnadw2_bounds,
        source="DNKT Eqs. 6, 8; LQ'21 Eqs. 8, 11",
        papers=("dnkt",),
    ),
    _nominal_quantification(
        "NVD",
        "Normalised Variational Distance",
        source="SIGIR'18 Eq. 2; ACL'21 Eq. 16; DNKT Eq. 9",
        papers=_EVERY,
    ),
    _nominal_quantification(
        "RNSS",
        "Root Normalised Sum of Squares",
        source="SIGIR'18 Eq. 4; ACL'21 Eq. 17; DNKT Eq. 10; DialEval-1 Section 3.2",
        papers=(*_EVERY, "dialeval1"),
    ),
    _nominal_quantification(
        "JSD",
        "Jensen-Shannon Divergence",
        source="SIGIR'18 Eq. 5; ACL'21 Eq. 19; DNKT Eq. 12; DialEval-1 Section 3.2",
        papers=(*_EVERY, "dialeval1"),
    ),
    _nominal_quantification(
        "DNKT",
        "Divergence based on Kendall's tau",
        magnitude=False,
        identity="except where both are uniform: .5",
        only_at_identity=False,
        source="DNKT Eq. 16",
        papers=("dnkt",),
    ),
    _nominal_quantification(
        "DNKT_JSD",
        "Harmonic mean of DNKT and JSD",
        only_at_identity=False,
        source="DNKT Eq. 17",
        papers=("dnkt",),
    ),
    _quantification(
        "DNKT_NMD",
        "Harmonic mean of DNKT and NMD",
        ordinal=True,
        farther_is_worse="single-class gold",
        symmetric=True,
        equidistant=True,
        only_at_identity=False,
        source="DNKT Eq. 17",
        papers=("dnkt",),
    ),
    _quantification(
        "DNKT_RNOD",
        "Harmonic mean of DNKT and RNOD",
        ordinal=True,
        farther_is_worse="single-class gold",
        symmetric=False,
        equidistant=True,
        range="0 to 1 up to four classes; at most 1.02 for five",
        bounds=_dnkt_rnod_bounds,
        only_at_identity=False,
        source="DNKT Eq. 17",
        papers=("dnkt",),
    ),
    _quantification(
        "RPS",
        "Ranked Probability Score",
        ordinal=True,
        farther_is_worse="always",
        symmetric=True,
        equidistant=True,
        skill=True,
        source="Epstein 1969; Murphy 1971",
    ),
)

_CLASSIFICATION = (
    _classification(
        "MAE_M",
        "Macroaveraged Mean Absolute Error",
        classification.mae_macro,
        ordinal=True,
        farther_is_worse="always",
        symmetric=False,
        equidistant=True,
        better="low",
        range="0 to |C| - 1",
        bounds=_zero_to_steps,
        perfect=0.0,
        skill=True,
        source="ACL'21 Eq. 1",
        papers=_LABELS,
    ),
    _classification(
        "MAE_mu",
        "Mean Absolute Error",
        classification.mae_micro,
        ordinal=True,
        farther_is_worse="always",
        symmetric=True,
        equidistant=True,
        better="low",
        range="0 to |C| - 1",
        bounds=_zero_to_steps,
        perfect=0.0,
        imbalance=False,
        skill=True,
        source="ACL'21 Eq. 2",
        papers=_LABELS,
    ),
    _classification(
        "CEM_ORD",
        "Closeness Evaluation Measure for ordinal classes",
        classification.cem_ord,
        ordinal=True,
        farther_is_worse="weakly",
        symmetric=False,
        equidistant=False,
        source="ACL'21 Eqs. 3, 4",
        papers=_LABELS,
    ),
    _classification(
        "kappa",
        "Linear weighted kappa",
        agreement.kappa,
        ordinal=True,
        farther_is_worse="not always",
        symmetric=True,
        equidistant=True,
        range="-1 to 1",
        bounds=_minus_one_to_one,
        constant_runs=False,
        source="ACL'21 Eq. 5",
        papers=_LABELS,
    ),
    _classification(
        "alpha_ord",
        "Krippendorff's alpha, ordinal",
        agreement.alpha_ord,
        ordinal=True,
        farther_is_worse="not always",
        symmetric=True,
        equidistant=False,
        range="above -1 to 1",
        bounds=_minus_one_to_one,
        source="ACL'21 Eqs. 6, 7",
        papers=_LABELS,
    ),
    _classification(
        "alpha_int",
        "Krippendorff's alpha, interval",
        agreement.alpha_int,
        ordinal=True,
        farther_is_worse="not always",
        symmetric=True,
        equidistant=True,
        range="above -1 to 1",
        bounds=_minus_one_to_one,
        source="ACL'21 Eqs. 6, 7",
        papers=_LABELS,
    ),
    _classification(
        "F1_M",
        "Macroaveraged F1",
        classification.f1_macro,
        symmetric=False,
        source="ACL'21 Eq. 8",
        papers=_LABELS,
        **_NOMINAL,
    ),
    _classification(
        "HMPR",
        "Harmonic mean of macroaveraged precision and recall",
        classification.hmpr,
        symmetric=False,
        source="ACL'21 Eq. 9",
        papers=_LABELS,
        **_NOMINAL,
    ),
    _classification(
        "accuracy",
        "Accuracy",
        classification.accuracy,
        symmetric=True,
        imbalance=False,
        source="ACL'21 Eq. 10",
        papers=_LABELS,
        **_NOMINAL,
    ),
    _classification(
        "QWK",
        "Quadratic weighted kappa",
        agreement.qwk,
        ordinal=True,
        farther_is_worse="not always",
        symmetric=True,
        equidistant=True,
        range="-1 to 1",
        bounds=_minus_one_to_one,
        constant_runs=False,
        source="Cohen 1968; Fleiss and Cohen 1973",
    ),
)
_KNOWN: dict[str, dict[str, Measure]] = {
    "quantification": {measure.name: measure for measure in _QUANTIFICATION},
    "classification": {measure.name: measure for measure in _CLASSIFICATION},
}
# Kind -> name -> measure; views, to which `register` adds.
MEASURES: Mapping[str, Mapping[str, Measure]] = {
    kind: MappingProxyType(measures) for kind, measures in _KNOWN.items()
}
QUANTIFICATION, CLASSIFICATION = MEASURES["quantification"], MEASURES["classification"]
_BUILT_IN = frozenset(measure.name for measure in (*_QUANTIFICATION, *_CLASSIFICATION))


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


def measure_named(name: str) -> Measure | None:
    """Return the measure of either kind that has this name, None if there is none."""
    return QUANTIFICATION.get(name) or CLASSIFICATION.get(name)


def of_paper(paper: str, kind: str) -> tuple[str, ...]:
    """Return the names of the measures of a kind that a paper uses.

    Examples
    --------
    >>> of_paper("dialeval1", "quantification")
    ('NMD', 'RSNOD', 'RNSS', 'JSD')
    """
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
