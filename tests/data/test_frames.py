"""DataFrames and Series in: what their labels name is never read as something else."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case

TOPICS, CLASSES = list("vwxyz"), ["low", "middle", "high"]


@pytest.fixture
def gold():
    shares = np.random.default_rng(0).dirichlet([1, 1, 1], len(TOPICS))
    return pd.DataFrame(shares, index=TOPICS, columns=CLASSES)


def task_of(*arguments, **keywords):
    return ob.QuantificationTask.from_arrays(*arguments, **keywords)


def nothing_wrong(task):
    """Whether every run is the gold data over again."""
    return (task.estimates == task.gold).all()


SHUFFLED = [
    lambda g: g.iloc[::-1],
    lambda g: g[["high", "middle", "low"]],
    lambda g: g.loc[list("zwvyx"), ["middle", "low", "high"]],
    lambda g: g.to_numpy(),
    lambda g: g.to_numpy().tolist(),
]


def test_a_run_is_brought_into_golds_order(gold):
    for shuffled in SHUFFLED:
        with case(shuffled):
            task = task_of(gold, {"same": shuffled(gold)})
            assert (task.topics, task.classes) == (tuple(TOPICS), tuple(CLASSES))
            assert task.gold.tolist() == gold.to_numpy().tolist()
            assert nothing_wrong(task)
            assert (ob.score(task, ["NMD"]).values == 0).all()


def test_classes_and_topics_say_the_order_of_labels_and_name_arrays(gold):
    columns, rows = ["high", "low", "middle"], list("zyxwv")
    for given in (gold, gold[columns], gold.loc[rows]):
        task = task_of(given, {"same": gold}, classes=CLASSES, topics=TOPICS)
        assert task.gold.tolist() == gold.to_numpy().tolist()
        assert nothing_wrong(task)
    task = task_of(gold, {"same": gold}, classes=columns, topics=pd.Index(rows))
    assert task.gold.tolist() == gold.loc[rows, columns].to_numpy().tolist()
    assert (task.topics, task.classes) == (tuple(rows), tuple(columns))
    assert nothing_wrong(task)
    array = task_of(gold.to_numpy(), {"same": gold.iloc[::-1]}, classes=CLASSES, topics=TOPICS)
    assert nothing_wrong(array), "an array that is given names is matched by them"


SORTED_COLUMNS = [
    (["high", "low", "middle"], "the columns high, low, middle, in the order of the alphabet"),
    ([1, 3, 2], "the columns 1, 3, 2, whose numbers neither rise nor fall; pass classes="),
    (["low", "high", "<NA>"], "a column '<NA>', a name of missing answers; .* pass classes="),
]


def test_columns_that_a_crosstab_may_have_sorted_are_a_question(gold):
    for columns, message in SORTED_COLUMNS:
        with case(columns, message):
            turned = gold.set_axis(columns, axis=1)
            with pytest.raises(ValueError, match=f"^yours: gold has {message}"):
                task_of(turned, {})
            task = task_of(turned, {"same": turned}, classes=columns)
            assert task.classes == tuple(map(str, columns))
            assert nothing_wrong(task)


def test_columns_that_fall_are_noted(gold):
    (note,) = task_of(gold.set_axis([3, 2, 1], axis=1), {}).provenance.notes
    assert note.startswith("gold: the classes fall in the columns (3, 2, 1); the first is taken")
    (note,) = task_of(gold.set_axis(["small", "medium", "large"], axis=1), {}).provenance.notes
    assert "fall by the alphabet in the columns (small, medium, large)" in note
    assert not task_of(gold, {}).provenance.notes


def test_votes_follow_their_topics():
    gold = pd.DataFrame({"no": [1, 0], "yes": [3, 2]}, index=["s", "t"])
    task = task_of(gold, {}, votes=True, topics=["t", "s"])
    assert (task.votes, task.gold.tolist()) == ((2, 4), [[0, 1], [0.25, 0.75]])


def test_a_column_of_topics_names_numbered_rows(gold):
    flat = gold.rename_axis("topic").reset_index()
    for other in (flat[CLASSES], flat[CLASSES].iloc[::-1], gold.iloc[::-1], gold.to_numpy()):
        task = task_of(flat[CLASSES], {"same": other}, topics=flat["topic"])
        assert task.topics == tuple(TOPICS)
        assert nothing_wrong(task)
    upside_down = flat["topic"].iloc[::-1]
    assert task_of(flat[CLASSES], {}, topics=upside_down).topics == tuple(TOPICS)
    assert task_of(flat[CLASSES], {}, topics=TOPICS).topics == tuple(TOPICS)


def test_a_default_index_numbers_rows_and_columns(gold):
    numbered = pd.DataFrame(gold.to_numpy())
    task = task_of(numbered, {"same": numbered.iloc[::-1, ::-1], "array": gold.to_numpy()})
    assert (task.topics, task.classes) == (tuple("01234"), tuple("012"))
    assert nothing_wrong(task)


DISAGREEING = [
    (
        {"runs": lambda g: g.rename(index={"w": "W"})},
        "the topics of run 'A' are not those of gold: 'W' is written 'w'; give it gold's index",
    ),
    ({"runs": lambda g: g.iloc[:2]}, "'x', 'y', 'z' are missing; give"),
    ({"runs": lambda g: g.rename(columns={"low": "Low"})}, "the classes of run 'A' are not"),
    ({"runs": lambda g: pd.DataFrame(g.to_numpy(), g.index)}, "'0', '1', '2' are not there"),
    ({"gold": lambda g: g.to_numpy()}, "'v', 'w', 'x', 'y', 'z' are not there"),
    ({"gold": lambda g: g.assign(team="x")}, r"gold is not numeric"),
    (
        {"gold": lambda g: g.rename_axis("topic").reset_index()},
        r"gold has a column 'topic', .* \.set_index\('topic'\)",
    ),
    (
        {"gold": lambda g: g.assign(team="x"), "classes": CLASSES},
        "gold's columns and classes= disagree: in gold's, 'team' is not there; correct",
    ),
    ({"classes": ["low", "mid", "high"]}, "'mid' is missing|'middle' is not there"),
    ({"topics": list("vwxya")}, "gold's index and topics= disagree"),
]


def test_labels_that_disagree_are_refused_in_one_line(gold):
    for change, message in DISAGREEING:
        with case(change, message):
            made = {"gold": lambda g: g, "runs": lambda g: g} | change
            frames = {"gold": made.pop("gold")(gold), "runs": {"A": made.pop("runs")(gold)}}
            with pytest.raises(ValueError, match=message) as refusal:
                task_of(**frames, **made)
            assert str(refusal.value).startswith("yours: ")
            assert "\n" not in str(refusal.value)


def test_what_could_be_read_in_two_ways_is_refused(gold):
    numbered = pd.DataFrame(gold.to_numpy(), columns=CLASSES)
    with pytest.raises(ValueError, match="topics= numbers what gold's index numbers in another"):
        task_of(numbered, {}, topics=[4, 3, 2, 1, 0])
    with pytest.raises(ValueError, match="could be topics or their places in gold"):
        task_of(gold.to_numpy(), {"A": numbered}, topics=[4, 3, 2, 1, 0], classes=CLASSES)
    named = task_of(numbered, {"A": numbered.to_numpy()}, topics=pd.Series([4, 3, 2, 1, 0]))
    assert named.topics == tuple("43210")
    assert nothing_wrong(named)


ITEMS = pd.DataFrame(
    {"topic": list("sstt"), "gold": [0, 1, 1, 2], "A": [0, 1, 1, 2], "B": [0, 0, 2, 2]},
    index=["i1", "i2", "i3", "i4"],
)


def labels_of(gold, runs, topics):
    return ob.ClassificationTask.from_labels(gold, runs, topics, [0, 1, 2])


def test_series_of_labels_are_brought_into_golds_order():
    for order in [[0, 1, 2, 3], [3, 1, 0, 2]]:
        with case(order):
            moved = ITEMS.iloc[order]
            for runs in (moved[["A", "B"]], {"A": moved["A"], "B": ITEMS["B"].to_numpy()}):
                task = labels_of(ITEMS["gold"], runs, moved["topic"])
                assert task.topics == ("s", "t")
                assert task.topic.tolist() == [0, 0, 1, 1]
                assert task.predicted.tolist() == [[0, 1, 1, 2], [0, 0, 2, 2]]


def test_lists_and_default_indices_are_read_as_they_stand():
    flat = ITEMS.reset_index(drop=True)
    for gold in (flat["gold"], list(flat["gold"]), flat["gold"].to_numpy()):
        task = labels_of(gold, {"A": flat["A"].iloc[::-1], "B": list(flat["B"])}, flat["topic"])
        assert task.predicted.tolist() == [[0, 1, 1, 2], [0, 0, 2, 2]]
    by_topic = ITEMS.set_index("topic")  # not one label per item, but the same ones throughout
    task = labels_of(by_topic["gold"], by_topic[["A"]], by_topic.index)
    assert task.predicted.tolist() == [[0, 1, 1, 2]]


DISAGREEING_ITEMS = [
    (ITEMS["gold"], {"A": ITEMS["A"].iloc[:3]}, ITEMS["topic"], "'i4' is missing"),
    (
        ITEMS["gold"],
        {"A": ITEMS["A"].reset_index(drop=True)},
        ITEMS["topic"],
        "the items of run 'A' are not those of gold: '0', '1', '2', '3' are not there",
    ),
    (list(ITEMS["gold"]), {"A": ITEMS["A"]}, list("sstt"), "'i1', 'i2', 'i3', 'i4' are not there"),
    (ITEMS[["gold"]], {}, ITEMS["topic"], "gold is a DataFrame; pass its column"),
    (list(ITEMS["gold"]), {"A": pd.Series([0, 1])}, list("sstt"), "A has 2 items and gold 4"),
]


def test_items_that_disagree_are_refused():
    for gold, runs, topics, message in DISAGREEING_ITEMS:
        with case(gold, runs, topics, message), pytest.raises(ValueError, match=message):
            labels_of(gold, runs, topics)


def test_ordered_categories_are_an_order_somebody_stated():
    scale = pd.CategoricalDtype(["bad", "good", "neutral"], ordered=True)
    votes = pd.Series(["bad", "good", "neutral", "good"]).astype(scale)
    gold = pd.crosstab(pd.Series(["t", "t", "u", "u"], name="topic"), votes)
    task = ob.QuantificationTask.from_arrays(gold, {"A": gold / 2}, votes=True)
    assert task.classes == ("bad", "good", "neutral")
    (note,) = task.provenance.notes
    assert note.startswith("gold: the classes are ordered categories, bad < good < neutral, in the")
    plain = pd.DataFrame(gold.to_numpy(), list(gold.index), list(gold.columns))
    with pytest.raises(ValueError, match="in the order of the alphabet"):
        ob.QuantificationTask.from_arrays(plain, {}, votes=True)


SCALE = pd.CategoricalDtype(["low", "middle", "high"], ordered=True)


def test_ordered_categories_state_the_order_wherever_the_columns_stand(gold):
    stated = gold[["high", "low", "middle"]]  # as pandas.crosstab sorts them
    stated.columns = stated.columns.astype(SCALE)
    task = task_of(stated, {"plain": gold, "stated": stated})
    assert task.classes == tuple(CLASSES)
    assert task.gold.tolist() == gold.to_numpy().tolist()
    assert nothing_wrong(task)
    with pytest.raises(ValueError, match="run 'A' does not name its classes, and gold's columns"):
        task_of(stated, {"A": stated.to_numpy()})
    assert task_of(stated, {"A": gold}, classes=CLASSES[::-1]).classes == tuple(CLASSES[::-1])
    numbered = gold.set_axis(pd.CategoricalIndex([0, 1, 2], [2, 1, 0], ordered=True), axis=1)
    task = task_of(numbered, {"same": numbered})
    assert (task.classes, task.gold.tolist()) == (tuple("210"), gold.iloc[:, ::-1].values.tolist())
    assert nothing_wrong(task)


def test_an_ordered_category_without_a_column_is_not_dropped_quietly():
    labels = pd.Series(["low", "high", "low"], dtype=SCALE)
    topics = pd.Series(["s", "s", "t"], name="topic")
    gold = pd.crosstab(topics, labels)
    with pytest.raises(ValueError, match="no column for the category middle of low < middle < hi"):
        task_of(gold, {}, votes=True)
    whole = pd.crosstab(topics, labels, dropna=False)
    assert task_of(whole, {}, votes=True).classes == tuple(CLASSES)
    assert task_of(gold, {}, votes=True, classes=["low", "high"]).classes == ("low", "high")


def test_classes_that_are_ordered_categories_are_all_of_them_in_their_order():
    gold = pd.Series(["high", "low", "high", "low"], dtype=SCALE)
    for some in (gold.unique(), gold.cat.categories[[0, 2]].astype(SCALE)):
        with pytest.raises(ValueError, match="are of the ordered categories low < middle < high"):
            ob.ClassificationTask.from_labels(gold, {"A": gold}, list("sstt"), some)
        with pytest.raises(ValueError, match=r"pass those, as list\(x\.cat\.categories\)"):
            task_of([[1, 0, 0]], {}, classes=some)
    task = ob.ClassificationTask.from_labels(gold, {}, list("sstt"), gold.cat.categories)
    assert task.classes == tuple(CLASSES)


def test_classes_in_another_order_than_golds_categories_are_noted():
    gold = pd.Series(["high", "low", "middle", "low"], dtype=SCALE)
    said = "is high < low < middle, as passed, and not that of gold's ordered categories, low < mid"
    for classes in (np.unique(gold), sorted(set(gold))):
        task = ob.ClassificationTask.from_labels(gold, {"A": gold}, list("sstt"), classes)
        assert task.classes == ("high", "low", "middle")
        (note,) = task.provenance.notes
        assert said in note
        columns = pd.crosstab(pd.Series(list("sstt"), name="topic"), gold)
        (note,) = task_of(columns, {}, votes=True, classes=classes).provenance.notes
        assert said in note
    for agree in (CLASSES, ["none", *CLASSES]):
        task = ob.ClassificationTask.from_labels(gold, {}, list("sstt"), agree)
        assert not task.provenance.notes
    plain = ob.ClassificationTask.from_labels(list(gold), {}, list("sstt"), sorted(set(gold)))
    assert not plain.provenance.notes
