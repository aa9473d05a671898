"""The checks of ACL'21: they run, break on the erratum only, and notice planted digits."""

from collections import Counter
from functools import partial

import pytest

from ordbook.papers.checks import acl21
from ordbook.papers.checks.acl21.numbers import SPLIT_TASKS, TASKS, at
from ordbook.papers.checks.acl21.rankings import discordant, pairs_of_runs
from ordbook.papers.ledger import audit, plant, printed_cells
from ordbook.papers.relations import Cell

PAPERS = ("acl21", "sigir18", "dialeval1")
NOTED = {cell: noted for cell, noted in printed_cells().items() if cell.paper in PAPERS}
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}
RELATIONS = acl21.relations(PRINTED)
OPEN = at("5iii", "RSNOD", "NMD")


@pytest.fixture(scope="module")
def ledger():
    noted = {cell: noted for cell, noted in NOTED.items() if cell.paper == "acl21"}
    noted |= {cell: NOTED[cell] for relation in RELATIONS for cell in relation.cells}
    return audit(RELATIONS, acl21.unreached, acl21.ERRATA, printed=noted)


@pytest.fixture
def broken(families):
    return partial(families, RELATIONS, PRINTED)


def test_every_table_has_its_checks():
    counts = Counter(relation.family for relation in RELATIONS)
    assert counts["step"] == 2 * 36 + 3 * 15 + 2 * 15
    assert counts["triangle"] == 2 * 84 + 5 * 20  # every three of nine, and of six measures
    assert counts["feasibility"] == len(TASKS)
    assert counts["symbols"] == counts["p-value"] == len(SPLIT_TASKS)
    assert counts["effect size"] == 3
    assert counts["claim"] > 70
    assert counts["printed twice"] > 80
    assert counts["order"] > 90


def test_no_check_reads_a_later_paper():
    assert {cell.paper for relation in RELATIONS for cell in relation.cells} == set(PAPERS)
    everything = {cell: text for cell, (text, _) in printed_cells().items()}
    assert [r.cells for r in acl21.relations(everything)] == [r.cells for r in RELATIONS]


def test_the_erratum_breaks_the_check_on_dialeval_and_no_other(ledger):
    (erratum,) = acl21.ERRATA
    (finding,) = ledger.failures(erratum)
    assert finding.text == "C - D is 163 to 167 by the means; printed 0.662, which is 153/231"
    status = ledger.cells.set_index(["paper", "table", "row", "column"])["status"]
    assert status[OPEN] == "open"
    others = ledger.cells[ledger.cells["paper"] == "acl21"]
    assert not set(others["status"]) & {"erratum", "differs", "close"}


def test_no_single_digit_explains_the_erratum(broken):
    """The taus of the means are impossible beside RNOD's with RSNOD and NMD, as it says."""
    pairs = pairs_of_runs(PRINTED[at("1", "DQ-{A, E, S}", "#runs used")])
    apart = {
        (one, other): discordant(PRINTED[at("5iii", one, other)], pairs)
        for one, other in (("RNOD", "NMD"), ("RSNOD", "RNOD"))
    }
    assert apart == {("RNOD", "NMD"): 48, ("RSNOD", "RNOD"): 13}
    for disagreements in (32, 33, 34):
        tau = f"{1 - 2 * disagreements / pairs:.3f}"
        assert "triangle" in broken({OPEN: tau})


@pytest.mark.parametrize(
    ("cell", "wrong", "expected"),
    [
        (at("2ii", "kappa", "CEM_ORD"), "0.748", {"step"}),
        (at("8i", "RNSS", "NMD"), "0.848", {"triangle"}),  # a possible tau, one pair more alike
        (at("1", "DQ-{A, E, S}", "#runs used"), "23 (13+9)", {"step", "sum"}),
        (at("3a", "kappa", "mean tau"), "0.963", {"p-value"}),
        (at("6c", "RNOD", "outperforms"), "†", {"p-value"}),
        (at("6c", "JSD", "outperforms"), "‡", {"symbols"}),
        (at("3c", "all measures", "V_E2"), "0.00914", {"p-value"}),
        (at("9i left", "all measures", "V_E2"), "0.00176", {"printed twice"}),
        (at("6a", "test sets", "size 2"), "160", {"sum"}),
        (at("table3", "V_E2 matrix", "trials"), "1100", {"printed twice"}),
        (at("figure1ii", "panel", "system pairs"), "191", {"product"}),
        (at("s3.1", "kappa of a run that always returns one class", "value"), "1", {"example"}),
        (
            at("4", "kappa", "(ii) handles systems that always return the same class"),
            "✓",
            {"claim"},
        ),
        (at("7", "RSNOD", "(iv) system ranking consistency"), "good", {"claim"}),
        (at("4", "MAE_mu", "(iv) system ranking similarity"), "A", {"claim", "list"}),
        (Cell("dialeval1", "6", "NKUST-run0", "NMD"), "0.0001", {"interval"}),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_wrong_number_is_noticed(broken, cell, wrong, expected):
    assert expected <= broken({cell: wrong})


@pytest.mark.parametrize(
    ("word", "printed", "number", "holds"),
    [
        ("more than", "five", "5.9", True),
        ("more than", "five", "6.0", False),
        ("more than", "five", "4.9", False),
        ("about", "two", "2.4", True),
        ("about", "two", "1.6", True),
        ("about", "two", "2.6", False),
    ],
)
def test_over_five_is_cut_off_and_about_two_is_rounded(word, printed, number, holds):
    (relation,) = (
        relation
        for relation in RELATIONS
        if relation.relies == "the caption" and relation.cells[0].column == word
    )
    cell, result = relation.cells
    assert PRINTED[cell] == printed
    assert relation.test({**PRINTED, result: number}).holds == holds


def test_table_2_ii_allows_no_other_order_of_f1_and_mae(broken):
    """The extraction does not say which of the pair F1_M, MAE_M comes first; parity does."""
    for row in ("alpha_ord", "alpha_int", "HMPR"):
        one, other = at("2ii", row, "F1_M"), at("2ii", row, "MAE_M")
        assert "triangle" in broken({one: PRINTED[other], other: PRINTED[one]})


def test_an_effect_size_is_that_of_its_inputs(broken):
    results = [cell for cell in PRINTED if cell.row.endswith(", effect size")]
    assert len(results) == 3
    for cell in results:
        neighbour = f"{float(PRINTED[cell]) + 0.01:.2f}"
        assert "effect size" in broken({cell: neighbour})


def test_most_planted_digits_are_noticed(ledger):
    planted = [p for p in plant(ledger, 2000, seed=2) if p.cell.paper == "acl21"]
    noticed = [p for p in planted if p.noticed]
    assert len(noticed) > 0.85 * len(planted)
    in_rankings = [p for p in planted if p.cell.table in TASKS and p.cell != OPEN]
    assert len(in_rankings) == 146
    assert all(p.noticed for p in in_rankings)
