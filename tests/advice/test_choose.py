"""The choice of measures: what is recommended, ACL'21's grades, and measures that are one."""

import re
from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from ordbook.advice.choose import (
    choose_primary,
    exception,
    recommended,
)
from ordbook.advice.criteria import (
    COMPARED,
    same_measures,
)
from ordbook.data.oddities import oddities

SIX = list(COMPARED["quantification"])
NINE = list(COMPARED["classification"])


@pytest.fixture(scope="module")
def classification():
    """Forty items a topic; runs err more and more, most often by one class."""
    rng = np.random.default_rng(3)
    gold = rng.choice(5, 800, p=[0.05, 0.1, 0.5, 0.25, 0.1])
    steps = rng.integers(-2, 3, (8, 800))
    wrong = rng.random((8, 800)) < np.linspace(0.1, 0.8, 8)[:, None]
    runs = {f"r{k}": np.clip(gold + steps[k] * wrong[k], 0, 4).tolist() for k in range(8)}
    return ob.ClassificationTask.from_labels(
        gold.tolist(), runs, [f"t{i // 20}" for i in range(800)], range(5), name="made up"
    )


def simulated(runs: int, topics: int, classes: int = 5, twins: int = 0):
    rng = np.random.default_rng(1)
    gold = rng.dirichlet(np.ones(classes), topics)
    noise = rng.dirichlet(np.ones(classes), (runs, topics))
    share = np.linspace(0.1, 0.9, runs)[:, None, None]
    estimates = (1 - share) * gold + share * noise
    estimates = np.concatenate([estimates, estimates[:twins]])
    named = {f"run {k}": estimate for k, estimate in enumerate(estimates)}
    return ob.QuantificationTask.from_arrays(gold, named, name="simulated")


def labels_of_two(seed: int, runs: int = 6):
    """Two classes in all topics, the second rarer; all runs err in both."""
    rng = np.random.default_rng(seed)
    gold = (np.arange(600) % 20 < 6).astype(int)
    wrong = rng.random((runs, 600)) < np.linspace(0.05, 0.4, runs)[:, None]
    named = {f"r{k}": np.where(wrong[k], 1 - gold, gold).tolist() for k in range(runs)}
    topics = [f"t{i // 20}" for i in range(600)]
    return ob.ClassificationTask.from_labels(gold.tolist(), named, topics, range(2), name="two")


def constant_and(gold, *runs):
    """Five topics of labels, one class each run, and more runs."""
    answers = {f"all {c}": [c] * len(gold) for c in (0, 1)} | dict(enumerate(runs))
    topics = [k * 5 // len(gold) for k in range(len(gold))]
    return ob.ClassificationTask.from_labels(gold, answers, topics, range(3))


def test_what_is_recommended_is_defined_and_said_once(classification):
    scores = ob.score(classification)
    assert recommended(scores, classification) == ["kappa", "MAE_M"]
    same = replace(scores, values=scores.values.copy())
    same.values[scores.measures.index("MAE_M")] = 1 - scores["kappa"].to_numpy()
    assert recommended(same) == ["kappa"], "MAE_M is the same"
    assert recommended(scores.select(["accuracy", "F1_M"])) == ["accuracy"], "nothing better"
    assert recommended(scores.select(["accuracy", "CEM_ORD"])) == ["CEM_ORD"], "it knows the order"
    assert recommended(scores.select(["F1_M", "MAE_M"])) == ["MAE_M"]
    two = ob.load("sem16t4d")
    assert recommended(ob.score(two), two) == ["RPS", "NMD"]
    blocks = [0] * 24 + [1] * 24 + [2] * 12  # each topic holds one class
    right = constant_and(blocks, *[blocks] * 5)
    assert recommended(ob.score(right), right) == ["MAE_M"], "kappa cannot judge most topics"
    assert choose_primary(scores, classification, "cem_ord") == "CEM_ORD"
    with pytest.raises(ValueError, match="'NMD' is not among the measures scored"):
        choose_primary(scores, classification, "NMD")


def test_a_constant_run_does_not_lead_because_most_topics_have_a_single_gold_class():
    """Forty topics of four items; a run right on three fifths loses by kappa to "always 4"."""
    rng = np.random.default_rng(0)
    gold = np.repeat(rng.choice(range(2, 5), 40, p=[0.4, 0.4, 0.2]), 4)
    gold[rng.permutation(160)[:8]] -= 1
    right = np.where(rng.random(160) < 0.6, gold, np.clip(gold + rng.choice([-1, 1], 160), 1, 5))
    runs = {"always 3": np.full(160, 3), "right": right}
    topics = np.arange(160) // 4
    task = ob.ClassificationTask.from_labels(gold, runs, topics, range(1, 6))
    kappa = ob.score(task).means()["kappa"]
    assert kappa["always 3"] > kappa["right"]
    assert recommended(ob.score(task), task) == ["MAE_M"]
    assert exception("MAE_M", task).startswith("most topics have a single gold class")
    (note,) = [odd.text for odd in oddities(task) if odd.kind == "one gold class"]
    assert re.match(r"The gold data of 3\d of 40 topics hold a single class", note)
    assert f"always answers 3 gets a mean kappa of {kappa['always 3']:.3f} by that; to" in note
    pool = replace(task, topics=("all",), _topic=np.zeros_like(task.topic))
    assert recommended(ob.score(pool), pool) == ["kappa", "MAE_M"]
    assert "one gold class" not in [odd.kind for odd in oddities(pool)]


def families(scores):
    """Return the sets of measures that are one."""
    return [same for same in dict.fromkeys(same_measures(scores).values()) if len(same) > 1]


def test_of_two_classes_some_measures_are_one():
    shares = ob.score(simulated(6, 30, classes=2), SIX)
    assert families(shares) == [("RNSS", "RSNOD", "RNOD", "NVD", "NMD")]
    # All classes are nowhere empty: RSNOD is RNOD both ways, and both ways are the same then.
    five = simulated(6, 30)
    assert families(ob.score(five, SIX)) == [("RSNOD", "RNOD")]
    gold = np.where(np.arange(5) > 0, five.gold, 0)
    named = dict(zip(five.runs, five.estimates, strict=True))
    empty = ob.QuantificationTask.from_arrays(gold / gold.sum(axis=1, keepdims=True), named)
    assert families(ob.score(empty, SIX)) == []
    labels = labels_of_two(0)
    # With as many items in every topic, and both classes in all, F1_M is alpha on another scale.
    assert families(ob.score(labels, NINE)) == [
        ("MAE_mu", "accuracy"),
        ("alpha_ord", "alpha_int", "F1_M"),
    ]


def test_measures_that_tell_nothing_apart_are_not_one():
    values = np.zeros((3, 4, 3))
    values[2, 0, 0] = 1
    flat = replace(ob.score(simulated(3, 4), ["NMD", "NVD", "JSD"]), values=values)
    assert families(flat) == []
    # Two different scores are on a line by any measure: one unit, or nothing is said.
    values[1, 0, 0] = 0.5
    assert families(replace(flat, values=values)) == []
    values[1, 0, 0] = 1
    assert families(replace(flat, values=values)) == [("NVD", "JSD")]
