"""How often intervals hold the share of good passages: for ``prevalence.csv``."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.chapters.prevalence import CELLS, LABELLED, Counts, Interval, Z, powered
from ordbook.data.loading import load
from ordbook.data.tasks import ClassificationTask

SET = "llmjudge"


GOOD = 2  # highly or perfectly relevant


QUERIES = 8


METHODS = ("labels", "powered", "adjusted")


def compute_prevalence(repetitions: int = 2000) -> pd.DataFrame:
    """Return counts by judge and how often intervals hold the share: for ``data/draws``.

    ``LABELLED`` passages have labels by people, and the judge labels all. They are drawn at random,
    or half of them from the good ones, or from ``QUERIES`` queries that are drawn first.
    """
    task = load(SET)
    assert isinstance(task, ClassificationTask)
    good, topic = task.gold >= GOOD, np.asarray(task.topic)
    rows = []
    for judge, predicted in zip(task.runs, task.predicted, strict=True):
        says = predicted >= GOOD
        cell = np.select([good & says, says, good], [0, 1, 2], 3)
        counts = np.bincount(cell, minlength=len(CELLS))
        row = {"run": judge, **dict(zip(CELLS, counts, strict=True))}
        rows.append(row | simulated(counts, repetitions) | _by_queries(cell, topic, repetitions))
    return pd.DataFrame(rows)


def simulated(counts: Counts, repetitions: int = 2000) -> dict[str, float]:
    """Return in what share of samples each interval holds the share of the good ones."""
    rng = np.random.default_rng(0)
    half = LABELLED // 2
    by_gold = np.zeros((repetitions, len(CELLS)), dtype=np.int64)
    by_gold[:, ::2] = rng.multivariate_hypergeometric(counts[::2], half, repetitions)
    by_gold[:, 1::2] = rng.multivariate_hypergeometric(counts[1::2], half, repetitions)
    samples = {
        "random": rng.multivariate_hypergeometric(counts, LABELLED, repetitions),
        "half good": by_gold,
    }
    covers = {
        f"{name}: {method}": _covered(method, sample, counts)
        for name, sample in samples.items()
        for method in METHODS
    }
    alone, adjusting = (
        _squared_error(method, samples["random"], counts) for method in ("labels", "adjusted")
    )
    return covers | {"worth of adjusted": alone / adjusting}


def labels_alone(sample: Counts) -> Interval:
    """Estimate from the labels by people alone."""
    size = sample.sum(axis=-1)
    share = (sample[..., 0] + sample[..., 2]) / size
    return share, np.sqrt(share * (1 - share) / (size - 1))


def adjusted(sample: Counts, rest: Counts) -> Interval:
    """Estimate by the adjusted count, with rates of the judge from the labelled sample."""
    good, bad = sample[..., ::2].sum(axis=-1), sample[..., 1::2].sum(axis=-1)
    others = rest.sum(axis=-1)
    hit, false = sample[..., 0] / good, sample[..., 1] / bad
    said = rest[..., :2].sum(axis=-1) / others
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip((said - false) / (hit - false), 0, 1)
        variance = said * (1 - said) / others
        variance = variance + share**2 * hit * (1 - hit) / good
        variance = variance + (1 - share) ** 2 * false * (1 - false) / bad
        return share, np.sqrt(variance) / np.abs(hit - false)


def estimated(method: str, sample: Counts, rest: Counts) -> Interval:
    """Return estimate and standard error by one of ``METHODS``."""
    if method == "labels":
        return labels_alone(sample)
    return {"powered": powered, "adjusted": adjusted}[method](sample, rest)


def _covered(method: str, sample: Counts, counts: Counts) -> float:
    truth = (counts[0] + counts[2]) / counts.sum()
    share, error = estimated(method, sample, counts - sample)
    return float(np.mean(np.abs(share - truth) <= Z * error))


def _squared_error(method: str, sample: Counts, counts: Counts) -> float:
    truth = (counts[0] + counts[2]) / counts.sum()
    share, _ = estimated(method, sample, counts - sample)
    return float(np.mean(np.square(share - truth)))


def _by_queries(cell: Counts, topic: NDArray[np.intp], repetitions: int) -> dict[str, float]:
    """Return how often the interval holds if all labelled passages are of a few queries."""
    rng = np.random.default_rng(0)
    _, place = np.unique(topic, return_inverse=True)
    table = np.zeros((place.max() + 1, len(CELLS)), dtype=np.int64)
    np.add.at(table, (place, cell), 1)
    drawn = [rng.choice(len(table), QUERIES, replace=False) for _ in range(repetitions)]
    pools = np.array([table[queries].sum(axis=0) for queries in drawn])
    sample = np.array([rng.multivariate_hypergeometric(pool, LABELLED) for pool in pools])
    counts = table.sum(axis=0)
    return {f"queries: {method}": _covered(method, sample, counts) for method in METHODS}
