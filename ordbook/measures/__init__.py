"""The measures of the five papers, quadratic kappa and RPS; they need only numpy.

>>> from ordbook.measures import rnod, kappa
>>> round(rnod([.2, .3, .5], [.2, .5, .3]), 4)
0.1826
>>> kappa([1, 1, 2, 2], [1, 1, 2, 1])
0.5
"""

from .agreement import alpha_int, alpha_ord, kappa, qwk
from .classification import accuracy, cem_ord, f1_macro, hmpr, mae_macro, mae_micro
from .components import dw, equidistance, gold_mass_distance, kld, md, od, snod, sod, ss, vd
from .confusion import confusion_matrix
from .custom import custom_measure, import_measures
from .guarantees import GUARANTEES, Guarantee, probe
from .priority import (
    dnkt,
    dnkt_jsd,
    dnkt_nmd,
    dnkt_rnod,
    mean_dnkt,
    mean_dnkt_jsd,
    mean_dnkt_nmd,
    mean_dnkt_rnod,
)
from .quantification import (
    jsd,
    mean_jsd,
    mean_nmd,
    mean_nvd,
    mean_rnadw,
    mean_rnadw2,
    mean_rnod,
    mean_rnod2,
    mean_rnss,
    mean_rps,
    mean_rsnod,
    nmd,
    nvd,
    rnadw,
    rnadw2,
    rnod,
    rnod2,
    rnod_supremum,
    rnss,
    rps,
    rsnod,
)
from .registry import CLASSIFICATION, QUANTIFICATION, Measure, register

__all__ = [
    "CLASSIFICATION",
    "GUARANTEES",
    "QUANTIFICATION",
    "Guarantee",
    "Measure",
    "accuracy",
    "alpha_int",
    "alpha_ord",
    "cem_ord",
    "confusion_matrix",
    "custom_measure",
    "dnkt",
    "dnkt_jsd",
    "dnkt_nmd",
    "dnkt_rnod",
    "dw",
    "equidistance",
    "f1_macro",
    "gold_mass_distance",
    "hmpr",
    "import_measures",
    "jsd",
    "kappa",
    "kld",
    "mae_macro",
    "mae_micro",
    "md",
    "mean_dnkt",
    "mean_dnkt_jsd",
    "mean_dnkt_nmd",
    "mean_dnkt_rnod",
    "mean_jsd",
    "mean_nmd",
    "mean_nvd",
    "mean_rnadw",
    "mean_rnadw2",
    "mean_rnod",
    "mean_rnod2",
    "mean_rnss",
    "mean_rps",
    "mean_rsnod",
    "nmd",
    "nvd",
    "od",
    "probe",
    "qwk",
    "register",
    "rnadw",
    "rnadw2",
    "rnod",
    "rnod2",
    "rnod_supremum",
    "rnss",
    "rps",
    "rsnod",
    "snod",
    "sod",
    "ss",
    "vd",
]
