"""Requests without sense are refused in a line that says what is wrong with them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.agreement import quadrants, topic_wins
from ordbook.meta.discrimination import pairs_in_doubt, pooled_discriminative_power
from ordbook.meta.kernels import stream_key
from ordbook.meta.rankings import better_than, identical_runs, standings
from ordbook.meta.subsampling import consistency_within
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
    "topic_agreement": lambda scores=GOOD, **how: ob.topic_agreement(scores, **how),
    "subsample": lambda scores=GOOD, **how: ob.subsample(scores, [5], **how),
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
    "pairs_in_doubt": pairs_in_doubt,
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


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("tukey_hsd", "trials"), ("tukey_hsd", "threads"), ("ranking_consistency", "splits"),
        ("ranking_consistency", "size"), ("ranking_consistency", "threads"),
        ("subsample", "repeats"), ("topic_agreement", "threads"),
    ],
)  # fmt: skip
def test_numbers_that_are_not_whole(name, option):
    for number in (0, -5, 1.5, True):
        with pytest.raises(ValueError, match=f"{option} must be a whole number from 1, not"):
            OF_SCORES[name](**{option: number})


def test_seeds_levels_and_digits():
    for seed in (-1, 0.5, "0", None, True):
        with pytest.raises(ValueError, match="the seed must be a whole number from 0"):
            stream_key(seed, "a")
    for name in ("tukey_hsd", "subsample"):
        with pytest.raises(ValueError, match="the seed must be a whole number from 0"):
            OF_SCORES[name](seed=-1)
    for call in (OF_SCORES["subsample"], OF_SCORES["standings"], OF_SCORES["ranking_similarity"]):
        for level in (95, "x"):
            with pytest.raises(ValueError, match="^level must lie between 0 and 1, not"):
                call(level=level)
    interval = lambda digits: ob.kendall_interval(0.5, 12, digits=digits)  # noqa: E731
    similarity = lambda digits: ob.ranking_similarity(GOOD, digits=digits)  # noqa: E731
    for call in (interval, similarity):
        for digits in (-1, True, 101, 10**30):
            with pytest.raises(ValueError, match="^digits must be a whole number from 0 to 100, "):
                call(digits)
        call(0), call(100)
    for tolerance in (-1, np.nan, True):
        for call in (ob.kendall_tau, ob.kendall_interval):
            with pytest.raises(ValueError, match="^tolerance must be a number from 0, not"):
                call(LINE, LINE, tolerance=tolerance)


# -- what one function refuses ---------------------------------------------------------------------

REQUESTS = {
    # runs, topics and measures
    "toy: .* at least 2 runs, there is 1": lambda: ob.tukey_hsd(ALONE),
    "toy: .* at least 2 topics, there is 1": lambda: ob.tukey_hsd(SHORT),
    "at least 2 topics, there is 1": lambda: ob.paired_t(SHORT),
    "at most 4096 can be tested": lambda: ob.tukey_hsd(drawn(1, 2, 4097)),
    "a ranking needs at least 2 runs, there is 1": lambda: ob.ranking_consistency(ALONE),
    "split needs at least 3 topics, there are 2": lambda: ob.ranking_consistency(drawn(topics=2)),
    "of 5 topics need 10, there are 9; .* at most 4": lambda: ob.ranking_consistency(GOOD, 5),
    "of 100 topics need 200": lambda: ob.ranking_consistency(drawn(topics=150), np.int8(100)),
    "needs at least 5 topics, there are 4": lambda: ob.topic_agreement(drawn(topics=4)),
    "no run 'z' in these scores; there are r0": lambda: topic_wins(GOOD, "r0", "z"),
    "'r0' does not differ from itself": lambda: ob.score_deltas(GOOD, "r0", "r0"),
    "at least 4 topics, there are 3": lambda: quadrants(pd.DataFrame({"x": LINE[:3]}), "x", "x"),
    "measures needs at least 2, there is 1": lambda: ob.contradictions(
        ob.tukey_hsd(GOOD, 5, measures=["u"])
    ),
    "toy: no test by 'q'; there are u": lambda: TESTED.pairs("q"),
    # options
    "method must be 'randomised' or 'asymptotic', not 'e": lambda: ob.tukey_hsd(GOOD, method="e"),
    "no trials; leave out trials= and decide_at=": lambda: ob.tukey_hsd(
        GOOD, 5, method="asymptotic"
    ),
    "decide_at must lie between 0 and 1, not 5": lambda: ob.tukey_hsd(GOOD, decide_at=5),
    "variance must be": lambda: TESTED.effect_sizes("e3"),
    "level must lie between 0 and 1, not '.95'": lambda: TESTED.limits(".95"),
    "in a list; of one data set write .tests.": lambda: pooled_discriminative_power(TESTED),
    "each data set counts once; there are toy, toy": lambda: pooled_discriminative_power(
        [TESTED, TESTED]
    ),
    "other: pooling needs the same measures .* v only in some": lambda: pooled_discriminative_power(
        [TESTED, replace(ob.tukey_hsd(GOOD, 5, measures=["u"]), task="other")]
    ),
    "variant must be": lambda: ob.ranking_similarity(GOOD, variant="c"),
    "interval must be 't' or 'hsd', not 'z'": lambda: standings(GOOD, "u", interval="z"),
    "at least 2 measures and 2 splits, not 1 and 4": lambda: ob.ranking_consistency(
        GOOD.select(["u"]), splits=4
    ).outperforms(),
    # sizes of subsamples
    "by u all runs score the same": lambda: ob.subsample(EQUAL, [9]),
    "a size must be a whole number from 2 to 9, not 10": lambda: ob.subsample(GOOD, [10]),
    "statistic must be 'tau' or 'power', not 'mean'": lambda: ob.subsample(GOOD, [5], "mean"),
    "sizes must be several numbers, not 5; write .5.": lambda: ob.subsample(GOOD, 5),
    "a size must be a whole number from 1 to 4, not 5": lambda: consistency_within(GOOD, [5]),
    # Kendall's tau
    "x has 2 scores and y 3": lambda: ob.kendall_tau([1, 2], [1, 2, 3]),
    "at least 2 scores": lambda: ob.kendall_tau([1], [1]),
    "y: score 1 is inf": lambda: ob.kendall_tau([1, 2], [np.inf, 2]),
    r"x: score 2 is -11.*, not a number from -1e\+15 to 1e\+15$": lambda: ob.kendall_tau(
        [1, -1.1e15], [1, 2]
    ),
    "variant must be 'a' or 'b', not 'c'": lambda: ob.kendall_tau([1, 2], [1, 2], "c"),
    "^x is not numeric": lambda: ob.kendall_tau(["1", "2", "10"], [1, 2, 3]),
    "^y is not numeric": lambda: ob.kendall_tau([1, 2, 3], [True, False, True]),
    "at least 5 systems, got 4": lambda: ob.kendall_interval(0.5, 4),
    "between -1 and 1, not -1.5": lambda: ob.kendall_interval(-1.5, 9),
    "the asymptotic interval needs the scores": lambda: ob.kendall_interval(
        0.5, 9, method="asymptotic"
    ),
    r"y must be a vector of at least 2 scores, got shape \(\)": lambda: ob.kendall_interval(
        LINE, 5
    ),
    "method must be 'fieller' or 'asymptotic'": lambda: ob.kendall_interval(0.5, 9, method="delta"),
    "digits= rounds tau": lambda: ob.kendall_interval(LINE, LINE, method="asymptotic", digits=3),
    # design of topic sets
    "runs, there is 1": lambda: topic_set_size(ALONE, 0.1),
    "variance needs at least 3 topics, there are 2": lambda: topic_set_size(drawn(topics=2), 0.1),
    "by u the differences between runs are the same on every": lambda: topic_set_size(EQUAL, 0.1),
    "difference lacks v": lambda: topic_set_size(GOOD, {"u": 0.4}),
    "difference must be above 0, not True": lambda: topic_set_size(GOOD, True),
    "variance must be above 0, not 0": lambda: topics_needed(0, 0.1, 3),
    "runs must be a whole number from 2 to 100000, not 1$": lambda: topics_needed(1, 1, 1),
    "design must be 'paired' or 'one-way'": lambda: topics_needed(1, 1, 3, design="latin"),
    "too small .* more than 100,000 topics": lambda: topics_needed(1, 1e-5, 3),
}


@pytest.mark.parametrize("message", REQUESTS)
def test_requests_without_sense_are_refused(message):
    with pytest.raises(ValueError, match=message):
        REQUESTS[message]()
