"""Nothing is repaired silently: every refusal is one line that names the place and the fix."""

import numpy as np
import pandas as pd
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

GOOD = [[0.5, 0.5], [0.2, 0.8]]


def message(call, *args, **options):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the callers look at the message
        call(*args, **options)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("bad", "options", "words"),
    [
        ([[0.5, 0.5], [0.5, 0.4]], {}, ["[1]", "sums to 0.9", "normalise=True"]),
        ([[0.5, 0.5], [3, 1]], {}, ["[1]", "sums to 4", "normalise=True"]),
        ([[0.5, 0.5], [1.2, -0.2]], {}, ["[1]", "-0.2", "class 1", "negative"]),
        ([[0.5, 0.5], [1.2, -0.2]], {"normalise": True}, ["[1]", "negative"]),
        ([[0.5, 0.5], [np.nan, 1]], {}, ["[1]", "nan", "class 0", "not a finite"]),
        ([[0.5, 0.5], [np.inf, 1]], {"normalise": True}, ["[1]", "inf", "not a finite"]),
        ([[0.5, 0.5], [0, 0]], {}, ["[1]", "sums to 0"]),
        ([[0.5, 0.5], [0, 0]], {"normalise": True}, ["[1]", "sums to 0", "drop that row"]),
        ([[1e308, 1e308], [1, 1]], {"normalise": True}, ["[0]", "inf", "cannot be normalised"]),
        ([[1.0], [1.0]], {}, ["1 class", "at least two"]),
        ([], {}, ["empty"]),
        (np.empty((0, 3)), {}, ["empty", "(0, 3)"]),
        (0.5, {}, ["single number"]),
        ([[0.5, 0.5], [0.2, 0.3, 0.5]], {}, ["different lengths"]),
        ([["a", "b"]], {}, ["not numeric"]),
        ([[True, False]], {}, ["not numeric", "bool"]),
        ([[0.5 + 0j, 0.5]], {}, ["not numeric", "complex"]),
        ([[None, 1.0]], {}, ["not numeric", "object"]),
        (np.ma.masked_array([[0.5, 0.5]], mask=[[True, False]]), {}, ["masked"]),
    ],
)
@pytest.mark.parametrize("argument", ["gold", "estimate"])
def test_distributions_refused(bad, options, words, argument):
    other = [0.5, 0.5]
    pair = (bad, other) if argument == "gold" else (other, bad)
    text = message(om.nmd, *pair, **options)
    assert text.startswith(argument)
    for word in words:
        assert word in text


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([], "steps has shape (0,): pass 2 widths, one for each step between two neighbours"),
        ([1], "steps has shape (1,): pass 2 widths"),
        ([1, 1, 1], "steps has shape (3,): pass 2 widths"),
        (2, "steps has shape (): pass 2 widths"),
        ([[1, 2], [1, 1]], "steps has shape (2, 2): pass 2 widths"),
        ([1, -1], "steps[1] is -1: widths are finite and above 0"),
        ([0, 1], "steps[0] is 0: widths are finite and above 0"),
        ([1, np.nan], "steps[1] is nan: widths are finite and above 0"),
        ([np.inf, 1], "steps[0] is inf: widths are finite and above 0"),
        (["a", "b"], "steps is not numeric"),
        ([None, 1], "steps is not numeric"),
        (np.ma.masked_array([1.0, 1.0], mask=[True, False]), "steps is a masked array"),
    ],
)
@pytest.mark.parametrize("nmd", [om.nmd, om.nmd.mean])
def test_steps_refused(steps, words, nmd):
    assert message(nmd, [[0.5, 0.5, 0]], [[0.2, 0.3, 0.5]], steps=steps).startswith(words)


def test_shapes_that_do_not_go_together():
    assert "2 classes and estimate has 3" in message(om.nmd, [0.5, 0.5], [0.2, 0.3, 0.5])
    assert "do not broadcast" in message(om.nmd, GOOD, [[0.5, 0.5]] * 3)


def test_tolerance_is_the_readers():
    nearly = [0.333, 0.333, 0.333]
    assert "sums to 0.999" in message(om.nmd, nearly, nearly)
    assert om.nmd(nearly, nearly, tolerance=2e-3) == 0
    assert om.nmd([0.5, 0.5 + 9e-6], [0.5, 0.5]) < 1e-5
    for bad in (-1, np.nan, 1):
        assert "tolerance" in message(om.nmd, GOOD, GOOD, tolerance=bad)


@pytest.mark.parametrize(
    ("distance", "words"),
    [
        (np.ones((3, 3)) - np.eye(3), ["distance", "(3, 3)", "(2, 2)"]),
        ([[0, -1], [1, 0]], ["distance[0, 1]", "-1", "at least 0"]),
        ([[0, np.nan], [1, 0]], ["distance[0, 1]", "nan"]),
        ([[1, 1], [1, 0]], ["diagonal"]),
        ([["a", "b"], ["c", "d"]], ["not numeric"]),
        (lambda gold: np.ones(3), ["distance", "(3,)"]),
    ],
)
def test_distances_refused(distance, words):
    for f in (om.rnod, om.rsnod, om.rnadw, om.od, om.dw):
        text = message(f, GOOD, GOOD, distance=distance)
        for word in words:
            assert word in text


