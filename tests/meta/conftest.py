"""Score matrices that several files of tests look at."""

import numpy as np
import pytest

from helpers.score_matrices import matrix


@pytest.fixture
def toy():
    """Six topics, runs p and q. x is better low, y better high; differences p - q below."""
    x = [[0.1, 0.4], [0.3, 0.1 + 0.2], [0.5, 0.2], [0.2, 0.3], [0.6, 0.6], [0.9, 0.1]]
    y = [[0.9, 0.5], [0.8, 0.2], [0.7, 0.8], [0.1, 0.5], [0.4, 0.4], [0.2, 0.3]]
    return matrix([x, y], {"x": "low", "y": "high"}, "pq")


@pytest.fixture
def scores():
    rng = np.random.default_rng(2)
    effects = np.array([0, 0.1, 0.2, 0.5, 0.9])
    values = rng.standard_normal((2, 40, 5)) * 0.5 + effects + rng.standard_normal((2, 40, 1))
    values[1] *= -3
    return matrix(values, {"x": "high", "y": "low"})
