"""Verdicts: from the printed digits, with a reason or not at all."""

import pandas as pd
import pytest

import ordbook as ob
from ordbook.data.paths import share
from ordbook.data.printed import COLUMNS, printed_values
from ordbook.papers.verdicts import UnexplainedDifference, judge


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.848", 56 / 66, "exact"),
        ("0.848", 0.8475, "exact"),
        ("0.848", 0.8485, "exact"),  # half a unit away: either rounding
        ("0.848", 0.84851, "close"),
        ("0.848", 0.849, "close"),
        ("0.848", 0.8491, "differs"),
        ("-0.030", -2 / 66, "exact"),
        ("-0.030", 2 / 66, "differs"),
        ("1.000", 1, "exact"),
        ("1", 1.4, "exact"),
        ("100", 100, "exact"),
        ("100", 101, "close"),
        ("100", 102, "differs"),
        ("0.5", float("nan"), "differs"),
        ("0.5", float("inf"), "differs"),
        ("1e-3", 0.001, "exact"),
        ("OQ", "OQ", "exact"),
        ("OQ", "OC", "differs"),
    ],
)
def test_judge(printed, ours, verdict):
    assert judge(printed, ours) == verdict


def test_a_number_is_not_compared_with_words():
    for printed, ours in (("13+9", 22), ("0.5", None), ("0.5", [1])):
        with pytest.raises(ValueError, match="are not two numbers"):
            judge(printed, ours)
    with pytest.raises(ValueError, match="'NaN' is not a finite number"):
        judge("NaN", 1)


def cells(table="8i"):
    values = printed_values("acl21", table)
    return {(r, c): float(p) for r, c, p in values[["row", "column", "printed"]].to_numpy()}


def test_a_table_that_comes_out():
    compared = ob.compare("acl21", "8i", cells())
    assert compared.counts() == {"exact": 15}
    assert compared.summary() == "15 of 15 exact"


def test_a_data_frame_and_a_mapping_are_the_same():
    frame = pd.DataFrame.from_records([(*c, v) for c, v in cells().items()])
    frame = frame.pivot_table(index=0, columns=1, values=2)
    assert ob.compare("acl21", "8i", frame.fillna(0)).counts() == {"exact": 15}


def test_nothing_is_left_out_silently():
    ours = cells()
    del ours["RNSS", "NMD"]
    with pytest.raises(UnexplainedDifference, match="row 'RNSS', column 'NMD': printed 0.818, but"):
        ob.compare("acl21", "8i", ours)
    with pytest.raises(UnexplainedDifference, match="neither a value of ours nor a reason"):
        ob.compare("acl21", "8i")
    named = ob.compare("acl21", "8i", ours, not_public={("RNSS", "NMD"): "lost"})
    assert named.summary() == "14 exact and 1 not public of 15"
    assert named.cells.query("verdict == 'not public'")["reason"].tolist() == ["lost"]


@pytest.mark.parametrize(("shift", "verdict"), [(0.001, "close"), (0.01, "differs")])
def test_a_difference_needs_a_reason(shift, verdict):
    ours = cells()
    ours["RNSS", "NMD"] += shift
    with pytest.raises(UnexplainedDifference, match=f"ours 0.8.*: {verdict}, and no reason"):
        ob.compare("acl21", "8i", ours)
    explained = ob.compare("acl21", "8i", ours, reasons={("RNSS", "NMD"): "an example"})
    assert explained.counts() == {"exact": 14, verdict: 1}


def test_a_reason_without_a_difference_is_refused():
    with pytest.raises(ValueError, match="a reason is given for .*'NMD'.*, which needs none"):
        ob.compare("acl21", "8i", cells(), reasons={("RNSS", "NMD"): "why?"})


def test_unknown_tables_are_refused():
    for arguments, message in (
        (("acl21", "99"), "no printed values of table '99' of 'acl21'; there are acl21_table1"),
        (("acl22", "1"), "no printed values"),
        (("acl21", "8iii"), "no part '8iii'; there are 8i, 8ii"),
    ):
        with pytest.raises(ValueError, match=message):
            ob.compare(*arguments, not_public="x")
    with pytest.raises(ValueError, match="has no column 'x'"):
        ob.compare("acl21", "1", not_public="y", columns=["x"])


def test_every_published_file_is_tidy():
    for path in share("data", "published").glob("*.csv"):
        paper, number = path.stem.split("_table")
        values = printed_values(paper, number)
        assert list(values.columns) == COLUMNS
        assert (values["paper"] == paper).all()
        assert values["table"].str.startswith(number).all()
        assert (values[["row", "column", "printed"]] != "").all(axis=None)