# -- classification ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("true", "pred", "options", "words"),
    [
        ([1, 2], [1], {}, ["y_true has 2", "y_pred has 1"]),
        ([], [], {}, ["y_true is empty"]),
        ([1, 2], [1, np.nan], {}, ["y_pred[1]", "missing"]),
        ([1, None], [1, 2], {}, ["y_true[1]", "missing"]),
        ([1, 2.5], [1, 2], {}, ["y_true[1]", "2.5", "whole"]),
        ([1, np.inf], [1, 2], {}, ["y_true[1]", "inf"]),
        (["bad", "good"], ["bad", "bad"], {}, ["y_true holds labels such as 'bad' that"]),
        (["bad", "good"], ["bad", "bad"], {}, ["labels=", "lowest to highest"]),
        (np.array(["b", 1], object), [1, 2], {}, ["y_true holds labels such as 'b' that"]),
        ([True, False], [True, True], {}, ["such as True that", "labels="]),
        (np.array([True, 2], object), [1, 2], {}, ["such as True that", "labels="]),
        ([0, 5000], [0, 0], {}, ["5001 classes", "labels="]),
        ([0, 1e300], [0, 0], {}, ["y_true[1]", "1e+300"]),
        ([1, 2], [1, 3], {"labels": [1, 2]}, ["y_pred[1]", "3", "labels=[1, 2]"]),
        ([1, 2], [1, 2], {"labels": [1, 2, 1]}, ["labels", "1 twice"]),
        ([1, 1], [1, 1], {"labels": [1]}, ["labels has 1 class"]),
        ([1, 1], [1, 1], {"labels": []}, ["labels is empty"]),
        ([[1, 2]], [[1, 2]], {}, ["y_true", "shape (1, 2)"]),
        (np.ma.masked_array([1, 2], mask=[0, 1]), [1, 2], {}, ["masked"]),
        ([1, 2], [1, np.ma.masked], {}, ["y_pred is a masked"]),
        (["a", "b"], ["a", None], {"labels": ["a", "b"]}, ["y_pred[1]", "missing"]),
    ],
)
def test_labels_refused(true, pred, options, words):
    for measure in CLASSIFICATION.values():
        text = message(measure, true, pred, **options)
        for word in words:
            assert word in text


def test_pandas_missing_values_are_named():
    pd = pytest.importorskip("pandas")
    assert "y_true[1] is missing" in message(om.kappa, pd.Series([1, None], dtype="Int64"), [1, 2])
    assert "y_true[0] is missing" in message(om.kappa, pd.to_datetime([None, "2020-01-01"]), [1, 2])
    for missing in (pd.NA, pd.NaT):
        words = message(om.kappa, ["a", missing], ["a", "b"], labels=["a", "b"])
        assert words.startswith("y_true[1] is missing")


@pytest.mark.parametrize(
    ("cm", "words"),
    [
        ([[1, 2, 3], [4, 5, 6]], ["(2, 3)", "square"]),
        ([1, 2], ["(2,)", "square"]),
        ([[3]], ["at least two"]),
        ([[1, -1], [0, 1]], ["cm[0, 1]", "-1", "negative"]),
        ([[1, np.nan], [0, 1]], ["cm[0, 1]", "nan", "finite"]),
        ([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], ["cm[1]", "no items"]),
        ([[0, 0], [0, 0]], ["cm holds no items"]),
        (np.empty((0, 2, 2)), ["empty"]),
        ([["a", "b"], ["c", "d"]], ["not numeric"]),
    ],
)
def test_confusion_matrices_refused(cm, words):
    for measure in CLASSIFICATION.values():
        text = message(measure.from_confusion, cm)
        for word in words:
            assert word in text


def test_fractional_counts_are_refused_where_the_number_of_items_matters():
    cm = [[0.5, 0], [0, 0.5]]
    for measure in CLASSIFICATION.values():
        if measure.weighted:
            assert measure.from_confusion(cm) == measure.perfect
        else:
            assert "cm[0, 0] is 0.5, not a whole number" in message(measure.from_confusion, cm)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({1, 2}, "y_true is a set: pass a list"),
        ((label for label in (1, 2)), "y_true is a generator: pass a list"),
        ({"a": 1, "b": 2}, "y_true is a dict"),
        ([[1, 0], [0, 1]], "counts go into from_confusion"),
    ],
)
def test_containers_that_are_no_lists_of_labels_are_refused(labels, words):
    assert words in message(om.kappa, labels, [1, 2])


def test_other_containers_of_numbers_are_refused():
    assert "gold is None: pass a list" in message(om.nmd, None, [0.5, 0.5])
    assert "gold is a dict: pass a list" in message(om.nmd, {"a": 0.5, "b": 0.5}, [0.5, 0.5])


def test_sums_of_rounded_numbers_name_the_tolerance():
    thirds = np.float16([0.3, 0.3, 0.399])
    assert "or tolerance=0.01 for numbers of few digits" in message(om.nmd, thirds, thirds)
    assert om.nmd(thirds, thirds, tolerance=0.01) == 0
    assert "tolerance" not in message(om.nmd, [0.5, 0.4], [0.5, 0.5])


