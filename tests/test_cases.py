"""A test of many cases fails where one of them does, and names it."""

import pytest

from cases import each


def test_the_case_that_fails_is_named():
    seen = []

    @each("name, number", [("a", 1), ("b", 2), ("c", 3)])
    def check(name, number, limit):
        seen.append(name)
        assert number < limit

    check(limit=9)
    with pytest.raises(AssertionError) as caught:
        check(limit=2)
    assert caught.value.__notes__ == ["case: {'name': 'b', 'number': 2}"]
    assert seen == ["a", "b", "c", "a", "b"]


def test_no_cases_are_no_test():
    with pytest.raises(AssertionError, match="no cases of name"):
        each("name", [])
