"""Tukey's HSD test against all permutations, the null hypothesis, theory and printed numbers."""

import _thread
import itertools
import threading
import time

import numpy as np
import pytest
from numba import config
from scipy import stats
from scipy.spatial.distance import pdist

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta import significance
from ordbook.meta.parametric import parametric_tukey_hsd
from ordbook.meta.significance import tukey_hsd

JIT = not config.DISABLE_JIT
compiled = pytest.mark.skipif(not JIT, reason="takes minutes without the JIT")


def noise(measures=1, topics=6, runs=4, seed=0):
    return matrix(np.random.default_rng(seed).normal(size=(measures, topics, runs)))


@pytest.fixture(scope="module")
def semeval():
    return ob.score(ob.load("sem16t4e"))


def every_permutation(scores):
    """p of every pair, from all permutations of the runs within the topics."""
    topics, runs = scores.shape
    orders = np.array(list(itertools.permutations(range(runs))))
    sums = np.zeros((1, runs))
    for row in scores:
        sums = (sums[:, None] + row[orders][None]).reshape(-1, runs)
    ranges = np.ptp(sums, axis=1) / topics
    means = scores.mean(axis=0)
    observed = np.abs(means[:, None] - means)
    p = (ranges[:, None, None] >= observed - 1e-9).mean(axis=0)
    return p[np.triu_indices(runs, 1)]


@pytest.mark.parametrize(
    "scores",
    [
        np.random.default_rng(0).normal([0, 0.5, 1.5], 1, (4, 3)),
        [[0.1 + 0.2, 0.1, 0.2], [0.3, 0.2, 0.2], [0.3, 0.1, 0.0], [0.2, 0.2, 0.1]],  # many ties
        np.random.default_rng(1).normal([0, 2], 1, (6, 2)),
        [[1, 2, 3, 4], [1, 3, 2, 4], [1, 2, 3, 4]],
    ],
)
def test_p_is_that_of_all_permutations(scores):
    scores = np.asarray(scores, dtype=float)
    expected, trials = every_permutation(scores), 40_000 if JIT else 2_000
    tests = tukey_hsd(matrix([scores]), trials, seed=3)
    error = np.sqrt(expected * (1 - expected) / trials)
    assert (np.abs(tests.p["u"] - expected) <= 4 * error).all()  # 4 standard errors
    low, high = (limits["u"] for limits in tests.limits(0.9999))
    assert ((low <= expected) & (expected <= high)).all()


def test_runs_with_equal_scores_do_not_differ():
    values = noise().values[0]
    values[:, 3] = values[:, 1]
    values[:, 2] = values[::-1, 1]  # the same mean, but for float noise
    for tests in (tukey_hsd(matrix([values]), 300), parametric_tukey_hsd(matrix([values]))):
        p = tests.matrix("u")
        assert p.loc["r1", "r3"] == p.loc["r1", "r2"] == p.loc["r2", "r3"] == 1
        assert p.loc["r0", "r1"] == pytest.approx(p.loc["r0", "r2"], abs=1e-12)
        assert p.loc["r0", "r1"] == p.loc["r0", "r3"] < 1
        assert tests.notes == ()
        assert tests.low["u"]["r1", "r2"] == tests.high["u"]["r1", "r2"] == 1


def test_when_all_runs_are_the_same_the_notes_say_so():
    values = np.stack([np.tile([[0.1], [0.7], [0.3]], 4), noise(topics=3).values[0]])
    for tests in (tukey_hsd(matrix(values), 20), parametric_tukey_hsd(matrix(values))):
        assert (tests.p["u"] == 1).all()
        assert len(tests.notes) == 1
        assert "toy: by u all runs have the same scores" in tests.notes[0]
        assert tests.effect_sizes()["u"].isna().all()
        assert tests.effect_sizes()["v"].notna().all()


@pytest.mark.parametrize(
    ("runs", "topics", "least"), [(2, 2, 0.5), (2, 5, 1 / 16), (3, 2, 1 / 6), (2, 6, 0), (4, 2, 0)]
)
def test_too_few_permutations_for_any_small_p_are_noted(runs, topics, least):
    values = np.random.default_rng(0).random((1, topics, runs)) + 9 * np.arange(runs)
    tests = tukey_hsd(matrix(values), 5000)
    assert len(tests.notes) == (least > 0)
    if least:
        assert tests.notes[0].startswith("toy: ")
        assert f"no p is below {least:.3g}" in tests.notes[0]
        assert tests.p["u"].min() == pytest.approx(
            least, abs=4 * np.sqrt(least * (1 - least) / 5000)
        )
    assert parametric_tukey_hsd(matrix(values)).notes == ()


def test_runs_that_differ_by_a_constant():
    values = np.arange(5.0)[:, None] / 8 + np.array([0, 1, 2])
    tests = parametric_tukey_hsd(matrix([values]))
    assert tests.v_e2["u"] == 0
    assert (tests.matrix("u").to_numpy() == np.eye(3)).all()
    assert tests.effect_sizes()["u"]["r0", "r2"] == -np.inf


