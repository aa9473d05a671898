"""Score differences between two runs, and the plane of two measures' differences, by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ordbook.meta.deltas import largest_disagreements, quadrants, score_deltas


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
    assert (found.on_x_axis, found.on_y_axis, found.at_origin) == (0, 1, 1)
    turned = quadrants(score_deltas(toy, "p", "q", oriented=True), "x", "y")
    assert turned.disagreements == 1
    assert turned.pearson == pytest.approx(-found.pearson)
    other = quadrants(score_deltas(toy, "p", "q"), "y", "x")
    assert (other.on_x_axis, other.on_y_axis, other.fourth) == (1, 0, 1)


def test_pearson_at_its_edges():
    deltas = pd.DataFrame(
        {"x": [1.0, 2, 3, 4], "y": [2.0, 4, 6, 8], "z": [0.1 + 0.2, 0.3, 0.3, 0.3]}
    )
    found = quadrants(deltas, "x", "y")
    assert (found.pearson, found.low, found.high) == pytest.approx((1, 1, 1))
    assert math.isnan(quadrants(deltas, "x", "z").pearson), "float noise has no correlation"
    with pytest.raises(ValueError, match="at least 4 topics, there are 3"):
        quadrants(deltas[:3], "x", "y")


def test_partings_by_hand(toy):
    deltas = score_deltas(toy, "p", "q")  # d = -.7, -.6, .4, .3, 0, .9
    found = largest_disagreements(deltas, "x", "y", top=3)
    assert found.index.tolist() == ["t5", "t0", "t1"]
    assert found["d"].tolist() == pytest.approx([0.9, -0.7, -0.6])
    assert largest_disagreements(deltas, "x", "y", side="negative").index.tolist() == ["t0", "t1"]
    assert largest_disagreements(deltas, "x", "y", top=2, side="positive").index.tolist() == [
        "t5",
        "t2",
    ]
    assert len(largest_disagreements(deltas, "x", "y", top=99)) == 6


def test_equal_partings_keep_the_order_of_topics():
    deltas = pd.DataFrame({"x": [0.3, 0.1 + 0.2, 0.3], "y": [0.0, 0.0, 0.0]}, index=list("abc"))
    assert largest_disagreements(deltas, "x", "y").index.tolist() == ["a", "b", "c"]


def test_requests_without_sense_are_refused(toy):
    deltas = score_deltas(toy, "p", "q")
    for call, message in (
        (lambda: score_deltas(toy, "p", "z"), "no run 'z' in these scores; there are p, q"),
        (lambda: score_deltas(toy, "p", "p"), "'p' does not differ from itself"),
        (lambda: score_deltas(toy, "p", "q", ["v"]), "no measure 'v'"),
        (lambda: quadrants(deltas, "x", "v"), "no measure 'v' in these deltas; there are x, y"),
        (lambda: quadrants(deltas, "x", "x"), "'x' does not differ from itself"),
        (lambda: quadrants(deltas, "x", "y", level=95), "level must lie between 0 and 1"),
        (lambda: quadrants(deltas, "x", "y", tolerance=-1), "tolerance must be a number from 0"),
        (
            lambda: largest_disagreements(deltas, "x", "y", 0),
            "top must be a whole number from 1, not 0",
        ),
        (lambda: largest_disagreements(deltas, "x", "y", True), "top must be .* not True"),
        (lambda: largest_disagreements(deltas, "x", "y", side="left"), "side must be"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("measure", ["x", "y"])
def test_deltas_that_are_no_numbers_are_refused(toy, measure, value):
    deltas = score_deltas(toy, "p", "q")
    deltas.loc["t2", measure] = value
    for of in (quadrants, largest_disagreements):
        with pytest.raises(ValueError, match=f"^the delta by {measure} on topic 't2' is {value}, "):
            of(deltas, "x", "y")


def test_the_interval_of_pearson_is_fishers():
    rng = np.random.default_rng(0)
    deltas = pd.DataFrame(rng.standard_normal((4, 2)), columns=["x", "y"])
    oracle = stats.pearsonr(deltas["x"], deltas["y"])
    for level in (0.9, 0.95):
        limits = oracle.confidence_interval(level)
        found = quadrants(deltas, "x", "y", level=level)
        assert (found.pearson, found.low, found.high) == pytest.approx(
            (oracle.statistic, limits.low, limits.high), abs=1e-12
        )
    assert quadrants(deltas, "x", "y") == found


def test_what_is_flat_depends_on_the_size_of_the_deltas():
    noise = np.array([0, 1, 0, 2]) * 1e-3
    deltas = pd.DataFrame({"x": 1e13 + noise, "y": [1.0, 2, 3, 5], "z": 1 + noise})
    assert np.ptp(deltas["x"]) > 1e-3
    assert math.isnan(quadrants(deltas, "x", "y").pearson), "in the last of 16 digits"
    assert quadrants(deltas, "z", "y").pearson > 0.5
