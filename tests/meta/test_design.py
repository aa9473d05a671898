"""Topic set size design against known tables, SciPy's t and simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from ordbook.meta import design as designs
from ordbook.meta.design import (
    design_power,
    detectable_difference,
    topic_set_size,
    topics_needed,
    unfit,
    with_differences,
)
from ordbook.meta.variances import residual_variances
from score_matrices import matrix


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


@pytest.mark.parametrize("design", ["paired", "one-way"])
@pytest.mark.parametrize("runs", range(2, 13))
def test_many_topics_are_no_matter(runs, design):
    """SciPy's noncentral F is NaN in bands there, about lambda = 1,400."""
    for topics in (1500, 1999, 2000, 2500, 3000, 3700, 5000):
        smallest = detectable_difference(0.01, topics, runs, design=design)
        assert 0 < smallest < 0.05
        assert abs(topics_needed(0.01, smallest * (1 + 1e-9), runs, design=design) - topics) <= 0
        powers = [
            design_power(0.01, (0.02 * noncentrality / topics) ** 0.5, topics, runs, design=design)
            for noncentrality in np.geomspace(0.1, 5000, 60)
        ]
        assert np.isfinite(powers).all()
        assert (np.diff(powers) > -1e-12).all(), "power grows with the difference"
        assert powers[-1] == 1


@pytest.mark.parametrize(
    ("noncentrality", "between", "within"),
    [(5.0, 1, 3), (12.0, 4, 7996), (80.0, 11, 500), (900.0, 4, 7996), (300.0, 2, 4)],
)
def test_the_mixture_is_the_noncentral_f(noncentrality, between, within):
    critical = stats.f.isf(0.05, between, within)
    found = designs._noncentral_f(noncentrality, between, within, critical)
    expected = special.ncfdtr(between, within, noncentrality, critical)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("within", [1, 2, 3, 10, 1000, 10**6])
@pytest.mark.parametrize("between", [1, 4, 50])
def test_power_is_1_only_where_the_mixture_says_so(between, within):
    if within < between or within % between:
        return
    topics = 1 + within // between
    for noncentrality in (1000, 3000, 1e4, 1e5):
        critical = special.fdtri(between, within, 0.95)
        expected = 1 - designs._noncentral_f(noncentrality, between, within, critical)
        found = designs._power(noncentrality, topics, between + 1, 0.05, "paired")
        assert found == pytest.approx(expected, abs=1e-10)


def test_extremes():
    assert design_power(1e-30, 1, 2, 2) == 1
    assert design_power(1e-300, 1e200, 2, 2) == 1
    assert topics_needed(1e-30, 1, 2) == 2
    assert topics_needed(1e-6, 0.05, 5) == 2


def test_from_a_score_matrix(scores):
    table = topic_set_size(scores, {"x": 0.4, "y": 0.9}, power=0.9)
    strict = topic_set_size(scores, {"x": 0.4, "y": 0.9}, power=0.9, alpha=0.01)
    assert (strict["topics"] > table["topics"]).all()
    one, two = residual_variances(scores.values)
    for k, measure in enumerate("xy"):
        row, d = table.loc[measure], (0.4, 0.9)[k]
        assert row["variance"] == two[k]
        assert row["topics"] == topics_needed(two[k], d, 5, power=0.9)
        assert row["power"] == design_power(two[k], d, 40, 5)
        assert strict.loc[measure, "power"] == design_power(two[k], d, 40, 5, alpha=0.01)
        assert row["detectable"] == detectable_difference(two[k], 40, 5, power=0.9)
        means = scores[measure].mean()
        assert row["spread"] == pytest.approx(means.max() - means.min())
    unpaired = topic_set_size(scores, 0.4, design="one-way", runs=8)
    assert unpaired["variance"].tolist() == one.tolist()
    assert unpaired.loc["x", "topics"] == topics_needed(one[0], 0.4, 8, design="one-way")
    double = float(np.float32(0.4))
    for difference in (np.float32(0.4), {"x": np.float32(0.4), "y": np.float32(0.4)}):
        pd.testing.assert_frame_equal(
            topic_set_size(scores, difference), topic_set_size(scores, double)
        )
    with pytest.raises(ValueError, match="difference lacks y"):
        topic_set_size(scores, {"x": 0.4})


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


