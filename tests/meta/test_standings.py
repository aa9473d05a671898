"""The intervals of official results, by their textbook formulas."""

import numpy as np
import pytest
from scipy import stats

from ordbook.meta.standings import standings
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
