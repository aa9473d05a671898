"""The chapter on numbers of topics: what is drawn is what was computed."""

from dataclasses import replace

import numpy as np
import pytest

from helpers.score_matrices import matrix
from ordbook.chapters import topics
from ordbook.meta.subsampling import consistency_within, subsample


@pytest.fixture
def scores():
    rng = np.random.default_rng(4)
    effects, noise = np.linspace(0, 1, 6), rng.standard_normal((2, 40, 6))
    return matrix(effects + noise * np.array([0.5, 2])[:, None, None])


def test_a_panel_holds_its_measures_curves(scores):
    within = consistency_within(scores, [5, 20], splits=20)
    points = {"u": (0.5, 0.4, 0.7)}
    figure = topics.curves(within, "mean tau", points)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["u", "v"]
    for axes, measure in zip(figure.axes, ("u", "v"), strict=True):
        seen = axes.lines[0]
        of = within[within["measure"] == measure]
        assert seen.get_xydata().tolist() == of[["topics", "mean"]].to_numpy().tolist()
    assert len(figure.axes[0].containers) == 1
    assert not figure.axes[1].containers
    figure.canvas.draw()


def test_one_measure_has_one_panel(scores):
    one = scores.select(["v"])
    within = subsample(one, [5, 40], "power", repeats=5)
    figure = topics.curves(within, "share")
    assert len(figure.axes) == 1


def test_a_design_needs_runs_topics_and_differences(scores):
    assert topics.comparable(scores).measures == ("u", "v")
    with pytest.raises(ValueError, match="6 runs and 7 topics"):
        topics.comparable(replace(scores, values=scores.values[:, :7], topics=scores.topics[:7]))
