"""Random samples of topics, and a statistic of the scores of each."""

from collections.abc import Callable, Sequence

import numpy as np

from ordbook.meta import kernels
from ordbook.meta.kendall import pair_signs
from ordbook.meta.parallel import Progress, in_order
from ordbook.meta.variances import Floats

# Numbers that the samples of a batch take, 16 MB.
BATCH = 2_000_000


def sampled(
    values: Floats,
    samples: Sequence[tuple[int, int]],
    statistic: Callable[[Floats], Floats],
    trials: range,
    key: np.uint64,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return a statistic of random samples of topics, trial by trial.

    ``values`` are oriented scores (measures, topics, runs). Each trial puts the topics in a random
    order, which depends on the key and the number of the trial alone. A sample is the first place
    in this order, and the one after its last: the samples ``(0, 5), (5, 10)`` share no topic, of
    ``(0, 5), (0, 10)`` the second holds the first. The statistic is computed from mean scores
    (trials, samples, measures, runs).
    """
    measures, count, runs = values.shape
    # A topic's row holds its scores and a one, so that a sample's sums hold the number of its
    # topics. Its bits do not depend on the other samples: all products have the same shape.
    rows = np.column_stack([np.moveaxis(values, 1, 0).reshape(count, -1), np.ones(count)])
    batch = max(1, BATCH // (len(samples) * sum(rows.shape)))

    def work(start: int, stop: int) -> list[Floats]:
        parts = []
        for first in range(trials.start + start, trials.start + stop, batch):
            last = min(first + batch, trials.start + stop)
            orders = kernels.random_orders(count, key, first, last)
            weights = np.zeros((last - first, len(samples), count))
            for k, (begin, end) in enumerate(samples):
                np.put_along_axis(weights[:, k], orders[:, begin:end], 1.0, axis=1)
            sums = weights @ rows
            means = sums[..., :-1] / sums[..., -1:]
            parts.append(statistic(means.reshape(*means.shape[:-1], measures, runs)))
        return parts

    steps = len(samples) * rows.size
    ranges = in_order(work, len(trials), steps, threads, progress)
    return np.concatenate([part for parts in ranges for part in parts])


def tau_between(scores: Floats) -> Floats:
    """Return tau-a between the rankings by two samples, from (trials, 2, measures, runs)."""
    signs = pair_signs(scores)
    taus: Floats = (signs[:, 0] * signs[:, 1]).mean(axis=-1)
    return taus
