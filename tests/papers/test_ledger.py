"""The ledger: one status for every printed number, and none without a reason."""

import csv

import pandas as pd
import pytest

from ordbook.cli import main
from ordbook.data.paths import share
from ordbook.papers.checks import full_ledger
from ordbook.papers.errata import Erratum
from ordbook.papers.ledger import (
    PAPERS,
    UnexplainedContradiction,
    audit,
    plant,
    printed_cells,
    settled,
)
from ordbook.papers.relations import Cell, average, recomputed, same, total
from ordbook.papers.report import COMMITTED, power, scoreboard, write_csv
from ordbook.papers.verdicts import STATUSES


def cell(row):
    return Cell("acl21", "9", row, "x")


PRINTED = {"sum": "5", "a": "2", "b": "3", "mean": "0.5", "p": "0.40", "q": "0.62", "B": "5,000"}
NOTED = {cell(row): (text, "") for row, text in PRINTED.items()} | {cell("gone"): ("lost", "")}
RELATIONS = [
    total(cell("sum"), [cell("a"), cell("b")], "adds up"),
    average(cell("mean"), [cell("p"), cell("q")], "means"),
    recomputed(cell("a"), 2.0, "data"),
]


def why(cell):
    return "stated", "nothing speaks about it"


def test_a_status_for_every_number():
    ledger = audit(RELATIONS, why, [], printed=NOTED)
    found = dict(zip(ledger.cells["row"], ledger.cells["status"], strict=True))
    assert found == {
        "sum": "follows",
        "a": "exact",
        "b": "follows",
        "mean": "follows",
        "p": "consistent",  # 0.41 would do as well
        "q": "consistent",
        "B": "stated",
        "gone": "lost",
    }
    assert ledger.cells["checks"].tolist() == [1, 2, 1, 1, 1, 1, 0, 0]
    assert ledger.checks["holds"].all()
    assert ledger.scoreboard("paper").loc["acl21"].to_dict() == {
        "exact": 1,
        "follows": 3,
        "consistent": 2,
        "stated": 1,
        "lost": 1,
        "all": 8,
    }


def test_a_contradiction_needs_an_erratum():
    wrong = NOTED | {cell("sum"): ("6", "")}
    with pytest.raises(UnexplainedContradiction, match="sum of acl21 Table 9: sum, x.*printed 6"):
        audit(RELATIONS, why, [], printed=wrong)
    erratum = Erratum("sum", (cell("sum"),), "misprint", "6 is not 2 + 3.", "It is 5.")
    ledger = audit(RELATIONS, why, [erratum], printed=wrong)
    line = ledger.cells.set_index("row").loc["sum"]
    assert (line["status"], line["failed"], line["reason"]) == ("erratum", 1, "6 is not 2 + 3.")
    assert ledger.cells.set_index("row")["status"]["b"] == "stated", "nothing that holds reaches it"
    assert [finding.text for finding in ledger.failures(erratum)] == ["sum: 5.0, printed 6"]
    with pytest.raises(UnexplainedContradiction, match="erratum sum breaks no check"):
        audit(RELATIONS, why, [erratum], printed=NOTED)


def test_a_check_of_a_number_that_is_not_there():
    with pytest.raises(ValueError, match="'printed twice' is about acl21 Table 9: z, x, not"):
        audit([same(cell("sum"), cell("z"), "")], why, [], printed=NOTED)


def test_planted_digits():
    ledger = audit(RELATIONS, why, [], printed=NOTED)
    planted = plant(ledger, 100)
    assert len(planted) == 7, "each number with a digit once"
    assert all(len(one.printed) == len(one.planted) != one.printed for one in planted)
    noticed = {one.cell.row: one.noticed for one in planted}
    assert noticed["sum"]
    assert noticed["a"]
    assert noticed["b"]
    assert not noticed["B"], "no check reads it"
    assert plant(ledger, 3, seed=1) == plant(ledger, 3, seed=1) != plant(ledger, 3, seed=2)
    lines = power(planted).splitlines()
    count = sum(noticed.values())
    assert lines[:4] == [
        "",
        f"wrong digits noticed: {count} of 7",
        f"  acl21: {count} of 7",
        f"    9: {count} of 7",
    ]
    assert any(line.startswith("  not noticed: acl21 Table 9: B, x: ") for line in lines)


def test_the_scoreboard_counts_row_by_row():
    other = Cell("lq21", "3", "a", "x")
    printed = NOTED | {Cell("acl21", "10", "a", "x"): ("1", ""), other: ("2", "")}
    twice = same(other, cell("a"), "printed in both")
    ledger = audit([*RELATIONS, twice], why, [], printed=printed)
    assert ledger.scoreboard("paper")["all"].to_dict() == {"acl21": 9, "lq21": 1}
    # in printed order
    tables = {("acl21", "9"): 8, ("acl21", "10"): 1, ("lq21", "3"): 1}
    assert list(ledger.scoreboard("paper", "table")["all"].items()) == list(tables.items())
    assert ledger.checks["papers"].tolist() == [*["acl21"] * len(RELATIONS), "lq21 acl21"]


# -- the real one ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ledger():
    return full_ledger()


def test_every_printed_number_has_a_status_and_a_reason(ledger):
    cells = ledger.cells
    assert len(cells) == len(printed_cells()) > 4000
    assert set(cells["status"]) <= set(STATUSES)
    assert not {"close", "differs"} & set(cells["status"])
    assert (cells["reason"] != "").all()
    assert len(ledger.relations) > 5000
    assert list(dict.fromkeys(cells["paper"])) == list(PAPERS)


def test_the_committed_ledger_is_up_to_date(ledger):
    """What chapters read; the reasons of randomised results may differ in the last digits."""
    committed = pd.read_csv(share("data", "audit.csv"), dtype=str, keep_default_na=False)
    fresh = ledger.cells[COMMITTED].astype(str)
    for name in COMMITTED[:-1]:
        differing = (committed[name] != fresh[name]).to_numpy().nonzero()[0]
        assert not differing.size, f"line {differing[:3] + 2}: run 'ordbook audit --commit'"
    assert settled().keys() == printed_cells().keys()


def test_most_planted_digits_are_noticed(ledger):
    """An audit that would notice few errors is worth little."""
    planted = plant(ledger, 300)
    assert sum(one.noticed for one in planted) >= 270


def test_the_ledger_written_out(ledger, tmp_path):
    text = scoreboard(ledger)
    assert f"{len(ledger.cells):,} printed numbers" in text
    assert "lq21-table4h-nvd (misprint)" in text
    assert scoreboard(ledger, "dnkt").splitlines()[2].split()[0] == "1"
    assert "RNSS, NMD: 0.818  exact" in scoreboard(ledger, "acl21", "8i")
    with pytest.raises(ValueError, match="acl21 has no table '99'; there are"):
        scoreboard(ledger, "acl21", "99")
    cells, checks = write_csv(ledger, tmp_path / "deep" / "folder")
    with cells.open(encoding="utf-8", newline="") as lines:
        assert len(list(csv.DictReader(lines))) == len(ledger.cells)
    assert len(pd.read_csv(checks)) == len(ledger.relations)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--paper", "acl22"], "no paper 'acl22'; there are sigir18, acl21"),
        (["--table", "1"], "--table needs --paper"),
        (["--planted", "-1"], "--planted must not be negative"),
        (["--planted", "3", "--json"], "leave --json away"),
        (["--paper", "dnkt", "--table", "99"], "dnkt has no table '99'; there are 1"),
    ],
)
def test_impossible_requests(arguments, message, capsys):
    assert main(["audit", *arguments]) == 2
    assert message in capsys.readouterr().err
