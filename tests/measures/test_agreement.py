"""Ours against SciPy, scikit-learn, QuaPy, mlquantify and krippendorff, on the same inputs.

The comparisons are those of `benchmarks.agreement`, which the book shows. Where definitions
coincide values agree to 1e-12: both sides sum a handful of terms of size 1, so rounding is of
the order 1e-15 (1e-14 for sums of logarithms), and another definition is off by far more.
"""

import dataclasses
import math
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import kendalltau, wasserstein_distance

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

pytestmark = pytest.mark.slow
TOLERANCE = 1e-12


@pytest.fixture(scope="module")
def other():
    """The other libraries, which take a while to import, and what `benchmarks` compares."""
    import quapy
    from mlquantify import metrics as mlq
    from sklearn import metrics

    from benchmarks import agreement, comparison, labels

    assert agreement.TOLERANCE == TOLERANCE
    return SimpleNamespace(
        quapy=quapy,
        mlq=mlq,
        metrics=metrics,
        components=comparison.COMPONENTS,
        nowhere=labels.NOWHERE,
        differences=comparison.differences,
        comparisons=agreement.COMPARISONS,
        inputs=agreement.inputs(repeats=12),
    )


def pairs(other, on, *kinds):
    return [pair for pair in other.inputs[on] if not kinds or pair.kind in kinds]


# -- the same definition -----------------------------------------------------------------------


def test_same_definition_same_value(other):
    for comparison in (c for c in other.comparisons if c.same):
        available = other.inputs[comparison.on]
        cases, largest = other.differences(comparison, available)
        assert largest <= TOLERANCE, comparison
        assert cases >= len(available) / 3
        # what a comparison leaves out, its note says
        assert comparison.note.startswith("Where") or "where" in comparison.note or (
            cases == len(available)
        )  # fmt: skip


def test_every_measure_with_an_independent_implementation_is_compared(other):
    compared = {c.measure for c in other.comparisons if c.same}
    assert compared == (QUANTIFICATION.keys() | CLASSIFICATION.keys() | other.components.keys()) - {
        "CEM_ORD"
    }
    assert other.nowhere.keys() == {"CEM_ORD"}
    libraries = {c.library for c in other.comparisons}
    assert libraries == {"SciPy", "scikit-learn", "QuaPy", "mlquantify", "krippendorff"}


# -- canaries: a wrong implementation is noticed -----------------------------------------------


def test_an_error_of_1e_11_is_noticed(other):
    for comparison in (c for c in other.comparisons if c.same):

        def wrong(gold, estimate, n, ours=comparison.score):
            return np.asarray(ours(gold, estimate, n)) + 1e-11

        _, largest = other.differences(
            dataclasses.replace(comparison, ours=wrong), other.inputs[comparison.on][:200]
        )
        assert not largest <= TOLERANCE, comparison


def test_an_undefined_value_never_counts_as_agreement(other):
    comparison = dataclasses.replace(
        next(c for c in other.comparisons if c.same), ours=lambda g, p, n: math.nan
    )
    assert math.isnan(other.differences(comparison, other.inputs["distributions"][:3])[1])


# -- another definition: as far off as the table says, for the reason it gives ------------------


def test_another_definition_is_really_another(other):
    for comparison in (c for c in other.comparisons if not c.same):
        cases, largest = other.differences(comparison, other.inputs[comparison.on])
        assert cases > 0, comparison
        assert comparison.note.endswith(".")
        if "nan" in comparison.note:  # undefined on every one of these inputs, ours on none
            chosen = [pair for pair in other.inputs[comparison.on] if comparison.where(pair)]
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                assert all(np.isnan(comparison.theirs(*pair[:3])) for pair in chosen)
            assert np.isfinite([comparison.score(*pair[:3]) for pair in chosen]).all()
        else:
            assert largest > 0.01, comparison


def test_why_scipys_wasserstein_distance_differs(other):
    for g, p, *_ in pairs(other, "distributions"):
        theirs = wasserstein_distance(g, p)
        assert theirs == pytest.approx(np.abs(np.sort(g) - np.sort(p)).mean(), abs=TOLERANCE)
    assert wasserstein_distance([1, 0, 0], [0, 0, 1]) == 0
    assert om.nmd([1, 0, 0], [0, 0, 1]) == 1


