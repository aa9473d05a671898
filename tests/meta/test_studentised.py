"""The tail of the studentised range: SciPy's, to 1e-10, with few integrations."""

import warnings

import numpy as np
import pytest
from numpy.polynomial import chebyshev
from scipy.integrate import IntegrationWarning
from scipy.stats import studentized_range

from ordbook.meta import studentised
from ordbook.meta.studentised import upper_tail


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
    real = studentised._integrate
    monkeypatch.setattr(
        studentised, "_integrate", lambda q, *rest: asked.append(len(q)) or real(q, *rest)
    )
    found = upper_tail(q, 4, 30)
    assert asked == [3]
    assert found.shape == (2, 2)
    assert found.tolist() == studentized_range.sf(q, 4, 30).tolist()
    upper_tail(np.linspace(0, 10, 5000), 22, 6000)
    assert sum(asked) < 140


def test_there_may_be_nothing_to_look_up():
    assert upper_tail(np.empty((2, 0)), 3, 9).shape == (2, 0)


def test_values_without_end():
    q = np.append(np.linspace(0, 8, 50), [1e3, 1e8, 1e300])
    found = upper_tail(q, 5, 400)
    assert found[:50] == pytest.approx(studentized_range.sf(q[:50], 5, 400), abs=1e-10)
    assert found[50:] == pytest.approx([0, 0, 0], abs=1e-10)


def test_threads_change_no_bit_and_progress_is_told():
    q, told = np.linspace(0, 6, 60), []
    one = upper_tail(q, 7, 50, threads=1)
    two = upper_tail(q, 7, 50, threads=2, progress=lambda *done: told.append(done))
    assert one.tolist() == two.tolist()
    assert told[-1][0] == told[-1][1]


def test_a_probability_lies_between_0_and_1(monkeypatch):
    """SciPy may err to either side."""
    monkeypatch.setattr(
        studentised, "_integrate", lambda q, *rest: np.where(q < 1, 1 + 1e-11, -1e-11)
    )
    assert upper_tail(np.array([[0.0, 90.0]]), 5, 20).tolist() == [[1, 0]]


@pytest.mark.usefixtures("one_thread")
def test_who_asks_for_one_thread_gets_no_other():
    upper_tail(np.linspace(0, 6, 60), 7, 50, threads=1)  # through a series
    upper_tail(np.array([0.0, 3, 6]), 7, 50, threads=1)


def test_all_values_may_be_far_off():
    found = upper_tail(np.linspace(2000, 3000, 40), 5, 400)
    assert found.tolist() == [0] * 40


@pytest.mark.filterwarnings("error")
def test_values_without_end_where_tails_are_long(monkeypatch):
    """Of few degrees of freedom the tail at 1000 is not empty, and no series reaches to 1e300."""
    asked = []
    monkeypatch.setattr(
        studentised, "_integrate", lambda q, *rest: asked.append((len(q), *rest)) or 1 / (1 + q)
    )
    q = np.append(np.linspace(0, 2000, 33), 1e300)
    assert upper_tail(q, 3, 1, 2, print).tolist() == (1 / (1 + q)).tolist()
    assert asked == [(1, 3, 1), (34, 3, 1, 2, print)], "at 1000, and each by itself"


@pytest.mark.parametrize("intervals", [32, 64, 128])
def test_a_series_is_good_enough_if_its_last_eighth_is_nothing(intervals, monkeypatch):
    """Of 32, 64, 128 or 256 intervals; for T_30 32 are too few, and for T_62 64."""
    q = np.linspace(0, 9, 1000)
    tail, asked = chebyshev.Chebyshev([0.5]), []

    def integrate(q, runs, freedom, threads, progress):
        asked.append(len(q))
        assert (runs, freedom, threads, progress) == (4, 30, 2, print)
        return tail(2 * q / (q + studentised.SCALE) * 13 / 9 - 1)

    monkeypatch.setattr(studentised, "_integrate", integrate)
    needed = [intervals, 2 * intervals]
    for last, enough in zip((0, 1), needed, strict=True):
        asked.clear()
        degrees = [d for d in (30, 62) if d < intervals // 2]
        degrees.append(intervals - intervals // 8 + last)
        tail = 0.5 + sum(1e-3 * chebyshev.Chebyshev.basis(d) for d in degrees)
        expected = tail(2 * q / (q + studentised.SCALE) * 13 / 9 - 1)
        assert upper_tail(q, 4, 30, 2, print) == pytest.approx(expected, abs=1e-10)
        assert sum(asked) == enough + 1, "each point but once"


def test_only_warnings_of_integration_are_hushed(monkeypatch):
    class Warner:
        @staticmethod
        def sf(q, *rest):
            warnings.warn("slow", IntegrationWarning, stacklevel=1)
            warnings.warn("odd", UserWarning, stacklevel=1)
            return 0 * q

    monkeypatch.setattr("scipy.stats.studentized_range", Warner)
    with pytest.warns(UserWarning, match="odd") as told:
        upper_tail(np.array([1.0]), 3, 9, threads=1)
    assert len(told) == 1


def test_how_many_values_are_looked_up(monkeypatch):
    """Up to 32 each by itself; of more a series up to 1000, where the tail is empty from there."""
    asked = []

    def integrate(q, *rest):
        asked.append((len(q), *rest))
        return np.where(q > 900, 0, 1 / (q + studentised.SCALE))

    monkeypatch.setattr(studentised, "_integrate", integrate)
    for last in (8.0, 1e300):
        asked.clear()
        q = np.append(np.linspace(0, 7, 31), last)
        assert upper_tail(q, 3, 50, 2, print).tolist() == integrate(q).tolist()
        assert asked[:-1] == [(32, 3, 50, 2, print)]
    look = [(1, 3, 50)]
    for beyond, looks in (([], []), ([90.0], []), ([1e300], look), ([2e3, 1e300], look)):
        asked.clear()
        q = np.append(np.linspace(0, 7, 40), beyond)
        assert upper_tail(q, 3, 50, 2, print) == pytest.approx(integrate(q), abs=1e-10)
        assert asked[:-1] == [*looks, (33, 3, 50, 2, print)]
    for near in (0, 32):  # too few for a series
        asked.clear()
        q = np.append(np.linspace(0, 7, near), np.linspace(2e3, 3e3, 33))
        assert upper_tail(q, 3, 50, 2, print).tolist() == integrate(q).tolist()
        assert asked[:-1] == [*look, (near, 3, 50, 2, print)]
