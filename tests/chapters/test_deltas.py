"""Planes of two deltas: what is drawn and counted is what the scores say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.chapters import deltas
from ordbook.meta.deltas import quadrants, score_deltas


def simulated_deltas(topics=60, n_classes=5, seed=3):
    rng = np.random.default_rng(seed)
    votes = rng.multinomial(19, rng.dirichlet([0.6] * n_classes, size=topics).mean(0), topics)
    task = ob.QuantificationTask.from_arrays(votes, {}, votes=True).with_baselines()
    scores = ob.score(task, ["NMD", "RNOD"])
    return score_deltas(scores, "BL-popularity", "BL-uniform")


def drawn(frame, x="NMD", other="RNOD"):
    _, axes = plt.subplots()
    deltas.panel(axes, frame, x, other)
    return axes


@pytest.mark.parametrize(("topics", "n_classes"), [(60, 5), (25, 3), (40, 7), (4, 5)])
def test_every_topic_is_drawn_once_and_by_its_kind(topics, n_classes):
    frame = simulated_deltas(topics, n_classes)
    same, opposite, tied = (line for line in drawn(frame).lines if line.get_gid() == "topics")
    found = quadrants(frame, "NMD", "RNOD")
    assert len(same.get_xdata()) == found.first + found.third
    assert len(opposite.get_xdata()) == found.disagreements
    assert len(tied.get_xdata()) == found.on_x_axis + found.on_y_axis + found.at_origin
    points = {p for line in (same, opposite, tied) for p in zip(*line.get_data(), strict=True)}
    assert points == set(zip(frame["NMD"], frame["RNOD"], strict=True))


def test_counts_stand_in_the_corners():
    frame = simulated_deltas()
    found = quadrants(frame, "NMD", "RNOD")
    at = {text.xy: text.get_text() for text in drawn(frame).texts}
    assert at[0.98, 0.98] == str(found.first)
    assert at[0.02, 0.98] == str(found.second)
    assert at[0.02, 0.02] == str(found.third)
    assert at[0.98, 0.02] == str(found.fourth)
    assert at[0.5, 1.02].startswith(f"r = {found.pearson:.2f}")


def test_a_correlation_that_is_not_defined_is_said_to_be():
    frame = pd.DataFrame({"x": [1.0, 1, 1, 1], "y": [1.0, 2, 3, 4]})
    assert "r undefined" in [text.get_text() for text in drawn(frame, "x", "y").texts]


def test_kinds_of_topic_differ_by_marker_too():
    lines = drawn(simulated_deltas()).lines
    assert len({line.get_marker() for line in lines if line.get_gid() == "topics"}) == 3
