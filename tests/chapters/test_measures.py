"""What is drawn is what the measures compute: areas, lengths, counts and texts add up to scores."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.chapters import measures
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, confusion_matrix, gold_mass_distance

TOY = ([0.4, 0.6, 0], [0.6, 0.2, 0.2])
DRAWN = 1e-12  # a handful of additions apart: only rounding may differ


def random_pairs():
    rng = np.random.default_rng(5)
    for n_classes in (2, 3, 4, 5, 7):
        gold, estimate = rng.multinomial(6, [1 / n_classes] * n_classes, size=2) / 6
        yield gold, estimate


PAIRS = [TOY, *random_pairs(), ([0.5, 0, 0, 0, 0.5], [0, 0.3, 0.1 + 0.2, 0.4, 0])]
CONFUSIONS = [
    confusion_matrix([1, 1, 2, 2, 2], [1, 1, 1, 2, 3]),
    confusion_matrix([1, 1, 2, 4, 4, 4, 4], [1, 3, 3, 4, 4, 1, 2]),
    np.array([[99.0, 0], [1, 0]]),
    np.array([[0.0, 2, 1], [0, 0, 0], [3, 0, 4]]),
]


each_pair = pytest.mark.parametrize(("gold", "estimate"), PAIRS)
each_confusion = pytest.mark.parametrize("cm", CONFUSIONS)


def bars(axes, container=0):
    return axes.containers[container].patches


@each_pair
def test_nmd_is_the_shaded_share_of_the_frame(gold, estimate):
    axes = measures.cumulative(gold, estimate)
    shaded = sum(bar.get_width() * bar.get_height() for bar in bars(axes))
    frame = np.ptp(axes.get_xlim()) * np.ptp(axes.get_ylim())
    assert abs(shaded / frame - ob.nmd(gold, estimate)) < DRAWN


def normalised_root(figure):
    """Mean over panels of the weighted bars, over |C| - 1, its root."""
    sums = [sum(bar.get_height() for bar in bars(axes)) for axes in figure.axes]
    return np.sqrt(np.mean(sums) / (len(bars(figure.axes[0])) - 1))


@each_pair
def test_the_weighted_bars_add_up_to_rnod(gold, estimate):
    figure = measures.distance_weighted(gold, estimate)
    assert abs(normalised_root(figure) - ob.rnod(gold, estimate)) < DRAWN
    plt.close(figure)


@each_pair
def test_marks_are_as_far_apart_as_the_gold_mass_between(gold, estimate):
    axes = measures.midpoints(gold)
    (marks,) = [x.get_xdata() for x in axes.lines if x.get_gid() == "midpoints"]
    drawn = np.abs(np.subtract.outer(marks, marks))
    assert np.abs(drawn - gold_mass_distance(gold)).max() < DRAWN


@each_pair
def test_lines_are_the_pairs_that_dnkt_counts(gold, estimate):
    axes = measures.pairs(gold, estimate)
    kinds = [line.get_gid() for line in axes.lines if line.get_gid()]
    n_pairs = len(gold) * (len(gold) - 1) // 2
    assert len(kinds) == n_pairs
    untied = [
        sum(abs(a - b) > 1e-12 for k, a in enumerate(values) for b in values[:k])
        for values in (gold, estimate)
    ]
    tau_b = (kinds.count("concordant") - kinds.count("discordant")) / np.sqrt(
        max(1, untied[0]) * max(1, untied[1])
    )
    assert abs((1 - tau_b) / 2 - ob.dnkt(gold, estimate)) < DRAWN


def numbers(axes):
    """Counts and weights as drawn; gold classes without items have none."""
    texts = [t.get_text().split("\n×") for t in axes.texts]
    return [float(count) for count, _ in texts], [float(weight) for _, weight in texts]


@each_confusion
def test_counts_times_steps_are_the_absolute_error(cm):
    counts, weights = numbers(measures.confusion(cm, measures.steps(cm), "steps", 0))
    assert np.dot(counts, weights) / cm.sum() == pytest.approx(ob.mae_micro.from_confusion(cm))


@each_confusion
def test_counts_times_proximities_are_cem(cm):
    proximities = measures.proximities(cm)
    earned = (cm * proximities).sum()
    cem = earned / np.dot(cm.sum(axis=1), np.diagonal(proximities))
    assert abs(cem - ob.cem_ord.from_confusion(cm)) < DRAWN
    counts, weights = numbers(measures.confusion(cm, proximities, "proximity", 9))
    assert np.dot(counts, weights) == pytest.approx(earned, abs=1e-6)  # nine printed digits


def test_facts_and_properties_are_those_of_the_registries():
    facts = measures.facts(["RNOD", "RNOD2"])
    assert list(facts.columns) == ["RNOD", "RNOD2"]
    for name in facts:
        measure = QUANTIFICATION[name]
        assert facts.loc["equation", name] == measure.source
        assert facts.loc["equidistant", name] == ("yes" if measure.equidistant else "no")
        assert facts.loc["used by", name] == ", ".join(measure.papers)
    scored = measures.facts(["RNOD"], pd.Series({"RNOD": 0.12345, "NMD": 1}))
    assert scored.index[0] == "on the toy"
    assert scored.iloc[0, 0] == f"{0.12345:.4f}"
    table = measures.properties(QUANTIFICATION)
    assert list(table.index) == list(QUANTIFICATION)
    assert "minds imbalance" not in table
    assert table.loc["NVD", "equidistant"] == "n/a"
    other = measures.properties(CLASSIFICATION)
    assert "sees magnitude" not in other
    assert (other["minds imbalance"] == "no").sum() == 2
    scales = measures.scales(["NMD", "CEM_ORD"])
    assert list(scales["better"]) == ["low", "high"]
    assert scales.loc["NMD", "range"] == QUANTIFICATION["NMD"].range
