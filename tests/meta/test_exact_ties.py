"""Ties of exact arithmetic are ties in every analysis, whatever the last bits of the scores are.

Scores are small whole numbers over 3, 7 or 10: in whole numbers every mean and difference is exact.
The same scores as floats get noise of up to two units in the last place, as other orders of
summation leave it. Expected values come from ``fractions``.
"""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.agreement import (
    preference_agreement,
    topic_wins,
    true_disagreements,
)
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.kendall import kendall_interval, kendall_tau, pair_signs
from ordbook.meta.parametric import parametric_tukey_hsd
from ordbook.meta.rankings import identical_runs, ranks, standings
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.subsampling import subsample

DENOMINATORS = [3, 7, 10]
SEEDS = range(5)
BETTER = {"x": "low", "y": "high"}


def whole_scores(seed, topics=6, runs=7):
    """(2, topics, runs): whole numbers with many ties, of runs and of means."""
    return np.random.default_rng(seed).integers(0, 3, (2, topics, runs))


def noisy(whole, denominator, seed=0, scale=1.0):
    """Quotients with the last two bits shaken."""
    values = whole / denominator * scale
    shaken = np.random.default_rng((seed, denominator)).integers(-2, 3, values.shape)
    return values + shaken * np.spacing(values)


def sign(x):
    return (x > 0) - (x < 0)


def exact_means(whole, denominator):
    topics = whole.shape[0]
    return [Fraction(int(total), denominator * topics) for total in whole.sum(axis=0)]


def exact_signs(values):
    return [sign(b - a) for a, b in itertools.combinations(values, 2)]


def both(seed, denominator, scale=1.0):
    whole = whole_scores(seed)
    return whole, matrix(noisy(whole, denominator, seed, scale), BETTER)


CASES = pytest.mark.parametrize(
    ("denominator", "seed"), list(itertools.product(DENOMINATORS, SEEDS))
)


def test_there_are_ties_that_floats_would_break():
    broken = 0
    for seed in SEEDS:
        whole, scores = both(seed, 10)
        for k in range(2):
            exact = np.array(exact_signs(exact_means(whole[k], 10)))
            naive = np.sign(pair_signs(scores.values[k].mean(axis=0), 0.0))
            broken += int(((exact == 0) & (naive != 0)).sum())
    assert broken > 10


# -- rankings of the runs ----------------------------------------------------------------------


@CASES
def test_ranks_are_exact(denominator, seed):
    whole, scores = both(seed, denominator)
    for k, (measure, better) in enumerate(BETTER.items()):
        means = exact_means(whole[k], denominator)
        up = 1 if better == "high" else -1
        wanted = {
            f"r{i}": 1 + sum(up * other > up * mean for other in means)
            for i, mean in enumerate(means)
        }
        found = standings(scores, measure)
        assert dict(zip(found["run"], found["rank"], strict=True)) == wanted
        # Runs that share a rank stand in the order of the matrix.
        assert list(found["run"]) == sorted(wanted, key=lambda run: (wanted[run], run))


@CASES
def test_correlations_of_rankings_are_exact(denominator, seed):
    whole, scores = both(seed, denominator)
    x, y = (exact_signs(exact_means(whole[k], denominator)) for k in (0, 1))
    agreement = -sum(a * b for a, b in zip(x, y, strict=True))  # x is better low
    untied = [sum(map(abs, signs)) for signs in (x, y)]
    found = ranking_similarity(scores)
    assert found.tau.loc["x", "y"] == agreement / len(x)
    assert found.tied.tolist() == [len(x) - count for count in untied]
    found = ranking_similarity(scores, variant="b").tau.loc["x", "y"]
    assert found == pytest.approx(agreement / (untied[0] * untied[1]) ** 0.5, abs=1e-15)
    means = [scores.values[k].mean(axis=0) for k in (0, 1)]
    assert kendall_tau(*means) == -agreement / len(x)
    plain = [np.array(whole[k].sum(axis=0), dtype=float) for k in (0, 1)]
    intervals = (kendall_interval(*x, method="asymptotic") for x in (means, plain))
    assert len(set(intervals)) == 1


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_rounded_means_stay_tied(shift):
    # 0.12345 is half-way between 0.1234 and 0.1235: the last bit must not decide for one run.
    means = np.array([0.12345, np.nextafter(0.12345, shift), 0.2, 0.3])
    values = np.stack([np.stack([means] * 2), np.stack([[1.0, 2.0, 3.0, 4.0]] * 2)])
    found = ranking_similarity(matrix(values, "high"), decimals=4)
    assert found.tied["u"] == 1


