import re
from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from cases import each
from ordbook.papers.checks import lq21
from ordbook.papers.checks.lq21.definitions import arithmetic
from ordbook.papers.checks.lq21.tables import at, overlap, significant
from ordbook.papers.checks.lq21.votes import (
    MEASURES,
    deltas,
    on_one_class,
    shared,
    vectors,
)
from ordbook.papers.ledger import LOST, audit, plant, printed_cells
from ordbook.papers.relations import Cell


def why(cell):
    return lq21.unreached(cell) if cell.paper == "lq21" else ("stated", "another paper")


@pytest.fixture(scope="module")
def ledger():
    noted = {c: v for c, v in printed_cells().items() if c.paper in ("lq21", "acl21", "dialeval1")}
    printed = {cell: text for cell, (text, _) in noted.items()}
    found = audit(lq21.relations(printed), why, lq21.ERRATA, printed=noted)
    mine = found.cells[found.cells["paper"] == "lq21"].reset_index(drop=True)
    return replace(found, cells=mine)


def status(ledger, cell):
    cells = ledger.cells
    found = cells[
        (cells["table"] == cell.table)
        & (cells["row"] == cell.row)
        & (cells["column"] == cell.column)
    ]
    return found["status"].item()


@pytest.fixture
def found_by(families, ledger):
    return partial(families, ledger.relations, ledger.printed)


def test_no_check_stands_twice(ledger):
    every = [(r.family, r.cells, r.relies) for r in ledger.relations]
    assert [entry for entry, times in Counter(every).items() if times > 1] == []


def test_every_erratum_breaks_a_check_of_its_own(ledger):
    for erratum in lq21.ERRATA:
        assert ledger.failures(erratum)
        expected = "erratum" if erratum.kind in ("misprint", "claim") else "open"
        assert {status(ledger, cell) for cell in erratum.cells} == {expected}
    assert [erratum.name for erratum in lq21.ERRATA if erratum.kind == "open"] == [
        "lq21-table4gh-both"
    ]
    assert sum(not finding.holds for finding in ledger.findings) == 11


def test_what_the_other_counts_leave_for_the_repeated_cells(ledger):
    texts = [finding.text for finding in ledger.failures(lq21.ERRATA[0])]
    assert "the other counts leave 114 to 117, printed 121" in texts
    assert "the other counts leave 113 to 118, printed 120" in texts
    # ends of the derivation's SSO, from S_D 120, 129 and 127
    for b, other, sso in ((114, 129, 84.4), (117, 129, 88.6), (113, 127, 84.3), (118, 127, 91.5)):
        assert round(100 * b / (120 + other - b), 1) == sso


def test_the_means_leave_other_numbers_of_shared_pairs(ledger):
    texts = [finding.text for finding in ledger.failures(lq21.ERRATA[1])]
    # Part h is also about the row that the first erratum questions.
    assert texts[:2] == [
        "100 to 100 pairs by the means, printed 101",
        "76 to 80 pairs by the means, printed 74",
    ]


def test_tables_follow_from_one_another(ledger):
    tables = ledger.cells[ledger.cells["table"].str.match(r"[3457]")]
    statuses = {"follows": 162 + 470 + 75 + 84, "erratum": 8, "open": 2}
    assert Counter(tables["status"]) == statuses
    lost = ledger.cells[ledger.cells["printed"] == LOST]
    assert set(lost["status"]) == {"lost"}
    assert len(lost) == 57


@each(
    ("cell", "wrong", "family"),
    [
        (at("2", "STC-3 DQ-{A, E, S}", "#Runs used E"), "8", "sum"),
        (at("3", "Sem17T4E", "JSD %"), "38.4", "share"),
        (at("3", "POOLED", "RSNOD S_D"), "628", "sum"),
        (overlap("f", ("NMD", "RNSS"), "b"), "55", "feasibility"),
        (at("5III", "NMD", "NVD"), "8", "list"),
        (at("6V", "with RNOD: 2", "Run 2"), "S_NKUST-run3-E", "list"),
        (at("7", "STC-3 DQ-E", "JSD pop"), "44", "sum"),
        (at("7", "DialEval-1 DQ-E", "RNSS pop"), "87", "order"),
        (at("s3", "example System B: p3", "value"), "0.45", "example"),
        (at("s4", "STC-3: assessors", "count"), "20", "printed twice"),
        (at("s5.1", "number of system pairs", "formula"), "T_D = m_D(m_D - 1)/3", "definition"),
        (at("s5.2", "SSO", "formula"), "b/(a + c)", "definition"),
        (at("s5.3", "181th dialogue: delta RNOD", "value"), "0.116", "feasibility"),
        (at("s5.3", "18th dialogue: class with the highest gold probability", "class"), "1",
         "feasibility"),
        (at("s5.3", "NMD prefers Popularity, another measure Uniform: highest", "percentage"),
         "27", "share"),
        (at("s5.3", "TOTAL: RNOD NVD RNSS JSD prefer Popularity far below", "percentage"), "30",
         "claim"),
        (Cell("acl21", "s6.3", "DQ-E RNOD", "significant pairs"), "118", "printed twice"),
    ],
)  # fmt: skip
def test_a_wrong_number_is_noticed(found_by, cell, wrong, family):
    assert family in found_by({cell: wrong})


