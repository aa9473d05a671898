"""A recurrent network that is not trained, only read: an echo state network.

It stands in for the organisers' bidirectional LSTM of DialEval-1, and is less: the weights of the
recurrence are random and stay as they are; only the linear read-out is learnt.
"""

from collections.abc import Sequence

import numpy as np
from utterances import Array, Utterance, words

UNITS, RADIUS, LEAK, SEED = 300, 0.9, 0.3, 20171210
MEMORY = 60  # words before the end of the utterance that are read


def reservoir(inputs: Array, share: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Run a leaky network of random weights over sequences: last states, and means by share.

    Parameters
    ----------
    inputs, share
        (sequences, steps, size), and the weight of each step in the mean, (sequences, steps).
    """
    recurrent = rng.normal(size=(UNITS, UNITS)) / np.sqrt(UNITS)
    recurrent *= RADIUS / np.abs(np.linalg.eigvals(recurrent)).max()
    weights = rng.uniform(-1, 1, (inputs.shape[2], UNITS))
    state, mean = np.zeros((2, len(inputs), UNITS))
    for step in range(inputs.shape[1]):
        fresh = np.tanh(inputs[:, step] @ weights + state @ recurrent)
        state = (1 - LEAK) * state + LEAK * fresh
        mean += share[:, step, None] * state
    return state, mean


def echoes(found: Sequence[Utterance], vectors: dict[str, Array]) -> Array:
    """Return the features of each utterance, (utterances, 3 * UNITS).

    The last words of the dialogue, each with who said it, are read forwards and backwards. Kept
    are the last state forwards, and the mean states while the utterance itself is read.
    """
    size = len(next(iter(vectors.values())))
    inputs = np.zeros((len(found), MEMORY, size + 3))
    ours = np.zeros((len(found), MEMORY))
    for i, utterance in enumerate(found):
        rows = []
        for number, (speaker, text) in enumerate(utterance.said, 1):
            last = number == len(utterance.said)
            rows += [
                (vectors.get(word), speaker == "U", last, word not in vectors)
                for word in words(text)
            ]
        rows = rows[-MEMORY:]
        start = MEMORY - len(rows)
        for j, (vector, user, last, unknown) in enumerate(rows, start):
            if vector is not None:
                inputs[i, j, :size] = vector
            inputs[i, j, size:] = user, last, unknown
            ours[i, j] = last
    rng = np.random.default_rng(SEED)
    share = ours / np.maximum(ours.sum(axis=1, keepdims=True), 1)
    last, forwards = reservoir(inputs, share, rng)
    _, backwards = reservoir(inputs[:, ::-1], share[:, ::-1], rng)
    return np.hstack([last, forwards, backwards])
