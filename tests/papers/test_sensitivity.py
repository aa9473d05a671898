"""The census of small changes: the checks notice as many of them as data/checks.csv says."""

import os

import pandas as pd
import pytest

from ordbook.papers import report
from ordbook.papers.checks import lasting
from ordbook.papers.ledger import LOST, audit, printed_cells
from ordbook.papers.relations import Cell, condition, exact, total
from ordbook.papers.report import changes, committed, sensitivity

PRINTED = {cell: text for cell, (text, _) in printed_cells().items()}


def cell(row, table="1"):
    return Cell("toy", table, row, "x")


TOY = {cell("sum"): "5", cell("a"): "2", cell("b"): "3", cell("name", "2"): "left"}
SUM = total(cell("sum"), [cell("a"), cell("b")], "adds up")


def assert_committed(fresh):
    before = committed()[list(fresh.columns)]
    changed = before.merge(fresh, "outer", indicator=True).query("_merge != 'both'")
    assert changed.empty, f"run 'ordbook audit --commit', if this was meant:\n{changed}"
    assert len(fresh) == len(before)


def test_the_checks_say_what_the_committed_ones_say():
    """Not fewer of them, and not other ones."""
    assert_committed(sensitivity(lasting(PRINTED), PRINTED, census=False))


@pytest.mark.slow
def test_the_checks_are_as_sharp_as_the_committed_ones():
    """None lets more pass."""
    assert_committed(sensitivity(lasting(PRINTED), PRINTED))


def test_a_sum_notices_what_changes_it():
    found = sensitivity({"toy": [SUM]}, TOY).iloc[0]
    assert found["checks"] == 1
    assert found["broken"] == 0
    # 5: 6, 4, 2, 3; 2: 3, 1, 5; 3: 4, 2, 5; and each 0, 1 (which 2 - 1 is already) and 1000000
    assert found["changes"] == found["noticed"] == 7 + 5 + 6


def test_changes_that_are_not_noticed_and_checks_that_break():
    loose = exact("order", [cell("a"), cell("b")], lambda a, b: a <= b, "grows", "a, b")
    broken = exact("order", [cell("a"), cell("b")], lambda a, b: a == b, "the same", "a, b")
    text = condition("text", [cell("name", "2")], lambda name: name == "left", "named", "name")
    found = sensitivity({"toy": [loose, broken, text]}, TOY).set_index("family")
    assert found.loc["order", ["checks", "broken", "changes"]].tolist() == [2, 1, 4 + 5]
    # a: 1000000 is too many, 3, 1 and 0 are not; b: 0 and 1 are too few, 4, 2, 1000000 are not
    assert found.loc["order", "noticed"] == 1 + 2
    assert found.loc["text", ["table", "changes", "noticed"]].tolist() == ["2", 1, 1]


def test_the_digest_tells_which_changes_are_noticed():
    """Two checks that exchange what they notice are as many as before."""
    digests = set()
    for first, second in ((2, 3), (3, 2)):
        checks = [
            exact("limit", [place], lambda n, most=most: n <= most, "", "")
            for place, most in ((cell("a"), first), (cell("b"), second))
        ]
        found = sensitivity({"toy": checks}, dict.fromkeys((cell("a"), cell("b")), "2")).iloc[0]
        assert (found["changes"], found["noticed"]) == (8, 3)
        digests.add(found["notices"])
    assert len(digests) == 2


def test_changes_of_numbers_and_of_texts():
    assert changes("<0.001", ["0.25"]) == ["<0.002", "<0.000", "0.25", "0", "1", "1000000"]
    assert changes("three", ["two", "two"]) == ["4", "2", "two", "0", "1", "1000000"]
    assert changes("S_D/T_D", ["b/(a + c)"]) == ["S_D/T_D and more", "b/(a + c)"]
    assert changes(LOST, [LOST]) == ["lost and more"]


def test_both_files_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "linesep", "\r\n")  # a system where lines end in another way
    places = {("data", "published"): tmp_path / "published"}
    monkeypatch.setattr(report, "share", lambda *parts: places[parts])
    sums = {"toy": [SUM]}
    monkeypatch.setattr(
        "ordbook.papers.checks.lasting", lambda printed: sums if printed == TOY else {}
    )
    noted = {place: (text, "") for place, text in TOY.items()}
    ledger = audit([SUM], lambda place: ("stated", "a name"), [], printed=noted)
    audited, sharp = report.commit(ledger)
    assert (audited, sharp) == (tmp_path / "audit.csv", tmp_path / "checks.csv")
    assert b"\r" not in audited.read_bytes() + sharp.read_bytes(), "the same files everywhere"
    assert audited.read_text(encoding="utf-8").splitlines() == [
        "paper,table,row,column,printed,verdict,detail,checks,failed,family,reason",
        'toy,1,sum,x,5,implied,,1,0,sum,"sum: 5.0, printed 5 (adds up)"',
        'toy,1,a,x,2,implied,,1,0,sum,"sum: 5.0, printed 5 (adds up)"',
        'toy,1,b,x,3,implied,,1,0,sum,"sum: 5.0, printed 5 (adds up)"',
        "toy,2,name,x,left,unchecked,stated,0,0,,a name",
    ]
    assert pd.read_csv(sharp).loc[0, ["table", "family", "noticed"]].tolist() == [1, "sum", 18]
