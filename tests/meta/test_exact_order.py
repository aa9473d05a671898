"""Nothing depends on the order of topics or runs, on the end of the scale, or on votes as shares.

What draws random topics, permutations or signs keys its stream by (seed, trial) and draws by
position: other orders give other draws of the same shares, and are held against the exact ones.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.score_matrices import matrix
from ordbook.meta.agreement import preference_agreement, topic_agreement, topic_wins
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import (
    contradictions,
    discriminative_power,
    significance_overlap,
)
from ordbook.meta.rankings import better_than, identical_runs, standings
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity

BETTER = {"x": "low", "y": "high", "z": "low"}


def drawn(seed):
    """Three measures, of which x and z share the ties of runs; scores are thirds."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(0, 4, (3, 12, 6)) + np.array([0, 0, 0, 1, 2, 4])
    whole[:, :, 1] = rng.permuted(whole[:, :, 0], axis=1)  # the same mean
    whole[1, :, 5] -= 6  # worst by x and z, which are better low, and by y
    return matrix(whole / 3, BETTER)


def reordered(scores, topics, runs):
    return replace(
        scores,
        values=scores.values[:, topics][:, :, runs],
        topics=tuple(scores.topics[t] for t in topics),
        runs=tuple(scores.runs[r] for r in runs),
    )


def orders(seed, scores):
    rng = np.random.default_rng((seed, 1))
    return rng.permutation(len(scores.topics)), rng.permutation(len(scores.runs))


def negated(scores):
    """The same scores with the other end better."""
    other = {"low": "high", "high": "low"}
    better = {measure: other[end] for measure, end in scores.better.items()}
    return replace(scores, values=-scores.values, better=better)


SEEDS = pytest.mark.parametrize("seed", range(3))


@SEEDS
def test_rankings_do_not_depend_on_the_order(seed):
    scores = drawn(seed)
    other = reordered(scores, *orders(seed, scores))
    for measure in scores.measures:
        there, back = (
            standings(one, measure).set_index("run").loc[list(scores.runs)]
            for one in (scores, other)
        )
        assert (there["rank"] == back["rank"]).all()
        np.testing.assert_allclose(there, back, rtol=0, atol=1e-14)
        assert there["rank"].duplicated().any()
    for variant in ("a", "b"):
        there, back = (ranking_similarity(one, variant=variant) for one in (scores, other))
        assert (there.tau == back.tau).all(axis=None)
        assert (there.tied == back.tied).all()
    there, back = (topic_agreement(one) for one in (scores, other))
    np.testing.assert_allclose(there, back, rtol=0, atol=1e-14)
    for count in (topic_wins, preference_agreement):
        assert (count(scores, "r0", "r1") == count(other, "r0", "r1")).all(axis=None)
    families = [set(map(frozenset, identical_runs(one))) for one in (scores, other)]
    assert families[0] == families[1]


@SEEDS
def test_the_other_end_of_the_scale_gives_the_same_results(seed):
    scores = drawn(seed)
    other = negated(scores)
    for measure in scores.measures:
        names = ["rank", "run"]
        assert standings(scores, measure)[names].equals(standings(other, measure)[names])
    assert (ranking_similarity(scores).tau == ranking_similarity(other).tau).all(axis=None)
    there, back = (ranking_consistency(one, None, 30, seed).tau for one in (scores, other))
    assert (there == back).all(axis=None)
    there, back = (tukey_hsd(one, 100, seed) for one in (scores, other))
    assert there.p.equals(back.p)
    assert contradictions(there, 0.3).equals(contradictions(back, 0.3))
    for measure in scores.measures:
        names = ["better", "worse", "p"]
        there_m, back_m = (better_than(one, measure, 0.3)[names] for one in (there, back))
        assert there_m.equals(back_m)


@pytest.mark.parametrize(
    ("trials", "alphas"),
    [
        (20, [0.05, 0.1, 0.15, 0.3, 0.35, 0.55, 0.7, 0.95]),
        (1000, [0.001, 0.01, 0.029, 0.05, 0.057, 0.113]),
        (5000, [0.0002, 0.01, 0.05, 0.1134]),
    ],
)
def test_p_at_the_line_is_counted_exactly(trials, alphas):
    # p is a count over the trials: at p = alpha, as written in decimals, it is not below.
    counts = [round(alpha * trials) + k for alpha in alphas for k in (-1, 0, 1)]
    runs = len(counts) + 1
    tests = tukey_hsd(matrix(np.arange(2 * 3 * runs).reshape(2, 3, runs) % 5), trials)
    p = tests.p * 0 + 1
    p.iloc[: len(counts)] = np.array(counts)[:, None] / trials  # of the first run and all others
    means = tests.means * 0 + np.array([np.arange(runs), -np.arange(runs)]).T
    tests = replace(tests, p=p, means=means, oriented=means)
    for alpha in alphas:
        line = Fraction(str(alpha))
        wanted = sum(Fraction(count, trials) < line for count in counts)
        assert Fraction(round(alpha * trials), trials) == line  # this count stands at the line
        assert (discriminative_power(tests, alpha)["significant"] == wanted).all()
        assert significance_overlap(tests, alpha)["both"].tolist() == [wanted]
        assert len(contradictions(tests, alpha)) == wanted
        assert len(better_than(tests, "u", alpha)) == wanted
