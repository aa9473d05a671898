"""Pictures of artificial distributions show the numbers they are given."""

import numpy as np

from cases import case
from ordbook.book import artificial
from ordbook.papers.montecarlo import Spread

PAIRS = [("NVD", "RSNOD"), ("NMD", "RSNOD"), ("JSD", "NMD")]


def spreads(means=(0.9, 0.8, 0.7)):
    noise = np.linspace(-0.01, 0.01, 100)
    return {pair: Spread(mean + noise) for pair, mean in zip(PAIRS, means, strict=True)}


def test_the_order_of_the_groups():
    for taus, holds in [
        ((0.9, 0.8, 0.7), True),
        ((0.8, 0.9, 0.7), False),
        ((0.9, 0.7, 0.8), False),
    ]:
        with case(taus, holds):
            found = artificial.trend({pair: [tau] for pair, tau in zip(PAIRS, taus, strict=True)})
            assert found.tolist() == [holds]


def test_the_order_is_judged_draw_by_draw():
    taus = dict(zip(PAIRS, ([0.9, 0.75], [0.8, 0.8], [0.7, 0.7]), strict=True))
    assert artificial.trend(taus).tolist() == [True, False]


def test_tau_is_drawn_group_by_group_with_what_was_printed():
    printed = {("JSD", "NMD"): (0.71, 0.70, 0.72)}
    axes = artificial.tau_over_seeds(spreads((0.6, 0.8, 0.9)), printed)
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert names == ["NVD, RSNOD", "NMD, RSNOD", "JSD, NMD"], "by group, not by tau"
    (diamond,) = [line for line in axes.lines if line.get_gid() == "printed"]
    assert (list(diamond.get_xdata()), list(diamond.get_ydata())) == ([0.71], [2])
    assert [0.70, 0.72] in [list(line.get_xdata()) for line in axes.lines]
    assert "SIMULATED" in axes.get_xlabel()
    hatches = {body.get_hatch() for body in axes.collections}
    assert len(hatches) == 3, "no colour is the only sign"
    axes.figure.canvas.draw()


def test_without_printed_values_the_legend_names_none():
    axes = artificial.tau_over_seeds(spreads())
    assert [text.get_text() for text in axes.figure.legends[0].texts] == list(artificial.GROUPS)


def test_cases_are_drawn_as_given():
    cases = {"(a)": ([1, 0, 0], [0, 1, 0]), "(b)": ([0.2, 0.2, 0.6], [0.6, 0.2, 0.2])}
    figure = artificial.four_cases({**cases, "(c)": ([0, 1], [1, 0])})
    assert [axes.axison for axes in figure.axes] == [True, True, True, False]
    for axes, (name, (gold, estimate)) in zip(figure.axes, cases.items(), strict=False):
        assert axes.get_xlabel() == name
        assert [bar.get_height() for bar in axes.patches] == [*gold, *estimate]
    assert len(figure.legends) == 1
