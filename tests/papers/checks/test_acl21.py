"""The checks of ACL'21: they run, break on the erratum only, and notice planted digits."""

from functools import partial

import pytest

from cases import each
from ordbook.papers.checks import acl21
from ordbook.papers.checks.acl21.numbers import TASKS, at
from ordbook.papers.checks.acl21.rankings import discordant, pairs_of_runs
from ordbook.papers.ledger import audit, plant, printed_cells
from ordbook.papers.relations import Cell

PAPERS = ("acl21", "sigir18", "dialeval1")
NOTED = {cell: noted for cell, noted in printed_cells().items() if cell.paper in PAPERS}
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}
OPEN = at("5iii", "RSNOD", "NMD")


@pytest.fixture(scope="module")
def relations():
    return acl21.relations(PRINTED)


@pytest.fixture(scope="module")
def ledger(relations):
    noted = {cell: noted for cell, noted in NOTED.items() if cell.paper == "acl21"}
    noted |= {cell: NOTED[cell] for relation in relations for cell in relation.cells}
    return audit(relations, acl21.unreached, acl21.ERRATA, printed=noted)


@pytest.fixture
def broken(relations, families):
    return partial(families, relations, PRINTED)


def test_no_check_reads_a_later_paper(relations):
    assert {cell.paper for relation in relations for cell in relation.cells} == set(PAPERS)
    everything = {cell: text for cell, (text, _) in printed_cells().items()}
    assert [r.cells for r in acl21.relations(everything)] == [r.cells for r in relations]


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


@each(
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
)
def test_a_wrong_number_is_noticed(broken, cell, wrong, expected):
    assert expected <= broken({cell: wrong})


@pytest.fixture
def only(relations):
    """The one check of a family, and of a table or part."""

    def find(family, table):
        (relation,) = (r for r in relations if r.family == family and r.cells[0].table == table)
        return relation

    return find


def six_rankings(disagreements):
    """Return Table 5(i) for 12 runs: 66 pairs, of which two measures order so many otherwise."""
    cells = [cell for cell in PRINTED if cell.table == "5i"]
    names = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]
    pairs = {c: sorted((names.index(c.row), names.index(c.column))) for c in cells}
    taus = {c: f"{1 - 2 * disagreements(*pair) / 66:.3f}" for c, pair in pairs.items()}
    return {**taus, at("1", "DQ-{A, E, S}", "#runs used"): "12"}


@pytest.fixture
def fulfil(relations):
    """Whether texts fulfil the checks of Table 5(i) of a family."""

    def test(family, printed):
        checks = [r for r in relations if r.family == family and r.cells[0].table == "5i"]
        return [relation.test(printed).holds for relation in checks]

    return test


@each(
    ("disagreements", "triangles", "feasible"),
    [
        (lambda a, b: 0, True, True),  # six times the same ranking
        (lambda a, b: 2 * ((a < 3) != (b < 3)), True, True),  # two groups
        # Halves, three measures each, part 9 of the 15 pairs of measures, and nothing parts more:
        # 15 * 40 > 9 * 66, but 15 * 36 < 9 * 66.
        (lambda a, b: 36, True, True),
        (lambda a, b: 40, True, False),
        # Three measures between two others, 10 from each: paths of the graph K(2, 3).
        (lambda a, b: 0 if a + b == 9 else 10 * (1 + ((a < 2) == (b < 2))), True, False),
        (lambda a, b: 44, True, False),  # every pair of runs parts every three
        (lambda a, b: 46, False, False),
        (lambda a, b: 20 if (a, b) == (0, 1) else 10 if a < 2 else 0, True, True),  # between two
        (lambda a, b: 22 if (a, b) == (0, 1) else 10 if a < 2 else 0, False, False),
    ],
)
def test_which_rankings_there_are(fulfil, disagreements, triangles, feasible):
    printed = six_rankings(disagreements)
    assert all(fulfil("triangle", printed)) == triangles
    assert fulfil("feasibility", printed) == [feasible]


@each(("agreement", "holds"), [(161, False), (163, True), (165, True), (167, True), (169, False)])
def test_the_means_of_dialeval_leave_two_pairs_of_runs_open(only, agreement, holds):
    """C - D is 165 over the other 229 of 231 pairs."""
    relation = only("interval", "5iii")
    assert relation.test(PRINTED | {OPEN: f"{agreement / 231:.3f}"}).holds == holds


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
