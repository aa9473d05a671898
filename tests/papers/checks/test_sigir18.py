"""The checks of SIGIR'18: they run, break on the errata only, and notice planted digits."""

from collections import Counter

import pytest

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


def test_every_kind_of_number_has_its_checks(relations):
    counts = Counter(relation.family for relation in relations)
    # Three tables of ten tau: two checks each; four tables of ten triangles: three sides each.
    assert counts["interval"] == 3 * 10 * 2
    assert counts["triangle"] == 4 * 10 * 3
    # In each of the four, nine pairs beside NMD-RSNOD; two ranges quoted from each of two; X, Y.
    assert counts["claim"] == 4 * 9 + 2 * 2 * 2 + 2
    assert counts["printed twice"] > 30
    assert {"product", "sum", "share", "example", "feasibility", "catalogue"} <= counts.keys()


def test_no_check_reads_another_paper(relations):
    everything = {cell: text for cell, (text, _) in printed_cells().items()}
    again = sigir18.relations(everything)
    assert [r.cells for r in again] == [r.cells for r in relations]


def test_each_erratum_breaks_its_checks(ledger):
    failed = {erratum.name: len(ledger.failures(erratum)) for erratum in sigir18.ERRATA}
    assert failed == {
        "sigir18-true-disagreements": 2,
        "sigir18-example-y": 2,
        "sigir18-pairs-product": 1,
    }
    assert sum(failed.values()) == (~ledger.checks["holds"]).sum()


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def test_an_equation_as_it_stands_is_a_product(relations):
    products = [relation for relation in relations if relation.relies.endswith("as it stands")]
    assert products
    for relation in products:
        n, m = (int(PRINTED[cell]) for cell in relation.cells[1:])
        assert relation.test({**PRINTED, relation.cells[0]: str(n * m)}).holds
        assert not relation.test({**PRINTED, relation.cells[0]: str(n * m // 2)}).holds


def test_tau_is_compared_as_a_cosine(relations):
    """Tau-b breaks the triangle inequality of (1 - tau)/2, but not that of the angles."""
    sides = [Cell("sigir18", "1a", *pair) for pair in (("NVD", "JSD"), ("NVD", "NMD"))]
    third = Cell("sigir18", "1a", "JSD", "NMD")
    angles = next(r for r in relations if r.family == "triangle" and r.cells == (third, *sides))
    tau_b = dict(zip(sides, [".500", ".500"], strict=True))
    assert angles.test(PRINTED | tau_b | {third: "-.500"}).holds
    assert not angles.test(PRINTED | tau_b | {third: "-.510"}).holds


def test_measures_may_rank_all_alike(relations):
    """Tau 1 for all pairs is one ranking, five times; agreements of 100% likewise."""
    alike = {cell: "1" for cell in PRINTED if cell.table in ("1a", "1b", "2i")}
    alike |= {cell: "100%" for cell in PRINTED if cell.table == "2ii"}
    touched = [
        relation
        for relation in relations
        if relation.family in ("triangle", "feasibility") and alike.keys() >= set(relation.cells)
    ]
    assert len(touched) == 4 * 10 * 3 + 3
    assert all(relation.test(alike).holds for relation in touched)


@pytest.mark.parametrize(
    ("side", "others", "holds"),
    [
        ("1.000", "1.000", True),
        # The angle of .9995, the least that prints as 1.000, is .0316: twice that is .0632.
        (".998", "1.000", True),  # .0548 and more
        (".997", "1.000", False),  # .0707 and more
        ("-1.000", ".000", True),  # a half turn, and twice a quarter
        ("-1.000", ".020", False),  # 3.1100 and more, and twice 1.5513 at most
    ],
)
def test_a_tau_may_print_as_one(relations, side, others, holds):
    """What rounds to 1.000 may lie above 1, where no angle is."""
    sides = [Cell("sigir18", "1a", *pair) for pair in (("NVD", "JSD"), ("NVD", "NMD"))]
    third = Cell("sigir18", "1a", "JSD", "NMD")
    angles = next(r for r in relations if r.family == "triangle" and r.cells == (third, *sides))
    assert angles.test({third: side} | dict.fromkeys(sides, others)).holds == holds


@pytest.mark.parametrize(
    ("vd", "jsd", "holds"),
    [("0.10", "0.0023", True), ("0.30", "0.0186", True), ("0.50", "0.0488", False)],
)
def test_the_example_may_score_what_just_rounds_to_the_printed_number(vd, jsd, holds):
    """From .25 the tenths .3, .4 and .5 are .05, .15 and .25 away, and VD is twice that.

    RNSS is as much for two classes, and .05 and .15 are the ends of what prints as .1.
    """
    assert sigir18._some_tenths(vd, "0.1", jsd, "0.25", "0.75") == holds


def test_silent_numbers_are_those_of_the_missing_runs(ledger):
    cells = ledger.cells.set_index("status")
    assert set(cells.loc["not reached", "table"]) == {"s4.2"}
    assert len(cells.loc["not reached"]) == 6  # five p-values and a bound of the deltas
    planted = plant(ledger, 1000)
    silent = [one.cell for one in planted if not one.noticed]
    assert 1 - len(silent) / len(planted) > 0.9
    assert not [c for c in silent if c.table.startswith(("s3", "table", "s2", "figure2"))]
