"""Which names are refused, and which are taken for one another."""

import pytest

from ordbook.words import check_names, meant, shown

ALIKE = [("café", "cafe\u0301"), ("が", "か\u3099")]


HIDDEN = ["a\0b", "a\x1b[31mb", "a\nb", "a\tb", "a\u202eb", "a\u200bb", "a\ufeffb", "   "]
ODD = [
    "<script>x()</script>",
    "=1+1",
    "../../x",
    "--help",
    "%s {0}",
    "_hidden",
    "🦉 é",
    "👩\u200d🔬",
]


@pytest.mark.parametrize("name", HIDDEN)
def test_what_does_not_show_is_refused_and_escaped(name):
    with pytest.raises(ValueError, match="invisible character|empty name") as caught:
        check_names(["x", name], "run", "task")
    if name.strip():
        assert str(caught.value).isprintable()
        assert shown(name) != name


def test_odd_names_are_allowed_and_shown_as_they_are():
    check_names(ODD, "run", "task")
    for name in ODD:
        assert shown(name) == name


@pytest.mark.parametrize("names", ALIKE)
def test_another_unicode_form_is_the_same_name(names):
    with pytest.raises(ValueError, match="^t: class .* occurs twice"):
        check_names(names, "class", "t")
    assert meant(names[:1], ["other", *names[1:]]) == dict([names])


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
