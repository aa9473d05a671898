"""Numbers that papers print or a person can check, and what tolerances, distances and weights do.

Tolerance 1e-12 throughout unless said otherwise: both sides sum a handful of terms of size 1, so
rounding is of the order 1e-15, and a wrong definition is off by far more.
"""

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

TOL = 1e-12
UNIFORM5 = [0.2] * 5
X, Y = [0.3, 0.3, 0.2, 0.1, 0.1], [0.4, 0.2, 0.2, 0.1, 0.1]


# -- numbers from the papers -------------------------------------------------------------------


def test_sigir18():
    # Section 3.1, printed to four (JSD: three significant) digits; the paper prints X's p for Y as
    # well, and .1732 belongs to a skewed system such as (.4, .2, .2, .1, .1).
    assert om.vd(UNIFORM5, X) == pytest.approx(0.4, abs=TOL)
    assert om.vd(UNIFORM5, Y) == pytest.approx(0.4, abs=TOL)
    assert [f"{om.rnss(UNIFORM5, s):.4f}" for s in (X, Y)] == ["0.1414", "0.1732"]
    assert [f"{om.jsd(UNIFORM5, s):.4f}" for s in (X, Y)] == ["0.0390", "0.0490"]
    near, far = [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 1]]  # Figure 1
    for name in ("NMD", "RSNOD"):
        assert QUANTIFICATION[name](*near) < QUANTIFICATION[name](*far) == 1
    for name in ("NVD", "RNSS", "JSD"):
        assert QUANTIFICATION[name](*near) == QUANTIFICATION[name](*far)


def test_lq21_section_3_systems_a_and_b():
    gold, a, b = [0.25] * 4, [0.25, 0.35, 0.15, 0.25], [0.25, 0.25, 0.35, 0.15]
    np.testing.assert_allclose(om.dw(gold, a), [0.03, 0.01, 0.01, 0.03], atol=TOL)
    np.testing.assert_allclose(om.dw(gold, b), [0.05, 0.03, 0.01, 0.01], atol=TOL)
    assert om.od(gold, a) == pytest.approx(0.020, abs=TOL)
    assert om.od(gold, b) == pytest.approx(0.025, abs=TOL)
    assert om.nmd(gold, a) == pytest.approx(om.nmd(gold, b), abs=TOL)


def test_a_run_that_ignores_the_minority_tends_to_one_by_cem():
    shares = [om.cem_ord.from_confusion([[n, 0], [1, 0]]) for n in (9, 99, 999)]
    np.testing.assert_allclose(shares, [0.7645, 0.9384, 0.9901], atol=5e-5)  # printed digits


# -- rounding, and values that a formula leaves open ----------------------------------------------


def test_ties_and_the_support_ignore_noise_up_to_1e_12():
    assert 0.1 + 0.2 != 0.3
    for gold in ([0.1 + 0.2, 0.3, 0.4], [0.3, 0.1 + 0.2, 0.4]):
        assert om.dnkt(gold, [0.3, 0.3, 0.4]) == 0
    assert om.dnkt([0.3 + 1e-11, 0.3 - 1e-11, 0.4], [0.3, 0.3, 0.4]) > 0
    estimate = [0.5, 0.3, 0.2]
    clean = om.rnod([0, 0.4, 0.6], estimate)
    assert om.rnod([1e-13, 0.4, 0.6], estimate) == pytest.approx(clean, abs=TOL)
    assert abs(om.rnod([1e-11, 0.4, 0.6], estimate) - clean) > 0.01


# -- parts, distances and weights ------------------------------------------------------------------


def test_components_are_what_the_measures_are_made_of():
    g, p = np.random.default_rng(0).dirichlet(np.ones(5), (2, 20))
    m = (g + p) / 2  # JSD is made of two KLD from the midpoint
    for measure, parts in (
        (om.nvd(g, p), om.vd(g, p) / 2),
        (om.rnss(g, p) ** 2, om.ss(g, p) / 2),
        (om.nmd(g, p), om.md(g, p) / 4),
        (om.rnod(g, p) ** 2, om.od(g, p) / 4),
        (om.rsnod(g, p) ** 2, om.snod(g, p)),
        (om.snod(g, p), om.sod(g, p) / 4),
        (om.rnadw(g, p) ** 2, om.dw(g, p).mean(-1) / 4),
        (om.jsd(g, p), (om.kld(m, p) + om.kld(m, g)) / 2),
    ):
        np.testing.assert_allclose(measure, parts, atol=TOL)


def test_distances_can_be_a_matrix_or_a_callable():
    g, p = np.random.default_rng(2).dirichlet(np.ones(4), (2, 6))
    steps = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    by_gold = om.gold_mass_distance
    for f in (om.rnod, om.rsnod, om.rnadw, om.od, om.sod, om.dw, om.snod):
        for distance in (steps, lambda gold: steps):
            np.testing.assert_allclose(f(g, p, distance=distance), f(g, p), atol=TOL)
        assert not np.allclose(f(g, p, distance=steps**2), f(g, p))
        # the named distance takes a short cut; the same matrix as a plain callable does not
        plainly = f(g, p, distance=lambda gold: by_gold(gold))
        np.testing.assert_allclose(f(g, p, distance=by_gold), plainly, atol=TOL)
    for f, g_distance in ((om.rnod, om.rnod2), (om.rnadw, om.rnadw2)):
        np.testing.assert_allclose(f(g, p, distance=by_gold), g_distance(g, p))
    alone = [om.od(one, run, distance=by_gold(one)) for one, run in zip(g, p, strict=True)]
    np.testing.assert_allclose(om.od(g, p, distance=by_gold(g)), alone, rtol=1e-13)
    tasks = om.od(np.stack([g, g[::-1]]), p, distance=lambda table: by_gold(table))
    np.testing.assert_allclose(tasks[0], alone, rtol=1e-13)


def test_an_asymmetric_distance_is_read_as_viewpoint_by_class():
    upward = [[0, 5], [1, 0]]  # delta_01 = 5: seen from class 0, mass at class 1 is 5 away
    np.testing.assert_allclose(om.dw([1, 0], [0, 1], distance=upward), [5, 1])
    assert om.od([1, 0], [0, 1], distance=upward) == 5
    assert om.sod([1, 0], [0, 1], distance=upward) == 3


def test_weights_of_kappa():
    true, pred = [0, 0, 1, 1, 2], [0, 1, 1, 2, 0]
    square = om.equidistance(3) ** 2
    assert om.kappa(true, pred, weights=square) == om.kappa(true, pred, weights="quadratic")
    assert om.kappa(true, pred, weights="quadratic") == om.qwk(true, pred)
    assert om.kappa(true, pred, weights=om.equidistance) == om.kappa(true, pred)
    assert om.kappa(true, pred, weights="linear") == om.kappa(true, pred) != om.qwk(true, pred)


def test_a_gap_between_integers_is_an_empty_class():
    assert om.mae_micro([-2, 0], [0, 0]) == 1  # two steps for one of two items
    assert om.mae_micro([-2, 0], [0, 0], labels=[-2, 0]) == 0.5  # neighbours, if the reader says so


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_empty_classes_at_the_ends_change_nothing(name):
    f, rng = CLASSIFICATION[name], np.random.default_rng(4)
    for size in (1, 2, 9, 40):
        true, pred = rng.integers(0, 4, (2, size))
        cm = om.confusion_matrix(true, pred, labels=range(4))
        for same in (f.from_confusion(np.pad(cm, (2, 1))), f(true, pred), f(true - 2, pred - 2)):
            assert same == pytest.approx(f.from_confusion(cm), abs=TOL)
