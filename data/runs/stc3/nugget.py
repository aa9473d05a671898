"""Systems for nugget detection: what is known of a dialogue -> a distribution for each turn.

Each takes the training dialogues and those to answer for, and returns for either side an array
(turns, types) in the order of ``Corpus.side``. What stands in ``SETTINGS`` is chosen by
cross-validation on the training dialogues.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from dialogues import Corpus
from learners import boosted, forest, logistic, table
from numpy.typing import NDArray

from ordbook.data.nuggets import NUGGETS

Array = NDArray[np.float64]
Answers = dict[str, Array]
System = Callable[..., Answers]
TYPES = [label for labels in NUGGETS.values() for label in labels]


def sender(train: Corpus, test: Corpus) -> Answers:
    """Mean of all turns by this side."""
    return _by_key(train, test, lambda position, turns: 0 * position)


def first(train: Corpus, test: Corpus) -> Answers:
    """Mean by whether it is the side's first turn."""
    return _by_key(train, test, lambda position, turns: position < 2)


def length(train: Corpus, test: Corpus) -> Answers:
    """Mean by the number of turns of the dialogue."""
    return _by_key(train, test, lambda position, turns: turns)


def position(train: Corpus, test: Corpus) -> Answers:
    """Mean by place, counted from the start."""
    return _by_key(train, test, lambda position, turns: position)


def end(train: Corpus, test: Corpus) -> Answers:
    """Mean by place, counted from the end."""
    return _by_key(train, test, lambda position, turns: turns - position)


def place(train: Corpus, test: Corpus) -> Answers:
    """Mean by place and number of turns."""
    return _by_key(train, test, lambda position, turns: np.column_stack([position, turns]))


def mode(train: Corpus, test: Corpus) -> Answers:
    """Everything on the type with the most votes, by place from the start."""
    return {
        side: np.eye(shares.shape[1])[shares.argmax(axis=1)]
        for side, shares in position(train, test).items()
    }


def nearest(train: Corpus, test: Corpus) -> Answers:
    """Votes of one dialogue: of as many turns, and as near in time as there is."""
    far = 10 * np.abs(test.turns[:, None] - train.turns) + np.abs(test.time[:, None] - train.time)
    best = far.argmin(axis=1)
    return {
        side: np.array(
            [train.nuggets[best[d]][i] for d, i in zip(*test.side(side), strict=True)]
        )
        for side in NUGGETS
    }  # fmt: skip


def markov(train: Corpus, test: Corpus) -> Answers:
    """Markov chain over the assessors' labels, with an end, given the number of turns.

    A dialogue is a walk from label to label that ends after some label. Given that it ends after n
    turns, the chance of a label at a place is that of all walks which pass through it.
    """
    counts = Counter(
        step
        for votes in train.labels
        for labels in votes
        for step in zip(["start", *labels], [*labels, "end"], strict=True)
    )
    states = len(TYPES)
    chances = np.array(
        [[counts[a, b] for b in [*TYPES, "end"]] for a in ["start", *TYPES]], dtype=float
    )
    chances /= chances.sum(axis=1, keepdims=True)
    start, steps, stop = chances[0, :states], chances[1:, :states], chances[1:, states]
    walks = {}
    for turns in {len(senders) for senders in test.senders}:
        forward, backward = [start], [stop]
        for _ in range(turns - 1):
            forward.append(forward[-1] @ steps)
            backward.append(steps @ backward[-1])
        passing = np.array(forward) * np.array(backward[::-1])
        walks[turns] = passing / passing.sum(axis=1, keepdims=True)
    answers = {}
    for side, labels in NUGGETS.items():
        own = [TYPES.index(label) for label in labels]
        rows = np.array(
            [walks[len(test.senders[d])][i, own] for d, i in zip(*test.side(side), strict=True)]
        )
        answers[side] = rows / rows.sum(axis=1, keepdims=True)
    return answers


def logit(train: Corpus, test: Corpus, *, C: float) -> Answers:
    """Multinomial logit on place, rest, first, last and time."""

    def features(corpus: Corpus, side: str) -> Array:
        raw = _raw(corpus, side)
        return np.column_stack([raw[:, :3], raw[:, 0] < 2, raw[:, 1] == 1, raw[:, 3] - 2015])

    return {
        side: logistic(features(train, side), train.nugget_shares(side), features(test, side), C)
        for side in NUGGETS
    }


def trees(train: Corpus, test: Corpus, *, leaf: int) -> Answers:
    """Extremely randomised trees on place, rest, length, time, hour and weekday."""
    return {
        side: forest(_raw(train, side), train.nugget_shares(side), _raw(test, side), leaf)
        for side in NUGGETS
    }


def boosting(train: Corpus, test: Corpus, *, rounds: int) -> Answers:
    """Gradient boosting, every vote an example."""
    return {
        side: boosted(_raw(train, side), train.nugget_shares(side), _raw(test, side), rounds)
        for side in NUGGETS
    }


SYSTEMS: Mapping[str, System] = {
    "mode": mode,
    "nearest": nearest,
    "sender": sender,
    "length": length,
    "end": end,
    "first": first,
    "position": position,
    "place": place,
    "markov": markov,
    "logit": logit,
    "trees": trees,
    "boosting": boosting,
}
SETTINGS: Mapping[str, list[dict[str, Any]]] = {
    "logit": [{"C": c} for c in (0.01, 0.1, 1)],
    "trees": [{"leaf": n} for n in (10, 30, 100)],
    "boosting": [{"rounds": n} for n in (20, 40, 80)],
}


def _by_key(train: Corpus, test: Corpus, key: Callable[[Array, Array], Array]) -> Answers:
    answers = {}
    for side in NUGGETS:
        keys = []
        for corpus in (train, test):
            dialogue, place = corpus.side(side)
            keys.append(np.asarray(key(place, corpus.turns[dialogue])))
        answers[side] = table(keys, train.nugget_shares(side))
    return answers


def _raw(corpus: Corpus, side: str) -> Array:
    dialogue, place = corpus.side(side)
    turns = corpus.turns[dialogue]
    when = [x[dialogue] for x in (corpus.time, corpus.hour, corpus.weekday)]
    return np.column_stack([place, turns - place, turns, *when])
