"""Verdicts: from the printed digits, with a reason or not at all."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.papers.comparison import LedgerMismatch, UnexplainedDifference
from ordbook.papers.relations import judge


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.848", 56 / 66, "recomputed"),
        ("0.848", 0.8475, "recomputed"),
        ("0.848", 0.8485, "recomputed"),  # half a unit away: either rounding
        ("0.848", 0.84851, "close"),
        ("0.848", 0.849, "close"),
        ("0.848", 0.8491, "differs"),
        ("-0.030", -2 / 66, "recomputed"),
        ("-0.030", 2 / 66, "differs"),
        ("1.000", 1, "recomputed"),
        ("1", 1.4, "recomputed"),
        ("100", 100, "recomputed"),
        ("100", 101, "close"),
        ("100", 102, "differs"),
        ("0.5", float("nan"), "differs"),
        ("0.5", float("inf"), "differs"),
        ("1e-3", 0.001, "recomputed"),
        ("OQ", "OQ", "recomputed"),
        ("OQ", "OC", "differs"),
    ],
)
def test_judge(printed, ours, verdict):
    assert judge(printed, ours) == verdict


def cells(table="8i"):
    values = printed_values("acl21", table)
    return {(r, c): float(p) for r, c, p in values[["row", "column", "printed"]].to_numpy()}


def test_a_table_that_comes_out():
    compared = ob.compare("acl21", "8i", cells())
    assert compared.counts() == {"recomputed": 15}
    assert compared.summary() == "15 of 15 recomputed"


def test_a_value_that_the_audit_recomputes_must_be_given():
    ours = cells()
    del ours["RNSS", "NMD"]
    with pytest.raises(UnexplainedDifference, match="RNSS, NMD: the audit recomputes this"):
        ob.compare("acl21", "8i", ours)


@pytest.mark.parametrize(("shift", "verdict"), [(0.001, "close"), (0.01, "differs")])
def test_another_verdict_than_the_ledgers_is_refused(shift, verdict):
    ours = cells()
    ours["RNSS", "NMD"] += shift
    message = f"RNSS, NMD: printed 0.818, ours 0.8.*: {verdict}, but recomputed in data/audit.csv"
    with pytest.raises(LedgerMismatch, match=message):
        ob.compare("acl21", "8i", ours)


def test_what_is_not_recomputed_has_the_ledgers_word():
    assert ob.compare("acl21", "8ii").counts() == {"consistent": 15}
    wrong = ob.compare("lq21", "4h")
    assert wrong.counts() == {"consistent": 48, "contradicted": 12}
    reasons = wrong.cells.query("detail == 'page or our text'")["reason"].unique()
    assert len(reasons) == 1
    assert "repeat" in reasons[0]
    # A value of ours may stand beside it, if it agrees.
    printed = {("RNSS", "NMD"): 0.648} | {("RNSS", "JSD"): 0.868}
    values = printed_values("acl21", "8ii").set_index(["row", "column"])["printed"]
    printed = {cell: float(values[cell]) for cell in printed}
    assert ob.compare("acl21", "8ii", printed).counts() == {"consistent": 15}
    with pytest.raises(LedgerMismatch, match="RNSS, NMD.*differs, but consistent"):
        ob.compare("acl21", "8ii", {("RNSS", "NMD"): 0.1})


def test_another_text_than_the_ledgers_is_refused(monkeypatch):
    """A digit changed in data/published is noticed where nothing is recomputed, too."""
    changed = printed_values("acl21", "8ii")
    changed.loc[0, "printed"] = "0.268"
    monkeypatch.setattr("ordbook.papers.comparison.printed_values", lambda *_: changed)
    with pytest.raises(LedgerMismatch, match="printed 0.268, but 0.9.* in data/audit.csv"):
        ob.compare("acl21", "8ii")


def test_unknown_tables_are_refused():
    for arguments, message in (
        (("acl21", "99"), "no printed values of table '99' of 'acl21'; there are acl21_figure1"),
        (("acl22", "1"), "no printed values"),
        (("acl21", "8iii"), "no part '8iii'; there are 8i, 8ii"),
        (("acl21", "s99"), "no part 's99'; there are abstract, s1"),
        (("acl21", "figure9"), "no printed values of table 'figure9'"),
    ):
        with pytest.raises(ValueError, match=message):
            ob.compare(*arguments)
    with pytest.raises(ValueError, match="has no column 'x'"):
        ob.compare("acl21", "1", columns=["x"])
