"""The systems: each learns from the development dialogues and answers for other utterances.

A system is a function of the utterances and votes to learn from and of the utterances to answer
for; it returns what it finds, which :func:`project` makes distributions over X, T and O.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from recurrent import echoes
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler
from utterances import Array, Utterance, similarities, words
from vectors import mean_vectors, term_frequency, word_vectors

Utterances = tuple[Utterance, ...]
System = Callable[..., Array]
SEED = 3
FOLDS = 5
NEAREST = 100
TREES, LEAF = 500, 3
PENALTIES = (30.0, 100.0, 300.0, 1000.0)
NAMES = ("CIC", "IRIS", "TKTK", "YI")


def prior(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Answer the mean of all votes, whatever is asked."""
    return np.tile(shares.mean(axis=0), (len(asked), 1))


def turn(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Answer the mean of all votes at the same place of a dialogue, first to tenth."""
    return _means(known, shares, asked, lambda utterance: utterance.position)


def system(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Answer the mean of all votes on the same dialogue system."""
    return _means(known, shares, asked, lambda utterance: utterance.system)


def ridge(known: Utterances, shares: Array, asked: Utterances, alpha: float = 4.0) -> Array:
    """Ridge regression on the terms of the utterance and of what the user said before it."""
    learn, answer = _terms(known, asked)
    return Ridge(alpha=alpha, solver="lsqr", tol=1e-8).fit(learn, shares).predict(answer)


def neighbours(known: Utterances, shares: Array, asked: Utterances, power: float = 5.0) -> Array:
    """Weighted mean of the votes on the most similar utterances, by the same terms.

    Of the hundred nearest, all that are similar at all count a little; where nothing is, the mean
    of all votes is the answer.
    """
    learn, answer = _terms(known, asked)
    alike = np.asarray((answer @ learn.T).todense()) / 2
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, :NEAREST]
    alike = np.take_along_axis(alike, nearest, axis=1)[:, :, None]
    weight = alike**power + 1e-3 * (alike > 0)
    total = (weight * shares[nearest]).sum(axis=1) + 1e-6 * shares.mean(axis=0)
    return total / (weight.sum(axis=1) + 1e-6)


def trees(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Extra trees on similarities of terms, after RSL17BD: mean and variance of the labels.

    X counts -1, T 0 and O 1; mean and variance determine the three probabilities.
    """
    return _moments(shares, *_term_similarities(known, asked))


def trees_vectors(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Extra trees on similarities of mean word vectors; otherwise as :func:`trees`."""
    return _moments(shares, *_vector_similarities(known, asked))


def trees_direct(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Extra trees on both kinds of similarities, that learn the three shares themselves."""
    both = (_term_similarities(known, asked), _vector_similarities(known, asked))
    learn, answer = (np.hstack(pair) for pair in zip(*both, strict=True))
    return _extra_trees(learn, shares, answer)


def recurrent(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Ridge regression on the states of an echo state network over word vectors.

    Its penalty is chosen by cross-validation by dialogue; the states are made only once.
    """
    states = echoes([*known, *asked], word_vectors(_dialogues(known), 50))
    scaler = StandardScaler().fit(states[: len(known)])
    learn, answer = scaler.transform(states[: len(known)]), scaler.transform(states[len(known) :])

    def error(penalty: float) -> float:
        rows = np.zeros_like(shares)
        for kept, left in _folds(known):
            rows[left] = _linear(learn[kept], shares[kept], learn[left], penalty)
        return float(np.mean((rows - shares) ** 2))

    return _linear(learn, shares, answer, min(PENALTIES, key=error))


def boosting(known: Utterances, shares: Array, asked: Utterances) -> Array:
    """Gradient boosting on all features: similarities, who speaks, topics, two systems' answers.

    For the utterances it learns from, these are answers of systems that did not see the dialogue.
    """
    terms = _terms(known, asked)
    topics = TruncatedSVD(30, random_state=SEED).fit(terms[0])
    tables = [
        _term_similarities(known, asked),
        _vector_similarities(known, asked),
        tuple(topics.transform(rows) for rows in terms),
        (_who(known), _who(asked)),
        *(
            (held_out(answers, known, shares), answers(known, shares, asked))
            for answers in (ridge, neighbours)
        ),
    ]
    learn, answer = (np.hstack(both) for both in zip(*tables, strict=True))
    model = GradientBoostingRegressor(
        n_estimators=300,
        learning_rate=0.05,
        max_depth=4,
        subsample=0.5,
        max_features=0.2,
        min_samples_leaf=20,
        random_state=SEED,
    )
    return np.column_stack([model.fit(learn, share).predict(answer) for share in shares.T])


SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        "prior": prior,
        "turn": turn,
        "system": system,
        "neighbours": neighbours,
        "ridge": ridge,
        "recurrent": recurrent,
        "trees": trees,
        "trees-vectors": trees_vectors,
        "trees-direct": trees_direct,
        "boosting": boosting,
    }
)

