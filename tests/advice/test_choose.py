"""The choice of measures: what is recommended, what the papers' criteria choose, and doubts."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.advice.choose import (
    by_definition,
    choose,
    choose_primary,
    recommended,
)
from ordbook.advice.criteria import (
    COMPARED,
    ORDERED,
    Needs,
    consistent,
    discriminative,
    gather,
    properties,
    same_measures,
)
from ordbook.data.checking import by_convention
from ordbook.data.printed import printed_values
from ordbook.papers.montecarlo import printed_means

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


def printed_ntcir() -> pd.DataFrame:
    """Return criteria out of ACL'21's Table 6, and LQ'21's Table 3."""
    power = printed_values("lq21", "3")
    power = power[power["row"].str.startswith("DialEval-1")]
    numbers = power.set_index("column")["printed"].astype(float)
    kinds = [sum(printed_means(f"6{part}")[SIX] for part in parts) / 3 for parts in ("ace", "bdf")]
    return criteria("quantification", SIX, kinds, {m: numbers[f"{m} S_D"].sum() for m in SIX}, 22)


def criteria(kind, names, kinds, significant, runs) -> pd.DataFrame:
    found = properties(names, kind)
    for k, mean in enumerate(kinds):
        found[f"tau, {k}"] = mean
    found["consistency"] = consistent(kinds, runs)
    found["significant"] = pd.Series(significant)
    found["power"] = discriminative(found["significant"])
    return found


def test_quantification_as_acl21_recommends_from_what_is_printed():
    found = printed_ntcir()
    assert choose(found, ["order"]) == "RNOD", "Section 6.4"
    assert (found.loc[["RSNOD", "NMD"], "consistency"] == "poor").all()


def test_classification_as_acl21_recommends():
    """On SemEval-2016 and the printed numbers of SemEval-2017 (Section 5.4)."""
    scores = ob.score(ob.load("sem16t4c"), NINE)
    kinds = [
        (printed_means(a)[NINE] + printed_means(b)[NINE]) / 2
        for a, b in (("3a", "3c"), ("3b", "3d"))
    ]
    power = ob.discriminative_power(ob.tukey_hsd(scores))["significant"]
    found = criteria("classification", NINE, kinds, power, 12)
    for trait in ("imbalance", "constant_runs"):
        found[trait] = [getattr(ob.measures.CLASSIFICATION[name], trait) for name in NINE]
    assert choose(found, ["order", "imbalance"]) == "kappa"
    several = ["order", "imbalance", "constant_runs"]
    assert choose(found, several) == "alpha_ord", "kappa cannot tell constant runs apart"


def test_the_numbers_are_those_of_the_functions(classification):
    scores = ob.score(classification, NINE)
    tests = ob.tukey_hsd(scores, trials=300)
    split = ob.ranking_consistency(scores, splits=50)
    found = gather(scores, tests, {"half": split}, "classification")
    assert found["significant"].equals(ob.discriminative_power(tests)["significant"].loc[NINE])
    assert found["tau, half"].equals(split.mean.loc[NINE].rename("tau, half"))


def test_grades_decide_then_ranks():
    found = printed_ntcir()
    level = found.assign(consistency="fair", power="fair", significant=[9, 99, 9, 9, 9, 9])
    assert choose(level, ["order"]) == "RSNOD", "by its rank"
    level.loc["NMD", "power"] = "good"
    assert choose(level, ["order"]) == "NMD"


def test_a_grade_needs_a_difference_that_says_something():
    tau = pd.Series({"a": 0.985, "b": 0.984, "c": 0.983, "d": 0.982, "e": 0.981, "f": 0.7})
    grades = consistent([tau], 9)
    assert grades[:5].eq("good").all(), ".98 is not poor because others have .985"
    assert grades["f"] == "poor"
    assert consistent([tau], 4).eq("too few runs").all()
    assert discriminative(pd.Series([10, 9, 8, 7])).eq("fair").all(), "a pair or two"
    found = discriminative(pd.Series([100, 80, 79, 20]))
    assert found.tolist() == ["good", "fair", "fair", "poor"]
    assert discriminative(pd.Series([0, 0])).eq("finds none").all()


DOUBTFUL = [
    (simulated(3, 30), "With 3 different runs, no correlation of rankings can be relied on"),
    (simulated(8, 30), "With 8 different runs, a tau of 0.8 between two measures has the 95%"),
    (simulated(8, 12), "With 12 topics, consistency rests on halves"),
    (simulated(8, 2), "With 2 topics, consistency rests on nothing"),
    (simulated(8, 30, classes=2), "Two classes have no far and near errors"),
    (simulated(8, 30, twins=1), "run 0 and run 8 have the same scores on every topic"),
]


def pool(runs, items):
    """One topic of labels by runs that err more and more."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 4, items)
    answers = {
        f"r{k}": np.where(rng.random(items) < 0.1 + 0.1 * k, rng.integers(0, 4, items), gold)
        for k in range(runs)
    }
    return ob.ClassificationTask.from_labels(gold, answers, ["all"] * items, range(4))


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
    assert "kappa would come first, but most topics have a single" in by_definition(["MAE_M"], task)
    (note,) = by_convention(task)
    assert re.match(r"The gold data of 3\d of 40 topics hold a single class", note)
    assert f"always answers 3 gets a mean kappa of {kappa['always 3']:.3f} by that; to" in note
    pool = replace(task, topics=("all",), _topic=np.zeros_like(task.topic))
    assert recommended(ob.score(pool), pool) == ["kappa", "MAE_M"]
    assert not [*by_convention(pool)]


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


def test_what_is_true_of_the_definitions_with_two_classes():
    """Everything that the table says of two classes, tried."""
    for kind in ("quantification", "classification"):
        known = getattr(ob.measures, kind.upper())
        table = properties(list(COMPARED[kind]), kind, classes=2)
        assert not set(ORDERED) & set(table)
        for name in COMPARED[kind]:
            seen = {f.name: f.holds for f in ob.measures.probe(known[name], [2])}
            assert table.loc[name, "symmetric"] == seen["symmetry"], name
    assert set(ORDERED) < set(properties(NINE, "classification"))


def test_needs_are_read_off_the_data():
    gold = [0, 0, 0, 1, 2, 2]
    runs = {"same": [1] * 6, "not": [0, 1, 2, 0, 1, 2]}
    task = ob.ClassificationTask.from_labels(gold, runs, ["t"] * 6, range(3))
    assert Needs.of(task) == Needs("classification", 3, ("same",), 3.0)
    empty = ob.ClassificationTask.from_labels([0, 0], {"a": [0, 1]}, ["t"] * 2, range(3))
    assert Needs.of(empty).imbalance == float("inf")
    even = ob.QuantificationTask.from_arrays([[0.5, 0.5]], {"a": [[1.0, 0.0]]})
    assert Needs.of(even) == Needs("quantification", 2, (), 1.0)
    assert Needs("quantification", 2).required == []
    topics = {"each": [1, 1, 1, 2, 2, 2], "same": [1] * 6, "not": [0, 1, 2, 0, 1, 2]}
    task = ob.ClassificationTask.from_labels(gold, topics, list("aaabbb"), range(3))
    assert (Needs.of(task).constant, Needs.of(task).within) == (("same",), ("each",))
    assert Needs.of(task).required == ["order"]
    shares = {"same": [[0.5, 0.5]] * 2, "not": [[1, 0], [0.5, 0.5]]}
    task = ob.QuantificationTask.from_arrays([[0.5, 0.5]] * 2, shares)
    assert Needs.of(task).constant == ("same",)
    assert Needs("quantification", 3).required == ["order"]
