"""The choice of measures: what is recommended, what the papers' criteria choose, and doubts."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.advice.choose import (
    Advice,
    advise,
    by_definition,
    choose,
    choose_primary,
    led_by_constant,
    recommended,
    undecided,
)
from ordbook.advice.criteria import (
    COMPARED,
    ORDERED,
    PROPERTIES,
    Needs,
    consistent,
    discriminative,
    distinct_runs,
    gather,
    properties,
    same_measures,
)
from ordbook.data.checking import by_convention
from ordbook.data.printed import printed_values
from ordbook.meta.items import compare_runs, split_consistency
from ordbook.meta.seeds import split_sizes
from ordbook.papers.montecarlo import printed_means

SIX = list(COMPARED["quantification"])
NINE = list(COMPARED["classification"])


def advice_on(task, own=(), halves=0) -> Advice:
    scores = ob.score(task, [*COMPARED[task.kind], *own])
    steady = {
        name: ob.ranking_consistency(scores, size, splits=100)
        for name, size in split_sizes(scores).items()
    }
    tests, alike = ob.tukey_hsd(scores, trials=500), ob.ranking_similarity(scores)
    return advise(scores, tests, steady, alike, task, own=own, halves=halves)


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


def test_the_criteria_choose_nothing_without_what_the_task_needs(classification):
    found = advice_on(classification)
    assert found.needs.imbalance > 2
    level = found.criteria.assign(significant=1, power="fair", consistency="fair")
    level.loc["accuracy", "power"] = "good"
    assert choose(level, found.needs.required) != "accuracy", "accuracy knows no order"
    level.loc["kappa", "power"] = "good"
    two = constant_and(classification.gold % 3)  # whose kappa of 0 is no reason against kappa
    assert choose(level, Needs.of(two).required) == "kappa"
    level.loc["kappa", "power"] = "fair"
    assert choose(level, Needs("classification", 2).required) == "accuracy", "no order of two"


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


def test_doubts_are_said_where_there_are_any(subtests):
    for task, words in DOUBTFUL:
        with subtests.test(words=words):
            found = advice_on(task)
            assert any(words in doubt for doubt in found.doubts), found.doubts
            assert found.primary, "there still is an answer"
    doubts = " ".join(advice_on(simulated(30, 60)).doubts)
    for words in ("has the 95%", "rests on", "Two classes", "same scores"):
        assert words not in doubts


def test_copies_of_a_run_do_not_make_up_for_too_few():
    assert len(distinct_runs(ob.score(simulated(6, 30, twins=3), SIX)).runs) == 6
    assert set(advice_on(simulated(4, 30, twins=3)).criteria["consistency"]) == {"too few runs"}


def test_measures_of_ones_own_change_nothing_for_the_others(classification):
    for kind, task in (("classification", classification), ("quantification", simulated(9, 30))):
        names = list(COMPARED[kind])
        copied = getattr(ob.measures, kind.upper())["kappa" if names == NINE else "NVD"]
        own = [replace(copied, name="COPY", ordinal=True)]
        alone, joined = advice_on(task, halves=20), advice_on(task, own, halves=20)
        pd.testing.assert_frame_equal(joined.criteria.drop(index="COPY"), alone.criteria)
        assert (joined.primary, joined.secondary) == (alone.primary, alone.secondary)
        assert joined.why == alone.why
        assert joined.criteria.loc["COPY", "role"].startswith("added: ")
        significant = joined.criteria["significant"]
        assert significant["COPY"] == significant[copied.name]


def test_random_halves_say_how_firm_the_choice_is():
    found = advice_on(simulated(9, 40), halves=40)
    for column in ("chosen", "chosen over both"):
        assert found.criteria[column].sum() == pytest.approx(1)
    assert re.search(r"in \d+% of random halves of the topics and in \d+% of halves", found.why[1])
    again = advice_on(simulated(9, 40), halves=40)
    pd.testing.assert_frame_equal(again.criteria, found.criteria)
    few = advice_on(simulated(6, 8), halves=20)
    assert few.criteria["chosen"].sum() == pytest.approx(1), "eight topics are enough"
    assert "over other runs this cannot be told (only 6 runs)" in few.why[1]


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (simulated(1, 30), "only 1 different run"),
        (simulated(4, 30, twins=3), "only 4 different runs"),
        (simulated(6, 2), "only 2 topics"),
        (simulated(6, 30), ""),
    ],
)
def test_nothing_is_decided_by_few_runs_or_topics(task, reason):
    assert undecided(ob.score(task, SIX), task) == reason
    if len(task.runs) > 1:
        found = advice_on(task, halves=5)
        assert ("The data do not decide" in " ".join(found.why)) == bool(reason)
        assert bool(found.criteria["chosen"].any()) != bool(reason)


def pool(runs, items):
    """One topic of labels by runs that err more and more."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 4, items)
    answers = {
        f"r{k}": np.where(rng.random(items) < 0.1 + 0.1 * k, rng.integers(0, 4, items), gold)
        for k in range(runs)
    }
    return ob.ClassificationTask.from_labels(gold, answers, ["all"] * items, range(4))


