"""The checks of DNKT: they hold, notice wrong digits, and the errata break them."""

from decimal import Decimal

import pytest

from cases import each
from ordbook.papers.checks import dnkt
from ordbook.papers.checks.dnkt import definitions
from ordbook.papers.checks.dnkt.numbers import HALVES, at
from ordbook.papers.checks.dnkt.symbols import PREDICTED, SYMBOL_ERRATA
from ordbook.papers.checks.dnkt.taus import is_step
from ordbook.papers.ledger import audit, plant, printed_cells

NOTED = printed_cells()
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}
DOUBTFUL = [cell for erratum in SYMBOL_ERRATA for cell in erratum.cells]


@pytest.fixture(scope="module")
def relations():
    return dnkt.relations(PRINTED)


@pytest.fixture(scope="module")
def ledger(relations):
    return audit(relations, lambda cell: ("stated", ""), dnkt.ERRATA, printed=NOTED)


def test_every_number_is_reached(ledger):
    cells = ledger.cells[ledger.cells["paper"] == "dnkt"]
    assert (cells["checks"] > 0).all()
    assert set(cells["status"]) == {"exact", "follows", "consistent", "open", "erratum"}
    counts = cells["status"].value_counts()
    assert (counts["open"], counts["erratum"]) == (len(DOUBTFUL) + 1, 2)
    correlations = cells[cells["table"].str.fullmatch(r"[3-9]|1\d|2[01234][abc]?")]
    assert set(correlations["status"]) == {"follows"}


def test_each_erratum_breaks_a_check_for_each_of_its_cells(holds, relations):
    """Also where no other cell of an erratum is read."""
    guilty = {cell for erratum in dnkt.ERRATA for cell in erratum.cells}
    for erratum in dnkt.ERRATA:
        for cell in erratum.cells:
            alone = [r for r in relations if guilty & set(r.cells) == {cell}]
            assert any(not holds(r, PRINTED) for r in alone), cell


def test_the_counterexamples_are_those_of_the_errata(ledger):
    said = {erratum.name: erratum for erratum in dnkt.ERRATA}
    found = {name: " ".join(f.text for f in ledger.failures(e)) for name, e in said.items()}
    example = "gold (0.5, 0, 0.5), estimate (0, 1, 0): 0.3819, exchanged 0.5401"
    assert example in found["dnkt-table1-rnadw2-symmetric"]
    assert "estimate (1, 0, 0): 0.6296, exchanged 0.3333" in found["dnkt-footnote2-od-symmetric"]


def test_predicted_symbols_mend_all_columns(holds, relations):
    predicted = {
        at(table, measure, f"{half} outperforms"): marks
        for (table, half), rows in PREDICTED.items()
        for measure, marks in rows.items()
    }
    assert set(predicted) == set(DOUBTFUL)
    notes = {cell: note for cell, (_, note) in NOTED.items() if "predicted: " in note}
    mine = {cell: note for cell, note in notes.items() if cell.paper == "dnkt"}
    assert predicted == {c: n.split("predicted: ")[1].split()[0] for c, n in mine.items()}
    touched = [r for r in relations if set(predicted) & set(r.cells)]
    assert all(holds(r, PRINTED | predicted) for r in touched)


@each(
    ("place", "wrong", "family"),
    [
        (("3", "NMD", "RNADW"), "0.849", "step"),
        (("3", "NMD", "RNADW low"), "0.658", "interval"),
        (("caption7", "STC-3 DQ-A", "runs"), "18", "interval"),
        (("caption22", "STC-3", "interval percentage"), "90", "interval"),
        (("14", "RNOD", "average"), "0.846", "average"),
        (("19", "NMD", "JSD"), "0.823", "average"),
        (("24", "DNKT", "JSD"), "0.560", "printed twice"),
        (("13", "RNOD", "RNADW2"), "0.126", "feasibility"),
        (("13", "RNOD", "RNADW2"), "0.126", "triangle"),
        (("13", "NVD", "JSD"), "0.883", "printed twice"),
        (("25b", "NVD", "full split"), "0.8799", "printed twice"),
        (("26b", "JSD", "full split"), "0.7845", "order"),
        (("26b", "RNOD2", "10 vs. 10 outperforms"), "∇◯△†", "symbols"),
        (("28", "NMD", "full split"), "0.7679", "average"),
        (("caption25b", "Sem17T4E full split", "first half"), "64", "sum"),
        (("2", "STC-3 DQ-{A, E, S}", "#Runs used E"), "8", "sum"),
        (("s2.3", "example DNKT estimate", "class 2"), "0.20", "example"),
        (("s2.3", "at least one uniform distribution", "DNKT"), "0.4", "example"),
        (("s5", "Sem16T4E RNOD full split", "outperforms"), "eight", "claim"),
        (("s5", "Table 28 ordinal winner", "measure"), "RNOD2", "claim"),
        (("s4", "data sets", "count"), "seven", "printed twice"),
    ],
)
def test_wrong_numbers_are_noticed(families, relations, place, wrong, family):
    assert family in families(relations, PRINTED, {at(*place): wrong})


def test_planted_digits(ledger):
    mine = [p for p in plant(ledger, len(PRINTED)) if p.cell.paper == "dnkt"]
    silent = {p.cell.table for p in mine if not p.noticed}
    assert len(mine) > 1500
    assert silent <= {"25a", "25b", "26a", "26b", "26c", "27a", "27b", "27c", "28"}
    assert sum(p.noticed for p in mine) > 0.96 * len(mine)


# -- definitions -----------------------------------------------------------------------------------


def test_concordant_and_discordant_pairs_of_classes():
    """Section 2.3: a pair of classes that is tied in either distribution is neither."""
    falling = (0.4, 0.3, 0.2, 0.1)
    assert definitions._concordance(falling, falling) == (6, 0)
    assert definitions._concordance(falling, falling[::-1]) == (0, 6)
    assert definitions._concordance(falling, (0.4, 0.3, 0.1, 0.2)) == (5, 1)
    assert definitions._concordance(falling, (0.3, 0.3, 0.1, 0.3)) == (2, 1)
    assert definitions._concordance((0.3, 0.3, 0.1, 0.3), falling) == (2, 1)


# -- what single checks let pass -------------------------------------------------------------------


@each(("tau", "expected"), [("0.1005", True), ("0.1006", False)])
def test_a_step_may_be_off_by_half_a_unit(tau, expected):
    """0.1005 may have been rounded from 0.1, one of ten pairs."""
    assert is_step(Decimal(tau), Decimal(5)) == expected


# -- symbols ---------------------------------------------------------------------------------------


def test_the_errata_say_what_the_other_numbers_imply():
    said = {}
    for erratum in SYMBOL_ERRATA:
        (table,) = {cell.table for cell in erratum.cells}
        assert erratum.name == f"dnkt-table{table}-symbols"
        assert erratum.kind == "extraction"
        implied = erratum.derivation.partition("Implied by the other numbers: ")[2]
        for part in implied.removesuffix(".").split("; "):
            (half,) = (half for half in HALVES if part.startswith(f"{half} "))
            rows = part.removeprefix(f"{half} ").split(", ")
            said[table, half] = dict(row.split(" ") for row in rows)
    assert said == PREDICTED
