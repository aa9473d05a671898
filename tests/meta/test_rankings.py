"""The intervals of official results, by their textbook formulas."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers.score_matrices import matrix
from ordbook.meta.parametric import parametric_tukey_hsd
from ordbook.meta.rankings import better_than, ranks, standings


def half_widths(scores):
    found = standings(scores, "u").set_index("run")
    return ((found["high"] - found["low"]) / 2).loc[list(scores.runs)].to_numpy()


@pytest.mark.parametrize("topics", [2, 9])
def test_intervals_are_those_of_the_textbook(topics):
    values = np.random.default_rng(0).normal(size=(1, topics, 4))
    scores = matrix(values)
    t = [stats.t.interval(0.95, topics - 1, 0, stats.sem(run))[1] for run in values[0].T]
    np.testing.assert_allclose(half_widths(scores), t, rtol=1e-12)


@pytest.mark.filterwarnings("error")
def test_without_a_spread_there_is_no_interval():
    one_topic = matrix(np.arange(3.0).reshape(1, 1, 3))
    one_run = matrix(np.arange(3.0).reshape(1, 3, 1))
    assert np.isnan(half_widths(one_topic)).all()
    assert np.isfinite(half_widths(one_run)).all()


def test_means_that_differ_by_just_the_tolerance_share_a_rank():
    assert ranks(np.array([0, 0.9e-12, 1.1e-12, 3e-12])).tolist() == [3, 2, 2, 1]


@pytest.mark.parametrize("better", ["low", "high"])
def test_who_is_better_than_whom(better):
    """From the best to the worst, for each the closest first; who ties stands as in the matrix."""
    levels = np.arange(40) % 3
    signs = np.where(np.arange(40) % 4 < 2, 1, -1) / 8
    values = levels + np.array([1, -1, 1, -1])[:, None] * signs
    tests = parametric_tukey_hsd(matrix([values if better == "low" else -values], better))
    found = better_than(tests, "u")
    best, middle, worst = ([f"r{k}" for k in range(40) if k % 3 == level] for level in range(3))
    assert list(found[["better", "worse", "difference"]].itertuples(index=False, name=None)) == [
        *(
            (run, other, far)
            for run in best
            for far, rest in ((1, middle), (2, worst))
            for other in rest
        ),
        *((run, other, 1) for run in middle for other in worst),
    ]
    assert list(found) == ["better", "worse", "p", "difference", "effect_size"]
    # Within each run four times 1/64 over three degrees of freedom: V_E1 is 1/48.
    np.testing.assert_allclose(found["effect_size"], found["difference"] * 48**0.5, rtol=1e-12)
    p = tests.matrix("u")
    p = [p.loc[pair] for pair in zip(found["better"], found["worse"], strict=True)]
    assert found["p"].tolist() == p
    pd.testing.assert_frame_equal(better_than(tests, "u", 0.99), found)
