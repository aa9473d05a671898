"""What all measures have in common, and every fact that is stated of them, held for each.

Cases are random: distributions of few votes and of many, confusion matrices with empty classes.
"""

import copy
import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.cases import drawn
from ordbook.papers.tables import papers

ALL = {**QUANTIFICATION, **CLASSIFICATION}
# Sums of a few terms of size 1.
TOL = 1e-12
EVERY = pytest.mark.parametrize("name", ALL)
COMPONENTS = (om.vd, om.ss, om.kld, om.md, om.dw, om.od, om.sod, om.snod)


def cases(measure, classes=(2, 3, 5, 7), size=60):
    """Yield cases for a kernel, for each number of classes with ties and without."""
    for n in classes:
        for flat in (False, True):
            yield drawn(measure.kind, n, size, flat, np.random.default_rng(n))[0]


def called(measure, case):
    """Score as users do: distributions, or counts."""
    return measure(*case) if len(case) > 1 else measure.from_confusion(*case)


def perfect(case):
    """The same gold, all of it found."""
    return (
        (case[0], case[0])
        if len(case) > 1
        else (case[0].sum(-1)[..., None] * np.eye(len(case[0][0])),)
    )


# -- one object ---------------------------------------------------------------------------------


@EVERY
def test_a_measure_is_one_object_wherever_it_is_found(name):
    measure = ALL[name]
    own = measure.__name__
    assert getattr(ob, own) is getattr(om, own) is measure
    assert {own} <= {*ob.__all__} & {*om.__all__}
    assert pickle.loads(pickle.dumps(measure)) is copy.deepcopy(measure) is measure
    assert repr(measure) == f"<{measure.__module__}.{own}>"
    assert measure.facts["name"] == measure.name == name
    with pytest.raises(AttributeError):
        measure.symmetric = None
    with pytest.raises(TypeError):
        om.registry.MEASURES[measure.kind][name] = None


@EVERY
def test_keywords_are_those_of_the_signature(name):
    measure = ALL[name]
    case = ([0.5, 0.5], [0.5, 0.5]) if name in QUANTIFICATION else ([1, 2], [1, 2])
    first, second, *keywords = inspect.signature(measure).parameters.values()
    assert {first.name, second.name} in ({"gold", "estimate"}, {"y_true", "y_pred"})
    assert all(keyword.kind is keyword.KEYWORD_ONLY for keyword in keywords)
    options = {keyword.name: keyword.default for keyword in keywords}
    assert measure(*case, **options) == measure(*case) == measure.perfect or name == "DNKT"
    with pytest.raises(TypeError, match="unexpected keyword argument 'wieghts'"):
        measure(*case, wieghts=None)
    with pytest.raises(TypeError, match="positional argument"):
        measure(*case, None)


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_the_mean_is_a_function_with_a_name_that_takes_what_the_measure_takes(name):
    measure = QUANTIFICATION[name]
    assert measure.mean.__name__ == f"mean_{measure.__name__}"
    assert pickle.loads(pickle.dumps(measure.mean)) is copy.deepcopy(measure.mean) is measure.mean
    for case in cases(measure):
        assert measure.mean(*case) == pytest.approx(measure(*case).mean(), abs=TOL)
        assert type(measure.mean(7 * case[0], case[1], normalise=True)) is float
    with pytest.raises(ValueError, match=r"gold\[0\] sums to 4"):
        measure.mean([[3, 1]], [[1, 0]])


# -- facts --------------------------------------------------------------------------------------


@EVERY
def test_facts_are_words_the_documentation_knows(name):
    m = ALL[name]
    assert m.kind == ("quantification" if name in QUANTIFICATION else "classification")
    assert m.better == ("low" if m.perfect == 0 else "high")
    assert (m.equidistant is None) == (not m.ordinal) == (m.farther_is_worse == "never")
    assert (m.imbalance is None) == (m.constant_runs is None) == (m.kind == "quantification")
    assert m.title[0].isupper()
    assert m.source
    assert m.range
    assert set(m.papers) <= set(papers())


