"""LQ'21 Table 6: which runs contradict, duplicates taken together."""

import re

import ordbook as ob
from cases import each
from ordbook.data.printed import printed_values
from ordbook.meta.discrimination import group_identical


@each("part", ["I", "II", "III", "IV", "V"])
def test_the_list_gives_the_counts_of_table_5(part):
    """{C,E} stands for two runs, so that two such families make four pairs."""
    table = printed_values("lq21", f"6{part}").pivot_table(
        index="row", columns="column", values="printed", aggfunc="first"
    )
    counts = {}
    for row in table.to_dict("records"):
        pairs = 1
        for run in (row["Run 1"], row["Run 2"]):
            pairs *= 2 if "{C,E}" in run else 1
        for one in re.findall(r"[A-Z]{3,}", row["Measure 1"]):
            for other in re.findall(r"[A-Z]{3,}", row["Measure 2"]):
                counts[one, other] = counts.get((one, other), 0) + pairs
    for cell in printed_values("lq21", f"5{part}").itertuples():
        assert counts.get((cell.row, cell.column), 0) == int(cell.printed)


@each(("name", "part"), [("stc3-dq-a", "6I"), ("stc3-dq-s", "6II")])
def test_duplicate_baselines_are_one_contradiction(no_raw_files, doubled, name, part):
    scores = doubled(name)
    found = group_identical(ob.contradictions(ob.tukey_hsd(scores, 20_000)), scores)
    assert set(found["better"]) == {("BL-popularity-C", "BL-popularity-E")}
    assert set(found["worse"]) == {("BL-uniform-C", "BL-uniform-E")}
    assert set(found["pairs"]) == {4}
    (row,) = (
        printed_values("lq21", part)
        .pivot_table(index="row", columns="column", values="printed", aggfunc="first")
        .to_dict("records")
    )
    assert set(found["first"]) == set(re.findall(r"[A-Z]{3,}", row["Measure 1"]))
    assert set(found["second"]) == set(re.findall(r"[A-Z]{3,}", row["Measure 2"]))
