"""The checks of ACL'21: they run, break on the erratum only, and notice planted digits."""

import re
from collections import Counter
from functools import partial

import pytest

from ordbook.papers.checks import acl21
from ordbook.papers.checks.acl21.numbers import SPLIT_TASKS, TASKS, at
from ordbook.papers.checks.acl21.rankings import discordant, pairs_of_runs
from ordbook.papers.ledger import audit, plant, printed_cells
from ordbook.papers.relations import Cell

PAPERS = ("acl21", "sigir18", "dialeval1")
NOTED = {cell: noted for cell, noted in printed_cells().items() if cell.paper in PAPERS}
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}
OPEN = at("5iii", "RSNOD", "NMD")


@pytest.fixture(scope="module")
def relations():
    return acl21.relations(PRINTED)


@pytest.fixture(scope="module")
def ledger(relations):
    noted = {cell: noted for cell, noted in NOTED.items() if cell.paper == "acl21"}
    noted |= {cell: NOTED[cell] for relation in relations for cell in relation.cells}
    return audit(relations, acl21.unreached, acl21.ERRATA, printed=noted)


@pytest.fixture
def broken(relations, families):
    return partial(families, relations, PRINTED)


def test_every_table_has_its_checks(relations):
    counts = Counter(relation.family for relation in relations)
    assert counts["step"] == 2 * 36 + 3 * 15 + 2 * 15
    assert counts["triangle"] == 2 * 84 + 5 * 20  # every three of nine, and of six measures
    assert counts["feasibility"] == len(TASKS)
    assert counts["symbols"] == counts["p-value"] == len(SPLIT_TASKS)
    assert counts["effect size"] == 3
    assert counts["claim"] > 70
    assert counts["printed twice"] > 80
    assert counts["order"] > 90


def test_no_check_reads_a_later_paper(relations):
    assert {cell.paper for relation in relations for cell in relation.cells} == set(PAPERS)
    everything = {cell: text for cell, (text, _) in printed_cells().items()}
    assert [r.cells for r in acl21.relations(everything)] == [r.cells for r in relations]


def test_the_erratum_breaks_the_check_on_dialeval_and_no_other(ledger):
    (erratum,) = acl21.ERRATA
    (finding,) = ledger.failures(erratum)
    assert finding.text == "C - D is 163 to 167 by the means; printed 0.662, which is 153/231"
    status = ledger.cells.set_index(["paper", "table", "row", "column"])["status"]
    assert status[OPEN] == "open"
    others = ledger.cells[ledger.cells["paper"] == "acl21"]
    assert not set(others["status"]) & {"erratum", "differs", "close"}


def test_no_single_digit_explains_the_erratum(broken):
    """The taus of the means are impossible beside RNOD's with RSNOD and NMD, as it says."""
    pairs = pairs_of_runs(PRINTED[at("1", "DQ-{A, E, S}", "#runs used")])
    apart = {
        (one, other): discordant(PRINTED[at("5iii", one, other)], pairs)
        for one, other in (("RNOD", "NMD"), ("RSNOD", "RNOD"))
    }
    assert apart == {("RNOD", "NMD"): 48, ("RSNOD", "RNOD"): 13}
    for disagreements in (32, 33, 34):
        tau = f"{1 - 2 * disagreements / pairs:.3f}"
        assert "triangle" in broken({OPEN: tau})


