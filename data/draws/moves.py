"""Moves of answers away from gold that raise a measure: for ``moves.csv``."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.advice.sources import sources
from ordbook.data.loading import load
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION, Measure

# Whether a right answer that is made wrong raises these is counted in real runs.
REWARDING = ("alpha_ord", "QWK", "kappa", "MAE_M", "CEM_ORD", "accuracy")


def compute_moves() -> pd.DataFrame:
    """Compute the rows that ``data/draws/moves.csv`` holds, from the labels of every set.

    Returns
    -------
    DataFrame
        A row for each set of labels, unit (``topic``, or ``pool`` of all items) and measure:
        ``raised``, the share of all right answers moved to a neighbouring class (to either side
        with equal weight) that better the score; ``farther`` and ``across``, the same of errors
        moved one class farther off, on their side of gold or to the other; ``below``, the share
        of the scores of a run on a topic that are below 0; and ``constant``, the mean score of
        the best run that always answers one class.
    """
    rows = []
    for source, names in sources("classification").items():
        for name in names:
            task = load(name)
            assert isinstance(task, ClassificationTask)
            by_topic = task.confusion().astype(float)
            for unit, counts in (("topic", by_topic), ("pool", by_topic.sum(axis=1)[:, None])):
                for measure in REWARDING:
                    numbers = rewarded(CLASSIFICATION[measure], counts)
                    rows.append({"source": source, "set": name, "unit": unit, **numbers})
    return pd.DataFrame(rows)


def rewarded(measure: Measure, counts: NDArray[np.float64]) -> dict[str, object]:
    """Count the moves away from gold that raise a measure: numbers of :func:`compute_moves`.

    Parameters
    ----------
    measure
        A measure of labels.
    counts
        Confusion matrices of runs on topics, (runs, topics, C, C), gold in the rows.

    Returns
    -------
    dict
        ``measure``, ``raised``, ``farther``, ``across``, ``below`` and ``constant``.
    """
    sign, classes = 1 if measure.better == "high" else -1, counts.shape[-1]
    scores = measure.kernel(counts)

    def raised(ends: Callable[[int, int], list[int]]) -> float:
        """Return the share of answers j to gold i that raise the score if moved to an end."""
        better = total = 0.0
        for i, j in np.ndindex(classes, classes):
            number = counts[..., i, j]
            there = [k for k in ends(i, j) if 0 <= k < classes and number.any()]
            for k in there:
                worse = counts[number > 0]
                worse[:, i, j] -= 1
                worse[:, i, k] += 1
                rises = sign * (measure.kernel(worse) - scores[number > 0]) > 1e-12
                better += (number[number > 0] * rises).sum() / len(there)
            total += number.sum() if there else 0
        return better / total if total else np.nan

    constant = counts[0].sum(axis=-1)[..., None, :, None] * np.eye(classes)[:, None, :]
    means = measure.kernel(constant).mean(axis=0)
    return {
        "measure": measure.name,
        "raised": raised(lambda i, j: [j - 1, j + 1] if i == j else []),
        "farther": raised(lambda i, j: [j + np.sign(j - i)] if i != j else []),
        "across": raised(lambda i, j: [2 * i - j - np.sign(j - i)] if i != j else []),
        "below": float((scores < -1e-12).mean()),
        "constant": means.max() if sign > 0 else means.min(),
    }
