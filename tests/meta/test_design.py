"""Topic set size design against known tables, SciPy's t and simulation; curves by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.design import (
    design_power,
    detectable_difference,
    extrapolate,
    subsample,
    topic_set_size,
    topics_needed,
)
from ordbook.meta.significance import residual_variances


def matrix(values, better):
    values = np.asarray(values, dtype=float)
    return ScoreMatrix(
        "toy",
        values,
        tuple(better),
        tuple(map(str, range(values.shape[1]))),
        tuple(f"r{i}" for i in range(values.shape[2])),
        better,
        Provenance("yours"),
    )


@pytest.fixture
def scores():
    rng = np.random.default_rng(2)
    effects = np.array([0, 0.1, 0.2, 0.5, 0.9])
    values = rng.standard_normal((2, 40, 5)) * 0.5 + effects + rng.standard_normal((2, 40, 1))
    values[1] *= -3
    return matrix(values, {"x": "high", "y": "low"})


# -- sizes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "n"), [(0.2, 394), (0.5, 64), (0.8, 26)])
def test_two_independent_groups_are_cohens_table(d, n):
    """Cohen (1988), Table 2.4.1: small, medium and large effects, power .80, alpha .05."""
    assert topics_needed(1.0, d, 2, design="one-way") == n
    assert topics_needed(4.0, 2 * d, 2, design="one-way") == n, "only D^2 / V counts"


@pytest.mark.parametrize(("runs", "n"), [(3, 53), (4, 45), (5, 40)])
def test_several_groups_are_known_sizes(runs, n):
    """Cohen's f = .25 (medium), as G*Power gives it: 159, 180 and 200 in all. f^2 = D^2 / 2mV."""
    assert topics_needed(1.0, 0.25 * math.sqrt(2 * runs), runs, design="one-way") == n


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


@pytest.mark.parametrize(("design", "topics"), [("paired", 12), ("one-way", 12)])
def test_power_equals_its_simulation(design, topics):
    rng = np.random.default_rng(3)
    runs, trials, difference = 4, 6000, 1.2
    effects = np.array([-difference / 2, 0, 0, difference / 2])
    values = rng.standard_normal((trials, topics, runs)) + effects
    if design == "paired":
        values += 2 * rng.standard_normal((trials, topics, 1))
    centred = values - values.mean(axis=1, keepdims=True)
    freedom = runs * (topics - 1)
    if design == "paired":
        centred -= centred.mean(axis=2, keepdims=True)
        freedom = (runs - 1) * (topics - 1)
    f = topics * values.mean(axis=1).var(axis=1, ddof=1) / ((centred**2).sum((1, 2)) / freedom)
    share = (f > stats.f.isf(0.05, runs - 1, freedom)).mean()
    expected = design_power(1.0, difference, topics, runs, design=design)
    assert share == pytest.approx(expected, abs=4 * 0.5 / math.sqrt(trials))


@pytest.mark.parametrize("design", ["paired", "one-way"])
@pytest.mark.parametrize(("runs", "difference"), [(2, 0.1), (5, 0.3), (22, 0.05), (3, 50.0)])
def test_size_power_and_difference_are_inverse(design, runs, difference):
    options = {"alpha": 0.01, "design": design}
    n = topics_needed(0.02, difference, runs, power=0.9, **options)
    assert design_power(0.02, difference, n, runs, **options) >= 0.9
    if n > 2:
        assert design_power(0.02, difference, n - 1, runs, **options) < 0.9
    smallest = detectable_difference(0.02, n, runs, power=0.9, **options)
    assert smallest <= difference
    assert design_power(0.02, smallest, n, runs, **options) == pytest.approx(0.9, abs=1e-9)


def test_from_a_score_matrix(scores):
    table = topic_set_size(scores, {"x": 0.4, "y": 0.9}, power=0.9)
    one, two = residual_variances(scores.values)
    for k, measure in enumerate("xy"):
        row, d = table.loc[measure], (0.4, 0.9)[k]
        assert row["variance"] == two[k]
        assert row["topics"] == topics_needed(two[k], d, 5, power=0.9)
        assert row["power"] == design_power(two[k], d, 40, 5)
        assert row["detectable"] == detectable_difference(two[k], 40, 5, power=0.9)
        means = scores[measure].mean()
        assert row["spread"] == pytest.approx(means.max() - means.min())
    unpaired = topic_set_size(scores, 0.4, design="one-way", runs=8)
    assert unpaired["variance"].tolist() == one.tolist()
    assert unpaired.loc["x", "topics"] == topics_needed(one[0], 0.4, 8, design="one-way")
    with pytest.raises(ValueError, match="difference lacks y"):
        topic_set_size(scores, {"x": 0.4})


