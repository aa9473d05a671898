"""Compiled loops: permutations, splits and concordances, each drawn from a stream of its own.

The random numbers are SplitMix64 (Steele, Lea and Flood, 2014) used as a counter: number k of
trial t is a hash of (key, t, k). So a trial's numbers are the same whoever computes it, and
however trials are shared out. All the jitted callees of a kernel stand in this file, because
numba's cache would keep old callees of other files. With ``NUMBA_DISABLE_JIT=1`` the same code
runs as Python, and gives the same bits.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

# An index among n, from 32 random bits, has a probability that is off by a factor of at most
# 1 + n / 2**32; two indices from the same 32 bits, among n and n - 2, by 1 + n**2 / 2**32. So
# the bias stays below 2**-20 with so many runs, and with two indices for so many at most.
MOST_RUNS = 4096
_MOST_FOURS = np.uint64(64)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Numba makes a float of uint64 and int64 together: in the arithmetic below all are uint64.
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return a function compiled without the interpreter's lock, kept on disk if possible."""
    try:
        return njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # there is no folder in which it could be kept
        return njit(nogil=True, **options)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Return a function compiled into each of its callers."""
    return compiled(function, inline="always")


def stream_key(seed: int, purpose: str) -> np.uint64:
    """Return the key of the streams of one seed; streams of two purposes have no bits in common."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"the seed must be a whole number from 0, not {seed!r}")
    digest = hashlib.sha256(f"ordbook {purpose} {int(seed)}".encode()).digest()
    return np.uint64(int.from_bytes(digest[:8], "little"))


@inlined
def mix(z: np.uint64) -> np.uint64:
    """Hash 64 bits (the output function of SplitMix64)."""
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@compiled
def shuffle(order: Integers, state: np.uint64) -> np.uint64:
    """Shuffle ``order`` with the numbers after ``state``, and return the state reached.

    Fisher and Yates's shuffle. A number of 64 bits gives two indices; while at most 64 items are
    left it gives four, the second from each half being what the multiplication left over (Brackett-
    Rozinsky and Lemire, 2024).
    """
    n = np.uint64(len(order))
    while n > _MOST_FOURS or n & _TWO:
        state += _GAMMA
        z = mix(state)
        for half in (z >> _S32, z & _LOW):
            j = (half * n) >> _S32
            n -= _ONE
            order[n], order[j] = order[j], order[n]
    if n & _ONE:
        state += _GAMMA
        j = ((mix(state) >> _S32) * n) >> _S32
        n -= _ONE
        order[n], order[j] = order[j], order[n]
    while n:
        state += _GAMMA
        z = mix(state)
        y, z = (z & _LOW) * n, (z >> _S32) * (n - _ONE)
        for j in (
            y >> _S32,
            z >> _S32,
            ((y & _LOW) * (n - _TWO)) >> _S32,
            ((z & _LOW) * (n - _THREE)) >> _S32,
        ):
            n -= _ONE
            order[n], order[j] = order[j], order[n]
    return state


@compiled
def _ranges(values: Floats, key: np.uint64, first: int, ranges: Floats) -> None:
    """Fill ``ranges`` (trials, measures) from scores (topics, runs, measures)."""
    topics, runs, measures = values.shape
    order, sums = np.empty(runs, np.int64), np.empty((runs, measures))
    for trial in range(len(ranges)):
        state = mix(key + np.uint64(first + trial) * _GAMMA)
        sums[:] = 0.0
        for topic in range(topics):
            for i in range(runs):
                order[i] = i
            state = shuffle(order, state)
            for i in range(runs):
                added, target = values[topic, order[i]], sums[i]
                for k in range(measures):
                    target[k] += added[k]
        for k in range(measures):
            low = high = sums[0, k]
            for i in range(1, runs):
                low = min(low, sums[i, k])
                high = max(high, sums[i, k])
            ranges[trial, k] = (high - low) / topics


