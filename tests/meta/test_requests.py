"""Requests without sense are refused in a line that says what is wrong with them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.agreement import quadrants, topic_wins
from ordbook.meta.discrimination import pooled_discriminative_power
from ordbook.meta.kernels import stream_key
from ordbook.meta.rankings import better_than, identical_runs, standings
from ordbook.meta.topic_set_size import (
    topic_set_size,
    topics_needed,
)


def drawn(measures=2, topics=9, runs=5):
    return matrix(np.random.default_rng(0).random((measures, topics, runs)))


GOOD = drawn()
ALONE, SHORT = drawn(runs=1), drawn(topics=1)
EQUAL = matrix(GOOD.values[..., :1].repeat(3, axis=2))
LINE = [1, 2, 3, 4, 5]


# -- what several functions refuse alike -----------------------------------------------------------

OF_SCORES = {
    "tukey_hsd": lambda scores=GOOD, **how: ob.tukey_hsd(scores, **({"trials": 5} | how)),
    "parametric_tukey_hsd": lambda scores=GOOD, **how: ob.parametric_tukey_hsd(scores, **how),
    "paired_t": lambda scores=GOOD, **how: ob.paired_t(scores, **how),
    "ranking_consistency": lambda scores=GOOD, **how: ob.ranking_consistency(scores, **how),
    "ranking_similarity": lambda scores=GOOD, **how: ob.ranking_similarity(scores, **how),
    "topic_agreement": lambda scores=GOOD, **how: ob.topic_agreement(scores, run="r0", **how),
    "score_deltas": lambda scores=GOOD, **how: ob.score_deltas(scores, "r0", "r1", **how),
    "standings": lambda scores=GOOD, **how: standings(scores, "u", **how),
    "topic_set_size": lambda scores=GOOD, **how: topic_set_size(scores, 0.1, **how),
    "identical_runs": lambda scores=GOOD: identical_runs(scores),
}
TESTED = ob.tukey_hsd(GOOD, 5)
OF_TESTS = {
    "discriminative_power": ob.discriminative_power,
    "significance_overlap": ob.significance_overlap,
    "contradictions": ob.contradictions,
}
MEASURES = ("tukey_hsd", "parametric_tukey_hsd", "paired_t", "ranking_consistency",
            "ranking_similarity", "topic_agreement")  # fmt: skip


@pytest.mark.parametrize("name", OF_SCORES)
def test_what_is_no_score_matrix(name):
    for other, kind in ((GOOD["u"], "DataFrame"), (GOOD.values, "ndarray"), (1, "int")):
        with pytest.raises(ValueError, match=f"a ScoreMatrix is needed, not a {kind}.*ordbook.sco"):
            OF_SCORES[name](other)


@pytest.mark.parametrize("name", MEASURES)
def test_measures_that_are_not_there(name):
    for measures, message in ((["q"], "no measure 'q'"), ("u", r"write \['u'\]"), ([], "at least")):
        with pytest.raises(ValueError, match=message):
            OF_SCORES[name](measures=measures)


@pytest.mark.parametrize("name", OF_TESTS)
def test_what_is_no_result_of_a_test_and_no_level(name):
    with pytest.raises(ValueError, match="tukey_hsd returns is needed, not a DataF"):
        OF_TESTS[name](TESTED.p)
    for alpha in (5, 0, "x", None, np.nan):
        with pytest.raises(ValueError, match="^alpha must lie between 0 and 1, not "):
            OF_TESTS[name](TESTED, alpha)
        with pytest.raises(ValueError, match="^alpha must lie between 0 and 1, not "):
            better_than(TESTED, "u", alpha)


def test_numbers_that_are_not_whole():
    for name, option in (("tukey_hsd", "trials"), ("ranking_consistency", "splits")):
        for number in (0, 1.5, True):
            with pytest.raises(ValueError, match=f"{option} must be a whole number from 1, not"):
                OF_SCORES[name](**{option: number})


def test_seeds_levels_and_digits():
    for seed in (-1, 0.5, True):
        with pytest.raises(ValueError, match="the seed must be a whole number from 0"):
            stream_key(seed, "a")
    for call in (OF_SCORES["standings"], OF_SCORES["ranking_similarity"]):
        with pytest.raises(ValueError, match="^level must lie between 0 and 1, not 95"):
            call(level=95)
    for digits in (-1, True, 101):
        with pytest.raises(ValueError, match="^digits must be a whole number from 0 to 100, "):
            ob.kendall_interval(0.5, 12, digits=digits)


# -- what one function refuses ---------------------------------------------------------------------

REQUESTS = {
    # runs, topics and measures
    "toy: .* at least 2 runs, there is 1": lambda: ob.tukey_hsd(ALONE),
    "toy: .* at least 2 topics, there is 1": lambda: ob.paired_t(SHORT),
    "at most 4096 can be tested": lambda: ob.tukey_hsd(drawn(1, 2, 4097)),
    "a ranking needs at least 2 runs, there is 1": lambda: ob.ranking_consistency(ALONE),
    "of 5 topics need 10, there are 9; .* at most 4": lambda: ob.ranking_consistency(GOOD, 5),
    "needs at least 5 topics, there are 4": lambda: ob.topic_agreement(drawn(topics=4), run="r0"),
    "no run 'z' in these scores; there are r0": lambda: topic_wins(GOOD, "r0", "z"),
    "'r0' does not differ from itself": lambda: ob.score_deltas(GOOD, "r0", "r0"),
    "at least 4 topics, there are 3": lambda: quadrants(pd.DataFrame({"x": LINE[:3]}), "x", "x"),
    "measures needs at least 2, there is 1": lambda: ob.contradictions(
        ob.tukey_hsd(GOOD, 5, measures=["u"])
    ),
    "toy: no test by 'q'; there are u": lambda: TESTED.pairs("q"),
    "decide_at must lie between 0 and 1, not 5": lambda: ob.tukey_hsd(GOOD, decide_at=5),
    "each data set counts once; there are toy, toy": lambda: pooled_discriminative_power(
        [TESTED, TESTED]
    ),
    "other: pooling needs the same measures .* v only in some": lambda: pooled_discriminative_power(
        [TESTED, replace(ob.tukey_hsd(GOOD, 5, measures=["u"]), task="other")]
    ),
    "at least 2 measures and 2 splits, not 1 and 4": lambda: ob.ranking_consistency(
        GOOD.select(["u"]), splits=4
    ).outperforms(),
    # Kendall's tau
    "x has 2 scores and y 3": lambda: ob.kendall_tau([1, 2], [1, 2, 3]),
    "y: score 1 is inf": lambda: ob.kendall_tau([1, 2], [np.inf, 2]),
    "variant must be 'a' or 'b', not 'c'": lambda: ob.kendall_tau([1, 2], [1, 2], "c"),
    "^x is not numeric": lambda: ob.kendall_tau(["1", "2", "10"], [1, 2, 3]),
    "systems must be a whole number from 5, not 4": lambda: ob.kendall_interval(0.5, 4),
    "between -1 and 1, not -1.5": lambda: ob.kendall_interval(-1.5, 9),
    # design of topic sets
    "variance needs at least 3 topics, there are 2": lambda: topic_set_size(drawn(topics=2), 0.1),
    "by u the differences between runs are the same on every": lambda: topic_set_size(EQUAL, 0.1),
    "difference lacks v": lambda: topic_set_size(GOOD, {"u": 0.4}),
    "variance must be above 0, not 0": lambda: topics_needed(0, 0.1, 3),
    "runs must be a whole number from 2 to 100000, not 1$": lambda: topics_needed(1, 1, 1),
    "too small .* more than 100,000 topics": lambda: topics_needed(1, 1e-5, 3),
}


@pytest.mark.parametrize("message", REQUESTS)
def test_requests_without_sense_are_refused(message):
    with pytest.raises(ValueError, match=message):
        REQUESTS[message]()
