"""Ours against SciPy, scikit-learn, QuaPy, mlquantify and krippendorff, on the same inputs.

The comparisons are those of `benchmarks.agreement`, which the book shows. Where definitions
coincide values agree to 1e-12: both sides sum a handful of terms of size 1, so rounding is of
the order 1e-15 (1e-14 for sums of logarithms), and another definition is off by far more.
"""

import dataclasses
import itertools
import math
import warnings

import numpy as np
import pytest
import quapy
from mlquantify import metrics as mlq
from scipy.spatial.distance import jensenshannon
from scipy.stats import kendalltau, wasserstein_distance
from sklearn import metrics

import ordbook.measures as om
from benchmarks import labels
from benchmarks.agreement import COMPARISONS, TOLERANCE, inputs
from benchmarks.comparison import COMPONENTS, differences
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

INPUTS = inputs(repeats=12)
SAME = [c for c in COMPARISONS if c.same]
DIFFERENT = [c for c in COMPARISONS if not c.same]


def name(comparison):
    return f"{comparison.measure} {comparison.library} {comparison.function}"


def pairs(on, *kinds):
    return [pair for pair in INPUTS[on] if not kinds or pair.kind in kinds]


# -- the same definition -----------------------------------------------------------------------


@pytest.mark.parametrize("comparison", SAME, ids=name)
def test_same_definition_same_value(comparison):
    available = INPUTS[comparison.on]
    cases, largest = differences(comparison, available)
    assert largest <= TOLERANCE
    assert cases >= len(available) / 3
    # what a comparison leaves out, its note says
    assert comparison.note.startswith("Where") or "where" in comparison.note or (
        cases == len(available)
    )  # fmt: skip


def test_every_measure_with_an_independent_implementation_is_compared():
    compared = {c.measure for c in SAME}
    assert compared == (QUANTIFICATION.keys() | CLASSIFICATION.keys() | COMPONENTS.keys()) - {
        "CEM_ORD"
    }
    assert labels.NOWHERE.keys() == {"CEM_ORD"}
    libraries = {c.library for c in COMPARISONS}
    assert libraries == {"SciPy", "scikit-learn", "QuaPy", "mlquantify", "krippendorff"}


def test_inputs_are_random_sparse_tied_and_degenerate():
    for on, classes, expected in (
        ("distributions", {2, 3, 5, 9}, {"random", "sparse", "tied", "degenerate", "uniform"}),
        ("labels", {2, 3, 5}, {"random", "imbalanced", "sparse", "constant run", "degenerate"}),
    ):
        for n in classes:
            assert expected <= {pair.kind for pair in INPUTS[on] if pair.classes == n}
    ties = [pair for pair in pairs("distributions", "float ties") if pair.classes > 2]
    exact = [np.unique(pair.gold).size == pair.classes for pair in ties]
    rounded = [np.unique(np.round(pair.gold, 12)).size < pair.classes for pair in ties]
    assert np.mean(exact) > 0.5  # no ties for whoever compares floats exactly
    assert all(rounded)


# -- canaries: a wrong implementation is noticed -----------------------------------------------


@pytest.mark.parametrize("comparison", SAME, ids=name)
def test_an_error_of_1e_11_is_noticed(comparison):
    def wrong(gold, estimate, n):
        return np.asarray(comparison.ours(gold, estimate, n)) + 1e-11

    _, largest = differences(
        dataclasses.replace(comparison, ours=wrong), INPUTS[comparison.on][:200]
    )
    assert not largest <= TOLERANCE


@pytest.mark.parametrize("comparison", SAME, ids=name)
def test_another_measure_is_noticed(comparison):
    others = {c.measure: c.ours for c in SAME if c.on == comparison.on and "quad" not in c.function}
    others.pop(comparison.measure)
    for ours in others.values():
        _, largest = differences(
            dataclasses.replace(comparison, ours=ours), INPUTS[comparison.on][::17]
        )
        assert not largest <= TOLERANCE


def test_an_undefined_value_never_counts_as_agreement():
    comparison = dataclasses.replace(SAME[0], ours=lambda g, p, n: math.nan)
    assert math.isnan(differences(comparison, INPUTS["distributions"][:3])[1])


# -- another definition: as far off as the table says, for the reason it gives ------------------


@pytest.mark.parametrize("comparison", DIFFERENT, ids=name)
def test_another_definition_is_really_another(comparison):
    cases, largest = differences(comparison, INPUTS[comparison.on])
    assert cases > 0
    assert comparison.note.endswith(".")
    if "nan" in comparison.note:  # undefined on every one of these inputs, ours on none
        chosen = [pair for pair in INPUTS[comparison.on] if comparison.where(pair)]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            assert all(np.isnan(comparison.theirs(*pair[:3])) for pair in chosen)
        assert np.isfinite([comparison.ours(*pair[:3]) for pair in chosen]).all()
    else:
        assert largest > 0.01


