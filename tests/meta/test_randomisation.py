"""The randomisation test of two runs against all signs, and against Tukey's test of two runs."""

import itertools

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.randomisation import EXACT


def p_of(a, b, **options):
    scores = matrix(np.stack([a, b], axis=-1)[None])
    return ob.paired_randomisation(scores, "r0", "r1", **options).loc["u"]


def by_all_signs(a, b):
    differences = np.subtract(a, b)
    flips = np.array(list(itertools.product((1, -1), repeat=len(differences))))
    return np.mean(np.abs(flips @ differences) >= abs(differences.sum()) - 1e-9)


@pytest.mark.parametrize("topics", [1, 2, 10, EXACT])
def test_few_topics_are_tested_by_all_signs(topics):
    a, b = np.random.default_rng(topics).normal(size=(2, topics))
    found = p_of(a, b)
    assert found["low"] == found["p"] == found["high"] == by_all_signs(a, b)
    assert found["difference"] == pytest.approx(a.mean() - b.mean())


def test_more_topics_are_tested_by_drawn_signs():
    a, b = np.random.default_rng(1).normal(size=(2, EXACT + 1))
    found = p_of(a, b)
    assert found["low"] < found["p"] < found["high"]
    assert found["low"] <= by_all_signs(a, b) <= found["high"]
    assert p_of(a, b)["p"] == found["p"] != p_of(a, b, seed=1)["p"]


def test_of_two_runs_it_is_tukeys_test():
    values = np.random.default_rng(4).normal(size=(1, 10, 2))
    exact = ob.paired_randomisation(matrix(values), "r0", "r1").loc["u", "p"]
    tests, error = ob.tukey_hsd(matrix(values), 2000), (exact * (1 - exact) / 2000) ** 0.5
    assert abs(tests.p["u"].item() - exact) < 4 * error


def test_every_measure_is_tested_alone():
    values = np.random.default_rng(5).normal(size=(3, 12, 4))
    together = ob.paired_randomisation(matrix(values), "r1", "r3")
    for k, name in enumerate(together.index):
        assert together.loc[name, "p"] == by_all_signs(values[k, :, 1], values[k, :, 3])


@pytest.mark.parametrize("scale", [1e-13, 1, 1e13])
def test_ties_are_decided_at_any_scale(scale):
    """Differences +3, -1, -2 of tenths sum to 0, which every choice of signs reaches."""
    assert p_of([0.1, 0.2], [0.1, 0.2])["p"] == 1
    assert p_of(scale * np.array([0.3, 0, 0]), scale * np.array([0, 0.1, 0.2]))["p"] == 1
