from collections import Counter
from datetime import date

import numpy as np
import pytest

from ordbook.papers.checks import dialeval1
from ordbook.papers.checks.dialeval1.bootstrap import attainable, bootstrapped, drawn
from ordbook.papers.checks.dialeval1.layout import rankings, said, significances
from ordbook.papers.checks.dialeval1.pvalues import tail
from ordbook.papers.checks.dialeval1.tables import period
from ordbook.papers.checks.dialeval1.text import equation, kinds
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


def test_every_family_has_its_checks(relations):
    counts = Counter(relation.family for relation in relations)
    assert counts["effect size"] == 497 - 16 + 16 + 8  # but the rulers; the tables; the baselines
    assert counts["p-value"] == 2 * 16
    assert counts["rankings"] == 8
    assert counts["order"] > 1000
    assert counts["additivity"] > 500
    assert counts["claim"] > 25


def test_every_failed_check_is_about_an_erratum_and_every_erratum_breaks_one(failed):
    accused = {cell: erratum.name for erratum in dialeval1.ERRATA for cell in erratum.cells}
    broken = [{accused[cell] for cell in relation.cells if cell in accused} for relation in failed]
    assert all(broken)
    assert set.union(*broken) == {erratum.name for erratum in dialeval1.ERRATA}


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
    ],
)
def test_a_wrong_number_is_noticed(families, relations, printed, table, row, column, text, family):
    assert family in families(relations, printed, {said(table, row, column): text})


def test_the_tables_compare_the_runs_of_their_rankings(printed):
    for table in significances(printed).values():
        runs = {name for pair in table.pairs for name in (pair.better, pair.worse)}
        assert runs <= set(table.ranking.runs)
    lists = list(rankings(printed).values())
    for one, other in zip(lists[::2], lists[1::2], strict=True):
        assert one.table == other.table
        assert set(one.runs) == set(other.runs)


def test_the_bootstrap_takes_tau_b_of_what_was_drawn():
    taus = bootstrapped((0, 1, 2, 4, 3, 5, 6, 7, 8))
    steps = attainable(9)
    nearest = steps[np.clip(np.searchsorted(steps, taus - 1e-9), 0, len(steps) - 1)]
    assert np.abs(taus - nearest).max() < 1e-9
    # No swap where at most one of the two swapped runs is drawn: (2 (8/9)^9 - (7/9)^9).
    assert abs((taus > 1 - 1e-9).mean() - (2 * (8 / 9) ** 9 - (7 / 9) ** 9)) < 0.01


@pytest.mark.parametrize(
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


def test_kinds_of_nuggets():
    assert kinds("CNUG0 HNUG HNUG* CNaN CNUG") == {"trigger", "regular", "goal", "not a nugget"}
    assert kinds("HNUG x7") == {"regular", "x7"}


def test_what_a_resample_of_three_runs_may_have():
    """Two different runs have 2 untied pairs, three have 3; the copies of one have none."""
    assert attainable(3).tolist() == [-1, -1 / 3, 0, 1 / 3, 1]


def test_a_mean_above_one_is_no_divergence(relations, printed):
    found = [r for r in relations if r.relies.startswith("Eqs. 8 and 9 for one turn with a class")]
    assert len(found) == 2
    right = "(KLD(p||p_M) + KLD(p*||p_M))/2"
    for relation in found:
        formula, mean = relation.cells
        for text, holds in (("1", True), ("1.5", False)):
            assert relation.test({**printed, formula: right, mean: text}).holds == holds


@pytest.mark.parametrize(("smaller", "holds"), [(4, False), (5, True)])
def test_most_means_are_more_than_half(relations, printed, smaller, holds):
    (relation,) = (r for r in relations if r.relies.startswith("the first runs of Tables 4 to 7"))
    _, *tops = relation.cells
    means = ["0.1"] * smaller + ["0.3"] * (len(tops) // 2 - smaller) + ["0.2"] * (len(tops) // 2)
    assert relation.test({**printed, **dict(zip(tops, means, strict=True))}).holds == holds


def test_resamples_are_drawn_again_as_they_were():
    assert (drawn(9) == drawn(9)).all()
    assert (drawn(9).sum(axis=1) == 9).all()


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
    assert {dialeval1.unreached(cell)[0] for cell in rest} == {"stated", "not public"}
