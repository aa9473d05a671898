"""How long the significance test and ranking consistency take."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import kendalltau, permutation_test

from benchmarks.timing import Work, machine, race, row
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.significance import tukey_hsd

MEASURES = 13
BATCHES = (10, 30, 100, 300, 1000)


def simulated_scores(measures: int, topics: int, runs: int) -> ScoreMatrix:
    """Scores that differ by topic and run, and whose noise differs by measure."""
    rng = np.random.default_rng(0)
    quality = rng.normal(0, 1, (topics, 1)) + rng.normal(0, 0.3, runs)
    values = quality + rng.normal(0, 1, (measures, topics, runs))
    names = tuple(f"measure {k}" for k in range(measures))
    return ScoreMatrix(
        f"{topics} x {runs}",
        values,
        names,
        tuple(map(str, range(topics))),
        tuple(f"run {k}" for k in range(runs)),
        dict.fromkeys(names, "high"),
        Provenance("yours"),
    )


def table(
    topics: int = 300, runs: int = 22, scale: float = 1.0, rounds: int = 5
) -> Iterator[dict[str, str]]:
    """Measure everything, yielding one row of ``timings.csv`` after the other.

    Parameters
    ----------
    topics, runs
        Size of the score matrices.
    scale
        Share of the trials and splits; 1 for the figures that mean something.
    rounds
        Turns of every race; fewer where a turn takes seconds.
    """
    measured = machine()
    for rows in (_tukey, _consistency):
        for measurement in rows(topics, runs, scale, rounds):
            yield measurement | {"measured": measured}


def _tukey(topics: int, runs: int, scale: float, rounds: int) -> Iterator[dict[str, str]]:
    every = simulated_scores(MEASURES, topics, runs)
    one = every.select(every.measures[:1])
    scores, trials = one.values[0], _scaled(5000, scale)
    what = f"randomised Tukey HSD, {topics} x {runs}, B = {trials:,}"

    def ours(matrix: ScoreMatrix = one, trials: int = trials, threads: int = 1) -> Work:
        return lambda: tukey_hsd(matrix, trials, threads=threads)

    yield row(
        what,
        race(ours(), lambda: _permuted_loop(scores, trials), rounds),
        "at least 5",
        "a numpy loop over rng.permuted",
        "One measure, one thread.",
    )
    batch = min(BATCHES, key=lambda b: race(_scipy(scores, trials // 5 or 1, b), rounds=1)[0])
    yield row(
        what,
        race(ours(), _scipy(scores, trials, batch), max(1, rounds - 3)),
        "at least 12",
        "scipy.stats.permutation_test",
        f"One measure, one thread; theirs in batches of {batch}, the fastest of "
        f"{', '.join(map(str, BATCHES))}.",
    )
    yield row(
        f"{what}, {MEASURES} measures at once",
        race(ours(every), ours(), max(1, rounds - 2)),
        f"at least {MEASURES / 5}",
        f"ours {MEASURES} times, one measure each",
        "The figure wanted: at most 5 times the cost of one measure. One thread.",
        MEASURES,
    )
    many = _scaled(100_000, scale)
    yield row(
        f"randomised Tukey HSD, {topics} x {runs}, B = {many:,}, two threads",
        race(ours(trials=many, threads=2), ours(trials=many), max(1, rounds - 3)),
        "at least 1.6",
        "ours with one thread",
        "The same bits.",
    )
    matrices, trials = [simulated_scores(1, topics, 10)] * 16, _scaled(10_000, scale)
    yield row(
        f"randomised Tukey HSD of 16 matrices, {topics} x 10, B = {trials:,}",
        race(lambda: [tukey_hsd(m, trials, threads=1) for m in matrices], None, 1),
        "seconds",
        note="The organisers of DialEval-1 report about 2 days at B = 1,000. One thread.",
    )


def _permuted_loop(scores: np.ndarray, trials: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    ranges = np.empty(trials)
    for trial in range(trials):
        means = rng.permuted(scores, axis=1).mean(axis=0)
        ranges[trial] = means.max() - means.min()
    means = scores.mean(axis=0)
    differences = np.abs(means[:, None] - means)
    return trials - np.searchsorted(np.sort(ranges), differences)


def _scipy(scores: np.ndarray, trials: int, batch: int) -> Work:
    def largest(*samples: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.ptp(np.stack([s.mean(axis=axis) for s in samples]), axis=0)

    return lambda: permutation_test(
        tuple(scores.T),
        largest,
        permutation_type="samples",
        vectorized=True,
        n_resamples=trials,
        batch=batch,
        alternative="greater",
        axis=-1,
        rng=0,
    )


def _consistency(topics: int, runs: int, scale: float, rounds: int) -> Iterator[dict[str, str]]:
    matrix = simulated_scores(MEASURES, topics, runs)
    splits = _scaled(1000, scale)
    part = max(1, splits // 10)

    def theirs() -> object:
        rng = np.random.default_rng(0)
        tau = np.empty((part, MEASURES))
        for split in range(part):
            order = rng.permutation(topics)
            halves = [matrix.values[:, half].mean(axis=1) for half in np.array_split(order, 2)]
            for k in range(MEASURES):
                tau[split, k] = kendalltau(halves[0][k], halves[1][k]).statistic
        return tau

    yield row(
        f"ranking consistency, {splits:,} splits, {MEASURES} measures, {topics} x {runs}",
        race(lambda: ranking_consistency(matrix, splits=splits, threads=1), theirs, rounds),
        "at least 100",
        "a loop over scipy.stats.kendalltau",
        f"One thread; theirs on {part:,} splits, times {splits / part:g}.",
        splits / part,
    )


def _scaled(number: int, scale: float) -> int:
    return max(1, round(number * scale))
