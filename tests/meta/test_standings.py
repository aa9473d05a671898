"""The intervals of official results, by their textbook formulas."""

import numpy as np
import pytest
from scipy import stats

from ordbook.meta.standings import identical_runs, ranks, standings
from ordbook.meta.variances import residual_variances
from score_matrices import matrix


def half_widths(scores, interval):
    found = standings(scores, "u", interval=interval).set_index("run")
    return ((found["high"] - found["low"]) / 2).loc[list(scores.runs)].to_numpy()


@pytest.mark.parametrize("topics", [2, 9])
def test_intervals_are_those_of_the_textbook(topics):
    values = np.random.default_rng(0).normal(size=(1, topics, 4))
    scores = matrix(values)
    t = [stats.t.interval(0.95, topics - 1, 0, stats.sem(run))[1] for run in values[0].T]
    np.testing.assert_allclose(half_widths(scores, "t"), t, rtol=1e-12)
    _, v_e2 = residual_variances(values)
    quantile = stats.studentized_range.ppf(0.95, 4, 3 * (topics - 1))
    hsd = quantile * (v_e2[0] / topics) ** 0.5 / 2
    np.testing.assert_allclose(half_widths(scores, "hsd"), [hsd] * 4, rtol=1e-9)


@pytest.mark.filterwarnings("error")
def test_without_a_spread_there_is_no_interval():
    one_topic = matrix(np.arange(3.0).reshape(1, 1, 3))
    one_run = matrix(np.arange(3.0).reshape(1, 3, 1))
    assert np.isnan(half_widths(one_topic, "t")).all()
    assert np.isnan(half_widths(one_topic, "hsd")).all()
    assert np.isnan(half_widths(one_run, "hsd")).all()
    assert np.isfinite(half_widths(one_run, "t")).all()


def test_two_runs_have_simultaneous_intervals():
    """Half of q sqrt(V_E2 / n); with two runs q is sqrt(2) t, and V_E2 half the differences'."""
    values = np.random.default_rng(3).normal(size=(1, 8, 2))
    differences = values[0, :, 0] - values[0, :, 1]
    half = stats.t.ppf(0.975, 7) * stats.sem(differences) / 2
    np.testing.assert_allclose(half_widths(matrix(values), "hsd"), [half] * 2, rtol=1e-9)


def test_requests_without_sense_are_refused():
    scores = matrix(np.zeros((1, 3, 3)))
    for call, message in (
        (lambda: standings(scores, "u", level=95), "^level must lie between 0 and 1, not 95"),
        (lambda: standings(scores, "u", interval="z"), "interval must be 't' or 'hsd', not 'z'"),
        (lambda: standings(scores["u"], "u"), "a ScoreMatrix is needed, not a DataFrame"),
        (lambda: standings(scores, "v"), "no measure 'v'"),
        (lambda: identical_runs(scores["u"]), "a ScoreMatrix is needed, not a DataFrame"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("tolerance", [0.25, [0.25] * 4, [0, 0.25, 0, 0]])
def test_means_that_differ_by_just_the_tolerance_share_a_rank(tolerance):
    """0 and 1/4 do; where each run has a tolerance of its own, the larger of two holds."""
    assert ranks([0, 0.25, 1, 2], "high", tolerance).tolist() == [3, 3, 2, 1]
    assert ranks([0, 0.25, 1, 2], "low", tolerance).tolist() == [1, 1, 3, 4]


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32])
def test_means_of_any_type_are_ranked(dtype):
    means = np.array([3, 1, 2, 3], dtype)
    assert ranks(means, "low", 0).tolist() == [3, 1, 2, 3]
    assert ranks(means, "high", 0).tolist() == [1, 4, 3, 1]
