"""The quantification measures against the papers' numbers, and the shapes that they take.

Tolerance 1e-12 throughout unless said otherwise: both sides sum a handful of terms of size 1, so
rounding is of the order 1e-15, and a wrong definition is off by far more.
"""

import math

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import QUANTIFICATION

TOL = 1e-12


# -- numbers from the papers -------------------------------------------------------------------

UNIFORM5 = [0.2] * 5
X, Y = [0.3, 0.3, 0.2, 0.1, 0.1], [0.4, 0.2, 0.2, 0.1, 0.1]


def test_sigir18_section_3_1():
    # Printed to four (JSD: three significant) digits; the paper prints X's p for Y as well, and
    # .1732 belongs to a skewed system such as (.4, .2, .2, .1, .1).
    assert om.vd(UNIFORM5, X) == pytest.approx(0.4, abs=TOL)
    assert om.vd(UNIFORM5, Y) == pytest.approx(0.4, abs=TOL)
    assert [f"{om.rnss(UNIFORM5, s):.4f}" for s in (X, Y)] == ["0.1414", "0.1732"]
    assert [f"{om.jsd(UNIFORM5, s):.4f}" for s in (X, Y)] == ["0.0390", "0.0490"]


def test_lq21_section_3_systems_a_and_b():
    gold, a, b = [0.25] * 4, [0.25, 0.35, 0.15, 0.25], [0.25, 0.25, 0.35, 0.15]
    np.testing.assert_allclose(om.dw(gold, a), [0.03, 0.01, 0.01, 0.03], atol=TOL)
    np.testing.assert_allclose(om.dw(gold, b), [0.05, 0.03, 0.01, 0.01], atol=TOL)
    assert om.od(gold, a) == pytest.approx(0.020, abs=TOL)
    assert om.od(gold, b) == pytest.approx(0.025, abs=TOL)
    assert om.nmd(gold, a) == pytest.approx(om.nmd(gold, b), abs=TOL)


def test_dnkt_section_2_3():
    assert om.dnkt([0.4, 0.3, 0.2, 0.1], [0.31, 0.30, 0.20, 0.19]) == 0
    assert om.dnkt(UNIFORM5, UNIFORM5) == om.dnkt(UNIFORM5, X) == om.dnkt(X, UNIFORM5) == 0.5


def test_ties_survive_floating_point():
    assert 0.1 + 0.2 != 0.3
    # .1 + .2 against .3 is a tie: priorities (3, 3, 4) in both, so perfect
    assert om.dnkt([0.1 + 0.2, 0.3, 0.4], [0.3, 0.3, 0.4]) == 0
    assert om.dnkt([0.3, 0.1 + 0.2, 0.4], [0.3, 0.3, 0.4]) == 0  # noise in the other direction
    assert om.dnkt([0.3 + 1e-11, 0.3 - 1e-11, 0.4], [0.3, 0.3, 0.4]) > 0


def test_support_ignores_noise_up_to_1e_12():
    estimate = [0.5, 0.3, 0.2]
    clean = om.rnod([0, 0.4, 0.6], estimate)
    assert om.rnod([1e-13, 0.4, 0.6], estimate) == pytest.approx(clean, abs=TOL)
    assert abs(om.rnod([1e-11, 0.4, 0.6], estimate) - clean) > 0.01


def test_figure_1_of_sigir18_near_errors_against_far_errors():
    gold, near, far = [1, 0, 0], [0, 1, 0], [0, 0, 1]
    for name in ("NMD", "RSNOD"):
        f = QUANTIFICATION[name]
        assert f(gold, near) < f(gold, far) == 1
    for name in ("NVD", "RNSS", "JSD"):
        f = QUANTIFICATION[name]
        assert f(gold, near) == f(gold, far)


# -- components --------------------------------------------------------------------------------


