from datetime import date

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from cases import each
from ordbook.papers.checks import dialeval1
from ordbook.papers.checks.dialeval1 import bootstrap, pvalues, significance
from ordbook.papers.checks.dialeval1.bootstrap import attainable, bootstrapped
from ordbook.papers.checks.dialeval1.layout import (
    Pair,
    Ranking,
    Significance,
    said,
)
from ordbook.papers.checks.dialeval1.pvalues import tail
from ordbook.papers.checks.dialeval1.tables import period
from ordbook.papers.checks.dialeval1.text import equation
from ordbook.papers.checks.places import DIALEVAL1
from ordbook.papers.ledger import LOST, printed_cells


@pytest.fixture(scope="module")
def printed():
    return {cell: text for cell, (text, _) in printed_cells().items()}


@pytest.fixture(scope="module")
def relations(printed):
    return dialeval1.relations(printed)


@pytest.fixture(scope="module")
def failed(relations, printed):
    return [relation for relation in relations if not relation.test(printed).holds]


def test_every_failed_check_is_about_an_erratum_and_every_erratum_breaks_one(failed):
    accused = {cell: erratum.name for erratum in dialeval1.ERRATA for cell in erratum.cells}
    broken = [{accused[cell] for cell in relation.cells if cell in accused} for relation in failed]
    assert all(broken)
    assert set.union(*broken) == {erratum.name for erratum in dialeval1.ERRATA}


@each(
    ("cell", "text"),
    [
        (said("s5.1", "IMTKU-run2 outperforms the baselines in NMD (Chinese DQ)", "p"), "<0.05"),
        (said("table13 caption", "language of the runs", "claim"), "English"),
        (said("s5.2", "table of English rank correlations", "tables"), "13"),
        (said("s3.2", "JSD formula", "equation 8"), "(KLD(p||p_M) + KLD(p*||p_M))/2"),
        (said("footnote2", "kendall.ci B", "trials"), "100"),
    ],
)
def test_the_repaired_reading_passes_all_checks(relations, printed, cell, text):
    repaired = {**printed, cell: text}
    mine = [relation for relation in relations if cell in relation.cells]
    assert not [relation for relation in mine if not relation.test(repaired).holds]


@each(
    ("table", "row", "column", "text", "family"),
    [
        ("1", "Run submissions due", "time", "Sep 30 2020", "order"),
        ("2", "TUA1", "Chinese DQ", "2", "sum"),
        ("3", "Avg. #posts/dialogue", "Chinese Test", "4.558", "average"),
        ("3", "Avg. turn length", "English Test", "42.153", "share"),
        ("3", "Nugget types", "all", "CNUG0, CNUG, HNUG, HNUG* (See Section 2.3)", "list"),
        ("4", "BL-lstm", "NMD", "0.1588", "rankings"),
        ("11", "BL-uniform", "NMD", "0.2111", "printed twice"),
        ("8", "DQ-A", "NMD vs RSNOD", "0.693", "step"),
        ("13", "DQ-E", "NMD vs RSNOD low", "0.356", "step"),
        ("13", "DQ-A", "NMD vs RSNOD low", "0.933", "interval"),
        ("16", "IMTKU-run2", "BL-lstm ES", "0.249", "effect size"),
        ("20", "IMTKU-run0", "BL-uniform ES", "3.829", "additivity"),
        ("20", "BL-uniform", "NKUST-run0 p", "0.0014", "p-value"),
        ("22", "IMTKU-run0", "SKYMN-run1 p", "0.0414", "order"),
        ("29", "IMTKU-run0", "BL-popularity p", "0.0542", "list"),
        ("21", "WUST-run0", "BL-uniform p", "<0.0007", "step"),
        ("s2.3", "nugget types", "count", "five", "list"),
        ("s5.2", "IMTKU-run0 vs BL-lstm significant", "claim", "DQ A-score RSNOD only", "claim"),
        ("s6", "English runs vs BL-lstm", "claim", "none", "claim"),
    ],
)
def test_a_wrong_number_is_noticed(families, relations, printed, table, row, column, text, family):
    assert family in families(relations, printed, {said(table, row, column): text})


