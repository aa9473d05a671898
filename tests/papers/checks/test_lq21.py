import re
from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from ordbook.papers.checks import lq21
from ordbook.papers.checks.counting import pairs_of
from ordbook.papers.checks.lq21 import definitions
from ordbook.papers.checks.lq21.contradictions import lines
from ordbook.papers.checks.lq21.definitions import arithmetic
from ordbook.papers.checks.lq21.dialogues import DISAGREE
from ordbook.papers.checks.lq21.sets import RELIES, cases
from ordbook.papers.checks.lq21.tables import at, overlap, significant
from ordbook.papers.checks.lq21.text import repeated
from ordbook.papers.checks.lq21.votes import (
    MEASURES,
    MOST_VOTES,
    deltas,
    implications,
    of_votes,
    on_one_class,
    row_of,
    shared,
    vectors,
)
from ordbook.papers.checks.places import DIALEVAL1
from ordbook.papers.ledger import LOST, audit, plant, printed_cells
from ordbook.papers.relations import Cell, Finding


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


def test_there_are_checks_of_every_family(ledger):
    families = Counter(relation.family for relation in ledger.relations)
    expected = {
        "sum": 300,  # Table 3: 60, Table 4: 240, Table 7: 48, text
        "share": 174,  # Table 3: 54, Table 4: 120
        "triangle": 8 * 20,
        "list": 75,
        "interval": 75,
        "printed twice": 90,
        "definition": 50,
        "claim": 35,
        "feasibility": 8 + 2 + 6 + 2 + 2,
        "example": 13,
        "count": 15,
        "order": 7,
        "reference": 6,
    }
    assert {name: families[name] for name in expected if families[name] < expected[name]} == {}


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


