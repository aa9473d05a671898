"""The scoreboard: the live ledger is the committed one, and what the page shows adds up."""

import json
import re

import matplotlib.pyplot as plt
import pytest

from cases import case
from ordbook.chapters import audits, doubts
from ordbook.chapters import scoreboard as board
from ordbook.papers.comparison import LedgerMismatch
from ordbook.papers.ledger import KINDS, PAPERS, Erratum, audit, plant
from ordbook.papers.relations import STATUSES, Cell, share, total


@pytest.fixture(scope="module")
def ledger():
    return audits.live_ledger()


def cell(column):
    return Cell("toy", "1", "tweets", column)


# -- the checks --------------------------------------------------------------------------------


def test_the_live_ledger_is_the_committed_one(ledger):
    assert audits.differences(ledger).empty
    assert "Verified" in audits.verify(ledger).data
    assert len(ledger.relations) > 12_000


@pytest.mark.slow
def test_canary_another_status_is_noticed(ledger, monkeypatch):
    changed = audits.committed()
    changed.loc[7, "status"] = "differs"
    monkeypatch.setattr(audits, "committed", lambda: changed)
    with pytest.raises(LedgerMismatch, match="1 numbers have another status.*not differs"):
        audits.verify(ledger)


def test_what_seeds_gave_is_read_from_the_ledger():
    for reason, good, bad in [
        ("printed 0.8, ours 0.81 to 0.84 over 1000 seeds (x (y))", "0.83", "0.9"),
        ("printed 38, ours 33 to 38 over 1000 seeds (x)", "33", "39"),
        ("printed ♣, ours ♣♠ for 18, blank for 2 of 20 seeds (x)", "♠♣", "♣"),
        ("printed no, ours no for 100 of 100 seeds (x)", "no", "two"),
        ("printed 66, ours 66 (x)", "66", "65"),
    ]:
        with case(reason, good, bad):
            check = audits.recorded(cell("x"), reason)
            assert check.test({cell("x"): good}).holds
            assert not check.test({cell("x"): bad}).holds
            assert check.test({cell("x"): good}).text.endswith(
                reason.split("ours ")[1].split(" (")[0]
            )
            with pytest.raises(ValueError, match="has no value of ours"):
                audits.recorded(cell("x"), "1 + 2 = 3")


def test_impossible_parameters():
    for planted in [True, 9, 5001, 12.5, "300"]:
        with case(planted):
            with pytest.raises(ValueError, match="planted must be a whole number from 10 to 5,000"):
                audits.start(planted=planted, seed=0)
            with pytest.raises(ValueError, match="seed must lie between"):
                audits.start(planted=300, seed=-1)


# -- what is shown -----------------------------------------------------------------------------


@pytest.mark.slow
def test_counts_add_up(ledger):
    papers = board.by_paper(ledger.cells)
    assert papers.loc["all", "all"] == len(ledger.cells)
    assert (papers.drop(columns="all").sum(axis=1) == papers["all"]).all()
    for paper, title in board.NAMES.items():
        tables = board.by_table(ledger.cells, paper)
        assert tables["all"].sum() == papers.loc[title, "all"]
    assert tables.index[:3].tolist() == ["Table 1", "Table 2", "Table 3"]
    assert tables.index[-1] == "text"


@pytest.mark.slow
def test_groups_count_every_number_once(ledger):
    found = board.by_group(ledger.cells)
    assert list(found.index) == list(board.GROUPS)
    assert found["numbers"].sum() == len(ledger.cells)
    fitting = board.words(ledger.cells).isin(board.FITTING).sum()
    assert found["numbers"].iloc[:4].sum() == fitting
    computed = board.words(ledger.cells).isin(board.COMPUTED).sum()
    assert found["numbers"].iloc[:2].sum() == computed


@pytest.mark.slow
def test_bars_draw_every_number(ledger):
    axes = board.bars(ledger.cells)
    widths = [bar.get_width() for group in axes.containers for bar in group]
    assert sum(widths) == pytest.approx(len(PAPERS))
    assert len({(*g[0].get_facecolor(), g[0].get_hatch()) for g in axes.containers}) == 6
    plt.close(axes.figure)


@pytest.mark.slow
def test_every_family_says_what_it_relies_on(ledger):
    found = board.families(ledger)
    assert set(found.index) == set(board.FAMILIES)
    assert found["checks"].sum() == len(ledger.relations)


@pytest.mark.slow
def test_every_contradiction_is_shown_with_its_arithmetic(ledger):
    shown = {kind: board.contradictions(ledger, kind).data for kind in KINDS}
    assert sum(text.count(":class: dropdown") for text in shown.values()) == len(ledger.errata)
    assert r"the other counts leave 114 to 117\, printed 121" in shown["misprint"]


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
    assert doubts.repairs(found, wrong)[["printed", "instead"]].to_numpy().tolist() == [
        ["29", "28"]
    ]


@pytest.mark.slow
def test_what_the_chapter_says_about_open_questions(ledger):
    errata = {erratum.name: erratum for erratum in ledger.errata}
    mended = doubts.repairs(ledger, errata["sigir18-true-disagreements"])
    assert mended["instead"].tolist() == ["176", "7"]
    fits = doubts.resamples(ledger, [100, 10_000])
    assert fits[100] == 16 > fits[10_000]
    noise = doubts.noisy_agreement(["5", "10"], [0, 0.0005, 0.002], seed=0)
    assert noise.loc[0, "mean"] == 165
    assert noise.loc[0.0005, "low"] > 153 > noise.loc[0.002, "low"]
    assert doubts.roundings("21a")["come out"].iloc[-1] == "27 of 27"
    assert 0.5 < doubts.unit_errors(ledger, 100, seed=0) < 0.97


def test_recomputed_symbols_are_those_that_the_numbers_imply():
    found = doubts.symbols("full split", seeds=3)
    assert (found["always"] == found["implied"]).all()
    assert not found["printed"].str.contains("⋄").any()


def test_floating_ties_fit_better_than_exact_ones():
    found = doubts.ties(7, "1b", seeds=20)
    away = [
        abs(found["printed"].astype(float) - found[f"ties: {k}"]) for k in ("floating", "exact")
    ]
    assert (away[0] < away[1]).all()