@pytest.mark.parametrize(
    ("cell", "wrong", "expected"),
    [
        (at("2ii", "kappa", "CEM_ORD"), "0.748", {"step"}),
        (at("8i", "RNSS", "NMD"), "0.848", {"triangle"}),  # a possible tau, one pair more alike
        (at("1", "DQ-{A, E, S}", "#runs used"), "23 (13+9)", {"step", "sum"}),
        (at("3a", "kappa", "mean tau"), "0.963", {"p-value"}),
        (at("6c", "RNOD", "outperforms"), "†", {"p-value"}),
        (at("6c", "JSD", "outperforms"), "‡", {"symbols"}),
        (at("3c", "all measures", "V_E2"), "0.00914", {"p-value"}),
        (at("9i left", "all measures", "V_E2"), "0.00176", {"printed twice"}),
        (at("6a", "test sets", "size 2"), "160", {"sum"}),
        (at("table3", "V_E2 matrix", "trials"), "1100", {"printed twice"}),
        (at("figure1ii", "panel", "system pairs"), "191", {"product"}),
        (at("s3.1", "kappa of a run that always returns one class", "value"), "1", {"example"}),
        (
            at("4", "kappa", "(ii) handles systems that always return the same class"),
            "✓",
            {"claim"},
        ),
        (at("7", "RSNOD", "(iv) system ranking consistency"), "good", {"claim"}),
        (at("4", "MAE_mu", "(iv) system ranking similarity"), "A", {"claim", "list"}),
        (Cell("dialeval1", "6", "NKUST-run0", "NMD"), "0.0001", {"interval"}),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_wrong_number_is_noticed(broken, cell, wrong, expected):
    assert expected <= broken({cell: wrong})


@pytest.mark.parametrize(
    ("word", "printed", "number", "holds"),
    [
        ("more than", "five", "5.9", True),
        ("more than", "five", "6.0", False),
        ("more than", "five", "4.9", False),
        ("about", "two", "2.4", True),
        ("about", "two", "1.6", True),
        ("about", "two", "2.6", False),
    ],
)
def test_over_five_is_cut_off_and_about_two_is_rounded(relations, word, printed, number, holds):
    (relation,) = (
        relation
        for relation in relations
        if relation.relies == "the caption" and relation.cells[0].column == word
    )
    cell, result = relation.cells
    assert PRINTED[cell] == printed
    assert relation.test({**PRINTED, result: number}).holds == holds


@pytest.mark.parametrize(
    ("floor", "holds"),
    [("0", False), ("0.001", True), ("0.5", True), ("0.50001", False), ("1", False)],
)
def test_a_floor_of_half_an_item_leaves_cem_ord_as_it_is(relations, floor, holds):
    """No class that counts has a proximity of less than half an item: one item, and itself."""
    cell = at("s3.1", "CEM_ORD floor of the proximity count", "value")
    (relation,) = (relation for relation in relations if relation.cells == (cell,))
    assert relation.test({cell: floor}).holds == holds


@pytest.fixture
def only(relations):
    """The one check of a family, and of a table or part."""

    def find(family, table):
        (relation,) = (r for r in relations if r.family == family and r.cells[0].table == table)
        return relation

    return find


FALLING = "0.900 0.800 0.700 0.600 0.500 0.400"
NEARLY = "0.501 0.499 0.450 0.450 0.450 0.400"


@pytest.mark.parametrize(
    ("taus", "marks", "holds", "text"),
    [
        # No two taus are more than 2 apart.
        (
            FALLING,
            "- - - - - -",
            True,
            "not significant from 0.499 down, significant from 2.000 up",
        ),
        (
            FALLING,
            "♣ ♥ ♦ ‡ † -",
            True,
            "not significant from 0.000 down, significant from 0.101 up",
        ),
        (NEARLY, "- † - - - -", True, "not significant from 0.100 down, significant from 0.100 up"),
        (
            NEARLY.replace("501", "502"),
            "- † - - - -",
            False,
            "not significant from 0.101 down, significant from 0.100 up",
        ),
        (FALLING, "- - - - - †", False, "a measure outperforms itself or a better one"),
    ],
)
def test_symbols_come_from_one_difference(only, taus, marks, holds, text):
    """Each tau may be .0005 off, and a difference .001; † means the worst one is outperformed."""
    relation = only("symbols", "6a")
    texts = [*taus.split(), *marks.replace("-", "blank").split()]
    found = relation.test(PRINTED | dict(zip(relation.cells, texts, strict=False)))
    assert found == (holds, text)


@pytest.mark.parametrize(("which", "text"), [(1, "0"), (2, "0"), (2, "1"), (2, "2"), (3, "0")])
def test_no_test_has_no_splits_or_trials_or_such_a_level(only, which, text):
    relation = only("p-value", "6a")
    cell = relation.cells[len(relation.cells) - 4 + which]  # V_E2, splits, level, trials
    assert relation.test(PRINTED | {cell: text}) == (False, "no such test")


def test_no_test_finds_a_measure_better_than_itself(only):
    relation = only("p-value", "6a")
    worst = at("6a", "NMD", "outperforms")
    assert relation.cells[11] == worst, "the last of six taus and six symbols"
    assert relation.test(PRINTED | {worst: "†"}) == (False, "no such test")


@pytest.mark.parametrize(
    ("taus", "mark"),
    [
        ("0.405 0.404 0.403 0.402 0.401 0.400", "♣ ♥ ♦ ‡ †"),
        ("0.409 0.407 0.405 0.403 0.401 0.400", ""),
    ],
)
@pytest.mark.parametrize(("trials", "holds"), [("1", True), ("5000", False)])
def test_one_trial_says_nothing_about_a_critical_difference(only, taus, mark, trials, holds):
    """By V_E2 it is .005: neither are all of .001 significant, nor is .009 not."""
    relation = only("p-value", "6a")
    marks = [*mark.split(), *["blank"] * 6][:6]
    changes = dict(zip(relation.cells, [*taus.split(), *marks], strict=False))
    *_, level, number = relation.cells
    assert relation.test(PRINTED | changes | {level: "0.5", number: trials}).holds == holds


@pytest.mark.parametrize(
    ("tau", "mark", "residual", "text"),
    [
        (
            "0.500",
            "",
            "0.00000",
            "critical difference 0.0000 to 0.00.*, by the symbols -0.001 to 2",
        ),
        ("1", "♣ ♥ ♦ ‡ †", "0", "critical difference 0.0000 to 0.0000, by the symbols 0.000 to 0"),
    ],
)
def test_equal_means_may_have_a_critical_difference_of_zero(only, tau, mark, residual, text):
    relation = only("p-value", "6a")
    texts = [*[tau] * 6, *[*mark.split(), *["blank"] * 6][:6]]
    changes = dict(zip(relation.cells, texts, strict=False)) | {relation.cells[-4]: residual}
    found = relation.test(PRINTED | changes)
    assert found.holds
    assert re.fullmatch(text + ".000", found.text)


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ("AA3 BB3 AC2 BC1", True),
        ("AA3 BB3 AC1 BC1", False),
        ("AA2 BB3 AC2 BC1", False),
        ("AA3 BB1 AC2 BC1", False),
    ],
)
def test_cem_ord_is_closer_to_group_a_on_average(relations, means, expected):
    value = {mean[:2]: mean[2:] for mean in means.split()} | {"AB": "0"}
    found = [r for r in relations if r.relies.startswith("Section 5.1 (c): unlike both groups")]
    assert found
    for relation in found:
        own, *cells = relation.cells
        label = {c.row: PRINTED[c] for c in cells if c.table == "4"} | {own.row: "C"}
        taus = [c for c in cells if c.table != "4"]
        texts = {c: value["".join(sorted((label[c.row], label[c.column])))] for c in taus}
        assert relation.test({**PRINTED, **texts}).holds is expected
        assert relation.test({**PRINTED, own: "A"}) == (
            False,
            "the groups are not A, B, and A/B for CEM_ORD",
        )


