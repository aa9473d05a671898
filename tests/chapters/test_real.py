"""What data can show: the simulation's truth is known, and the committed figures come from it."""

import numpy as np
import pytest

import ordbook as ob
import power
from ordbook.chapters import real
from ordbook.meta.estimates import expected_consistency


def test_the_two_measures_have_the_consistency_that_the_simulation_says():
    scores = real.two_measures(np.random.default_rng(0), runs=400, lead=0.1, topics=400)
    first, second = expected_consistency(scores, 10)
    assert first == pytest.approx(real.MODEL.base, abs=0.02)  # 400 runs: a standard error of .01
    assert first - second == pytest.approx(0.1, abs=0.02)


@pytest.mark.slow
def test_the_constants_of_the_model_are_estimated():
    estimated = power.parameters()
    assert [round(value, 2) for value in estimated] == [*real.MODEL]


def test_the_share_between_teams_is_found_again():
    rng = np.random.default_rng(0)
    team = np.repeat(np.arange(200), 5)
    means = np.sqrt(0.5) * rng.standard_normal(200)[team] + np.sqrt(0.5) * rng.standard_normal(1000)
    assert power.between_teams(means, list(team)) == pytest.approx(0.5, abs=0.05)


def test_measures_that_are_alike_differ_by_their_topics_alone():
    scores = real.two_measures(np.random.default_rng(1), runs=5, topics=40_000, alike=True)
    means = scores.values.mean(axis=1)
    deviations = scores.values.std(axis=1)
    np.testing.assert_allclose(*means, atol=0.05)
    np.testing.assert_allclose(*deviations, rtol=0.02)


def test_the_corrected_test_is_never_surer_than_the_naive_one():
    gaps = np.random.default_rng(0).normal(0.01, 0.1, 1000)
    naive = real.stats.ttest_1samp(gaps, 0).pvalue
    assert real.corrected_p(gaps, 0, 100) == pytest.approx(naive)  # no topic in common
    assert naive < real.corrected_p(gaps, 20, 100) < real.corrected_p(gaps, 80, 100)
    assert real.corrected_p(np.zeros(10), 20, 100) == 1


def test_the_correction_bounds_the_variance_of_the_mean_over_splits():
    """E s^2 m/(n - m) is at least Var(U): for means of m of n values, and for a sign."""
    rng = np.random.default_rng(2)
    n, m, repeats, splits = 20, 8, 400, 60
    for statistic in (np.mean, lambda part, axis: np.sign(part.sum(axis=axis))):
        means, variances = [], []
        for _ in range(repeats):
            values = rng.standard_normal(n)
            chosen = rng.permuted(np.tile(np.arange(n), (splits, 1)), axis=1)[:, :m]
            found = statistic(values[chosen], axis=1)
            means.append(found.mean())
            variances.append(found.var(ddof=1))
        bound = (m / (n - m) + 1 / splits) * np.mean(variances)
        assert np.var(means) <= 1.1 * bound  # 400 data sets: a variance is known to 7%


def test_the_ratio_of_variances_is_that_of_the_model():
    rng = np.random.default_rng(3)
    means = rng.standard_normal(300)
    values = np.stack([means + scale * rng.standard_normal((200, 300)) for scale in (2.0, 4.0)])
    assert real.log_ratio(values) == pytest.approx(np.log([4, 16]) - np.log(means.var()), abs=0.05)


def test_halves_of_teams_keep_them_whole():
    """With two teams of which one decides, no rule that draws teams is sure."""
    rng = np.random.default_rng(4)
    values = rng.standard_normal((2, 60, 8))
    values[0, :, :4] += 5 * np.arange(4)
    team = np.repeat([0, 1], 4)
    assert real.decided_by_halves(values, team, rng) == 0
    values[0, :, 4:] += 5 * np.arange(4)
    assert real.decided_by_halves(values, team, rng) == 1


def test_a_comparison_is_the_jackknife_of_the_closed_form():
    scores = ob.score(ob.load("fair-oq"), ["NMD", "RNOD"])
    row = power.compare(scores).loc[("NMD", "RNOD")]
    first, second = expected_consistency(scores)
    assert row["lead"] == pytest.approx(first - second)
    assert row["splits"] < row["topics"] <= 1
    assert row["both"] > row["topics"]
    committed = real.committed().query("set == 'fair-oq' and first == 'NMD' and second == 'RNOD'")
    numbers = ["lead", "splits", "topics", "both"]
    np.testing.assert_allclose(committed[numbers].iloc[0], row[numbers], rtol=1e-5)


def test_committed_coverage_is_what_the_seed_gives():
    again = power.compute_coverage().set_index(["shape", "topics"])
    np.testing.assert_allclose(again, real.coverage(), atol=1e-3)


@pytest.mark.slow
def test_committed_power_is_what_is_computed():
    committed, computed = real.simulated(), power.compute_power()
    np.testing.assert_allclose(committed["right"], computed["right"], atol=0.006)  # two of 400


@pytest.mark.slow
def test_committed_comparisons_are_what_is_computed(raw_files):
    committed, computed = real.committed(), power.compute_sets()
    numbers = ["lead", "topics", "both"]
    np.testing.assert_allclose(committed[numbers], computed[numbers], rtol=1e-4, atol=1e-6)
