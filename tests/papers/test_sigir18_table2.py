"""SIGIR'18 Table 2 and Section 4.2: on public gold data, and on two runs that were not reached."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.papers.ledger import committed_verdicts
from ordbook.papers.relations import COMES_OUT, Cell


@pytest.mark.parametrize("table", ["2i", "2ii"])
def test_nothing_of_the_papers_runs_is_called_recomputed(table):
    cells = printed_values("sigir18", table)
    for row, column in cells[["row", "column"]].to_numpy():
        assert committed_verdicts()[Cell("sigir18", table, row, column)][1] not in COMES_OUT


def test_p_values_are_not_reached():
    cells = printed_values("sigir18", "s4.2").query("column == 'p'")
    assert len(cells) == 5
    for row in cells["row"]:
        assert committed_verdicts()[Cell("sigir18", "s4.2", row, "p")][1] == "not reached"


def test_gold_is_what_the_paper_describes(raw_files, monkeypatch):
    monkeypatch.setenv("ORDBOOK_MIRROR", str(raw_files))
    task = ob.load("dbdc3")
    cells = printed_values("sigir18", "s4.2").set_index(["row", "column"])["printed"]
    assert f"{len(task.topics):,}" == cells["DBDC3 system utterances", "count"]
    assert str(len(task.classes)) == cells["DBDC3 bins", "L"]
    shown = printed_values("sigir18", "figure3")["printed"][0]
    votes = task.gold[task.topics.index(shown)] * 30
    assert votes == pytest.approx([9, 6, 15])
