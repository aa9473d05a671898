"""Ranking consistency: against Kendall's tau of each split, and against ACL'21's Table 9."""

import itertools

import numpy as np
import pytest
from numba import config

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta import kernels
from ordbook.meta.consistency import consistency_within, ranking_consistency
from ordbook.meta.significance import tukey_hsd

JIT = not config.DISABLE_JIT


def noise(measures=3, topics=9, runs=5):
    rng = np.random.default_rng(0)
    spread = np.arange(1, measures + 1)[:, None, None]
    return matrix(rng.normal(size=(measures, topics, runs)) * spread + np.arange(runs))


def split(seed, number, topics, sizes):
    """The two samples of one split."""
    key = kernels.stream_key(seed, "ranking consistency")
    (order,) = kernels.random_orders(topics, key, number, number + 1)
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
    assert found.tests.p.to_numpy().tolist() == direct.p.to_numpy().tolist()
    assert found.tests.v_e2["tau"] == pytest.approx(found.v_e2)
    wins = found.outperforms()
    p, mean = found.tests.matrix("tau"), found.mean
    for one, other in itertools.product(mean.index, repeat=2):
        expected = mean[one] > mean[other] and p.loc[one, other] < 0.05
        assert wins.loc[one, other] == expected
    worst = found.outperforms_worst()
    assert worst.name == "worst"
    for one, k in worst.items():
        losers = list(mean.index[::-1])
        assert wins.loc[one, losers[:k]].all()
        assert k == len(losers) or not wins.loc[one, losers[k]]


def test_differences_without_variance_are_infinite():
    """By A every split ranks the runs alike; by B they all are the same."""
    values = np.tile(np.arange(5.0), (2, 12, 1))
    values[1] = 0
    found = ranking_consistency(matrix(values, {"A": "low", "B": "low"}), splits=20)
    assert (found.mean.to_dict(), found.v_e2) == ({"A": 1, "B": 0}, 0)
    assert np.isnan(ranking_consistency(noise(1), splits=4).v_e2)
    sizes = found.effect_size()
    assert (sizes.loc["A", "B"], sizes.loc["B", "A"]) == (np.inf, -np.inf)
    assert np.isnan(np.diag(sizes)).all()


def test_consistency_of_fewer_topics_is_that_of_their_splits(scores):
    curves = consistency_within(scores, [5, 20], splits=50, seed=3)
    for size in (5, 20):
        tau = ranking_consistency(scores, size, 50, 3).tau
        rows = curves[curves["topics"] == size].set_index("measure")
        assert rows["mean"].to_dict() == pytest.approx(tau.mean().to_dict())
        assert rows["low"].to_dict() == pytest.approx(tau.quantile(0.025).to_dict())
        assert rows["high"].to_dict() == pytest.approx(tau.quantile(0.975).to_dict())
