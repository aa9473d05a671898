"""Finding cells, and counting pairs."""

import numpy as np

from cases import each
from ordbook.papers.checks.counting import both, compositions, discordant, least, pairs_of
from ordbook.papers.checks.places import ACL21, DNKT, compared, triangles

PAIRS = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]
PRINTED = {ACL21.at("2", *pair): "0.5" for pair in PAIRS} | {DNKT.at("2", "a"): "3"}


def test_three_measures():
    cells = ACL21.cells(PRINTED, "2")
    assert compared(cells) == ["a", "b", "c", "d"]
    sides = [[f"{cell.row}{cell.column}" for cell in three] for three in triangles(cells)]
    assert sorted(sides) == [["ab", "ac", "bc"], ["ac", "ab", "bc"], ["bc", "ab", "ac"]]


@each(
    ("tau", "pairs", "number"),
    [
        *[("1.000", 66, 0), ("-1.000", 66, 66), ("0.833", 66, None), ("1.1", 66, None)],
        *[("1.000", 1, 0), ("-1.000", 1, 1), ("0.000", 1, None), ("0", 0, None)],
    ],
)
def test_discordant_pairs(tau, pairs, number):
    assert discordant(tau, pairs) == number


def test_pairs_and_sums():
    assert [pairs_of(n) for n in (1, 2, 12)] == [0, 1, 66]
    found = compositions(4, 3)
    assert len(np.unique(found, axis=0)) == len(found) == 15
    assert (found.sum(axis=1) == 4).all()


@each(("last", "expected"), [(12, (0, 2)), (13, (1, 1))])
def test_rounded_means_are_in_order_from_three_units_on(last, expected):
    """Of 0, 10 and 12 as printed, the second may be as far from the first as the third: 11."""
    assert both([[0, 0], [10, 10], [last, last]], [1, 1]) == expected


@each("few", [0, 3])
def test_a_measure_may_find_no_pair_significant_or_all(few):
    """What both find is then what the other finds, or nothing."""
    means = [[0, 0], [10, 30], [40, 10]]
    for other in (0, 1, 3):
        assert both(means, [few, other]) == (min(few, other),) * 2


def test_two_measures_find_different_pairs_significant():
    """The first finds those with the first run, the second those with the last one."""
    assert both([[0, 0], [40, 1], [44, 40]], [2, 2]) == (1, 1)
    assert both([[0, 0], [40, 1], [44, 40]], [1, 1]) == (0, 1)


def test_programmes():
    rows = [[1, 1], [1, -1]]
    assert least(rows, [3, 0], [3, 0]) is None, "3/2 each"
    assert least(rows, [3, 0], [3, 0], whole=False) == 0
    assert least([[1, 1]], [3], [3], [2, 1]) == 3
