"""How long the significance test and ranking consistency take, and how their cost grows."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

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
    for rows in (
        _tukey(topics, runs, scale, rounds),
        _consistency(topics, runs, scale, rounds),
        _growth(topics, runs, scale, rounds),
        _sequential(scale),
        _large(topics, runs, scale),
    ):
        for measurement in rows:
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


def _sequential(scale: float) -> Iterator[dict[str, str]]:
    """Measure the sequential test where it is dearest: by most measures some pair stays open."""
    for topics, runs in (500, 60), (300, 22):
        scores = simulated_scores(MEASURES, _scaled(topics, scale), runs)
        tukey_hsd(scores, 100, threads=2)
        start = process_time()
        tests = tukey_hsd(scores, threads=2, decide_at=0.05)
        yield row(
            f"sequential Tukey HSD, {topics} x {runs}, {MEASURES} measures, two threads",
            (process_time() - start, 0),
            "at most 40 s of processor time, 20 s on two cores",
            note=f"{tests.size}. Processor time of both threads together.",
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


def _growth(topics: int, runs: int, scale: float, rounds: int) -> Iterator[dict[str, str]]:
    trials = _scaled(5000, scale)
    for name, position in (("topics", 0), ("runs", 1), ("trials", 2)):
        sizes = [topics, runs, trials]
        seconds = []
        steps = [sizes[position] * factor for factor in (1, 2, 4, 8)]
        for step in steps:
            sizes[position] = step
            matrix = simulated_scores(1, sizes[0], sizes[1])
            work = _one_thread(matrix, sizes[2])
            seconds.append(race(work, rounds=max(1, rounds - 3))[0])
        yield row(
            f"randomised Tukey HSD, {sizes[0]} x {sizes[1]}, B = {sizes[2]:,}",
            (seconds[-1], float("nan")),
            note=f"Grows with the number of {name} to the power {_slope(steps, seconds):.2f} "
            f"({', '.join(f'{step:,}' for step in steps)}). One measure, one thread.",
        )


def _one_thread(matrix: ScoreMatrix, trials: int) -> Work:
    return lambda: tukey_hsd(matrix, trials, threads=1)


def _slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Slope of the line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _large(topics: int, runs: int, scale: float) -> Iterator[dict[str, str]]:
    if scale == 1:
        topics, runs = 5000, 200
    trials = _scaled(10_000, scale)
    program = (
        "import resource, time; from benchmarks.engine import simulated_scores, tukey_hsd; "
        f"scores = simulated_scores(1, {topics}, {runs}); start = time.perf_counter(); "
        f"tukey_hsd(scores, {trials}, threads=1); "
        "print(time.perf_counter() - start); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)"
    )
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    seconds, gibibytes = map(float, result.stdout.split())
    yield row(
        f"randomised Tukey HSD, {topics:,} x {runs}, B = {trials:,}, in a process of its own",
        (seconds, float("nan")),
        "under 1 GB",
        note=f"{gibibytes * 1.073741824:.2f} GB of memory at most, Python and libraries included. "
        "One measure, one thread.",
    )


def _scaled(number: int, scale: float) -> int:
    return max(1, round(number * scale))
