"""Weights of items, scorers, alpha of several people and intervals, against other libraries."""

import itertools

import krippendorff
import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

import ordbook as ob
from ordbook.measures import CLASSIFICATION

WEIGHTED = [name for name, measure in CLASSIFICATION.items() if measure.weighted]


def labels_and_weights(seed):
    rng = np.random.default_rng(seed)
    classes, items = rng.integers(2, 6), rng.integers(5, 60)
    return *rng.integers(0, classes, (2, items)), rng.random(items), list(range(classes))


# -- weights of items ---------------------------------------------------------------------------


def test_weights_are_those_of_scikit_learn():
    for seed in range(30):
        gold, run, weight, classes = labels_and_weights(seed)
        about = {"sample_weight": weight}
        present = np.unique(gold)
        by_class = [
            np.average(abs(gold - run)[gold == k], weights=weight[gold == k]) for k in present
        ]
        theirs = {
            ob.accuracy: metrics.accuracy_score(gold, run, **about),
            ob.mae_micro: metrics.mean_absolute_error(gold, run, **about),
            ob.mae_macro: np.mean(by_class),
            ob.kappa: metrics.cohen_kappa_score(
                gold, run, labels=classes, weights="linear", **about
            ),
            ob.qwk: metrics.cohen_kappa_score(
                gold, run, labels=classes, weights="quadratic", **about
            ),
            ob.f1_macro: metrics.f1_score(
                gold, run, labels=present, average="macro", zero_division=0, **about
            ),
        }
        for measure, expected in theirs.items():
            assert measure(gold, run, labels=classes, **about) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", WEIGHTED)
def test_whole_weights_repeat_items_and_the_scale_of_weights_is_nothing(name):
    measure = CLASSIFICATION[name]
    for seed in range(10):
        gold, run, _, classes = labels_and_weights(seed)
        times = np.random.default_rng(seed).integers(0, 4, len(gold))
        times[0] = 1
        score = measure(gold, run, labels=classes, sample_weight=times)
        again = measure(np.repeat(gold, times), np.repeat(run, times), labels=classes)
        tenth = measure(gold, run, labels=classes, sample_weight=times / 10)
        assert (score, tenth) == pytest.approx((again, again), abs=1e-12)


# -- scorers ------------------------------------------------------------------------------------


def drawn(size=300):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(size, 2))
    return X, np.clip(np.round(X[:, 0] + rng.normal(scale=0.5, size=size)) + 3, 1, 5).astype(int)


@pytest.mark.parametrize("name", ["MAE_M", "kappa", "RPS", "NMD"])
def test_a_scorer_prefers_the_better_model(name):
    X, y = drawn()
    scorer = ob.scorer(name)
    useful, blind = LogisticRegression().fit(X, y), DummyClassifier().fit(X, y)
    assert scorer(useful, X, y) > scorer(blind, X, y)
    search = GridSearchCV(LogisticRegression(), {"C": [1e-6, 1.0]}, scoring=scorer, cv=3).fit(X, y)
    assert search.best_params_ == {"C": 1.0}
    assert np.isfinite(cross_val_score(LogisticRegression(), X, y, scoring=scorer, cv=3)).all()


def test_a_scorer_of_probabilities_knows_the_classes_in_between():
    X, y = drawn()
    y[y == 4] = 5  # a class without an item still lies between its neighbours
    model = LogisticRegression().fit(X, y)
    gold, estimate = np.eye(5)[y - 1], np.zeros((len(y), 5))
    estimate[:, model.classes_ - 1] = model.predict_proba(X)
    weight = np.arange(1, len(y) + 1)
    by_item = ob.rps(gold, estimate)
    assert ob.scorer("RPS")(model, X, y) == pytest.approx(-by_item.mean())
    expected = -np.average(by_item, weights=weight)
    assert ob.scorer(ob.rps)(model, X, y, sample_weight=weight) == pytest.approx(expected)


def test_a_scorer_takes_words_in_their_order():
    X, y = drawn()
    order = ["very low", "low", "mid", "high", "very high"]
    words = np.array(order, dtype=object)[y - 1]
    model = LogisticRegression().fit(X, words)
    numbers = np.array([order.index(word) for word in model.predict(X)])
    expected = -ob.mae_macro(y - 1, numbers, labels=range(5))
    assert ob.scorer("MAE_M", labels=order)(model, X, words) == pytest.approx(expected)
    with pytest.raises(ValueError, match="give labels="):
        ob.scorer("MAE_M")(model, X, words)


# -- alpha --------------------------------------------------------------------------------------