def test_why_scipys_wasserstein_distance_differs():
    for g, p, *_ in pairs("distributions"):
        theirs = wasserstein_distance(g, p)
        assert theirs == pytest.approx(np.abs(np.sort(g) - np.sort(p)).mean(), abs=TOLERANCE)
    assert wasserstein_distance([1, 0, 0], [0, 0, 1]) == 0
    assert om.nmd([1, 0, 0], [0, 0, 1]) == 1


def test_why_scipys_jensenshannon_differs():
    for g, p, *_ in pairs("distributions"):
        theirs = jensenshannon(g, p) ** 2 / math.log(2)
        assert om.jsd(g, p) == pytest.approx(theirs, abs=TOLERANCE)


def test_why_scipys_kendalltau_differs():
    gold, estimate = [0.1 + 0.2, 0.3, 0.4], [0.3, 0.3, 0.4]
    assert kendalltau(gold, estimate).statistic < 0.9  # it orders the first two of the gold
    assert om.dnkt(gold, estimate) == 0


def test_why_quapys_nmd_and_nae_and_mlquantifys_nae_differ():
    for g, p, _, _ in INPUTS["sets"]:
        assert quapy.error.nmd(g, p) == pytest.approx(om.nmd(g, p).mean(), abs=TOLERANCE)
    for g, p, n, _ in pairs("distributions"):
        largest = 1 - g.min()
        assert quapy.error.nae(g, p) * largest == pytest.approx(om.nvd(g, p), abs=TOLERANCE)
        assert mlq.NAE(g, p) * n == pytest.approx(quapy.error.nae(g, p), abs=TOLERANCE)


def test_why_mlquantifys_rnod_differs():
    chosen = pairs("distributions", "float noise")
    for g, p, n, _ in chosen:
        viewpoints = om.dw(g, p)[g > 0]  # C* of all classes above 0
        assert mlq.RNOD(g, p) == pytest.approx(
            math.sqrt(viewpoints.mean() / (n - 1)), abs=TOLERANCE
        )
    assert chosen


def test_why_quapys_and_mlquantifys_kld_differ():
    eps = 1 / 200
    for g, p, n, _ in pairs("distributions", "random"):
        smooth_g, smooth_p = ((x + eps) / (1 + n * eps) for x in (g, p))
        in_nats = om.kld(smooth_p, smooth_g) * math.log(2)  # of the gold from the estimate
        assert quapy.error.kld(g, p, eps=eps) == pytest.approx(in_nats, abs=TOLERANCE)
        terms = p * np.log(p / g)
        np.testing.assert_allclose(mlq.KLD(p, g), np.abs(terms), rtol=0, atol=TOLERANCE)
        assert om.kld(g, p) == pytest.approx(terms.sum() / math.log(2), abs=TOLERANCE)


def test_why_scikit_learns_f1_differs():
    for true, pred, n, _ in pairs("labels"):
        gold, both = np.unique(true), np.union1d(true, pred)
        theirs = metrics.f1_score(true, pred, average="macro", zero_division=0)
        ours = om.f1_macro(true, pred, labels=range(n))
        assert ours == pytest.approx(theirs * both.size / gold.size, abs=TOLERANCE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert 1 - quapy.error.f1e(true, pred) == pytest.approx(theirs, abs=TOLERANCE)


def test_why_scikit_learns_kappa_differs_without_labels():
    for true, pred, *_ in pairs("labels"):
        used, numbered = np.unique([true, pred], return_inverse=True)
        if used.size > 1:
            theirs = metrics.cohen_kappa_score(true, pred, weights="linear")
            ours = om.kappa(*numbered.reshape(2, -1), labels=range(used.size))
            assert ours == pytest.approx(theirs, abs=TOLERANCE)


def test_why_scikit_learns_plain_and_balanced_averages_differ():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for true, pred, n, _ in pairs("labels"):
            assert metrics.mean_absolute_error(true, pred) == om.mae_micro(
                true, pred, labels=range(n)
            )
            recalls = [(pred[true == j] == j).mean() for j in np.unique(true)]
            assert metrics.balanced_accuracy_score(true, pred) == pytest.approx(
                np.mean(recalls), abs=TOLERANCE
            )


# -- more than single pairs --------------------------------------------------------------------


def test_all_pairs_in_one_call_are_all_pairs_one_by_one():
    # the libraries are compared pair by pair; this carries their agreement over to arrays
    for (g, p, _, _), (measure, known) in itertools.product(INPUTS["sets"], QUANTIFICATION.items()):
        one_by_one = [known.function(*pair) for pair in zip(g, p, strict=True)]
        np.testing.assert_allclose(
            known.function(g, p), one_by_one, rtol=0, atol=TOLERANCE, err_msg=measure
        )
