"""Systems for ordinal classification: training half, test respondents -> a rating each."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import learners
import numpy as np
from numpy.typing import NDArray
from respondents import CLASSES, Respondents, shares
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

Ratings = NDArray[np.int64]
System = Callable[[Respondents, Respondents], Ratings]
_LABELS = np.array(CLASSES)


def _constant(train: Respondents, test: Respondents, *, of: Callable[[Ratings], Any]) -> Ratings:
    return np.full(len(test.ids), int(of(train.ratings)))


def _mode(ratings: Ratings) -> int:
    return int(_LABELS[shares(ratings).argmax()])


def _prior(train: Respondents, test: Respondents) -> Ratings:
    return np.random.default_rng(0).choice(_LABELS, size=len(test.ids), p=shares(train.ratings))


def _group(train: Respondents, test: Respondents) -> Ratings:
    """Most frequent rating of the training respondents of the same topic; else of all."""
    modes = {topic: _mode(train.ratings[train.topics == topic]) for topic in set(train.topics)}
    return np.array([modes.get(topic, _mode(train.ratings)) for topic in test.topics])


def _fitted(train: Respondents, test: Respondents, *, model: Callable[[], Any]) -> Ratings:
    return np.asarray(model().fit(train.answers, train.ratings).predict(test.answers))


def _ridge(train: Respondents, test: Respondents) -> Ratings:
    model = make_pipeline(learners.numbers(), RidgeCV(np.logspace(-2, 4, 13)))
    found = np.rint(_fitted(train, test, model=lambda: model))
    return np.clip(found, _LABELS[0], _LABELS[-1]).astype(np.int64)


def _ordered(train: Respondents, test: Respondents) -> Ratings:
    return _LABELS[learners.ordered(train, test).argmax(axis=1)]


def _ordered_median(train: Respondents, test: Respondents) -> Ratings:
    """Middle of the distribution: the lowest class up to which half of the probability lies."""
    return _LABELS[(learners.ordered(train, test).cumsum(axis=1) >= 0.5).argmax(axis=1)]


def _thresholds(train: Respondents, test: Respondents) -> Ratings:
    """Take the most probable class of one logit per question "above this class?" (Frank, Hall)."""
    above = np.ones((len(CLASSES) + 1, len(test.ids)))
    above[-1] = 0
    for index, label in enumerate(CLASSES[:-1], 1):
        model = make_pipeline(learners.numbers(), LogisticRegression(max_iter=1000))
        model.fit(train.answers, train.ratings > label)
        above[index] = model.predict_proba(test.answers)[:, 1]
    return _LABELS[(above[:-1] - above[1:]).argmax(axis=0)]


def _on_numbers(learner: Any) -> Callable[[], Any]:
    return lambda: make_pipeline(learners.numbers(), learner)


SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        "ordered": _ordered,
        "ordered-median": _ordered_median,
        "thresholds": _thresholds,
        "multinomial": partial(_fitted, model=learners.multinomial),
        "balanced": partial(_fitted, model=partial(learners.multinomial, class_weight="balanced")),
        "ridge": _ridge,
        "boosting": partial(
            _fitted,
            model=_on_numbers(
                HistGradientBoostingClassifier(
                    learning_rate=0.05, max_iter=60, max_leaf_nodes=8, random_state=0
                )
            ),
        ),
        "forest": partial(
            _fitted,
            model=_on_numbers(RandomForestClassifier(200, min_samples_leaf=5, random_state=0)),
        ),
        "tree": partial(
            _fitted, model=_on_numbers(DecisionTreeClassifier(max_depth=5, random_state=0))
        ),
        "neighbours": partial(_fitted, model=_on_numbers(KNeighborsClassifier(25))),
        "nearest": partial(_fitted, model=_on_numbers(KNeighborsClassifier(1))),
        "bayes": partial(_fitted, model=learners.bayes),
        "group": _group,
        "majority": partial(_constant, of=_mode),
        "median": partial(_constant, of=np.median),
        "prior": _prior,
    }
)
