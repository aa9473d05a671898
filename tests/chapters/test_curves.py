"""What is drawn is what was computed: curves, boxes and ranges hold the numbers they stand for."""

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.chapters import curves
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.discrimination import p_curves
from ordbook.papers.heldout import SIX
from ordbook.papers.montecarlo import Spread
from score_matrices import matrix


def scores(measures=3, topics=30, runs=6):
    rng = np.random.default_rng(1)
    values = rng.random((measures, topics, runs)) + np.linspace(0, 0.6, runs)
    return matrix(values, dict.fromkeys((f"M{k}" for k in range(measures)), "low"))


def labels(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_measures_differ_in_more_than_colour():
    looks = [tuple(curves.style(k).values()) for k in range(252)]
    assert len(set(looks)) == 252
    first = [curves.style(k) for k in range(14)]
    assert len({(look["ls"], look["marker"]) for look in first}) == 14


def test_a_measure_looks_alike_wherever_it_stands():
    one = dict(zip(("NMD", "JSD", "mine"), curves.styles(["NMD", "JSD", "mine"]), strict=True))
    other = dict(zip(("JSD", "mine", "NMD"), curves.styles(["JSD", "mine", "NMD"]), strict=True))
    assert one == other


def test_measures_that_stand_together_look_different():
    for known in [CLASSIFICATION, QUANTIFICATION]:
        with case(known):
            looks = [tuple(look.values()) for look in curves.styles([*known, "mine", "yours"])]
            assert len(set(looks)) == len(known) + 2


def test_the_six_measures_of_most_figures_differ_in_colour():
    assert len({look["color"] for look in curves.styles(SIX)}) == 6


def test_a_figure_draws_measures_in_their_own_colours():
    test = ob.tukey_hsd(ob.score(ob.load("sem16t4e"), ["JSD", "NMD"]), trials=100)
    drawn = [line.get_color() for line in curves.p_panels({"A": test}, "x").axes[0].lines[:2]]
    assert drawn == [look["color"] for look in curves.styles(["JSD", "NMD"])]


def test_panels_hold_the_curves_of_every_test_and_say_what_the_data_are():
    tests = {name: ob.tukey_hsd(scores(), trials=200, seed=k) for k, name in enumerate("AB")}
    figure = curves.p_panels(tests, "SIMULATED")
    first = []
    for axes, (name, test) in zip(figure.axes, tests.items(), strict=True):
        expected = p_curves(test)
        for line, measure in zip(axes.lines, test.measures, strict=False):
            assert line.get_ydata().tolist() == expected[measure].tolist()
        first.append(expected.index[(expected <= curves.TOP).any(axis=1)][0])
        assert axes.get_ylabel() == "p-value, SIMULATED"
        assert name in [text.get_text() for text in axes.texts]
    assert figure.axes[-1].get_xlim() == (min(first), 15)
    assert "SIMULATED" in figure.axes[-1].get_xlabel()
    assert labels(figure.legends[0]) == ["M0", "M1", "M2"]


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
