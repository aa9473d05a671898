"""The cases that other libraries test or print in their documentation hold here, too.

Inputs and values are theirs, as printed in the tests and docstrings named beside them. Where they
define a measure otherwise, a docstring says how, and the test asserts what both have in common.
"""

import numpy as np
import pytest

import ordbook as ob


def printed(text):
    """A number as printed: right to half a unit of its last digit."""
    digits = len(text.partition(".")[2])
    return pytest.approx(float(text), abs=0.500001 * 10.0**-digits)


def read(table, given):
    """Yield the cases: what is given, then a name and a value. Where a line is indented: source."""
    lines = [line for line in table.splitlines() if line[:1] > " "]
    for words in (case.split() for line in lines for case in line.split("; ")):
        for name, value in zip(words[given::2], words[given + 1 :: 2], strict=True):
            yield *words[:given], name, value


def cohen(gold, run, **keywords):
    """Kappa without an order of the classes, which is the default elsewhere."""
    return ob.kappa(gold, run, weights=lambda n: 1 - np.eye(n), **keywords)


A, B, C = (a * "0" + b * "1" + c * "2" for a, b, c in ((46, 44, 10), (52, 32, 16), (50, 40, 10)))
CASES = f"""
    scikit-learn: test_cohen_kappa (Artstein and Poesio 2008), test_f1_for_small_*, docstrings
{40 * "0" + 60 * "1"} {20 * "0" + 20 * "1" + 10 * "0" + 50 * "1"} cohen 0.348
{A} {B} cohen 0.8013; {A} {C} cohen 0.9315 kappa 0.9412 qwk 0.9541; {A} {A} cohen 1.0000000
02012 02010 cohen 0.6875; 0123 0213 accuracy 0.5; 012012 021001 f1_macro 0.267
01234567 12345678 mae_micro 1.0000000; 01 10 f1_macro 0.000000; 00 00 f1_macro 1.000000
    torchmetrics: docstrings of binary_cohen_kappa and multiclass_cohen_kappa
1100 0100 cohen 0.5000; 2100 2101 cohen 0.6364
    imbalanced-learn: test_macro_averaged_mean_absolute_error (there cut, not rounded), docstring
111222 121212 mae_macro 0.333; 111112 121212 mae_macro 0.200; 1122 1212 mae_macro 0.5 mae_micro 0.5
111222333 131211233 mae_macro 0.556; 111111233 131211233 mae_macro 0.167
1222 1212 mae_macro 0.167 mae_micro 0.25
    dlordinal, skordinal (once orca-python): test_amae, test_mmae, test_accuracy_off1; docstring
    and *_pred_only_class_excluded of skordinal, test_weighted_kappa (linear by default, as here)
0011 0101 mae_macro 0.500000 mae_max 0.500000; 001122 001122 mae_macro 0.000000 mae_max 0.000000
0021 0201 mae_macro 1.000000 mae_max 2.000000; 00213 22031 mae_macro 2.000000 mae_max 2.000000
012345 123450 accuracy_1 0.833333; 01234 02143 accuracy_1 1.000000; 123 012 accuracy_1 1.000000
0012300 0112301 mae_macro 0.125; 01233 01234 mae_macro 0.125000 mae_max 0.500000
12312312311112223333 13312312213112223313 kappa 0.6703 accuracy 0.8000 mae_micro 0.3000
"""
LABELS = [([*map(int, a)], [*map(int, b)], *case) for a, b, *case in read(CASES, 2)]


def test_labels():
    for gold, run, name, value in LABELS:
        measure = cohen if name == "cohen" else getattr(ob, name)
        for weight in (None, np.ones(len(gold))):  # alike in imbalanced-learn and skordinal
            assert measure(gold, run, sample_weight=weight) == printed(value)
    # Artstein and Poesio's Table 1 by weights of items; skordinal: an item without weight
    assert cohen([0, 0, 1, 1], [0, 1, 0, 1], sample_weight=[20, 20, 10, 50]) == printed("0.348")
    assert ob.accuracy_1([0, 1, 2, 1], [3, 1, 2, 1], sample_weight=[0, 1, 1, 1]) == 1
    # statsmodels: output of SAS; scikit-learn: test_precision_recall_f1_score_multiclass
    sas, svm = [[0, 4, 1], [0, 8, 0], [0, 1, 5]], [[19, 4, 1], [4, 3, 24], [0, 2, 18]]
    assert ob.kappa.from_confusion(sas, weights=1 - np.eye(3)) == printed("0.4842")
    assert ob.kappa.from_confusion(sas) == printed("0.4701")
    both = ob.f1_macro.from_confusion(svm), ob.accuracy.from_confusion(svm)
    assert both == (printed("0.51"), printed("0.53"))


