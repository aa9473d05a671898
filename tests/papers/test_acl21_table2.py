"""ACL'21 Table 2: system ranking similarity in ordinal classification."""

import pytest

import ordbook as ob


def test_part_i_comes_out_from_the_raw_files(raw_files):
    scores = ob.score(ob.load("sem16t4c"))
    assert scores.source == "raw"
    compared = ob.compare("acl21", "2i", ob.ranking_similarity(scores).tau)
    assert compared.counts() == {"recomputed": 36}


def test_the_neutral_baseline(raw_files):
    """Section 5.1 quotes the official ranks 10 by MAE_M and 1 by MAE_mu: pooled over tweets.

    Means over topics, as in the rest of the paper, put it on rank 9 by MAE_M.
    """
    task = ob.load("sem16t4c")
    baseline = task.runs.index("_baseline-majority-0")
    pooled = task.confusion().sum(axis=1)
    for measure, official, by_topic in (("mae_macro", 10, 9), ("mae_micro", 1, 1)):
        from_confusion = getattr(ob, measure).from_confusion
        for errors, rank in (
            (from_confusion(pooled), official),
            (from_confusion(task.confusion()).mean(axis=1), by_topic),
        ):
            assert 1 + (errors < errors[baseline]).sum() == rank


def test_kappa_does_not_tell_constant_runs_apart(committed):
    """Section 3.1: 'kappa returns a zero for all topics for all such baseline systems'."""
    scores = committed("sem16t4c").select(["kappa"])
    assert (scores["kappa"]["_baseline-majority-0"] == 0).all()


def test_a_wrong_digit_is_noticed(committed):
    tau = ob.ranking_similarity(committed("sem16t4c")).tau
    tau.loc["HMPR", "F1_M"] += 2 / 66  # one pair of runs the other way round
    with pytest.raises(ValueError, match="HMPR, F1_M: printed 0.818"):
        ob.compare("acl21", "2i", tau)