@EVERY
def test_a_perfect_answer_gets_the_perfect_score_which_is_the_better_bound(name):
    measure = ALL[name]
    for case in cases(measure):
        right, ours = perfect(case), measure.kernel(*case)
        n = case[0].shape[-1]
        least, largest = measure.bounds(n)
        assert measure.perfect == (least if measure.better == "low" else largest)
        assert (ours >= least - TOL).all()
        assert (ours <= largest + TOL).all()
        best = np.full(len(ours), measure.perfect)
        if name == "DNKT":
            best[np.ptp(right[0], axis=-1) <= TOL] = 0.5
        np.testing.assert_allclose(measure.kernel(*right), best, rtol=0, atol=TOL)
        wrong = np.abs(case[-1] - right[-1]).reshape(len(ours), -1).max(axis=1) > 1e-9
        if name == "accuracy_1":
            n_far = (case[0] * (om.equidistance(n) > 1)).sum((1, 2))
            assert ((ours == best) == (n_far == 0)).all()
        elif "DNKT" not in name:
            assert (np.abs(ours - best)[wrong] > 1e-8).all()  # RPS squares differences
    if "DNKT" in name:  # DNKT, Section 2.3: wherever priorities agree
        assert measure([0.4, 0.3, 0.2, 0.1], [0.31, 0.30, 0.20, 0.19]) == 0


# -- input --------------------------------------------------------------------------------------


@EVERY
def test_many_at_once_are_one_by_one_and_arguments_are_left_alone(name):
    measure = ALL[name]
    for case in cases(measure, (2, 5)):
        for part in case:
            part.flags.writeable = False
        scores = called(measure, case)
        np.testing.assert_array_equal(measure.kernel(*case), scores)
        alone = [called(measure, one) for one in zip(*case, strict=True)]
        assert {type(score) for score in alone} == {float}
        np.testing.assert_allclose(scores, alone, rtol=0, atol=TOL)  # other orders of summation
        grid = tuple(part.reshape(3, 20, *part.shape[1:]) for part in case)
        np.testing.assert_allclose(called(measure, grid), scores.reshape(3, 20), rtol=0, atol=TOL)
        if name in QUANTIFICATION:
            one_gold = measure(case[0][0], case[1].tolist())
            expected = [measure(case[0][0], estimate) for estimate in case[1]]
            np.testing.assert_allclose(one_gold, expected, rtol=0, atol=TOL)


def test_many_large_matrices_go_through_blocks_to_the_same_bits():
    counts = np.random.default_rng(0).integers(0, 3, (3, 60, 51, 51))
    assert counts.size > om.registry.BLOCK
    for measure in CLASSIFICATION.values():
        one_by_one = [[measure.kernel(cm) for cm in row] for row in counts]
        np.testing.assert_array_equal(measure.kernel(counts), one_by_one)


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_data_frames_of_distributions(name):
    measure, rng = QUANTIFICATION[name], np.random.default_rng(2)
    index, columns = [f"topic {i}" for i in range(6)], ["low", "mid", "high"]
    gold, estimate = (
        pd.DataFrame(rng.dirichlet(np.ones(3), 6), index=index, columns=columns) for _ in range(2)
    )
    scores = measure(gold, estimate)
    np.testing.assert_array_equal(scores, measure(gold.to_numpy(), estimate.to_numpy()))
    row_by_row = estimate.apply(lambda row: measure(gold.loc[row.name], row), axis=1)
    np.testing.assert_allclose(row_by_row, scores, rtol=0, atol=TOL)
    task = ob.QuantificationTask.from_arrays(
        gold, {"A": estimate}, classes=gold.columns, topics=gold.index
    )
    np.testing.assert_allclose(ob.score(task)[name]["A"], scores, rtol=0, atol=TOL)


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_labels_of_every_kind_are_counts(name):
    """Numbers, words, categories and a table of counts score the same."""
    measure, order = CLASSIFICATION[name], ["low", "mid", "high"]
    true, pred = np.random.default_rng(3).integers(0, 3, (2, 40))
    words = np.array(order)[[true, pred]]
    expected = measure(true, pred)
    table = pd.crosstab(words[0], words[1]).reindex(index=order, columns=order, fill_value=0)
    assert measure.from_confusion(table) == expected
    assert measure(true - 2, pred - 2.0) == measure(*words, labels=order) == expected
    assert measure(*words.astype(object), labels=order) == expected
    assert measure(*words.tolist(), labels=order) == expected
    assert measure([2, 1, 3], [1, 1, 3], labels=[3, 1, 2]) == measure([2, 1, 0], [1, 1, 0])
    frame = pd.DataFrame({"gold": words[0], "run": words[1]}, index=np.arange(100, 140))
    assert measure(frame["gold"], frame["run"], labels=order) == expected
    for categories in (order, ["high", "unused", "mid", "low"]):
        both = frame.astype(pd.CategoricalDtype(categories, ordered=categories is order))
        assert measure(both["gold"], both["run"], labels=order) == expected
        assert measure(both["gold"].array, words[1], labels=order) == expected
    ordered = frame.astype(pd.CategoricalDtype(order, ordered=True))
    assert measure(ordered["gold"], ordered["run"]) == expected
    assert measure(ordered["gold"], words[1]) == measure(words[0], ordered["run"].array) == expected


