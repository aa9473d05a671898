"""The measures need numpy alone, take data frames, and have examples that run."""

import doctest
import importlib
import importlib.resources
import pkgutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

MEASURES = {**QUANTIFICATION, **CLASSIFICATION}
MODULES = [
    "ordbook.measures",
    *(f"ordbook.measures.{info.name}" for info in pkgutil.iter_modules(om.__path__)),
]


def test_doctests_are_found_on_every_measure():
    # an instance with a docstring is easily missed by doctest
    found = set()
    for module in MODULES:
        tests = doctest.DocTestFinder().find(importlib.import_module(module))
        found |= {t.name.rsplit(".", 1)[-1] for t in tests if t.examples}
    assert {m.function.__name__ for m in MEASURES.values()} <= found


def test_import_needs_numpy_and_nothing_else():
    code = (
        "import sys, numpy; before = set(sys.modules); import ordbook.measures; "
        "print({m.split('.')[0] for m in set(sys.modules) - before})"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=_root()
    ).stdout
    loaded = {name.strip(" '{}\n") for name in shown.split(",")}
    assert loaded - set(sys.stdlib_module_names) - {"numpy"} == {"ordbook"}


def _root():
    return str(importlib.resources.files("ordbook").parent)


# -- pandas ------------------------------------------------------------------------------------


def frames():
    rng = np.random.default_rng(2)
    topics, classes = [f"topic {i}" for i in range(6)], ["low", "mid", "high"]
    return [
        pd.DataFrame(rng.dirichlet(np.ones(3), 6), index=topics, columns=classes) for _ in range(2)
    ]


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_data_frames_in_and_series_out(name):
    measure = QUANTIFICATION[name]
    gold, estimate = frames()
    expected = measure.function(gold.to_numpy(), estimate.to_numpy())
    scores = pd.Series(measure.function(gold, estimate), index=gold.index, name=name)
    np.testing.assert_array_equal(scores, expected)
    assert measure.mean(gold, estimate) == pytest.approx(scores.mean(), abs=1e-12)
    assert measure.function(gold.iloc[0], estimate.iloc[0]) == pytest.approx(scores.iloc[0])
    row_by_row = estimate.apply(lambda row: measure.function(gold.loc[row.name], row), axis=1)
    pd.testing.assert_series_equal(row_by_row, scores, check_names=False)


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_labels_in_a_frame_and_a_series_out(name):
    measure = CLASSIFICATION[name]
    order = ["low", "mid", "high"]
    rng = np.random.default_rng(3)
    items = pd.DataFrame(
        {"topic": np.repeat(["s", "t"], 20), "gold": rng.choice(order, 40)},
        index=np.arange(100, 140),
    ).assign(run=rng.choice(order, 40))
    items["category"] = pd.Categorical(items["run"], categories=order, ordered=True)
    by_topic = items.groupby("topic")[["gold", "run"]].apply(
        lambda topic: measure.function(topic["gold"], topic["run"], labels=order)
    )
    assert isinstance(by_topic, pd.Series)
    for topic, score in by_topic.items():
        part = items[items["topic"] == topic]
        table = pd.crosstab(part["gold"], part["run"]).reindex(
            index=order, columns=order, fill_value=0
        )
        assert measure.function.from_confusion(table) == pytest.approx(score, abs=1e-12)
        as_category = measure.function(part["gold"], part["category"], labels=order)
        assert as_category == score


def test_a_task_of_data_frames_gives_a_frame_of_scores():
    gold, estimate = frames()
    task = ob.QuantificationTask.from_arrays(
        gold, {"A": estimate, "B": gold}, classes=gold.columns, topics=gold.index
    )
    scores = ob.score(task)["RNOD"]
    assert isinstance(scores, pd.DataFrame)
    assert list(scores.index) == list(gold.index)
    np.testing.assert_allclose(scores["A"], om.rnod(gold, estimate), rtol=0, atol=1e-12)
    assert (scores["B"] == 0).all()
    assert isinstance(scores.mean(), pd.Series)


def test_ordered_categories_are_the_classes():
    """Without them the alphabet, or the numbers that occur, would say what is far from what."""
    scale = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    gold = pd.Series(["low", "high", "mid"], dtype=scale)
    answer = pd.Series(["mid", "high", "mid"], dtype=scale)
    expected = ob.kappa(list(gold), list(answer), labels=["low", "mid", "high"])
    assert ob.kappa(gold, answer) == ob.kappa(gold, list(answer)) == expected
    assert ob.kappa(gold.array, answer.array) == expected
    other = answer.astype(pd.CategoricalDtype(["high", "mid", "low"], ordered=True))
    with pytest.raises(ValueError, match=r"y_true has the ordered categories .* give labels="):
        ob.kappa(gold, other)


def test_the_list_of_classes_has_one_name_in_measures_and_one_in_tasks():
    for measure in (ob.kappa, ob.accuracy):
        with pytest.raises(ValueError, match=r"has no classes=: pass the classes .* as labels="):
            measure([1, 2], [1, 2], classes=[1, 2])
        with pytest.raises(TypeError, match="unexpected keyword argument 'wieghts'"):
            measure([1, 2], [1, 2], wieghts=None)
    tasks = (
        lambda: ob.QuantificationTask.from_arrays([[1, 0]], {}, labels=["a", "b"]),
        lambda: ob.ClassificationTask.from_labels(["a"], {}, ["t"], ["a", "b"], labels=["a", "b"]),
        lambda: ob.load("sem16t4e", labels=["a", "b"]),
    )
    for task in tasks:
        with pytest.raises(ValueError, match=r"has no labels=: pass the classes .* as classes="):
            task()
