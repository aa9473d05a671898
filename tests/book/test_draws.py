"""Many seeds of one test: each is the test of that seed, and together they are one larger test."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.book.draws import draw
from score_matrices import matrix

TRIALS, SEEDS = 200, 4


@pytest.fixture
def scores():
    rng = np.random.default_rng(2)
    effects, noise = np.linspace(0, 1, 5), rng.standard_normal((3, 25, 5))
    # By the second measure the order of the runs is the opposite, so that there are contradictions.
    signs = np.array([1, -1, 1])[:, None, None]
    return matrix(signs * effects + noise)


def test_every_draw_is_the_test_of_its_seed(scores):
    found = draw(scores, TRIALS, SEEDS)
    assert found.signs.shape == (SEEDS, 3, 10)
    for seed in range(SEEDS):
        tests = ob.tukey_hsd(scores, TRIALS, seed)
        power = ob.discriminative_power(tests)["significant"].tolist()
        assert np.diagonal(found.both[seed]).tolist() == power
        overlap = ob.significance_overlap(tests)
        clashes = ob.contradictions(tests).groupby(["first", "second"]).size()
        for (i, j), (pair, row) in zip(((0, 1), (0, 2), (1, 2)), overlap.iterrows(), strict=True):
            assert found.both[seed, i, j] == row["both"]
            assert found.contradicting[seed, i, j] == clashes.get(pair, 0)
    assert found.contradicting.max() > 0


def test_together_they_have_all_trials(scores):
    together = draw(scores, TRIALS, SEEDS).together
    assert together.trials == SEEDS * TRIALS
    tests = [ob.tukey_hsd(scores, TRIALS, seed) for seed in range(SEEDS)]
    assert (together.exceed == sum(test.exceed for test in tests)).all()
    for name in scores.measures:
        mean = sum(test.p[name].to_numpy() for test in tests) / SEEDS
        # Sums of four shares.
        np.testing.assert_allclose(together.p[name], mean, rtol=0, atol=1e-12)
        low, high = together.p_interval(name)
        assert (low.to_numpy() <= mean + 1e-12).all()
        assert (high.to_numpy() >= mean - 1e-12).all()


def test_no_seed_is_an_error(scores):
    with pytest.raises(ValueError, match="at least 1"):
        draw(scores, TRIALS, 0)
