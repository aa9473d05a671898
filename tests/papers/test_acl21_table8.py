"""ACL'21 Table 8: system ranking similarity in ordinal quantification."""

import numpy as np

import ordbook as ob


def test_part_i_comes_out_from_the_raw_files(raw_files):
    scores = ob.score(ob.load("sem16t4e"))
    assert scores.source == "raw"
    assert ob.compare("acl21", "8i", ob.ranking_similarity(scores).tau).counts() == {
        "recomputed": 15
    }


def test_scoring_as_printed_or_renormalised_makes_no_difference(raw_files):
    """Three runs miss a sum of 1; dividing by the sum moves no tau."""
    task = ob.load("sem16t4e")
    sums = task.estimates.sum(axis=2, keepdims=True)
    assert np.abs(sums - 1).max() > 1e-3
    runs = dict(zip(task.runs, task.estimates / sums, strict=True))
    normalised = ob.QuantificationTask.from_arrays(task.gold, runs)
    before, after = (ob.ranking_similarity(ob.score(t)).tau for t in (task, normalised))
    assert (before.to_numpy() == after.to_numpy()).all()
