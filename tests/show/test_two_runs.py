"""Which two runs are compared, and the planes of two deltas: what is drawn is what scores say."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.measures import custom_measure
from ordbook.show import two_runs

HITS = custom_measure("HITS", lambda g, p: np.minimum(g, p).sum(axis=-1), better="high")


def simulated(topics=60, seed=3):
    rng = np.random.default_rng(seed)
    gold = rng.dirichlet([1] * 3, topics)
    runs = {
        name: share * gold + (1 - share) * rng.dirichlet([1] * 3, topics)
        for name, share in {"bad": 0.1, "good": 0.7, "fair": 0.5}.items()
    }
    return ob.QuantificationTask.from_arrays(gold, runs)


@pytest.fixture(scope="module")
def scores():
    return ob.score(simulated(), ["NVD", "NMD", "RSNOD", HITS])


def test_the_worst_and_the_best_are_chosen(scores):
    assert two_runs.chosen_runs(scores) == ("bad", "good")
    assert two_runs.chosen_runs(scores, measure="HITS") == ("bad", "good")


def test_equal_means_keep_the_order_of_the_task_whatever_their_last_bits():
    gold = np.eye(2)[[0, 0, 0]]
    wrong = np.array([0.1, 0.2, 0.3])
    runs = {
        "first": np.stack([1 - wrong, wrong], 1),
        "second": np.stack([1 - wrong, wrong], 1)[::-1],
    }
    scores = ob.score(ob.QuantificationTask.from_arrays(gold, runs), ["NVD"])
    means = scores.means()["NVD"]
    assert means["second"] < means["first"], "apart in the last bit"
    assert two_runs.chosen_runs(scores, measure="NVD") == ("second", "first")


def test_baselines_are_not_chosen_unless_nothing_else_is_there():
    task = simulated()
    whole = ob.score(task.with_baselines(), ["NMD"])
    assert two_runs.systems_only(whole).runs == ("bad", "good", "fair")
    assert np.array_equal(two_runs.systems_only(whole).values, ob.score(task, ["NMD"]).values)
    gold_itself = ob.QuantificationTask.from_arrays(
        task.gold, {"bad": task.estimates[0], "worse": np.eye(3)[[0] * len(task.gold)]}
    ).with_baselines()
    scores = ob.score(gold_itself, ["NMD"])
    assert scores.means()["NMD"].idxmin() == "BL-uniform"
    assert two_runs.chosen_runs(scores) == ("worse", "bad")
    assert two_runs.chosen_runs(scores, "BL-uniform, bad")[1] == "BL-uniform"
    alone = ob.QuantificationTask.from_arrays(task.gold, {"bad": task.estimates[0]})
    few = ob.score(alone.with_baselines(), ["NMD"])
    assert two_runs.systems_only(few) is few