def test_alpha_is_that_of_the_package_krippendorff():
    for seed, level in itertools.product(range(20), ["nominal", "ordinal", "interval"]):
        rng = np.random.default_rng(seed)
        table = rng.choice([1, 2, 3.5, 5], (rng.integers(4, 30), rng.integers(2, 7)))
        table[rng.random(table.shape) < 0.3] = np.nan
        table[0, :2] = 1, 2
        expected = krippendorff.alpha(reliability_data=table.T, level_of_measurement=level)
        assert ob.alpha(table, level=level) == pytest.approx(expected, abs=1e-12)
        assert ob.alpha(pd.DataFrame(table), level=level) == ob.alpha(table, level=level)


def test_alpha_of_two_people_is_the_measure():
    gold, run, _, classes = labels_and_weights(3)
    for level, measure in (("ordinal", ob.alpha_ord), ("interval", ob.alpha_int)):
        pair = np.column_stack([gold, run])
        expected = measure(gold, run, labels=classes)
        assert ob.alpha(pair, level=level) == pytest.approx(expected, abs=1e-12)


PAIR, ROWS = ([1, 2], [1, 2]), np.full((2, 2), 0.5)
REFUSED = {
    r"\(1,\): pass one weight for each of 2 items": lambda: ob.kappa(*PAIR, sample_weight=[1]),
    r"sample_weight\[1\] is -1: weights are f": lambda: ob.kappa(*PAIR, sample_weight=[1, -1]),
    "0 for every item": lambda: ob.kappa(*PAIR, sample_weight=[0, 0]),
    "not numeric": lambda: ob.kappa(*PAIR, sample_weight=["a", "b"]),
    "cem_ord has no sample_w": lambda: ob.cem_ord(*PAIR, sample_weight=[1, 1]),
    "'a', which is no number: give labels=": lambda: ob.alpha([["a", "b"]]),
    r"ratings\[0, 1\] is 4, which is not in": lambda: ob.alpha([[1, 4]], labels=[1, 2]),
    "a row for each item": lambda: ob.alpha([1, 2]),
    "not one of nominal, ordinal, interval": lambda: ob.alpha([[1, 2]], level="ratio"),
    r"at least two items, shape \(n, C\)": lambda: ob.interval(ROWS[0], ROWS[0], "RPS"),
    "did you mean NMD": lambda: ob.interval(ROWS, ROWS, "NDM"),
    "level is 95": lambda: ob.interval(ROWS, ROWS, "NMD", level=95),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_used_is_refused(message):
    with pytest.raises(ValueError, match=message):
        REFUSED[message]()


# -- intervals ----------------------------------------------------------------------------------


def test_an_interval_has_the_width_of_the_normal_one_where_that_is_known():
    right = np.arange(400) % 5 > 0  # accuracy .8
    found = ob.interval(np.ones(400, int), np.where(right, 1, 2), "accuracy", samples=4000)
    half = 1.96 * np.sqrt(0.8 * 0.2 / 400)
    assert found.value == 0.8
    # 4,000 draws know a quantile to some 3% of the width, and steps are 1/400.
    assert (found.low, found.high) == pytest.approx((0.8 - half, 0.8 + half), abs=0.005)


def test_intervals_cover():
    """Kappa of 100 items: 90% intervals hold the truth in about 90% of 300 draws."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 100_000)
    run = np.clip(gold + rng.choice([-1, 0, 0, 1], gold.size), 0, 3)
    truth = ob.kappa(gold, run)
    held = 0
    for places in rng.integers(gold.size, size=(300, 100)):
        found = ob.interval(
            gold[places], run[places], ob.kappa, labels=range(4), level=0.9, samples=300
        )
        held += found.low <= truth <= found.high
    assert 0.84 < held / 300 < 0.95  # three standard errors of .017 around .89


def test_the_interval_of_a_difference_draws_the_same_items_for_both():
    gold, run, _, _ = labels_and_weights(5)
    other = np.where(np.arange(len(gold)) % 2, run, gold)
    apart = ob.interval(gold, other, "MAE_M", other=run)
    assert apart.value == pytest.approx(ob.mae_macro(gold, other) - ob.mae_macro(gold, run))
    assert ob.interval(gold, run, "MAE_M", other=run) == ob.Interval(0, 0, 0)
    assert ob.interval(gold, run, "kappa") == ob.interval(gold, run, "kappa")
    assert ob.interval(gold, run, "kappa") != ob.interval(gold, run, "kappa", seed=1)


def test_intervals_of_distributions():
    rng = np.random.default_rng(2)
    gold, run, other = rng.dirichlet(np.ones(4), (3, 80))
    found = ob.interval(gold, run, "RPS", other=other)
    assert found.value == pytest.approx(ob.rps.mean(gold, run) - ob.rps.mean(gold, other))
    assert found.low < found.value < found.high
