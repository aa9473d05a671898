"""Ranking similarity: every measure against every other, direction and ties included."""

import re

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    values = rng.integers(0, 5, (4, 6, 7)) / 4
    return matrix(values, {"w": "low", "x": "high", "y": "low", "z": "high"})


@pytest.mark.parametrize("variant", ["a", "b"])
def test_every_cell_is_kendalls_tau_of_the_means(scores, variant):
    found = ob.ranking_similarity(scores, variant=variant)
    means = scores.means()
    for first in scores.measures:
        for second in scores.measures:
            sign = 1 if scores.better[first] == scores.better[second] else -1
            expected = sign * ob.kendall_tau(means[first], means[second], variant)
            assert found.tau.loc[first, second] == pytest.approx(expected, abs=1e-15)
            low, high = ob.kendall_interval(expected, 7)
            assert found.low.loc[first, second] == pytest.approx(low, abs=1e-12)
            assert found.high.loc[first, second] == pytest.approx(high, abs=1e-12)


def test_a_measure_that_ties_all_runs_has_no_tau_b():
    flat = matrix([[[1, 1, 1, 1, 1]], [[1, 2, 3, 4, 5]]], {"x": "low", "y": "low"})
    assert ob.ranking_similarity(flat).tau.loc["x", "y"] == 0
    assert np.isnan(ob.ranking_similarity(flat, variant="b").tau.loc["x", "y"])
    assert np.isnan(ob.ranking_similarity(flat, variant="b").low.loc["x", "y"])
    for variant, words in (("a", "a tau of 0 with it says nothing"), ("b", "tau-b .* undefined")):
        (note,) = ob.ranking_similarity(flat, variant=variant).notes
        assert re.search(f"toy: by x all runs have the same mean, so {words}", note)
        with pytest.raises(ValueError, match="the same mean by x; there is no ranking to compare"):
            ob.ranking_similarity(flat, ["x"], variant=variant)


def test_fewer_than_five_runs_have_no_interval():
    found = ob.ranking_similarity(
        matrix([[[1, 2, 3, 4]], [[1, 2, 4, 3]]], {"x": "low", "y": "low"})
    )
    assert found.tau.loc["x", "y"] == pytest.approx(4 / 6)
    assert found.low.isna().all(axis=None)


def test_order_and_pairs(scores):
    found = ob.ranking_similarity(scores, ["z", "w", "x"])
    assert list(found.tau.index) == list(found.tau.columns) == ["z", "w", "x"]
    pairs = found.pairs().set_index(["first", "second"])["tau"]
    assert pairs.index.tolist() == [("z", "w"), ("z", "x"), ("w", "x")]
    assert pairs.tolist() == [found.tau.loc[pair] for pair in pairs.index]


def test_requests_without_sense_are_refused(scores):
    one = matrix([[[1]]], {"x": "low"})
    whole = "must be a whole number from 0 to 100, "
    for other, options, message in (
        (one, {}, "a ranking needs at least 2 runs, there are 1"),
        (scores, {"measures": ["v"]}, "no measure 'v'"),
        (scores, {"measures": "w"}, "must be several names, not 'w'; write .'w'."),
        (scores, {"measures": []}, "no measure to rank by; name at least one"),
        (scores, {"variant": "c"}, "variant must be"),
        (scores, {"level": "x"}, "level must lie between 0 and 1, not 'x'"),
        *((scores, {"digits": n}, f"^digits {whole}") for n in (-1, True, 101, 10**30)),
        *((scores, {"decimals": n}, f"^decimals {whole}") for n in (-1, True, 101, 10**30)),
        (scores["w"], {}, "a ScoreMatrix is needed, not a DataFrame"),
    ):
        with pytest.raises(ValueError, match=message):
            ob.ranking_similarity(other, **options)
    for number in (0, 100):
        assert ob.ranking_similarity(scores, digits=number, decimals=number).runs == 7


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


def test_the_level_and_the_decimals_are_those_of_the_interval(scores):
    found = ob.ranking_similarity(scores, ["w", "x"], level=0.8, digits=1)
    low, high = ob.kendall_interval(found.tau.loc["w", "x"], 7, level=0.8, digits=1)
    assert (found.low.loc["w", "x"], found.high.loc["w", "x"]) == (low, high)
    assert (low, high) != ob.kendall_interval(found.tau.loc["w", "x"], 7, level=0.8)
    assert found.runs == 7
