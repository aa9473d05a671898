"""LQ'21, footnote 2 and appendix: where OD is symmetric, and two classes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordbook as ob
from ordbook.measures import od

# Sums of at most six terms of size 1, and a root of them.
TOL = 1e-12
QUICK = settings(max_examples=100, deadline=None, derandomize=True)


def test_jsd_is_another_measure_with_two_classes():
    assert ob.jsd([0, 1], [0.5, 0.5]) == pytest.approx(0.311278, abs=5e-7)


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
