"""LQ'21 Table 5: contradictions between the baselines of STC-3."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values


@pytest.mark.parametrize(("name", "part"), [("stc3-dq-a", "5I"), ("stc3-dq-s", "5II")])
def test_the_baselines_of_stc3_contradict_as_often_as_printed(doubled, name, part):
    """On six public files, not nineteen runs: a finding, not a verdict on the table."""
    found = ob.contradictions(ob.tukey_hsd(doubled(name), 20_000))
    counts = found.groupby(["first", "second"]).size()
    for cell in printed_values("lq21", part).itertuples():
        assert counts.get((cell.row, cell.column), 0) == int(cell.printed)


def test_nobody_contradicts_anybody_on_stc3_dq_e(doubled):
    assert ob.contradictions(ob.tukey_hsd(doubled("stc3-dq-e"), 20_000)).empty
