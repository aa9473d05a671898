"""What the registry says of its measures, and what these have in common: tolerance, signature."""

import inspect
import itertools
import pickle
import re
import warnings

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure, mae_micro
from ordbook.measures.components import (
    cumulate,
    dw,
    gold_mass_distance,
    kld,
    md,
    od,
    snod,
    sod,
    ss,
    vd,
)
from ordbook.measures.validation import check_distributions
from ordbook.papers.ledger import PAPERS

MEASURES = {**QUANTIFICATION, **CLASSIFICATION}
COMPONENTS = (vd, ss, kld, md, dw, od, sod, snod)
ON_DISTRIBUTIONS = [*(m.function for m in QUANTIFICATION.values()), *COMPONENTS]


@pytest.mark.parametrize("function", ON_DISTRIBUTIONS, ids=lambda f: f.__name__)
def test_the_tolerance_is_that_of_both_arguments(function):
    exact, rounded = [0.25, 0.25, 0.5], [0.333, 0.333, 0.333]
    for pair in [(exact, rounded), (rounded, exact)]:
        with pytest.raises(ValueError, match=r"sums to 0\.999, not to 1"):
            function(*pair)
        assert np.isfinite(function(*pair, tolerance=2e-3)).all()


@pytest.mark.parametrize("measure", [*QUANTIFICATION.values(), *CLASSIFICATION.values()])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_perfect_score_is_the_better_bound(measure, n):
    least, largest = measure.bounds(n)
    assert measure.perfect == (least if measure.better == "low" else largest)
    assert least < largest


def test_titles_say_what_names_stand_for():
    for name in ("NMD", "RNOD", "RSNOD", "RNADW", "NVD", "RNSS", "JSD"):
        assert "".join(re.findall("[A-Z]", QUANTIFICATION[name].title)) == name
    for name in ("JSD", "NMD", "RNOD"):
        assert QUANTIFICATION[f"DNKT_{name}"].title == f"Harmonic mean of DNKT and {name}"


def test_sums_over_classes_are_of_64_bits_whatever_is_summed():
    found = cumulate(np.array([[100, 100, 100]], dtype=np.int8))
    assert found.dtype == np.float64
    assert found.tolist() == [[100, 200, 300]], "the largest number of 8 bits is 127"


def test_no_warning_where_a_share_is_as_small_as_floats_get():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for g, p in itertools.permutations(([1.0, 0.0], [5e-324, 1.0])):
            assert kld(g, p) > 1000


def test_distances_may_be_given_for_every_gold_distribution():
    gold = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    estimate = np.array([[0.2, 0.3, 0.5], [0.5, 0.5, 0.0]])
    alone = [od(g, p, distance=gold_mass_distance(g)) for g, p in zip(gold, estimate, strict=True)]
    for distance in (gold_mass_distance, gold_mass_distance(gold)):
        found = od(gold, estimate, distance=distance)
        np.testing.assert_allclose(found, alone, rtol=1e-14)
    tasks = np.stack([gold, gold[::-1]])
    found = od(tasks, estimate, distance=lambda table: gold_mass_distance(table))
    np.testing.assert_allclose(found[0], alone, rtol=1e-14)


def test_the_mass_between_two_classes_takes_half_of_both():
    found = gold_mass_distance([0.5, 0.3, 0.2])
    np.testing.assert_allclose(found, [[0, 0.4, 0.65], [0.4, 0, 0.25], [0.65, 0.25, 0]])


@pytest.mark.parametrize("measure", CLASSIFICATION.values())
def test_help_shows_how_a_measure_of_labels_is_called(measure):
    anew = type(measure.function)(measure.kernel)
    for function in (measure.function, anew):
        parameters = list(inspect.signature(function).parameters)
        assert parameters[:2] == ["y_true", "y_pred"]
        assert ("weights" in parameters) == (function.__name__ == "kappa")
        assert "self" not in parameters
        assert function.__name__ == measure.kernel.__name__
        assert function.__doc__ == measure.kernel.__doc__


@pytest.mark.parametrize("measure", [*QUANTIFICATION.values(), *CLASSIFICATION.values()])
def test_a_pickled_measure_is_the_same_object(measure):
    assert pickle.loads(pickle.dumps(measure)) is measure


def test_the_first_row_beyond_the_tolerance_is_named():
    within, beyond = [0.75, 0.75], [1.0, 1.0]
    with pytest.raises(ValueError, match=r"^gold\[1\] sums to 2, not to 1: "):
        vd([within, beyond], [[0.5, 0.5]] * 2, tolerance=0.5)
    with pytest.raises(ValueError, match=r"^gold\[0\] has -1 at class 0, negative: probabilities"):
        vd([[-1.0, 2.0]], [[0.5, 0.5]])


def test_a_distance_of_words_is_called_so():
    with pytest.raises(ValueError, match="^distance is not numeric"):
        od([0.5, 0.5], [0.5, 0.5], distance=[["a", "b"], ["c", "d"]])


def test_distances_are_as_exact_as_floats_can_be():
    gold = np.array([0.5, 0.3, 0.2], dtype=np.float32)
    assert gold_mass_distance(gold).dtype == np.float64


