"""ACL'21 Tables 5 and 6: the DialEval-1 runs are not public, but what is printed must fit."""

import pytest

from ordbook.data.printed import printed_values
from ordbook.papers.seeds import printed_means
from ordbook.papers.symbols import WORST

PARTS = ("5i", "5ii", "5iii")


@pytest.mark.parametrize("part", PARTS)
def test_every_correlation_is_one_of_22_runs(part):
    """tau-a of 22 runs is (C - D)/231 with C + D = 231 - ties: a whole number over 231."""
    for value in printed_values("acl21", part)["printed"].astype(float):
        assert abs(value * 231 - round(value * 231)) < 0.0005 * 231 + 1e-9
        assert f"{round(value * 231) / 231:.3f}" == f"{value:.3f}"


@pytest.mark.parametrize("part", PARTS)
def test_nmd_is_the_outlier(part):
    """Section 6.1: clear from the NMD column."""
    values = printed_values("acl21", part)
    tau = values["printed"].astype(float)
    nmd = values["column"] == "NMD"
    assert tau[nmd].max() < tau[~nmd].min()


def test_averages_of_table_6():
    """Section 6.2: the worst is NMD, then RSNOD, in both kinds of split."""
    for parts in ("ace", "bdf"):
        mean = sum(printed_means(f"6{part}") for part in parts) / 3
        assert mean.nsmallest(2).index.tolist() == ["NMD", "RSNOD"]


@pytest.mark.parametrize("part", "abcdef")
def test_measures_are_printed_from_best_to_worst(part):
    table = printed_values("acl21", f"6{part}").set_index(["column", "row"])["printed"]
    assert table["mean tau"].astype(float).is_monotonic_decreasing
    assert table["outperforms"].map(WORST).is_monotonic_decreasing


def test_the_effect_size_of_the_caption():
    assert f"{(0.909 - 0.717) / 0.00130**0.5:.2f}" == "5.33"
