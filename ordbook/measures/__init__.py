"""The measures of the five papers and some that are used elsewhere; they need only numpy.

>>> from ordbook.measures import rnod, kappa
>>> round(rnod([.2, .3, .5], [.2, .5, .3]), 4)
0.1826
>>> kappa([1, 1, 2, 2], [1, 1, 2, 1])
0.5
"""

from . import classification, components, priority, quantification
from .classification import *
from .components import *
from .confusion import confusion_matrix
from .custom import custom_measure, import_measures
from .guarantees import GUARANTEES, Guarantee, probe
from .intervals import Interval, interval
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
from .reliability import alpha
from .scorers import scorer

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
