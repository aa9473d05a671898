"""The compiled loops: the random numbers, the same bits everywhere, and who stops when."""

import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from numba import config
from scipy.stats import chisquare

from ordbook.meta import kernels

MASK = 2**64 - 1
SAMPLE = 2_000 if config.DISABLE_JIT else 100_000


def key(seed=0):
    return kernels.stream_key(seed, "test")


def shuffles(runs, count):
    orders = np.tile(np.arange(runs), (count, 1))
    state = key()
    with np.errstate(over="ignore"):
        for order in orders:
            state = np.uint64(kernels.shuffle(order, state))
    return orders


def test_the_numbers_are_splitmix64():
    # The first outputs for the seed 1234567, as in Vigna's splitmix64.c and Java's SplittableRandom
    gamma, expected = 0x9E3779B97F4A7C15, (6457827717110365317, 3203168211198807973)
    for k, number in enumerate(expected, 1):
        with np.errstate(over="ignore"):
            assert int(kernels.mix(np.uint64((1234567 + k * gamma) & MASK))) == number


@pytest.mark.parametrize("runs", [2, 3, 4])
def test_every_permutation_is_as_likely_as_any(runs):
    names = {order: k for k, order in enumerate(permutations(range(runs)))}
    for orders in (shuffles(runs, SAMPLE), kernels.random_orders(runs, key(), 5, 5 + SAMPLE)):
        places = [names[tuple(order)] for order in orders.tolist()]
        assert chisquare(np.bincount(places, minlength=len(names))).pvalue > 0.001


@pytest.mark.parametrize("runs", [5, 22, 63, 64, 65, 67, 130])  # four, two and one index a draw
def test_every_run_gets_every_place(runs):
    orders = shuffles(runs, max(SAMPLE // 20, 10))
    assert (np.sort(orders, axis=1) == np.arange(runs)).all()
    if config.DISABLE_JIT:
        return
    table = np.array([np.bincount(place, minlength=runs) for place in orders.T])
    statistic = chisquare(table, axis=1).statistic.sum() * (runs - 1) / runs
    freedom = (runs - 1) ** 2
    assert abs(statistic - freedom) < 4 * np.sqrt(2 * freedom)  # nearly normal
    # neighbouring places come from the same number: are they independent?
    pairs = orders[:, -1] * runs + orders[:, -3]
    if runs <= 22:
        counts = np.bincount(pairs, minlength=runs**2).reshape(runs, runs)
        assert chisquare(counts[~np.eye(runs, dtype=bool)]).pvalue > 0.001


def test_a_range_is_that_of_permuted_means():
    topics = 4
    values = np.random.default_rng(0).normal(size=(topics, 6, 1))
    found = kernels.permuted_ranges(values, key(), 7, 17)
    for trial in range(7, 17):
        orders = [np.arange(6) for _ in range(topics)]
        with np.errstate(over="ignore"):
            step = np.uint64(trial) * np.uint64(0x9E3779B97F4A7C15)
            state = np.uint64(kernels.mix(key() + step))
            for order in orders:
                state = np.uint64(kernels.shuffle(order, state))
        means = np.mean([values[t, order, 0] for t, order in enumerate(orders)], axis=0)
        assert found[trial - 7, 0] == pytest.approx(np.ptp(means), rel=1e-11)  # another order


PROGRAM = """
import numpy as np
from ordbook.meta import kernels
key = kernels.stream_key(5, "test")
for runs in (2, 5, 67):
    values = np.random.default_rng(0).normal(size=(3, runs, 2))
    print(kernels.permuted_ranges(values, key, 2, 7).tobytes().hex())
    print(kernels.random_orders(runs, key, 1, 5).tolist())
"""


@pytest.mark.slow
def test_the_same_bits_without_the_compiler():
    outputs = []
    for disabled in ("0", "1"):
        result = subprocess.run(
            [sys.executable, "-W", "error", "-c", PROGRAM],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0]
