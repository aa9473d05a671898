"""Systems for ordinal quantification: training half, test respondents -> a distribution a topic."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import learners
import numpy as np
from numpy.typing import NDArray
from quapy.method.aggregative import ACC, CC, EMQ, PACC, PCC
from respondents import CLASSES, Respondents, shares
from scipy.stats import norm
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline

Shares = dict[str, NDArray[np.float64]]
System = Callable[[Respondents, Respondents], Shares]
# Test ratings are never read here: a topic is its respondents' answers.
_OF_PRIOR = 20  # respondents that the prior counts for in ``group``


def _by_topic(test: Respondents, answer: Callable[[NDArray[np.bool_]], Any]) -> Shares:
    return {
        str(topic): np.asarray(answer(test.topics == topic), dtype=np.float64)
        for topic in dict.fromkeys(test.topics)
    }


def _quapy(
    train: Respondents, test: Respondents, *, method: Any, model: Callable[[], Any]
) -> Shares:
    quantifier = method(model())
    quantifier.fit(train.answers, train.ratings)
    return _by_topic(test, lambda topic: quantifier.predict(test.answers[topic]))


def _ordered(train: Respondents, test: Respondents) -> Shares:
    probabilities = learners.ordered(train, test)
    return _by_topic(test, lambda topic: probabilities[topic].mean(axis=0))


def _group(train: Respondents, test: Respondents) -> Shares:
    """Shares among the training respondents of the same topic, drawn towards those of all."""
    prior = shares(train.ratings)

    def answer(topic: NDArray[np.bool_]) -> NDArray[np.float64]:
        same = train.ratings[train.topics == test.topics[topic][0]]
        counts = np.bincount(same, minlength=len(CLASSES) + 1)[1:]
        return (counts + _OF_PRIOR * prior) / (len(same) + _OF_PRIOR)

    return _by_topic(test, answer)


def _ridge(train: Respondents, test: Respondents) -> tuple[NDArray[np.float64], float]:
    """Return the predicted mean rating of each respondent, and how far ratings lie from theirs."""
    model = make_pipeline(learners.numbers(), RidgeCV(np.logspace(-2, 4, 13)))
    model.fit(train.answers, train.ratings)
    off = train.ratings - model.predict(train.answers)
    return model.predict(test.answers), float(off.std())


def _mean(train: Respondents, test: Respondents) -> Shares:
    """All on the two classes around the topic's predicted mean rating."""
    predicted, _ = _ridge(train, test)

    def answer(topic: NDArray[np.bool_]) -> NDArray[np.float64]:
        distance = np.abs(np.array(CLASSES) - np.clip(predicted[topic].mean(), 1, 5))
        return np.clip(1 - distance, 0, None)

    return _by_topic(test, answer)


def _normal(train: Respondents, test: Respondents) -> Shares:
    """Cut normal distributions around the predicted ratings halfway between classes."""
    predicted, spread = _ridge(train, test)
    cuts = np.array([-np.inf, *(np.array(CLASSES[:-1]) + 0.5), np.inf])
    below = norm.cdf(cuts, predicted[:, None], spread)
    return _by_topic(test, lambda topic: np.diff(below[topic], axis=1).mean(axis=0))


def _prior(train: Respondents, test: Respondents) -> Shares:
    return _by_topic(test, lambda _: shares(train.ratings))


def _uniform(_: Respondents, test: Respondents) -> Shares:
    return _by_topic(test, lambda _: np.full(len(CLASSES), 1 / len(CLASSES)))


_METHODS = {"CC": CC, "ACC": ACC, "PCC": PCC, "PACC": PACC, "EM": EMQ}
_MODELS = {"logit": learners.multinomial, "bayes": learners.bayes}

SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        f"{name}-{base}": partial(_quapy, method=method, model=model)
        for base, model in _MODELS.items()
        for name, method in _METHODS.items()
    }
    | {
        "PCC-ordered": _ordered,
        "group": _group,
        "normal": _normal,
        "mean": _mean,
        "prior": _prior,
        "uniform": _uniform,
    }
)