def test_both_directions_have_the_distance_that_was_given():
    distance = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]
    gold, estimate = [0.5, 0.3, 0.2], [0.1, 0.3, 0.6]
    both = od(gold, estimate, distance=distance) + od(estimate, gold, distance=distance)
    assert sod(gold, estimate, distance=distance) == pytest.approx(both / 2, rel=1e-14)
    assert sod(gold, estimate, distance=distance) != sod(gold, estimate)


def test_messages_about_labels_name_the_argument_and_few_labels():
    with pytest.raises(ValueError, match="^y_pred is empty"):
        mae_micro([1], [])
    for count, shown in ((10, "7, 8, 9]: add"), (11, "7, 8, '...']: add")):
        with pytest.raises(ValueError, match=re.escape(shown)):
            mae_micro([0], [99], labels=list(range(count)))


@pytest.mark.parametrize(
    ("true", "pred", "labels", "line"),
    [
        ([1], [1.5], None, r"^y_pred\[0\] is 1\.5, not a whole number"),
        ([0], [1000], None, "^labels run from 0 to 1000, 1001 classes"),
        ([1], [1], [1, None], r"^labels\[1\] is missing"),
        ([1], [1], [1, 2, 2], r"^labels .* 2 twice"),
        ([9], [1], [1, 2], r"^y_true\[0\] is 9, which is not in labels=\[1, 2\]"),
    ],
)
def test_what_is_wrong_with_labels_begins_with_their_name(true, pred, labels, line):
    with pytest.raises(ValueError, match=line):
        mae_micro(true, pred, labels=labels)


def test_a_thousand_classes_are_not_too_many():
    assert mae_micro([0], [999]) == 999


def test_a_sum_at_the_tolerance_is_accepted():
    assert vd([0.75, 0.75], [0.75, 0.75], tolerance=0.5) == 0
    assert vd([0.5, 0.5], [0.25, 0.75], tolerance=0) > 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("row", [[1e308, 1e308], [np.inf, -np.inf], [np.nan, 1]])
def test_what_is_not_finite_is_refused_without_a_warning(row):
    for normalise in (False, True):
        with pytest.raises(ValueError, match="^distribution "):
            check_distributions(row, normalise=normalise)


@pytest.mark.parametrize(
    ("cm", "line"),
    [
        ([["a", "b"], ["c", "d"]], "^cm is not numeric"),
        (np.empty((0, 1, 3, 3)), r"^cm is empty \(shape \(0, 1, 3, 3\)\)"),
        (np.empty((0, 1, 1)), r"^cm has 1 class\(es\): pass at least two"),
        ([[1, -1], [0, 1]], r"^cm\[0, 1\] is -1, negative: pass counts"),
    ],
)
def test_what_is_wrong_with_matrices_begins_with_their_name(cm, line):
    with pytest.raises(ValueError, match=line):
        mae_micro.from_confusion(cm)


def test_matrices_may_have_several_leading_axes():
    assert mae_micro.from_confusion(np.ones((3, 1, 2, 2))).tolist() == [[0.5]] * 3


def test_names_and_order():
    assert " ".join(QUANTIFICATION) == (
        "NMD RNOD RSNOD RNOD2 RNADW RNADW2 NVD RNSS JSD DNKT DNKT_JSD DNKT_NMD DNKT_RNOD"
    )
    assert " ".join(CLASSIFICATION) == (
        "MAE_M MAE_mu CEM_ORD kappa alpha_ord alpha_int F1_M HMPR accuracy"
    )
    own = {"MAE_M": "mae_macro", "MAE_mu": "mae_micro", "F1_M": "f1_macro"}
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.function.__name__ == own.get(name, name.lower())
        assert getattr(om, measure.function.__name__) is measure.function


def test_registry_is_read_only():
    with pytest.raises(TypeError):
        QUANTIFICATION["NMD"] = None
    with pytest.raises(AttributeError):
        QUANTIFICATION["NMD"].symmetric = False
    assert isinstance(QUANTIFICATION["NMD"], Measure)


@pytest.mark.parametrize("name", MEASURES)
def test_facts_are_words_the_documentation_knows(name):
    m = MEASURES[name]
    assert m.kind in ("quantification", "classification")
    assert m.better == ("low" if m.perfect == 0 else "high")
    assert m.attained in ("always", "up to four classes", "two classes", "never")
    assert (m.equidistant is None) == (not m.ordinal) == (m.farther_is_worse == "never")
    assert (m.imbalance is None) == (m.constant_runs is None) == (m.kind == "quantification")
    assert (m.mean is None) == (m.kind == "classification")
    assert m.title[0].isupper()
    assert m.source
    assert m.papers
    assert set(m.papers) <= set(PAPERS)
    assert m.range


@pytest.mark.parametrize("name", MEASURES)
def test_docstrings_say_what_where_and_from_where(name):
    text = inspect.getdoc(MEASURES[name].function)
    for word in ("Returns", "is better", "Source:", ">>>"):
        assert word in text
    assert text.splitlines()[0].endswith(".")
