"""Tests of ordbook.data.names: which names are refused, and which only look odd."""

import pytest

import hostile_names
import ordbook as ob
from cases import case
from ordbook.data.names import check_names, meant
from ordbook.words import shown

ALIKE = [("café", "cafe\u0301"), ("が", "か\u3099")]
UNLIKE = [("m2", "m²"), ("a", "A"), ("e", "é")]


def test_what_does_not_show_is_refused_and_escaped():
    for kind, name in hostile_names.REFUSED.items():
        with case(kind):
            with pytest.raises(ValueError, match="invisible character|empty name") as caught:
                check_names(["x", name], "run", "task")
            if name.strip():
                assert str(caught.value).isprintable()
                assert shown(name) != name


def test_odd_names_are_allowed_and_shown_as_they_are():
    check_names(hostile_names.NAMES, "run", "task")
    for name in hostile_names.NAMES:
        assert shown(name) == name


def test_names_that_look_alike_are_refused():
    for names in ALIKE:
        with case(names):
            with pytest.raises(ValueError, match="^t: class .* look alike: the same letters"):
                check_names(names, "class", "t")
            assert meant(names[:1], ["other", *names[1:]]) == dict([names])
            runs = {name: [[0.5, 0.5]] for name in names}
            with pytest.raises(ValueError, match="^mine: run .* look alike"):
                ob.QuantificationTask.from_arrays([[1.0, 0.0]], runs, name="mine")
    for names in UNLIKE:
        check_names(names, "run", "t")


def test_what_is_meant_by_a_name():
    for name, other in (
        ("T1 ", "t1"),
        ("007", "7"),
        ("1.0", "1"),
        ("a  b", "A b"),
        ("x\u200b", "x"),
    ):
        assert meant([name], ["zz", other]) == {name: other}
    for name, others in (("1.05", ["1.5"]), ("a", ["b"]), ("a", ["A", "A "])):
        assert meant([name], others) == {}
