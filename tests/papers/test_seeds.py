"""Tables over seeds hold every seed's values; printed tables are read as they are."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.seeds import split_sizes
from ordbook.papers.acl21 import WORST, consistency_over_seeds, mean_tau


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
    cells = consistency_over_seeds(simulated, 10, 8, 100)
    found = ob.ranking_consistency(simulated, 10, 8, seed=3)
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
    assert mean_tau(cells)["M0"] == cells["M0", "mean tau"].mean