def test_labels_where_definitions_differ():
    """A class between two others is kept, labels= drops no item, and 0/0 is 1 in kappa.

    R's irr, scikit-learn and skordinal number the classes that occur. scikit-learn leaves out items
    whose class is not in labels=, says nan for 0/0 (test_cohen_kappa_undefined), averages F1 over
    predicted classes as well, and takes values that are no classes.
    """
    # statsmodels, test_cohens_kappa_irr: two who rate the anxiety of 20 patients, never 5
    ben, eve = ([*map(int, text)] for text in ("36462424332333221334", "21443216111233113322"))
    for measure, value in ((cohen, "-0.006289308"), (ob.kappa, "0.1459075"), (ob.qwk, "0.2520325")):
        assert measure(ben, eve, labels=[1, 2, 3, 4, 6]) == printed(value)
    assert ob.kappa(ben, eve) == ob.kappa(ben, eve, labels=range(1, 7)) != printed("0.1459075")
    far = [0, 0, 10, 20], [0, 10, 10, 20]  # skordinal, test_average_mean_absolute_error
    assert ob.mae_macro(*far, labels=[0, 10, 20]) == printed("0.166667")
    assert ob.mae_macro(*far) == printed("1.666667")
    halves = [1] * 5 + [2] * 5
    for run in ([3] * 10, [1] * 5 + [3] * 5):
        with pytest.raises(ValueError, match="not in labels="):
            ob.kappa(halves, run, labels=[1, 2])
    assert (ob.kappa([3] * 10, [3] * 10), ob.kappa(halves, [3] * 10)) == (1, 0)
    assert ob.f1_macro([0, 0, 0], [0, 0, 1]) == pytest.approx(2 * 0.4)  # there half of it
    # mean_absolute_error has .5 for halves of these, which are no classes
    assert ob.mae_micro([6, -1, 4, 14], [5, 0, 4, 16]) == 2 * 0.5


ALPHAS = """
    Krippendorff.jl (Krippendorff's own example A), irr (his C); krippendorff: tests, docstring
0100000010,1110010000 nominal 0.095
123321412...,1233224125.3,.3332342251.,12332441251. nominal 0.743 ordinal 0.815 interval 0.849
.....34121133.3,1.213343.......,..21344.21133.4 nominal 0.691358 interval 0.810845
pnu.,pnup,pnpp nominal 0.722222; 1234,1234,1234 nominal 1.000000 interval 1.000000
"""


def test_alpha():
    """krippendorff refuses ratings that are all equal, or never two of an item: here 1 and nan."""
    for people, level, value in read(ALPHAS, 1):
        items = np.array([[*person] for person in people.split(",")], dtype=object).T
        items[items == "."] = None
        assert ob.alpha(items, level=level, labels=sorted({*people} - {*".,"})) == printed(value)
    assert (ob.alpha([[1, 1], [1, 1]]), np.isnan(ob.alpha([[1, None], [None, 2]]))) == (1, True)
    for keywords in ({"level": "ratio"}, {"labels": ["a"]}, {}):
        with pytest.raises(ValueError, match="not one of nominal|not in labels|no number"):
            ob.alpha([["a", "b"], ["b", "b"]], **keywords)


