"""LQ'21 Section 3 and appendix: two classes, symmetry, errors near the ends, another distance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordbook as ob
from ordbook.measures import dw, od

# Sums of at most six terms of size 1, and a root of them.
TOL = 1e-12
QUICK = settings(max_examples=100, deadline=None, derandomize=True)
shares = st.floats(0, 1, allow_subnormal=False)


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
