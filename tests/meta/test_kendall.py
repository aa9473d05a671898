"""Kendall's tau against values by hand, a definition in plain loops, and SciPy."""

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from ordbook.meta.kendall import asymptotic_interval, concordances


def few(least=2):
    """Yield short pairs of vectors with many ties."""
    rng = np.random.default_rng(least)
    for _ in range(200):
        yield rng.integers(0, 5, (2, rng.integers(least, 10))).tolist()


def in_plain_loops(x, y, variant):
    """Kendall (1938, 1945), pair by pair."""
    agreement = untied_x = untied_y = 0
    for i, j in combinations(range(len(x)), 2):
        a, b = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
        agreement, untied_x, untied_y = agreement + a * b, untied_x + abs(a), untied_y + abs(b)
    if variant == "a":
        return agreement / math.comb(len(x), 2)
    return agreement / math.sqrt(untied_x * untied_y) if untied_x * untied_y else math.nan


def test_equals_the_definition():
    for (x, y), variant in product(few(), "ab"):
        expected = in_plain_loops(x, y, variant)
        assert ob.kendall_tau(x, y, variant) == pytest.approx(expected, abs=1e-15, nan_ok=True)


def test_tau_b_equals_scipy():
    for x, y in few():
        # SciPy divides and multiplies in another order.
        expected = stats.kendalltau(x, y, variant="b").statistic
        assert ob.kendall_tau(x, y, "b") == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_differences_of_float_noise_are_ties():
    assert ob.kendall_tau([0.1 + 0.2, 0.3], [1, 2]) == 0
    assert ob.kendall_tau([0, 2e-12], [1, 2]) == 1


@pytest.mark.parametrize(
    ("tau", "n", "low", "high"),
    [
        # DNKT Tables 3, 5, 9, 13: twelve, fourteen, nineteen and twenty-two runs.
        (0.576, 12, "0.196", "0.806"),
        (0.545, 12, "0.152", "0.789"),
        (0.970, 12, "0.927", "0.988"),
        (0.780, 14, "0.562", "0.897"),
        (0.322, 19, "-0.001", "0.584"),
        (0.983, 22, "0.969", "0.991"),
        (1.0, 12, "1.000", "1.000"),
    ],
)
def test_printed_limits_come_out(tau, n, low, high):
    assert tuple(f"{limit:.3f}" for limit in ob.kendall_interval(tau, n)) == (low, high)


def test_dnkt_rounds_tau_before_the_limits():
    """38/66 is printed as 0.576 with the lower limit 0.196; unrounded it would be 0.195."""
    assert f"{ob.kendall_interval(38 / 66, 12, digits=3)[0]:.3f}" == "0.196"
    assert f"{ob.kendall_interval(38 / 66, 12)[0]:.3f}" == "0.195"


# -- intervals from the scores ---------------------------------------------------------------


def asymptotic_in_plain_loops(x, y, tau, z=1.959963984540054):
    """Hollander, Wolfe and Chicken (2014), Section 8.3, element by element."""
    n = len(x)
    c = [
        sum(
            ((x[k] > x[i]) - (x[k] < x[i])) * ((y[k] > y[i]) - (y[k] < y[i]))
            for k in range(n)
            if k != i
        )
        for i in range(n)
    ]
    mean = sum(c) / n
    spread = sum((v - mean) ** 2 for v in c) / (n - 1)
    sigma = math.sqrt(2 / (n * (n - 1)) * (2 * (n - 2) / (n * (n - 1)) * spread + 1 - tau**2))
    return tau - z * sigma, tau + z * sigma


def test_the_asymptotic_interval_by_hand():
    """One swap among four: tau 2/3, C = (3, 3, 1, 1), var 4/3, sigma^2 = (4/9 + 5/9) / 6 = 1/6."""
    low, high = asymptotic_interval([1, 2, 3, 4], [1, 2, 4, 3])
    half = 1.959963984540054 / math.sqrt(6)
    assert (low, high) == pytest.approx((2 / 3 - half, 2 / 3 + half), abs=1e-14)
    assert high > 1, "not clipped, as in R"
    # Hollander, Wolfe and Chicken, Example 8.1 (canned tuna): tau = 16/36.
    x = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1]
    y = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8]
    assert ob.kendall_tau(x, y) == pytest.approx(16 / 36)
    limits = asymptotic_interval(x, y)
    assert limits == pytest.approx(asymptotic_in_plain_loops(x, y, 16 / 36), abs=1e-12)