def test_components_are_what_the_measures_are_made_of():
    rng = np.random.default_rng(0)
    g, p = rng.dirichlet(np.ones(5), (2, 20))
    np.testing.assert_allclose(om.nvd(g, p), om.vd(g, p) / 2, atol=TOL)
    np.testing.assert_allclose(om.rnss(g, p) ** 2, om.ss(g, p) / 2, atol=TOL)
    np.testing.assert_allclose(om.nmd(g, p), om.md(g, p) / 4, atol=TOL)
    np.testing.assert_allclose(om.rnod(g, p) ** 2, om.od(g, p) / 4, atol=TOL)
    np.testing.assert_allclose(om.rsnod(g, p) ** 2, om.snod(g, p), atol=TOL)
    np.testing.assert_allclose(om.snod(g, p), om.sod(g, p) / 4, atol=TOL)
    np.testing.assert_allclose(om.rnadw(g, p) ** 2, om.dw(g, p).mean(-1) / 4, atol=TOL)
    m = (g + p) / 2  # JSD is made of two KLD from the midpoint
    np.testing.assert_allclose(om.jsd(g, p), (om.kld(m, p) + om.kld(m, g)) / 2, atol=TOL)


def test_kld_is_infinite_where_the_gold_has_nothing():
    assert om.kld([1, 0], [0.5, 0.5]) == math.inf
    assert om.kld([0.5, 0.5], [1, 0]) == 1
    assert om.kld([0.3, 0.7], [0.3, 0.7]) == 0


# -- replaceable distances ---------------------------------------------------------------------


def test_distances_can_be_a_matrix_or_a_callable():
    rng = np.random.default_rng(2)
    g, p = rng.dirichlet(np.ones(4), (2, 6))
    steps = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    for f in (om.rnod, om.rsnod, om.rnadw, om.od, om.sod, om.dw, om.snod):
        default = f(g, p)
        np.testing.assert_allclose(f(g, p, distance=steps), default, atol=TOL)
        np.testing.assert_allclose(f(g, p, distance=lambda gold: steps), default, atol=TOL)
        assert not np.allclose(f(g, p, distance=steps**2), default)
        # the named distance takes a short cut; the same matrix as a plain callable does not
        np.testing.assert_allclose(
            f(g, p, distance=om.gold_mass_distance),
            f(g, p, distance=lambda gold: om.gold_mass_distance(gold)),
            atol=TOL,
        )
    np.testing.assert_allclose(om.rnod(g, p, distance=om.gold_mass_distance), om.rnod2(g, p))
    np.testing.assert_allclose(om.rnadw(g, p, distance=om.gold_mass_distance), om.rnadw2(g, p))


def test_distances_may_be_given_for_every_gold_distribution():
    gold = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    estimate = np.array([[0.2, 0.3, 0.5], [0.5, 0.5, 0.0]])
    alone = [
        om.od(g, p, distance=om.gold_mass_distance(g)) for g, p in zip(gold, estimate, strict=True)
    ]
    for distance in (om.gold_mass_distance, om.gold_mass_distance(gold)):
        found = om.od(gold, estimate, distance=distance)
        np.testing.assert_allclose(found, alone, rtol=1e-14)
    tasks = np.stack([gold, gold[::-1]])
    found = om.od(tasks, estimate, distance=lambda table: om.gold_mass_distance(table))
    np.testing.assert_allclose(found[0], alone, rtol=1e-14)


def test_the_mass_between_two_classes_takes_half_of_both():
    found = om.gold_mass_distance([0.5, 0.3, 0.2])
    np.testing.assert_allclose(found, [[0, 0.4, 0.65], [0.4, 0, 0.25], [0.65, 0.25, 0]])


def test_both_directions_have_the_distance_that_was_given():
    distance = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]
    gold, estimate = [0.5, 0.3, 0.2], [0.1, 0.3, 0.6]
    both = om.od(gold, estimate, distance=distance) + om.od(estimate, gold, distance=distance)
    assert om.sod(gold, estimate, distance=distance) == pytest.approx(both / 2, rel=1e-14)
    assert om.sod(gold, estimate, distance=distance) != om.sod(gold, estimate)


def test_an_asymmetric_distance_is_read_as_viewpoint_by_class():
    upward = [[0, 5], [1, 0]]  # delta_01 = 5: seen from class 0, mass at class 1 is 5 away
    np.testing.assert_allclose(om.dw([1, 0], [0, 1], distance=upward), [5, 1])
    assert om.od([1, 0], [0, 1], distance=upward) == 5
