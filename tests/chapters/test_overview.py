"""From scores to an official ranking."""

import pytest

import ordbook as ob
from ordbook.chapters import overview


def test_standings_put_the_best_run_first_by_every_measure():
    task = ob.QuantificationTask.from_arrays(
        [[2, 2, 0], [0, 1, 3]],
        {"B": [[0, 0, 1], [1, 0, 0]], "A": [[0.5, 0.5, 0], [0, 0.5, 0.5]]},
        votes=True,
    )
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
