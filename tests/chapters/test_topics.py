"""The chapter on numbers of topics: what is drawn is what was computed."""

from dataclasses import replace

import numpy as np
import pytest

from helpers.score_matrices import matrix
from ordbook.chapters import topics


@pytest.fixture
def scores():
    rng = np.random.default_rng(4)
    effects, noise = np.linspace(0, 1, 6), rng.standard_normal((2, 40, 6))
    return matrix(effects + noise * np.array([0.5, 2])[:, None, None])


def test_a_design_needs_runs_topics_and_differences(scores):
    assert topics.comparable(scores).measures == ("u", "v")
    with pytest.raises(ValueError, match="6 runs and 7 topics"):
        topics.comparable(replace(scores, values=scores.values[:, :7], topics=scores.topics[:7]))


def test_a_design_from_a_pilot_has_the_power_that_was_asked_for():
    power = topics.power_after_pilots()
    error = 4 * 0.3 / 455**0.5  # the power after one pilot varies by .3 at most
    assert abs(power["observed"] - 0.46) < error  # as the docstring of shrunk_spread says
    assert abs(power["shrunk"] - 0.88) < error