def test_the_bootstrap_takes_tau_b_of_what_was_drawn():
    taus = bootstrapped((0, 1, 2, 4, 3, 5, 6, 7, 8))
    steps = attainable(9)
    nearest = steps[np.clip(np.searchsorted(steps, taus - 1e-9), 0, len(steps) - 1)]
    assert np.abs(taus - nearest).max() < 1e-9
    # No swap where at most one of the two swapped runs is drawn: (2 (8/9)^9 - (7/9)^9).
    assert abs((taus > 1 - 1e-9).mean() - (2 * (8 / 9) ** 9 - (7 / 9) ** 9)) < 0.01


@each(
    ("text", "first", "last"),
    [
        ("July 1 2020", date(2020, 7, 1), date(2020, 7, 1)),
        ("Dec 2020", date(2020, 12, 1), date(2020, 12, 31)),
        ("Feb. 2020", date(2020, 2, 1), date(2020, 2, 29)),
        ("Apr. 2018", date(2018, 4, 1), date(2018, 4, 30)),
        ("Jan. 30 2019", date(2019, 1, 30), date(2019, 1, 30)),
    ],
)
def test_a_month_is_a_period(text, first, last):
    assert period(text) == (first, last)


def test_what_a_resample_of_three_runs_may_have():
    """Two different runs have 2 untied pairs, three have 3; the copies of one have none."""
    assert attainable(3).tolist() == [-1, -1 / 3, 0, 1 / 3, 1]


def test_the_tail_is_that_of_tukeys_tables():
    assert abs(tail(4.387, 9) - 0.05) < 1e-4  # q(.05; 9, infinity)


def test_equation_8_as_it_should_be_is_bounded_and_symmetric():
    right = "(KLD(p||p_M) + KLD(p*||p_M))/2"
    x, y = (0.5, 0.5, 0.0), (0.0, 0.25, 0.75)
    assert equation(right, x, y) == pytest.approx(equation(right, y, x))
    assert equation("(KLD(p||p_M) + KLD(p_M||p*))/2", x, y) == float("inf")


def test_numbers_that_no_check_reaches_have_a_reason(relations, printed):
    reached = {cell for relation in relations for cell in relation.cells}
    rest = [cell for cell in printed if cell.paper == DIALEVAL1.name and printed[cell] != LOST]
    rest = [cell for cell in rest if cell not in reached]
    assert len(rest) == 7
    assert {(cell.table, cell.row) for cell in rest} == set(dialeval1.REASONS)
    assert {dialeval1.unreached(cell)[0] for cell in rest} == {"stated", "not reached"}


# -- three runs in place of a table -------------------------------------------------------------


def three(*listed):
    """Return a table of the runs a, b and c, and what it prints: one variance of 0.01."""
    ranking = Ranking("4", "DQ-A", "Chinese", "NMD", tuple(said("4", r, "NMD") for r in "abc"))
    pairs = tuple(Pair(x, y, said("14", x, f"{y} p"), said("14", x, f"{y} ES")) for x, y in listed)
    return Significance("14", ranking, pairs, pairs)


def texts_of(table, means, sizes, shares=()):
    """Return means, effect sizes and p-values by their cells."""
    return {
        pvalues.TRIALS: "10000",
        **dict(zip(table.ranking.cells, means, strict=True)),
        **{pair.effect: text for pair, text in zip(table.pairs, sizes, strict=True)},
        **{pair.p: text for pair, text in zip(table.pairs, shares, strict=False)},
    }


MEANS, SIZES = ("0.1000", "0.2000", "0.4000"), ("1.000", "3.000", "2.000")
ALL = three("ab", "ac", "bc")


@each(
    ("better", "worse", "size", "holds"),
    [
        # 0.1 in units of 0.3/3, which all rounding leaves between 0.9985 and 1.0015.
        ("0.1000", "0.2000", "1.001", True),
        ("0.1000", "0.2000", "0.999", True),
        ("0.1000", "0.2000", "1.003", False),
        ("0.1000", "0.2000", "0.997", False),
        ("0.1000", "0.0000", "-1.001", True),
        ("0.1000", "0.0000", "-0.999", True),
        ("0.1000", "0.0000", "-1.003", False),
        ("0.1000", "0.0000", "-0.997", False),
    ],
)
def test_an_effect_size_is_a_difference_in_units_of_the_ruler(better, worse, size, holds):
    relation = next(iter(significance.effect_sizes(ALL)))
    assert relation.cells[0] == ALL.pairs[0].effect
    texts = texts_of(ALL, (better, worse, "0.4000"), (size, "3.000", "2.000"))
    assert relation.test(texts).holds == holds