# -- samples of topics: whole numbers are exact, so both must see the same ties -----------------


@CASES
def test_consistency_is_exact(denominator, seed):
    whole, scores = both(seed, denominator)
    exact = matrix(whole, BETTER)
    for size in (None, 2):
        found, wanted = (ranking_consistency(one, size, 25, seed) for one in (scores, exact))
        assert (found.tau == wanted.tau).all(axis=None)
    found, wanted = (subsample(one, [2, 3, 6], repeats=10, seed=seed) for one in (scores, exact))
    np.testing.assert_array_equal(found["mean"], wanted["mean"])
    assert (found[found["topics"] == 6]["mean"] < 1).any() or 0 not in exact_signs(
        exact_means(whole[0], 1) + exact_means(whole[1], 1)
    )


# -- significance ------------------------------------------------------------------------------


@CASES
def test_p_values_are_exact(denominator, seed):
    whole, scores = both(seed, denominator)
    found, wanted = tukey_hsd(scores, 60, seed), tukey_hsd(matrix(whole, BETTER), 60, seed)
    assert found.p.equals(wanted.p)
    for k, measure in enumerate(BETTER):
        same = np.array(exact_signs(exact_means(whole[k], denominator))) == 0
        assert ((found.differences[measure] == 0) == same).all()
        assert (found.p[measure][same] == 1).all()


def test_parametric_p_of_a_tie_is_1():
    # Runs that differ by constants leave no variance: p is 0, but not where the mean is the same.
    p = parametric_tukey_hsd(matrix([[[0.3, 0.1 + 0.2, 0.5]] * 4])).p["u"]
    assert p.tolist() == [1, 0, 0]


# -- topics ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 1e7, 1e-13])
@CASES
def test_preferences_by_topic_are_exact(denominator, seed, scale):
    whole, scores = both(seed, denominator, scale)
    x, y = (whole[0, :, 1] - whole[0, :, 0]).tolist(), (whole[1, :, 0] - whole[1, :, 1]).tolist()
    signs = [(sign(a), sign(b)) for a, b in zip(x, y, strict=True)]  # 1: r0 is better
    wins = topic_wins(scores, "r0", "r1")
    for k, measure in enumerate(BETTER):
        wanted = [sum(pair[k] == s for pair in signs) for s in (1, -1, 0)]
        assert wins.loc[measure].tolist() == wanted
    found = preference_agreement(scores, "r0", "r1").iloc[0]
    assert found["same_run"] == sum(a == b != 0 for a, b in signs)
    assert found["opposite"] == sum(a * b < 0 for a, b in signs)
    parted = true_disagreements(scores, "r0", "r1", "x", "y")
    assert list(parted.index) == [f"t{t}" for t, (a, b) in enumerate(signs) if a * b < 0]


# -- the rule itself ---------------------------------------------------------------------------


def test_the_tie_of_the_docstrings():
    for x in ([0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]):
        assert pair_signs(x).tolist() == [0]
        assert ranks(np.array(x)).tolist() == [1, 1]
        assert standings(matrix([[x, x]]), "u")["rank"].tolist() == [1, 1]
        assert tukey_hsd(matrix([[x, x]]), 10).p["u"].eq(1).all()
        assert ob.paired_randomisation(matrix([[x, [0, 0]]]), "r0", "r1").loc["u", "p"] == 1
        assert ob.dnkt([*x, 0.4], [0.3, 0.3, 0.4]) == 0
        assert identical_runs(matrix([[x, x]])) == [("r0", "r1")]
