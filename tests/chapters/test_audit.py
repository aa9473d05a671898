"""The audit: what the page shows adds up."""

import json
import re

import pytest

from ordbook.chapters import audit as board
from ordbook.papers.ledger import Erratum, audit
from ordbook.papers.relations import VERDICTS, Cell, share, total
from ordbook.papers.tables import papers


@pytest.fixture(scope="module")
def ledger():
    return board.live_ledger()


def cell(column):
    return Cell("toy", "1", "tweets", column)


# -- what is shown -----------------------------------------------------------------------------


@pytest.mark.slow
def test_counts_add_up(ledger):
    papers = board.by_paper(ledger.cells)
    counts = papers.map(lambda text: int(text.split()[0].replace(",", "")))
    assert list(counts.index) == [*board.NAMES.values(), "all"]
    assert counts.loc["all", "printed"] == len(ledger.cells)
    assert (counts.iloc[:-1].sum() == counts.loc["all"]).all()
    groups = board.by_group(ledger.cells)
    assert list(groups.index) == list(board.GROUPS)
    assert groups["numbers"].sum() == len(ledger.cells)
    families = board.families(ledger)
    assert set(families.index) == set(board.FAMILIES)
    assert families["checks"].sum() == len(ledger.relations)
    facts = board.facts(ledger)
    details = board.by_detail(ledger.errata)
    for detail, number in details["numbers"].drop("open").items():
        assert facts[detail.split()[0]] == number
    assert (
        facts["contradicted"] - details["numbers"].sum()
        == facts["open"] - details.loc["open", "numbers"]
    )
    assert facts["results"] < facts["again"] < facts["tried"]
    assert facts["thrice"] % 3 == 0


@pytest.mark.slow
def test_the_list_holds_every_number_and_closes_no_script(ledger):
    page = board.cell_list(ledger.cells)._repr_html_()
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    assert "<" not in text
    assert len(data["rows"]) == len(ledger.cells)
    p, table, row, column, printed, verdict, why = data["rows"][-1]
    last = ledger.cells.iloc[-1]
    assert ([*papers()][p], table, row, column) == tuple(last.iloc[:4])
    assert (printed, VERDICTS[verdict]) == (last["printed"], last["verdict"])
    assert data["reasons"][why] == last["reason"]
    assert len(page) < 1_000_000
    assert not re.search(r"https?://", page.replace(text, ""))


# -- open questions ----------------------------------------------------------------------------


def test_repairs_of_a_toy():
    texts = {"a": "12", "b": "7", "c": "9", "all": "29", "share": "42.9%"}
    a, b, c, whole, percent = map(cell, texts)
    relations = [total(whole, [a, b, c], ""), share(percent, a, whole, "")]
    wrong = Erratum("toy", (whole,), "shown", "", {"sum": 1, "share": 1})
    noted = {cell(name): (text, "") for name, text in texts.items()}
    found = audit(relations, lambda cell: ("stated", "x"), [wrong], printed=noted)
    mended = board.repairs(found, wrong)
    assert mended[["printed", "instead"]].to_numpy().tolist() == [["29", "28"]]


@pytest.mark.slow
def test_what_the_chapter_says_about_open_questions(ledger):
    errata = {erratum.name: erratum for erratum in ledger.errata}
    mended = board.repairs(ledger, errata["sigir18-true-disagreements"])
    assert mended["instead"].tolist() == ["176", "7"]
    fits = board.resamples([100, 10_000])
    assert fits[100] == 16 > fits[10_000]
    assert 0.5 < board.unit_errors(ledger, 100, seed=0) < 0.97