# -- fewer topics ----------------------------------------------------------------------------


def test_subsamples_by_hand(scores):
    found = subsample(scores, [7, 40], repeats=9, seed=5).set_index(["measure", "topics"])
    full = {m: scores[m].mean() for m in "xy"}
    for measure in "xy":
        taus = []
        for r in range(9):
            order = np.random.default_rng((5, r)).permutation(40)
            means = scores[measure].iloc[order[:7]].mean()
            taus.append(ob.kendall_tau(means, full[measure]))
        row = found.loc[(measure, 7)]
        assert row["mean"] == pytest.approx(np.mean(taus), abs=1e-12)
        assert row["low"] == pytest.approx(np.quantile(taus, 0.025), abs=1e-12)
        assert row["high"] == pytest.approx(np.quantile(taus, 0.975), abs=1e-12)
        assert found.loc[(measure, 40)].tolist() == [1, 1, 1]


def test_power_of_two_runs_is_the_paired_t_test():
    """Tukey's test of two runs is the t-test of their differences."""
    rng = np.random.default_rng(8)
    scores = matrix(rng.standard_normal((1, 60, 2)) + np.array([0, 0.8]), {"x": "high"})
    found = subsample(scores, [15], "power", repeats=200, seed=1, null="residual")
    significant = []
    for r in range(200):
        rows = scores["x"].iloc[np.random.default_rng((1, r)).permutation(60)[:15]]
        significant.append(stats.ttest_rel(rows["r0"], rows["r1"]).pvalue < 0.05)
    assert 0.05 < np.mean(significant) < 0.95
    assert found["mean"].item() == np.mean(significant)


def test_power_of_several_runs_is_tukeys_test(scores):
    _, variance = residual_variances(scores.values)
    for k, measure in enumerate("xy"):
        means = scores[measure].mean().to_numpy()
        for null, v in (("residual", variance[k]), ("permuted", variance[k] + means.var(ddof=1))):
            found = subsample(scores.select([measure]), [40], "power", repeats=1, null=null)
            first, second = np.triu_indices(5, 1)
            q = np.abs(means[first] - means[second]) / math.sqrt(v / 40)
            p = stats.studentized_range.sf(q, 5, 4 * 39)
            assert found["mean"].item() == (p < 0.05).mean()


def test_the_permuted_null_is_that_of_the_randomised_test(no_raw_files):
    """LQ'21 Table 3, Sem16T4E, B = 5,000: two of NMD's 38 stand at the line; V_E2 finds more."""
    printed = {"NMD": 38, "RSNOD": 32, "RNOD": 35, "NVD": 31, "RNSS": 37, "JSD": 32}
    scores = ob.score(ob.load("sem16t4e"), list(printed))
    permuted, residual = (
        66 * subsample(scores, [100], "power", repeats=1, null=null).set_index("measure")["mean"]
        for null in ("permuted", "residual")
    )
    assert ((permuted - pd.Series(printed)).abs() < 2.5).all()
    assert (residual - pd.Series(printed) > 4.5).all()


@pytest.mark.parametrize("statistic", ["tau", "power"])
@pytest.mark.parametrize("curve", [subsample, extrapolate])
def test_measures_and_sizes_do_not_disturb_each_other(scores, curve, statistic):
    count = {"repeats": 30} if curve is subsample else {"draws": 30}
    both = curve(scores, [5, 20], statistic, seed=4, **count)
    one = curve(scores.select(["y"]), [20], statistic, seed=4, **count)
    pd.testing.assert_frame_equal(
        both[(both["measure"] == "y") & (both["topics"] == 20)].reset_index(drop=True),
        one,
        check_exact=True,
    )
    other = curve(scores, [5, 20], statistic, seed=9, **count)
    assert not both.equals(other)


def test_the_end_of_the_scale_does_not_matter(scores):
    turned = matrix(-scores.values, {"x": "low", "y": "high"})
    for statistic in ("tau", "power"):
        pd.testing.assert_frame_equal(
            subsample(scores, [9], statistic, repeats=20),
            subsample(turned, [9], statistic, repeats=20),
        )


