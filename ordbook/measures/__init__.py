"""The measures of the five papers and some that are used elsewhere; they need only numpy.

The names in ``_MODULES`` are loaded when they are first asked for (PEP 562).

>>> from ordbook.measures import rnod, kappa
>>> round(rnod([.2, .3, .5], [.2, .5, .3]), 4)
0.1826
>>> kappa([1, 1, 2, 2], [1, 1, 2, 1])
0.5
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import classification, components, priority, quantification
from .classification import *
from .components import *
from .confusion import confusion_matrix
from .priority import *
from .quantification import *
from .registry import (
    CLASSIFICATION,
    QUANTIFICATION,
    ClassificationMeasure,
    Measure,
    QuantificationMeasure,
    register,
)

if TYPE_CHECKING:
    from .custom import custom_measure, import_measures
    from .guarantees import GUARANTEES, Guarantee, probe
    from .intervals import Interval, interval
    from .reliability import alpha
    from .scorers import scorer

# Module -> its names.
_MODULES = {
    "custom": "custom_measure import_measures",
    "guarantees": "GUARANTEES Guarantee probe",
    "intervals": "Interval interval",
    "reliability": "alpha",
    "scorers": "scorer",
}
_LAZY = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "CLASSIFICATION",
    "GUARANTEES",
    "QUANTIFICATION",
    "ClassificationMeasure",
    "Guarantee",
    "Interval",
    "Measure",
    "QuantificationMeasure",
    "alpha",
    "confusion_matrix",
    "custom_measure",
    "import_measures",
    "interval",
    "probe",
    "register",
    "scorer",
]
__all__ += classification.__all__
__all__ += components.__all__
__all__ += priority.__all__
__all__ += quantification.__all__


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_LAZY[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
