"""SIGIR'18 Table 1: tau and its limits over pairs of artificial distributions."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from ordbook.meta.kendall import asymptotic_interval
from ordbook.meta.seeds import over_seeds
from ordbook.papers import artificial
from ordbook.papers.artificial import (
    MEASURES,
    artificial_distributions,
    artificial_table,
    pair_scores,
)
from ordbook.papers.sigir18 import trend


@pytest.mark.parametrize(("classes", "seed"), [(3, 0), (3, 1), (5, 0)])
def test_tau_is_scipys_to_the_bit_and_has_the_asymptotic_limits(classes, seed):
    """Other measures than SIGIR'18's, too. The ledger held SciPy's values before."""
    for measures in (MEASURES, ("RNOD", "NVD")):
        scores = pair_scores(classes, seed, measures)
        table = artificial_table(classes, seed, measures)
        assert len(table) == 3 * len([*combinations(measures, 2)])
        for one, other in combinations(measures, 2):
            pair = scores[one], scores[other]
            assert table[one, other] == stats.kendalltau(*pair).statistic
            limits = asymptotic_interval(*pair, tolerance=0)
            # Sums of whole numbers are exact; what follows are a few roundings.
            ours = table[one, f"{other} low"], table[one, f"{other} high"]
            assert ours == pytest.approx(limits, abs=1e-12)


def test_pairs_are_those_of_the_seed_in_the_order_of_combinations():
    for seed in (0, 1):
        drawn = artificial_distributions(3, seed)
        by_hand = [np.abs(p - q).sum() / 2 for p, q in combinations(drawn, 2)]
        assert pair_scores(3, seed, ["NVD"])["NVD"] == pytest.approx(by_hand, abs=1e-15)


def test_rounding_leads_no_tau_beyond_1(monkeypatch):
    """The square roots by which C - D is divided are rounded: their product may be too small."""
    beyond = 0
    for n in range(3, 20):
        up = np.arange(float(n))
        scores = {"up": up, "same": up + 1, "down": -up}
        monkeypatch.setattr(artificial, "pair_scores", lambda *_, scores=scores: scores)
        table = artificial_table(3, 0, tuple(scores))
        taus = [table[pair] for pair in combinations(scores, 2)]
        assert taus == pytest.approx([1, -1, -1], abs=1e-15)
        assert np.abs(taus).max() <= 1
        pairs = n * (n - 1) // 2
        beyond += pairs / np.sqrt(pairs) / np.sqrt(pairs) > 1
    assert beyond > 0


@pytest.fixture(scope="module")
def spreads():
    return {classes: over_seeds(partial(artificial_table, classes), 300) for classes in (3, 5, 7)}


@pytest.mark.slow
@pytest.mark.parametrize("classes", [3, 5, 7])
def test_the_order_of_the_groups_is_no_accident(spreads, classes):
    taus = {
        (row, column): spread.values
        for (row, column), spread in spreads[classes].items()
        if column in MEASURES
    }
    assert trend(taus).mean() > 0.9
