"""What the checks are made of: counting, programmes, bootstraps, definitions."""

from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from ordbook.papers.checks.dialeval1 import correlations
from ordbook.papers.checks.dialeval1 import significance as listed
from ordbook.papers.checks.dialeval1.correlations import attainable, bootstrapped
from ordbook.papers.checks.dialeval1.significance import Pair, Significance
from ordbook.papers.checks.dialeval1.tables import Ranking, equation, period, said
from ordbook.papers.checks.dnkt import is_step
from ordbook.papers.checks.lq21 import both
from ordbook.papers.checks.tools import (
    ACL21,
    DNKT,
    arithmetic,
    compared,
    discordant,
    least,
    pairs_of,
    triangles,
)

PAIRS = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]
PRINTED = {ACL21.at("2", *pair): "0.5" for pair in PAIRS} | {DNKT.at("2", "a"): "3"}


def test_three_measures():
    cells = ACL21.cells(PRINTED, "2")
    assert compared(cells) == ["a", "b", "c", "d"]
    sides = [[f"{cell.row}{cell.column}" for cell in three] for three in triangles(cells)]
    assert sorted(sides) == [["ab", "ac", "bc"], ["ac", "ab", "bc"], ["bc", "ab", "ac"]]


def test_pairs_and_steps():
    assert [pairs_of(n) for n in (1, 2, 12)] == [0, 1, 66]
    for tau, pairs, number in (("1.000", 66, 0), ("-1.000", 66, 66), ("0.833", 66, None)):
        assert discordant(tau, pairs) == number
    assert (discordant("1.1", 66), discordant("0.000", 1), discordant("0", 0)) == (None,) * 3
    # 0.1005 may have been rounded from 0.1, one of ten pairs.
    assert is_step(Decimal("0.1005"), Decimal(5)) > is_step(Decimal("0.1006"), Decimal(5))


def test_what_two_measures_can_both_find():
    # Of 0, 10 and 12 as printed, the second may be as far from the first as the third: 11.
    for last, expected in ((12, (0, 2)), (13, (1, 1))):
        assert both([[0, 0], [10, 10], [last, last]], [1, 1]) == expected
    for few, other in ((0, 0), (0, 1), (0, 3), (3, 0), (3, 1), (3, 3)):
        assert both([[0, 0], [10, 30], [40, 10]], [few, other]) == (min(few, other),) * 2
    # The first finds those with the first run, the second those with the last one.
    assert both([[0, 0], [40, 1], [44, 40]], [2, 2]) == (1, 1)
    assert both([[0, 0], [40, 1], [44, 40]], [1, 1]) == (0, 1)


def test_programmes():
    rows = [[1, 1], [1, -1]]
    assert least(rows, [3, 0], [3, 0]) is None, "3/2 each"
    assert least(rows, [3, 0], [3, 0], whole=False) == 0
    assert least([[1, 1]], [3], [3], [2, 1]) == 3


def test_formulas_are_arithmetic_only():
    assert arithmetic("(p_1 - p_1^*)^2", p_1=0.5, p_1s=0.25) == 0.0625
    with pytest.raises(NameError, match="'d'"):
        arithmetic("a + d", a=1)


def test_equation_8_as_it_should_be_is_bounded_and_symmetric():
    right = "(KLD(p||p_M) + KLD(p*||p_M))/2"
    x, y = (0.5, 0.5, 0.0), (0.0, 0.25, 0.75)
    assert equation(right, x, y) == pytest.approx(equation(right, y, x))
    assert equation("(KLD(p||p_M) + KLD(p_M||p*))/2", x, y) == float("inf")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("July 1 2020", date(2020, 7, 1), date(2020, 7, 1)),
        ("Dec 2020", date(2020, 12, 1), date(2020, 12, 31)),
        ("Feb. 2020", date(2020, 2, 1), date(2020, 2, 29)),
        ("Jan. 30 2019", date(2019, 1, 30), date(2019, 1, 30)),
    ],
)
def test_a_month_is_a_period(text, first, last):
    assert period(text) == (first, last)


