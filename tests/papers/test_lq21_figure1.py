"""LQ'21 Figures 1 to 3: the twin of DialEval-1 DQ-A beside what is known of the lost pictures."""

import pytest

import ordbook as ob
from ordbook.book import delta_sets, deltas, simulated

MEASURES = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]


@pytest.fixture(scope="module")
def twin():
    return deltas.with_baselines(simulated.twin("A"))


@pytest.fixture(scope="module")
def twin_deltas(twin):
    return deltas.popularity_deltas(ob.score(twin, MEASURES))


def test_nmd_alone_prefers_popularity_about_as_often_as_is_known(twin_deltas):
    known = delta_sets.deduced().set_index("measures")
    found = deltas.quadrant_table(twin_deltas, "NMD", ["NVD", "RNSS", "JSD", "RNOD"])
    # The panel with RNOD was fitted; the others hang on it through Table 7.
    for pair, row in found.iterrows():
        ends = [int(text) for text in known["2nd quadrant"][pair].split(" to ")]
        assert ends[0] - 5 <= row["2nd quadrant"] <= ends[-1] + 5
        assert row["4th quadrant"] <= int(known["4th quadrant"][pair]) + 5
    assert found["2nd quadrant"]["NMD, RNOD"] == 75
    assert found["4th quadrant"]["NMD, RNOD"] == 2


def test_nmd_correlates_less_with_the_nominal_measures_than_rnod_does(twin_deltas):
    nominal = ["NVD", "RNSS", "JSD"]
    by_nmd, by_rnod = (
        deltas.quadrant_table(twin_deltas, x, nominal)["Pearson"].to_numpy()
        for x in ("NMD", "RNOD")
    )
    assert (by_nmd < by_rnod).all()


def test_the_two_dialogues_of_figure_3_are_those_of_the_twin(twin, twin_deltas):
    """Fitted: their votes are the only ones that give the printed deltas."""
    top = ob.largest_partings(twin_deltas, "NMD", "RNOD", 2, side="negative")
    assert list(top.index) == ["181", "18"]
    assert [f"{d:.3f}" for d in top["d"]] == ["-0.265", "-0.263"]
    votes = twin.gold[[twin.topics.index(topic) for topic in top.index]] * 20
    assert votes.round().tolist() == [[0, 1, 2, 9, 8], [8, 7, 3, 1, 1]]
