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
    plain,
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


def test_a_sum():
    relation = total(A, [B, C], "why")
    assert holds(relation, "5", "2", "3")
    assert not holds(relation, "6", "2", "3")
    assert holds(relation, "0.6", "0.25", "0.30"), "0.555 rounds to 0.6"
    assert not holds(relation, "0.57", "0.25", "0.30")


def test_a_share_in_percent():
    relation = share(A, B, C, "why")
    assert holds(relation, "57.6", "38", "66")
    assert not holds(relation, "57.5", "38", "66")
    assert not holds(relation, "57.6", "37", "66")


def test_an_average_of_rounded_numbers():
    relation = average(A, [B, C], "why")
    assert holds(relation, "0.500", "0.400", "0.601"), "0.5005 may be 0.500 or 0.501"
    assert holds(relation, "0.501", "0.400", "0.601")
    assert not holds(relation, "0.502", "0.400", "0.601")


def test_a_number_printed_twice():
    relation = same(A, B, "why")
    assert holds(relation, "0.848", ".848")
    assert not holds(relation, "0.848", "0.849"), "the same digits must be equal"
    assert holds(relation, "0.85", "0.848")
    assert holds(relation, "0.85", "0.855"), "0.8549 rounds to both"
    assert not holds(relation, "0.85", "0.856")
    assert holds(relation, "three", "3")
    assert holds(relation, "<0.001", "<0.001")
    assert not holds(relation, "0.5", "-0.5")


def test_an_order():
    first, second = ordered([A, B, C], "why")
    assert holds(first, "0.9", "0.9")
    assert not holds(first, "0.8", "0.9")
    assert holds(second, "0.90", "0.903"), "0.904 may come before 0.9034"
    assert not holds(second, "0.90", "0.906")


def test_a_question():
    relation = condition("list", [A, B], lambda a, b: a + b == "xy", "why", "spelt xy")
    assert holds(relation, "x", "y")
    assert relation.test({A: "x", B: "z"}).text == "spelt xy: printed x, z"


def test_a_text_printed_twice():
    relation = same_text(A, B, "why")
    assert holds(relation, "C+E", "C+E")
    assert not holds(relation, "C+E", "E")


def test_a_count():
    assert holds(counted(A, 2, "why"), "two")
    assert not holds(counted(A, 2, "why"), "three")
    words = counted(A, lambda text: len(text.split()), "why", [B], "count")
    assert words.cells == (A, B)
    assert holds(words, "3", "x y z")
    assert words.test({A: "2", B: "x y z"}).text == "3 are counted, printed 2"


def test_numbers_as_they_stand():
    relation = exact("sum", [A, B, C], lambda a, b, c: a == b + c, "why", "adds up")
    assert holds(relation, "0.3", "0.1", "0.2"), "no float noise"
    assert not holds(relation, "0.3", "0.1", "0.21"), "no rounding"


def test_a_sentence():
    relation = claim(A, [B, C], lambda b, c: b > c, "why", "B above C")
    assert holds(relation, "best", "0.2", "0.1")
    assert relation.test({B: "0.1", C: "0.2"}).text == "B above C: 0.1, 0.2"
    dozen = [cell(str(i)) for i in range(12)]
    text = claim(A, dozen, max, "why").test(dict.fromkeys(dozen, "1")).text
    assert text == f"why: {', '.join(['1'] * 12)}"
    many = [cell(str(i)) for i in range(13)]
    assert claim(A, many, max, "why").test(dict.fromkeys(many, "1")).text == "why: 13 numbers"


def test_a_sentence_that_generalises_says_in_how_many_comparisons_it_holds():
    relation = generalises(A, [B, C, B], lambda of: [of[B] < of[C], of[B] < 3, of[C] < 3], "")
    assert relation.cells == (A, B, C)
    for texts, held in (("1", "2"), 3), (("3", "2"), 1), (("2", "3"), 2), (("3", "4"), 1):
        result = relation.test({A: "all", B: texts[0], C: texts[1]})
        assert result == (held >= 2, f"holds in {held} of 3 comparisons")
    assert generalises(A, [], lambda _: [True, False], "").test({A: "all"}).holds


def test_a_value_of_ours():
    relation = beside(A, 56 / 66, "why")
    assert (relation.family, relation.cells, relation.relies) == ("recomputed", (A,), "why")
    assert relation.verdict({A: "0.848"}) == "recomputed"
    assert not holds(relation, "0.849")
    assert beside(A, "top", "why").test({A: "5X"}) == (False, "printed 5X, ours top")
    assert not holds(beside(A, 5.0, "why"), "6%")
    assert plain("5%") == "5"
    assert plain("5X") == "5X", "a text stays as it is"
    percent = beside(A, 1363.0, "why")
    assert percent.verdict({A: "1,363"}) == "recomputed"
    random = beside(A, Spread([1.0, 2.0] * 50), "why")
    assert random.verdict({A: "2"}) == "within chance"
    assert holds(random, "2")
    assert random.test({A: "3"}).text == "printed 3, ours 1 to 2 over 100 seeds"
