"""Tests of ordbook.data.names: which names are refused, and which only look odd."""

import numpy as np
import pandas as pd
import pytest

import hostile_names
import ordbook as ob
from cases import case
from ordbook.data.names import check_names, other_forms, shown

ALIKE = [("café", "cafe\u0301"), ("A B", "A\xa0B"), ("A1", "Ａ１")]
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
            with pytest.raises(ValueError, match="^t: the classes .* look alike: the same letters"):
                check_names(names, "class", "t")
            assert other_forms(names[:1], ["other", *names[1:]])
            runs = {name: [[0.5, 0.5]] for name in names}
            with pytest.raises(ValueError, match="^mine: the runs .* look alike"):
                ob.QuantificationTask.from_arrays([[1.0, 0.0]], runs, name="mine")
    for names in UNLIKE:
        check_names(names, "run", "t")
        assert not other_forms(names[:1], names[1:])


def test_labels_that_differ_in_form_are_told_so(tmp_path):
    gold = pd.DataFrame(np.eye(2), index=["café", "tea"], columns=["low", "high"])
    run = gold.rename(index={"café": "cafe\u0301"})
    with pytest.raises(ValueError, match="'cafe.u0301' and 'caf.xe9' are the same letters in an"):
        ob.QuantificationTask.from_arrays(gold, {"A": run})
    (tmp_path / "NMD.csv").write_text("topic,A\ncafé,0.1\ntea,0.2\n", encoding="utf-8")
    (tmp_path / "RNOD.csv").write_text("topic,A\ncafe\u0301,0.1\ntea,0.2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no topic 'café': .* are the same letters in another"):
        ob.load(tmp_path)
