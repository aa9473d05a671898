"""The checks of SIGIR'18: they run, break on the errata only, and notice planted digits."""

import pytest

from cases import each
from ordbook.papers.checks import sigir18
from ordbook.papers.ledger import audit, plant, printed_cells
from ordbook.papers.relations import Cell

NOTED = {cell: noted for cell, noted in printed_cells().items() if cell.paper == "sigir18"}
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}


@pytest.fixture(scope="module")
def relations():
    return sigir18.relations(PRINTED)


@pytest.fixture(scope="module")
def ledger(relations):
    return audit(relations, sigir18.unreached, sigir18.ERRATA, printed=NOTED)


def test_each_erratum_breaks_its_checks(ledger):
    failed = {erratum.name: len(ledger.failures(erratum)) for erratum in sigir18.ERRATA}
    assert failed == {
        "sigir18-true-disagreements": 2,
        "sigir18-example-y": 2,
        "sigir18-pairs-product": 1,
    }
    assert sum(failed.values()) == (~ledger.checks["holds"]).sum()


@each(
    "repair",
    [
        {("s4.2", "NMD and RSNOD true disagreements", "count"): "176",
         ("figure2", "NMD and RSNOD true disagreements", "count"): "176"},
        {("s4.2", "NMD and RSNOD disagreements with NMD delta zero", "count"): "seven"},
        {("s4.2", "NMD and RSNOD agreements", "count"): "1,815",
         ("s4.2", "NMD and RSNOD agreements", "numerator"): "1815",
         ("s4.2", "NMD and RSNOD disagreements", "subtrahend"): "1815",
         ("s4.2", "NMD and RSNOD disagreements", "count"): "185"},
        {("s3.1", "example System Y", "p(1)"): "0.4", ("s3.1", "example System Y", "p(2)"): "0.2"},
    ],
)  # fmt: skip
def test_a_repair_leaves_no_contradiction(relations, repair):
    cells = {Cell("sigir18", *place): text for place, text in repair.items()}
    touched = [relation for relation in relations if cells.keys() & set(relation.cells)]
    assert not all(relation.test(PRINTED).holds for relation in touched)
    assert all(relation.test(PRINTED | cells).holds for relation in touched)


@each(
    ("place", "text", "family"),
    [
        (("1a", "NVD", "RNSS low"), ".945", "interval"),
        (("2i", "RNSS", "RSNOD"), ".360", "triangle"),
        (("1b", "NMD", "RSNOD"), ".843", "claim"),
        (("2ii", "RNSS", "NMD"), "80.4%", "triangle"),
        (("2ii", "NMD", "RSNOD"), "90.9%", "share"),
        (("s4.1", "NMD and RSNOD, L = 3", "tau"), ".818", "printed twice"),
        (("s4.2", "NMD and RSNOD disagreements", "count"), "185", "sum"),
        (("s4.1", "artificial L = 7", "pairs"), "9,731", "product"),
        (("s3.1", "example System X", "p(4)"), "0.2", "example"),
        (("s3.1", "example System Y", "JSD"), "0.0491", "feasibility"),
        (("s2", "DBDC assessors of the gold distribution", "count"), "Three", "catalogue"),
    ],
)
def test_a_planted_number_is_noticed(relations, families, place, text, family):
    assert family in families(relations, PRINTED, {Cell("sigir18", *place): text})


def test_tau_is_compared_as_a_cosine(relations):
    """Tau-b breaks the triangle inequality of (1 - tau)/2, but not that of the angles."""
    sides = [Cell("sigir18", "1a", *pair) for pair in (("NVD", "JSD"), ("NVD", "NMD"))]
    third = Cell("sigir18", "1a", "JSD", "NMD")
    angles = next(r for r in relations if r.family == "triangle" and r.cells == (third, *sides))
    tau_b = dict(zip(sides, [".500", ".500"], strict=True))
    assert angles.test(PRINTED | tau_b | {third: "-.500"}).holds
    assert not angles.test(PRINTED | tau_b | {third: "-.510"}).holds


def test_silent_numbers_are_those_of_the_missing_runs(ledger):
    cells = ledger.cells.set_index("status")
    assert set(cells.loc["not reached", "table"]) == {"s4.2"}
    assert len(cells.loc["not reached"]) == 6  # five p-values and a bound of the deltas
    planted = plant(ledger, 1000)
    silent = [one.cell for one in planted if not one.noticed]
    assert 1 - len(silent) / len(planted) > 0.9
    assert not [c for c in silent if c.table.startswith(("s3", "table", "s2", "figure2"))]