# -- more topics -----------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["tau", "power"])
def test_predictions_hold_on_data_that_follow_the_model(statistic):
    """Pilot of 40 topics, 8 runs; what 160 new topics say lies in 95% of the 95% intervals."""
    rng = np.random.default_rng(10)
    runs, inside, errors, trials = 8, 0, [], 120
    first, second = np.triu_indices(runs, 1)
    limit = stats.studentized_range.ppf(0.95, runs, (runs - 1) * 159)
    for trial in range(trials):
        effects = 0.15 * rng.standard_normal(runs)
        pilot = matrix([rng.standard_normal((40, runs)) * 0.5 + effects], {"x": "high"})
        fresh = rng.standard_normal((160, runs)) * 0.5 + effects
        means = fresh.mean(axis=0)
        if statistic == "power":
            _, variance = residual_variances(fresh[None])
            honest = limit * math.sqrt((variance[0] + means.var(ddof=1)) / 160)
            truth = (np.abs(means[first] - means[second]) > honest).mean()
        else:
            truth = ob.kendall_tau(means, effects)
        row = extrapolate(pilot, [160], statistic, draws=150, seed=trial).iloc[0]
        inside += row["low"] - 1e-9 <= truth <= row["high"] + 1e-9
        errors.append(row["mean"] - truth)
    # 4 binomial standard errors of 120 trials, and the quantiles of 150 draws are rough.
    assert inside / trials > 0.95 - 0.09
    assert abs(np.mean(errors)) < 4 * np.std(errors) / math.sqrt(trials) + 0.01, "unbiased"


def test_more_topics_find_more(scores):
    for statistic in ("tau", "power"):
        means = extrapolate(scores.select(["x"]), [10, 40, 160, 5000], statistic, draws=200)["mean"]
        assert (np.diff(means) > 0).all()
        assert means.iloc[-1] > 0.85


def test_runs_that_do_not_differ_stay_so():
    rng = np.random.default_rng(12)
    same = matrix(rng.standard_normal((1, 50, 6)), {"x": "low"})
    found = extrapolate(same, [50], "power", draws=300, null="residual")["mean"].item()
    # Tukey errs in 5% of all sets, which is about one pair in 220; with noise added to the
    # observed means it would be one in 24.
    assert found < 0.015


# -- no sense --------------------------------------------------------------------------------


def test_requests_without_sense_are_refused(scores):
    lonely = matrix(np.random.default_rng(0).random((1, 9, 1)), {"x": "low"})
    short = matrix(np.random.default_rng(0).random((1, 2, 3)), {"x": "low"})
    same = matrix(np.random.default_rng(0).random((1, 9, 1)).repeat(3, axis=2), {"x": "low"})
    two = matrix(np.random.default_rng(0).random((1, 9, 2)), {"x": "low"})
    for call, message in (
        (lambda: topic_set_size(lonely, 0.1), "at least 2 runs, there is 1"),
        (lambda: subsample(lonely, [3]), "at least 2 runs, there is 1"),
        (lambda: topic_set_size(short, 0.1), "2 topics say nothing about variance"),
        (lambda: extrapolate(short, [9]), "2 topics say nothing about variance"),
        (lambda: topic_set_size(same, 0.1), "by x the runs differ equally on all topics"),
        (lambda: extrapolate(same, [9]), "by x the runs differ equally on all topics"),
        (lambda: subsample(same, [9]), "by x all runs score the same"),
        (lambda: extrapolate(two, [9]), "cannot be learnt from 2 of them"),
        (lambda: subsample(scores, [41]), "sizes must lie between 2 and 40, got 41"),
        (lambda: subsample(scores, [1]), "sizes must lie between 2 and 40, got 1"),
        (lambda: subsample(scores, [5, 5]), "name each size once"),
        (lambda: subsample(scores, []), "name each size once, and at least one"),
        (lambda: subsample(scores, [5], "mean"), "statistic must be 'tau' or 'power', not 'mean'"),
        (lambda: subsample(scores, [5], null="none"), "null must be"),
        (lambda: subsample(scores, [5], repeats=0), "repeats must be at least 1"),
        (lambda: extrapolate(scores, [5], draws=1), "draws must be at least 2"),
        (lambda: extrapolate(scores, [5], alpha=5), "alpha must lie between 0 and 1, not 5"),
        (lambda: topics_needed(0, 0.1, 3), "variance must be above 0, not 0"),
        (lambda: topics_needed(1, 0, 3), "difference must be above 0, not 0"),
        (lambda: topics_needed(1, 1, 1), "at least 2 runs, got 1"),
        (lambda: topics_needed(1, 1, 3, power=0.04), "power must lie between alpha"),
        (lambda: topics_needed(1, 1, 3, alpha=0), "alpha must lie between 0 and 1, not 0"),
        (lambda: topics_needed(1, 1, 3, design="latin"), "design must be 'paired' or 'one-way'"),
        (lambda: topic_set_size(scores, 1, design="latin"), "design must be"),
        (lambda: topics_needed(1, 1e-5, 3), "too small .* more than 10,000,000 topics"),
        (lambda: design_power(1, 1, 1, 3), "at least 2 topics, got 1"),
        (lambda: detectable_difference(1, 1, 3), "at least 2 topics, got 1"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
