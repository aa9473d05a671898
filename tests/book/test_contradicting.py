"""Contradictions as LQ'21 lists them beside those between the runs of twins."""

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.book import contradicting, simulated
from ordbook.data.printed import printed_values

MEASURES = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]


@pytest.fixture(scope="module")
def tests():
    """Of the twin of DQ-S, which stands for the runs of part V."""
    return {"V": ob.tukey_hsd(ob.score(simulated.twin("S"), MEASURES), 1000)}


def test_the_expanded_list_has_the_counts_of_table_5():
    for part in list(contradicting.PARTS):
        with case(part):
            found = contradicting.printed_pairs(part)
            assert not found.duplicated().any()
            counts = found.groupby(["first", "second"]).size()
            for cell in printed_values("lq21", f"5{part}").itertuples():
                assert counts.get((cell.row, cell.column), 0) == int(cell.printed)


def test_runs_lose_the_prefix_of_the_subtask():
    found = contradicting.printed_pairs("III")
    runs = {"BL-uniform-C", "BL-uniform-E", "NKUST-run0-C", "NKUST-run0-E"}
    assert set(found["worse"]) == runs
    assert runs <= set(simulated.twin("A").runs)


def test_another_part_is_an_error():
    with pytest.raises(ValueError, match="no part 'VI'"):
        contradicting.printed_pairs("VI")


def test_families_take_duplicates_together():
    found = contradicting.families(contradicting.printed_pairs("III"))
    assert found.to_dict() == {
        "BL-popularity-{C,E} > BL-uniform-{C,E}": "NMD, RSNOD: RNOD, NVD, RNSS, JSD",
        "BL-popularity-{C,E} > NKUST-run0-C": "NMD, RSNOD: RNOD, NVD, RNSS, JSD",
        "BL-popularity-{C,E} > NKUST-run0-E": "NMD, RSNOD: RNOD, RNSS, JSD",
    }


def test_the_list_beside_a_twin_is_labelled_and_has_every_printed_pair(tests):
    table = contradicting.listed(tests, "Table 6(V).", "x")
    assert table.caption.startswith("SIMULATED: ")
    labels = [row[0][0][1] for row in table.rows]
    for pair in contradicting.families(contradicting.printed_pairs("V")).index:
        assert f"(V) {pair}" in labels


def test_counts_are_of_measures_and_runs(tests):
    row = contradicting.counted(tests).loc["V"]
    assert row["printed"] == len(contradicting.printed_pairs("V")) == 40
    assert row["simulated"] == len(ob.contradictions(tests["V"]))
    assert row["in both"] <= min(row["printed"], row["simulated"])


def test_the_papers_example_is_among_the_overlaps(tests):
    found = contradicting.overlaps(tests)
    example = found.loc["STC-3 DQ-A: NMD, RNOD"]
    # As printed in Section 5.2.
    assert f"{example['printed, without']:.1f}" == "95.5"
    assert np.isnan(example["SIMULATED"])
    twin = found[found.index.str.startswith("DialEval-1 DQ-S")]
    assert (twin["SIMULATED, without"] <= twin["SIMULATED"]).all()
    assert (found["printed, without"] <= found["printed"] + 0.05).all()
    printed = [printed_values("lq21", f"5{part}") for part in contradicting.PARTS]
    assert len(found) == sum((cells["printed"].astype(int) > 0).sum() for cells in printed)


def test_baselines_are_doubled_once():
    scores = ob.score(ob.load("stc3-dq-a"), ["NMD"])
    twice = contradicting.doubled(scores)
    copies = ("BL-uniform-C", "BL-popularity-C", "BL-uniform-E", "BL-popularity-E")
    assert twice.runs[-4:] == copies
    frame, alone = twice["NMD"], scores["NMD"]
    for run in copies:
        assert frame[run].tolist() == alone[run[:-2]].tolist()
    twin = ob.score(simulated.twin("A"), ["NMD"])
    with pytest.raises(ValueError, match="add the baselines"):
        contradicting.doubled(twin)
    again = ob.score(simulated.twin("A").with_baselines(), ["NMD"])
    assert contradicting.doubled(again).runs == twin.runs


def test_systems_of_our_own_are_not_submitted():
    scores = ob.score(ob.load("stc3-dq-a"), ["NMD"])
    found = contradicting.submitted(scores)
    assert not any(run.startswith(contradicting.OURS) for run in found.runs)
    assert set(scores.runs) - set(found.runs) == {
        run for run in scores.runs if run.startswith(contradicting.OURS)
    }
    assert found["NMD"].equals(scores["NMD"][list(found.runs)])
