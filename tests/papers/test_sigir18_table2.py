"""SIGIR'18 Table 2 and Section 4.2: on public gold data, and on two runs that were not reached."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.papers.ledger import committed_verdicts
from ordbook.papers.relations import COMES_OUT, Cell


def test_nothing_of_the_papers_runs_is_called_recomputed():
    verdicts = {cell: status for cell, (_, status, _) in committed_verdicts().items()}
    for table in ("2i", "2ii"):
        for row, column in printed_values("sigir18", table)[["row", "column"]].to_numpy():
            assert verdicts[Cell("sigir18", table, row, column)] not in COMES_OUT
    p_values = printed_values("sigir18", "s4.2").query("column == 'p'")["row"]
    assert len(p_values) == 5
    assert {verdicts[Cell("sigir18", "s4.2", row, "p")] for row in p_values} == {"consistent"}


def test_gold_is_what_the_paper_describes(raw_files, monkeypatch):
    monkeypatch.setenv("ORDBOOK_MIRROR", str(raw_files))
    task = ob.load("dbdc3")
    cells = printed_values("sigir18", "s4.2").set_index(["row", "column"])["printed"]
    assert f"{len(task.topics):,}" == cells["DBDC3 system utterances", "count"]
    assert str(len(task.classes)) == cells["DBDC3 bins", "L"]
    shown = printed_values("sigir18", "figure3")["printed"][0]
    votes = task.gold[task.topics.index(shown)] * 30
    assert votes == pytest.approx([9, 6, 15])
