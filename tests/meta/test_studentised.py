"""The tail of the studentised range: SciPy's, to 1e-10, with few integrations."""

import numpy as np
import pytest
from scipy.stats import studentized_range

from ordbook.meta import parametric
from ordbook.meta.parametric import upper_tail


@pytest.mark.parametrize(
    ("runs", "freedom", "largest"),
    [(22, 6279, 12), (12, 1089, 90), (2, 5, 100), (3, 4, 100), (6, 45, 30), (60, 177, 2000)],
)
def test_interpolation_is_scipys_value(runs, freedom, largest):
    q = np.sort(np.random.default_rng(0).random(400) ** 2) * largest
    found = upper_tail(q, runs, freedom)
    some = np.r_[0, 7:400:40, 399]
    expected = np.clip(studentized_range.sf(q[some], runs, freedom), 0, 1)
    assert found[some] == pytest.approx(expected, abs=1e-10)
    assert (np.diff(found) <= 1e-10).all()


def test_few_values_are_integrated_and_equal_ones_once(monkeypatch):
    q = np.array([[3.0, 1.0], [3.0, 0.0]])
    asked = []
    real = parametric._integrate
    monkeypatch.setattr(
        parametric, "_integrate", lambda q, *rest: asked.append(len(q)) or real(q, *rest)
    )
    found = upper_tail(q, 4, 30)
    assert asked == [3]
    assert found.shape == (2, 2)
    assert found.tolist() == studentized_range.sf(q, 4, 30).tolist()
    upper_tail(np.linspace(0, 10, 5000), 22, 6000)
    assert sum(asked) < 140


def test_values_without_end():
    q = np.append(np.linspace(0, 8, 50), [1e3, 1e8, 1e300])
    found = upper_tail(q, 5, 400)
    assert found[:50] == pytest.approx(studentized_range.sf(q[:50], 5, 400), abs=1e-10)
    assert found[50:] == pytest.approx([0, 0, 0], abs=1e-10)
