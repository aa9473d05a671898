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


def test_why_those_of_distributions_differ(other):
    quapy, mlq = other.quapy.error, other.mlq
    for g, p, n, kind in other.inputs["distributions"]:
        above_0 = om.dw(g, p)[g > 0]  # C* of all classes above 0
        ways = [
            (wasserstein_distance(g, p), np.abs(np.sort(g) - np.sort(p)).mean()),
            (om.jsd(g, p), jensenshannon(g, p) ** 2 / math.log(2)),
            (quapy.nae(g, p) * (1 - g.min()), om.nvd(g, p)),
            (mlq.NAE(g, p) * n, quapy.nae(g, p)),
            (mlq.RNOD(g, p), math.sqrt(above_0.mean() / (n - 1))),
        ]
        if kind == "random":
            smooth_g, smooth_p = ((x + 1 / 200) / (1 + n / 200) for x in (g, p))
            in_nats = om.kld(smooth_p, smooth_g) * math.log(2)  # of the gold from the estimate
            ways.append((quapy.kld(g, p, eps=1 / 200), in_nats))
            terms = p * np.log(p / g)
            np.testing.assert_allclose(mlq.KLD(p, g), np.abs(terms), rtol=0, atol=TOLERANCE)
            ways.append((om.kld(g, p), terms.sum() / math.log(2)))
        for ours, theirs in ways:
            assert ours == pytest.approx(theirs, abs=TOLERANCE)
    for g, p, _, _ in other.inputs["sets"]:
        assert quapy.nmd(g, p) == pytest.approx(om.nmd(g, p).mean(), abs=TOLERANCE)
    gold, estimate = [0.1 + 0.2, 0.3, 0.4], [0.3, 0.3, 0.4]
    assert kendalltau(gold, estimate).statistic < 0.9  # it orders the first two of the gold


def test_why_those_of_labels_differ(other):
    sklearn = other.metrics
    for true, pred, n, _ in other.inputs["labels"]:
        gold, both = np.unique(true), np.union1d(true, pred)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f1 = sklearn.f1_score(true, pred, average="macro", zero_division=0)
            recalls = [(pred[true == j] == j).mean() for j in gold]
            ways = [
                (om.f1_macro(true, pred, labels=range(n)), f1 * both.size / gold.size),
                (1 - other.quapy.error.f1e(true, pred), f1),
                (sklearn.mean_absolute_error(true, pred), abs(true - pred).mean()),
                (om.mae_micro(true, pred, labels=range(n)), abs(true - pred).mean()),
                (sklearn.balanced_accuracy_score(true, pred), np.mean(recalls)),
            ]
            if both.size > 1:  # without labels= its classes are those that occur
                numbers = np.searchsorted(both, [true, pred])
                theirs = sklearn.cohen_kappa_score(true, pred, weights="linear")
                ways.append((theirs, om.kappa(*numbers, labels=range(both.size))))
        for ours, theirs in ways:
            assert ours == pytest.approx(theirs, abs=TOLERANCE)