@pytest.mark.parametrize(
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


def only(checks, *, relies, cell=None):
    """The check that rests on this."""
    (found,) = (
        relation
        for relation in checks.relations
        if relation.relies.startswith(relies) and cell in (None, relation.cells[0])
    )
    return found


@pytest.mark.parametrize("part", "fh")
@pytest.mark.parametrize(("above", "expected"), [(2, False), (3, True)])
def test_with_most_measures_means_with_more_than_half(checks, part, above, expected):
    relation = only(checks, relies=f"Table 4({part}): a above 0")
    _, *cells = relation.cells
    texts = dict(zip(cells, ["3"] * above + ["0"] * (len(cells) - above), strict=True))
    assert relation.test({**checks.printed, **texts}).holds == expected


@pytest.mark.parametrize(("text", "expected"), [("5(III)", True), ("5III", True), ("5(VI)", False)])
def test_a_part_of_a_table_may_stand_in_parentheses(checks, text, expected):
    relation = only(checks, relies="Table 5 has parts")
    assert relation.test({**checks.printed, relation.cells[0]: text}).holds == expected


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


def test_units_are_all_pairs_but_those_of_equal_runs(checks):
    """Each baseline is the same in both languages: two pairs never differ."""
    for case in cases(checks.printed):
        pairs = pairs_of(int(checks.printed[case.runs]))
        units = sum(block.units * block.weight for block in case.blocks(checks.printed))
        assert units == (pairs if case.data.startswith("Sem") else pairs - 2)


@pytest.mark.parametrize(
    ("column", "text"),
    [("Measure 1", "RSNOD"), ("Measure 2", "RNSS and NMD"), ("Measure 2", "RSNOD")],
)
def test_nmd_contradicts_others_but_not_itself_or_rsnod(checks, column, text):
    """In each line of Table 6 NMD is on the first side, and neither of the two on the second."""
    sentence = "NMD favours popularity over uniform, contradicting the other measures"
    relation = only(checks, relies="Table 6", cell=at("abstract", sentence, "claim"))
    first = {cell.column: cell for cell in lines(checks.printed, "I")}
    assert relation.test(checks.printed).holds
    assert not relation.test({**checks.printed, first[column]: text}).holds


@pytest.mark.parametrize(
    ("sentence", "numbers", "expected"),
    [
        ("s5.1 pooled: RSNOD slightly underperforms RNOD", "11 10 0", True),
        ("s5.1 pooled: RSNOD slightly underperforms RNOD", "10 10 0", False),
        ("s5.1 pooled: RSNOD slightly underperforms RNOD", "20 10 0", False),  # as near to NMD
        ("s5.2 NMD's significant differences generally not subsets of the others'",
         "1 " * 21 + "0 " * 19, True),
        ("s5.2 NMD's significant differences generally not subsets of the others'",
         "1 " * 20 + "0 " * 20, False),
        # 20 numbers of each part of Table 5, and the first of Part III is the largest
        ("s5.3 DialEval-1 DQ-A: highest number of contradictions of the five data sets",
         "1 " * 30 + "99 " + "1 " * 44, True),
        ("s5.3 DialEval-1 DQ-A: highest number of contradictions of the five data sets",
         "1 " * 29 + "99 " + "1 " * 45, False),
        ("s3 example: A and B equal in NMD", "0.25 0.25 0.35 0.15 0.25 0.25 0.25 0.35 0.15", True),
        ("s3 example: A and B equal in NMD", "0.25 0.25 0.35 0.15 0.25 0.35 0.25 0.25 0.15", False),
    ],
)  # fmt: skip
def test_what_sentences_say_of_other_numbers(checks, sentence, numbers, expected):
    table, row = sentence.split(" ", 1)
    (relation,) = (r for r in checks.relations if at(table, row, "claim") in r.cells)
    cells = [cell for cell in relation.cells if cell.column != "claim"]
    texts = dict(zip(cells, numbers.split(), strict=True))
    assert relation.test({**checks.printed, **texts}).holds == expected


@pytest.mark.parametrize("part", "fh")
def test_an_sso_on_the_line_is_not_underlined(checks, part):
    sentence = "DialEval-1 DQ-A and DQ-S: SSOs of NMD particularly low"
    (relation,) = (r for r in checks.relations if at("s5.2", sentence, "claim") in r.cells)
    assert relation.test(checks.printed).holds
    line = checks.printed[at("caption4", "percentages underlined: below", "percentage")]
    changed = {overlap(part, ("NMD", "RNOD"), "SSO"): line}
    assert not relation.test({**checks.printed, **changed}).holds


@pytest.mark.parametrize(("wins", "expected"), [("179", True), ("180", False)])
def test_below_half_of_three_subtasks_of_both_tasks(checks, wins, expected):
    """180 of 3 (100 + 100) dialogues is 30%."""
    half = at("s5.3", "TOTAL: RNOD NVD RNSS JSD prefer Popularity far below", "percentage")
    found = [r for r in checks.relations if half in r.cells and r.family == "claim"]
    assert len(found) == 4
    for relation in found:
        texts = dict(zip(relation.cells, ("30", wins, "100", "100"), strict=True))
        assert relation.test({**checks.printed, **texts}).holds == expected


@pytest.mark.parametrize(
    ("run", "expected"), [("E_BL_popularity-C", True), ("E_x_popularity-C", False)]
)
def test_only_the_prefix_of_the_subtask_may_differ(checks, run, expected):
    (relation,) = (r for r in checks.relations if r.relies.startswith("Table 6(I) and (IV)"))
    one, other = (
        next(c for c in lines(checks.printed, part) if c.column == "Run 1") for part in ("I", "IV")
    )
    changed = {one: "A_BL_popularity-C", other: run}
    assert relation.test({**checks.printed, **changed}).holds == expected


def test_runs_that_table_6_does_not_list_are_no_combination(checks):
    row = "DialEval-1 DQ-A: A_BL-popularity-{C,E} vs. A_NKUST-run0-C"
    cell = at("s5.2", row, "run combinations")
    relation = only(checks, relies="Table 6(III)", cell=cell)
    changed = {c: "A_BL-uniform-C" for c in relation.cells if c.column == "Run 2"}
    for number, expected in (("0", True), ("1", False)):
        assert relation.test({**checks.printed, **changed, cell: number}).holds == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [("T_D = C(m_D, 2) = m_D(m_D - 1)/2", True), ("T_D = m_D(m_D - 1)/2 = m_D^2/2", False)],
)
def test_the_last_side_of_the_number_of_pairs_counts(checks, formula, expected):
    cell = at("s5.1", "number of system pairs", "formula")
    (relation,) = (r for r in checks.relations if r.cells[0] == cell)
    assert relation.test({**checks.printed, cell: formula}).holds == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(DW_1 + DW_2)/2", True),
        ("(DW_1 + DW_2)/3", False),  # off by less than 1
        ("(p_1 - p_1^*)^2 = (p_2 - p_2^*)^2", True),
        ("p_1(p_1 - p_1^*)^2", False),  # right where p_1 is 1
        ("(DW_1 + DW_2)/2 = (p_1 - p_1^*)^3", False),
    ],
)
def test_every_side_of_a_formula_is_od(checks, formula, expected):
    """With two classes OD is the square of what one probability is off by (appendix)."""
    case = at("appendix", "Case 1: OD", "formula")
    relation = only(checks, relies="Eqs. 2 and 3 with two classes", cell=case)
    assert relation.test({case: formula}).holds == expected


