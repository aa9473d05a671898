"""What is drawn is what was computed: dots, ranks, boxes and ranges hold their numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ordbook.meta.seeds import Spread
from ordbook.show import charts


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


def test_leads_are_drawn_with_both_intervals_and_single_values():
    table = pd.DataFrame({"mean": [1, 2], "low": [0, 1], "high": [2, 3]}, index=["a", "b"])
    table = table.assign(**{"next low": [-1, 0], "next high": [3, 4]})
    (axes,) = charts.leads({"lead": table}, {"lead": {"b": [1.5, 2.5]}}).axes
    ends = [s[:, 0].tolist() for each in axes.collections for s in each.get_segments()]
    assert ends == [[0, 2], [1, 3], [-1, 3], [0, 4]]
    drawn = [list(line.get_xdata()) for line in axes.lines]
    assert drawn == [[0, 0], [1, 2], [1.5, 2.5]]


def test_recommended_measures_are_bold_in_rows_and_curves():
    frame = pd.DataFrame({"x": [1, 2]}, index=["kappa", "F1_M"])
    weights = [name.get_fontweight() for name in charts.dots(frame, "").get_yticklabels()]
    assert weights == ["bold", "normal"]
    _, axes = plt.subplots()
    charts.curves(pd.DataFrame({"F1_M": [0, 1], "kappa": [0, 2]}), axes)
    named = {text.get_text(): text.get_fontweight() for text in axes.texts}
    assert named == {"F1_M": "normal", "kappa": "bold"}
    assert [list(line.get_ydata()) for line in axes.lines] == [[0, 1], [0, 2]]
