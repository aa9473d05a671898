"""Every property that CLASSIFICATION states, proved on random input or refuted by a kept example.

Tolerance 1e-12: sums of a few dozen terms of size 1.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ordbook.measures import CLASSIFICATION

TOL = 1e-12
ALL = list(CLASSIFICATION)
QUICK = settings(max_examples=40, deadline=None, derandomize=True)
MATRICES = (
    st.integers(2, 5)
    .flatmap(lambda n: arrays(np.int64, (n, n), elements=st.integers(0, 4)))
    .filter(np.any)
)


def having(**facts):
    return [
        n for n, m in CLASSIFICATION.items() if all(getattr(m, k) == v for k, v in facts.items())
    ]


def score(name, cm):
    return CLASSIFICATION[name].from_confusion(cm)


def goodness(name, cm):
    return score(name, cm) * (1 if CLASSIFICATION[name].better == "high" else -1)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_worst_bound(name, n):
    measure = CLASSIFICATION[name]
    worst = measure.bounds(n)[measure.better == "low"]
    ends = np.zeros((n, n))
    ends[0, -1] = ends[-1, 0] = 50  # everything at the opposite end
    single = np.zeros((n, n))
    single[0, -1] = 7  # CEM_ORD: all gold in one class, none found
    if not name.startswith("alpha"):
        assert score(name, single if name == "CEM_ORD" else ends) == pytest.approx(worst, abs=TOL)
    else:
        # alpha >= -1 + 1/N, reached here with N = 100
        assert score(name, ends) == pytest.approx(-1 + 1 / 100, abs=TOL)


@pytest.mark.parametrize("name", ["alpha_ord", "alpha_int"])
@given(cm=MATRICES)
@QUICK
def test_alpha_stays_above_minus_one(name, cm):
    assert score(name, cm) >= -1 + 1 / cm.sum() - TOL


@pytest.mark.parametrize(
    ("name", "there", "back"),
    [
        ("MAE_M", 2 / 3, 1 / 2),
        ("CEM_ORD", 1 / 3, np.log2(6 * 1.2**2) / np.log2(6 * 3**2)),
        ("F1_M", 1 / 2, 1 / 4),
        ("HMPR", 1 / 2, 2 * (1 / 2) * (1 / 6) / (1 / 2 + 1 / 6)),
    ],
)
def test_not_symmetric(name, there, back):
    cm = np.array([[1, 2], [0, 0]])  # gold 1 1 1, predicted 1 2 2; exchanged: two gold classes
    assert not CLASSIFICATION[name].symmetric
    assert score(name, cm) == pytest.approx(there)
    assert score(name, cm.T) == pytest.approx(back)


# -- order -------------------------------------------------------------------------------------


def moved_farther(cm):
    """Move one item of class 1 from class 2 to class 3."""
    farther = np.array(cm)
    farther[0, 1] -= 1
    farther[0, 2] += 1
    return farther


@pytest.mark.parametrize(
    "name", having(farther_is_worse="always") + having(farther_is_worse="weakly")
)
@given(cm=arrays(np.int64, (4, 4), elements=st.integers(0, 4)).filter(lambda cm: cm[0, 1] > 0))
@QUICK
def test_farther_is_worse(name, cm):
    change = goodness(name, moved_farther(cm)) - goodness(name, cm)
    assert change < -TOL if CLASSIFICATION[name].farther_is_worse == "always" else change <= TOL


def test_cem_does_not_always_tell_near_from_far():
    cm = [[1, 3, 1], [0, 0, 0], [0, 0, 0]]  # no gold between the classes: equally far
    assert score("CEM_ORD", cm) == pytest.approx(score("CEM_ORD", moved_farther(cm)), abs=TOL)


# -- equidistance ------------------------------------------------------------------------------


def with_gap(cm, at):
    return np.insert(np.insert(cm, at, 0, axis=0), at, 0, axis=1)


@pytest.mark.parametrize("name", [n for n in ALL if CLASSIFICATION[n].equidistant is not True])
@given(cm=MATRICES, at=st.integers(1, 4))
@QUICK
def test_an_empty_class_between_changes_nothing_without_equidistance(name, cm, at):
    assert score(name, cm) == pytest.approx(score(name, with_gap(cm, min(at, len(cm)))), abs=TOL)


@pytest.mark.parametrize("name", having(equidistant=True))
def test_an_empty_class_between_matters_with_equidistance(name):
    cm = np.array([[2, 2, 0], [0, 3, 0], [0, 0, 3]])
    assert abs(score(name, cm) - score(name, with_gap(cm, 1))) > 0.01


# -- class imbalance and constant runs (ACL'21 Table 4) ----------------------------------------


@pytest.mark.parametrize("name", ALL)
@given(small=st.integers(1, 20), more=st.integers(1, 20))
@QUICK
def test_an_error_in_the_small_class_costs_more(name, small, more):
    large = small + more
    in_large = goodness(name, [[large - 1, 1], [0, small]])
    in_small = goodness(name, [[large, 0], [1, small - 1]])
    if CLASSIFICATION[name].imbalance:
        assert in_large > in_small + TOL
    else:
        assert in_large == pytest.approx(in_small, abs=TOL)


def constant_run(gold, answer):
    cm = np.zeros((len(gold), len(gold)))
    cm[:, answer] = gold
    return cm


@pytest.mark.parametrize("name", ALL)
def test_constant_runs(name):
    scores = [score(name, constant_run([5, 1, 2, 3], k)) for k in range(4)]
    if CLASSIFICATION[name].constant_runs:
        assert np.ptp(scores) > 0.05
    else:
        assert name in ("kappa", "QWK")
        np.testing.assert_allclose(scores, 0, atol=TOL)


def test_mae_macro_cannot_tell_mirrored_constant_runs_apart():
    assert score("MAE_M", constant_run([5, 1, 2, 3], 0)) == 1.5
    assert score("MAE_M", constant_run([5, 1, 2, 3], 3)) == 1.5


def test_a_run_that_ignores_the_minority_tends_to_one_by_cem():
    shares = [score("CEM_ORD", [[n, 0], [1, 0]]) for n in (9, 99, 999)]
    np.testing.assert_allclose(shares, [0.7645, 0.9384, 0.9901], atol=5e-5)  # printed digits
    kept = [score(n, [[99, 0], [1, 0]]) for n in ("MAE_M", "kappa", "alpha_ord", "F1_M", "HMPR")]
    np.testing.assert_allclose(kept, [0.5, 0, 0, 0.4975, 0.4975], atol=3e-3)
