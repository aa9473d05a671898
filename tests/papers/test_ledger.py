"""The ledger: one verdict for every printed number, and none without a reason."""

import csv

import pandas as pd
import pytest

from ordbook.files import share
from ordbook.measures import custom_measure, register
from ordbook.papers.every import full_ledger
from ordbook.papers.ledger import (
    COMMITTED,
    Erratum,
    UnexplainedContradiction,
    audit,
    committed_verdicts,
    inject,
    printed_cells,
)
from ordbook.papers.relations import STATUSES, Cell, average, beside, same, total
from ordbook.papers.report import NOT_TRIED, power, scoreboard, write_csv


def cell(row):
    return Cell("acl21", "9", row, "x")


PRINTED = {"sum": "5", "a": "2", "b": "3", "mean": "0.5", "p": "0.40", "q": "0.62", "B": "5,000"}
NOTED = {cell(row): (text, "") for row, text in PRINTED.items()} | {cell("gone"): ("lost", "")}
RELATIONS = [
    total(cell("sum"), [cell("a"), cell("b")], "adds up"),
    average(cell("mean"), [cell("p"), cell("q")], "means"),
    beside(cell("a"), 2.0, "data"),
]


def why(cell):
    return "stated", "nothing speaks about it"


def test_a_verdict_for_every_number():
    ledger = audit(RELATIONS, why, [], printed=NOTED)
    found = {c["row"]: c["detail"] or c["verdict"] for c in ledger.cells.to_dict("records")}
    assert found == {
        "sum": "consistent",
        "a": "recomputed",
        "b": "consistent",
        "mean": "consistent",
        "p": "consistent",
        "q": "consistent",
        "B": "stated",
        "gone": "lost",
    }
    assert ledger.cells["checks"].tolist() == [1, 2, 1, 1, 1, 1, 0, 0]
    assert ledger.checks["holds"].all()
    assert ledger.scoreboard("paper").loc["acl21"].to_dict() == {
        "recomputed": 1,
        "consistent": 5,
        "unchecked": 2,
        "all": 8,
    }


def test_a_contradiction_needs_an_erratum():
    wrong = NOTED | {cell("sum"): ("6", "")}
    with pytest.raises(UnexplainedContradiction, match="sum of acl21 Table 9: sum, x.*printed 6"):
        audit(RELATIONS, why, [], printed=wrong)
    erratum = Erratum("sum", (cell("sum"),), "shown", "6 is not 2 + 3.", {"sum": 1})
    ledger = audit(RELATIONS, why, [erratum], printed=wrong)
    line = ledger.cells.set_index("row").loc["sum"]
    assert (line["detail"], line["failed"], line["reason"]) == ("shown", 1, "6 is not 2 + 3.")
    assert ledger.cells.set_index("row")["detail"]["b"] == "stated", "nothing that holds reaches it"
    with pytest.raises(
        UnexplainedContradiction, match="erratum sum excuses 1 checks of the family 'sum', and 0"
    ):
        audit(RELATIONS, why, [erratum], printed=NOTED)


def test_a_check_of_a_number_that_is_not_there():
    with pytest.raises(ValueError, match="'printed twice' is about acl21 Table 9: z, x, not"):
        audit([same(cell("sum"), cell("z"), "")], why, [], printed=NOTED)


def test_injected_digits():
    ledger = audit(RELATIONS, why, [], printed=NOTED)
    errors = inject(ledger, 100)
    assert len(errors) == 7, "each number with a digit once"
    assert all(len(one.printed) == len(one.injected) != one.printed for one in errors)
    noticed = {one.cell.row: one.noticed for one in errors}
    assert noticed["sum"]
    assert noticed["a"]
    assert noticed["b"]
    assert not noticed["B"], "no check reads it"
    assert inject(ledger, 3, seed=1) == inject(ledger, 3, seed=1) != inject(ledger, 3, seed=2)
    lines = power(errors).splitlines()
    count = sum(noticed.values())
    assert lines[:6] == [
        "",
        f"wrong digits noticed: {count} of 7",
        *NOT_TRIED.splitlines(),
        f"  acl21: {count} of 7",
        f"    9: {count} of 7",
    ]
    assert any(line.startswith("  not noticed: acl21 Table 9: B, x: ") for line in lines)


