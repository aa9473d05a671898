"""What the checks are made of: counting and definitions."""

from decimal import Decimal

import numpy as np
import pytest

from ordbook.measures import jsd, kld
from ordbook.papers.formulas import arithmetic
from ordbook.papers.kinds.correlations import compared, discordant, is_step, pairs_of, triangles
from ordbook.papers.lq21 import both
from ordbook.papers.tables import ACL21, DNKT

PAIRS = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]
PRINTED = {ACL21.at("2", *pair): "0.5" for pair in PAIRS} | {DNKT.at("2", "a"): "3"}


def test_three_measures():
    cells = ACL21.cells(PRINTED, "2")
    assert compared(cells) == ["a", "b", "c", "d"]
    sides = [[f"{cell.row}{cell.column}" for cell in three] for three in triangles(cells)]
    assert sorted(sides) == [["ab", "ac", "bc"], ["ac", "ab", "bc"], ["bc", "ab", "ac"]]


def test_pairs_and_steps():
    assert [pairs_of(n) for n in (1, 2, 12)] == [0, 1, 66]
    for tau, pairs, number in (("1.000", 66, 0), ("-1.000", 66, 66), ("0.833", 66, None)):
        assert discordant(tau, pairs) == number
    assert (discordant("1.1", 66), discordant("0.000", 1), discordant("0", 0)) == (None,) * 3
    # .333 may have been rounded from a third, one of three pairs.
    assert is_step(Decimal("0.333"), Decimal(3)) > is_step(Decimal("0.334"), Decimal(3))


def test_what_two_measures_can_both_find():
    # Of 0, 10 and 12 as printed, the second may be as far from the first as the third: 11.
    for last, expected in ((12, (0, 2)), (13, (1, 1))):
        assert both([[0, 0], [10, 10], [last, last]], [1, 1]) == expected
    for few, other in ((0, 0), (0, 1), (0, 3), (3, 0), (3, 1), (3, 3)):
        assert both([[0, 0], [10, 30], [40, 10]], [few, other]) == (min(few, other),) * 2
    # The first finds those with the first run, the second those with the last one.
    assert both([[0, 0], [40, 1], [44, 40]], [2, 2]) == (1, 1)
    assert both([[0, 0], [40, 1], [44, 40]], [1, 1]) == (0, 1)


def test_formulas_are_arithmetic_only():
    assert arithmetic("(p_1 - p_1^*)^2", p_1=0.5, p_1s=0.25) == 0.0625
    with pytest.raises(NameError, match="'d'"):
        arithmetic("a + d", a=1)


def test_equation_8_of_dialeval1_as_printed_is_not_the_divergence_that_its_text_describes():
    """As printed it is not symmetric, misses SIGIR'18's worked example, and may be infinite."""

    def as_printed(p, gold):
        middle = (np.array(p) + gold) / 2
        return (kld(middle, p) + kld(gold, middle)) / 2  # KLD(x||y) is kld(y, x)

    def repaired(p, gold):
        middle = (np.array(p) + gold) / 2
        return (kld(middle, p) + kld(middle, gold)) / 2

    x, gold, printed = (0.3, 0.3, 0.2, 0.1, 0.1), (0.2,) * 5, 0.0390
    assert round(float(repaired(x, gold)), 4) == printed == round(float(jsd(gold, x)), 4)
    assert round(float(as_printed(x, gold)), 4) != printed
    empty, uniform = (0.75, 0.25, 0.0, 0.0), (0.25,) * 4
    assert repaired(empty, uniform) == pytest.approx(repaired(uniform, empty))
    assert np.isfinite(as_printed(empty, uniform))
    assert as_printed(uniform, empty) == np.inf
