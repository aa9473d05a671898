"""The measures inside scikit-learn and pickle; the registry; imports; the doctests."""

import copy
import doctest
import importlib
import importlib.resources
import inspect
import pickle
import pkgutil
import subprocess
import sys

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure

MEASURES = {**QUANTIFICATION, **CLASSIFICATION}
MODULES = [
    "ordbook.measures",
    *(f"ordbook.measures.{info.name}" for info in pkgutil.iter_modules(om.__path__)),
]


@pytest.mark.parametrize("module", MODULES)
def test_doctests(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


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


# -- registry ----------------------------------------------------------------------------------


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
    assert m.source
    assert m.papers
    assert m.range


@pytest.mark.parametrize("name", MEASURES)
def test_docstrings_say_what_where_and_from_where(name):
    text = inspect.getdoc(MEASURES[name].function)
    for word in ("Returns", "is better", "Source:", ">>>"):
        assert word in text
    assert text.splitlines()[0].endswith(".")


# -- pickle and scikit-learn -------------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
def test_pickle_and_copy(name, tmp_path):
    measure = MEASURES[name]
    joblib.dump(measure.function, tmp_path / "f")
    assert joblib.load(tmp_path / "f") is measure.function
    for f in filter(None, (measure.function, measure.mean)):
        assert pickle.loads(pickle.dumps(f)) is f
        assert copy.deepcopy(f) is f
    assert pickle.loads(pickle.dumps(measure)).function is measure.function


def toy_task():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(90, 2))
    return x, np.digitize(x[:, 0] + 0.3 * rng.normal(size=90), [-0.5, 0.5]) - 1


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_make_scorer_and_cross_validation(name):
    measure = CLASSIFICATION[name]
    x, y = toy_task()
    scorer = make_scorer(
        measure.function, greater_is_better=measure.better == "high", labels=[-1, 0, 1]
    )
    good = cross_val_score(LogisticRegression(), x, y, scoring=scorer, cv=3)
    bad = cross_val_score(LogisticRegression(), x[:, 1:], y, scoring=scorer, cv=3)
    assert good.mean() > bad.mean()
    assert measure.function.__name__ in repr(scorer)
    assert str(inspect.signature(measure.function)).startswith("(y_true")


def test_grid_search_clone_and_worker_processes():
    x, y = toy_task()
    scorer = make_scorer(om.kappa, weights=om.equidistance)
    search = GridSearchCV(LogisticRegression(), {"C": [1e-4, 1.0]}, scoring=scorer, cv=3)
    assert clone(search).scoring._score_func is om.kappa
    assert clone(search).fit(x, y).best_params_ == {"C": 1.0}
    together = joblib.Parallel(n_jobs=2)(joblib.delayed(om.kappa)(y, y) for _ in range(2))
    assert together == [1.0, 1.0]


def test_help_is_about_the_measure():
    assert om.kappa.__doc__.startswith("Weighted kappa")
    assert "weights" in inspect.signature(om.kappa).parameters
    assert repr(om.accuracy) == "<measure ordbook.measures.classification.accuracy>"
