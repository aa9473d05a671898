"""LQ'21 Table 6: which runs contradict, duplicates taken together."""

import re

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values


@pytest.mark.parametrize(("name", "part"), [("stc3-dq-a", "6I"), ("stc3-dq-s", "6II")])
def test_duplicate_baselines_are_one_contradiction(doubled, name, part):
    scores = doubled(name)
    found = ob.contradictions(ob.tukey_hsd(scores, 20_000))
    assert set(found["better"]) == {"BL-popularity-C", "BL-popularity-E"}
    assert set(found["worse"]) == {"BL-uniform-C", "BL-uniform-E"}
    assert set(found.groupby(["first", "second"]).size()) == {4}
    (row,) = (
        printed_values("lq21", part)
        .pivot_table(index="row", columns="column", values="printed", aggfunc="first")
        .to_dict("records")
    )
    assert set(found["first"]) == set(re.findall(r"[A-Z]{3,}", row["Measure 1"]))
    assert set(found["second"]) == set(re.findall(r"[A-Z]{3,}", row["Measure 2"]))
