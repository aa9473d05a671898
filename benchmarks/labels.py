"""The classification measures against scikit-learn, krippendorff and QuaPy."""

from typing import Any

import krippendorff
import numpy as np
import quapy
from scipy.stats import hmean
from sklearn import metrics

from benchmarks.comparison import Comparison, Function
from benchmarks.inputs import Pair

NOWHERE = {
    "CEM_ORD": "None of these libraries has it; the tests compare it with its equations as loops."
}

# -- theirs, where it takes more than a call -----------------------------------------------------


def sklearn_hmpr(true: Any, pred: Any, n: int) -> float:
    """scikit-learn's macroaveraged precision over the gold classes, and balanced accuracy."""
    precision = metrics.precision_score(
        true, pred, labels=np.unique(true), average="macro", zero_division=0
    )
    return float(hmean([precision, metrics.balanced_accuracy_score(true, pred)]))


def item_weights(true: Any) -> np.ndarray[Any, Any]:
    """Weights under which every gold class counts the same."""
    _, index, counts = np.unique(true, return_inverse=True, return_counts=True)
    return 1 / counts[index]


def _alpha(level: str) -> Function:
    return lambda true, pred, n: krippendorff.alpha(
        np.array([true, pred]), value_domain=range(n), level_of_measurement=level
    )


def _kappa(weights: str) -> Function:
    return lambda true, pred, n: metrics.cohen_kappa_score(
        true, pred, labels=range(n), weights=weights
    )


# -- which inputs ------------------------------------------------------------------------------


def _one_class(pair: Pair) -> bool:
    return np.union1d(pair.gold, pair.estimate).size == 1


def _two_classes(pair: Pair) -> bool:
    return not _one_class(pair)


def _only_chosen(pair: Pair) -> bool:
    return np.setdiff1d(pair.estimate, pair.gold).size > 0


def _gap(pair: Pair) -> bool:
    used = np.union1d(pair.gold, pair.estimate)
    return bool(used.size > 1 and used[-1] - used[0] >= used.size)


# -- the lists ---------------------------------------------------------------------------------

SAME = (
    Comparison(
        "MAE_M", "scikit-learn", "mean_absolute_error(gold, run, sample_weight=1/class size)",
        lambda t, p, n: metrics.mean_absolute_error(t, p, sample_weight=item_weights(t)),
    ),
    Comparison(
        "MAE_mu", "scikit-learn", "mean_absolute_error(gold, run)",
        lambda t, p, n: metrics.mean_absolute_error(t, p),
    ),
    Comparison(
        "kappa", "scikit-learn", "cohen_kappa_score(gold, run, labels=all, weights='linear')",
        _kappa("linear"), "Where the labels are not all the same.", where=_two_classes,
    ),
    Comparison(
        "QWK", "scikit-learn", "cohen_kappa_score(gold, run, labels=all, weights='quadratic')",
        _kappa("quadratic"), "Where the labels are not all the same.", where=_two_classes,
    ),
    Comparison(
        "alpha_ord", "krippendorff", "alpha([gold, run], value_domain=all, 'ordinal')",
        _alpha("ordinal"), "Where the labels are not all the same.", where=_two_classes,
    ),
    Comparison(
        "alpha_int", "krippendorff", "alpha([gold, run], value_domain=all, 'interval')",
        _alpha("interval"), "Where the labels are not all the same.", where=_two_classes,
    ),
    Comparison(
        "F1_M", "scikit-learn",
        "f1_score(gold, run, labels=set(gold), average='macro', zero_division=0)",
        lambda t, p, n: metrics.f1_score(
            t, p, labels=np.unique(t), average="macro", zero_division=0
        ),
    ),
    Comparison(
        "HMPR", "scikit-learn",
        "hmean of precision_score(labels=set(gold), average='macro') and balanced_accuracy_score",
        sklearn_hmpr, "Balanced accuracy is macroaveraged recall over the gold classes.",
    ),
    Comparison(
        "accuracy", "scikit-learn", "accuracy_score(gold, run)",
        lambda t, p, n: metrics.accuracy_score(t, p),
    ),
    Comparison(
        "accuracy_1", "scikit-learn", "accuracy_score(abs(gold - run) <= 1, all true)",
        lambda t, p, n: metrics.accuracy_score(np.abs(np.subtract(t, p)) <= 1, [True] * len(t)),
    ),
    Comparison(
        "MAE_max", "scikit-learn", "max of mean_absolute_error(gold, run) by gold class",
        lambda t, p, n: max(
            metrics.mean_absolute_error(t[t == j], p[t == j]) for j in np.unique(t)
        ),
    ),
    Comparison(
        "accuracy", "QuaPy", "1 - error.acce(gold, run)",
        lambda t, p, n: 1 - quapy.error.acce(t, p),
    ),
)  # fmt: skip

DIFFERENT = (
    Comparison(
        "MAE_M", "scikit-learn", "mean_absolute_error(gold, run)",
        lambda t, p, n: metrics.mean_absolute_error(t, p),
        "It weighs every item the same, so large classes decide; that is MAE_mu.",
    ),
    Comparison(
        "kappa", "scikit-learn", "cohen_kappa_score(gold, run, weights='linear')",
        lambda t, p, n: metrics.cohen_kappa_score(t, p, weights="linear"),
        "Where a class in between is used by neither: without labels= it numbers the classes it "
        "finds, which makes their neighbours adjacent.",
        where=_gap,
    ),
    Comparison(
        "kappa", "scikit-learn", "cohen_kappa_score(gold, run, labels=all, weights='linear')",
        _kappa("linear"),
        "Where all labels are the same kappa is 0/0: scikit-learn gives nan "
        "(replace_undefined_by), ours 1.",
        where=_one_class,
    ),
    Comparison(
        "alpha_ord", "krippendorff", "alpha([gold, run], value_domain=all, 'ordinal')",
        _alpha("ordinal"),
        "Where all labels are the same alpha is 0/0: krippendorff gives nan, ours 1.",
        where=_one_class,
    ),
    Comparison(
        "alpha_int", "krippendorff", "alpha([gold, run], value_domain=all, 'interval')",
        _alpha("interval"),
        "Where all labels are the same alpha is 0/0: krippendorff gives nan, ours 1.",
        where=_one_class,
    ),
    Comparison(
        "F1_M", "scikit-learn", "f1_score(gold, run, average='macro')",
        lambda t, p, n: metrics.f1_score(t, p, average="macro", zero_division=0),
        "Where the run chose a class without gold: it also averages over that class, whose F1 "
        "is 0.",
        where=_only_chosen,
    ),
    Comparison(
        "F1_M", "QuaPy", "1 - error.f1e(gold, run)", lambda t, p, n: 1 - quapy.error.f1e(t, p),
        "Where the run chose a class without gold: it calls scikit-learn's f1_score without "
        "labels, which counts that class as 0.",
        where=_only_chosen,
    ),
    Comparison(
        "accuracy", "scikit-learn", "balanced_accuracy_score(gold, run)",
        lambda t, p, n: metrics.balanced_accuracy_score(t, p),
        "It averages the share of right items over the gold classes: macroaveraged recall, a "
        "part of HMPR.",
    ),
)  # fmt: skip
