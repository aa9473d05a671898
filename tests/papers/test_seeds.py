"""Tables over seeds hold every seed's values; printed tables are read as they are."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.papers.montecarlo import Spread
from ordbook.papers.seeds import (
    _decided,
    _outperformed,
    _symbols,
    consistency_over_seeds,
    mean_tau,
    power_over_seeds,
    printed_means,
    printed_tau,
    split_sizes,
)
from ordbook.papers.symbols import WORST
from score_matrices import matrix


def scores(measures=3, topics=30, runs=6):
    rng = np.random.default_rng(1)
    values = rng.random((measures, topics, runs)) + np.linspace(0, 0.6, runs)
    return matrix(values, dict.fromkeys((f"M{k}" for k in range(measures)), "low"))


@pytest.mark.parametrize(
    ("topics", "runs", "kinds"),
    [
        (2, 6, {}),
        (30, 1, {}),
        (20, 6, {"10 vs. 10": None}),
        (21, 6, {"10 vs. 11": None, "10 vs. 10": 10}),
        (3, 6, {"1 vs. 2": None}),
        (5, 6, {"2 vs. 3": None}),
        (31, 2, {"15 vs. 16": None, "10 vs. 10": 10}),
    ],
)
def test_kinds_of_split_are_those_the_topics_allow(topics, runs, kinds):
    assert split_sizes(scores(topics=topics, runs=runs)) == kinds


def test_a_table_over_seeds_has_the_values_of_every_seed():
    simulated = scores()
    cells = consistency_over_seeds(simulated, 10, 20, 100)
    found = ob.ranking_consistency(simulated, 10, 20, seed=3)
    assert cells["all measures", "V_E2"].values[3] == found.v_e2
    assert cells["test sets", "size 1"] == cells["test sets", "size 2"] == 10
    for measure, marks in found.outperforms_worst().items():
        assert cells[measure, "mean tau"].values[3] == found.mean[measure]
        symbols = [symbol for symbol, number in WORST.items() if number == marks]
        assert cells[measure, "outperforms"].holds(symbols[0])
    pd.testing.assert_series_equal(
        mean_tau(cells, 3)[found.mean.index], found.mean, check_names=False
    )
    assert sum(cells["M0", "outperforms"].counts.values()) == 100
    more = consistency_over_seeds(simulated, 4, 5, 130)["M0", "mean tau"]
    assert len(more.draws) == 130
    assert mean_tau(cells)["M0"] == cells["M0", "mean tau"].mean


@pytest.mark.parametrize(("seeds", "tested"), [(130, 100), (2010, 201), (2019, 201)])
def test_a_tenth_of_the_seeds_is_tested(monkeypatch, seeds, tested):
    asked = []
    monkeypatch.setattr(
        "ordbook.papers.seeds.over_seeds", lambda _, seeds: asked.append(seeds) or {}
    )
    consistency_over_seeds(scores(), 10, 20, seeds)
    assert asked == [tested, seeds]
    assert all(isinstance(number, int) for number in asked)


@pytest.mark.parametrize("size", [None, 10])
def test_what_is_decided_early_is_what_all_trials_say(size, no_raw_files):
    """Tau of nine measures; some pairs are as good as equal, and go on to the last trial."""
    shared = ob.score(ob.load("sem16t4c"))
    for seed in range(5):
        found = ob.ranking_consistency(shared, size, 200, seed)
        expected = replace(found).outperforms_worst()
        for early in (100, 500):
            pd.testing.assert_series_equal(_outperformed(found, early), expected)


def test_what_few_trials_leave_open_is_tested_with_all():
    """Of two measures, ten trials would say something else for some of these scores."""
    differing = 0
    for seed in range(20):
        values = np.random.default_rng(seed).random((2, 30, 6)) + np.linspace(0, 0.6, 6)
        found = ob.ranking_consistency(matrix(values, {"A": "low", "B": "low"}), None, 20, 0)
        expected = replace(found).outperforms_worst()
        differing += not replace(found, trials=10).outperforms_worst().equals(expected)
        pd.testing.assert_series_equal(_outperformed(found, 10), expected)
    assert differing > 0


def test_no_number_of_trials_decides_both_ways():
    """After all trials 249 of 5,000 are p < .05, and 250 are not; before, there is a gap."""
    assert _decided(5000, 5000) == (249, 250)
    low, high = _decided(500, 5000)
    assert 0 <= low < 25 < high < 500
    assert _decided(100, 5000)[0] == -1, "so few trials cannot say that p is small"
    assert _decided(2, 5000) == (-1, 3), "nor two of them anything"
    assert _decided(6, 5000) == (-1, 7), "nor six: .05^6 is 1.6e-8"
    assert _decided(7, 5000) == (-1, 7), "seven that all exceed do: .05^7 is 7.8e-10"


@dataclass(frozen=True)
class Outcome:
    """Two measures whose test gives this p for any number of trials."""

    p: float
    trials: int = 5000
    measures: tuple[str, ...] = ("A", "B")

    @property
    def tests(self):
        p = pd.DataFrame([[1, self.p], [self.p, 1]], self.measures, self.measures)
        return SimpleNamespace(p={"tau": p})

    def outperforms_worst(self):
        """How many trials were asked."""
        return self.trials


def test_a_test_goes_on_to_the_last_trial_only_while_it_is_open():
    low, high = _decided(500, 5000)
    exceeding = [0, low, low + 1, high - 1, high, 500]
    asked = [_outperformed(Outcome(count / 500), 500) for count in exceeding]
    assert asked == [500, 500, 5000, 5000, 500, 500]


def test_counts_over_seeds_are_those_of_every_seed():
    simulated = scores()
    found = power_over_seeds(simulated, 200, 100, alpha=0.1)
    tests = ob.tukey_hsd(simulated, 200, seed=5)
    for measure, count in ob.discriminative_power(tests, 0.1)["significant"].items():
        assert found[measure].values[5] == count
    for seeds, used in ((90, 100), (1100, 110)):
        spreads = power_over_seeds(simulated, 20, seeds).values()
        assert {len(spread.draws) for spread in spreads} == {used}
    documented, five_percent = (power_over_seeds(simulated, 50, 100, *a) for a in ((), (0.05,)))
    for measure, spread in documented.items():
        assert list(spread.values) == list(five_percent[measure].values)


def test_more_measures_than_the_paper_has_are_counted_in_figures():
    assert _symbols(Spread([2] * 30 + [9] * 70)).counts == {"‡": 30, "9": 70}


def test_printed_means_are_numbers_by_measure():
    found = printed_means("3c")
    assert len(found) == 9
    assert (found["alpha_ord"], found["accuracy"]) == (0.910, 0.818)


def test_a_printed_triangle_is_a_symmetric_matrix():
    order = ["NMD", "RNSS", "RSNOD", "RNOD", "NVD", "JSD"]
    tau = printed_tau("5i", order)
    assert list(tau.index) == list(tau.columns) == order
    assert tau.loc["NMD", "RNSS"] == tau.loc["RNSS", "NMD"] == 0.636
    assert (np.diag(tau) == 1).all()


@pytest.mark.parametrize(("p", "significant"), [(0.049, 1), (0.05, 0)])
def test_p_at_the_level_is_not_significant(monkeypatch, p, significant):
    found = SimpleNamespace(measures=("x",), p={"x": np.array([[1.0, p], [p, 1.0]])})
    monkeypatch.setattr("ordbook.papers.seeds.tukey_hsd", lambda *given, **options: found)
    spread = power_over_seeds(matrix(np.zeros((1, 3, 2))), 20, 100)["x"]
    assert set(spread.draws) == {significant}
