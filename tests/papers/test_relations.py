"""Relations between printed numbers: rounding never breaks one, a wrong digit does."""

import pytest

from ordbook.meta.seeds import Spread
from ordbook.papers.relations import (
    Cell,
    Rounded,
    average,
    beside,
    claim,
    condition,
    counted,
    exact,
    generalises,
    mean,
    minus,
    ordered,
    over,
    plus,
    rounded,
    same,
    same_text,
    share,
    total,
    value_of,
)


def cell(row):
    return Cell("acl21", "9", row, "x")


def holds(relation, *texts):
    return relation.test(dict(zip(relation.cells, texts, strict=True))).holds


A, B, C = cell("a"), cell("b"), cell("c")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.848", 0.8475, 0.8485),
        (".5", 0.45, 0.55),
        ("-0.030", -0.0305, -0.0295),
        ("12", 12, 12),
        ("1,363", 1363, 1363),
        ("57.6%", 57.55, 57.65),
        ("<0.0001", float("-inf"), 0.0001),
        ("eight", 8, 8),
        ("No", 0, 0),
    ],
)
def test_what_a_printed_number_stands_for(text, low, high):
    assert rounded(text) == pytest.approx(Rounded(low, high))


@pytest.mark.parametrize("text", ["", "♣", "many", "1.2.3", "nan", "inf", "X2"])
def test_what_is_not_a_number(text):
    with pytest.raises(ValueError, match="is not a number"):
        rounded(text)


@pytest.mark.parametrize("text", ["", "<0.05", "nan", "inf", "lost"])
def test_what_has_no_value(text):
    with pytest.raises(ValueError, match="is not a number"):
        value_of(text)


def test_arithmetic_of_intervals():
    one, two = rounded("0.5"), rounded("2.00")
    assert plus(one, two) == pytest.approx((2.445, 2.555))
    assert minus(two, one) == pytest.approx((1.445, 1.555))
    assert over(one, two, 100) == pytest.approx((100 * 0.45 / 2.005, 100 * 0.55 / 1.995))
    assert mean(one, two) == pytest.approx((1.2225, 1.2775))


# Each relation of a, b and c, texts that fulfil it, and texts that break it.
RELATIONS = {
    "a sum": (
        total(A, [B, C], "why"),
        ["5 2 3", "0.6 0.25 0.30"],  # 0.555 rounds to 0.6
        ["6 2 3", "0.57 0.25 0.30"],
    ),
    "a share in percent": (
        share(A, B, C, "why"),
        ["57.6 38 66"],
        ["57.5 38 66", "57.6 37 66"],
    ),
    "an average of rounded numbers": (
        average(A, [B, C], "why"),
        ["0.500 0.400 0.601", "0.501 0.400 0.601"],  # 0.5005 may be either
        ["0.502 0.400 0.601"],
    ),
    "a number printed twice": (
        same(A, B, "why"),
        # With fewer digits in one place, the other must round to it: 0.8549 rounds to both.
        ["0.848 .848", "0.85 0.848", "0.85 0.855", "three 3", "<0.001 <0.001"],
        ["0.848 0.849", "0.85 0.856", "0.5 -0.5"],
    ),
    "an order": (
        ordered([A, B], "why")[0],
        ["0.9 0.9", "0.90 0.903"],  # 0.904 may come before 0.9034
        ["0.8 0.9", "0.90 0.906"],
    ),
    "a text printed twice": (same_text(A, B, "why"), ["C+E C+E"], ["C+E E"]),
    "a count": (counted(A, 2, "why"), ["two"], ["three"]),
    "a count of things": (
        counted(A, lambda text: len(text.split("/")), "why", [B]),
        ["3 x/y/z"],
        ["2 x/y/z"],
    ),
    "numbers as they stand": (
        exact("sum", [A, B, C], lambda a, b, c: a == b + c, "why", "adds up"),
        ["0.3 0.1 0.2"],  # no float noise
        ["0.3 0.1 0.21"],  # no rounding
    ),
    "a question": (
        condition("list", [A, B], lambda a, b: a + b == "xy", "why", "spelt xy"),
        ["x y"],
        ["x z"],
    ),
    "a sentence": (
        claim(A, [B, C], lambda b, c: b > c, "why", "B above C"),
        ["best 0.2 0.1"],
        ["best 0.1 0.2"],
    ),
    "a value of ours": (beside(A, 56 / 66, "why"), ["0.848"], ["0.849", "6%"]),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_rounding_breaks_no_relation_and_a_wrong_digit_does(name):
    relation, fulfilling, breaking = RELATIONS[name]
    assert all(holds(relation, *texts.split()) for texts in fulfilling)
    assert not any(holds(relation, *texts.split()) for texts in breaking)


def test_a_sentence_that_generalises_says_in_how_many_comparisons_it_holds():
    relation = generalises(A, [B, C, B], lambda of: [of[B] < of[C], of[B] < 3, of[C] < 3], "")
    assert relation.cells == (A, B, C)
    for texts, held in (("1", "2"), 3), (("3", "2"), 1), (("2", "3"), 2), (("3", "4"), 1):
        result = relation.test({A: "all", B: texts[0], C: texts[1]})
        assert result == (held >= 2, f"holds in {held} of 3 comparisons")
    assert generalises(A, [], lambda _: [True, False], "").test({A: "all"}).holds


def test_a_value_over_many_seeds_is_never_called_recomputed():
    random = beside(A, Spread([1.0, 2.0] * 50), "why")
    assert random.verdict({A: "2"}) == "within chance"
    assert holds(random, "2")
    assert random.test({A: "3"}).text == "printed 3, ours 1 to 2 over 100 seeds"
    assert beside(A, 1363.0, "why").verdict({A: "1,363"}) == "recomputed"
