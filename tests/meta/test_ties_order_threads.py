"""No analysis depends on the last bits, order, scale or better end of scores, nor on threads.

Scores are small whole numbers over 3, 7 or 10: in whole numbers every mean and difference is exact.
The same scores as floats get noise of up to two units in the last place, as other orders of
summation leave it. Expected values come from ``fractions``.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta import parallel
from ordbook.meta.agreement import topic_wins
from ordbook.meta.items import item_tests
from ordbook.meta.rankings import better_than, identical_runs, standings
from ordbook.meta.studentised import upper_tail

BETTER = {"x": "low", "y": "high"}
RNG = np.random.default_rng(0)
SCORES = matrix(RNG.normal(size=(3, 21, 5)) + np.arange(5) / 4)
GOLD = RNG.integers(0, 3, 200)
ANSWERS = {"a": GOLD, "b": RNG.integers(0, 3, 200), "c": np.roll(GOLD, 1)}
LABELS = ob.ClassificationTask.from_labels(GOLD, ANSWERS, ["all"] * 200, range(3))


# Analysis -> its result. Those of the first table draw random numbers by the places of topics and
# runs, so that in another order they are other draws of the same shares.
DRAWN = {
    "Tukey": lambda scores, **how: ob.tukey_hsd(scores, 300, **how).p,
    "contradictions": lambda scores, **how: ob.contradictions(
        ob.tukey_hsd(scores, 500, **how), 0.3
    ),
    "better than": lambda scores, **how: better_than(ob.tukey_hsd(scores, 300, **how), "x", 0.3)[
        ["better", "worse", "p"]
    ],
    "consistency": lambda scores, **how: ob.ranking_consistency(scores, splits=30, **how).tau,
}
EXACT = {
    "similarity": lambda scores: ob.ranking_similarity(scores).tau,
    "ties": lambda scores: ob.ranking_similarity(scores).tied,
    "ranks": lambda scores: [
        standings(scores, m).set_index("run")["rank"].sort_index().to_dict()
        for m in scores.measures
    ],
    "wins": lambda scores: topic_wins(scores, "r0", "r1"),
    "preferences": lambda scores: ob.preference_agreement(scores, "r0", "r1"),
    "opposite": lambda scores: ob.true_disagreements(
        scores, "r0", "r1", "x", "y"
    ).index.sort_values(),
    "identical": lambda scores: set(map(frozenset, identical_runs(scores))),
}
ROUNDED = {
    "topics": lambda scores: ob.topic_agreement(scores, run="r2"),
    "parametric": lambda scores: ob.parametric_tukey_hsd(scores).p["y"].sort_values(),
    "paired t": lambda scores: ob.paired_t(scores).p["y"].sort_values(),
}


def whole_scores(seed, topics=6, runs=7):
    """(2, topics, runs): whole numbers with many ties, of runs and of means."""
    return np.random.default_rng(seed).integers(0, 3, (2, topics, runs))


def graded(seed):
    """Runs of some levels, which x and y see from opposite ends, and two that are the same."""
    whole = whole_scores(seed, 12) + np.array([0, 0, 0, 1, 2, 4, 0])
    whole[..., 6] = whole[..., 0]
    return matrix(whole, BETTER)


def noisy(whole, denominator, seed=0):
    """Quotients with the last two bits shaken."""
    values = whole / denominator
    shaken = np.random.default_rng((seed, denominator)).integers(-2, 3, values.shape)
    return values + shaken * np.spacing(values)


def same(one, other, tolerance=0.0):
    if tolerance:
        np.testing.assert_allclose(one, other, rtol=0, atol=tolerance)
    elif isinstance(one, pd.DataFrame | pd.Series | pd.Index):
        assert one.equals(other)
    else:
        assert one == other


def changed(scores, seed):
    """The same scores shaken, on other scales, with the other end better, and reordered."""
    rng = np.random.default_rng(seed)
    ends = {"low": "high", "high": "low"}
    topics, runs = (rng.permutation(len(names)) for names in (scores.topics, scores.runs))
    yield "noise", matrix(noisy(scores.values, 7, seed), BETTER)
    for scale in (1e-13, 1e13):
        yield "scale", replace(scores, values=scores.values * scale / 7)
    negated = {name: ends[end] for name, end in scores.better.items()}
    yield "end", replace(scores, values=-scores.values, better=negated)
    yield (
        "order",
        replace(
            scores,
            values=scores.values[:, topics][:, :, runs],
            topics=tuple(scores.topics[k] for k in topics),
            runs=tuple(scores.runs[k] for k in runs),
        ),
    )


@pytest.mark.parametrize("name", [*DRAWN, *EXACT, *ROUNDED])
def test_other_bits_scales_ends_and_orders_change_nothing(name):
    analyse = (DRAWN | EXACT | ROUNDED)[name]
    for seed in range(1 if name in DRAWN else 2):
        scores = graded(seed)
        wanted = analyse(scores)
        assert len(wanted) > 0
        for what, other in changed(scores, seed):
            if what != "order" or name not in DRAWN:
                same(analyse(other), wanted, 1e-9 if name in ROUNDED else 0)


@pytest.mark.parametrize(("denominator", "seed"), [*product([3, 7, 10], range(3))])
def test_ties_are_those_of_fractions(denominator, seed):
    whole = whole_scores(seed)
    scores = matrix(noisy(whole, denominator, seed), BETTER)
    tests, signs = ob.tukey_hsd(scores, 60, seed), []
    for values, (measure, better) in zip(whole, BETTER.items(), strict=True):
        up = 1 if better == "high" else -1
        means = [up * Fraction(int(total), 6 * denominator) for total in values.sum(axis=0)]
        ranking = standings(scores, measure)
        wanted = {f"r{i}": 1 + sum(other > mean for other in means) for i, mean in enumerate(means)}
        assert dict(zip(ranking["run"], ranking["rank"], strict=True)) == wanted
        # Runs that share a rank stand in the order of the matrix.
        assert list(ranking["run"]) == sorted(wanted, key=lambda run: (wanted[run], run))
        signs.append([(a > b) - (a < b) for a, b in combinations(means, 2)])
        assert tests.signs[measure].tolist() == signs[-1]
        tied = np.array(signs[-1]) == 0
        assert (tests.differences[measure].to_numpy()[tied] == 0).all()
        assert (tests.p[measure].to_numpy()[tied] == 1).all()
    agreement = int(np.dot(*signs))
    assert ob.ranking_similarity(scores).tau.loc["x", "y"] == agreement / len(signs[0])
    assert ob.kendall_tau(*scores.oriented.mean(axis=1)) == agreement / len(signs[0])
    topics = np.sign((whole[:, :, 0] - whole[:, :, 1]) * [[-1], [1]])  # 1: r0 is better
    wins = topic_wins(scores, "r0", "r1")
    assert wins.to_numpy().tolist() == [[sum(row == s) for s in (1, -1, 0)] for row in topics]
    opposite = ob.true_disagreements(scores, "r0", "r1", "x", "y")
    assert [*opposite.index] == [f"t{k}" for k in np.flatnonzero(topics.prod(axis=0) < 0)]


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_rounded_means_stay_tied(shift):
    # 0.12345 is half-way between 0.1234 and 0.1235: the last bit must not decide for one run.
    means = np.array([0.12345, np.nextafter(0.12345, shift), 0.2, 0.3])
    values = np.stack([np.stack([means] * 2), np.stack([[1.0, 2.0, 3.0, 4.0]] * 2)])
    assert ob.ranking_similarity(matrix(values, "high"), decimals=4).tied["u"] == 1


@pytest.mark.parametrize(
    "analyse",
    [
        lambda scores, seed=0: ob.tukey_hsd(scores, 50, seed).p,
        lambda scores, seed=0: ob.ranking_consistency(scores, splits=30, seed=seed).tau,
    ],
)
def test_all_measures_see_the_same_draws_whatever_the_others_are(analyse):
    values = SCORES.values
    scores = matrix([*values, 2 * values[0], -values[0]])
    every = analyse(scores)
    assert every["u"].tolist() == every["x"].tolist() == every["y"].tolist()
    assert not every.equals(analyse(scores, seed=1))
    for chosen in ("u", "wu", "yxwvu"):
        assert analyse(scores.select([*chosen])).equals(every[[*chosen]])


# Analysis -> its call with threads, and the trials of which it reports progress, if it does.
THREADED = {
    "Tukey": (lambda **how: ob.tukey_hsd(SCORES, 41, **how).p, 41),
    "items": (lambda **how: item_tests(LABELS, ["F1_M"], trials=500, **how).p, 500),
    "consistency": (lambda **how: ob.ranking_consistency(SCORES, splits=23, **how).tau, 23),
    "studentised range": (lambda **how: upper_tail(np.linspace(0, 6, 20), 7, 50, **how), 0),
}


@pytest.mark.parametrize("name", THREADED)
def test_threads_and_ranges_change_no_bit_and_progress_grows(name, monkeypatch):
    analyse, total = THREADED[name]
    wanted = np.asarray(analyse(threads=1))
    assert len(np.unique(wanted)) > 1
    for threads, chunk in ((1, 10), (2, 700), (3, 10**9), (None, 1)):
        monkeypatch.setattr(parallel, "CHUNK", chunk)
        reports = []
        how = {"progress": lambda *done, reports=reports: reports.append(done)} if total else {}
        values = analyse(threads=threads, **how)
        assert np.array_equal(np.asarray(values), wanted, equal_nan=True)
        assert reports == sorted(reports)
        assert reports[-1:] == [(total, total)] * bool(total)
