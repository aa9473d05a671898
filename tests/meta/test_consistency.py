"""Ranking consistency: against Kendall's tau of each split, and against ACL'21's Table 9."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numba import config

import ordbook as ob
from ordbook.meta import chunks, kernels
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.variances import TOLERANCE
from score_matrices import matrix

JIT = not config.DISABLE_JIT
MASK, GAMMA = 2**64 - 1, 0x9E3779B97F4A7C15


def noise(measures=3, topics=9, runs=5):
    rng = np.random.default_rng(0)
    spread = np.arange(1, measures + 1)[:, None, None]
    return matrix(rng.normal(size=(measures, topics, runs)) * spread + np.arange(runs))


def mixed(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def split(seed, number, topics, sizes):
    """The two samples of one split, by another program than ours."""
    key = int(kernels.stream_key(seed, "ranking consistency"))
    state = mixed(key + number * GAMMA & MASK)
    order = list(range(topics))
    for i in range(sum(sizes)):
        state = state + GAMMA & MASK
        j = i + mixed(state) % (topics - i)
        order[i], order[j] = order[j], order[i]
    return order[: sizes[0]], order[sizes[0] : sum(sizes)]


@pytest.mark.parametrize(("size", "sizes"), [(None, (4, 5)), (3, (3, 3)), (1, (1, 1))])
def test_every_tau_is_kendalls(size, sizes):
    scores = noise()
    rounded = matrix(scores.values.round())  # with ties
    for values in (scores, rounded):
        found = ranking_consistency(values, size, splits=20, seed=5)
        assert found.sizes == sizes
        for number, measure in itertools.product(range(20), range(3)):
            halves = split(5, number, 9, sizes)
            assert not set(halves[0]) & set(halves[1])
            means = [values.values[measure, half].mean(axis=0) for half in halves]
            expected = ob.kendall_tau(*means)
            assert found.tau.iloc[number, measure] == pytest.approx(expected, abs=1e-15)


def test_threads_and_chunks_change_no_bit(monkeypatch):
    wanted = ranking_consistency(noise(), splits=23, threads=1).tau
    for threads, chunk in itertools.product((1, 2, 8, None), (1, 1000, 10**9)):
        monkeypatch.setattr(chunks, "CHUNK", chunk)
        found = ranking_consistency(noise(), splits=23, threads=threads)
        pd.testing.assert_frame_equal(found.tau, wanted, check_exact=True)
    assert not ranking_consistency(noise(), splits=23, seed=1).tau.equals(wanted)
    # more splits begin with the same
    more = ranking_consistency(noise(), splits=30).tau
    assert more.iloc[:23].to_numpy().tolist() == wanted.to_numpy().tolist()


@pytest.mark.parametrize("chosen", ["u", "wu", "vwu"])
def test_other_measures_change_no_bit(chosen):
    every = ranking_consistency(noise(), splits=30).tau
    some = ranking_consistency(noise(), splits=30, measures=list(chosen))
    assert some.measures == tuple(chosen)
    pd.testing.assert_frame_equal(some.tau, every[list(chosen)], check_exact=True)


def test_every_measure_sees_the_same_splits_and_direction_does_not_matter():
    values = noise().values[0]
    found = ranking_consistency(matrix([values, values, -values, 2 * values]), splits=40)
    for other in "vwx":
        assert (found.tau[other] == found.tau["u"]).all()
    turned = ranking_consistency(matrix([values], "high"), splits=40)
    assert (turned.tau["u"] == found.tau["u"]).all()


def test_equal_runs_are_tied():
    values = noise(1).values
    values[..., 4] = values[..., 3]
    assert ranking_consistency(matrix(values), splits=50).tau["u"].max() <= 0.9


def test_a_measure_that_cannot_tell_the_runs_apart_is_noted():
    values = noise(2).values
    assert ranking_consistency(matrix(values), splits=5).notes == ()
    values[1] = values[1, :, :1]  # topics differ, runs do not
    found = ranking_consistency(matrix(values), splits=5)
    assert (found.tau["v"] == 0).all()
    assert len(found.notes) == 1
    assert "toy: by v all runs have the same scores on every topic" in found.notes[0]
    with pytest.raises(ValueError, match="same scores on every topic by v; .* nothing to rank"):
        ranking_consistency(matrix(values), measures=["v"])


@pytest.mark.parametrize("scale", [1e-13, 1.0, 1e13])
def test_the_scale_of_the_scores_does_not_matter(scale):
    values = noise().values
    values[..., 4] = values[..., 3] + 1e-14  # equal but for noise
    wanted = ranking_consistency(matrix(values), splits=30).tau
    found = ranking_consistency(matrix(values * scale), splits=30).tau
    pd.testing.assert_frame_equal(found, wanted, check_exact=True)
    assert wanted.to_numpy().max() <= 0.9


def test_means_and_the_test_of_measures():
    found = ranking_consistency(noise(4), splits=60, seed=2)
    assert found.mean.is_monotonic_decreasing
    assert found.mean.to_dict() == pytest.approx(found.tau.mean().to_dict())
    tau = found.tau.to_numpy()
    residual = tau - tau.mean(0) - tau.mean(1, keepdims=True) + tau.mean()
    assert found.v_e2 == pytest.approx((residual**2).sum() / (3 * 59))
    order = list(found.mean.index)
    sizes = found.effect_size()
    assert list(sizes.index) == list(sizes.columns) == order
    expected = (found.mean.iloc[0] - found.mean.iloc[2]) / found.v_e2**0.5
    assert sizes.iloc[0, 2] == pytest.approx(expected)


def test_outperforming():
    found = ranking_consistency(noise(4), splits=60 if JIT else 20, seed=2)
    assert found.tests is found.tests  # computed once
    direct = tukey_hsd(matrix(found.tau.to_numpy()[None], "high"), 5000, 2)
    assert (found.tests.exceed == direct.exceed).all()
    assert found.tests.v_e2["tau"] == pytest.approx(found.v_e2)
    wins = found.outperforms()
    p, mean = found.tests.p["tau"], found.mean
    for one, other in itertools.product(mean.index, repeat=2):
        expected = mean[one] > mean[other] and p.loc[one, other] < 0.05
        assert wins.loc[one, other] == expected
    worst = found.outperforms_worst()
    assert worst.name == "worst"
    for one, k in worst.items():
        losers = list(mean.index[::-1])
        assert wins.loc[one, losers[:k]].all()
        assert k == len(losers) or not wins.loc[one, losers[k]]


# ACL'21 Table 9(i): Sem16T4E, mean tau, how many of the worst are outperformed, V_E2.
PRINTED = {
    None: (
        {"JSD": 0.934, "RNOD": 0.847, "NVD": 0.831, "RNSS": 0.815, "NMD": 0.788, "RSNOD": 0.767},
        [5, 4, 3, 2, 1, 0],
        0.00175,
    ),
    10: (
        {"JSD": 0.771, "RNOD": 0.708, "NVD": 0.705, "RNSS": 0.690, "NMD": 0.674, "RSNOD": 0.673},
        [5, 3, 3, 2, 0, 0],
        0.00368,
    ),
}


@pytest.mark.parametrize("size", [None, 10])
def test_acl21_table_9(size):
    mean, worst, v_e2 = PRINTED[size]
    scores = ob.score(ob.load("sem16t4e")).select(list(mean))
    seeds, splits = (60, 1000) if JIT else (8, 50)  # fewer splits allow for more
    draws = [ranking_consistency(scores, size, splits, seed) for seed in range(seeds)]
    taus = pd.DataFrame([d.tau.mean() for d in draws])
    # 99.9% of a normal draw, and half a unit of the last printed digit
    for measure, printed in mean.items():
        allowed = 3.29 * taus[measure].std() + 0.0005
        assert abs(printed - taus[measure].mean()) <= allowed, measure
    variances = np.array([d.v_e2 for d in draws])
    assert abs(v_e2 - variances.mean()) <= 3.29 * variances.std() + 0.000005
    if JIT:
        assert draws[0].outperforms_worst().reindex(list(mean)).to_list() == worst


def test_requests_without_sense_are_refused():
    with pytest.raises(ValueError, match="a ranking needs at least 2 runs, there is 1"):
        ranking_consistency(noise(runs=1))
    with pytest.raises(ValueError, match="2 topics cannot be split at random; at least 3"):
        ranking_consistency(noise(topics=2))
    with pytest.raises(ValueError, match="of 5 topics need 10, there are 9; .* at most 4"):
        ranking_consistency(noise(), 5)
    with pytest.raises(ValueError, match="of 100 topics need 200, there are 150"):
        ranking_consistency(noise(topics=150), np.int8(100))
    for size in (0, 2.0, True):
        with pytest.raises(ValueError, match="size must be a whole number from 1"):
            ranking_consistency(noise(), size)
    with pytest.raises(ValueError, match="splits must be a whole number from 1, not 0"):
        ranking_consistency(noise(), splits=0)
    with pytest.raises(ValueError, match="threads must be"):
        ranking_consistency(noise(), threads=0)
    with pytest.raises(ValueError, match="no measure 'q'"):
        ranking_consistency(noise(), measures=["q"])
    with pytest.raises(ValueError, match=r"write \['u'\]"):
        ranking_consistency(noise(), measures="u")
    with pytest.raises(ValueError, match="name at least one"):
        ranking_consistency(noise(), measures=[])
    with pytest.raises(ValueError, match="a ScoreMatrix is needed, not a ndarray"):
        ranking_consistency(noise().values)


def test_one_measure_has_nothing_to_outperform():
    found = ranking_consistency(noise(1), splits=4)
    assert np.isnan(found.v_e2)
    with pytest.raises(ValueError, match="at least 2 measures and 2 splits, not 1 and 4"):
        found.outperforms()
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        ranking_consistency(noise(), splits=4).outperforms(5)
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1, not 'x'"):
        ranking_consistency(noise(), splits=4).outperforms("x")


def test_progress():
    told = []
    ranking_consistency(noise(), splits=9, progress=lambda *done: told.append(done))
    assert told[-1] == (9, 9)


def test_defaults_are_those_documented():
    found = ranking_consistency(noise(2, 5, 3))
    assert (found.splits, found.seed, found.trials, len(found.tau)) == (1000, 0, 5000, 1000)
    assert found.tau.equals(ranking_consistency(noise(2, 5, 3), None, 1000, 0).tau)
    few = ranking_consistency(noise(2, 5, 3), splits=20)
    assert (few.tests.trials, few.tests.seed) == (5000, 0)


def test_three_topics_and_two_runs_are_enough():
    found = ranking_consistency(noise(2, 3, 2), splits=6)
    assert found.sizes == (1, 2)
    assert set(np.unique(found.tau)) <= {-1, 1}
    assert not np.isnan(found.v_e2)
    assert np.isnan(ranking_consistency(noise(2, 3, 2), splits=1).v_e2)
    assert not np.isnan(ranking_consistency(noise(2, 3, 2), splits=2).v_e2)


def test_splits_are_rows():
    found = ranking_consistency(noise(), splits=3)
    assert found.tau.index.name == "split"
    assert found.tau.index.tolist() == [0, 1, 2]
    assert found.tau.columns.name == found.mean.index.name == "measure"
    assert found.tau.columns.tolist() == ["u", "v", "w"]
    assert found.mean.name == "mean"


def test_equal_means_without_variance_have_no_effect_size():
    """Every split ranks the runs alike: no difference, and no noise to measure it by."""
    values = np.tile(np.arange(5.0), (2, 12, 1))
    found = ranking_consistency(matrix(values, {"A": "low", "B": "low"}), splits=20)
    assert found.v_e2 == 0
    assert np.isnan(found.effect_size().to_numpy()).all()


def test_the_test_of_measures_takes_the_threads_asked_for(one_thread):
    found = ranking_consistency(noise(2, 5, 3), splits=4, threads=1)
    assert replace(found, trials=20).tests.trials == 20


def test_differences_without_variance_are_infinite():
    """By A every split ranks the runs alike; by B they all are the same."""
    values = np.tile(np.arange(5.0), (2, 12, 1))
    values[1] = 0
    found = ranking_consistency(matrix(values, {"A": "low", "B": "low"}), splits=20)
    assert (found.mean.to_dict(), found.v_e2) == ({"A": 1, "B": 0}, 0)
    sizes = found.effect_size()
    assert (sizes.loc["A", "B"], sizes.loc["B", "A"]) == (np.inf, -np.inf)
    assert np.isnan(np.diag(sizes)).all()


def test_the_worst_are_counted_from_the_last():
    """A stands for certain above B and C, which differ by little; few trials tell that."""
    values = np.random.default_rng(0).normal(size=(3, 12, 5))
    values[0] = np.arange(5.0)
    found = replace(ranking_consistency(matrix(values), splits=20), trials=50)
    worst = found.outperforms_worst()
    assert worst.name == "worst"
    assert worst.index.tolist() == found.mean.index.tolist()
    assert worst.iloc[0] == 2
    assert found.mean.index[0] == "u"


def test_measures_that_tie_keep_their_order():
    """Forty measures, every second of which ranks the runs alike by all splits."""
    names = [f"m{k}" for k in range(40)]
    alike, mixed = np.tile(np.arange(5.0), (12, 1)), np.random.default_rng(0).random((12, 5))
    values = [mixed if k % 2 else alike for k in range(40)]
    found = ranking_consistency(matrix(values, dict.fromkeys(names, "low")), splits=3)
    assert found.mean["m0"] == 1 > found.mean["m1"]
    assert found.mean.index.tolist() == names[::2] + names[1::2]


def test_runs_that_differ_by_just_the_tolerance_are_the_same():
    values = np.zeros((1, 3, 2))
    values[:, 0] = 1  # the largest score
    values[:, 1:, 1] = TOLERANCE
    with pytest.raises(ValueError, match="same scores on every topic by u; .* nothing to rank"):
        ranking_consistency(matrix(values), splits=2)
    values[:, 1:, 1] *= 4
    assert ranking_consistency(matrix(values), splits=2).notes == ()


def test_a_range_of_splits_takes_no_longer_than_others(monkeypatch):
    """A split goes through 9 topics x 3 measures x 5 runs, and 3 x 5 x 5 comparisons."""
    monkeypatch.setattr(chunks, "CHUNK", 2 * (9 * 3 * 5 + 3 * 5 * 5))
    told = []
    ranking_consistency(noise(), splits=10, threads=1, progress=lambda *done: told.append(done))
    assert told == [(done, 10) for done in (2, 4, 6, 8, 10)]


def test_two_splits_can_be_tested_and_keep_their_names():
    """Splits take the place of topics, measures that of runs; a high tau is the better one."""
    found = replace(ranking_consistency(noise(2), splits=2), trials=20)
    tests = found.tests
    assert found.task == tests.task == "toy"
    assert (tests.measures, tests.runs, tests.topics) == (("tau",), ("u", "v"), 2)
    assert tests.better == {"tau": "high"}
    assert tests.means["tau"].to_dict() == pytest.approx(found.mean.to_dict())


def test_a_p_of_just_alpha_outperforms_nothing():
    """Of 20 trials, some p-values are neither 0 nor 1, so that alpha can meet them."""
    found = replace(ranking_consistency(noise(3, 12), splits=8), trials=20)
    p, mean = found.tests.p["tau"], found.mean
    met = 0
    for one, other in itertools.permutations(mean.index, 2):
        alpha = p.loc[one, other]
        if mean[one] > mean[other] and 0 < alpha < 1:
            assert not found.outperforms(alpha).loc[one, other]
            assert found.outperforms(alpha + 1e-9).loc[one, other]
            met += 1
    assert met > 0