def test_requests_without_sense_are_refused(scores):
    lonely = matrix(np.random.default_rng(0).random((1, 9, 1)), {"x": "low"})
    short = matrix(np.random.default_rng(0).random((1, 2, 3)), {"x": "low"})
    same = matrix(np.random.default_rng(0).random((1, 9, 1)).repeat(3, axis=2), {"x": "low"})
    for call, message in (
        (lambda: topic_set_size(lonely, 0.1), "at least 2 runs, there is 1"),
        (lambda: topic_set_size(short, 0.1), "2 topics say nothing about variance"),
        (lambda: topic_set_size(same, 0.1), "by x the runs differ equally on all topics"),
        (lambda: topics_needed(0, 0.1, 3), "variance must be above 0, not 0"),
        (lambda: topics_needed(1, 0, 3), "difference must be above 0, not 0"),
        (lambda: topics_needed(1, 1, 1), "runs must be a whole number from 2 to 10000000, not 1"),
        (lambda: topics_needed(1, 1, 3, power=0.04), "power must lie between alpha"),
        (lambda: topics_needed(1, 1, 3, power="x"), "power must lie between 0 and 1, not 'x'"),
        (lambda: topics_needed(1, 1, 3, alpha="x"), "alpha must lie between 0 and 1, not 'x'"),
        (lambda: topics_needed("a", 1, 3), "variance must be above 0, not 'a'"),
        (lambda: topics_needed(1, math.nan, 3), "difference must be above 0, not nan"),
        (lambda: topic_set_size(scores["x"], 0.1), "a ScoreMatrix is needed, not a DataFrame"),
        (lambda: topic_set_size(scores, True), "difference must be above 0, not True"),
        (lambda: topic_set_size(scores, {"x": 1, "y": "1"}), "difference must be above 0, not '1'"),
        (lambda: topic_set_size(scores, scores["x"]["r0"]), "difference must .*, not a Series$"),
        (lambda: topics_needed(1, 1, 3, alpha=0), "alpha must lie between 0 and 1, not 0"),
        (lambda: topics_needed(1, 1, 3, design="latin"), "design must be 'paired' or 'one-way'"),
        (lambda: topic_set_size(scores, 1, design="latin"), "design must be"),
        (lambda: topics_needed(1, 1e-5, 3), "too small .* more than 10,000,000 topics"),
        (lambda: design_power(1, 1, 1, 3), "topics must be a whole number from 2, not 1"),
        (lambda: detectable_difference(1, 1, 3), "topics must be a whole number from 2, not 1"),
        (lambda: design_power(1, 1, math.nan, 3), "topics must be a whole number from 2, not nan"),
        (lambda: topic_set_size(scores, 1, runs=math.nan), "runs must be a whole .*, not nan"),
        (lambda: topic_set_size(scores, 1, runs=10**30), "runs must be a whole .*, not 10000"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("design", ["paired", "one-way"])
@pytest.mark.parametrize("runs", [2, 5])
def test_one_topic_fewer_is_not_enough(runs, design):
    options = {"runs": runs, "design": design}
    for difference in np.linspace(0.15, 1.5, 40):
        n = topics_needed(1.0, difference, **options)
        assert design_power(1.0, difference, n, **options) >= 0.8
        assert n == 2 or design_power(1.0, difference, n - 1, **options) < 0.8
        found = detectable_difference(1.0, n, **options)
        assert design_power(1.0, found, n, **options) == pytest.approx(0.8)


def test_the_power_without_the_distribution_of_scipy(monkeypatch):
    cases = [(1.0, 0.5, 40, 2), (2.0, 0.3, 100, 7), (1.0, 3.0, 12, 3)]
    for design in ("paired", "one-way"):
        expected = [design_power(*case, design=design) for case in cases]
        with monkeypatch.context() as patch:
            patch.setattr(special, "ncfdtr", lambda *args: math.nan)
            found = [design_power(*case, design=design) for case in cases]
        assert found == pytest.approx(expected, abs=1e-12)


def test_three_topics_are_the_fewest():
    values = np.random.default_rng(0).normal(size=(1, 3, 4)) + np.arange(4)
    found = topic_set_size(matrix(values), 1.0)
    assert found["at_hand"].to_dict() == {"u": 3}
    assert found.index.name == "measure"
    with pytest.raises(ValueError, match="2 topics say nothing about variance; 3 are the least"):
        topic_set_size(matrix(values[:, :2]), 1.0)


def test_a_power_just_reached_is_enough():
    for n in (2, 3, 6, 7, 11, 20):
        power = design_power(1.0, 0.9, n, 3)
        assert topics_needed(1.0, 0.9, 3, power=power) == n


def test_the_power_of_alpha_is_there_without_topics():
    for call in (topics_needed, detectable_difference):
        with pytest.raises(ValueError, match="power must lie between alpha .0.1. and 1, not 0.1"):
            call(1.0, 5, 3, alpha=0.1, power=0.1)


def test_the_power_at_hand_is_that_of_the_design(scores):
    v_e1, v_e2 = residual_variances(scores.values)
    for design, variances in (("paired", v_e2), ("one-way", v_e1)):
        for alpha in (0.05, 0.01):
            found = topic_set_size(scores, 0.2, alpha=alpha, design=design)["power"]
            assert found.tolist() == [
                design_power(v, 0.2, 40, 5, alpha=alpha, design=design) for v in variances
            ]
            assert (found < 0.99).all()


def test_three_runs_and_eight_topics_are_enough(scores):
    assert unfit(matrix(scores.values[:, :8, :3])) == ""
    assert "3 runs and 7 topics" in unfit(matrix(scores.values[:, :7, :3]))
    assert "2 runs and 8 topics" in unfit(matrix(scores.values[:, :8, :2]))


@pytest.mark.parametrize("scale", [1e-13, 1.0, 1e13])
def test_the_scale_does_not_decide_whether_runs_differ(scale):
    values = np.random.default_rng(0).normal(size=(2, 9, 3))
    values[1] -= values[1].mean(axis=0)  # but for noise all runs have the same mean
    some = matrix(values * scale)
    assert with_differences(some).measures == ("u",)
    assert unfit(some) == ""
    assert "all runs are equal" in unfit(some.select(["v"]))


@pytest.mark.parametrize("runs", [3, 5, 11])
@pytest.mark.parametrize("alpha", [0.05, 1e-4, 1e-7])
def test_power_of_two_topics_and_a_strict_level(runs, alpha):
    """The largest critical values: far differences are missed, however far beyond others' size."""
    between = runs - 1
    critical = special.fdtri(between, between, 1 - alpha)
    for noncentrality in np.geomspace(1000, 1e6, 12):
        missed = designs._noncentral_f(noncentrality, between, between, critical)
        found = design_power(1.0, noncentrality**0.5, 2, runs, alpha=alpha)
        assert found == pytest.approx(1 - missed, abs=1e-9)


def test_ten_million_topics_are_the_most():
    most = designs.MOST_TOPICS
    for topics in (most - 1, most):
        difference = detectable_difference(1.0, topics, 2) * (1 + 1e-9)
        assert topics_needed(1.0, difference, 2) == topics
    for topics in (most + 1, 3 * most // 2, 2 * most):
        with pytest.raises(ValueError, match="too small .* more than 10,000,000 topics"):
            topics_needed(1.0, detectable_difference(1.0, topics, 2) * (1 + 1e-9), 2)


@pytest.mark.parametrize("design", ["paired", "one-way"])
@pytest.mark.parametrize("alpha", [0.02, 0.05])
def test_a_table_is_that_of_its_options(alpha, design):
    """With few topics the two designs find differently much, for the same variance."""
    few = matrix(np.random.default_rng(1).normal(size=(2, 4, 3)))
    options = {"alpha": alpha, "design": design}
    table = topic_set_size(few, 1.0, power=0.9, **options)
    assert table.columns.tolist() == [
        *("variance", "difference", "topics", "at_hand", "power", "detectable", "spread"),
    ]
    assert table["difference"].tolist() == [1.0, 1.0]
    for row in table.itertuples():
        assert row.topics == topics_needed(row.variance, 1.0, 3, power=0.9, **options)
        assert row.detectable == detectable_difference(row.variance, 4, 3, power=0.9, **options)
        assert row.power == design_power(row.variance, 1.0, 4, 3, **options)


def test_topics_are_counted_in_whole_numbers(scores):
    found = [topics_needed(1.0, difference, 3) for difference in (0.4, 0.9, 1.3, 20.0)]
    assert [type(n) for n in found] == [int] * 4
    assert topic_set_size(scores, 0.3)["topics"].dtype == np.int64


@pytest.mark.parametrize(("topics", "difference"), [(4, 0.5), (16, 0.25), (64, 0.125)])
def test_a_noncentrality_of_1_is_the_paired_t_test_shifted_by_1(topics, difference):
    limit = stats.t.isf(0.025, topics - 1)
    expected = stats.nct.sf(limit, topics - 1, 1) + stats.nct.cdf(-limit, topics - 1, 1)
    assert design_power(0.5, difference, topics, 2) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("topics", "runs"), [(10, 3), (25, 2), (40, 5), (100, 4)])
@pytest.mark.parametrize("excess", [1e-9, 1e-4, 0.01])
def test_a_power_hardly_above_alpha_needs_hardly_a_difference(topics, runs, excess):
    """Two terms of the mixture: power is alpha + (I(a) - I(a + 1)) lambda / 2 + O(lambda^2)."""
    between, within = runs - 1, (runs - 1) * (topics - 1)
    critical = stats.f.isf(0.05, between, within)
    x = between * critical / (between * critical + within)
    terms = special.betainc(between / 2 + np.arange(2), within / 2, x)
    noncentrality = 2 * excess / (terms[0] - terms[1])
    found = detectable_difference(1.0, topics, runs, power=0.05 + excess)
    expected = (2 * noncentrality / topics) ** 0.5
    assert found == pytest.approx(expected, rel=1e-5 + 10 * excess)


@pytest.mark.parametrize("runs", [2, 3, 5, 10, 22])
def test_the_smallest_differences_are_found_as_exactly_as_others(runs):
    """A power has 16 digits, and is above alpha by one part in a million here: 10 are left."""
    for topics in (2, 3, 5, 10, 25, 40, 100, 300):
        difference = (2e-5 / topics) ** 0.5
        power = design_power(1.0, difference, topics, runs)
        found = detectable_difference(1.0, topics, runs, power=power)
        assert found == pytest.approx(difference, rel=4e-9, abs=0)


@pytest.mark.parametrize("noncentrality", [10.0, 1e4, 1e6, 1e10])
def test_the_mixture_for_two_degrees_of_freedom(noncentrality):
    """P(F' <= c) is then E exp(-X / 2c), X noncentral chi-squared, of known moments.

    The terms are exponentials of numbers as large as lambda, so that digits are lost with it.
    """
    critical = noncentrality / 4
    t = -1 / (2 * critical)
    expected = math.exp(noncentrality * t / (1 - 2 * t)) / (1 - 2 * t)
    found = designs._noncentral_f(noncentrality, 2, 2, critical)
    assert found == pytest.approx(expected, rel=1e-12 + 1e-14 * noncentrality)
