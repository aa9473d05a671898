"""The measures inside joblib, scikit-learn, QuaPy, polars and PyTorch."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def libraries():
    """Import what takes seconds, which those who leave slow tests out need not wait for."""
    global joblib, quapy, LabelledCollection, CC, GridSearchQ, UPP
    global clone, LogisticRegression, make_scorer, GridSearchCV, StratifiedKFold
    import joblib
    import quapy
    from quapy.data import LabelledCollection
    from quapy.method.aggregative import CC
    from quapy.model_selection import GridSearchQ
    from quapy.protocol import UPP
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import GridSearchCV, StratifiedKFold


def test_clones_and_worker_processes():
    scorer = make_scorer(om.kappa, weights=om.equidistance)
    search = clone(GridSearchCV(LogisticRegression(), {"C": [1.0]}, scoring=scorer))
    assert search.scoring._score_func is om.kappa
    own = om.custom_measure("total", lambda g, e: abs(g - e).sum(axis=-1), better="low")
    pair = [[1, 0]], [[0.5, 0.5]]
    calls = [(om.kappa, ([1, 2], [1, 2])), (own, pair), (own.mean, pair), (om.rnod.mean, pair)]
    together = joblib.Parallel(n_jobs=2)(joblib.delayed(f)(*given) for f, given in calls)
    assert together == [f(*given) for f, given in calls]  # of a row or two numbers each


def test_grid_search_scores_are_the_measures_on_the_folds():
    """All measures in one search, in two worker processes, on pandas input."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(90, 2)), columns=["useful", "noise"])
    y = pd.Series(np.digitize(frame["useful"] + 0.3 * rng.normal(size=90), [-0.5, 0.5]) - 1)
    labels, folds = [-1, 0, 1], StratifiedKFold(3)
    scorers = {
        name: make_scorer(measure, greater_is_better=measure.better == "high", labels=labels)
        for name, measure in CLASSIFICATION.items()
    }
    grid = {"C": [1e-4, 1.0]}
    search = GridSearchCV(
        LogisticRegression(), grid, scoring=scorers, refit="CEM_ORD", cv=folds, n_jobs=2,
        error_score="raise",
    ).fit(frame, y)  # fmt: skip
    assert search.best_params_ == {"C": 1.0}
    for row, c in enumerate(grid["C"]):
        answers = [
            (y.iloc[test], LogisticRegression(C=c).fit(frame.iloc[train], y.iloc[train])
             .predict(frame.iloc[test]))
            for train, test in folds.split(frame, y)
        ]  # fmt: skip
        for name, measure in CLASSIFICATION.items():
            sign = 1 if measure.better == "high" else -1
            by_hand = np.mean([sign * measure(*answer, labels=labels) for answer in answers])
            # the same floats in another process: only the mean of three may round differently
            mean = search.cv_results_[f"mean_test_{name}"][row]
            assert mean == pytest.approx(by_hand, abs=1e-12)
            assert search.cv_results_[f"rank_test_{name}"].tolist() == [2, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_quapy_evaluates_reports_and_searches(jobs):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 2))
    y = np.digitize(x[:, 0] + 0.3 * rng.normal(size=400), [-0.8, 0, 0.8])
    test = LabelledCollection(x[200:], y[200:], classes=range(4))
    protocol = UPP(test, sample_size=40, repeats=15, random_state=0)
    model = CC(LogisticRegression()).fit(x[:200], y[:200])
    evaluation, measures = quapy.evaluation, QUANTIFICATION.values()
    gold, estimate = evaluation.prediction(model, protocol)
    means = [measure.mean for measure in measures]
    report = evaluation.evaluation_report(model, protocol, error_metrics=["mae", om.rnod, *means])
    names = [f"mean_{name.lower()}" for name in QUANTIFICATION]
    assert list(report.columns) == ["true-prev", "estim-prev", "mae", "rnod", *names]
    for measure, name in zip(measures, names, strict=True):
        scores = measure(gold, estimate)
        mean = evaluation.evaluate(model, protocol, error_metric=measure.mean)
        assert mean == measure.mean(gold, estimate)
        assert type(mean) is float
        single = evaluation.evaluate(model, protocol, error_metric=measure)
        np.testing.assert_array_equal(single, scores)
        # QuaPy calls the measure once per sample; summation order may differ
        np.testing.assert_allclose(report[name], scores, rtol=0, atol=1e-12)
    search = GridSearchQ(
        CC(LogisticRegression()), {"classifier__C": [1e-4, 1.0]}, protocol, error=om.rnod.mean,
        refit=False, n_jobs=jobs, raise_errors=True,
    ).fit(x[:200], y[:200])  # fmt: skip
    assert search.best_params_ == {"classifier__C": 1.0}
    score = search.param_scores_[str(search.best_params_)]
    assert score == pytest.approx(om.rnod.mean(gold, estimate), abs=1e-12)


@pytest.mark.parametrize("library", ["polars", "torch"])
def test_what_the_page_shows_of_libraries_that_do_not_come_with_the_book(root, library):
    """Each line of its static code that ends in a comment gives what the comment says."""
    pytest.importorskip(library)
    page = json.loads((root / "book" / "software.ipynb").read_text(encoding="utf-8"))
    (text,) = ("".join(c["source"]) for c in page["cells"] if c["id"] == f"tools-{library}")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    names = {"ob": ob}
    lines = [line.split("  # ") for line in code.splitlines() if line]
    shown = [line for line in lines if len(line) == 2]
    for statement, *value in lines:
        if value:
            assert eval(statement, names) == eval(value[0])
        else:
            exec(statement, names)
    assert len(shown) >= 2