def test_misspelt_keywords_are_named():
    with pytest.raises(TypeError, match="'weight'; did you mean weights"):
        om.kappa([1, 2], [1, 2], weight="linear")
    with pytest.raises(TypeError, match="unexpected keyword argument 'step'; did you mean steps"):
        om.nmd([0.5, 0.5], [0.5, 0.5], step=[1])


def test_kappa_weights_refused():
    assert "weights has shape (3, 3)" in message(om.kappa, [1, 2], [1, 2], weights=np.zeros((3, 3)))
    cm = [[1, 0], [1, 1]]
    assert "diagonal" in message(om.kappa.from_confusion, cm, weights=lambda n: np.ones((n, n)))


def test_data_frames_whose_labels_differ_are_refused():
    """Values are taken by position, so other labels would pair the wrong ones silently."""
    gold = pd.DataFrame([[0.5, 0.5], [0, 1]], index=["x", "y"], columns=["low", "high"])
    assert om.nmd(gold, gold).tolist() == [0, 0]
    assert om.nmd(gold, gold.to_numpy()).tolist() == [0, 0]
    assert om.nmd(gold, gold.loc["x"]).tolist() == [0, 0.5]
    wrong = (
        (gold[["high", "low"]], "labels of their classes"),
        (gold.loc["x"][["high", "low"]], "labels of their classes"),
        (gold.loc[["y", "x"]], "labels of their rows"),
    )
    for estimate, what in wrong:
        with pytest.raises(ValueError, match=f"differ in the {what}: .* estimate.reindex_like"):
            om.nmd(gold, estimate)
    assert om.nmd([0.5, 0.5], (0.5, 0.5)) == 0, "a list has a method called index"


class FrameOfPolars:
    """It has a list of the names of its columns, no index, and takes such lists."""

    def __init__(self, frame):
        self._frame, self.columns = frame, list(frame)

    def __array__(self, dtype=None, copy=None):
        return self._frame.to_numpy(dtype)

    def __getitem__(self, names):
        return FrameOfPolars(self._frame[names])


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_frames_of_polars_have_their_classes_in_one_order(name):
    frame = pd.DataFrame({"low": [0.2, 1], "mid": [0.3, 0], "high": [0.5, 0]})
    gold, turned = FrameOfPolars(frame), FrameOfPolars(frame[["high", "mid", "low"]])
    for function in (QUANTIFICATION[name], QUANTIFICATION[name].mean):
        for first, second in ((gold, turned), (frame, turned), (turned, frame)):
            mend = r"differ in the labels of their classes: .*, for example estimate\[list\(gold\."
            with pytest.raises(ValueError, match=mend):
                function(first, second)
        expected = function(frame.to_numpy(), frame.to_numpy())
        np.testing.assert_array_equal(function(gold, turned[list(gold.columns)]), expected)
        np.testing.assert_array_equal(function(gold, frame.to_numpy()), expected)


def test_labels_in_place_of_shares_are_told_what_scores_them():
    for gold, estimate, name in (([1, 2, 3], [1, 2, 2], "gold"), ([0, 1], [1, 2], "estimate")):
        text = message(om.nmd, gold, estimate)
        assert text.startswith(f"{name} sums to ")
        assert ", and looks like labels: score labels with kappa or mae_macro; else" in text
    for gold in ([0.5, 0.4], [[3, 1], [1, 3]]):
        assert "labels" not in message(om.nmd, gold, gold)


# Labels of pandas: classification measures take values by position, as the others do


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_a_confusion_matrix_has_its_classes_in_one_order(name):
    measure = CLASSIFICATION[name]
    crossed = pd.DataFrame([[5, 2], [1, 2]], index=["b", "a"], columns=["a", "b"])
    with pytest.raises(ValueError, match="cm differs in the labels of its rows .gold. and its col"):
        measure.from_confusion(crossed)
    put_right = crossed.reindex(index=crossed.columns)
    assert measure.from_confusion(put_right) == measure.from_confusion(put_right.to_numpy())
    assert measure.from_confusion(crossed.to_numpy()) is not None
    table = pd.crosstab(pd.Series([0, 1, 1], name="gold"), pd.Series([0, 1, 0], name="answer"))
    assert measure.from_confusion(table) == measure.from_confusion(table.to_numpy())


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_labels_of_items_in_another_order_are_refused(name):
    measure = CLASSIFICATION[name]
    true = pd.Series([0, 1, 2], index=list("abc"))
    with pytest.raises(ValueError, match="y_true and y_pred differ in the labels of their items"):
        measure(true, true[::-1])
    assert measure(true, true[::-1].reindex_like(true)) == measure([0, 1, 2], [0, 1, 2])
    assert measure(true, [2, 1, 0]) == measure([0, 1, 2], [2, 1, 0])  # a list has no labels
    with pytest.raises(ValueError, match="y_true has 3 items and y_pred has 2"):
        measure(true, true[:2])
