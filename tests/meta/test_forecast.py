"""What more topics would show: forecasts against simulation, and against what is known."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from cases import each
from ordbook.meta.forecast import consistency_beyond, held_out, power_beyond, sizes_beyond
from ordbook.meta.subsampling import subsample
from ordbook.meta.variances import residual_variances, slack
from score_matrices import matrix


def draw(rng, topics, effects, root):
    """Scores with topic effects and residuals of covariance root root'."""
    noise = rng.standard_normal((topics, len(effects))) @ root.T
    return effects + noise + rng.standard_normal((topics, 1))


@each("least", [2, 4, 9, 10, 50, 390])
def test_sizes_grow_to_the_last(least):
    beyond = sizes_beyond(least)
    assert (beyond[0], beyond[-1]) == (least, 4 * least)
    assert len(set(beyond)) == len(beyond)


# -- consistency -------------------------------------------------------------------------------


def test_a_pair_adds_four_phi_minus_three():
    """Two of three runs are copies: that pair is tied for ever, the others are surely ordered."""
    rng = np.random.default_rng(0)
    first = rng.standard_normal((60, 1))
    values = np.concatenate([first, first, first + 9 + 0.1 * rng.standard_normal((60, 1))], 1)
    found = consistency_beyond(matrix(values[None]), [30], draws=200)
    assert found["mean"].item() == pytest.approx(2 / 3)
    assert found[["low", "high"]].to_numpy() == pytest.approx(2 / 3)


