"""The classification measures by hand, and the shapes and labels that they take.

Tolerance 1e-12: sums of a few dozen terms; a wrong definition is off by far more.
"""

import math

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION

TOL = 1e-12


def label_pairs(n):
    """Random, skewed, sparse, constant, single-item and single-class cases."""
    rng = np.random.default_rng(n)
    cases = [([0], [0]), ([0], [n - 1]), ([n - 1] * 3, [n - 1] * 3), ([0] * 4, [1] * 4)]
    for _ in range(25):
        size = int(rng.integers(1, 30))
        weights = rng.dirichlet(np.full(n, 0.5))
        true = rng.choice(n, size, p=weights)
        cases.append((true, np.clip(true + rng.integers(-1, 2, size), 0, n - 1)))
        cases.append((true, rng.integers(0, n, size)))
        cases.append((true, np.full(size, rng.integers(0, n))))
    return [(np.asarray(t), np.asarray(p)) for t, p in cases]


def test_undefined_cases_have_the_stated_values():
    for f in (om.kappa, om.qwk, om.alpha_ord, om.alpha_int):
        assert f([3, 3], [3, 3]) == 1  # 0/0
        assert f.from_confusion([[0, 0], [0, 4]]) == 1
    for f in (om.kappa, om.qwk):
        for gold, run in (([1, 2, 3], [2, 2, 2]), ([2, 2, 2], [1, 2, 3]), ([1, 1], [3, 3])):
            assert f(gold, run) == 0
    assert om.f1_macro([1, 1], [2, 2]) == om.hmpr([1, 1], [2, 2]) == 0


def test_qwk_is_the_concordance_correlation_of_the_class_numbers():
    for true, pred in label_pairs(5):
        if len({*true, *pred}) > 1:
            apart = true.var() + pred.var() + (true.mean() - pred.mean()) ** 2
            expected = 2 * np.cov(true, pred, bias=True)[0, 1] / apart if true.size > 1 else 0
            assert om.qwk(true, pred) == pytest.approx(expected, abs=TOL)


def test_weights_of_another_name_are_refused():
    for name in ("cubic", "Quadratic", ""):
        with pytest.raises(ValueError, match=f"weights={name!r} is not known: pass 'linear' or 'q"):
            om.kappa([1, 2], [1, 1], weights=name)


def test_cem_by_hand():
    # Gold counts 2, 1, 1 of N = 4; one item of class 3 put in class 1:
    # prox_11 = -log2(1/4) = 2, prox_22 = prox_33 = 3, prox_13 = -log2((1 + 1 + 1)/4) = .415
    score = om.cem_ord([1, 1, 2, 3], [1, 1, 2, 1])
    assert score == pytest.approx((2 * 2 + 3 - math.log2(3 / 4)) / (2 * 2 + 3 + 3), abs=TOL)


# -- classes that nobody used ------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_empty_classes_at_the_ends_change_nothing(name):
    f = CLASSIFICATION[name]
    for true, pred in label_pairs(4):
        cm = om.confusion_matrix(true, pred, labels=range(4))
        padded = np.zeros((7, 7))
        padded[2:6, 2:6] = cm
        assert f.from_confusion(padded) == pytest.approx(f.from_confusion(cm), abs=TOL)
        assert f(true, pred) == pytest.approx(f.from_confusion(cm), abs=TOL)
        assert f(true - 2, pred - 2) == pytest.approx(f(true, pred), abs=TOL)


def test_a_gap_between_integers_is_an_empty_class():
    assert om.mae_micro([-2, 0], [0, 0]) == 1  # two steps for one of two items
    assert om.mae_micro([-2, 0], [0, 0], labels=[-2, 0]) == 0.5  # neighbours, if the reader says so


# -- shapes and labels -------------------------------------------------------------------------


def test_kappa_weights_matrix_callable_and_direction():
    true, pred = [0, 0, 1, 1, 2], [0, 1, 1, 2, 0]
    cm = om.confusion_matrix(true, pred)
    square = om.equidistance(3) ** 2
    assert om.kappa(true, pred, weights=square) == om.kappa.from_confusion(cm, weights=square)
    assert om.kappa(true, pred, weights=square) != om.kappa(true, pred)
    assert om.kappa(true, pred, weights=om.equidistance) == om.kappa(true, pred)
    assert om.kappa(true, pred, weights="linear") == om.kappa(true, pred)
    assert om.kappa(true, pred, weights="quadratic") == om.qwk(true, pred)
    over = np.triu(np.ones((3, 3)), 1)  # only predicting too high counts: w[gold, predicted]
    # observed 2; expected over pairs gold < predicted: (2 (2 + 1) + 2 x 1)/5
    assert om.kappa(true, pred, weights=over) == pytest.approx(1 - 2 / (8 / 5), abs=TOL)
