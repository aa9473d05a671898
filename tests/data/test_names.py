"""Tests of ordbook.data.names: which names are refused, and which only look odd."""

import numpy as np
import pytest

import hostile_names
import ordbook as ob
from ordbook.data.names import check_names, other_forms, shown

# What shows nothing of its own, where it is needed.
JOINED = [
    "❤️\u200d🔥 1️⃣",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "می\u200cخواهم PDF\u200cها ه\u200d",
    "ക\u0d4d\u200dഷ അവന\u0d4d\u200d",
    "辻\U000e0100",
]
ALIKE = {
    "composed and decomposed": ("café", "cafe\u0301"),
    "a no-break space": ("A B", "A\xa0B"),
    "a narrow space": ("A B", "A\u202fB"),
    "wide letters": ("A1", "Ａ１"),
    "narrow kana": ("パ", "ﾊﾟ"),
    "a ligature": ("fit", "ﬁt"),
    "a joiner of Latin letters": ("AB", "A\u200dB"),
    "a variation selector": ("A", "A\ufe0f"),
    "a joiner of Persian letters": ("می\u200cخواهم", "میخواهم"),
}
UNLIKE = {
    "a power": ("m2", "m²"),
    "a number in a circle": ("1", "①"),
    "capitals": ("a", "A"),
    "accents": ("e", "é"),
    "Greek": ("A", "Α"),
}


@pytest.mark.parametrize("kind", hostile_names.REFUSED)
def test_what_does_not_show_is_refused_and_escaped(kind):
    name = hostile_names.REFUSED[kind]
    with pytest.raises(ValueError, match="invisible character|empty name") as caught:
        check_names(["x", name], "run", "task")
    if name.strip():
        assert str(caught.value).isprintable()
        assert name not in str(caught.value)
        assert shown(name) != name


@pytest.mark.parametrize("name", [*hostile_names.NAMES, *JOINED])
def test_odd_names_are_allowed_and_shown_as_they_are(name):
    check_names([name], "run", "task")
    assert shown(name) == name


def test_many_odd_names_are_no_two_alike():
    check_names(hostile_names.NAMES, "run", "task")


@pytest.mark.parametrize("kind", ALIKE)
@pytest.mark.parametrize("turned", [1, -1])
def test_names_that_look_alike_are_refused(kind, turned):
    names = ALIKE[kind][::turned]
    with pytest.raises(ValueError, match="^t: the classes .* look alike: the same letters in anot"):
        check_names(names, "class", "t")
    assert other_forms(names[:1], ["other", *names[1:]])
    runs = {name: [[0.5, 0.5]] for name in names}
    with pytest.raises(ValueError, match="^mine: the runs .* look alike"):
        ob.QuantificationTask.from_arrays([[1.0, 0.0]], runs, name="mine")


@pytest.mark.parametrize("kind", UNLIKE)
def test_names_that_look_unlike_are_allowed(kind):
    check_names(UNLIKE[kind], "run", "t")
    assert not other_forms(UNLIKE[kind][:1], UNLIKE[kind][1:])


def test_names_that_look_alike_are_told_apart():
    with pytest.raises(ValueError, match=r"runs '課題A B' and '課題A\\xa0B' look"):
        check_names(["課題A B", "課題A\xa0B"], "run", "t")


def test_labels_that_differ_in_form_are_told_so():
    pd = pytest.importorskip("pandas")
    gold = pd.DataFrame(np.eye(2), index=["café", "tea"], columns=["low", "high"])
    run = gold.rename(index={"café": "cafe\u0301"})
    with pytest.raises(ValueError, match="'cafe.u0301' and 'caf.xe9' are the same letters in an"):
        ob.QuantificationTask.from_arrays(gold, {"A": run})


def test_files_of_scores_that_differ_in_form_are_told_so(tmp_path):
    (tmp_path / "NMD.csv").write_text("topic,A\ncafé,0.1\ntea,0.2\n", encoding="utf-8")
    (tmp_path / "RNOD.csv").write_text("topic,A\ncafe\u0301,0.1\ntea,0.2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no topic 'café': .* are the same letters in another"):
        ob.load(tmp_path)
