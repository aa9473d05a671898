"""LQ'21 Figure 3: what the notes predict of the lost pictures is one prediction, not several."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.papers.relations import judge

MEASURES = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]


@pytest.mark.parametrize(("panel", "number"), [("a", 181), ("b", 18)])
def test_predictions_in_notes_are_those_of_the_deduced_votes(panel, number):
    printed = printed_values("lq21", f"figure3{panel}").set_index("column")
    assert set(printed["row"]) == {f"{number}th dialogue"}
    notes = printed["note"].str.extract(r"predicted: (\S+)")[0].dropna()
    votes = notes[notes.index.str.startswith("gold ")].astype(int)
    gold = votes.to_numpy() / 20
    shares = printed.loc[votes.index, "note"].str.extract(r"votes \(([0-9.]+)\)")[0]
    assert shares.astype(float).to_numpy() == pytest.approx(gold)
    alone = ob.QuantificationTask.from_arrays(np.array([gold]), {}).with_baselines()
    found = ob.score_deltas(ob.score(alone, MEASURES), "BL-popularity", "BL-uniform").iloc[0]
    for measure in MEASURES:
        text = notes[f"delta {measure}"]
        assert judge(text, found[measure]) == "recomputed", (measure, text, found[measure])
    assert judge(printed.loc["d", "printed"], found["NMD"] - found["RNOD"]) == "recomputed"