def test_false_alarms_are_as_rare_as_promised():
    rng = np.random.default_rng(0)
    count, trials = (200, 1000) if JIT else (60, 200)
    alarms = 0
    for seed in range(count):
        # topics of very different scale: nothing but the exchange of runs is presumed
        scores = rng.exponential(size=(15, 5)) * rng.lognormal(size=(15, 1))
        alarms += (tukey_hsd(matrix([scores]), trials, seed, 1).p["u"] <= 0.05).any()
    low, high = stats.binom.interval(0.99, count, 0.05)
    assert low <= alarms <= high


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["NMD", "RNOD", "JSD"])
def test_the_null_holds_the_variance_between_runs(semeval, measure):
    trials = 100_000 if JIT else 1_000
    tests = tukey_hsd(semeval, trials, measures=[measure])
    means, found = tests.means[measure].to_numpy(), tests.p[measure]
    differences = tests.differences[measure].abs()

    def studentised(variance):
        return stats.studentized_range.sf(differences / np.sqrt(variance / 100), 12, 11 * 99)

    v_e2 = tests.v_e2[measure]
    # four Monte-Carlo errors, at most .0016 each; the rest is what normality leaves open
    allowed = 4 * np.sqrt(0.25 / trials) + 0.004
    assert np.abs(found - studentised(v_e2 + means.var(ddof=1))).max() < allowed
    assert np.abs(found - studentised(v_e2)).max() > 0.1
    parametric = parametric_tukey_hsd(semeval, [measure]).p[measure].to_numpy()
    assert parametric == pytest.approx(studentised(v_e2), abs=1e-9)


def test_signs_without_trials_are_those_of_the_range_of_normal_means(semeval):
    for alpha in (0.01, 0.05, 0.3):
        signs = significance.asymptotic_signs(semeval, alpha)
        for name, found in zip(semeval.measures, signs, strict=True):
            values = semeval[name].to_numpy()
            error = (values.var(axis=1, ddof=1).mean() / 100) ** 0.5
            gaps = pdist(values.mean(axis=0)[:, None])
            p = stats.studentized_range.sf(gaps / error, 12, np.inf)
            assert abs(found).tolist() == (p < alpha).tolist()


@compiled
def test_a_sequential_test_errs_as_rarely_as_promised():
    values = np.random.default_rng(0).normal([0, 0.5, 1.2, 1.5], 1, (5, 4))
    exact = every_permutation(values)
    wrong = undecided = 0
    p = np.sort(exact)[1]  # .028
    near = [(p * factor, seed) for factor in (0.9, 1, 1.1) for seed in range(20)]
    for alpha, seed in near:
        tests = tukey_hsd(matrix([values]), 20_000, seed, 1, decide_at=alpha, level=0.8)
        low, high = (limits["u"] for limits in tests.limits(0.8))
        decided = (high < alpha) | (alpha <= low)
        wrong += (decided & ((tests.p["u"] < alpha) != (exact < alpha))).any()
        undecided += not decided.all()
        assert decided.all() or tests.trials["u"] == 20_000
    assert 0 < wrong <= stats.binom.ppf(0.9999, len(near), 0.2)
    assert 16 <= undecided <= 36  # 20 where p is alpha


@compiled
def test_a_sequential_test_goes_on_where_it_has_to(monkeypatch):
    monkeypatch.setattr(significance, "MOST_TRIALS", 80_000)
    scores = noise(6, topics=20, runs=6)
    wanted = tukey_hsd(scores, threads=1, decide_at=0.05)
    assert wanted.stops == 5
    assert wanted.trials.min() == 5000 < wanted.trials.max()
    assert set(wanted.trials) <= {5000, 10_000, 20_000, 40_000, 80_000}
    for threads in (2, 5):
        assert tukey_hsd(scores, threads=threads, decide_at=0.05).p.equals(wanted.p)
    for measure, trials in wanted.trials.items():
        for one in (
            tukey_hsd(scores, int(trials), measures=[measure]),
            tukey_hsd(scores, measures=[measure], decide_at=0.05),
        ):
            assert one.trials[measure] == trials
            assert one.p[measure].equals(wanted.p[measure])
    # nothing is left to decide before the last trial
    low, high = wanted.limits(0.999)
    doubtful = ((low < 0.05) & (high >= 0.05)).any()
    assert (wanted.trials[doubtful] == 80_000).all()


def test_effect_sizes():
    scores = noise()
    tests = tukey_hsd(scores, 10)
    assert tests.seed == 0
    means = scores.means()["u"]
    for variance, residual in (("e1", tests.v_e1["u"]), ("e2", tests.v_e2["u"])):
        expected = (means["r0"] - means["r2"]) / residual**0.5
        assert tests.effect_sizes(variance)["u"]["r0", "r2"] == pytest.approx(expected)
    pairs = tests.pairs("u")
    assert len(pairs) == 6
    row = pairs.iloc[1]
    assert (row["first"], row["second"]) == ("r0", "r2")
    assert row["difference"] == pytest.approx(means["r0"] - means["r2"])
    assert row["es_e2"] == tests.effect_sizes()["u"]["r0", "r2"]
    assert row["es_e1"] == tests.effect_sizes("e1")["u"]["r0", "r2"]
    assert row["low"] <= row["p"] <= row["high"]


def test_two_runs_parametric_is_the_paired_t_test():
    values = noise(1, 9, 2, seed=4).values
    tests = parametric_tukey_hsd(matrix(values))
    expected = stats.ttest_rel(values[0, :, 0], values[0, :, 1]).pvalue
    assert tests.p["u"].item() == pytest.approx(expected, abs=1e-8)
    assert (tests.method, tests.trials["u"]) == ("parametric", 0)
    assert tests.low.equals(tests.p)


@compiled
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_it(threads):
    tukey_hsd(noise(2, 300, 22), 10, threads=threads)  # compiled, which may swallow an interrupt
    before = threading.active_count()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tukey_hsd(noise(2, 300, 22), 10**8, threads=threads)  # a quarter of an hour
    timer.join()
    assert time.monotonic() - start < 3  # 0.3, a range or two, and a busy machine
    assert threading.active_count() == before
