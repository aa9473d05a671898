"""Randomised results: the distribution over seeds decides, and no seed is ever an exact match."""

import numpy as np
import pytest

from ordbook.meta.seeds import Spread, over_seeds
from ordbook.papers.draws import Seen
from ordbook.papers.relations import judge


def test_the_interval_holds_the_middle_of_the_values():
    values = np.random.default_rng(0).permutation(np.arange(10_000))
    assert Spread(values).interval() == (5, 9994), "5 below and 5 above: 99.9% inside"
    assert Spread(values).interval(0.5) == (2500, 7499)
    assert Spread(values[:500]).interval() == (values[:500].min(), values[:500].max())
    normal = Spread(np.random.default_rng(1).normal(3, 2, 100_000))
    assert normal.interval(0.95) == pytest.approx((3 - 1.96 * 2, 3 + 1.96 * 2), abs=0.05)
    assert normal.mean == pytest.approx(3, abs=0.03)
    assert normal.deviation == pytest.approx(2, abs=0.03)


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        ("0.30", "within chance"),  # equal to the mean, and yet not exact
        ("0.199", "within chance"),
        ("0.198", "differs"),
        ("0.2", "within chance"),
        ("0.1995", "within chance"),  # half a unit of the fourth digit is .00005: .19995
        ("0.15", "differs"),
        ("0.5", "differs"),
        ("1", "differs"),
    ],
)
def test_half_a_printed_unit_widens_the_interval(printed, verdict):
    draws = Spread(np.linspace(0.1995, 0.4, 201))
    assert judge(printed, draws) == verdict


def test_counts():
    draws = Spread([34, 35, 36, 37, 37] * 40)
    assert [judge(str(n), draws) for n in (33, 34, 37, 38)] == [
        "differs",
        "within chance",
        "within chance",
        "differs",
    ]
    assert judge("35", Spread([35] * 100)) == "within chance", "never recomputed"


def test_every_seed_is_run_once():
    seen = []
    found = over_seeds(lambda seed: seen.append(seed) or {"cell": seed**2}, 200)
    assert sorted(seen) == list(range(200)), "in any order"
    assert found["cell"].draws.tolist() == [seed**2 for seed in range(200)]
    turned = over_seeds(lambda seed: dict.fromkeys("ba" if seed % 2 else "ab", seed), 100)
    assert list(turned) == ["a", "b"], "as the first seed has them"
    with pytest.raises(ValueError, match="at least 100 of them, not 99"):
        over_seeds(lambda seed: {"x": seed}, 99)
    with pytest.raises(ValueError, match="depend on the seed"):
        over_seeds(lambda seed: {seed: 0.0}, 100)


def test_symbols_over_seeds():
    seen = Seen({"♣♥": 90, "♣": 10})
    assert judge("♥♣", seen) == judge("♣", seen) == "within chance"
    assert judge("♥", seen) == judge("blank", seen) == "differs"
    assert str(seen) == "♣♥ for 90, ♣ for 10 of 100 seeds"