@pytest.mark.slow
@each("correlated", [False, True])
def test_what_is_forecast_comes_true(correlated):
    """Extrapolate from 40 topics to 120 in each sample; draw the 240 topics; many times."""
    rng = np.random.default_rng(11)
    runs, inside, errors = 8, [], []
    root = 0.8 * np.eye(runs)
    if correlated:  # runs err alike in pairs: few topics put the two of a pair in order
        root[1::2, ::2] = np.eye(runs // 2)
        root[::2, ::2] = np.eye(runs // 2)
        root[1::2, 1::2] *= 0.2
    for repeat in range(60):
        effects = 0.3 * rng.standard_normal(runs)
        seen = matrix(draw(rng, 40, effects, root)[None])
        new = matrix(draw(rng, 240, effects, root)[None])
        forecast = consistency_beyond(seen, [120], draws=400, seed=repeat).iloc[0]
        truth = ob.ranking_consistency(new, None, 200, repeat).mean.item()
        inside.append(forecast["low"] - 0.02 <= truth <= forecast["high"] + 0.02)
        errors.append(forecast["mean"] - truth)
    assert np.mean(inside) >= 0.85, "of bands that promise 95%, 60 times"
    assert abs(np.mean(errors)) < 0.03, "no bias to speak of"


def test_jsd_is_forecast_from_half_of_the_topics(no_raw_files):
    """True: .94. One variance for all runs said .82, and no band of it reached the truth."""
    scores = ob.score(ob.load("sem16t4e"), ["JSD"])
    found = held_out(scores, repeats=20, draws=200).loc[("consistency", "JSD")]
    assert found["truth"] == pytest.approx(0.936, abs=0.002)
    assert found["predicted"] > 0.88
    assert found["inside"] >= 0.9


# -- power -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_power_holds_on_data_that_follow_the_model():
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
        _, variance = residual_variances(fresh[None])
        honest = limit * math.sqrt((variance[0] + means.var(ddof=1)) / 160)
        truth = (np.abs(means[first] - means[second]) > honest).mean()
        row = power_beyond(pilot, [160], draws=150, seed=trial).iloc[0]
        inside += row["low"] - 1e-9 <= truth <= row["high"] + 1e-9
        errors.append(row["mean"] - truth)
    # 4 binomial standard errors of 120 trials, and the quantiles of 150 draws are rough.
    assert inside / trials > 0.95 - 0.09
    assert abs(np.mean(errors)) < 4 * np.std(errors) / math.sqrt(trials) + 0.01, "unbiased"


def test_runs_that_do_not_differ_stay_so():
    rng = np.random.default_rng(12)
    same = matrix(rng.standard_normal((1, 50, 6)), {"x": "low"})
    found = power_beyond(same, [50], draws=300, null="residual")["mean"].item()
    # Tukey errs in 5% of all sets, which is about one pair in 220; with noise added to the
    # observed means it would be one in 24.
    assert found < 0.015


# -- both --------------------------------------------------------------------------------------


@each("forecast", [consistency_beyond, power_beyond])
def test_threads_and_blocks_change_no_bit_and_progress_is_told(scores, forecast, monkeypatch):
    wanted, told = forecast(scores, [20, 80], draws=30, threads=1), []
    for block in (1, 70, 10**9):
        monkeypatch.setattr("ordbook.meta.forecast.BLOCK", block)
        found = forecast(
            scores, [20, 80], draws=30, threads=2, progress=lambda *done: told.append(done)
        )
        pd.testing.assert_frame_equal(found, wanted, check_exact=True)
    assert told == [(done, 4) for done in (1, 2, 3, 4)] * 3


@each("forecast", [consistency_beyond, power_beyond])
@each("scale", [1e-13, 1e13])
def test_the_scale_of_the_scores_does_not_matter(scores, forecast, scale):
    values = np.concatenate([scores.values, scores.values[..., :1]], axis=2)  # with copies
    wanted = forecast(matrix(values), [20, 80], draws=100)
    found = forecast(matrix(values * scale), [20, 80], draws=100)
    # A pair at the very line may fall on the other side.
    assert found["mean"].to_numpy() == pytest.approx(wanted["mean"].to_numpy(), abs=1e-3)


def test_halves_do_not_depend_on_threads(scores):
    told = []
    one = held_out(scores, repeats=4, draws=30, threads=1)
    two = held_out(scores, repeats=4, draws=30, threads=2, progress=lambda *d: told.append(d))
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@each("forecast", [consistency_beyond, power_beyond])
def test_more_topics_find_more(scores, forecast):
    means = forecast(scores.select(["x"]), [10, 40, 160, 5000], draws=200)["mean"]
    assert (np.diff(means) > 0).all()
    assert means.iloc[-1] > 0.85


@each("forecast", [consistency_beyond, power_beyond])
def test_the_same_seed_gives_the_same_forecast(scores, forecast):
    one, two = (forecast(scores, [20, 80], draws=50, seed=7) for _ in "ab")
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    assert (one["low"] <= one["mean"]).all()
    assert (one["mean"] <= one["high"]).all()
    assert not one.equals(forecast(scores, [20, 80], draws=50, seed=8))


@each("forecast", [consistency_beyond, power_beyond])
def test_other_measures_and_later_sizes_change_no_bit(scores, forecast):
    both = forecast(scores, [20, 80], draws=30, seed=4)
    one = forecast(scores.select(["y"]), [20], draws=30, seed=4)
    pd.testing.assert_frame_equal(
        both[(both["measure"] == "y") & (both["topics"] == 20)].reset_index(drop=True),
        one,
        check_exact=True,
    )


def test_halves_are_held_against_all_topics(scores):
    found = held_out(scores, repeats=5, draws=50)
    assert list(found.index.get_level_values("statistic").unique()) == ["consistency", "power"]
    whole = ob.ranking_consistency(scores, 20).mean
    assert found.loc["consistency", "truth"].to_dict() == pytest.approx(whole.to_dict())
    power = subsample(scores, [40], "power", repeats=1).set_index("measure")["mean"]
    assert found.loc["power", "truth"].to_dict() == pytest.approx(power.to_dict())
    assert found["inside"].between(0, 1).all()


def test_requests_without_sense_are_refused(scores):
    short = matrix(np.random.default_rng(0).random((1, 2, 3)), {"x": "low"})
    same = matrix(np.random.default_rng(0).random((1, 9, 1)).repeat(3, axis=2), {"x": "low"})
    two = matrix(np.random.default_rng(0).random((1, 9, 2)), {"x": "low"})
    for call, message in (
        (lambda: power_beyond(short, [9]), "2 topics say nothing about variance"),
        (
            lambda: power_beyond(same, [9]),
            "by x the differences between runs are the same on every",
        ),
        (lambda: power_beyond(two, [9]), "cannot be learnt from 2 of them"),
        (lambda: power_beyond(scores, [5], draws=1), "draws must be a whole number from 2"),
        (lambda: power_beyond(scores, [5.5]), "sizes must be whole numbers, not 5.5"),
        (lambda: power_beyond(scores, [5], alpha="x"), "alpha must lie between 0 and 1, not 'x'"),
        (lambda: power_beyond(scores, [5], seed=-1), "the seed must be a whole number from 0"),
        (lambda: held_out(scores, repeats=0), "repeats must be a whole number from 1, not 0"),
        (lambda: power_beyond(scores, [5], alpha=5), "alpha must lie between 0 and 1, not 5"),
        (lambda: power_beyond(scores, [1]), "sizes must lie between 2 and 10000000, got 1"),
        (lambda: consistency_beyond(short, [9]), "2 topics say nothing about variance"),
        (lambda: consistency_beyond(two, [9]), "cannot be learnt from 2 of them"),
        (lambda: consistency_beyond(scores, [0]), "sizes must lie between 1 and 10000000, got 0"),
        (lambda: consistency_beyond(scores, []), "name each size once, and at least one"),
        (lambda: consistency_beyond(scores, [5], draws=1), "draws must be a whole number from 2"),
        (lambda: consistency_beyond(scores, [5], level=95), "level must lie between 0 and 1"),
        (lambda: power_beyond(scores, [5], level=95), "level must lie between 0 and 1"),
        (lambda: power_beyond(scores, [5], null="x"), "null must be .* 'residual', not 'x'"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


# -- draw by draw --------------------------------------------------------------------------------


def every_draw(forecast, scores, sizes, monkeypatch, **options):
    """(measure, size) -> what each draw says, which a forecast sums up in a curve."""
    seen = []
    monkeypatch.setattr(
        "ordbook.meta.forecast.curve", lambda measures, sizes, found, level: seen.append(found)
    )
    forecast(scores, sizes, **options)
    return seen[0]


def test_each_draw_of_consistency_is_the_docstrings(scores, monkeypatch):
    """In matrices, where the package works along their axes."""
    found = every_draw(consistency_beyond, scores, [15, 60], monkeypatch, draws=12, seed=3)
    _, n, m = scores.values.shape
    for k, measure in enumerate(scores.measures):
        values = scores.values[k]
        means = values.mean(axis=0) - values.mean()
        covariances = np.cov((values - values.mean(axis=1, keepdims=True)).T)
        error = residual_variances(scores.values)[1][k] / n
        between = max(0.0, means.var(ddof=1) - error)
        axes = np.linalg.eigh(covariances)[1]
        for draw, size in itertools.product(range(12), (15, 60)):
            stream = np.random.default_rng((3, draw))
            drawn = covariances * (n - 1) / stats.chi2.ppf(stream.random(), n - 1)
            gain = between * np.linalg.inv(between * np.eye(m) + drawn / n)
            lengths = np.clip(np.diag(axes.T @ (between * (np.eye(m) - gain)) @ axes), 0, None)
            true = gain @ means + axes @ (np.sqrt(lengths) * stream.standard_normal(m))
            noise = np.random.default_rng((3, draw, size)).standard_normal(m + 1)[:m]
            lengths = np.clip(np.diag(axes.T @ drawn @ axes), 0, None)
            seen = true + axes @ (np.sqrt(lengths / (2 * size)) * noise)
            tau = []
            for i, j in itertools.combinations(range(m), 2):
                spread = drawn[i, i] + drawn[j, j] - 2 * drawn[i, j]
                z = abs(seen[i] - seen[j]) * math.sqrt(2 * size / spread)
                tau.append(4 * stats.norm.cdf(z) - 3)
            # The covariances have an axis of length 0, which float noise makes 1e-17: its root.
            assert found[measure, size][draw] == pytest.approx(np.mean(tau), abs=1e-6)


def test_each_draw_of_power_is_the_docstrings(scores, monkeypatch):
    """Means and variance of the new topic sets, which Tukey's test is then made on."""
    seen = []
    monkeypatch.setattr(
        "ordbook.meta.forecast.significant_share",
        lambda *arguments: seen.append(arguments) or np.zeros(len(arguments[0])),
    )
    power_beyond(scores, [6, 90], draws=9, seed=3, alpha=0.1, null="residual", threads=1)
    _, n, m = scores.values.shape
    freedom = (m - 1) * (n - 1)
    for k, size in itertools.product(range(2), (6, 90)):
        means, variance, *rest = seen.pop(0)
        new = (m - 1) * (size - 1)
        critical = stats.studentized_range.ppf(0.9, m, new)
        assert rest == [size, critical, "residual", slack(scores.values)[k]]
        observed = scores.values[k].mean(axis=0) - scores.values[k].mean()
        v = residual_variances(scores.values)[1][k]
        between = max(0.0, observed.var(ddof=1) - v / n)
        for draw in range(9):
            stream = np.random.default_rng((3, draw))
            drawn = v * freedom / stats.chi2.ppf(stream.random(), freedom)
            shrink = between / (between + drawn / n)
            true = shrink * observed + math.sqrt(shrink * drawn / n) * stream.standard_normal(m)
            *noise, last = np.random.default_rng((3, draw, size)).standard_normal(m + 1)
            expected = true + math.sqrt(drawn / size) * np.array(noise)
            assert means[draw] == pytest.approx(expected, abs=1e-12)
            # Wilson and Hilferty: the cube root of chi2 / df is nearly N(1 - 2/9df, 2/9df).
            root = 1 - 2 / (9 * new) + last * math.sqrt(2 / (9 * new))
            assert variance[draw] == pytest.approx(drawn * max(0.0, root) ** 3, rel=1e-12)
    assert not seen