def test_a_measure_without_a_grade_is_noticed(relations):
    found = [
        relation
        for relation in relations
        if re.match(r"Table [47] sums up the consistency", relation.relies)
        and relation.test(PRINTED).text.startswith("averages ")
    ]
    assert found
    for relation in found:
        result = relation.test({**PRINTED, relation.cells[0]: "excellent"})
        assert result.holds is False
        assert result.text.startswith("not every measure is placed once: ")


@pytest.mark.parametrize(("between", "holds"), [("0.801", True), ("0.802", False)])
def test_groups_are_told_apart_up_to_rounding(relations, between, holds):
    """0.8005 prints as 0.800 and as 0.801."""
    relation = next(r for r in relations if r.relies.startswith("Table 7 (iii)"))
    group = {cell.row: PRINTED[cell] for cell in relation.cells if cell.table == "7"}
    taus = [cell for cell in relation.cells if cell.table != "7"]
    changes = {t: "0.800" if group[t.row] == group[t.column] else between for t in taus}
    assert relation.test(PRINTED | changes).holds == holds


@pytest.mark.parametrize("names", ["AAAAAA", "ABCDEF"])
def test_one_group_or_single_measures_tell_nothing(relations, names):
    relation = next(r for r in relations if r.relies.startswith("Table 7 (iii)"))
    assert [cell.table for cell in relation.cells[:7]] == ["7"] * 6 + ["5i"]
    found = relation.test(PRINTED | dict(zip(relation.cells, names, strict=False)))
    assert found == (False, "there is one group, or none has two measures")


