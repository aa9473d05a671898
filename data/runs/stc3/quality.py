"""Systems for dialogue quality: what is known of a dialogue -> shares of the votes for -2 to 2.

Each takes the training dialogues, their shares (dialogues, 5) and the dialogues to answer for. What
stands in ``SETTINGS`` is chosen by cross-validation on the training dialogues.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from dialogues import Corpus
from learners import boosted, clipped, forest, logistic, table
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

Array = NDArray[np.float64]
System = Callable[..., Array]


def prior(train: Corpus, y: Array, test: Corpus) -> Array:
    """Mean of all training dialogues."""
    return np.tile(y.mean(axis=0), (len(test), 1))


def mode(train: Corpus, y: Array, test: Corpus) -> Array:
    """Everything on the class with the most votes among dialogues of as many turns."""
    return np.eye(y.shape[1])[turns(train, y, test).argmax(axis=1)]


def last(train: Corpus, y: Array, test: Corpus) -> Array:
    """Mean by who has the last word."""
    return table([c.turns % 2 for c in (train, test)], y)


def turns(train: Corpus, y: Array, test: Corpus) -> Array:
    """Mean by number of turns."""
    return table([train.turns, test.turns], y)


def median(train: Corpus, y: Array, test: Corpus) -> Array:
    """Median of the cumulative shares by number of turns: no constant has a lower mean NMD."""
    cumulative = table([train.turns, test.turns], y.cumsum(axis=1), np.median)
    return clipped(np.diff(cumulative, axis=1, prepend=0))


def nearest(train: Corpus, y: Array, test: Corpus) -> Array:
    """Votes of one dialogue: of as many turns, and as near in time as there is."""
    return neighbours(train, y, test, k=1)


def neighbours(train: Corpus, y: Array, test: Corpus, *, k: int) -> Array:
    """Mean of the k nearest dialogues, a turn more being as far as ten years."""
    near = [np.column_stack([10 * c.turns, c.time]) for c in (train, test)]
    return KNeighborsRegressor(k, algorithm="brute").fit(near[0], y).predict(near[1])


def ridge(train: Corpus, y: Array, test: Corpus, *, alpha: float) -> Array:
    """Ridge regression of the shares on turns, last word, time and the clock."""
    x = _standardised(train, test)
    return clipped(Ridge(alpha).fit(x[0], y).predict(x[1]))


def ordered(train: Corpus, y: Array, test: Corpus, *, alpha: float) -> Array:
    """Proportional odds: one latent quality, four thresholds, the votes as counts."""
    x, new = _standardised(train, test)
    features, classes = x.shape[1], y.shape[1]

    def shares(parameters: Array, x: Array) -> Array:
        steps = np.exp(parameters[1 : classes - 1])
        thresholds = parameters[0] + np.concatenate([[0], steps.cumsum()])
        below = expit(thresholds - (x @ parameters[classes - 1 :])[:, None])
        return np.diff(below, axis=1, prepend=0, append=1)

    def loss(parameters: Array) -> float:
        likelihood = (y * np.log(shares(parameters, x) + 1e-12)).sum(axis=1).mean()
        return float(alpha * (parameters[classes - 1 :] ** 2).sum() - likelihood)

    start = np.concatenate([[-1.5], np.zeros(classes - 2), np.zeros(features)])
    return shares(minimize(loss, start, method="L-BFGS-B").x, new)


def logit(train: Corpus, y: Array, test: Corpus, *, C: float) -> Array:
    """Multinomial logit with an indicator for each number of turns, time and the clock."""
    x, new = _standardised(train, test)
    lengths = np.unique(train.turns)
    x, new = (
        np.column_stack([f, c.turns[:, None] == lengths])
        for f, c in ((x, train), (new, test))
    )  # fmt: skip
    return logistic(x, y, new, C)


def trees(train: Corpus, y: Array, test: Corpus, *, leaf: int) -> Array:
    """Extremely randomised trees on turns, time, hour and weekday."""
    return forest(_raw(train), y, _raw(test), leaf)


def boosting(train: Corpus, y: Array, test: Corpus, *, rounds: int) -> Array:
    """Gradient boosting, every vote an example."""
    return boosted(_raw(train), y, _raw(test), rounds)


SYSTEMS: Mapping[str, System] = {
    "mode": mode,
    "nearest": nearest,
    "prior": prior,
    "last": last,
    "turns": turns,
    "median": median,
    "neighbours": neighbours,
    "ridge": ridge,
    "ordered": ordered,
    "logit": logit,
    "trees": trees,
    "boosting": boosting,
}
SETTINGS: Mapping[str, list[dict[str, Any]]] = {
    "neighbours": [{"k": k} for k in (10, 30, 100, 300)],
    "ridge": [{"alpha": a} for a in (1, 100, 1000)],
    "ordered": [{"alpha": a} for a in (0.0001, 0.01)],
    "logit": [{"C": c} for c in (0.001, 0.01, 0.1)],
    "trees": [{"leaf": n} for n in (10, 30, 100)],
    "boosting": [{"rounds": n} for n in (20, 40, 80)],
}


def _raw(corpus: Corpus) -> Array:
    return np.column_stack([corpus.turns, corpus.time, corpus.hour, corpus.weekday])


def _standardised(train: Corpus, test: Corpus) -> tuple[Array, Array]:
    x, new = (
        np.column_stack(
            [
                corpus.turns,
                corpus.turns % 2,
                corpus.time,
                corpus.time**2,
                np.sin(corpus.hour * np.pi / 12),
                np.cos(corpus.hour * np.pi / 12),
                corpus.weekday >= 5,
            ]
        )
        # A square of years near 2015 would only repeat the years.
        for corpus in (train, test)
    )
    x[:, 3], new[:, 3] = ((c.time - train.time.mean()) ** 2 for c in (train, test))
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    return (x - mean) / deviation, (new - mean) / deviation