def test_where_measures_disagree_is_counted_by_hand():
    """Second quadrant: NMD prefers Popularity (-1), the other Uniform (1); fourth: reversed.

    RNOD has as many dialogues as printed in both; NVD, RNSS and JSD have the printed range in the
    second and none in the fourth.
    """
    outcomes = np.array([[-1, 1, 1, 1, 0, -1], [1, -1, -1, 1, -1, 0], [0, -1, 1, -1, 1, 1]])
    printed = dict(zip(DISAGREE, ("75", "2", "62", "78"), strict=True))
    second, fourth, nowhere = [True, False, False], [False, True, False], [False] * 3
    assert [(mask.tolist(), *limits) for mask, *limits in DISAGREE.counts(outcomes, printed)] == [
        *((second, 75, 75), (fourth, 2, 2)),
        *((second, 62, 78), (nowhere, 0, 0)),
        *((nowhere, 62, 78), (fourth, 0, 0)),
        *((nowhere, 62, 78), (nowhere, 0, 0)),
    ]


@pytest.mark.parametrize(("fewer", "least", "expected"), [(8, 1, True), (9, 0, False)])
def test_one_dialogue_more_is_more(checks, fewer, least, expected):
    """Were Uniform better in NVD so much less often, NMD need not disagree more than RNOD."""
    claim = at("s5.3", "NMD with NVD RNSS JSD: more disagreements than RNOD", "claim")
    (relation,) = (r for r in checks.relations if claim in r.cells)
    wins = dict(zip(("uni", "pop"), row_of("DialEval-1 DQ-A").wins[6:8], strict=True))
    changed = {
        wins["uni"]: str(int(checks.printed[wins["uni"]]) - fewer),
        wins["pop"]: str(int(checks.printed[wins["pop"]]) + fewer),
    }
    found = relation.test({**checks.printed, **changed})
    assert f"NVD at least {least}," in found.text
    assert found.holds == expected


def test_contradictions_that_table_6_does_not_list_are_noticed(checks):
    count = at("caption5", "contradictions: Sem16T4E", "count")
    (relation,) = (r for r in checks.relations if count in r.cells and r.family == "feasibility")
    found = relation.test({**checks.printed, count: "one"})
    assert found == (False, "contradictions, but Table 6 lists none")


def test_other_papers_and_sections_do_not_quote_these_tables(checks):
    row = "NMD Sem16T4E: pairs"
    others = {Cell("acl21", "s5.1", row, "count"): "66", at("s6", row): "66"}
    relations = repeated({**checks.printed, **others})
    assert any(at("s5.1", row) in relation.cells for relation in relations)
    assert not any(others.keys() & set(relation.cells) for relation in relations)


@pytest.mark.parametrize("number", [0, 1_000_000])
def test_means_cannot_give_no_significant_pair_or_more_than_there_are(checks, number):
    cell = overlap("f", ("NMD", "RSNOD"), "b")
    relation = only(checks, relies="in a Tukey HSD test", cell=cell)
    nmd, rsnod = (significant("DialEval-1 DQ-A", measure) for measure in ("NMD", "RSNOD"))
    counts = [number, int(checks.printed[rsnod])]
    pairs = checks.printed[at("3", "DialEval-1 DQ-A", "NMD T_D")]
    found = relation.test({**checks.printed, nmd: str(number)})
    assert found == (False, f"{counts} significant pairs of {pairs}")
    one = relation.test({**checks.printed, nmd: "1"})
    assert re.match(r"\d+ to \d+ pairs by the means", one.text)