# -- three runs in place of a significance table ------------------------------------------------


def three(*pairs):
    """Return a table of the runs a, b and c, and what it prints: one variance of 0.01."""
    ranking = Ranking("4", "DQ-A", "Chinese", "NMD", tuple(said("4", r, "NMD") for r in "abc"))
    found = tuple(Pair(x, y, said("14", x, f"{y} p"), said("14", x, f"{y} ES")) for x, y in pairs)
    return Significance("14", ranking, found, found)


def texts_of(table, means, sizes, shares=()):
    """Return means, effect sizes and p-values by their cells."""
    return {
        listed.TRIALS: "10000",
        **dict(zip(table.ranking.cells, means, strict=True)),
        **{pair.effect: text for pair, text in zip(table.pairs, sizes, strict=True)},
        **{pair.p: text for pair, text in zip(table.pairs, shares, strict=False)},
    }


MEANS, SIZES = ("0.1000", "0.2000", "0.4000"), ("1.000", "3.000", "2.000")
ALL = three("ab", "ac", "bc")


def test_an_effect_size_is_a_difference_in_units_of_the_ruler():
    relation = next(iter(listed._effect_sizes(ALL)))
    assert relation.cells[0] == ALL.pairs[0].effect
    # 0.1 in units of 0.3/3, which all rounding leaves between 0.9985 and 1.0015.
    for worse, sign in (("0.2000", ""), ("0.0000", "-")):
        for size, holds in (("1.001", True), ("0.999", True), ("1.003", False), ("0.997", False)):
            texts = texts_of(ALL, ("0.1000", worse, "0.4000"), (sign + size, "3.000", "2.000"))
            assert relation.test(texts).holds == holds


def test_one_variance_and_the_printed_order_give_all_effect_sizes():
    relation = listed._one_variance(ALL)
    found = relation.test(texts_of(ALL, MEANS, SIZES))
    assert found.holds is True
    # The largest: (0.3 + 0.0001)/(3 - 0.0005), squared.
    assert f"{(0.3001 / 2.9995) ** 2:.6f}" in found.text
    assert relation.test(texts_of(ALL, MEANS, ("1.010", "3.000", "2.000"))).holds is False
    # b before c, or c before b by a hair that the means would allow.
    two = three("ab", "ac")
    relation, means = listed._one_variance(two), ("0.100", "0.200", "0.200")
    assert relation.test(texts_of(two, means, ("1.000", "1.002"))).holds is True
    assert relation.test(texts_of(two, means, ("1.002", "1.000"))).holds is False


# Of three means q is 3.314 at five percent and 4.120 at one, with infinitely many df.
QUANTILES, FIVE_AND_ONE = ("4.120", "3.314"), ("0.0100", "0.0500")


@pytest.mark.parametrize(
    ("means", "sizes", "shares", "holds"),
    [
        (("0.1000", "0.2000", "0.5000"), QUANTILES, FIVE_AND_ONE, True),
        (("0.1000", "0.2000", "0.5000"), QUANTILES, ("0.0100", "0.0700"), False),
        (("0.1000", "0.2000", "0.5000"), QUANTILES, ("0.0100", "0.0300"), False),
        # a and b are not listed: 4.12 times 3/4 has p of 0.07, times 7/8 of 0.03.
        (("0.1000", "0.4000", "0.5000"), QUANTILES, FIVE_AND_ONE, True),
        (("0.1000", "0.4500", "0.5000"), QUANTILES, FIVE_AND_ONE, False),
        (("0.1000", "0.1000", "0.1000"), ("0.000", "0.000"), ("1.0000", "1.0000"), True),
    ],
)
def test_one_studentised_range_gives_all_p(means, sizes, shares, holds):
    table = three("ac", "bc")
    assert listed.null(table).test(texts_of(table, means, sizes, shares)).holds == holds


