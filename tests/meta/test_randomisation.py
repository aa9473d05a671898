"""The randomisation test of two runs against all signs, and against Tukey's test of two runs."""

import itertools

import numpy as np
import pandas as pd
import pytest
from numba import config

from helpers.score_matrices import matrix
from ordbook.meta.randomisation import randomisation_test
from ordbook.meta.significance import tukey_hsd

TRIALS = 2_000 if config.DISABLE_JIT else 40_000


def test_two_runs_randomised_is_the_randomisation_test():
    values = np.random.default_rng(4).normal(size=(1, 10, 2))
    exact = randomisation_test(values[0, :, 0], values[0, :, 1])
    assert (exact.exact, exact.trials, exact.error) == (True, 1024, 0)
    assert exact.low == exact.p == exact.high
    flips = np.array(list(itertools.product((1, -1), repeat=10)))
    differences = values[0, :, 0] - values[0, :, 1]
    sums = np.abs(flips @ differences)
    assert exact.p == np.mean(sums >= abs(differences.sum()) - 1e-9)
    tossed = randomisation_test(values[0, :, 0], values[0, :, 1], trials=1000, seed=2)
    assert not tossed.exact
    assert tossed.low <= exact.p <= tossed.high
    assert abs(tossed.p - exact.p) < 4 * tossed.error
    tests = tukey_hsd(matrix(values), TRIALS)
    error = (exact.p * (1 - exact.p) / TRIALS) ** 0.5
    assert abs(tests.p["u"].loc["r0", "r1"] - exact.p) < 4 * error


def test_randomisation_of_equal_runs_and_with_ties():
    assert randomisation_test([0.1, 0.2], [0.1, 0.2]).p == 1
    # +0.3, -0.1, -0.2 sum to float noise, and so do they with every sign turned
    found = randomisation_test([0.3, 0.0, 0.0], [0.0, 0.1, 0.2])
    assert found.p == 1
    assert found.difference == pytest.approx(0, abs=1e-15)


def test_randomisation_refuses():
    for a, b in (([1, 2], [1]), ([], []), ([[1]], [[2]])):
        with pytest.raises(ValueError, match="two vectors of scores on the same topics"):
            randomisation_test(a, b)
    with pytest.raises(ValueError, match="finite"):
        randomisation_test([1, np.nan], [1, 2])
    for a, b in (([1e308, -1e308], [-1e308, 1e308]), ([0, 1.1e15], [0, 1]), ([0, 1], [-1.1e15, 1])):
        with pytest.raises(ValueError, match=r"must be finite numbers from -1e\+15 to 1e\+15$"):
            randomisation_test(a, b)
    assert randomisation_test([1e15, -1e15], [-1e15, 1e15]).p == 1
    with pytest.raises(ValueError, match="trials must be a whole number from 1, not 0"):
        randomisation_test([1, 2], [2, 1], trials=0)


def test_all_ways_are_counted_where_there_are_no_more_than_trials():
    a, b = np.random.default_rng(1).random((2, 6))
    assert randomisation_test(a, b, trials=64).exact
    assert randomisation_test(a, b, trials=64).trials == 64
    found = randomisation_test(a, b, trials=np.int8(63))
    assert (found.exact, found.trials, type(found.trials)) == (False, 63, int)
    assert found.error == pytest.approx((found.p * (1 - found.p) / 63) ** 0.5)
    assert found.low < found.p < found.high
    assert found.difference == pytest.approx(np.mean(a) - np.mean(b))


def test_a_seed_gives_these_trials_on_every_machine():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=30), rng.normal(size=30) + 0.3
    assert [randomisation_test(a, b, 1000, seed=seed).p for seed in (0, 1)] == [0.174, 0.184]


def test_topics_in_another_order_are_refused():
    x = pd.Series([0.4, 0.5, 0.9], index=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"^a and b differ in the labels of their topics"):
        randomisation_test(x, x[::-1])
    with pytest.raises(ValueError, match="^b is not numeric"):
        randomisation_test(x, ["0.1", "0.3", "0.5"])
    with pytest.raises(ValueError, match="^a is not numeric"):
        randomisation_test(["0.1", "0.3", "0.5"], x)
    assert randomisation_test(x, x).p == 1


@pytest.mark.parametrize("scale", [0, 1e-13, 1, 1e13])
def test_the_scale_of_the_scores_does_not_matter(scale):
    """Differences +3, -1, -2 of tenths sum to 0, which every choice of signs reaches."""
    a, b = scale * np.array([0.3, 0.0, 0.0]), scale * np.array([0.0, 0.1, 0.2])
    assert randomisation_test(a, b).p == 1
    a, b = np.random.default_rng(2).random((2, 40))
    wanted = randomisation_test(a, b, 200)
    assert 0 < wanted.p < 1
    assert randomisation_test(scale * a, scale * b, 200).p == (wanted.p if scale else 1)


@pytest.mark.parametrize(("noise", "p"), [(0.1e-12, 1), (0.9e-12, 1), (1.1e-12, 0.5), (3e-12, 0.5)])
@pytest.mark.parametrize("topics", [2, 4])
def test_means_within_the_noise_are_equal(noise, p, topics):
    """Of means (1 + d) / n and (1 - d) / n: up to 1e-12 of the largest score decides nothing."""
    a = np.zeros(topics)
    a[:2] = 1, topics * noise / 2
    assert randomisation_test(a, np.zeros(topics)).p == p