def test_why_scipys_jensenshannon_differs(other):
    for g, p, *_ in pairs(other, "distributions"):
        theirs = jensenshannon(g, p) ** 2 / math.log(2)
        assert om.jsd(g, p) == pytest.approx(theirs, abs=TOLERANCE)


def test_why_scipys_kendalltau_differs():
    gold, estimate = [0.1 + 0.2, 0.3, 0.4], [0.3, 0.3, 0.4]
    assert kendalltau(gold, estimate).statistic < 0.9  # it orders the first two of the gold
    assert om.dnkt(gold, estimate) == 0


def test_why_quapys_nmd_and_nae_and_mlquantifys_nae_differ(other):
    for g, p, _, _ in other.inputs["sets"]:
        assert other.quapy.error.nmd(g, p) == pytest.approx(om.nmd(g, p).mean(), abs=TOLERANCE)
    for g, p, n, _ in pairs(other, "distributions"):
        largest = 1 - g.min()
        assert other.quapy.error.nae(g, p) * largest == pytest.approx(om.nvd(g, p), abs=TOLERANCE)
        assert other.mlq.NAE(g, p) * n == pytest.approx(other.quapy.error.nae(g, p), abs=TOLERANCE)


def test_why_mlquantifys_rnod_differs(other):
    chosen = pairs(other, "distributions", "float noise")
    for g, p, n, _ in chosen:
        viewpoints = om.dw(g, p)[g > 0]  # C* of all classes above 0
        assert other.mlq.RNOD(g, p) == pytest.approx(
            math.sqrt(viewpoints.mean() / (n - 1)), abs=TOLERANCE
        )
    assert chosen


def test_why_quapys_and_mlquantifys_kld_differ(other):
    eps = 1 / 200
    for g, p, n, _ in pairs(other, "distributions", "random"):
        smooth_g, smooth_p = ((x + eps) / (1 + n * eps) for x in (g, p))
        in_nats = om.kld(smooth_p, smooth_g) * math.log(2)  # of the gold from the estimate
        assert other.quapy.error.kld(g, p, eps=eps) == pytest.approx(in_nats, abs=TOLERANCE)
        terms = p * np.log(p / g)
        np.testing.assert_allclose(other.mlq.KLD(p, g), np.abs(terms), rtol=0, atol=TOLERANCE)
        assert om.kld(g, p) == pytest.approx(terms.sum() / math.log(2), abs=TOLERANCE)


def test_why_scikit_learns_f1_differs(other):
    for true, pred, n, _ in pairs(other, "labels"):
        gold, both = np.unique(true), np.union1d(true, pred)
        theirs = other.metrics.f1_score(true, pred, average="macro", zero_division=0)
        ours = om.f1_macro(true, pred, labels=range(n))
        assert ours == pytest.approx(theirs * both.size / gold.size, abs=TOLERANCE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert 1 - other.quapy.error.f1e(true, pred) == pytest.approx(theirs, abs=TOLERANCE)


def test_why_scikit_learns_kappa_differs_without_labels(other):
    for true, pred, *_ in pairs(other, "labels"):
        used, numbered = np.unique([true, pred], return_inverse=True)
        if used.size > 1:
            theirs = other.metrics.cohen_kappa_score(true, pred, weights="linear")
            ours = om.kappa(*numbered.reshape(2, -1), labels=range(used.size))
            assert ours == pytest.approx(theirs, abs=TOLERANCE)


def test_why_scikit_learns_plain_and_balanced_averages_differ(other):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for true, pred, n, _ in pairs(other, "labels"):
            assert other.metrics.mean_absolute_error(true, pred) == om.mae_micro(
                true, pred, labels=range(n)
            )
            recalls = [(pred[true == j] == j).mean() for j in np.unique(true)]
            assert other.metrics.balanced_accuracy_score(true, pred) == pytest.approx(
                np.mean(recalls), abs=TOLERANCE
            )
