"""The ten findings: every rule can be true and false, and a chapter's figures show its numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ordbook.chapters import findings as ten
from ordbook.chapters.your_data import outlier


@pytest.fixture(scope="module")
def survey():
    return ten.study("fair-oq", halves=20)


def test_a_rule_of_this_chapter_is_true_and_false(survey):
    def told(tau):
        seen = replace(survey.whole)
        seen.__dict__["consistency"] = tau
        return seen

    tau = {"RNOD": 0.8, "RNOD2": 0.7, "RNADW": 0.7, "RNADW2": 0.7}
    rule = ten.a_variant_is_steadier()
    assert rule.look(told(tau)) == (False, "0.700, 0.800")
    assert rule.look(told(tau | {"RNADW": 0.9})) == (True, "0.900, 0.800")
    for least, makes_up in ((0.99, True), (0.1, False)):
        seen = told(dict.fromkeys(ten.SIX, least))
        assert ten.topics_make_up().look(seen)[0] is makes_up
    # One of the two measures has no noise, and is the steadier one.
    scores = survey.whole.scores.select(["RNOD", "NMD"])
    values = np.tile(np.arange(5.0), (2, 20, 1))
    values[1] += 9 * np.random.default_rng(0).random((20, 5))
    topics, runs = scores.topics[:20], scores.runs[:5]
    seen = replace(survey.whole, scores=replace(scores, values=values, topics=topics, runs=runs))
    assert ten.steadier_with_ten("RNOD", "NMD").look(seen)[0]
    assert not ten.steadier_with_ten("NMD", "RNOD").look(seen)[0]


def test_a_verdict_comes_from_the_halves_and_from_the_sets_without_a_run(survey):
    assert len(survey.halves) == 20
    assert {len(part.scores.topics) for part in survey.halves} == {28}
    assert len(survey.fewer_runs) == len(survey.whole.scores.runs) == 16
    assert ten.judge(outlier("DNKT", ten.NINE_OQ), survey)[1:] == (1, 1, "holds")
    assert ten.judge(outlier("JSD", ten.NINE_OQ), survey)[1:] == (0, 0, "does not hold")


def test_the_seed_decides_what_is_drawn(survey):
    drawn = {
        seed: [part.scores.topics for part in ten.study("fair-oq", 20, seed).halves]
        for seed in (0, 1)
    }
    assert drawn[0] == [part.scores.topics for part in survey.halves] != drawn[1]
    with pytest.raises(ValueError, match="seed must be a whole number"):
        ten.start("x")


def test_contradictions_are_counted_once_a_pair(survey):
    against, both = ten.clashes(survey.whole)
    assert 0 <= against < both
    overlap = survey.whole.overlap
    assert both == sum(overlap[pair]["both"] for pair in overlap)


def test_the_gap_of_a_measure_is_to_the_lowest_of_the_others(survey):
    found = ten.apart(survey.whole, "DNKT", ten.NINE_OQ)
    tau = pd.DataFrame(survey.whole.tau).loc[list(ten.NINE_OQ), list(ten.NINE_OQ)]
    means = (tau.sum() - 1) / 8
    assert np.allclose(found, [means["DNKT"], means.drop("DNKT").min()])
