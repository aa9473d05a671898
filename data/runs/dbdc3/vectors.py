"""Vectors of texts and words, made from the dialogues alone: no other text is used."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds
from sklearn.feature_extraction.text import TfidfVectorizer
from utterances import Array, words

WINDOW, LEAST = 4, 2


def term_frequency(
    texts: Sequence[str], **options: object
) -> tuple[TfidfVectorizer, sparse.csr_matrix]:
    """Return the fitted vectoriser and the rows of the texts."""
    vectoriser = TfidfVectorizer(
        tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True, **options
    )
    return vectoriser, vectoriser.fit_transform(texts)


def word_vectors(texts: Iterable[Sequence[str]], size: int) -> dict[str, Array]:
    """Return a vector per word that occurs at least twice.

    The matrix of positive pointwise mutual information between words at most four apart,
    within the sequences given, is reduced by a truncated SVD.
    """
    texts = list(texts)
    counts = Counter(word for text in texts for word in text)
    vocabulary = sorted(word for word, count in counts.items() if count >= LEAST)
    number = {word: i for i, word in enumerate(vocabulary)}
    near: Counter[tuple[int, int]] = Counter()
    for text in texts:
        ids = [number[word] for word in text if word in number]
        for i, a in enumerate(ids):
            for distance, b in enumerate(ids[i + 1 : i + 1 + WINDOW], 1):
                near[a, b] += 1 / distance
                near[b, a] += 1 / distance
    pairs = sorted(near)
    row, column = np.array(pairs).T
    value = np.array([near[pair] for pair in pairs])
    total = np.bincount(row, value, minlength=len(vocabulary))
    smoothed = total**0.75
    information = np.log(value * smoothed.sum() / (total[row] * smoothed[column]))
    kept = information > 0
    matrix = sparse.csr_matrix(
        (information[kept], (row[kept], column[kept])), shape=(len(vocabulary),) * 2
    )
    # The start of the iteration is fixed, and so is the sign of every axis.
    left, strength, _ = svds(matrix, k=size, v0=np.ones(len(vocabulary)))
    left *= np.sign(left[np.abs(left).argmax(axis=0), np.arange(size)])
    table = (left * np.sqrt(strength))[:, ::-1]
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
    return dict(zip(vocabulary, table, strict=True))


def mean_vectors(
    texts: Sequence[str], vectors: dict[str, Array], weights: dict[str, float] | None = None
) -> Array:
    """Return the mean vector of the words of each text, scaled to length 1."""
    size = len(next(iter(vectors.values())))
    rows = np.zeros((len(texts), size))
    for row, text in zip(rows, texts, strict=True):
        for word in words(text):
            if word in vectors:
                row += vectors[word] * (weights or {}).get(word, 1.0)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
