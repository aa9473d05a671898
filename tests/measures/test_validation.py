"""Nothing is repaired silently: every refusal is one line that names the place and the fix."""

import numpy as np
import pandas as pd
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION

GOOD = [[0.5, 0.5], [0.2, 0.8]]
LABELS = list(CLASSIFICATION.values())
MASKED = np.ma.masked_array([[0.5, 0.5]], mask=[[True, False]])


def refused(words, call, *args, **options):
    """Check that a call is refused in one line, which begins with the first of the words."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - looked at below
        call(*args, **options)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(words[0])
    assert [word for word in words if word not in text] == [], text


# -- distributions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "options", "words"),
    [
        ([[0.5, 0.5], [0.5, 0.4]], {}, ["[1] sums to 0.9", "normalise=True"]),
        ([[0.5, 0.5], [1.2, -0.2]], {}, ["[1] has -0.2 at class 1", "negative"]),
        ([[0.5, 0.5], [np.nan, 1]], {}, ["[1] has nan at class 0", "not a finite"]),
        ([[0.5, 0.5], [0, 0]], {"normalise": True}, ["[1] sums to 0", "drop that row"]),
        ([[1.0], [1.0]], {}, [" has 1 class", "at least two"]),
        (np.empty((0, 3)), {}, [" is empty (shape (0, 3))"]),
        ({"a": 0.5, "b": 0.5}, {}, [" is a dict: pass a list"]),
        ([[0.5, 0.5], [0.2, 0.3, 0.5]], {}, [" has rows of different lengths"]),
        ([["a", "b"]], {}, [" is not numeric"]),
        ([[True, False]], {}, [" is not numeric (dtype bool)"]),
        (MASKED, {}, [" is a masked array"]),
        (
            [1, 2, 3],
            {},
            [" sums to 6, not to 1: if these are labels of items, score them with kappa"],
        ),
        (np.float16([0.3, 0.3, 0.399]), {}, [" sums to", "or tolerance=0.01 for numbers of few"]),
    ],
)
@pytest.mark.parametrize("argument", ["gold", "estimate"])
def test_distributions_refused(bad, options, words, argument):
    pair = (bad, [0.5, 0.5]) if argument == "gold" else ([0.5, 0.5], bad)
    refused([f"{argument}{words[0]}", *words], om.nmd, *pair, **options)


def test_shapes_and_tolerances_that_cannot_be_used():
    refused(["gold has 2 classes and estimate has 3"], om.nmd, [0.5, 0.5], [0.2, 0.3, 0.5])
    refused(["gold (2, 2) and estimate (3, 2) do not broadcast"], om.nmd, GOOD, [[0.5, 0.5]] * 3)
    for bad in (-1, np.nan, 1):
        refused(["tolerance"], om.nmd, GOOD, GOOD, tolerance=bad)
    assert om.nmd([0.5, 0.5 + 9e-6], [0.5, 0.5]) < 1e-5


@pytest.mark.parametrize(
    ("steps", "start"),
    [
        ([], "steps has shape (0,): pass 2 widths, one for each step between two neighbours"),
        ([[1, 2], [1, 1]], "steps has shape (2, 2): pass 2 widths"),
        ([1, -1], "steps[1] is -1: widths are finite and above 0"),
    ],
)
@pytest.mark.parametrize("nmd", [om.nmd, om.nmd.mean])
def test_steps_refused(steps, start, nmd):
    refused([start], nmd, [[0.5, 0.5, 0]], [[0.2, 0.3, 0.5]], steps=steps)


@pytest.mark.parametrize(
    ("distance", "words"),
    [
        (np.ones((3, 3)) - np.eye(3), ["distance", "(3, 3)", "(2, 2)"]),
        ([[0, -1], [1, 0]], ["distance[0, 1] is -1", "at least 0"]),
        ([[1, 1], [1, 0]], ["distance is not 0 on its diagonal"]),
        (lambda gold: np.ones(3), ["distance", "(3,)"]),
    ],
)
def test_distances_refused(distance, words):
    for f in (om.rnod, om.rsnod, om.rnadw, om.od, om.dw):
        refused(words, f, GOOD, GOOD, distance=distance)


# -- labels and counts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("true", "pred", "options", "words"),
    [
        ([1, 2], [1], {}, ["y_true has 2", "y_pred has 1"]),
        ([], [], {}, ["y_true is empty"]),
        ([1, 2], [1, np.nan], {}, ["y_pred[1] is missing"]),
        (pd.Series([1, None], dtype="Int64"), [1, 2], {}, ["y_true[1] is missing"]),
        (pd.to_datetime([None, "2020-01-01"]), [1, 2], {}, ["y_true[0] is missing"]),
        (["a", pd.NA], ["a", "b"], {"labels": ["a", "b"]}, ["y_true[1] is missing"]),
        ([1, 2.5], [1, 2], {}, ["y_true[1] is 2.5", "whole"]),
        (["bad", "good"], ["bad", "bad"], {}, ["y_true holds labels such as 'bad' that"]),
        ([0, 5000], [0, 0], {}, ["labels run from 0 to 5000, 5001 classes", "labels="]),
        ([1, 2], [1, 3], {"labels": [1, 2]}, ["y_pred[1] is 3", "labels=[1, 2]"]),
        ([1, 2], [1, 2], {"labels": [2, 1, 1]}, ["labels names 1 twice"]),
        ([1, 1], [1, 1], {"labels": [1]}, ["labels has 1 class"]),
        (
            [[1, 0], [0, 1]],
            [1, 2],
            {},
            ["y_true has shape (2, 2)", "counts go into from_confusion"],
        ),
        (
            [1, 2],
            np.eye(3)[:2],
            {},
            ["y_pred has shape (2, 3)", ".argmax(axis=1); rps scores prob"],
        ),
        (None, [1, 2], {}, ["y_true is None: pass a list"]),
        ({1, 2}, [1, 2], {}, ["y_true is a set: pass a list"]),
        (np.ma.masked_array([1, 2], mask=[0, 1]), [1, 2], {}, ["y_true is a masked"]),
        ([1, 2], [1, np.ma.masked], {}, ["y_pred is a masked"]),
    ],
)
def test_labels_refused(true, pred, options, words):
    for measure in LABELS:
        refused(words, measure, true, pred, **options)


@pytest.mark.parametrize(
    ("cm", "words"),
    [
        ([[1, 2, 3], [4, 5, 6]], ["cm has shape (2, 3)", "square"]),
        ([[3]], ["cm has 1 class(es)", "at least two"]),
        ([[1, -1], [0, 1]], ["cm[0, 1] is -1, negative"]),
        ([[1, np.nan], [0, 1]], ["cm[0, 1] is nan", "finite"]),
        ([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], ["cm[1] holds no items"]),
        (np.empty((0, 2, 2)), ["cm is empty"]),
    ],
)
def test_confusion_matrices_refused(cm, words):
    for measure in LABELS:
        refused(words, measure.from_confusion, cm)


def test_fractional_counts_are_refused_where_the_number_of_items_matters():
    cm = [[0.5, 0], [0, 0.5]]
    for measure in LABELS:
        if measure.weighted:
            assert measure.from_confusion(cm) == measure.perfect
        else:
            refused(["cm[0, 0] is 0.5, not a whole number"], measure.from_confusion, cm)


def test_confusion_matrices_normalised_by_class_are_refused():
    """They would score as if every class had as many items."""
    of_gold = np.array([[0.75, 0.25, 0], [0.2, 0.6, 0.2], [0, 0, 0]])
    refused(["cm is normalised by gold class"], om.kappa.from_confusion, of_gold)
    refused(["cm is normalised by predicted class"], om.kappa.from_confusion, of_gold.T)
    shares = om.kappa.from_confusion(of_gold / 2)  # of all items
    assert shares == pytest.approx(om.kappa.from_confusion(100 * of_gold), abs=1e-12)


def test_keywords_and_weights_refused():
    with pytest.raises(TypeError, match="'weight'; did you mean weights"):
        om.kappa([1, 2], [1, 2], weight="linear")
    for name in ("cubic", "Quadratic"):
        refused([f"weights={name!r} is not known: pass 'l"], om.kappa, [1, 2], [1, 1], weights=name)
    refused(["weights has shape (3, 3)"], om.kappa, [1, 2], [1, 2], weights=np.zeros((3, 3)))
    ones = {"weights": lambda n: np.ones((n, n))}
    refused(["weights is not 0 on"], om.kappa.from_confusion, [[1, 0], [1, 1]], **ones)


# -- labels of pandas and polars: values are taken by position, so others would pair wrongly -------


class FrameOfPolars:
    """It has a list of the names of its columns, no index, and takes such lists."""

    def __init__(self, frame):
        self._frame, self.columns = frame, list(frame)

    def __array__(self, dtype=None, copy=None):
        return self._frame.to_numpy(dtype)


def test_data_frames_whose_labels_differ_are_refused():
    gold = pd.DataFrame([[0.5, 0.5], [0, 1]], index=["x", "y"], columns=["low", "high"])
    turned = gold[["high", "low"]]
    assert om.nmd(gold, gold).tolist() == om.nmd(gold, gold.to_numpy()).tolist() == [0, 0]
    assert om.nmd(gold, gold.loc["x"]).tolist() == [0, 0.5]
    classes = ["gold and estimate differ in the labels of their classes", "estimate.reindex_like"]
    for estimate in (turned, gold.loc["x"][["high", "low"]]):
        refused(classes, om.nmd, gold, estimate)
    refused(["gold and estimate differ in the labels of their rows"], om.nmd, gold, gold[::-1])
    assert om.nmd([0.5, 0.5], (0.5, 0.5)) == 0, "a list has a method called index"
    mend = [classes[0], "for example estimate[list(gold."]
    for pair in ((FrameOfPolars(gold), turned), (gold, FrameOfPolars(turned))):
        for function in (om.nmd, om.nmd.mean):
            refused(mend, function, *pair)
    assert om.nmd(FrameOfPolars(gold), FrameOfPolars(gold)).tolist() == [0, 0]


def test_counts_and_items_in_another_order_are_refused():
    crossed = pd.DataFrame([[5, 2], [1, 2]], index=["b", "a"], columns=["a", "b"])
    right, true = crossed.reindex(index=crossed.columns), pd.Series([0, 1, 2], index=list("abc"))
    for measure in LABELS:
        refused(["cm differs in the labels of its rows (gold"], measure.from_confusion, crossed)
        assert measure.from_confusion(right) == measure.from_confusion(right.to_numpy())
        refused(["y_true and y_pred differ in the labels of their"], measure, true, true[::-1])
        assert measure(true, true[::-1].reindex_like(true)) == measure([0, 1, 2], [0, 1, 2])
        assert measure(true, [2, 1, 0]) == measure([0, 1, 2], [2, 1, 0])  # a list has no labels
