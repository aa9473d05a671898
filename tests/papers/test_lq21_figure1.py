"""LQ'21 Figures 1 to 3: the twin of DialEval-1 DQ-A beside what is known of the lost pictures."""

import pytest

import ordbook as ob
from ordbook.chapters import lq21, simulated
from ordbook.meta.deltas import quadrants

MEASURES = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]


@pytest.fixture(scope="module")
def twin():
    return simulated.twin("A").with_baselines()


@pytest.fixture(scope="module")
def twin_deltas(twin):
    return ob.score_deltas(ob.score(twin, MEASURES), "BL-popularity", "BL-uniform")


def test_nmd_alone_prefers_popularity_about_as_often_as_is_known(twin_deltas):
    known = lq21.lost_counts().set_index("measures")
    # The panel with RNOD was fitted; the others hang on it through Table 7.
    for other in ("NVD", "RNSS", "JSD", "RNOD"):
        found, pair = quadrants(twin_deltas, "NMD", other), f"NMD, {other}"
        ends = [int(text) for text in known["2nd quadrant"][pair].split(" to ")]
        assert ends[0] - 5 <= found.second <= ends[-1] + 5
        assert found.fourth <= int(known["4th quadrant"][pair]) + 5
    fitted = quadrants(twin_deltas, "NMD", "RNOD")
    assert (fitted.second, fitted.fourth) == (75, 2)


def test_nmd_correlates_less_with_the_nominal_measures_than_rnod_does(twin_deltas):
    for nominal in ("NVD", "RNSS", "JSD"):
        by_nmd, by_rnod = (quadrants(twin_deltas, x, nominal).pearson for x in ("NMD", "RNOD"))
        assert by_nmd < by_rnod


def test_the_two_dialogues_of_figure_3_are_those_of_the_twin(twin, twin_deltas):
    """Fitted: their votes are the only ones that give the printed deltas."""
    top = ob.largest_disagreements(twin_deltas, "NMD", "RNOD", 2, side="negative")
    assert list(top.index) == ["181", "18"]
    assert [f"{d:.3f}" for d in top["d"]] == ["-0.265", "-0.263"]
    votes = twin.gold[[twin.topics.index(topic) for topic in top.index]] * 20
    assert votes.round().tolist() == [[0, 1, 2, 9, 8], [8, 7, 3, 1, 1]]
