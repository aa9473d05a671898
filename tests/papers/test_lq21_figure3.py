"""LQ'21 Figure 3: what the notes predict of the lost pictures follows from printed numbers.

The twin of DQ-A has the only votes that give the deltas of Section 5.3 (see
:mod:`ordbook.data.twin_gold`), so the notes must name these votes and their deltas.
"""

import numpy as np
import pytest

import ordbook as ob
from cases import each
from ordbook.chapters import simulated
from ordbook.data.printed import printed_values
from ordbook.papers.relations import judge

MEASURES = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]


@pytest.fixture(scope="module")
def twin():
    return simulated.twin("A")


@each(("panel", "number"), [("a", 181), ("b", 18)])
def test_predictions_in_notes_are_those_of_the_deduced_votes(twin, panel, number):
    printed = printed_values("lq21", f"figure3{panel}").set_index("column")
    assert set(printed["row"]) == {f"{number}th dialogue"}
    notes = printed["note"].str.extract(r"predicted: (\S+)")[0].dropna()
    gold = twin.gold[number - 1]
    votes = notes[notes.index.str.startswith("gold ")].astype(int)
    assert votes.to_numpy() == pytest.approx(20 * gold)
    shares = printed.loc[votes.index, "note"].str.extract(r"votes \(([0-9.]+)\)")[0]
    assert shares.astype(float).to_numpy() == pytest.approx(gold)
    alone = ob.QuantificationTask.from_arrays(np.array([gold]), {}).with_baselines()
    found = ob.score_deltas(ob.score(alone, MEASURES), "BL-popularity", "BL-uniform").iloc[0]
    for measure in MEASURES:
        text = notes[f"delta {measure}"]
        assert judge(text, found[measure]) == "exact", (measure, text, found[measure])
    assert judge(printed.loc["d", "printed"], found["NMD"] - found["RNOD"]) == "exact"