@pytest.mark.parametrize(("equation", "expected"), [("13", True), ("14", False)])
def test_a_case_refers_to_the_equation_that_it_proves(checks, equation, expected):
    cells = [
        at("appendix", f"{case}: equation", "reference")
        for case in ("Case 2 (p1* = 1)", "third case (p1* = 0)")
    ]
    found = [r for r in checks.relations if r.family == "reference" and r.cells[0] in cells]
    assert [relation.cells[0] for relation in found] == cells
    for relation in found:
        assert relation.test({**checks.printed, relation.cells[0]: equation}).holds == expected


def test_the_better_run_of_table_6_has_the_smaller_mean_of_the_overview(checks):
    means = [DIALEVAL1.at("6", f"BL-{name}", "NMD") for name in ("popularity", "uniform")]
    (relation,) = (r for r in checks.relations if set(means) <= set(r.cells) and r.family == "list")
    touching = "0.20", "0.19"  # 0.195 is an end of both
    for texts, expected in ((("0.1", "0.2"), True), (("0.2", "0.1"), False), (touching, False)):
        changed = dict(zip(means, texts, strict=True))
        assert relation.test({**checks.printed, **changed}).holds == expected


@pytest.mark.parametrize("measure", ["nmd", "rnod", "rsnod"])
def test_with_two_classes_a_measure_of_zeros_is_not_the_others(measure, monkeypatch):
    """Whatever is said about two classes is tried on differences of all sizes."""
    assert definitions._two_classes("")
    monkeypatch.setattr(definitions, measure, lambda gold, estimate: np.zeros(len(gold)))
    assert not definitions._two_classes("")


def test_other_runs_in_table_6_must_be_in_the_overview_but_are_not_compared(checks):
    """The check reads the means of the runs as printed, no others."""
    means = [DIALEVAL1.at("6", f"BL-{name}", "NMD") for name in ("popularity", "uniform")]
    (relation,) = (r for r in checks.relations if set(means) <= set(r.cells) and r.family == "list")
    (second,) = (cell for cell in relation.cells if cell.column == "Run 2")
    best = {cell: "0.0" for cell in checks.printed if cell.row == "NKUST-run0"}
    assert best
    assert relation.test({**checks.printed, **best, second: "E_NKUST-run0-C"}).holds
    missing = relation.test({**checks.printed, second: "E_nobody-C"})
    assert missing.holds is False
    assert missing.text.startswith("the overview has no ")


@pytest.mark.parametrize(("count", "expected"), [("25", True), ("26", False)])
def test_at_most_half_of_one_minus_tau_of_the_pairs_are_contradictory(checks, count, expected):
    """100 pairs and tau 0.50, which stands for 0.495 to 0.505: at most 25.25."""
    found = [r for r in checks.relations if r.relies.startswith("Section 5.2: contradicting means")]
    assert len(found) == 45
    for relation in found:
        texts = dict(zip(relation.cells, (count, "0.50", "100"), strict=True))
        assert relation.test({**checks.printed, **texts}).holds == expected


def test_counts_that_exclude_one_another_do_not_fit_together(checks):
    data = "Sem16T4E"
    (relation,) = (
        r
        for r in checks.relations
        if r.relies == RELIES and r.family == "feasibility" and significant(data, "NMD") in r.cells
    )
    found = relation.test({**checks.printed, significant(data, "NMD"): "0"})
    assert found == (False, "the 21 counts do not fit together")


# -- what votes allow --------------------------------------------------------------------------


def vote_check(checks, cell):
    (relation,) = (r for r in checks.relations if cell in r.cells and r.family == "feasibility")
    return relation


def dialogue_181(what, column="value"):
    return at("s5.3", f"181th dialogue: {what}", column)