def test_the_scale_is_what_takes_effect_sizes_to_the_studentised_range():
    assert abs(listed.tail(4.387, 9) - 0.05) < 1e-4  # q(.05; 9, infinity), Tukey's tables
    many = "1000000000000"  # trials, so that p is known
    low, high = listed.scale(["2.192"], ["0.0500"], many, 9)
    assert (low, high) == pytest.approx((4.387 / 2.1925, 4.387 / 2.1915), abs=1e-3)
    assert listed.scale(["5.000"], ["0.0010"], many, 9).high < 2
    assert listed.scale(["5.000"], ["0.0009"], many, 9).high == np.inf
    # Beyond the grid of q, 2 to 10: more than 10, and nothing from below.
    assert listed.scale(["5.000"], ["<0.0001"], "1" + "0" * 20, 9).low == np.inf
    assert listed.scale(["5.000"], ["1.0000"], many, 9).low == 0


@pytest.mark.parametrize(("count", "trials"), [(0, 10000), (344, 10000), (3, 7), (9, 9)])
def test_what_trials_say_of_p_is_wilsons_interval(count, trials):
    expected = binomtest(count, trials).proportion_ci(confidence_level=0.999, method="wilson")
    ours = listed._score_interval(count / trials, trials)
    assert ours == pytest.approx((expected.low, expected.high), abs=1e-12)


# -- the bootstrap of footnote 2 ----------------------------------------------------------------


def test_the_bootstrap_takes_tau_b_of_what_was_drawn():
    # Two different runs have 2 untied pairs, three have 3; the copies of one have none.
    assert attainable(3).tolist() == [-1, -1 / 3, 0, 1 / 3, 1]
    taus = bootstrapped((0, 1, 2, 4, 3, 5, 6, 7, 8))
    steps = attainable(9)
    nearest = steps[np.clip(np.searchsorted(steps, taus - 1e-9), 0, len(steps) - 1)]
    assert np.abs(taus - nearest).max() < 1e-9
    # No swap where at most one of the two swapped runs is drawn: (2 (8/9)^9 - (7/9)^9).
    assert abs((taus > 1 - 1e-9).mean() - (2 * (8 / 9) ** 9 - (7 / 9) ** 9)) < 0.01


@pytest.mark.parametrize(
    ("upper", "limit", "trials", "alpha", "holds"),
    [
        # The smallest of B is 1/3 or more with (3/4)^B: 0.003 of 20, 0.0001 of 32.
        (False, "0.333", "20", "0.1", True),
        (False, "0.333", "32", "0.1", False),
        # The largest is 1/3 or less with (1/2)^B: 0.001 of 10, 0.0001 of 13.
        (True, "0.333", "10", "0.2", True),
        (True, "0.333", "13", "0.2", False),
        # The second smallest, or largest, of as many is so far inside much more rarely, or often.
        (False, "0.333", "32", "0.15", True),
        (False, "0.333", "32", "0.12", False),  # the place is 33 * 0.06, rounded down: the first
        (True, "0.333", "13", "0.3", True),
        (True, "1", "20", "0.1", True),
        (False, "-1", "20", "0.1", True),
        (False, "0.500", "20", "0.1", False),
    ],
)
def test_a_limit_is_as_likely_as_its_place_among_the_resamples(upper, limit, trials, alpha, holds):
    """Three runs, two of them swapped: tau-b is -1, 1/3 or 1 with 1/4, 1/4 and 1/2.

    Of 27 draws 3 hold one run only, 6 all three, and 6 any two of them, of which one pair is
    swapped.
    """
    assert correlations._fits((0, 2, 1), upper)(limit, trials, alpha) == holds


def test_shares_of_our_resamples_are_known_to_three_standard_errors():
    half = norm.isf(0.0005) * np.sqrt(0.2 * 0.8 / correlations.RESAMPLES)
    assert correlations._error(0.2) == pytest.approx(half)
    taus = bootstrapped((0, 2, 1))
    for tau, share in ((-1, 1 / 4), (1 / 3, 1 / 4), (1, 1 / 2)):
        close = np.isclose(taus, tau).mean()
        assert close == pytest.approx(share, abs=correlations._error(share))