def test_wrong_numbers_that_hide_one_another_are_noticed(found_by):
    # one fewer of b, one more of a and c: the sums of Tables 3 and 4 and the SSO stay right
    pair = "RNOD", "NVD"
    moved = {"a": "7", "b": "28", "c": "3", "SSO": "73.7"}
    changes = {overlap("a", pair, what): wrong for what, wrong in moved.items()}
    assert found_by(changes) == {"feasibility"}


def test_nearly_every_planted_digit_is_noticed(ledger):
    planted = plant(ledger, number=1000)
    missed = [p for p in planted if not p.noticed]
    assert len(planted) > 900
    assert len(missed) <= 12
    assert not any(p.cell.table[0] in "345679" for p in missed)


def test_only_one_row_of_table_7_tells_how_popularity_treats_ties(ledger):
    rows = [
        (relation.cells[0].row, "impossible where it is on one of them" in finding.text)
        for relation, finding in zip(ledger.relations, ledger.findings, strict=True)
        if relation.family == "feasibility" and relation.cells[0].table == "7"
    ]
    assert [row for row, impossible in rows if impossible] == ["DialEval-1 DQ-E"]


def test_ties_that_votes_allow():
    assert len(vectors(19)) == 8855
    assert len(vectors(20)) == 10626
    tied = {m for i, m in enumerate(MEASURES) if (shared(19)[:, i] == 0).any()}
    assert tied == {"NMD", "RNOD"}
    rsnod, jsd = MEASURES.index("RSNOD"), MEASURES.index("JSD")
    ties = shared(20)[shared(20)[:, rsnod] == 0]
    assert (ties[:, jsd] != 0).any()
    one = on_one_class(20)
    assert not (one[:, rsnod] == 0).any()


def test_without_ties_popularity_is_on_one_class_either_way():
    ways = vectors(5)
    one = (ways == ways.max(axis=1, keepdims=True)).sum(axis=1) == 1
    signs = np.sign(np.where(np.abs(deltas(5)[one]) < 1e-9, 0, deltas(5)[one])).astype(int)
    assert {tuple(row) for row in signs} <= {tuple(row) for row in on_one_class(5)}
    assert on_one_class(5).shape[1] == len(MEASURES)


def test_the_votes_of_the_two_dialogues(ledger):
    texts = [f.text for f in ledger.findings if f.text.startswith("votes (")]
    assert texts == ["votes (0, 1, 2, 9, 8)", "votes (8, 7, 3, 1, 1)"]


def test_formulas_are_arithmetic_only():
    assert arithmetic("(p_1 - p_1^*)^2", p_1=0.5, p_1s=0.25) == 0.0625
    with pytest.raises(ValueError, match="cannot evaluate"):
        arithmetic("a + d", a=1)


def test_a_number_without_check_and_reason_is_refused():
    with pytest.raises(ValueError, match="no reason is given"):
        lq21.unreached(at("s9", "new", "count"))


# -- what single checks let pass ---------------------------------------------------------------


@pytest.fixture(scope="module")
def checks():
    """The checks and the texts they read, as a ledger has them, without the audit."""
    printed = {cell: text for cell, (text, _) in printed_cells().items()}
    return SimpleNamespace(relations=lq21.relations(printed), printed=printed)


def test_the_ends_of_what_other_counts_leave_are_possible(checks):
    found = [r for r in checks.relations if "the other counts leave" in r.test(checks.printed).text]
    assert len(found) == 2
    for relation in found:
        assert relation.slow  # an integer programme for each end
        text = relation.test(checks.printed).text
        low, high = map(int, re.search(r"leave (\d+) to (\d+)", text).groups())
        for number, expected in ((low, True), (high, True), (low - 1, False), (high + 1, False)):
            texts = {**checks.printed, relation.cells[0]: str(number)}
            assert relation.test(texts).holds == expected
        nothing = {**checks.printed, significant("DialEval-1 DQ-S", "NMD"): "0"}
        assert relation.test(nothing) == (False, "the other counts do not fit together")