def test_averages_fall_up_to_rounding_and_every_measure_is_placed_once(relations):
    relation = next(r for r in relations if r.relies == "averages of Table 3(a) and (c)")
    top, worst, *taus = relation.cells
    assert (top.row[-3:], worst.row[-5:]) == ("top", "worst")
    for others, holds in (("0.801", True), ("0.802", False)):
        changes = {tau: "0.800" if tau.row in PRINTED[top].split() else others for tau in taus}
        assert relation.test(PRINTED | changes).holds == holds
    twice = relation.test(PRINTED | {worst: PRINTED[top]})
    assert not twice.holds
    assert twice.text.startswith("not every measure is placed once")


def test_nmd_is_the_worst_where_the_text_says(relations):
    """Were it so in Table 6 (c), its Figure 2 (ii) would have to be named as well."""
    relation = next(r for r in relations if r.relies.startswith("Section 6.3: Figure 2"))
    tables, figures, *_ = relation.cells
    assert (PRINTED[tables], PRINTED[figures]) == ("(a) and (e)", "(i) and (iii)")
    worse = PRINTED | {at("6c", "NMD", "mean tau"): "0.100"}
    assert not relation.test(worse).holds
    said = {tables: "(a) and (c) and (e)", figures: "(i) and (ii) and (iii)"}
    assert relation.test(worse | said).holds
    assert not relation.test(PRINTED | said).holds


@pytest.mark.parametrize(
    ("axis", "texts", "holds"),
    [
        ("system pairs axis", "1 5 66", True),
        ("system pairs axis", "1 0 66", False),
        ("p-value axis", "0 0.05 0.5", True),
        ("p-value axis", "0.01 0.04 0.05", True),  # regular from its own first label on
        ("p-value axis", "0.01 0.03 0.07", False),  # no label at .05
        ("p-value axis", "0.01 0.04 0.06", False),
        ("p-value axis", "0 0 0.5", False),
    ],
)
def test_an_axis_is_regular(relations, axis, texts, holds):
    (relation,) = (
        r
        for r in relations
        if r.family == "order" and r.cells[0].table == "figure1i" and r.cells[0].row == axis
    )
    changes = dict(zip(relation.cells, texts.split(), strict=False))
    assert relation.test(PRINTED | changes).holds == holds


def six_rankings(disagreements):
    """Return Table 5(i) for 12 runs: 66 pairs, of which two measures order so many otherwise."""
    cells = [cell for cell in PRINTED if cell.table == "5i"]
    names = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]
    pairs = {c: sorted((names.index(c.row), names.index(c.column))) for c in cells}
    taus = {c: f"{1 - 2 * disagreements(*pair) / 66:.3f}" for c, pair in pairs.items()}
    return {**taus, at("1", "DQ-{A, E, S}", "#runs used"): "12"}


