"""The audit: the live ledger is the committed one, and what the page shows adds up."""

import json
import re

import pytest

from cases import case
from ordbook.chapters import audit as board
from ordbook.papers.comparison import LedgerMismatch
from ordbook.papers.ledger import KINDS, PAPERS, Erratum, audit, plant
from ordbook.papers.relations import STATUSES, Cell, share, total
from ordbook.show.show import Fold


@pytest.fixture(scope="module")
def ledger():
    return board.live_ledger()


def cell(column):
    return Cell("toy", "1", "tweets", column)


# -- the checks --------------------------------------------------------------------------------


def test_the_live_ledger_is_the_committed_one(ledger, monkeypatch):
    assert board.differences(ledger).empty
    assert "Verified" in board.verify(ledger).data
    assert len(ledger.relations) > 12_000
    changed = board.committed()
    changed.loc[7, "status"] = "differs"
    monkeypatch.setattr(board, "committed", lambda: changed)
    with pytest.raises(LedgerMismatch, match="1 numbers have another status.*not differs"):
        board.verify(ledger)


def test_what_seeds_gave_is_read_from_the_ledger():
    for reason, good, bad in [
        ("printed 0.8, ours 0.81 to 0.84 over 1000 seeds (x (y))", "0.83", "0.9"),
        ("printed ♣, ours ♣♠ for 18, blank for 2 of 20 seeds (x)", "♠♣", "♣"),
        ("printed 66, ours 66 (x)", "66", "65"),
    ]:
        with case(reason, good, bad):
            check = board.recorded(cell("x"), reason)
            assert check.test({cell("x"): good}).holds
            assert not check.test({cell("x"): bad}).holds


def test_impossible_parameters():
    with pytest.raises(ValueError, match="planted must be a whole number from 10 to 5,000, not 9"):
        board.start(planted=9, seed=0)
    with pytest.raises(ValueError, match="seed must lie between"):
        board.start(planted=300, seed=-1)


# -- what is shown -----------------------------------------------------------------------------


def numbers(counts):
    return counts.replace("", "0").map(lambda text: int(text.replace(",", "")))


@pytest.mark.slow
def test_counts_add_up(ledger):
    papers = numbers(board.by_paper(ledger.cells))
    assert list(papers.index) == [*board.NAMES.values(), "all"]
    assert papers.loc["all", "all"] == len(ledger.cells)
    assert (papers.drop(columns="all").sum(axis=1) == papers["all"]).all()
    for paper, title in board.NAMES.items():
        tables = numbers(board.by_table(ledger.cells, paper))
        assert tables["all"].sum() == papers.loc[title, "all"]
    assert tables.index[:3].tolist() == ["Table 1", "Table 2", "Table 3"]
    assert tables.index[-1] == "text"
    found = board.by_group(ledger.cells)
    assert list(found.index) == list(board.GROUPS)
    assert found["numbers"].sum() == len(ledger.cells)
    found = board.families(ledger)
    assert set(found.index) == set(board.FAMILIES)
    assert found["checks"].sum() == len(ledger.relations)


@pytest.mark.slow
def test_every_contradiction_is_shown_with_its_arithmetic(ledger, monkeypatch):
    shown = []
    monkeypatch.setattr(board, "display", shown.append)
    for kind in KINDS:
        board.contradictions(ledger, kind)
    folds = [one.remarks for one in shown if isinstance(one, Fold)]
    assert len(folds) == len(ledger.errata)
    assert any(r"the other counts leave 114 to 117\, printed 121" in text for text in folds)


@pytest.mark.slow
def test_planted_digits_are_counted_by_paper_table_and_status(ledger):
    planted = plant(ledger, 100)
    for by in ("paper", "table", "status"):
        found = board.by_planted(planted, by)
        assert found["planted"].sum() == 100
        assert found["noticed"].sum() == sum(one.noticed for one in planted)


@pytest.mark.slow
def test_the_list_holds_every_number_and_closes_no_script(ledger):
    page = board.cell_list(ledger.cells)._repr_html_()
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    assert "<" not in text
    assert len(data["rows"]) == len(ledger.cells)
    p, table, row, column, printed, status, why = data["rows"][-1]
    last = ledger.cells.iloc[-1]
    assert (PAPERS[p], table, row, column) == tuple(last.iloc[:4])
    assert (printed, STATUSES[status]) == (last["printed"], last["status"])
    assert data["reasons"][why] == last["reason"]
    assert len(page) < 1_000_000
    assert not re.search(r"https?://", page.replace(text, ""))


# -- open questions ----------------------------------------------------------------------------


def test_repairs_of_a_toy():
    texts = {"a": "12", "b": "7", "c": "9", "all": "29", "share": "42.9%"}
    a, b, c, whole, percent = map(cell, texts)
    relations = [total(whole, [a, b, c], ""), share(percent, a, whole, "")]
    wrong = Erratum("toy", (whole,), "misprint", "", "")
    noted = {cell(name): (text, "") for name, text in texts.items()}
    found = audit(relations, lambda cell: ("stated", "x"), [wrong], printed=noted)
    mended = board.repairs(found, wrong)
    assert mended[["printed", "instead"]].to_numpy().tolist() == [["29", "28"]]


@pytest.mark.slow
def test_what_the_chapter_says_about_open_questions(ledger):
    errata = {erratum.name: erratum for erratum in ledger.errata}
    mended = board.repairs(ledger, errata["sigir18-true-disagreements"])
    assert mended["instead"].tolist() == ["176", "7"]
    fits = board.resamples(ledger, [100, 10_000])
    assert fits[100] == 16 > fits[10_000]
    assert board.roundings("21a")["match"].iloc[-1] == "27 of 27"
    assert 0.5 < board.unit_errors(ledger, 100, seed=0) < 0.97


def test_recomputed_symbols_are_those_that_the_numbers_imply():
    found = board.symbols("full split", seeds=3)
    assert (found["always"] == found["implied"]).all()
    assert not found["printed"].str.contains("⋄").any()


def test_floating_ties_fit_better_than_exact_ones():
    found = board.ties(7, "1b", seeds=100)
    away = [
        abs(found["printed"].astype(float) - found[f"ties: {k}"]) for k in ("floating", "exact")
    ]
    assert (away[0] < away[1]).loc[["NVD and RNSS", "NVD and JSD"]].all()
