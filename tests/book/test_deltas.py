"""Scatter plots of score deltas: what is drawn and counted is what the scores say."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case
from ordbook.book import deltas
from ordbook.measures import custom_measure
from ordbook.meta.deltas import quadrants, score_deltas


def simulated(topics=60, n_classes=5, seed=3):
    rng = np.random.default_rng(seed)
    votes = rng.multinomial(19, rng.dirichlet([0.6] * n_classes, size=topics).mean(0), topics)
    run = rng.dirichlet([1] * n_classes, size=topics)
    return ob.QuantificationTask.from_arrays(votes, {"a": run}, votes=True)


def simulated_deltas(**sizes):
    task = deltas.with_baselines(simulated(**sizes))
    return deltas.popularity_deltas(ob.score(task, ["NMD", "RNOD", "NVD"]))


def test_baselines_are_added_once():
    task = deltas.with_baselines(simulated())
    assert task.runs == ("a", "BL-uniform", "BL-popularity")
    assert deltas.with_baselines(task) is task


def test_a_baseline_that_is_there_stays_and_the_other_is_added():
    for there in ["BL-uniform", "BL-popularity"]:
        with case(there):
            votes, own = [[4, 1, 0], [0, 2, 2]], [[0.5, 0.5, 0], [0, 0, 1]]
            task = ob.QuantificationTask.from_arrays(votes, {there: own}, votes=True)
            both = deltas.with_baselines(task)
            added = {"BL-uniform": [[1, 0, 0], [0, 0.5, 0.5]], "BL-popularity": [[1 / 3] * 3] * 2}
            assert set(both.runs) == {"BL-uniform", "BL-popularity"}
            assert both.runs[0] == there
            np.testing.assert_array_equal(both.estimates[0], own)
            np.testing.assert_array_equal(both.estimates[1], added[there])
            assert ob.score(both, ["NMD"]).runs == both.runs


def test_a_delta_is_popularity_minus_uniform():
    scores = ob.score(deltas.with_baselines(simulated()), ["NMD", "RNOD"])
    expected = score_deltas(scores, "BL-popularity", "BL-uniform")
    pd.testing.assert_frame_equal(deltas.popularity_deltas(scores), expected)


def test_a_negative_delta_prefers_popularity_also_where_high_is_better():
    hits = custom_measure(
        "HITS", lambda gold, estimate: np.minimum(gold, estimate).sum(axis=-1), better="high"
    )
    scores = ob.score(deltas.with_baselines(simulated()), ["NVD", hits])
    found = deltas.popularity_deltas(scores)
    # The overlap of two distributions is 1 - NVD; sums of five terms of size 1.
    np.testing.assert_allclose(found["HITS"], found["NVD"], rtol=0, atol=1e-12)


def test_the_table_counts_quadrants_by_hand():
    frame = pd.DataFrame(
        {"x": [-1.0, -1.0, 2.0, 3.0, 0.0, 0.0], "y": [1.0, -2.0, 1.0, -1.0, 1.0, 0.0]}
    )
    row = deltas.quadrant_table(frame, "x", ["y"]).loc["x, y"]
    assert row[["2nd quadrant", "4th quadrant", "tied"]].tolist() == [1, 1, 2]
    assert row["share"] == pytest.approx(2 / 6)
    assert row["low"] < row["Pearson"] < row["high"]


def test_every_topic_is_drawn_once_and_by_its_kind():
    for topics, n_classes in [(60, 5), (25, 3), (40, 7), (4, 5)]:
        with case(topics, n_classes):
            frame = simulated_deltas(topics=topics, n_classes=n_classes)
            figure = deltas.scatter(frame, "NMD", ["RNOD", "NVD"])
            for axes, other in zip(figure.axes, ["RNOD", "NVD"], strict=True):
                same, opposite, tied = (line for line in axes.lines if line.get_gid() == "topics")
                found = quadrants(frame, "NMD", other)
                assert len(same.get_xdata()) == found.first + found.third
                assert len(opposite.get_xdata()) == found.disagreements
                assert len(tied.get_xdata()) == found.on_x_axis + found.on_y_axis + found.at_origin
                drawn = {
                    p for line in (same, opposite, tied) for p in zip(*line.get_data(), strict=True)
                }
                assert drawn == set(zip(frame["NMD"], frame[other], strict=True))


def test_counts_stand_in_the_corners():
    frame = simulated_deltas()
    axes = deltas.scatter(frame, "NMD", ["RNOD"]).axes[0]
    found = quadrants(frame, "NMD", "RNOD")
    at = {text.xy: text.get_text() for text in axes.texts}
    assert at[0.98, 0.98] == str(found.first)
    assert at[0.02, 0.98] == str(found.second)
    assert at[0.02, 0.02] == str(found.third)
    assert at[0.98, 0.02] == str(found.fourth)
    assert at[0.5, 1.02].startswith(f"r = {found.pearson:.2f}")


def test_panels_without_a_measure_are_empty():
    figure = deltas.scatter(simulated_deltas(), "NMD", ["RNOD"])
    assert [axes.axison for axes in figure.axes] == [True, False]


def test_a_correlation_that_is_not_defined_is_said_to_be():
    frame = pd.DataFrame({"x": [1.0, 1, 1, 1], "y": [1.0, 2, 3, 4]})
    axes = deltas.scatter(frame, "x", ["y"]).axes[0]
    assert "r undefined" in [text.get_text() for text in axes.texts]


def test_kinds_of_topic_differ_by_marker_too():
    axes = deltas.scatter(simulated_deltas(), "NMD", ["RNOD"]).axes[0]
    assert len({line.get_marker() for line in axes.lines if line.get_gid() == "topics"}) == 3


def test_partings_show_gold_and_both_baselines():
    gold = [[0.1, 0.2, 0.3, 0.4], [0.4, 0.4, 0.2, 0]]
    figure = deltas.partings(gold, list("abcd"), ["one $x$", "two"])
    for axes, wanted, popular in zip(
        figure.axes, gold, ([0, 0, 0, 1], [0.5, 0.5, 0, 0]), strict=True
    ):
        assert [bar.get_height() for bar in axes.patches] == wanted
        popularity, uniform = axes.lines
        assert list(popularity.get_ydata()) == popular
        assert list(uniform.get_ydata()) == [0.25] * 4
    assert figure.axes[0].get_xlabel() == "class\none $x$"
    figure.canvas.draw()


def test_partings_refuse_what_is_no_distribution():
    with pytest.raises(ValueError, match="sum"):
        deltas.partings([[0.5, 0.1]], ["a", "b"], ["one"])
