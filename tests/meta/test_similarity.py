"""Ranking similarity: every measure against every other, direction and ties included."""

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    values = rng.integers(0, 5, (4, 6, 7)) / 4
    return matrix(values, {"w": "low", "x": "high", "y": "low", "z": "high"})


def test_every_cell_is_kendalls_tau_of_the_means(scores):
    found = ob.ranking_similarity(scores)
    means = scores.means()
    for first in scores.measures:
        for second in scores.measures:
            sign = 1 if scores.better[first] == scores.better[second] else -1
            expected = sign * ob.kendall_tau(means[first], means[second])
            assert found.tau.loc[first, second] == pytest.approx(expected, abs=1e-15)
            low, high = ob.kendall_interval(expected, 7)
            assert found.low.loc[first, second] == pytest.approx(low, abs=1e-12)
            assert found.high.loc[first, second] == pytest.approx(high, abs=1e-12)


def test_a_measure_that_ties_all_runs_is_noted():
    flat = matrix([[[1, 1, 1, 1, 1]], [[1, 2, 3, 4, 5]]], {"x": "low", "y": "low"})
    similar = ob.ranking_similarity(flat)
    assert similar.tau.loc["x", "y"] == 0
    assert "by x all runs have the same mean, so a tau of 0" in similar.notes[0]
    with pytest.raises(ValueError, match="the same mean by x; there is no ranking to compare"):
        ob.ranking_similarity(flat, ["x"])


def test_fewer_than_five_runs_have_no_interval():
    found = ob.ranking_similarity(
        matrix([[[1, 2, 3, 4]], [[1, 2, 4, 3]]], {"x": "low", "y": "low"})
    )
    assert found.tau.loc["x", "y"] == pytest.approx(4 / 6)
    assert found.low.isna().all(axis=None)


def test_averages_leave_the_measure_itself_out(scores):
    found = ob.ranking_similarity(scores)
    expected = [found.tau.loc[m].drop(m).mean() for m in scores.measures]
    assert found.averages().to_list() == pytest.approx(expected, abs=1e-15)
    rounded = [found.tau.loc[m].drop(m).round(1).mean() for m in scores.measures]
    assert found.averages(digits=1).to_list() == pytest.approx(rounded, abs=1e-15)


def test_means_can_be_rounded_before_ranking():
    values = matrix([[[0.12344, 0.12336, 0.2]], [[1, 2, 3]]], {"x": "low", "y": "low"})
    assert ob.ranking_similarity(values).tau.loc["x", "y"] == pytest.approx(1 / 3)
    rounded = ob.ranking_similarity(values, decimals=3)
    assert rounded.tau.loc["x", "y"] == pytest.approx(2 / 3)
    assert rounded.tied["x"] == 1
