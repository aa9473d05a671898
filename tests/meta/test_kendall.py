"""Kendall's tau against values by hand, a definition in plain loops, and SciPy."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import ordbook as ob
from ordbook.data.printed import printed_values

few = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


def in_plain_loops(x, y, variant):
    """Kendall (1938, 1945), pair by pair."""
    agreement = untied_x = untied_y = 0
    for i, j in combinations(range(len(x)), 2):
        a, b = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
        agreement, untied_x, untied_y = agreement + a * b, untied_x + abs(a), untied_y + abs(b)
    if variant == "a":
        return agreement / math.comb(len(x), 2)
    return agreement / math.sqrt(untied_x * untied_y) if untied_x * untied_y else math.nan


@given(few, st.sampled_from("ab"))
def test_equals_the_definition(xy, variant):
    x, y = xy
    assert ob.kendall_tau(x, y, variant) == pytest.approx(
        in_plain_loops(x, y, variant), abs=1e-15, nan_ok=True
    )


@given(few)
def test_tau_b_equals_scipy(xy):
    # SciPy divides and multiplies in another order.
    expected = stats.kendalltau(*xy, variant="b").statistic
    assert ob.kendall_tau(*xy, variant="b") == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(few)
def test_properties(xy):
    x, y = xy
    tau = ob.kendall_tau(x, y)
    assert -1 <= tau <= 1
    assert ob.kendall_tau(y, x) == tau
    assert ob.kendall_tau(x, [-v for v in y]) == -tau
    assert ob.kendall_tau([v**3 + 1 for v in x], y) == tau, "only the order matters"


def test_differences_of_float_noise_are_ties():
    assert ob.kendall_tau([0.1 + 0.2, 0.3], [1, 2]) == 0
    assert ob.kendall_tau([0.1 + 0.2, 0.3], [1, 2], tolerance=0) == -1
    assert ob.kendall_tau([0, 2e-12], [1, 2]) == 1


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2], [1, 2, 3], "x has 2 scores and y 3"),
        ([1], [1], "at least 2 scores"),
        ([[1, 2]], [[1, 2]], "a vector"),
        ([1, math.nan], [1, 2], "x: score 2 is nan"),
        ([1, 2], [math.inf, 2], "y: score 1 is inf"),
    ],
)
def test_bad_scores_are_refused(x, y, message):
    with pytest.raises(ValueError, match=message):
        ob.kendall_tau(x, y)


def test_bad_options_are_refused():
    with pytest.raises(ValueError, match="variant must be 'a' or 'b', not 'c'"):
        ob.kendall_tau([1, 2], [1, 2], "c")
    for arguments, message in (
        ((0.5, 4), "at least 5 systems, got 4"),
        ((1.5, 9), "between -1 and 1"),
        ((math.nan, 9), "between -1 and 1"),
    ):
        with pytest.raises(ValueError, match=message):
            ob.kendall_interval(*arguments)
    with pytest.raises(ValueError, match="level"):
        ob.kendall_interval(0.5, 9, level=95)


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


def test_the_interval_covers_what_it_should():
    """Fieller's interval is an approximation: on normal data it covers within 2% of its level."""
    rng = np.random.default_rng(1)
    n, rho, trials = 20, 0.6, 2000
    truth = 2 / math.pi * math.asin(rho)  # tau of a bivariate normal distribution
    x = rng.standard_normal((trials, n))
    y = rho * x + math.sqrt(1 - rho**2) * rng.standard_normal((trials, n))
    intervals = [ob.kendall_interval(ob.kendall_tau(a, b), n) for a, b in zip(x, y, strict=True)]
    covered = np.mean([low <= truth <= high for low, high in intervals])
    assert abs(covered - 0.95) < 0.02


def test_printed_values_are_multiples_of_one_over_the_pairs():
    for table, runs in (("2i", 12), ("2ii", 20), ("8i", 12), ("8ii", 14)):
        for printed in printed_values("acl21", table)["printed"]:
            numerator = float(printed) * math.comb(runs, 2)
            assert abs(numerator - round(numerator)) <= 0.0005 * math.comb(runs, 2)
            # Without ties C - D has the parity of the number of pairs.
            assert (round(numerator) - math.comb(runs, 2)) % 2 == 0
