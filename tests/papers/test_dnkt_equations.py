"""DNKT's text: Eq. 6 is LQ'21's Eq. 11, the priority-preserving property, Eq. 17, footnote 2."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.measures import QUANTIFICATION

PARENTS = ["JSD", "NMD", "RNOD"]


@pytest.fixture(params=[3, 5])
def distributions(request):
    """Gold, some of it with an empty class, and two estimates."""
    gold, one, other = np.random.default_rng(3).dirichlet(np.ones(request.param), (3, 600))
    gold[::2, 1] = 0
    return gold / gold.sum(axis=1, keepdims=True), one, other


def test_the_distance_of_rnod2_is_that_which_lq21_proposes(distributions):
    gold, one, _ = distributions
    classes = gold.shape[1]
    eq11 = np.zeros((len(gold), classes, classes))
    for i in range(classes):
        for j in range(classes):
            between = gold[:, min(i, j) : max(i, j) + 1].sum(axis=1)
            eq11[:, i, j] = between - (gold[:, i] + gold[:, j]) / 2
    assert ob.rnod(gold, one, distance=eq11) == pytest.approx(ob.rnod2(gold, one), abs=1e-12)
    assert ob.rnadw(gold, one, distance=eq11) == pytest.approx(ob.rnadw2(gold, one), abs=1e-12)


def test_dnkt_is_zero_for_the_order_of_gold_and_for_no_other(distributions):
    gold, one, other = (part[1::2] for part in distributions)
    rank = gold.argsort(axis=1).argsort(axis=1)
    right = np.take_along_axis(np.sort(one, axis=1), rank, axis=1)
    assert ob.dnkt(gold, right).max() < 1e-12
    same = (gold.argsort(axis=1) == other.argsort(axis=1)).all(axis=1)
    assert 0 < same.sum() < len(same)
    assert ((ob.dnkt(gold, other) < 1e-12) == same).all()


@pytest.mark.parametrize("parent", PARENTS)
def test_a_combination_lies_between_its_parents_and_is_zero_where_one_is(parent, distributions):
    gold, one, _ = distributions
    dnkt, other = ob.dnkt(gold, one), QUANTIFICATION[parent](gold, one)
    child = QUANTIFICATION[f"DNKT_{parent}"](gold, one)
    low, high = np.minimum(dnkt, other), np.maximum(dnkt, other)
    assert (child >= low - 1e-12).all()
    assert (child <= np.minimum(high, 2 * low) + 1e-12).all()
    assert ((child < 1e-12) == (low < 1e-12)).all()
    flat = [0.2] * 5
    assert ob.dnkt(flat, flat) == 0.5
    assert QUANTIFICATION[f"DNKT_{parent}"](flat, flat) == 0