PLACES = """
    SciPy: TestWassersteinDistance, TestEnergyDistance, docstrings; weights repeat a place
0,1 0 wasserstein 0.5 energy 0.7071068; 0,0,0,1 0 wasserstein 0.25 energy 0.3535534
0,2 0 wasserstein 1.0 energy 1.0000000; 0,1,2 1,2,3 wasserstein 1.0 energy 0.8164966
1,2,3 2,1,3 wasserstein 0.0 energy 0.0; 1,1,1,4 4,1,1,1 wasserstein 0.0; 0 1 energy 1.4142136
-5 5 wasserstein 10.0 energy 4.4721360; 1,2,3,4,5 11,12,13,14,15 wasserstein 10.0
4.5,4.5,4.5,6.7,2.1 4.6,7,7,7,9.2 wasserstein 2.5; 0,1,3 5,6,8 wasserstein 5.0
0,0,0,1 0,0,1,1 wasserstein 0.25; 0,0,0,8 0,0,8,8 energy 1.0; 0 2 energy 2.0000000
    properscoring: test_crps_toy_examples, test_crps_weight_examples
0 1 crps 1.0000000; 0 0,1 crps 0.2500000; 2 0,1 crps 1.2500000; 0 -1,1 crps 0.5000000
0 0,0,1 crps 0.1111111; 1 0,0,1 crps 0.4444444; 0 -1,0,0,1 crps 0.1250000; 1 0,3 crps 0.7500000
1 0,0,0,0,2 crps 0.6800000; 1.5 0,0,0,0,2 crps 0.9800000; 1 -1,3 crps 1.0000000
1 0,1,2 crps 0.2222222; 1.5 0,1,2 crps 0.3888889; -1 0,1,2 crps 1.5555556; 1 0,1,2,3 crps 0.3750000
"""
FORECASTS = """
    penaltyblog: page of RPS (Constantinou and Fenton)
0 1,0,0 rps 0.0000; 0 .9,.1,0 rps 0.0050; 0 .8,.1,.1 rps 0.0250; 0 .5,.25,.25 rps 0.1562
1 .35,.3,.35 rps 0.1225; 1 .6,.3,.1 rps 0.1850; 0 .6,.25,.15 rps 0.0913; 0 .6,.15,.25 rps 0.1113
0 .57,.33,.1 rps 0.0975; 0 .6,.2,.2 rps 0.1000
    scoringutils: test-class-forecast-ordinal.R; scoringRules: test of rps_probs
0 .8,.1,.1 sum 0.0500; 1 .1,.2,.7 sum 0.5000; 1 .4,.4,.2 sum 0.2000; 4 .2,.2,.2,.2,.2 sum 1.2000
"""
LINES = [(np.fromstring(a, sep=","), np.fromstring(b, sep=","), *x) for a, b, *x in read(PLACES, 2)]


def test_places_on_a_line():
    """SciPy and properscoring divide by nothing: times the length of the line, it is the same."""
    for u, v, name, value in LINES:
        line = np.unique([*u, *v, 99])  # an end without items changes nothing
        shares = [np.equal.outer(x, line).mean(axis=0) for x in (u, v)]
        measure = ob.nmd if name == "wasserstein" else ob.rps
        whole = measure(*shares, steps=np.diff(line)) * (line[-1] - line[0])
        assert (np.sqrt(2 * whole) if name == "energy" else whole) == printed(value)


def test_forecasts():
    """penaltyblog and R's verification divide by C - 1; dlordinal, skordinal and others do not."""
    for gold, text, name, value in read(FORECASTS, 2):
        estimate = np.fromstring(text, sep=",")
        score = ob.rps(np.eye(len(estimate))[int(gold)], estimate)
        assert score * (len(estimate) - 1 if name == "sum" else 1) == printed(value)
    twentieths = [[4, 8, 4, 4], [14, 2, 2, 2], [10, 1, 2, 7], [2, 1, 13, 4]]  # of dlordinal
    mean = ob.rps.mean(np.eye(4)[[0, 0, 3, 2]], twentieths, normalise=True)
    assert mean * 3 == printed("0.506875")


FUNCTIONS = """
sklearn.metrics cohen cohen_kappa_score accuracy accuracy_score mae_micro mean_absolute_error
imblearn.metrics mae_macro macro_averaged_mean_absolute_error; properscoring crps crps_ensemble
dlordinal.metrics mae_macro amae mae_max mmae accuracy_1 accuracy_off1
skordinal.metrics kappa weighted_kappa mae_macro average_mean_absolute_error
skordinal.metrics mae_max maximum_mean_absolute_error accuracy_1 accuracy_off1_score
scipy.stats wasserstein wasserstein_distance energy energy_distance
"""


@pytest.mark.slow
@pytest.mark.parametrize(("library", "measure", "function"), [*read(FUNCTIONS, 1)])
def test_they_say_so_themselves(library, measure, function):
    """All but imbalanced-learn, which fails if only the run has a class (its issue 1094)."""
    theirs = getattr(pytest.importorskip(library), function)
    for gold, run, name, value in LABELS + LINES:
        if name == measure and not ("imblearn" in library and {*run} - {*gold}):
            assert theirs(gold[0] if name == "crps" else gold, run) == printed(value)
