"""From scores to official tables, and what baselines tell about gold data."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.book import overview

NMD = ["NMD"]


@pytest.fixture(scope="module")
def task():
    """Two topics of four votes; A is better than B."""
    return ob.QuantificationTask.from_arrays(
        [[2, 2, 0], [0, 1, 3]],
        {"B": [[0, 0, 1], [1, 0, 0]], "A": [[0.5, 0.5, 0], [0, 0.5, 0.5]]},
        votes=True,
    )


def test_standings_put_the_best_run_first_by_every_measure(task):
    found = overview.standings(ob.score(task, ["NMD", "RNSS"]))
    assert list(found.columns) == ["run", "mean NMD", "run", "mean RNSS"]
    assert found.iloc[0, 0] == found.iloc[0, 2] == "A"
    assert found.iloc[0, 1] == pytest.approx(0.125 / 2)  # 0, and .25 / 2
    assert list(found.index) == [1, 2]


def test_standings_know_that_high_scores_may_be_better():
    task = ob.ClassificationTask.from_labels(
        [1, 2], {"bad": [2, 1], "good": [1, 2]}, ["t", "t"], classes=[1, 2]
    )
    assert list(overview.standings(ob.score(task, ["accuracy"]))["run"]) == ["good", "bad"]


def test_better_than_lists_significant_pairs_from_the_closest_to_the_farthest():
    rng = np.random.default_rng(0)
    gold = rng.dirichlet([2] * 3, 60)
    runs = {
        name: (1 - share) * gold + share * rng.dirichlet([1] * 3, 60)
        for name, share in (("far", 0.9), ("near", 0.05), ("middle", 0.4))
    }
    scores = ob.score(ob.QuantificationTask.from_arrays(gold, runs), NMD)
    tests = ob.tukey_hsd(scores, 1000)
    rows = overview.better_than(tests, "NMD", "who beats whom").rows
    assert [row[0][0][1] for row in rows] == ["near", "middle"]
    assert [piece[1].split()[0] for piece in rows[0][2]] == ["middle", "far"]
    size = abs(tests.effect_size("NMD", "e1").loc["near", "far"])
    assert rows[0][2][1][1] == f"far (p < 0.001, ES = {size:.3f})"
    twins = ob.QuantificationTask.from_arrays(gold, {"far": runs["far"], "again": runs["far"]})
    tests = ob.tukey_hsd(ob.score(twins, NMD), 100)
    assert overview.better_than(tests, "NMD", "none").rows == ()


def test_half_means_are_means_of_half_of_the_topics(task):
    scores = ob.score(task, NMD)
    found = overview.half_means(scores, "NMD", 200)
    assert list(found.columns) == ["B", "A"]
    assert {round(value, 12) for value in found["A"]} == {0, 0.125}, "one topic each"
    pd.testing.assert_frame_equal(found, overview.half_means(scores, "NMD", 200))


def test_gaps_are_in_units_of_two_samples_of_topics(task):
    scores = ob.score(task.with_baselines(), NMD)
    printed = pd.DataFrame({"NMD": [0.5, 0.25]}, index=["BL-uniform", "BL-popularity"])
    found = overview.gold_gaps({"Q": scores}, {"Q": printed}, 8)
    ours = scores["NMD"]["BL-uniform"]
    row = found.loc[("Q", "NMD", "BL-uniform")]
    assert row["difference"] == pytest.approx(0.5 - ours.mean())
    error = ours.std() * (1 / 2 + 1 / 8) ** 0.5
    assert row["standard errors"] == pytest.approx(row["difference"] / error)


def test_lines_by_alpha_end_at_the_means_of_either_side():
    nuggets = ob.NuggetTask.from_turns(
        senders=[["customer", "helpdesk"]],
        gold=[[[3, 1, 0, 0], [2, 2, 0]]],
        runs={"sure": [[[1, 0, 0, 0], [1, 0, 0]]]},
        votes=True,
    )
    ends = [ob.score(replace(nuggets, alpha=alpha), ["RNSS"]) for alpha in (1.0, 0.0)]
    figure = overview.alphas(*ends)
    (line,) = figure.axes[0].lines
    assert line.get_ydata() == pytest.approx([0.5, 0.4375, 0.375, 0.3125, 0.25])
    plt.close(figure)
