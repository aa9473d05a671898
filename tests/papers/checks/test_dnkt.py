"""The checks of DNKT: they hold, notice wrong digits, and the errata break them."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest

from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks import dnkt
from ordbook.papers.checks.dnkt import definitions
from ordbook.papers.checks.dnkt.elsewhere import DUPLICATES, IN_ACL21
from ordbook.papers.checks.dnkt.numbers import HALVES, NOMINAL, at, ranked
from ordbook.papers.checks.dnkt.symbols import PREDICTED, SYMBOL_ERRATA, symbol_relations
from ordbook.papers.checks.dnkt.taus import is_step
from ordbook.papers.checks.places import ACL21
from ordbook.papers.ledger import audit, plant, printed_cells

NOTED = printed_cells()
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}
MINE = [cell for cell in PRINTED if cell.paper == "dnkt"]
DOUBTFUL = [cell for erratum in SYMBOL_ERRATA for cell in erratum.cells]


@pytest.fixture(scope="module")
def relations():
    return dnkt.relations(PRINTED)


@pytest.fixture(scope="module")
def ledger(relations):
    return audit(relations, lambda cell: ("stated", ""), dnkt.ERRATA, printed=NOTED)


def test_families(relations):
    counts = Counter(relation.family for relation in relations)
    assert counts["step"] == 8 * (36 + 9)
    assert counts["interval"] == 2 * counts["step"]
    assert counts["average"] == 72 + 36 + 9 + 9 + 24
    assert counts["order"] == 11 * (16 + 2)
    assert counts["feasibility"] == 8 + 1 + 2
    assert {r.family for r in relations if r.slow} == {"feasibility"}
    assert all(relation.slow for relation in relations if relation.family == "feasibility")
    assert counts["symbols"] == 16 * (12 + 12 * 13 // 2)
    assert min(counts[f] for f in ("sum", "list", "product", "example", "printed twice")) >= 10
    assert min(counts["claim"], counts["triangle"]) >= 100


def test_every_number_is_reached(ledger):
    cells = ledger.cells[ledger.cells["paper"] == "dnkt"]
    assert (cells["checks"] > 0).all()
    assert set(cells["status"]) == {"exact", "follows", "consistent", "open", "erratum"}
    counts = cells["status"].value_counts()
    assert (counts["open"], counts["erratum"]) == (len(DOUBTFUL) + 1, 2)
    correlations = cells[cells["table"].str.fullmatch(r"[3-9]|1\d|2[01234][abc]?")]
    assert set(correlations["status"]) == {"follows"}


def test_each_erratum_breaks_a_check_for_each_of_its_cells(holds, relations):
    """Also where no other cell of an erratum is read."""
    guilty = {cell for erratum in dnkt.ERRATA for cell in erratum.cells}
    for erratum in dnkt.ERRATA:
        for cell in erratum.cells:
            alone = [r for r in relations if guilty & set(r.cells) == {cell}]
            assert any(not holds(r, PRINTED) for r in alone), cell


def test_the_counterexamples_are_those_of_the_errata(ledger):
    said = {erratum.name: erratum for erratum in dnkt.ERRATA}
    found = {name: " ".join(f.text for f in ledger.failures(e)) for name, e in said.items()}
    example = "gold (0.5, 0, 0.5), estimate (0, 1, 0): 0.3819, exchanged 0.5401"
    assert example in found["dnkt-table1-rnadw2-symmetric"]
    assert "estimate (1, 0, 0): 0.6296, exchanged 0.3333" in found["dnkt-footnote2-od-symmetric"]


def test_predicted_symbols_mend_all_columns(holds, relations):
    predicted = {
        at(table, measure, f"{half} outperforms"): marks
        for (table, half), rows in PREDICTED.items()
        for measure, marks in rows.items()
    }
    assert set(predicted) == set(DOUBTFUL)
    notes = {cell: note for cell, (_, note) in NOTED.items() if "predicted: " in note}
    mine = {cell: note for cell, note in notes.items() if cell.paper == "dnkt"}
    assert predicted == {c: n.split("predicted: ")[1].split()[0] for c, n in mine.items()}
    touched = [r for r in relations if set(predicted) & set(r.cells)]
    assert all(holds(r, PRINTED | predicted) for r in touched)


@pytest.mark.parametrize(
    ("place", "wrong", "family"),
    [
        (("3", "NMD", "RNADW"), "0.849", "step"),
        (("3", "NMD", "RNADW low"), "0.658", "interval"),
        (("caption7", "STC-3 DQ-A", "runs"), "18", "interval"),
        (("caption22", "STC-3", "interval percentage"), "90", "interval"),
        (("14", "RNOD", "average"), "0.846", "average"),
        (("19", "NMD", "JSD"), "0.823", "average"),
        (("24", "DNKT", "JSD"), "0.560", "printed twice"),
        (("13", "RNOD", "RNADW2"), "0.126", "feasibility"),
        (("13", "RNOD", "RNADW2"), "0.126", "triangle"),
        (("13", "NVD", "JSD"), "0.883", "printed twice"),
        (("25b", "NVD", "full split"), "0.8799", "printed twice"),
        (("26b", "JSD", "full split"), "0.7845", "order"),
        (("26b", "RNOD2", "10 vs. 10 outperforms"), "∇◯△†", "symbols"),
        (("28", "NMD", "full split"), "0.7679", "average"),
        (("caption25b", "Sem17T4E full split", "first half"), "64", "sum"),
        (("2", "STC-3 DQ-{A, E, S}", "#Runs used E"), "8", "sum"),
        (("s2.3", "example DNKT estimate", "class 2"), "0.20", "example"),
        (("s2.3", "at least one uniform distribution", "DNKT"), "0.4", "example"),
        (("s5", "Sem16T4E RNOD full split", "outperforms"), "eight", "claim"),
        (("s5", "Table 28 ordinal winner", "measure"), "RNOD2", "claim"),
        (("s4", "data sets", "count"), "seven", "printed twice"),
    ],
)
def test_wrong_numbers_are_noticed(families, relations, place, wrong, family):
    assert family in families(relations, PRINTED, {at(*place): wrong})


def test_planted_digits(ledger):
    mine = [p for p in plant(ledger, len(PRINTED)) if p.cell.paper == "dnkt"]
    silent = {p.cell.table for p in mine if not p.noticed}
    assert len(mine) > 1500
    assert silent <= {"25a", "25b", "26a", "26b", "26c", "27a", "27b", "27c", "28"}
    assert sum(p.noticed for p in mine) > 0.96 * len(mine)


def test_unreached():
    """Scores of runs are behind Tables 3 to 28; Tables 1 and 2 have properties and sizes."""
    assert dnkt.unreached(at("27a", "NMD", "full split"))[0] == "not reached"
    assert dnkt.unreached(at("7", "NMD", "RNADW"))[0] == "not reached"
    assert dnkt.unreached(at("s5", "splits", "B"))[0] == "stated"
    assert dnkt.unreached(at("1", "(b) ordinal", "NMD"))[0] == "stated"
    assert dnkt.unreached(at("2", "Sem16T4E", "#Runs used"))[0] == "stated"


# -- definitions -----------------------------------------------------------------------------------


def test_table_1_and_section_2_say_what_rnadw2_assumes(holds, monkeypatch):
    """Were its distances fixed, its tick under (d) and the sentence on it would be wrong."""
    known = {cell for erratum in dnkt.ERRATA for cell in erratum.cells}

    def broken():
        found = definitions.definition_relations(PRINTED)
        return {
            relation.cells[0]: relation.test(PRINTED).text
            for relation in found
            if not holds(relation, PRINTED) and not known & set(relation.cells)
        }

    assert broken() == {}
    fixed = replace(QUANTIFICATION["RNADW2"], equidistant=True)
    monkeypatch.setattr(definitions, "QUANTIFICATION", {**QUANTIFICATION, "RNADW2": fixed})
    assert broken() == {
        at("1", "(d) no equidistance", "RNADW2"): "printed ✓, ours blank",
        at("s2.1", "RNADW2 avoids equidistance", "claim"): "printed avoids, ours assumes",
    }


def test_concordant_and_discordant_pairs_of_classes():
    """Section 2.3: a pair of classes that is tied in either distribution is neither."""
    falling = (0.4, 0.3, 0.2, 0.1)
    assert definitions._concordance(falling, falling) == (6, 0)
    assert definitions._concordance(falling, falling[::-1]) == (0, 6)
    assert definitions._concordance(falling, (0.4, 0.3, 0.1, 0.2)) == (5, 1)
    assert definitions._concordance(falling, (0.3, 0.3, 0.1, 0.3)) == (2, 1)
    assert definitions._concordance((0.3, 0.3, 0.1, 0.3), falling) == (2, 1)


def test_an_example_that_does_not_sum_to_1_may_still_rank_the_classes_alike(families, relations):
    """Each fault is noticed once: 0.32 in place of 0.31 leaves the order, and 0.29 does not."""
    cell = at("s2.3", "example DNKT estimate", "class 1")
    assert families(relations, PRINTED, {cell: "0.32"}) == {"sum"}
    assert families(relations, PRINTED, {cell: "0.29"}) == {"sum", "example"}


# -- tau -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "side", "expected"),
    [("3", "0.799", True), ("3", "0.798", False), ("19", "0.797", True), ("19", "0.796", False)],
)
def test_a_triangle_may_miss_by_what_rounding_hides(holds, relations, table, side, expected):
    """Two sides of .9 leave .8 for the third: less by .0015, or by .003 for rounded averages."""
    cells = at(table, "NMD", "RNADW"), at(table, "NMD", "RNOD"), at(table, "RNADW", "RNOD")
    printed = {**PRINTED, **dict(zip(cells, (side, "0.900", "0.900"), strict=True))}
    found = [r for r in relations if r.family == "triangle" and set(r.cells) == set(cells)]
    assert len(found) == 3
    (mine,) = (r for r in found if r.cells[0] == cells[0])
    assert holds(mine, printed) == expected


# -- rankings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rank", "text", "expected"),
    [
        (0, "NMD", True),
        (0, "RNOD", False),
        (1, "RNOD", True),
        (-1, "JSD", False),  # NVD is as high
        (-1, "NVD", False),
        (0, "ranks differently", True),  # the sentence is about NMD
        (1, "ranks differently", False),
    ],
)
def test_a_measure_has_its_rank_alone(holds, rank, text, expected):
    texts = {"JSD": "0.3", "NMD": "0.1", "RNOD": "0.2", "NVD": "0.3"}
    values = {measure: at("20", measure, "average") for measure in texts}
    sentence = at("s6", "NMD", "claim")
    printed = {sentence: text} | {values[measure]: texts[measure] for measure in texts}
    assert holds(ranked(sentence, values, rank, "a table"), printed) == expected


def test_rnod_is_no_winner_where_another_ordinal_measure_is_as_high(holds, relations):
    """RNOD and RNOD2 have the same digits in full split, so 10 vs. 10 has to tell them apart."""
    cells = [at("28", measure, "10 vs. 10") for measure in ("RNOD", "RNOD2")]
    assert PRINTED[at("28", "RNOD", "full split")] == PRINTED[at("28", "RNOD2", "full split")]
    winner = at("s5", "Table 28 ordinal winner", "measure")
    (mine,) = (r for r in relations if winner in r.cells)
    assert holds(mine, PRINTED)
    assert not holds(mine, {**PRINTED, cells[1]: PRINTED[cells[0]]})
    assert not holds(mine, {**PRINTED, winner: "RNOD2"})


@pytest.mark.parametrize(
    ("sentence", "changes"),
    [
        (
            ("s5", "Table 28 nominal winners", "measures"),
            {at("28", "RNSS", "full split"): at("28", "JSD", "full split")},
        ),
        (
            ("s6", "DNKT against the quantification measures", "claim"),
            {at("28", "DNKT", "full split"): at("28", "DNKT_NMD", "full split")},
        ),
        (
            ("s5", "Table 28 combined measures", "claim"),
            {at("28", "DNKT_NMD", "10 vs. 10"): at("28", "NMD", "10 vs. 10")},
        ),
        (
            ("s5", "Sem16T4E RNOD", "rank"),
            {at("25a", "DNKT_JSD", "full split"): at("25a", "RNOD", "full split")},
        ),
        (
            ("s4", "RNOD and variants", "claim"),
            {at("19", "RNADW", "NVD"): at("19", "NMD", "NVD")},
        ),
        (("s6", "RNOD", "claim"), {at("19", "RNOD", "JSD"): at("19", "NMD", "JSD")}),
        (
            ("s6", "RNOD", "claim"),
            {at("19", "NMD", other): at("19", "NMD", "RNOD") for other in NOMINAL},
        ),
        (
            ("s4", "combined measures", "claim"),
            {at("24", "DNKT", "DNKT_RNOD"): at("24", "DNKT", "RNOD")},
        ),
        (
            ("s4", "combined measures", "claim"),
            {at("24", "JSD", "DNKT_JSD"): at("24", "DNKT", "JSD")},
        ),
        (
            ("s3", "NTCIR against SemEval", "claim"),
            {
                at("2", "STC-3 DQ-{A, E, S}", "Test data sample size"): at(
                    "2", "Sem17T4E", "Test data sample size"
                )
            },
        ),
        (
            ("s2.1", "RSNOD against RNOD in consistency", "claim"),
            {
                ACL21.at(table, "RSNOD", "mean tau"): ACL21.at(table, "RNOD", "mean tau")
                for _, *tables in IN_ACL21.values()
                for table in tables
            },
        ),
        (
            ("s2.2", "NMD against nominal measures", "claim"),
            {
                ACL21.between(PRINTED, "8i", "NMD", other): ACL21.between(
                    PRINTED, "8i", "RNOD", other
                )
                for other in NOMINAL
            },
        ),
    ],
)
def test_as_high_is_not_higher(holds, relations, sentence, changes):
    mine = [r for r in relations if {at(*sentence), *changes} <= set(r.cells)]
    assert mine
    assert all(holds(relation, PRINTED) for relation in mine)
    printed = {**PRINTED, **{cell: PRINTED[other] for cell, other in changes.items()}}
    assert not any(holds(relation, printed) for relation in mine)


@pytest.mark.parametrize(
    ("table", "row", "halves", "expected"),
    [
        ("25a", "Sem16T4E", ("50", "50"), True),
        ("25a", "Sem16T4E", ("51", "49"), False),
        ("25b", "Sem17T4E", ("62", "63"), True),
        ("25b", "Sem17T4E", ("64", "61"), False),
    ],
)
def test_halves_of_an_odd_number_differ_by_one(holds, relations, table, row, halves, expected):
    cells = [at(f"caption{table}", f"{row} full split", f"{n} half") for n in ("first", "second")]
    (mine,) = (r for r in relations if r.family == "sum" and set(cells) < set(r.cells))
    assert holds(mine, {**PRINTED, **dict(zip(cells, halves, strict=True))}) == expected


# -- what single checks let pass -------------------------------------------------------------------


@pytest.mark.parametrize(("tau", "expected"), [("0.1005", True), ("0.1006", False)])
def test_a_step_may_be_off_by_half_a_unit(tau, expected):
    """0.1005 may have been rounded from 0.1, one of ten pairs."""
    assert is_step(Decimal(tau), Decimal(5)) == expected


@pytest.mark.parametrize(
    ("others", "expected"),
    [(("0.8", "0.8"), True), (("0.9", "0.8"), False), (("0.8", "0.9"), False)],
)
def test_the_ordinal_winner_may_be_as_high_in_one_half_but_not_in_both(
    holds, relations, others, expected
):
    sentence = at("s5", "Table 28 ordinal winner", "measure")
    (relation,) = (r for r in relations if r.cells[0] == sentence)
    texts = {c: others["full" not in c.column] for c in relation.cells[1:]}
    texts |= {c: "0.9" if "full" in c.column else "0.8" for c in texts if c.row == "RNOD"}
    assert holds(relation, {**PRINTED, **texts}) == expected


@pytest.mark.parametrize(
    ("odd", "gap", "expected"),
    [
        ((3, 3), 0, True),
        ((3, 3), 1, False),
        ((4, 3), 1, True),
        ((4, 3), 2, False),
        ((3, 4), -1, True),
        ((4, 4), 2, True),
        ((4, 4), 3, False),
    ],
)
def test_a_measure_ties_a_pair_where_most_of_its_numerators_are_odd(
    holds, relations, odd, gap, expected
):
    """Of 190 pairs; the seven tau of each measure have 190 - 3 or 190 - 4 as numerators."""

    def tau(numerator):
        return f"{numerator / 190:.4f}"

    found = [r for r in relations if "but ties count 0 here" in r.relies]
    assert found
    for relation in found:
        seven = [tau(187 if i < many else 186) for many in odd for i in range(7)]
        texts = [tau(100 + DUPLICATES + gap), tau(100), "20", *seven]
        changed = dict(zip(relation.cells, texts, strict=True))
        assert holds(relation, {**PRINTED, **changed}) == expected


def test_tau_1_is_no_divergence(holds, relations):
    (relation,) = (r for r in relations if r.relies == "Eq. 16" and len(r.cells) == 2)
    for divergence, tau, expected in (("0", "1", True), ("1", "-1", True), ("1", "1", False)):
        changed = dict(zip(relation.cells, (divergence, tau), strict=True))
        assert holds(relation, {**PRINTED, **changed}) == expected


def test_nmd_needs_no_tick_for_arbitrary_steps(relations):
    (relation,) = (r for r in relations if r.relies == "Eq. 1" and r.family == "claim")
    (cell,) = relation.cells
    assert PRINTED[cell] == definitions.TICK
    assert relation.test({cell: definitions.TICK}).holds is False
    assert relation.test({cell: "blank"}).holds is True


# -- symbols ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "marks", "most"),
    [
        # What JSD outperforms is not higher than what it does not.
        (lambda k: {"JSD": 9000, "RNOD": 8990, "NVD": 8990 - k}, {"JSD": "♡"}, 0),
        # What outperforms NVD is not lower than what does not.
        (lambda k: {"JSD": 9000 + k, "RNOD": 9000, "NVD": 8990}, {"RNOD": "*"}, 0),
        # JSD over RNOD, RNOD over NVD: half a unit more or less of RNOD counts in both.
        (
            lambda k: {"JSD": 5005 + k, "RNOD": 4995, "NVD": 4985},
            {"JSD": "*", "RNOD": "*"},
            1,
        ),
        (lambda k: {"JSD": 9000, "RNOD": 8990, "NVD": 8980 - k}, {"JSD": "♡*"}, 1),
        # Four values, each half a unit more or less.
        (
            lambda k: {"JSD": 9000, "RNOD": 8990, "NVD": 8900, "RNSS": 8890 - k},
            {"JSD": "♡*⋆", "RNOD": "*⋆"},
            1,
        ),
    ],
)
def test_one_difference_is_significant_all_over_a_column(holds, values, marks, most):
    """One of .0010 is, and one that is larger by more than rounding hides is not."""

    def consistent(k):
        column = {measure: f"{value / 10_000:.4f}" for measure, value in values(k).items()}
        printed = {at("25a", measure, "full split"): text for measure, text in column.items()}
        printed |= {
            at("25a", measure, "full split outperforms"): marks.get(measure, "blank")
            for measure in column
        }
        found = [r for r in symbol_relations(printed) if r.relies == "one Tukey HSD in a column"]
        assert len(found) == len(column) * (len(column) + 1) // 2
        return all(holds(relation, printed) for relation in found)

    assert [consistent(k) for k in range(4)] == [k <= most for k in range(4)]


@pytest.mark.parametrize(("text", "expected"), [("♡*", True), ("*♡", False), ("**", False)])
def test_symbols_stand_in_the_order_of_the_column_each_once(holds, text, expected):
    column = {"JSD": "0.9000", "RNOD": "0.8990", "NVD": "0.8980"}
    printed = {at("25a", measure, "full split"): number for measure, number in column.items()}
    printed |= {at("25a", measure, "full split outperforms"): "blank" for measure in column}
    cell = at("25a", "JSD", "full split outperforms")
    (order,) = (r for r in symbol_relations(printed) if r.cells == (cell,))
    assert holds(order, {**printed, cell: text}) == expected


@pytest.mark.parametrize("count", [0, 1, 2])
def test_what_the_text_counts_is_lower_by_the_hsd(holds, count):
    """NVD outperforms RNSS by 15, not DNKT by 10; JSD and RNOD are as much above both."""
    values = {"JSD": 9000, "RNOD": 9000, "NVD": 9000, "DNKT": 8990, "RNSS": 8985}
    printed = {at("25a", m, "full split"): f"{value / 10_000:.4f}" for m, value in values.items()}
    printed |= {at("25a", m, "full split outperforms"): "blank" for m in values}
    printed[at("25a", "NVD", "full split outperforms")] = "⋆"
    found = [
        relation
        for relation in symbol_relations(printed)
        if "without a doubtful symbol" in relation.relies and "full split" in relation.cells[0].row
    ]
    assert len(found) == 2
    for relation in found:
        assert holds(relation, {**printed, relation.cells[0]: str(count)}) == (count == 1)


def test_the_errata_say_what_the_other_numbers_imply():
    said = {}
    for erratum in SYMBOL_ERRATA:
        (table,) = {cell.table for cell in erratum.cells}
        assert erratum.name == f"dnkt-table{table}-symbols"
        assert erratum.kind == "extraction"
        implied = erratum.derivation.partition("Implied by the other numbers: ")[2]
        for part in implied.removesuffix(".").split("; "):
            (half,) = (half for half in HALVES if part.startswith(f"{half} "))
            rows = part.removeprefix(f"{half} ").split(", ")
            said[table, half] = dict(row.split(" ") for row in rows)
    assert said == PREDICTED


def test_the_number_of_data_sets_is_that_of_table_2(relations, holds):
    eight = at("caption2", "Table 2", "data sets")
    (listed,) = (r for r in relations if r.family == "list" and r.cells == (eight,))
    assert [holds(listed, {**PRINTED, eight: n}) for n in ("7", "8", "9")] == [False, True, False]
