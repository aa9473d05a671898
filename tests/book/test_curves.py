"""What is drawn is what was computed: curves, boxes and ranges hold the numbers they stand for."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.book import curves
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.discrimination import p_curves
from ordbook.papers.montecarlo import Spread
from ordbook.papers.symbols import WORST


@pytest.fixture(autouse=True)
def _closes_figures():
    yield
    plt.close("all")


def scores(measures=3, topics=30, runs=6):
    rng = np.random.default_rng(1)
    values = rng.random((measures, topics, runs)) + np.linspace(0, 0.6, runs)
    names = tuple(f"M{k}" for k in range(measures))
    return ScoreMatrix(
        "simulated",
        values,
        names,
        tuple(f"t{k}" for k in range(topics)),
        tuple(f"r{k}" for k in range(runs)),
        dict.fromkeys(names, "low"),
        Provenance("yours"),
    )


def labels(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_measures_differ_in_more_than_colour():
    looks = [tuple(curves.style(k).values()) for k in range(252)]
    assert len(set(looks)) == 252
    first = [curves.style(k) for k in range(14)]
    assert len({(look["ls"], look["marker"]) for look in first}) == 14


@pytest.mark.parametrize("runs", [2, 3, 6])
def test_a_curve_holds_the_sorted_p_values(runs):
    tests = ob.tukey_hsd(scores(runs=runs), trials=200)
    axes = curves.p_curves(tests)
    for line, measure in zip(axes.lines, tests.measures, strict=False):
        assert line.get_ydata().tolist() == p_curves(tests)[measure].tolist()
        assert line.get_label().startswith(f"{measure}: ")


def test_the_legend_counts_what_is_below_the_line():
    tests = ob.tukey_hsd(scores(), trials=200)
    axes = curves.p_curves(tests, alpha=0.2)
    found = ob.discriminative_power(tests, 0.2)["significant"].sort_values(ascending=False)
    shown = labels(axes.figure.legends[0])
    assert [int(text.split(": ")[1]) for text in shown] == found.tolist()
    assert [text.split(": ")[0] for text in shown if found[text.split(": ")[0]] > 0]
    assert axes.lines[-1].get_ydata() == [0.2, 0.2]


def test_many_measures_can_be_drawn():
    tests = ob.tukey_hsd(scores(measures=15), trials=100)
    assert len(labels(curves.p_curves(tests).figure.legends[0])) == 15


def test_boxes_are_quartiles_and_measures_in_order_of_their_means():
    found = {
        "all": ob.ranking_consistency(scores(), splits=100),
        "10 vs. 10": ob.ranking_consistency(scores(), 10, splits=100),
    }
    axes = curves.tau_distributions(found)
    order = list(found["all"].mean.index)
    assert [text.get_text() for text in axes.get_yticklabels()] == order
    boxes = [patch.get_path().get_extents() for patch in axes.patches]
    expected = [one.tau[m].quantile([0.25, 0.75]) for one in found.values() for m in order]
    for box, quartiles in zip(boxes, expected, strict=True):
        assert (box.x0, box.x1) == pytest.approx(tuple(quartiles))
    assert labels(axes.get_legend()) == list(found)


def test_more_than_two_kinds_of_split_are_refused():
    one = ob.ranking_consistency(scores(), splits=10)
    with pytest.raises(ValueError, match="one or two kinds of split, not 3"):
        curves.tau_distributions({"a": one, "b": one, "c": one})


def test_ranges_hold_all_but_a_thousandth_of_the_draws():
    spread = Spread(np.arange(10_000.0))
    axes = curves.seed_ranges({"M": spread, "N": spread}, "value", {"N": "42"})
    assert axes.lines[0].get_xdata().tolist() == [5, 9994]
    assert axes.lines[1].get_xdata().tolist() == [2500, 7499]
    (mark,) = [line for line in axes.lines if line.get_gid() == "printed"]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (42, 1)
    assert labels(axes.get_legend()) == ["mean of our seeds", "printed"]


@pytest.mark.parametrize(
    ("topics", "runs", "kinds"),
    [
        (2, 6, {}),
        (30, 1, {}),
        (20, 6, {"10 vs. 10": None}),
        (5, 6, {"2 vs. 3": None}),
        (31, 2, {"15 vs. 16": None, "10 vs. 10": 10}),
    ],
)
def test_kinds_of_split_are_those_the_topics_allow(topics, runs, kinds):
    assert curves.split_sizes(scores(topics=topics, runs=runs)) == kinds


def test_a_table_over_seeds_has_the_values_of_every_seed():
    matrix = scores()
    cells = curves.consistency_over_seeds(matrix, 10, 20, 100)
    found = ob.ranking_consistency(matrix, 10, 20, seed=3)
    assert cells["all measures", "V_E2"].values[3] == found.v_e2
    assert cells["test sets", "size 1"] == cells["test sets", "size 2"] == 10
    for measure, marks in found.outperforms_worst().items():
        assert cells[measure, "mean tau"].values[3] == found.mean[measure]
        symbols = [symbol for symbol, number in WORST.items() if number == marks]
        assert cells[measure, "outperforms"].holds(symbols[0])
    pd.testing.assert_series_equal(
        curves.mean_tau(cells, 3)[found.mean.index], found.mean, check_names=False
    )
    assert sum(cells["M0", "outperforms"].counts.values()) == 100
    assert curves.mean_tau(cells)["M0"] == cells["M0", "mean tau"].mean


def test_counts_over_seeds_are_those_of_every_seed():
    matrix = scores()
    found = curves.power_over_seeds(matrix, 200, 100, alpha=0.1)
    tests = ob.tukey_hsd(matrix, 200, seed=5)
    for measure, count in ob.discriminative_power(tests, 0.1)["significant"].items():
        assert found[measure].values[5] == count


def test_printed_means_are_numbers_by_measure():
    found = curves.printed_means("3c")
    assert len(found) == 9
    assert (found["alpha_ord"], found["accuracy"]) == (0.910, 0.818)


def test_a_printed_triangle_is_a_symmetric_matrix():
    order = ["NMD", "RNSS", "RSNOD", "RNOD", "NVD", "JSD"]
    tau = curves.printed_tau("5i", order)
    assert list(tau.index) == order
    assert tau.loc["NMD", "RNSS"] == tau.loc["RNSS", "NMD"] == 0.636
    assert (np.diag(tau) == 1).all()