@pytest.mark.parametrize(
    ("runs", "items", "reason"),
    [(4, 80, "only 4 different runs"), (6, 29, "only 29 items"), (6, 30, ""), (6, 80, "")],
)
def test_one_pool_is_decided_by_its_items(runs, items, reason):
    task = pool(runs, items)
    scores = ob.score(task, NINE)
    assert undecided(scores, task) == reason
    steady = split_consistency(task, scores, NINE, splits=20)
    assert list(steady) == [f"{items // 2} vs. {items - items // 2}"]
    tests = compare_runs(task, scores, NINE, trials=300)
    found = advise(scores, tests, steady, ob.ranking_similarity(scores), task, halves=10)
    assert found.primary == choose_primary(scores, task) == "kappa"
    assert ("The data do not decide" in found.why[1]) == bool(reason)
    if not reason and found.criteria["significant"].any():
        assert found.criteria["chosen"].sum() == pytest.approx(1)
        assert "% of bootstrap samples of the items" in found.why[1]
        assert set(found.criteria["consistency"]) <= {"good", "fair", "poor"}
    assert "topic" not in " ".join((*found.why, *found.doubts))


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


@pytest.mark.parametrize("task", [simulated(6, 60, classes=2), labels_of_two(0), labels_of_two(1)])
def test_with_two_classes_far_errors_and_steps_are_no_reason(task):
    found = advice_on(task)
    assert found.primary
    text = " ".join((*found.why, *found.doubts))
    for what in ORDERED:
        assert PROPERTIES[what] not in text
    assert "are one and the same measure" in text
    same = same_measures(ob.score(task, COMPARED[found.needs.kind]))
    assert found.secondary not in same[found.primary]


def test_identical_measures_count_once_on_real_runs():
    """SemEval-2016 subtask D has two classes: NMD is five measures, and JSD the only other."""
    task = ob.load("sem16t4d")
    scores = ob.score(task, SIX)
    tests, alike = ob.tukey_hsd(scores, trials=500), ob.ranking_similarity(scores)
    steady = {"half": ob.ranking_consistency(scores, splits=50)}
    found = advise(scores, tests, steady, alike, task, halves=20)
    assert list(found.criteria.index) == ["JSD", "NMD"]
    assert (found.primary, found.secondary) == ("NMD", "")
    assert "the same as RNSS, RSNOD, RNOD and NVD here" in found.criteria.loc["NMD", "role"]


def test_runs_of_one_quality_leave_nothing_to_choose_by():
    rng = np.random.default_rng(0)
    gold, runs = rng.dirichlet(np.ones(5), 10), rng.dirichlet(np.ones(5), (6, 10))
    task = ob.QuantificationTask.from_arrays(gold, dict(zip("abcdef", runs, strict=True)))
    found = advice_on(task, halves=20)
    assert set(found.criteria["power"]) == {"finds none"}
    assert found.primary


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


def test_a_constant_run_that_keeps_up_and_measures_at_odds_are_said():
    """Of fair-oc: MAE_M prefers careful runs, so that near-constant ones lead by it."""
    task = ob.load("fair-oc")
    found = advice_on(task, halves=20)
    assert (found.primary, found.secondary) == ("kappa", "MAE_M")
    assert found.needs.within == ("group",)
    assert "the criteria choose MAE_M: in " in found.why[1]
    scores = ob.score(task)
    tests = ob.tukey_hsd(scores, trials=500)
    assert [*led_by_constant(scores, tests, "MAE_M", found.needs)] == [
        "ridge leads by MAE_M, but does not differ significantly from median, which always answers "
        "one class."
    ]
    assert found.doubts[0] == (
        "kappa and MAE_M rank the runs very differently, with a tau of only 0.17: boosting leads "
        "by kappa, ridge by MAE_M."
    )
