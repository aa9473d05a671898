"""The measures inside pickle, joblib, scikit-learn and QuaPy."""

import numpy as np
import pandas as pd
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def libraries():
    """Import what takes seconds, which those who leave slow tests out need not wait for."""
    global joblib, quapy, LabelledCollection, CC, GridSearchQ, UPP
    global clone, LogisticRegression, make_scorer, GridSearchCV, StratifiedKFold, cross_val_score
    import joblib
    import quapy
    from quapy.data import LabelledCollection
    from quapy.method.aggregative import CC
    from quapy.model_selection import GridSearchQ
    from quapy.protocol import UPP
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score


# -- pickle and scikit-learn -------------------------------------------------------------------


def toy_task():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(90, 2))
    return x, np.digitize(x[:, 0] + 0.3 * rng.normal(size=90), [-0.5, 0.5]) - 1


def test_grid_search_clone_and_worker_processes():
    x, y = toy_task()
    scorer = make_scorer(om.kappa, weights=om.equidistance)
    search = GridSearchCV(LogisticRegression(), {"C": [1e-4, 1.0]}, scoring=scorer, cv=3)
    assert clone(search).scoring._score_func is om.kappa
    assert clone(search).fit(x, y).best_params_ == {"C": 1.0}
    together = joblib.Parallel(n_jobs=2)(joblib.delayed(om.kappa)(y, y) for _ in range(2))
    assert together == [1.0, 1.0]


def test_a_measure_of_ones_own_reaches_worker_processes():
    def total(gold, estimate):
        return np.abs(gold - estimate).sum(axis=-1)

    measure = om.custom_measure("total", total, better="low")
    calls = [joblib.delayed(f)([[1, 0]], [[0.5, 0.5]]) for f in (measure, measure.mean)]
    scores, mean = joblib.Parallel(n_jobs=2)(calls)
    assert (scores.tolist(), mean) == ([1.0], 1.0)


@pytest.fixture(scope="module")
def searched():
    """All nine measures in one grid search, in two worker processes, on pandas input."""
    x, y = toy_task()
    frame, series = pd.DataFrame(x, columns=["useful", "noise"]), pd.Series(y, name="class")
    scorers = {
        name: make_scorer(measure, greater_is_better=measure.better == "high", labels=[-1, 0, 1])
        for name, measure in CLASSIFICATION.items()
    }
    search = GridSearchCV(
        LogisticRegression(),
        {"C": [1e-4, 1.0]},
        scoring=scorers,
        refit="CEM_ORD",
        cv=StratifiedKFold(3),
        n_jobs=2,
        error_score="raise",
    )
    return search.fit(frame, series), frame, series


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_grid_search_scores_are_the_measures_on_the_folds(name, searched):
    search, x, y = searched
    measure = CLASSIFICATION[name]
    sign = 1 if measure.better == "high" else -1
    for row, c in enumerate((1e-4, 1.0)):
        by_hand = []
        for train, test in StratifiedKFold(3).split(x, y):
            model = LogisticRegression(C=c).fit(x.iloc[train], y.iloc[train])
            predicted = model.predict(x.iloc[test])
            by_hand.append(sign * measure(y.iloc[test], predicted, labels=[-1, 0, 1]))
        # the same floats in another process: only the mean of three may round differently
        assert search.cv_results_[f"mean_test_{name}"][row] == pytest.approx(
            np.mean(by_hand), abs=1e-12
        )
    assert search.cv_results_[f"rank_test_{name}"].tolist() == [2, 1]


def test_grid_search_selects_by_the_measure_named_in_refit(searched):
    search, x, y = searched
    assert search.best_params_ == {"C": 1.0}
    scores = search.cv_results_
    assert (scores["mean_test_MAE_M"] < 0).all()  # scikit-learn maximises: errors are negated
    assert search.score(x, y) == om.cem_ord(y, search.predict(x), labels=[-1, 0, 1])


def test_a_scorer_with_the_classes_under_another_name_says_the_right_one():
    x, y = toy_task()
    scorer = make_scorer(om.kappa, classes=[-1, 0, 1])
    with pytest.warns(UserWarning, match=r"pass the classes .* as labels=\[\.\.\.\]"):
        assert np.isnan(cross_val_score(LogisticRegression(), x, y, scoring=scorer, cv=2)).all()


# -- QuaPy -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def quantification():
    """A trained quantifier (classify and count) and samples of known prevalence."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 2))
    y = np.digitize(x[:, 0] + 0.3 * rng.normal(size=400), [-0.8, 0, 0.8])
    test = LabelledCollection(x[200:], y[200:], classes=range(4))
    protocol = UPP(test, sample_size=40, repeats=15, random_state=0)
    return CC(LogisticRegression()).fit(x[:200], y[:200]), protocol, x[:200], y[:200]


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_quapy_evaluate(name, quantification):
    model, protocol, *_ = quantification
    measure = QUANTIFICATION[name]
    gold, estimate = quapy.evaluation.prediction(model, protocol)
    assert gold.shape == estimate.shape == (15, 4)
    mean = quapy.evaluation.evaluate(model, protocol, error_metric=measure.mean)
    assert mean == measure.mean(gold, estimate)
    assert type(mean) is float
    single = quapy.evaluation.evaluate(model, protocol, error_metric=measure)
    np.testing.assert_array_equal(single, measure(gold, estimate))


def test_quapy_evaluation_report_names_its_columns_by_the_functions(quantification):
    model, protocol, *_ = quantification
    means = [measure.mean for measure in QUANTIFICATION.values()]
    report = quapy.evaluation.evaluation_report(
        model, protocol, error_metrics=["mae", om.rnod, *means]
    )
    assert list(report.columns) == [
        "true-prev",
        "estim-prev",
        "mae",
        "rnod",
        *(f"mean_{name.lower()}" for name in QUANTIFICATION),
    ]
    gold, estimate = np.stack(report["true-prev"]), np.stack(report["estim-prev"])
    for name, measure in QUANTIFICATION.items():
        # QuaPy calls the measure once per sample; summation order may differ
        np.testing.assert_allclose(
            report[f"mean_{name.lower()}"], measure(gold, estimate), rtol=0, atol=1e-12
        )
    np.testing.assert_array_equal(report["rnod"], report["mean_rnod"])


@pytest.mark.parametrize("jobs", [1, 2])
def test_quapy_grid_search(jobs, quantification):
    _, protocol, x, y = quantification
    search = GridSearchQ(
        CC(LogisticRegression()),
        {"classifier__C": [1e-4, 1.0]},
        protocol,
        error=om.rnod.mean,
        refit=False,
        n_jobs=jobs,
        raise_errors=True,
    ).fit(x, y)
    assert search.best_params_ == {"classifier__C": 1.0}
    for c in (1e-4, 1.0):
        model = CC(LogisticRegression(C=c)).fit(x, y)
        assert search.param_scores_[str({"classifier__C": c})] == pytest.approx(
            om.rnod.mean(*quapy.evaluation.prediction(model, protocol)), abs=1e-12
        )
