"""LQ'21, footnote 2 and appendix: where OD is symmetric, and two classes."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.measures import od

# Sums of at most six terms of size 1, and a root of them.
TOL = 1e-12


def test_jsd_is_another_measure_with_two_classes():
    assert ob.jsd([0, 1], [0.5, 0.5]) == pytest.approx(0.311278, abs=5e-7)


def test_the_same_classes_in_both_are_enough_for_symmetry():
    rng = np.random.default_rng(0)
    for classes in rng.integers(2, 7, 100):
        used = rng.permutation(np.arange(classes) <= rng.integers(classes))
        gold, estimate = rng.integers(1, 10, (2, classes)) * used
        gold, estimate = gold / gold.sum(), estimate / estimate.sum()
        assert od(gold, estimate) == pytest.approx(od(estimate, gold), abs=TOL)