def test_one_variance_and_the_printed_order_give_all_effect_sizes():
    relation = significance.one_variance(ALL)
    found = relation.test(texts_of(ALL, MEANS, SIZES))
    assert found.holds is True
    # The largest: (0.3 + 0.0001)/(3 - 0.0005), squared.
    assert f"{(0.3001 / 2.9995) ** 2:.6f}" in found.text
    assert relation.test(texts_of(ALL, MEANS, ("1.010", "3.000", "2.000"))).holds is False
    # b before c, or c before b by a hair that the means would allow.
    two = three("ab", "ac")
    relation, means = significance.one_variance(two), ("0.100", "0.200", "0.200")
    assert relation.test(texts_of(two, means, ("1.000", "1.002"))).holds is True
    assert relation.test(texts_of(two, means, ("1.002", "1.000"))).holds is False


# Of three means q is 3.314 at five percent and 4.120 at one, with infinitely many df.
QUANTILES, FIVE_AND_ONE = ("4.120", "3.314"), ("0.0100", "0.0500")


@each(
    ("means", "sizes", "shares", "holds"),
    [
        (("0.1000", "0.2000", "0.5000"), QUANTILES, FIVE_AND_ONE, True),
        (("0.1000", "0.2000", "0.5000"), QUANTILES, ("0.0100", "0.0700"), False),
        (("0.1000", "0.2000", "0.5000"), QUANTILES, ("0.0100", "0.0300"), False),
        # a and b are not listed: 4.12 times 3/4 has p of 0.07, times 7/8 of 0.03.
        (("0.1000", "0.4000", "0.5000"), QUANTILES, FIVE_AND_ONE, True),
        (("0.1000", "0.4500", "0.5000"), QUANTILES, FIVE_AND_ONE, False),
        (("0.1000", "0.1000", "0.5000"), QUANTILES, FIVE_AND_ONE, True),
        (("0.1000", "0.1000", "0.1000"), ("0.000", "0.000"), ("1.0000", "1.0000"), True),
    ],
)
def test_one_studentised_range_gives_all_p(means, sizes, shares, holds):
    table = three("ac", "bc")
    assert pvalues.null(table).test(texts_of(table, means, sizes, shares)).holds == holds


def test_the_scale_is_what_takes_effect_sizes_to_the_studentised_range():
    many = "1000000000000"  # trials, so that p is known
    low, high = pvalues.scale(["2.192"], ["0.0500"], many, 9)
    assert (low, high) == pytest.approx((4.387 / 2.1925, 4.387 / 2.1915), abs=1e-3)
    low, high = pvalues.scale(["10.000"], ["0.0500"], many, 9)
    assert (low, high) == pytest.approx((0.4387, 0.4387), abs=1e-3)
    assert pvalues.scale(["5.000"], ["0.0010"], many, 9).high < 2
    assert pvalues.scale(["5.000"], ["0.0009"], many, 9).high == np.inf
    # Beyond the grid of q, 2 to 10: more than 10, and nothing from below.
    assert pvalues.scale(["5.000"], ["<0.0001"], "1" + "0" * 20, 9).low == np.inf
    assert pvalues.scale(["5.000"], ["1.0000"], many, 9).low == 0


@each(("count", "trials"), [(0, 10000), (344, 10000), (3, 7), (9, 9)])
def test_what_trials_say_of_p_is_wilsons_interval(count, trials):
    expected = binomtest(count, trials).proportion_ci(confidence_level=0.999, method="wilson")
    ours = pvalues._score_interval(count / trials, trials)
    assert ours == pytest.approx((expected.low, expected.high), abs=1e-12)


# -- the bootstrap of footnote 2 ----------------------------------------------------------------


@each(
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
    assert bootstrap._fits((0, 2, 1), upper)(limit, trials, alpha) == holds


def test_shares_of_our_resamples_are_known_to_three_standard_errors():
    half = norm.isf(0.0005) * np.sqrt(0.2 * 0.8 / bootstrap.RESAMPLES)
    assert bootstrap._error(0.2) == pytest.approx(half)
    taus = bootstrapped((0, 2, 1))
    assert np.unique(taus.round(12)).tolist() == pytest.approx([-1, 1 / 3, 1])
    for tau, share in ((-1, 1 / 4), (1 / 3, 1 / 4), (1, 1 / 2)):
        assert np.isclose(taus, tau).mean() == pytest.approx(share, abs=bootstrap._error(share))
