"""What is drawn is what the measures compute: areas, lengths, counts and texts add up to scores."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from guarantees import STEPPED
from ordbook.chapters import measures
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, confusion_matrix, gold_mass_distance

WEEK = (measures.WEEK["gold"], measures.WEEK["bold"])
DRAWN = 1e-12  # a handful of additions apart: only rounding may differ


def random_pairs():
    rng = np.random.default_rng(5)
    for n_classes in (2, 3, 4, 5, 7):
        gold, estimate = rng.multinomial(6, [1 / n_classes] * n_classes, size=2) / 6
        yield gold, estimate


PAIRS = [WEEK, *random_pairs(), ([0.5, 0, 0, 0, 0.5], [0, 0.3, 0.1 + 0.2, 0.4, 0])]
CONFUSIONS = [
    confusion_matrix(measures.ten_answers()["gold"], measures.ten_answers()["bold"]),
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
    """Counts and weights as drawn."""
    texts = [t.get_text().rpartition("×") for t in axes.texts]
    return [float(count or 0) for count, _, _ in texts], [float(weight) for *_, weight in texts]


@each_confusion
def test_counts_times_steps_are_the_absolute_error(cm):
    counts, weights = numbers(measures.confusion(cm, measures.steps(cm)))
    assert np.dot(counts, weights) / cm.sum() == pytest.approx(ob.mae_micro.from_confusion(cm))


@each_confusion
def test_counts_times_proximities_are_cem(cm):
    proximities = measures.proximities(cm)
    earned = (cm * proximities).sum()
    cem = earned / np.dot(cm.sum(axis=1), np.diagonal(proximities))
    assert abs(cem - ob.cem_ord.from_confusion(cm)) < DRAWN
    counts, weights = numbers(measures.confusion(cm, proximities, earned=True))
    assert np.dot(counts, weights) == pytest.approx(earned, abs=0.005 * cm.sum())  # two digits


def test_the_matrix_shows_the_committed_shares_and_rare_counterexamples():
    for kind, known in (("quantification", QUANTIFICATION), ("classification", CLASSIFICATION)):
        table = measures.guarantees(kind)
        assert set(table["measure"]) - {m.name for m in STEPPED} == set(known)
        axes = measures.guarantee_matrix(table)
        columns = [tick.get_text() for tick in axes.get_xticklabels()]
        rows = [tick.get_text() for tick in axes.get_yticklabels()]
        drawn = np.reshape([text.get_text() for text in axes.texts], (len(rows), len(columns)))
        cells = pd.DataFrame(drawn, rows, columns)
        for _, row in table.iterrows():
            cell, share = cells.loc[row["measure"], row["guarantee"]], 100 * row["5"]
            if share == 0:
                assert cell == ("(0)" if row["counterexample"] else "")
            else:
                assert cell == "<1" if share < 0.5 else float(cell) == pytest.approx(share, abs=0.5)
        plt.close(axes.figure)
        # NMD and RPS by the reader's steps; and measures that are never below 0
        assert (drawn == "–").sum() == (10 if kind == "quantification" else 8)


def test_measures_from_elsewhere_see_what_the_table_says():
    labels = np.array([1, 1, 2, 2, 3, 3, 3, 3, 4, 4])
    table = measures.used_for_labels(labels, {"shifted": labels + 1, "right": labels})
    blind = table.index[np.isclose(table["shifted"].astype(float), table["right"].astype(float))]
    assert [*blind] == ["accuracy_1", "Spearman", "Pearson", "Kendall"]
    moved = {"near": [0.1, 0.2, 0.2, 0.35, 0.15], "far": [0.1, 0.2, 0.2, 0.15, 0.35]}
    shares = measures.used_for_distributions([0.1, 0.2, 0.4, 0.15, 0.15], moved)
    assert shares.loc["EMD", ["near", "far"]].astype(float).tolist() == pytest.approx([0.2, 0.4])
    assert shares.loc["CRPS", "near"] == pytest.approx(0.2**2)