# What cross-validation chooses from; systems that are not named have one setting.
SETTINGS: Mapping[str, Sequence[Mapping[str, float]]] = MappingProxyType(
    {
        "neighbours": [{"power": power} for power in (1, 3, 5, 8)],
        "ridge": [{"alpha": alpha} for alpha in (2, 4, 8, 16)],
    }
)


def project(rows: Array) -> Array:
    """Return the nearest distribution to each row, by Euclidean distance.

    Source: Duchi et al. (2008), Efficient projections onto the l1-ball, Figure 1.
    """
    ordered = -np.sort(-rows, axis=1)
    excess = (np.cumsum(ordered, axis=1) - 1) / np.arange(1, rows.shape[1] + 1)
    count = (ordered > excess).sum(axis=1)
    return np.maximum(rows - np.take_along_axis(excess, count[:, None] - 1, axis=1), 0.0)


def held_out(answers: System, known: Utterances, shares: Array, **setting: float) -> Array:
    """Return a system's answers for each utterance, learnt from the other folds of dialogues."""
    found = np.zeros_like(shares)
    for learn, answer in _folds(known):
        to_learn, to_answer = (tuple(known[i] for i in rows) for rows in (learn, answer))
        found[answer] = answers(to_learn, shares[learn], to_answer, **setting)
    return found


def _folds(known: Utterances) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return rows to learn from and rows to answer for: every fifth dialogue is a fold."""
    number = {dialogue: i for i, dialogue in enumerate(dict.fromkeys(u.dialogue for u in known))}
    fold = np.array([number[utterance.dialogue] % FOLDS for utterance in known])
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(FOLDS)]


def _means(
    known: Utterances, shares: Array, asked: Utterances, key: Callable[[Utterance], object]
) -> Array:
    keys = [key(utterance) for utterance in known]
    means = {
        value: shares[[other == value for other in keys]].mean(axis=0)
        for value in dict.fromkeys(keys)
    }
    return np.array([means.get(key(utterance), shares.mean(axis=0)) for utterance in asked])


def _terms(known: Utterances, asked: Utterances) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Return rows of the utterance's terms beside those of what the user said before it."""
    parts = []
    for text in (lambda utterance: utterance.text, lambda utterance: utterance.asked):
        vectoriser, learn = term_frequency([text(u) for u in known], ngram_range=(1, 2), min_df=2)
        parts.append((learn, vectoriser.transform([text(u) for u in asked])))
    return tuple(sparse.hstack(both).tocsr() for both in zip(*parts, strict=True))


# Three systems ask for the same tables of the same folds.
@lru_cache(maxsize=8)
def _term_similarities(known: Utterances, asked: Utterances) -> tuple[Array, Array]:
    vectoriser, _ = term_frequency([text for said in _dialogues_said(known) for _, text in said])
    return tuple(_similarities(found, vectoriser.transform) for found in (known, asked))


@lru_cache(maxsize=8)
def _vector_similarities(known: Utterances, asked: Utterances) -> tuple[Array, Array]:
    vectors = word_vectors(_dialogues(known), 100)
    return tuple(
        _similarities(found, lambda texts: mean_vectors(texts, vectors)) for found in (known, asked)
    )


def _similarities(found: Utterances, rows: Callable[[list[str]], Array]) -> Array:
    texts = list(dict.fromkeys(text for utterance in found for _, text in utterance.said))
    return similarities(found, rows(texts), {text: i for i, text in enumerate(texts)})


def _dialogues_said(found: Utterances) -> list[tuple[tuple[str, str], ...]]:
    """Return what was said in each dialogue, up to the last utterance asked about."""
    return list({utterance.dialogue: utterance.said for utterance in found}.values())


def _dialogues(found: Utterances) -> list[list[str]]:
    return [[word for _, text in said for word in words(text)] for said in _dialogues_said(found)]


def _who(found: Utterances) -> Array:
    return np.array([[utterance.system == name for name in NAMES] for utterance in found], float)


def _linear(learn: Array, shares: Array, answer: Array, penalty: float) -> Array:
    return np.asarray(Ridge(penalty, solver="cholesky").fit(learn, shares).predict(answer))


def _moments(shares: Array, learn: Array, answer: Array) -> Array:
    mean = shares[:, 2] - shares[:, 0]
    square = shares[:, 2] + shares[:, 0]
    mean, variance = _extra_trees(learn, np.column_stack([mean, square - mean**2]), answer).T
    square = variance + mean**2
    return np.column_stack([(square - mean) / 2, 1 - square, (square + mean) / 2])


def _extra_trees(learn: Array, values: Array, answer: Array) -> Array:
    model = ExtraTreesRegressor(TREES, min_samples_leaf=LEAF, max_features=0.5, random_state=SEED)
    return model.fit(learn, values).predict(answer)
