"""What is let through, and what is refused, to the last number."""

import math
import re

import numpy as np
import pytest

from ordbook.meta.checks import (
    a_score_matrix,
    above_0,
    between_0_and_1,
    from_0,
    several_names,
    whole_number,
)
from score_matrices import matrix


@pytest.mark.parametrize("number", [1, 7, np.int64(1), np.uint8(7)])
def test_whole_numbers(number):
    assert whole_number(number, "n") == number
    assert type(whole_number(number, "n")) is int


@pytest.mark.parametrize("number", [0, -1, 1.0, np.float64(1), "1", None, True, math.nan])
def test_what_is_no_whole_number_from_1(number):
    with pytest.raises(ValueError, match="^n must be a whole number from 1, not "):
        whole_number(number, "n")


def test_the_least_whole_number_is_let_through():
    assert whole_number(0, "n", 0) == 0
    assert whole_number(5, "n", 5) == 5
    with pytest.raises(ValueError, match="from 5, not 4"):
        whole_number(4, "n", 5)


def test_the_largest_whole_number_is_let_through():
    assert whole_number(9, "n", 5, 9) == 9
    for number in (4, 10, 10**30, True, 7.0, math.nan):
        with pytest.raises(
            ValueError, match=f"^n must be a whole number from 5 to 9, not {number}"
        ):
            whole_number(number, "n", 5, 9)


@pytest.mark.parametrize("value", [1e-300, 0.5, np.float64(0.5), np.float32(0.5), 1 - 1e-16])
def test_shares(value):
    assert between_0_and_1(value, "a") == value
    assert type(between_0_and_1(value, "a")) is float


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 1.5, -0.5, math.nan, math.inf, None, True])
def test_what_is_no_share(value):
    with pytest.raises(ValueError, match=f"^a must lie between 0 and 1, not {value}$"):
        between_0_and_1(value, "a")
    with pytest.raises(ValueError, match="not '0.5'$"):
        between_0_and_1("0.5", "a")


def test_numbers_of_numpy_are_shown_as_numbers():
    for refuse, words in ((above_0, "above 0"), (between_0_and_1, "between 0 and 1")):
        with pytest.raises(ValueError, match=f"{words}, not -1.5$"):
            refuse(np.float64(-1.5), "v")


@pytest.mark.parametrize("value", [1e-300, 1, 2, 1e300, np.int64(3), np.float32(0.5)])
def test_numbers_above_0(value):
    assert above_0(value, "v") == value
    assert type(above_0(value, "v")) is float


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, -math.inf, None, True, 1j])
def test_what_is_not_above_0(value):
    with pytest.raises(ValueError, match=f"^v must be above 0, not {re.escape(str(value))}$"):
        above_0(value, "v")
    with pytest.raises(ValueError, match="not '1'$"):
        above_0("1", "v")


@pytest.mark.parametrize("value", [0, -0.0, 1e-300, 1, 1e300, np.int64(0), np.float32(0.5)])
def test_numbers_from_0(value):
    assert from_0(value, "v") == value
    assert type(from_0(value, "v")) is float


@pytest.mark.parametrize("value", [-1e-300, -1, math.nan, math.inf, None, True, np.True_, 1j])
def test_what_is_no_number_from_0(value):
    with pytest.raises(
        ValueError, match=f"^v must be a number from 0, not {re.escape(str(value))}"
    ):
        from_0(value, "v")


@pytest.mark.parametrize("refuse", [above_0, between_0_and_1, from_0])
def test_of_what_would_be_long_the_kind_is_said(refuse):
    with pytest.raises(ValueError, match="^v must .*, not a ndarray$"):
        refuse(np.array([0.5]), "v")


def test_score_matrices_and_lists_of_names_are_let_through():
    assert a_score_matrix(matrix([[[1.0, 2.0]]])) is None
    assert several_names(["u"]) is several_names(("u", "v")) is several_names(None) is None
