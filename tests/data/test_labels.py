"""DataFrames and Series in: what their labels name is never read as something else."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob

TOPICS, CLASSES = list("vwxyz"), ["low", "middle", "high"]
SCALE = pd.CategoricalDtype(CLASSES, ordered=True)


@pytest.fixture
def gold():
    shares = np.random.default_rng(0).dirichlet([1, 1, 1], len(TOPICS))
    return pd.DataFrame(shares, index=TOPICS, columns=CLASSES)


def task_of(*arguments, **keywords):
    """A task, of which every run must be the gold data over again."""
    task = ob.QuantificationTask.from_arrays(*arguments, **keywords)
    assert (task.estimates == task.gold).all()
    return task


SHUFFLED = [
    lambda g: g.iloc[::-1],
    lambda g: g[["high", "middle", "low"]],
    lambda g: g.loc[list("zwvyx"), ["middle", "low", "high"]],
    lambda g: g.to_numpy(),
    lambda g: g.to_numpy().tolist(),
]


@pytest.mark.parametrize("shuffled", SHUFFLED)
def test_a_run_is_brought_into_golds_order(shuffled, gold):
    task = task_of(gold, {"same": shuffled(gold)}, classes=CLASSES)
    assert (task.topics, task.classes) == (tuple(TOPICS), tuple(CLASSES))
    assert task.gold.tolist() == gold.to_numpy().tolist()
    assert (ob.score(task, ["NMD"]).values == 0).all()


def test_classes_and_topics_say_the_order_of_labels_and_name_arrays(gold):
    columns, rows = ["high", "low", "middle"], list("zyxwv")
    for given in (gold, gold[columns], gold.loc[rows]):
        task = task_of(given, {"same": gold}, classes=CLASSES, topics=TOPICS)
        assert task.gold.tolist() == gold.to_numpy().tolist()
    task = task_of(gold, {"same": gold}, classes=columns, topics=pd.Index(rows))
    assert task.gold.tolist() == gold.loc[rows, columns].to_numpy().tolist()
    assert (task.topics, task.classes) == (tuple(rows), tuple(columns))
    task_of(gold.to_numpy(), {"same": gold.iloc[::-1]}, classes=CLASSES, topics=TOPICS)
    votes = pd.DataFrame({1: [3, 2], 0: [1, 0]}, index=["s", "t"])
    task = task_of(votes, {}, votes=True, topics=["t", "s"])
    assert (task.votes, task.gold.tolist()) == ((2, 4), [[0, 1], [0.25, 0.75]])


UNORDERED = [
    ["high", "low", "middle"],
    ["low", "middle", "high"],
    [1, 2, 4],
    [0, 1, "All"],
    ["low", "high", "<NA>"],
]


@pytest.mark.parametrize("columns", UNORDERED, ids=str)
def test_words_and_gaps_have_no_order_until_it_is_listed(columns, gold):
    turned = gold.set_axis(columns, axis=1)
    listed = ", ".join(repr(str(name)) for name in columns)
    with pytest.raises(ValueError, match=r"^yours: gold has the class(es)? ") as refusal:
        task_of(turned, {})
    assert f"pass classes= from lowest to highest, which is classes=[{listed}]" in str(
        refusal.value
    )
    task = task_of(turned, {"same": turned}, classes=columns)
    assert task.classes == tuple(map(str, columns))


def test_whole_numbers_sort_themselves_and_ordered_categories_are_a_list(gold):
    numbered = pd.DataFrame(gold.to_numpy(), columns=[2, 0, 1])
    task = task_of(numbered, {"same": numbered.iloc[::-1, ::-1]})
    assert (task.topics, task.classes) == (tuple("01234"), tuple("012"))
    assert task.gold.tolist() == gold.to_numpy()[:, [1, 2, 0]].tolist()
    ordered = gold.set_axis(pd.CategoricalIndex(CLASSES, dtype=SCALE), axis=1)
    assert task_of(ordered, {"same": gold.iloc[:, ::-1]}).classes == tuple(CLASSES)


DISAGREEING = [
    (
        {"runs": lambda g: g.rename(index={"w": "W"})},
        "the topics of run 'A' are not those of gold: 'W' is written 'w'; correct its index, or",
    ),
    ({"runs": lambda g: g.iloc[:2]}, "'x', 'y', 'z' are missing; correct"),
    (
        {"gold": lambda g: g.rename_axis("topic").reset_index(), "classes": None},
        r"gold has a column 'topic', .* \.set_index\('topic'\)",
    ),
    ({"classes": ["low", "mid", "high"]}, "'mid' is missing|'middle' is not there"),
    ({"classes": ["low", "middle", "high", "top"]}, "give each class a column, of zeros"),
    ({"topics": list("vwxya")}, "the topics of gold are not those of topics="),
    (
        {"gold": lambda g: g.iloc[::-1], "runs": lambda g: g.to_numpy(), "topics": TOPICS},
        "run 'A' does not name its topics, and gold's were put in another order",
    ),
    ({"runs": lambda g: g.reset_index(drop=True)}, r"or pass \.to_numpy\(\) if it has that order"),
    ({"runs": lambda g: g.iloc[[0, 0, 1, 2, 3]]}, "topic 'v'"),
]


@pytest.mark.parametrize(("change", "message"), DISAGREEING)
def test_labels_that_disagree_are_refused_in_one_line(change, message, gold):
    made = {"gold": lambda g: g, "runs": lambda g: g, "classes": CLASSES} | change
    frames = {"gold": made.pop("gold")(gold), "runs": {"A": made.pop("runs")(gold)}}
    with pytest.raises(ValueError, match=message) as refusal:
        task_of(**frames, **made)
    assert str(refusal.value).startswith("yours: ")
    assert "\n" not in str(refusal.value)


ITEMS = pd.DataFrame(
    {
        "topic": list("sssttt"),
        "gold": [0, 1, 1, 2, 0, 1],
        "A": [0, 1, 1, 2, 1, 0],
        "B": [0, 0, 2] * 2,
    },
    index=["i1", "i2", "i3", "i4", "i5", "i6"],
)


def labels_of(gold, runs, topics, classes=(0, 1, 2)):
    return ob.ClassificationTask.from_labels(gold, runs, topics, classes)


def test_series_of_labels_are_brought_into_golds_order(subtests):
    moved, flat, by_topic = (
        ITEMS.iloc[[3, 1, 5, 0, 2, 4]],
        ITEMS.reset_index(),
        ITEMS.set_index("topic"),
    )
    for gold, runs, topics in (
        (ITEMS["gold"], moved[["A", "B"]], moved["topic"]),
        (ITEMS["gold"], {"A": moved["A"], "B": ITEMS["B"].to_numpy()}, moved["topic"]),
        (flat["gold"], {"A": flat["A"].iloc[::-1], "B": list(flat["B"])}, flat["topic"]),
        (list(flat["gold"]), flat[["A", "B"]], flat["topic"]),
        (by_topic["gold"], by_topic[["A", "B"]], by_topic.index),
    ):
        with subtests.test(gold=gold, runs=runs, topics=topics):
            task = labels_of(gold, runs, topics)
            assert (task.topics, task.topic.tolist()) == (("s", "t"), [0, 0, 0, 1, 1, 1])
            assert task.predicted.tolist() == [[0, 1, 1, 2, 1, 0], [0, 0, 2, 0, 0, 2]]


DISAGREEING_ITEMS = [
    (ITEMS["gold"], {"A": ITEMS["A"].iloc[:5]}, ITEMS["topic"], "'i6' is missing"),
    (
        ITEMS["gold"],
        {"A": ITEMS["A"].reset_index(drop=True)},
        ITEMS["topic"],
        "the items of run 'A' are not those of gold: '0', '1', '2'.* are not there",
    ),
    (ITEMS[["gold"]], {}, ITEMS["topic"], "gold is a DataFrame; pass its column"),
    (
        list(ITEMS["gold"]),
        {"A": pd.Series([0, 1])},
        list("sssttt"),
        "'4', '5' are missing; correct",
    ),
]


@pytest.mark.parametrize(("gold", "runs", "topics", "message"), DISAGREEING_ITEMS)
def test_items_that_disagree_are_refused(gold, runs, topics, message):
    with pytest.raises(ValueError, match=message):
        labels_of(gold, runs, topics)


def test_classes_in_another_order_than_ordered_categories_are_refused(subtests):
    gold = pd.Series(["high", "low", "high", "low"], dtype=SCALE)
    table = pd.crosstab(pd.Series(list("sstt"), name="topic"), gold)
    said = "ordered categories are low < middle < high; pass those, as list"
    for other in (gold.unique(), gold.cat.categories[[0, 2]].astype(SCALE), sorted(set(gold))):
        with subtests.test(other=other):
            with pytest.raises(ValueError, match=said):
                labels_of(gold, {"A": gold}, list("sstt"), other)
            with pytest.raises(ValueError, match=said):
                task_of(table, {}, classes=other, votes=True)
    for right in (gold.cat.categories, CLASSES, ["none", *CLASSES]):
        assert labels_of(gold, {}, list("sstt"), right).classes == tuple(right)
    assert labels_of(list(gold), {}, list("sstt"), sorted(set(gold))).classes == ("high", "low")