@compiled
def _orders(key: np.uint64, first: int, orders: Integers) -> None:
    """Put the places 0 to n - 1 in random order, in each row of ``orders`` (trials, n)."""
    trials, n = orders.shape
    for trial in range(trials):
        state, order = mix(key + np.uint64(first + trial) * _GAMMA), orders[trial]
        for i in range(n):
            order[i] = i
        for i in range(n):
            state += _GAMMA
            # Biased by less than n / 2**64.
            chosen = np.int64(i) + np.int64(mix(state) % np.uint64(n - i))
            order[i], order[chosen] = order[chosen], order[i]


@compiled
def _confusions(gold: Integers, answers: Integers, key: np.uint64, first: int, cm: Floats) -> None:
    """Fill ``cm`` (trials, runs, C, C) with counts after runs have swapped answers item by item."""
    items, runs = answers.shape
    order = np.empty(runs, np.int64)
    for trial in range(len(cm)):
        state = mix(key + np.uint64(first + trial) * _GAMMA)
        target = cm[trial]
        for item in range(items):
            for i in range(runs):
                order[i] = i
            state = shuffle(order, state)
            for i in range(runs):
                target[i, gold[item], answers[item, order[i]]] += 1.0


@inlined
def _count_below(tree: Integers, place: int) -> int:
    """Count the places below this one that a Fenwick tree holds."""
    count = 0
    while place > 0:
        count += tree[place]
        place -= place & -place
    return count


@inlined
def _insert(tree: Integers, place: int) -> None:
    place += 1
    while place < len(tree):
        tree[place] += 1
        place += place & -place


@compiled
def concordances(
    x: Floats, y: Floats, places: Integers, tolerance: float, counts: Integers
) -> tuple[int, int]:
    """Fill ``counts`` from sorted x, sorted y, and the place in y of each item of x.

    An item counts those on its two sides of x beyond the tolerance, by a Fenwick tree of their
    places in y. Returns how many pairs differ in x, and how many in y.
    """
    n = len(x)
    below, upto = np.empty(n, np.int64), np.empty(n, np.int64)  # in y: surely less, not surely more
    low = high = 0
    for i in range(n):
        while y[i] - y[low] > tolerance:
            low += 1
        while high < n and y[high] - y[i] <= tolerance:
            high += 1
        below[i], upto[i] = low, high
    tree, start, untied_x, untied_y = np.zeros(n + 1, np.int64), 0, 0, 0
    for i in range(n):
        while x[i] - x[start] > tolerance:
            _insert(tree, places[start])
            start += 1
        k = places[i]
        more = start - _count_below(tree, upto[k])
        counts[i] = _count_below(tree, below[k]) - more
        untied_x += start
        untied_y += below[k]
    tree[:] = 0
    stop = n
    for i in range(n - 1, -1, -1):
        while x[stop - 1] - x[i] > tolerance:
            stop -= 1
            _insert(tree, places[stop])
        k = places[i]
        more = n - stop - _count_below(tree, upto[k])
        counts[i] += more - _count_below(tree, below[k])
    return untied_x, untied_y


def permuted_ranges(values: Floats, key: np.uint64, start: int, stop: int) -> Floats:
    """Return the largest difference of permuted run means in the trials ``start`` to ``stop - 1``.

    (trials, measures), from scores (topics, runs, measures).
    """
    ranges = np.empty((stop - start, values.shape[2]))
    with np.errstate(over="ignore"):  # uint64 wraps around, which NumPy reports without the JIT
        _ranges(values, key, start, ranges)
    return ranges


def permuted_confusions(
    gold: Integers, answers: Integers, classes: int, key: np.uint64, start: int, stop: int
) -> Floats:
    """Return the confusion matrices of runs whose answers were permuted within every item.

    (trials, runs, C, C) for the trials ``start`` to ``stop - 1``, gold classes in rows, from the
    places of the gold classes, (items,), and of the runs' classes, (items, runs).
    """
    cm = np.zeros((stop - start, answers.shape[1], classes, classes))
    with np.errstate(over="ignore"):
        _confusions(gold, answers, key, start, cm)
    return cm


def random_orders(n: int, key: np.uint64, start: int, stop: int) -> Integers:
    """Return the places 0 to n - 1 in random order, for the trials ``start`` to ``stop - 1``."""
    orders = np.empty((stop - start, n), np.int64)
    with np.errstate(over="ignore"):
        _orders(key, start, orders)
    return orders