def test_a_dialogue_is_found_by_its_numbers_where_two_classes_tie(checks):
    """Popularity then gives half to each of the two."""
    ways, found = vectors(19), deltas(19)
    tied = (ways == ways.max(axis=1, keepdims=True)) & (found[:, 1:] > 1e-6).all(axis=1)[:, None]
    which = np.flatnonzero(tied.sum(axis=1) == 2)[0]
    mode = np.flatnonzero(tied[which])[0]
    nmd, rnod = found[which, [0, 2]]
    texts = {
        dialogue_181("delta NMD"): f"{nmd:.9f}",
        dialogue_181("delta RNOD"): f"{rnod:.9f}",
        dialogue_181("d"): f"{nmd - rnod:.9f}",
        dialogue_181("class with the highest gold probability", "class"): str(mode - 2),
        at("s4", "DialEval-1: assessors"): "19",
    }
    half = dialogue_181("probability of Class 1 in Popularity")
    relation = vote_check(checks, half)
    votes = f"({', '.join(map(str, ways[which]))})"
    assert relation.test({**checks.printed, **texts, half: "0.5"}) == (True, f"votes {votes}")
    for other in ("1", "2"):
        found_none = relation.test({**checks.printed, **texts, half: other})
        assert found_none == (False, "votes do not exist")


@pytest.mark.parametrize("mode", [-1, 1])
def test_all_votes_that_fit_are_listed(checks, mode):
    """In all measures but NMD Uniform is better: with RSNOD, too, which leaves some out."""
    ways, found = vectors(20), deltas(20)
    one = (ways == ways.max(axis=1, keepdims=True)).sum(axis=1) == 1
    fits = one & (ways.argmax(axis=1) == mode + 2) & (found[:, 2:] > 0).all(axis=1)
    says = {"delta NMD": 0.05, "delta RNOD": 0.06, "d": -0.01}
    numbers = {"delta NMD": found[:, 0], "delta RNOD": found[:, 2], "d": found[:, 0] - found[:, 2]}
    for what, number in says.items():
        fits &= np.abs(numbers[what] - number) <= 0.005
    votes = [f"({', '.join(map(str, way))})" for way in ways[fits & (found[:, 1] > 1e-9)]]
    assert 1 < len(votes) < fits.sum()
    half = dialogue_181("probability of Class 1 in Popularity")
    texts = {
        **{dialogue_181(what): str(number) for what, number in says.items()},
        dialogue_181("class with the highest gold probability", "class"): str(mode),
        half: "1",
    }
    result = vote_check(checks, half).test({**checks.printed, **texts})
    assert result == (True, f"votes {' or '.join(votes)}")


@pytest.mark.parametrize("mode", ["3", "-3"])
def test_a_class_that_is_not_there_is_no_mode(checks, mode):
    cell = dialogue_181("class with the highest gold probability", "class")
    assert vote_check(checks, cell).test({**checks.printed, cell: mode}) == (
        False,
        f"no class {mode}",
    )


def test_disagreements_are_in_two_quadrants(checks):
    claim = at("s5.3", "NMD with NVD RNSS JSD: all disagreements in the 2nd quadrant", "claim")
    relation = vote_check(checks, claim)
    assert relation.test({**checks.printed, claim: "all in the 1st quadrant"}) == (
        False,
        "the measures disagree in the 2nd and 4th quadrant only",
    )
    exchanged = {
        DISAGREE.lowest: checks.printed[DISAGREE.highest],
        DISAGREE.highest: checks.printed[DISAGREE.lowest],
    }
    found = relation.test({**checks.printed, **exchanged})
    assert found == (False, "no votes give these numbers")


def test_who_wins_in_the_first_measure_wins_as_often_or_more_often_in_the_second(checks):
    row = row_of("DialEval-1 DQ-A")
    (relation,) = (r for r in checks.relations if r.cells == row.cells and r.family == "order")
    equal = dict.fromkeys(row.wins, "10")
    assert relation.test({**checks.printed, **equal}).holds
    first, sign, second, other = implications(20)[0]
    fewer, more = (row.wins[2 * i + (side == -1)] for i, side in ((first, sign), (second, other)))
    found = relation.test({**checks.printed, **equal, fewer: "11"})
    assert found == (False, f"{fewer.column} implies {more.column}")


def test_more_votes_than_can_be_tried_break_nothing():
    cell = at("s4", "DialEval-1: assessors")
    test = of_votes(cell, lambda printed, votes: Finding(False, f"{votes} tried"))
    assert test({cell: str(MOST_VOTES)}) == (False, f"{MOST_VOTES} tried")
    assert test({cell: str(MOST_VOTES + 1)}).holds