def test_ordered_categories_must_agree():
    """Without them the alphabet, or the numbers that occur, would say what is far from what."""
    scale = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    gold = pd.Series(["low", "high", "mid"], dtype=scale)
    other = gold.astype(pd.CategoricalDtype(["high", "mid", "low"], ordered=True))
    with pytest.raises(ValueError, match=r"y_true has the ordered categories .* give labels="):
        ob.kappa(gold, other)
    with pytest.raises(ValueError, match=r"^y_pred\[1\] is missing"):
        ob.kappa(gold, gold.where([True, False, True]))
    with pytest.raises(ValueError, match=r"^y_true\[1\] is 'high', which is not in labels="):
        ob.kappa(gold, gold, labels=["low", "mid"])


def test_the_list_of_classes_has_one_name_in_measures():
    for measure in CLASSIFICATION.values():
        with pytest.raises(ValueError, match=r"has no classes=: pass the classes .* as labels="):
            measure([1, 2], [1, 2], classes=[1, 2])


@pytest.mark.parametrize("function", [*QUANTIFICATION.values(), *COMPONENTS])
def test_the_tolerance_is_that_of_both_arguments(function):
    exact, rounded = [0.25, 0.25, 0.5], [0.333, 0.333, 0.333]
    for pair in [(exact, rounded), (rounded, exact)]:
        with pytest.raises(ValueError, match=r"sums to 0\.999, not to 1"):
            function(*pair)
        assert np.isfinite(function(*pair, tolerance=2e-3)).all()
    with pytest.raises(ValueError, match=r"estimate\[0, 1\] sums to 0.9"):
        function([0.5, 0.5], [[[0.5, 0.5], [0.5, 0.4]]])
    np.testing.assert_array_equal(
        function([3, 1, 0], [1, 1, 2], normalise=True), function([0.75, 0.25, 0], [0.25, 0.25, 0.5])
    )


# -- descriptions -------------------------------------------------------------------------------


def test_every_public_name_says_what_it_takes_and_returns():
    """Where an editor shows it: in the docstring itself."""
    silent = []
    public = {name: getattr(room, name) for room in (om, ob) for name in room.__all__}
    for name, thing in public.items():
        if isinstance(thing, type | ModuleType):
            silent += [name] * (not thing.__doc__)
        elif callable(thing) and inspect.signature(thing).parameters:
            text = inspect.getdoc(thing)
            silent += [
                f"{name}: {title}"
                for title in ("Parameters", "Returns")
                if f"{title}\n{'-' * len(title)}\n" not in text
            ]
    assert silent == []


def test_import_needs_numpy_and_loads_no_more_than_the_measures():
    code = "import sys, numpy; old = {*sys.modules}; import ordbook; print(*{*sys.modules} - old)"
    command, root = [sys.executable, "-c", code], Path(ob.__file__).parents[1]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout
    modules = {*output.split()}
    packages = {module.partition(".")[0] for module in modules}
    assert packages - set(sys.stdlib_module_names) - {"numpy"} == {"ordbook"}
    late = {"ordbook.data", "ordbook.meta", *(f"ordbook.measures.{name}" for name in om._MODULES)}
    assert modules.isdisjoint(late)
