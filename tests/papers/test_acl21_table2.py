"""ACL'21 Table 2: system ranking similarity in ordinal classification."""

import ordbook as ob


def test_part_i_comes_out_from_the_raw_files(raw_files):
    scores = ob.score(ob.load("sem16t4c"))
    assert scores.source == "raw"
    compared = ob.compare("acl21", "2i", ob.ranking_similarity(scores).tau)
    assert compared.counts() == {"recomputed": 36}


def test_kappa_does_not_tell_constant_runs_apart(committed):
    """Section 3.1: 'kappa returns a zero for all topics for all such baseline systems'."""
    scores = committed("sem16t4c").select(["kappa"])
    assert (scores["kappa"]["_baseline-majority-0"] == 0).all()
