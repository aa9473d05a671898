"""What pages show of twins says that it is simulated, and has no verdict."""

import pytest

from ordbook.chapters import simulated
from ordbook.data.printed import printed_values


def test_a_printed_table_beside_the_twin():
    fold = simulated.folded("dnkt", "13", "A")
    text = fold._repr_markdown_()
    assert fold.title.startswith("SIMULATED: Table 13")
    shown = simulated.comparison("dnkt", "13", "A")
    assert len(shown.rows) == 8
    assert shown.header[0] == ""
    assert shown.header[-1] == "DNKT"
    printed = printed_values("dnkt", "13").set_index(["row", "column"])["printed"]
    assert f"[{printed['NMD', 'RNOD'].replace('.', chr(92) + '.')}]{{.printed}}" in text
    assert "{.simulated}" in text
    assert "verdict-" not in text
    some = simulated.comparison("acl21", "6a", "A", ["mean tau"])
    assert some.header == ("", "mean tau")
    assert len(some.rows) == 6
    with pytest.raises(ValueError, match="no twin predicts Table 8i of acl21"):
        simulated.comparison("acl21", "8i", "A")


def test_the_fit_and_its_tests_are_summed_up():
    fit = simulated.fit()
    assert fit.loc["dialogues better for one baseline", "A: largest miss"] == 0
    for measure in ("NMD", "RSNOD"):
        # Printed to four decimals: half a unit is all that a fitted mean may miss.
        miss = fit.loc[f"mean {measure} of runs and baselines"].filter(like="largest")
        assert (miss < 5e-5).all()
    near = simulated.nearness()
    assert near["numbers"].sum() == 3 * (6 + 60 + 15 + 15 + 14 + 36 + 9 + 9 + 24)
    assert (near["in_range"] <= near["numbers"]).all()
    assert (near["mean_off"] <= near["largest_off"] + 1e-12).all()


def test_what_the_printed_means_rule_out():
    found = simulated.impossible()
    assert len(found) == 3
    assert list(found.loc[found["paper"] == "acl21", "table"]) == ["5iii"]
