"""What is drawn is what was computed: dots, ranks, boxes and ranges hold their numbers."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.meta.seeds import Spread
from ordbook.show import charts
from score_matrices import matrix


def scores(measures=3, topics=30, runs=6):
    rng = np.random.default_rng(1)
    values = rng.random((measures, topics, runs)) + np.linspace(0, 0.6, runs)
    return matrix(values, dict.fromkeys((f"M{k}" for k in range(measures)), "low"))


def labels(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_dots_and_intervals_are_the_numbers():
    frame = pd.DataFrame({"a $x$": [1, 2], "b": [3, 4]}, index=["one", "$y$"])
    axes = charts.dots(frame, "what", frame - 1, frame + 1, line=2.5)
    drawn = {line.get_label(): list(line.get_xdata()) for line in axes.lines}
    assert (drawn["a $x$"], drawn["b"]) == ([1, 2], [3, 4])
    ends = [segment[:, 0].tolist() for each in axes.collections for segment in each.get_segments()]
    assert ends == [[0, 2], [1, 3], [2, 4], [3, 5]]
    assert list(axes.lines[-1].get_xdata()) == [2.5, 2.5]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", r"\$y\$"]
    assert axes.yaxis_inverted(), "the first row stands above"
    axes = charts.dots(frame, "what")
    (joined,) = axes.collections
    assert [line[:, 0].tolist() for line in joined.get_segments()] == [[1, 3], [2, 4]]


def test_ranges_hold_all_but_a_thousandth_of_the_draws():
    spread = Spread(np.arange(10_000.0))
    axes = charts.seed_intervals({"M": spread, "N": spread}, "value", {"N": 42})
    first, second = axes.collections[0].get_segments()
    assert first[:, 0].tolist() == second[:, 0].tolist() == [5, 9994]
    printed = axes.lines[1].get_xdata()
    assert np.isnan(printed[0])
    assert printed[1] == 42


def test_the_bold_run_of_a_bump_chart_has_its_ranks_and_its_name():
    ranks = pd.DataFrame({"X": [1, 2, 3], "Y": [3, 1, 2]}, index=list("abc"))
    axes = charts.bump(ranks, {"a": "it"})
    assert [list(line.get_ydata()) for line in axes.lines] == [[1, 3], [2, 1], [3, 2], [1, 3]]
    (name,) = axes.texts
    assert (name.get_text(), name.xy) == ("it", (1, 3))
    assert axes.yaxis_inverted()


def test_boxes_are_quartiles_and_measures_in_order_of_their_means():
    found = {
        "all": ob.ranking_consistency(scores(), splits=100),
        "10 vs. 10": ob.ranking_consistency(scores(), 10, splits=100),
    }
    axes = charts.tau_distributions(found)
    order = list(found["all"].mean.index)
    assert [text.get_text() for text in axes.get_yticklabels()] == order
    boxes = [patch.get_path().get_extents() for patch in axes.patches]
    expected = [one.tau[m].quantile([0.25, 0.75]) for one in found.values() for m in order]
    for box, quartiles in zip(boxes, expected, strict=True):
        assert (box.x0, box.x1) == pytest.approx(tuple(quartiles))
    assert labels(axes.get_legend()) == list(found)
