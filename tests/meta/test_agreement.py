"""Topic-level agreement, by hand and on real scores."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.agreement import (
    preference_agreement,
    quadrants,
    score_deltas,
    topic_agreement,
    topic_wins,
    true_disagreements,
)
from ordbook.meta.kendall import asymptotic_interval


def test_deltas_on_real_data_agree_with_each_other(no_raw_files):
    scores = ob.score(ob.load("stc3-dq-a"))
    runs = "BL-popularity", "BL-uniform"
    deltas = score_deltas(scores, *runs)
    found = quadrants(deltas, "NMD", "RNOD")
    agreement = preference_agreement(scores, *runs, ["NMD", "RNOD"]).loc[("NMD", "RNOD")]
    assert found.second + found.fourth == agreement["opposite"] == 83
    assert found.first + found.third == agreement["same_run"]
    opposite = true_disagreements(scores, *runs, "NMD", "RNOD")
    assert len(opposite) == 83
    assert (opposite["preferred"] == "BL-popularity").sum() == found.second
    # LQ'21 on DialEval-1: nearly all disagreements lie in the second quadrant; so here.
    assert (found.second, found.fourth) == (79, 4)
    oracle = stats.pearsonr(deltas["NMD"], deltas["RNOD"])
    limits = oracle.confidence_interval(0.95)
    assert (found.pearson, found.low, found.high) == pytest.approx(
        (oracle.statistic, limits.low, limits.high), abs=1e-12
    )


def test_wins_by_hand(toy):
    assert topic_wins(toy, "p", "q").to_numpy().tolist() == [[2, 2, 2], [2, 3, 1]]
    assert topic_wins(toy, "q", "p").to_numpy().tolist() == [[2, 2, 2], [3, 2, 1]]


def test_preferences_by_hand(toy):
    """t0 and t2, t5 agree; t1 is tied by x; t3 opposite; t4 tied by both."""
    found = preference_agreement(toy, "p", "q").loc[("x", "y")]
    assert found.tolist() == [3, 1, 1, 1, pytest.approx(4 / 6)]
    opposite = true_disagreements(toy, "p", "q", "x", "y")
    assert opposite.index.tolist() == ["t3"]
    assert opposite["preferred"].tolist() == ["p"]
    assert true_disagreements(toy, "p", "q", "y", "x")["preferred"].tolist() == ["q"]


def test_tau_over_topics():
    rng = np.random.default_rng(0)
    scores = matrix(
        rng.integers(0, 9, (3, 20, 4)) / 8, {"x": "low", "y": "high", "z": "low"}, "pqrs"
    )
    one = topic_agreement(scores, run="q")
    assert one["n"].tolist() == [20] * 3
    for (first, second), row in one.iterrows():
        sign = 1 if scores.better[first] == scores.better[second] else -1
        x, y = scores[first]["q"], sign * scores[second]["q"]
        assert row["tau"] == pytest.approx(stats.kendalltau(x, y).statistic)
        assert (row["low"], row["high"]) == asymptotic_interval(x, y)


# -- differences of two runs ----------------------------------------------------------------------


def test_deltas_by_hand(toy):
    deltas = score_deltas(toy, "p", "q")
    assert deltas.index.tolist() == list(toy.topics)
    assert deltas["x"].tolist() == pytest.approx([-0.3, 0, 0.3, -0.1, 0, 0.8], abs=1e-15)
    assert deltas["y"].tolist() == pytest.approx([0.4, 0.6, -0.1, -0.4, 0, -0.1], abs=1e-15)
    turned = score_deltas(toy, "p", "q", oriented=True)
    pd.testing.assert_series_equal(turned["x"], -deltas["x"])
    pd.testing.assert_series_equal(turned["y"], deltas["y"])
    assert list(score_deltas(toy, "p", "q", "y").columns) == ["y"]


def test_quadrants_by_hand(toy):
    found = quadrants(score_deltas(toy, "p", "q"), "x", "y")
    assert (found.first, found.second, found.third, found.fourth) == (0, 1, 1, 2)
    turned = quadrants(score_deltas(toy, "p", "q", oriented=True), "x", "y")
    assert turned.second + turned.fourth == 1
    assert turned.pearson == pytest.approx(-found.pearson)
    other = quadrants(score_deltas(toy, "p", "q"), "y", "x")
    assert (other.second, other.fourth) == (2, 1)


def test_pearson_at_its_edges():
    deltas = pd.DataFrame(
        {"x": [1.0, 2, 3, 4], "y": [2.0, 4, 6, 8], "z": [0.1 + 0.2, 0.3, 0.3, 0.3]}
    )
    found = quadrants(deltas, "x", "y")
    assert (found.pearson, found.low, found.high) == pytest.approx((1, 1, 1))
    assert math.isnan(quadrants(deltas, "x", "z").pearson), "float noise has no correlation"
