"""The tail of the studentised range: SciPy's, to 1e-10, with few integrations."""

import numpy as np
import pytest
from scipy.stats import studentized_range

from ordbook.meta import studentised
from ordbook.meta.studentised import upper_tail

slow = pytest.mark.slow


@pytest.fixture
def integrated(monkeypatch):
    """How many values were integrated, call by call."""
    numbers, integrate = [], studentised._integrate
    monkeypatch.setattr(
        studentised, "_integrate", lambda q, *rest: numbers.append(len(q)) or integrate(q, *rest)
    )
    return numbers


@pytest.mark.parametrize(
    ("runs", "freedom", "largest"),
    [
        (22, 6279, 12),
        (3, 4, 100),
        *(pytest.param(*case, marks=slow) for case in ((12, 1089, 90), (2, 5, 100))),
        *(pytest.param(*case, marks=slow) for case in ((6, 45, 30), (60, 177, 2000))),
    ],
)
def test_interpolation_is_scipys_value(runs, freedom, largest, integrated):
    q = np.sort(np.random.default_rng(0).random(400) ** 2) * largest
    tails = upper_tail(q, runs, freedom)
    some = np.r_[0, 7:400:40, 399]
    expected = np.clip(studentized_range.sf(q[some], runs, freedom), 0, 1)
    assert tails[some] == pytest.approx(expected, abs=1e-10)
    assert (np.diff(tails) <= 1e-10).all()
    assert sum(integrated) < 140


def test_values_without_end():
    q = np.array([0.5, 3, 8, 1e3, 1e8, 1e300])
    tails = upper_tail(q, 5, 400)
    assert tails[:3] == pytest.approx(studentized_range.sf(q[:3], 5, 400), abs=1e-10)
    assert tails[3:] == pytest.approx([0, 0, 0], abs=1e-10)
