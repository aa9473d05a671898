"""Topic set size design against known tables, SciPy's t and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from helpers.score_matrices import matrix
from ordbook.meta.topic_set_size import (
    design_power,
    detectable_difference,
    topic_set_size,
    topics_needed,
    unfit,
    with_differences,
)
from ordbook.meta.variances import residual_variances


@pytest.mark.parametrize("topics", [5, 34, 200])
def test_two_runs_paired_are_the_paired_t_test(topics):
    """The variance of differences is 2 V_E2, and F of two runs is t squared."""
    variance, difference = 0.5, 0.5
    shift = difference * math.sqrt(topics / (2 * variance))
    limit = stats.t.isf(0.025, topics - 1)
    expected = stats.nct.sf(limit, topics - 1, shift) + stats.nct.cdf(-limit, topics - 1, shift)
    assert design_power(variance, difference, topics, 2) == pytest.approx(expected, abs=1e-9)


def test_the_paired_t_tests_known_size():
    assert topics_needed(0.5, 0.5, 2) == 34  # d_z = .5, power .80


def test_power_equals_its_simulation():
    rng = np.random.default_rng(3)
    runs, topics, trials, difference = 4, 12, 6000, 1.2
    effects = np.array([-difference / 2, 0, 0, difference / 2])
    values = rng.standard_normal((trials, topics, runs)) + effects
    values += 2 * rng.standard_normal((trials, topics, 1))
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=2, keepdims=True)
    freedom = (runs - 1) * (topics - 1)
    f = topics * values.mean(axis=1).var(axis=1, ddof=1) / ((centred**2).sum((1, 2)) / freedom)
    share = (f > stats.f.isf(0.05, runs - 1, freedom)).mean()
    expected = design_power(1.0, difference, topics, runs)
    assert share == pytest.approx(expected, abs=4 * 0.5 / math.sqrt(trials))


@pytest.mark.parametrize(("runs", "difference"), [(2, 0.1), (5, 0.3), (22, 0.05), (3, 50.0)])
def test_size_power_and_difference_are_inverse(runs, difference):
    options = {"alpha": 0.01}
    n = topics_needed(0.02, difference, runs, power=0.9, **options)
    assert design_power(0.02, difference, n, runs, **options) >= 0.9
    if n > 2:
        assert design_power(0.02, difference, n - 1, runs, **options) < 0.9
    smallest = detectable_difference(0.02, n, runs, power=0.9, **options)
    assert smallest <= difference
    assert design_power(0.02, smallest, n, runs, **options) == pytest.approx(0.9, abs=1e-9)


@pytest.mark.parametrize("runs", range(2, 13))
def test_many_topics_are_no_matter(runs):
    """SciPy's noncentral F is NaN in bands there, about lambda = 1,400."""
    for topics in (1500, 1999, 2000, 2500, 3000, 3700, 5000):
        smallest = detectable_difference(0.01, topics, runs)
        assert 0 < smallest < 0.05
        assert abs(topics_needed(0.01, smallest * (1 + 1e-9), runs) - topics) <= 0
        powers = [
            design_power(0.01, (0.02 * noncentrality / topics) ** 0.5, topics, runs)
            for noncentrality in np.geomspace(0.1, 5000, 60)
        ]
        assert np.isfinite(powers).all()
        assert (np.diff(powers) > -1e-12).all(), "power grows with the difference"
        assert powers[-1] == 1


def test_from_a_score_matrix(scores):
    table = topic_set_size(scores, {"x": 0.4, "y": 0.9}, power=0.9)
    strict = topic_set_size(scores, {"x": 0.4, "y": 0.9}, power=0.9, alpha=0.01)
    assert (strict["topics"] > table["topics"]).all()
    _, two = residual_variances(scores.values)
    for k, measure in enumerate("xy"):
        row, d = table.loc[measure], (0.4, 0.9)[k]
        assert row["variance"] == two[k]
        assert row["topics"] == topics_needed(two[k], d, 5, power=0.9)
        assert row["power"] == design_power(two[k], d, 40, 5)
        assert strict.loc[measure, "power"] == design_power(two[k], d, 40, 5, alpha=0.01)
        assert row["detectable"] == detectable_difference(two[k], 40, 5, power=0.9)
        means = scores[measure].mean()
        assert row["spread"] == pytest.approx(means.max() - means.min())
    assert topic_set_size(scores, 0.4, runs=8)["topics"].iloc[0] == topics_needed(two[0], 0.4, 8)


def test_too_few_runs_or_topics_are_said(scores):
    assert unfit(scores) == ""
    assert "2 runs and 40 topics" in unfit(matrix(scores.values[:, :, :2]))
    assert "5 runs and 7 topics" in unfit(matrix(scores.values[:, :7]))


def test_measures_without_differences_are_left_out(scores):
    equal = np.repeat(scores.values[:1, :, :1], 5, axis=2)
    shifted = scores.values[:1, :, :1] + np.arange(5.0)
    some = matrix(np.concatenate([equal, scores.values[:1], shifted]))
    assert with_differences(some).measures == ("v",)
    assert "all runs are equal" in unfit(matrix(np.concatenate([equal, shifted])))


def test_the_shrunk_spread_is_what_the_two_runs_differ_by_on_other_topics():
    rng = np.random.default_rng(5)
    errors = []
    for _ in range(300):
        effects = 0.1 * rng.standard_normal(8)
        pilot = matrix(effects + 0.5 * rng.standard_normal((1, 25, 8)))
        means, row = pilot.values[0].mean(axis=0), topic_set_size(pilot, 0.1).iloc[0]
        true = effects[means.argmax()] - effects[means.argmin()]
        errors.append([row["spread"] - true, row["shrunk"] - true])
    overstated, shrunk = np.array(errors).T
    # Four standard errors of the mean of 300 differences.
    assert abs(shrunk.mean()) < 4 * shrunk.std() / 300**0.5 < overstated.mean()


def test_runs_that_differ_by_chance_alone_have_no_spread_to_expect():
    same = matrix([[[0, 1.0], [1, 0], [0, 1], [1, 0]]])
    assert topic_set_size(same, 0.1)["shrunk"].item() == 0
    assert with_differences(same).measures == ()
