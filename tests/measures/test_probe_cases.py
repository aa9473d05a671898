"""The cases of a probe: all small ones, the simplest first, and random ones of every kind."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures.probe_cases import (
    all_votes,
    cases_of,
    complexity,
    moved_farther,
    permuted,
    random_votes,
)
from ordbook.measures.probing import show_values


def test_all_votes_by_hand():
    found = all_votes(2, 2)
    assert found.tolist() == [[0, 1], [1, 0], [0, 2], [1, 1], [2, 0]]
    assert found.dtype == np.float64


def test_random_votes_are_sparse_and_some_are_tied():
    found = random_votes(4, 300, 30, np.random.default_rng(0))
    assert found.dtype == np.float64
    tied, rest = found[:100], found[100:]
    assert set(np.unique(tied)) == {0, 1}
    assert (rest.sum(axis=1) == 30).all()
    assert rest.max() == 30
    for some in (tied, rest):
        assert set((some > 0).sum(axis=1)) == {1, 2, 3, 4}
        shares = (some > 0).mean(axis=0)
        assert shares.min() > 0.25
        assert np.ptp(shares) < 0.3, "every cell is as likely as any"
    other = random_votes(4, 300, 30, np.random.default_rng(1))
    assert (other != found).any()


def distributions(classes, most):
    """Every distribution of up to so many votes."""
    votes = (v for v in product(range(most + 1), repeat=classes) if 1 <= sum(v) <= most)
    return {tuple(Fraction(x, sum(v)) for x in v) for v in votes}


@pytest.mark.parametrize(("classes", "most"), [(2, 4), (3, 4), (4, 2), (7, 2), (8, 1)])
def test_distributions_are_all_small_ones_and_then_random_ones(classes, most):
    gold, estimate = cases_of(True, classes, 0, 200)
    small = distributions(classes, most)
    count = len(small) ** 2
    assert gold.shape == estimate.shape == (count + 200, classes)
    pairs = {
        tuple(tuple(Fraction(x).limit_denominator(4) for x in side) for side in pair)
        for pair in zip(gold[:count].tolist(), estimate[:count].tolist(), strict=True)
    }
    assert pairs == set(product(small, small))
    assert np.abs(np.concatenate([gold, estimate]).sum(axis=1) - 1).max() < 1e-12
    same = (gold[count:] == estimate[count:]).all(axis=1)
    assert same[-20:].all(), "a tenth are perfect"
    assert same[:-20].mean() < 0.5


def test_the_simplest_pairs_come_first():
    gold, estimate = cases_of(True, 3, 0, 1)
    assert gold[0].tolist() == estimate[0].tolist() == [1, 0, 0]
    rank = {}
    for row in gold[:-1].tolist():
        rank.setdefault(tuple(row), len(rank))
    order = list(rank)
    assert order[:4] == [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0)]
    # Few classes in use, and then few votes.
    votes = [(sum(v > 0 for v in row), 1 / min(v for v in row if v)) for row in order]
    assert votes == sorted(votes)
    cost = [
        rank[tuple(g)] + rank[tuple(e)]
        for g, e in zip(gold[:-1].tolist(), estimate[:-1].tolist(), strict=True)
    ]
    assert cost == sorted(cost)


@pytest.mark.parametrize(("classes", "small"), [(2, 69), (3, 219), (4, 152), (7, 1274), (8, 64)])
def test_matrices_are_all_small_ones_and_then_random_ones(classes, small):
    (cm,) = cases_of(False, classes, 0, 99)
    assert cm.shape == (small + 3 * 50, classes, classes)
    totals = cm.sum(axis=(1, 2))
    assert (np.diff(totals[:small]) >= 0).all()
    assert len(np.unique(cm[:small], axis=0)) == small
    six, sixty, right = totals[small:].reshape(3, 50)
    assert set(six[16:]) == {6}
    assert set(sixty[16:]) == {60}
    assert right.min() >= 1
    # The last ones are those before with three of four errors taken away.
    before, after = cm[small + 50 : small + 100], cm[small + 100 :]
    off = ~np.eye(classes, dtype=bool)
    assert (after[:, off] == before[:, off] // 4).all()
    kept = after.sum(axis=(1, 2)) > 1
    assert (after[kept][:, ~off] == before[kept][:, ~off]).all()


@pytest.mark.parametrize("quantification", [True, False])
def test_seed_classes_and_size_key_the_random_cases(quantification):
    first = cases_of(quantification, 3, 0, 60)
    for other in (cases_of(quantification, 3, 1, 60), cases_of(quantification, 3, 0, 61)):
        assert any((a[-30:] != b[-30:]).any() for a, b in zip(first, other, strict=True))
    again = cases_of(quantification, 3, 0, 60)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))


@pytest.mark.parametrize(("classes", "moves"), [(2, 0), (3, 2), (4, 6), (5, 12)])
def test_the_same_error_one_class_farther(classes, moves):
    cases = cases_of(True, classes, 0, 40)
    seen = []
    for (gold, near), (same, far) in moved_farther(True, cases):
        assert (gold == same).all()
        moved = np.clip(gold - near, 0, None).sum(axis=1)
        assert (moved > 0).all()
        source = (gold - near).argmax(axis=1)
        assert len(set(source)) == 1
        share = np.unique((moved / gold[:, source[0]]).round(9))
        assert share.tolist() in ([1], [0.5])
        steps = (om.md(gold, far) - om.md(gold, near)) / moved
        assert steps == pytest.approx(np.ones(len(gold)), abs=1e-9)
        assert (gold[:, source[0]] > 0).sum() == len(np.unique(gold, axis=0))
        seen.append((source[0], share.item()))
        all_golds = sorted({tuple(row) for row in cases[0] if row[source[0]] > 0}, reverse=True)
        assert gold.tolist() == list(map(list, all_golds)), "each once, the lowest classes first"
    assert len(seen) == 2 * moves
    assert [share for _, share in seen] == [1, 0.5] * moves


@pytest.mark.parametrize(("classes", "moves"), [(2, 0), (3, 2), (4, 6)])
def test_an_item_one_class_farther(classes, moves):
    (cm,) = cases_of(False, classes, 0, 40)
    seen = set()
    for (near,), (far,) in moved_farther(False, (cm,)):
        change = far - near
        assert (change == change[0]).all()
        ((i, j),), ((row, k),) = np.argwhere(change[0] < 0), np.argwhere(change[0] > 0)
        assert i == row
        assert abs(k - i) == abs(j - i) + 1
        assert (k - i) * (j - i) > 0
        assert np.abs(change[0]).sum() == 2
        assert len(near) == (cm[:, i, j] > 0).sum()
        seen.add((i, j, k))
    assert len(seen) == moves
    assert not list(moved_farther(False, (np.eye(3)[None],))), "nothing is in a wrong class"


def test_classes_in_another_order():
    (found,) = permuted(False, (np.arange(9.0).reshape(1, 3, 3),), [2, 0, 1])
    assert found[0].tolist() == [[8, 6, 7], [2, 0, 1], [5, 3, 4]]
    gold = np.array([[0.5, 0.25, 0.25]])
    assert [c.tolist() for c in permuted(True, (gold, gold), [1, 0, 2])] == [
        [[0.25, 0.5, 0.25]]
    ] * 2


def test_complexity_by_hand():
    gold, estimate = np.array([[1.0, 0, 0], [0.5, 0.5, 0]]), np.array([[0, 0.5, 0.5], [0, 0, 1.0]])
    assert complexity((gold, estimate), 0) == pytest.approx(3 + 0.01 * 4)
    assert complexity((gold, estimate[:, :2]), 1) == pytest.approx(2 + 0.01 * 3)
    assert complexity((np.array([[[1.0, 0], [2, 0]]]),), 0) == pytest.approx(3.02)
    thirds = np.array([[0.1 + 0.2, 0.3, 0.4]])
    assert complexity((thirds, thirds), 0) == pytest.approx(6 + 0.01 * 4), "0.1 + 0.2 is 0.3"


def test_values_are_shown_to_four_digits():
    assert show_values(np.array([1 / 3, 1, 0])) == "(0.3333, 1, 0)"
    assert show_values(np.array([[1, 0], [2.5, 3]])) == "[1 0; 2.5 3]"
