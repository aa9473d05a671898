"""The audit: what the page shows adds up."""

import json
import re

import pytest

from ordbook.chapters import audit as board
from ordbook.papers import tables
from ordbook.papers.relations import VERDICTS
from ordbook.papers.tables import papers


@pytest.fixture(scope="module")
def ledger():
    return board.live_ledger()


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
    assert set(families.index) <= set(tables.families())
    assert families["checks"].sum() == len(ledger.relations)
    facts = board.facts(ledger)
    details = board.by_detail(ledger.errata)
    assert facts["shown"] == details.loc["shown", "numbers"]
    assert facts["contradicted"] >= details["numbers"].sum()


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
    assert 0.5 < board.unit_errors(ledger, 100, seed=0) < 0.97