@pytest.fixture
def fulfil(relations):
    """Whether texts fulfil the checks of Table 5(i) of a family."""

    def test(family, printed):
        checks = [r for r in relations if r.family == family and r.cells[0].table == "5i"]
        return [relation.test(printed).holds for relation in checks]

    return test


@pytest.mark.parametrize("alone", range(6))
def test_one_measure_may_rank_unlike_all_others(fulfil, alone):
    printed = six_rankings(lambda a, b: 10 * (alone in (a, b)))
    assert fulfil("feasibility", printed) == [True]
    assert all(fulfil("triangle", printed))


@pytest.mark.parametrize(
    ("disagreements", "triangles", "feasible"),
    [
        (lambda a, b: 0, True, True),  # six times the same ranking
        (lambda a, b: 2 * ((a < 3) != (b < 3)), True, True),  # two groups
        # Halves, three measures each, part 9 of the 15 pairs of measures, and nothing parts more:
        # 15 * 40 > 9 * 66, but 15 * 36 < 9 * 66.
        (lambda a, b: 36, True, True),
        (lambda a, b: 40, True, False),
        # Three measures between two others, 10 from each: paths of the graph K(2, 3).
        (lambda a, b: 0 if a + b == 9 else 10 * (1 + ((a < 2) == (b < 2))), True, False),
        (lambda a, b: 44, True, False),  # every pair of runs parts every three
        (lambda a, b: 46, False, False),
        (lambda a, b: 20 if (a, b) == (0, 1) else 10 if a < 2 else 0, True, True),  # between two
        (lambda a, b: 22 if (a, b) == (0, 1) else 10 if a < 2 else 0, False, False),
    ],
)
def test_which_rankings_there_are(fulfil, disagreements, triangles, feasible):
    printed = six_rankings(disagreements)
    assert all(fulfil("triangle", printed)) == triangles
    assert fulfil("feasibility", printed) == [feasible]


@pytest.mark.parametrize(
    ("agreement", "holds"), [(161, False), (163, True), (165, True), (167, True), (169, False)]
)
def test_the_means_of_dialeval_leave_two_pairs_of_runs_open(only, agreement, holds):
    """C - D is 165 over the other 229 of 231 pairs."""
    relation = only("interval", "5iii")
    assert relation.test(PRINTED | {OPEN: f"{agreement / 231:.3f}"}).holds == holds


def test_a_tau_of_other_runs_is_not_compared_with_dialeval(only):
    relation = only("interval", "5iii")
    text = "C - D is 163 to 167 by the means of 231 pairs, printed "
    assert relation.test(PRINTED | {OPEN: "0.704"}) == (False, f"{text}0.704")  # no whole C - D
    _, runs, *_ = relation.cells
    assert relation.test(PRINTED | {OPEN: "0.000", runs: "12"}) == (False, f"{text}0.000")


def test_table_2_ii_allows_no_other_order_of_f1_and_mae(broken):
    """The extraction does not say which of the pair F1_M, MAE_M comes first; parity does."""
    for row in ("alpha_ord", "alpha_int", "HMPR"):
        one, other = at("2ii", row, "F1_M"), at("2ii", row, "MAE_M")
        assert "triangle" in broken({one: PRINTED[other], other: PRINTED[one]})


def test_an_effect_size_is_that_of_its_inputs(broken):
    results = [cell for cell in PRINTED if cell.row.endswith(", effect size")]
    assert len(results) == 3
    for cell in results:
        neighbour = f"{float(PRINTED[cell]) + 0.01:.2f}"
        assert "effect size" in broken({cell: neighbour})


def test_most_planted_digits_are_noticed(ledger):
    planted = [p for p in plant(ledger, 2000, seed=2) if p.cell.paper == "acl21"]
    noticed = [p for p in planted if p.noticed]
    assert len(noticed) > 0.85 * len(planted)
    in_rankings = [p for p in planted if p.cell.table in TASKS and p.cell != OPEN]
    assert len(in_rankings) == 146
    assert all(p.noticed for p in in_rankings)
