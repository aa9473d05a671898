"""Random samples of units: topics with their scores, or items with their confusion matrices.

The scores of a sample are ``finish(weights @ cells)``. A topic's cell holds its scores and a one,
and ``finish`` divides the sums by the sum of the ones. An item's cell holds a one in the confusion
matrix of every run, and ``finish`` computes each measure from the sums. Who splits or subsamples
chooses the weights, and need not know which unit it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import Measure
from ordbook.meta import kernels
from ordbook.meta.kendall import pair_signs
from ordbook.meta.parallel import Progress, in_order
from ordbook.meta.variances import Floats

# More items are put together at random into this many blocks, which are drawn as a whole.
MOST_BLOCKS = 1000
# Numbers that the samples of a batch take, 16 MB.
BATCH = 2_000_000


@dataclass(frozen=True, eq=False)
class Units:
    """Topics or items, of which samples can be scored.

    ``cells`` (units, width) are what each unit adds to the sums, from which (..., width) ``finish``
    computes the oriented scores of the sample, (..., measures, runs).
    """

    cells: Floats | csr_array
    finish: Callable[[Floats], Floats]

    def scores(self, weights: Floats) -> Floats:
        """Return the oriented scores of samples, (..., measures, runs), from weights (..., units).

        A sample's bits do not depend on the other samples: every product is one of the same shape,
        or, of items, one of whole numbers.
        """
        if isinstance(self.cells, np.ndarray):
            return self.finish(weights @ self.cells)
        sums = weights.reshape(-1, weights.shape[-1]) @ self.cells
        return self.finish(sums.reshape(*weights.shape[:-1], -1))


def topic_units(values: Floats) -> Units:
    """Return topics as units, from oriented scores (measures, topics, runs)."""
    measures, topics, runs = values.shape
    rows = np.moveaxis(values, 1, 0).reshape(topics, -1)

    def finish(sums: Floats) -> Floats:
        means = sums[..., :-1] / sums[..., -1:]
        return means.reshape(*sums.shape[:-1], measures, runs)

    return Units(np.column_stack([rows, np.ones(topics)]), finish)


def item_units(
    task: ClassificationTask, measures: Sequence[Measure], scores: ScoreMatrix, seed: int
) -> Units:
    """Return the items of one topic as units: up to 1,000 items, or 1,000 random blocks of more.

    ``scores`` are those of all items, whose scale and direction the scores of samples share. Blocks
    differ in size by one item at most.
    """
    runs, items = task.predicted.shape
    shape = runs, len(task.classes), len(task.classes)
    blocks = min(items, MOST_BLOCKS)
    block = np.random.default_rng([seed, 20260102]).permutation(items) % blocks
    place = np.ravel_multi_index((np.arange(runs)[:, None], task.gold, task.predicted), shape)
    entries = np.broadcast_to(block, place.shape).ravel(), place.ravel()
    cells = csr_array((np.ones(place.size), entries), shape=(blocks, int(np.prod(shape))))
    turned = scores.direction / scores.scale

    def finish(sums: Floats) -> Floats:
        cms = sums.reshape(*sums.shape[:-1], *shape)
        by_measure = [
            np.asarray(measure.kernel(cms)) * factor
            for measure, factor in zip(measures, turned, strict=True)
        ]
        return np.stack(by_measure, axis=-2)

    return Units(cells, finish)


def sampled(
    units: Units,
    samples: Sequence[tuple[int, int]],
    statistic: Callable[[Floats], Floats],
    trials: range,
    key: np.uint64,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return a statistic of random samples of units, trial by trial.

    Each trial puts the units in a random order, which depends on the key and the number of the
    trial alone. A sample is the first place in this order, and the one after its last: the samples
    ``(0, 5), (5, 10)`` share no unit, of ``(0, 5), (0, 10)`` the second holds the first. The
    statistic is computed from oriented scores (trials, samples, measures, runs).
    """
    count = units.cells.shape[0]
    batch = max(1, BATCH // (len(samples) * sum(units.cells.shape)))

    def work(start: int, stop: int) -> list[Floats]:
        parts = []
        for first in range(trials.start + start, trials.start + stop, batch):
            last = min(first + batch, trials.start + stop)
            orders = kernels.random_orders(count, key, first, last)
            weights = np.zeros((last - first, len(samples), count))
            for k, (begin, end) in enumerate(samples):
                np.put_along_axis(weights[:, k], orders[:, begin:end], 1.0, axis=1)
            parts.append(statistic(units.scores(weights)))
        return parts

    steps = len(samples) * units.cells.size
    ranges = in_order(work, len(trials), steps, threads, progress)
    return np.concatenate([part for parts in ranges for part in parts])


def tau_between(scores: Floats) -> Floats:
    """Return tau-a between the rankings by two samples, from (trials, 2, measures, runs)."""
    signs = pair_signs(scores)
    taus: Floats = (signs[:, 0] * signs[:, 1]).mean(axis=-1)
    return taus


def halves(units: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the samples of :func:`sampled` that split all units; of an odd number, unequally."""
    return (0, units // 2), (units // 2, units)
