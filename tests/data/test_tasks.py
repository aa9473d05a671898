"""Tasks built from arrays and labels."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.data.catalog import RawDataMissing
from ordbook.data.tasks import BASELINES

GOLD = [[0.5, 0.5, 0.0], [0.0, 0.2, 0.8]]


def test_votes_become_distributions():
    task = ob.QuantificationTask.from_arrays([[1, 3, 0], [0, 0, 5]], {"a": GOLD}, votes=True)
    assert task.gold.tolist() == [[0.25, 0.75, 0.0], [0.0, 0.0, 1.0]]


BAD_ARRAYS = [
    ({"gold": [[0.5, 0.6, 0.0], [0, 0, 1]]}, r"gold\[0\] sums to 1\.1"),
    (
        {"runs": {"a": [[0.5, 0.5, 0.0], [0.0, -0.2, 1.2]]}},
        r"run 'a'\[1\] has -0\.2 at class 1",
    ),
    ({"runs": {"a": [[0.5, 0.5, 0.0], [np.nan, 0, 1]]}}, r"run 'a'\[1\] has nan"),
    ({"runs": {"a": GOLD[:1]}}, r"run 'a' has shape \(1, 3\) and gold \(2, 3\)"),
    ({"gold": GOLD[0]}, r"expected an array \(topics, classes\)"),
    ({"classes": ["x", "y"]}, "2 names for 3 columns"),
    ({"classes": ["x", "y", "x"]}, "class 'x' occurs twice"),
    ({"topics": ["s", "s"]}, "topic 's' occurs twice"),
    ({"topics": ["s", " "]}, "topic 2 has an empty name"),
    ({"runs": [GOLD]}, "^yours: runs is a list, which names none: pass run name -> what it a"),
    ({"gold": [[1, 2], [1]], "votes": True}, "^yours: gold has rows of different lengths"),
]


@pytest.mark.parametrize(("change", "message"), BAD_ARRAYS)
def test_bad_arrays_are_refused(change, message):
    arguments = {"gold": GOLD, "runs": {"a": GOLD}} | change
    with pytest.raises(ValueError, match=message):
        ob.QuantificationTask.from_arrays(**arguments)


def test_votes_are_whole_numbers():
    with pytest.raises(
        ValueError, match=r"gold\[1\] has 1\.5 at class 1, not a whole number of vo"
    ):
        ob.QuantificationTask.from_arrays([[2, 1], [3, 1.5]], {}, votes=True)
    assert ob.QuantificationTask.from_arrays([[2.0, 1.0]], {}, votes=True).votes == (3,)


def test_few_decimals_need_a_tolerance():
    off = [[0.334, 0.333, 0.334], [0, 0, 1]]
    with pytest.raises(ValueError, match=r"run 'a'\[0\] sums to 1\.001"):
        ob.QuantificationTask.from_arrays(GOLD, {"a": off})
    task = ob.QuantificationTask.from_arrays(GOLD, {"a": off}, tolerance=0.0015)
    assert task.estimates[0].tolist() == off


def test_the_baselines():
    gold = [[4, 4, 2], [1, 2, 7]]
    task = ob.QuantificationTask.from_arrays(gold, {}, votes=True).with_baselines()
    assert task.runs == BASELINES == ("BL-uniform", "BL-popularity")
    assert task.estimates[0].tolist() == [[1 / 3] * 3] * 2
    assert task.estimates[1].tolist() == [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    with pytest.raises(ValueError, match="BL-.* is a run already"):
        task.with_baselines()


def test_popularity_shares_ties_of_float_noise():
    gold = [[0.1 + 0.2, 0.3, 0.4 - 1e-16]]
    task = ob.QuantificationTask.from_arrays(gold, {}).with_baselines()
    assert task.estimates[1].tolist() == [[0, 0, 1]]
    tied = ob.QuantificationTask.from_arrays([[0.1 + 0.2, 0.3, 0.3, 0.1]], {}).with_baselines()
    assert tied.estimates[1].tolist() == [[1 / 3, 1 / 3, 1 / 3, 0]]


BAD_LABELS = [
    ({"gold": [0, 1, 9]}, "gold: item 3 has label '9', which is not one of the classes 0, 1"),
    ({"runs": {"a": [0, 1]}}, "run 'a' has 2 items|a has 2 items and gold 3"),
    ({"topics": ["s", "t"]}, "topics has 2 items and gold 3"),
    ({"runs": {1: [1, 1, 1], "1": [0, 0, 0]}}, "run '1' occurs twice"),
    ({"runs": [[0, 1, 1]]}, "^yours: runs is a list, which names none"),
    ({"classes": [0]}, "needs at least two|not one of the classes"),
    ({"gold": [], "runs": {}, "topics": []}, "there is no topic"),
]


@pytest.mark.parametrize(("change", "message"), BAD_LABELS)
def test_bad_labels_are_refused(change, message):
    arguments = {"gold": [0, 1, 1], "runs": {"a": [1, 1, 1]}, "topics": list("sst")}
    with pytest.raises(ValueError, match=message):
        ob.ClassificationTask.from_labels(**(arguments | {"classes": [0, 1]} | change))


def test_confusion_counts_every_item_once():
    rng = np.random.default_rng(0)
    gold, topics = rng.integers(0, 4, 200), rng.integers(0, 5, 200)
    runs = {name: rng.integers(0, 4, 200) for name in "abc"}
    task = ob.ClassificationTask.from_labels(gold, runs, topics, range(4))
    expected = np.zeros((3, 5, 4, 4), dtype=int)
    for r, run in enumerate(runs.values()):
        for item in range(200):
            expected[r, task.topics.index(str(topics[item])), gold[item], run[item]] += 1
    assert (task.confusion() == expected).all()


def test_a_catalogued_task_without_raw_files_loads_and_says_how_to_get_them(no_raw_files):
    task = ob.load("sem16t4e")
    assert (len(task.topics), len(task.runs), task.provenance.source) == (100, 12, "committed")
    for name in ("gold", "estimates"):
        with pytest.raises(RawDataMissing, match="ORDBOOK_MIRROR.*semeval2016-task4"):
            getattr(task, name)
    labels = ob.load("sem16t4c")
    for name in ("gold", "predicted", "topic"):
        with pytest.raises(RawDataMissing, match="github"):
            getattr(labels, name)
    assert len(ob.load("sem17t4e").topics) == 125


def test_what_has_no_order_or_no_name_is_refused(subtests):
    """Keys of a dict are not read as labels, nor is a missing topic called nan."""
    right = {"gold": [0, 1, 1], "runs": {}, "topics": list("sst"), "classes": [0, 1]}
    for what in ("gold", "topics", "classes"):
        for kind in (dict.fromkeys, set, iter):
            given = right | {what: kind(right[what])}
            with (
                subtests.test(what=what, kind=kind),
                pytest.raises(ValueError, match=f"^yours: {what} is a .*; pass"),
            ):
                ob.ClassificationTask.from_labels(**given)
    for missing in (None, np.nan, pd.NA):
        for message, change in {
            "the topic of item 3": {"topics": ["s", "s", missing]},
            "run 1": {"runs": {missing: [0, 1, 1]}},
            "class 2": {"classes": [0, missing]},
        }.items():
            with (
                subtests.test(missing=missing),
                pytest.raises(ValueError, match=f"^yours: {message} is missing"),
            ):
                ob.ClassificationTask.from_labels(**right | change)
        with pytest.raises(ValueError, match="^yours: topic 2 is missing"):
            ob.QuantificationTask.from_arrays(np.eye(2), {}, topics=["s", missing])


def test_counts_are_refused_with_the_argument_that_takes_them():
    with pytest.raises(ValueError, match=r"gold\[0\] sums to 4, not to 1: .*, or votes=True for"):
        ob.QuantificationTask.from_arrays([[1, 3, 0], [0, 0, 5]], {})
    with pytest.raises(ValueError, match=r"run 'a'\[0\] sums to 4.*, or divide counts by their su"):
        ob.QuantificationTask.from_arrays(GOLD, {"a": [[1, 3, 0], [0, 0, 5]]})