def test_the_asymptotic_interval_equals_plain_loops():
    for x, y in few(3):
        tau = in_plain_loops(x, y, "b")
        found = asymptotic_interval(x, y)
        if math.isnan(tau):
            assert all(map(math.isnan, found))
        else:
            # 1e-7: the root of a variance that may be 1e-16 instead of 0.
            assert found == pytest.approx(asymptotic_in_plain_loops(x, y, tau), abs=1e-7)


def test_perfect_and_undefined_correlations():
    x = [1, 2, 3, 4, 5, 6]
    assert ob.kendall_interval(1, 6) == asymptotic_interval(x, x) == (1, 1)
    assert all(map(math.isnan, asymptotic_interval(x, [7] * 6)))


@pytest.mark.slow
@pytest.mark.parametrize(("n", "trials", "slack"), [(20, 2000, 0.02), (40, 1500, 0.03)])
def test_intervals_cover_what_they_should(n, trials, slack):
    """Approximations, on normal data. Slack: their error at this n, and 3 binomial errors."""
    rng = np.random.default_rng(6)
    rho = 0.6
    truth = 2 / math.pi * math.asin(rho)
    x = rng.standard_normal((trials, n))
    y = rho * x + math.sqrt(1 - rho**2) * rng.standard_normal((trials, n))
    fieller = [ob.kendall_interval(ob.kendall_tau(a, b), n) for a, b in zip(x, y, strict=True)]
    asymptotic = [asymptotic_interval(a, b) for a, b in zip(x, y, strict=True)]
    intervals = fieller if n == 20 else asymptotic
    covered = np.mean([low <= truth <= high for low, high in intervals])
    assert abs(covered - 0.95) < slack


def test_scores_with_labels_are_paired_by_them_or_refused():
    x = pd.Series([1.0, 2, 3, 4, 6], index=list("abcde"))
    with pytest.raises(ValueError, match="x and y differ in the labels of their scores"):
        ob.kendall_tau(x, x[::-1])
    assert ob.kendall_tau(x, x[::-1].reindex_like(x)) == 1
    assert ob.kendall_tau(x, x.to_numpy()[::-1]) == -1  # an array has no labels


def by_all_pairs(x, y, tolerance):
    """Return what `concordances` counts, from a table of all pairs."""
    signs = []
    for values in (x, y):
        gaps = np.subtract.outer(values, values)
        signs.append(np.where(np.abs(gaps) <= tolerance, 0, np.sign(gaps)).astype(int))
    counts = (signs[0] * signs[1]).sum(axis=1)
    return counts.tolist(), *(np.count_nonzero(part) // 2 for part in signs)


@pytest.mark.parametrize("levels", [2, 3, 8, 1000])
@pytest.mark.parametrize("tolerance", [0, 1e-12, 0.1, 1])
def test_concordances_are_those_of_all_pairs(levels, tolerance):
    """Ties by a tolerance are no equivalence: 0 ties with .1, .1 with .2, but 0 not with .2."""
    rng = np.random.default_rng(levels)
    for n in (2, 3, 17, 60):
        x, y = rng.integers(0, levels, (2, n)) * 0.1 + rng.choice([0, 4e-13, 8e-13], (2, n))
        counts, *untied = concordances(x, y, tolerance)
        assert (counts.tolist(), *untied) == by_all_pairs(x, y, tolerance)


def test_many_scores_take_little_time_and_memory():
    """All pairs of 100,000 scores would be 5 billion."""
    x, noise = np.random.default_rng(0).standard_normal((2, 100_000))
    assert ob.kendall_tau(x, x + noise) == pytest.approx(0.5, abs=0.01)
