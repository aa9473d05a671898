"""DNKT Table 3: ranking agreement of nine measures on Sem16T4E, with Fieller's intervals."""

import pytest

import ordbook as ob


def test_all_correlations_and_limits_come_out_from_the_raw_files(raw_files):
    scores = ob.score(ob.load("sem16t4e"))
    assert scores.source == "raw"
    found = ob.ranking_similarity(scores, digits=3)
    assert ob.compare("dnkt", "3", found.cells()).counts() == {"recomputed": 108}


def test_all_correlations_and_limits_come_out_from_the_committed_scores(committed):
    found = ob.ranking_similarity(committed("sem16t4e"), digits=3)
    assert ob.compare("dnkt", "3", found.cells()).counts() == {"recomputed": 108}
    # Printed as a bare 1, so rounding would let much through.
    for first, second in (("RNADW", "RNOD2"), ("RNADW2", "RNSS")):
        assert found.tau.loc[first, second] == found.low.loc[first, second] == 1


def test_limits_come_out_only_if_tau_is_rounded_first(committed):
    found = ob.ranking_similarity(committed("sem16t4e"))
    with pytest.raises(ValueError, match="low|high"):
        ob.compare("dnkt", "3", found.cells())