def test_the_scoreboard_of_a_paper_and_of_a_table():
    others = Cell("acl21", "10", "c", "y"), Cell("lq21", "3", "d", "z")
    printed = NOTED | dict(zip(others, [("1", ""), ("2", "")], strict=True))
    ledger = audit(RELATIONS, why, [], printed=printed)
    head, name, *tables = scoreboard(ledger, "acl21").split("\n")
    assert head.split() == ["verdict", "recomputed", "consistent", "unchecked", "all"]
    assert name.split() == ["table"]
    assert [line.split() for line in tables] == [
        ["9", "1", "5", "2", "8"],
        ["10", "0", "0", "1", "1"],
    ]
    assert scoreboard(ledger, "acl21", "9").split("\n")[2:5] == [
        "a, x: 2  recomputed [recomputed]  printed 2, ours 2 (data)",
        "    [sum] sum: 5.0, printed 5 (adds up)",
        "    [recomputed] printed 2, ours 2 (data)",
    ]
    assert scoreboard(ledger, "lq21", "3") == "d, z: 2  unchecked (stated)  nothing speaks about it"
    with pytest.raises(ValueError, match="acl21 has no table '3'; there are 9, 10$"):
        scoreboard(ledger, "acl21", "3")


def test_numbers_and_checks_are_written_into_a_folder(tmp_path):
    ledger = audit(RELATIONS, why, [], printed=NOTED)
    cells, checks = write_csv(ledger, tmp_path)
    assert (cells, checks) == (tmp_path / "cells.csv", tmp_path / "checks.csv")
    for path, frame in ((cells, ledger.cells), (checks, ledger.checks)):
        with path.open(encoding="utf-8", newline="") as lines:
            head, *rows = csv.reader(lines)
        assert head == list(frame)
        assert rows == frame.astype(str).to_numpy().tolist()


# -- the real one ----------------------------------------------------------------------------------


def test_every_printed_number_has_a_committed_verdict_and_reason():
    found, printed = committed_verdicts(), printed_cells()
    assert found.keys() == printed.keys()
    for cell, (text, status, reason) in found.items():
        assert text == printed[cell][0], cell
        assert status in set(STATUSES) - {"close", "differs"}, cell
        assert reason, cell


@pytest.fixture(scope="module")
def ledger(forgotten):
    """The ledger of a process that knows two measures more, which it must not notice."""
    for kind in ("quantification", "classification"):
        register(custom_measure(f"first {kind}", first, better="high", kind=kind, perfect=0))
    return full_ledger()


def first(cases, *estimates):
    """The first gold class alone: a measure that no analysis of a paper could overlook."""
    return cases.sum(axis=-1)[..., 0] if not estimates else cases[..., 0] + 0 * estimates[0][..., 0]


@pytest.mark.slow
def test_the_committed_ledger_is_up_to_date(ledger):
    """What chapters read; the reasons of randomised results may differ in the last digits."""
    committed = pd.read_csv(share("data", "audit.csv"), dtype=str, keep_default_na=False)
    fresh = ledger.cells[COMMITTED].astype(str)
    for frame in (committed, fresh):
        chance = frame["verdict"] == "within chance"
        frame.loc[chance, "reason"] = frame.loc[chance, "reason"].str.replace(r"\d", "", regex=True)
    for name in COMMITTED:
        differing = (committed[name] != fresh[name]).to_numpy().nonzero()[0]
        assert not differing.size, f"line {differing[:3] + 2}: run 'ordbook audit --commit'"
    assert committed_verdicts().keys() == printed_cells().keys()
