"""Artificial distributions: concordance counted quickly is concordance counted plainly."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import ordbook as ob
from ordbook.meta import artificial
from ordbook.meta.artificial import (
    MEASURES,
    artificial_distributions,
    artificial_table,
    pair_scores,
)


def taus_of(classes, seed, measures=MEASURES):
    """Return the table without its limits."""
    return {
        pair: tau
        for pair, tau in artificial_table(classes, seed, measures).items()
        if " " not in pair[1]
    }


@pytest.mark.parametrize("classes", [3, 5])
def test_tau_is_scipys_to_the_bit(classes):
    """The ledger held SciPy's values before: no bit may change."""
    for seed in range(3):
        scores = pair_scores(classes, seed)
        found = taus_of(classes, seed)
        for one, other in combinations(MEASURES, 2):
            assert found[one, other] == stats.kendalltau(scores[one], scores[other]).statistic


def test_limits_are_those_of_the_asymptotic_interval():
    scores = pair_scores(3, 1)
    table = artificial_table(3, 1)
    for one, other in (("NMD", "RSNOD"), ("NVD", "JSD")):
        expected = ob.kendall_interval(scores[one], scores[other], method="asymptotic", tolerance=0)
        found = table[one, f"{other} low"], table[one, f"{other} high"]
        # Sums of whole numbers are exact; what follows are a few roundings.
        assert found == pytest.approx(expected, abs=1e-12)


def test_the_limits_enclose_tau_symmetrically():
    table = artificial_table(5, 0, ("NMD", "JSD"))
    tau, low, high = (table["NMD", f"JSD{end}"] for end in ("", " low", " high"))
    assert low < tau < high
    assert tau - low == pytest.approx(high - tau, abs=1e-12)
    assert taus_of(5, 0, ("NMD", "JSD")) == {("NMD", "JSD"): tau}


def test_rounding_leads_no_tau_beyond_1(monkeypatch):
    """The square roots by which C - D is divided are rounded: their product may be too small."""
    measures, beyond = ("up", "same", "down"), 0
    for n in range(3, 20):
        up = np.arange(float(n))
        scores = {"up": up, "same": up + 1, "down": -up}
        monkeypatch.setattr(artificial, "pair_scores", lambda *_, scores=scores: scores)
        taus = taus_of(3, 0, measures)
        assert list(taus.values()) == pytest.approx([1, -1, -1], abs=1e-15)
        assert max(taus.values()) <= 1
        assert min(taus.values()) >= -1
        pairs = n * (n - 1) // 2
        beyond += pairs / np.sqrt(pairs) / np.sqrt(pairs) > 1
    assert beyond > 0


def test_seed_and_measures_are_those_asked_for():
    """NVD is half the sum of the differences, with pairs in the order of combinations."""
    for seed in (0, 1):
        drawn = artificial_distributions(3, seed)
        expected = [np.abs(p - q).sum() / 2 for p, q in combinations(drawn, 2)]
        found = pair_scores(3, seed, ["NVD"])
        assert list(found) == ["NVD"]
        assert found["NVD"] == pytest.approx(np.array(expected), abs=1e-15)
    beyond = ("RNOD", "NVD")  # RNOD is none of SIGIR'18's five measures
    rnod, nvd = pair_scores(3, 1, beyond).values()
    assert taus_of(3, 1, beyond) == {beyond: stats.kendalltau(rnod, nvd).statistic}
