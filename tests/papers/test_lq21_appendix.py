"""LQ'21 Section 3 and appendix: two classes, symmetry, errors near the ends, another distance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordbook as ob
from cases import each
from ordbook.measures import QUANTIFICATION, dw, gold_mass_distance, od

# Sums of at most six terms of size 1, and a root of them.
TOL = 1e-12
QUICK = settings(max_examples=100, deadline=None, derandomize=True)
shares = st.floats(0, 1, allow_subnormal=False)


@each("name", ["NMD", "RNOD", "RSNOD", "NVD", "RNSS"])
@given(gold=shares, estimate=shares)
@QUICK
def test_with_two_classes_five_measures_are_the_difference(name, gold, estimate):
    f = QUANTIFICATION[name].function
    g, p = [gold, 1 - gold], [estimate, 1 - estimate]
    assert f(g, p) == pytest.approx(abs(gold - estimate), abs=TOL)
    assert f(p, g) == pytest.approx(abs(gold - estimate), abs=TOL)


@each("gold", [0, 1, 0.4])
def test_the_three_cases_of_the_proof(gold):
    estimate = 0.7
    for f in (ob.nmd, ob.rnod):
        assert f([gold, 1 - gold], [estimate, 1 - estimate]) == pytest.approx(abs(gold - estimate))


def test_jsd_is_another_measure_with_two_classes():
    assert ob.jsd([0, 1], [0.5, 0.5]) == pytest.approx(0.311278, abs=5e-7)


def test_the_example_of_errors_near_the_ends():
    gold = [0.25] * 4
    a, b = [0.25, 0.35, 0.15, 0.25], [0.25, 0.25, 0.35, 0.15]
    assert dw(gold, a) == pytest.approx([0.03, 0.01, 0.01, 0.03])
    assert dw(gold, b) == pytest.approx([0.05, 0.03, 0.01, 0.01])
    assert od(gold, a) == pytest.approx(0.020)
    assert od(gold, b) == pytest.approx(0.025)
    assert ob.nmd(gold, a) == pytest.approx(ob.nmd(gold, b))


def test_footnote_2_no_empty_gold_class_is_not_enough_for_symmetry():
    gold, estimate = [1 / 3] * 3, [1, 0, 0]
    assert od(gold, estimate) == pytest.approx(17 / 27)
    assert od(estimate, gold) == pytest.approx(1 / 3)


@each(("i", "j"), [(0, 0), (0, 3), (2, 1), (4, 0)])
def test_footnote_2_one_class_each_is_enough(i, j):
    gold, estimate = np.eye(5)[i], np.eye(5)[j]
    assert od(gold, estimate) == od(estimate, gold) == abs(i - j)


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 9), st.booleans()), min_size=2, max_size=6
    ).filter(lambda rows: any(used for *_, used in rows))
)
@QUICK
def test_the_same_classes_in_both_are_enough_for_symmetry(rows):
    gold, estimate = (np.array([row[k] * row[2] for row in rows], dtype=float) for k in (0, 1))
    gold, estimate = gold / gold.sum(), estimate / estimate.sum()
    assert od(gold, estimate) == pytest.approx(od(estimate, gold), abs=TOL)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6).filter(any))
@QUICK
def test_equation_11_is_the_distance_of_rnod2(votes):
    gold = np.array(votes, dtype=float) / sum(votes)
    n = len(gold)
    by_hand = np.array(
        [
            [gold[min(i, j) : max(i, j) + 1].sum() - (gold[i] + gold[j]) / 2 for j in range(n)]
            for i in range(n)
        ]
    )
    np.testing.assert_allclose(gold_mass_distance(gold), by_hand, rtol=0, atol=TOL)
    estimate = np.full(n, 1 / n)
    proposed = ob.rnod(gold, estimate, distance=gold_mass_distance)
    # A root of a sum that may be 0.
    assert proposed == pytest.approx(ob.rnod2(gold, estimate), abs=1e-7)
