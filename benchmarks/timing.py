"""How long ours takes and how long theirs, measured in turns in one process on one thread."""

import datetime
import os
import platform
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from time import perf_counter

import krippendorff
import numpy as np
import quapy
from mlquantify import metrics as mlq
from scipy.spatial.distance import jensenshannon
from scipy.stats import energy_distance, kendalltau, permutation_test, wasserstein_distance
from sklearn import metrics

import ordbook.measures as om
from benchmarks.inputs import simulated_scores, simulated_task
from benchmarks.labels import item_weights
from ordbook import ClassificationTask, ScoreMatrix, ranking_consistency, tukey_hsd

COLUMNS = ("what", "ours_s", "theirs_s", "ratio", "wanted", "against", "note", "measured")
LIBRARIES = ("numpy", "numba", "scipy", "scikit-learn", "quapy", "mlquantify", "krippendorff")
CLASSES, MEASURES = 5, 13
BATCHES = (10, 30, 100, 300, 1000)
Work = Callable[[], object]
Row = dict[str, str]


def table(
    rows: int = 100_000,
    task: ClassificationTask | None = None,
    size: tuple[int, int] = (300, 22),
    scale: float = 1.0,
    rounds: int = 5,
) -> Iterator[Row]:
    """Measure everything, yielding one row of ``timings.csv`` after the other.

    Parameters
    ----------
    rows
        Pairs of distributions over five classes.
    task
        The classification task; by default the simulated one.
    size
        Topics and runs of the score matrices.
    scale
        Share of the trials and splits; 1 for the figures that mean something.
    rounds
        Turns of every race; fewer where a turn takes seconds.
    """
    measured = machine()
    matrix = simulated_scores(MEASURES, *size)
    for row in chain(
        _quantification(rows, rounds),
        _classification(task or simulated_task(), rounds),
        _tukey(matrix, scale, rounds),
        _consistency(matrix, scale, rounds),
    ):
        yield row | {"measured": measured}


def race(ours: Work, theirs: Work, rounds: int = 5) -> tuple[float, float]:
    """Run both in turns, and give the best time of each in seconds.

    A time of ours is the mean of five runs in a row, so both have as many chances to meet an
    undisturbed moment. A turn that does not count comes first, to warm up caches and imports.
    """
    times = [[_seconds(ours, 5), _seconds(theirs, 1)] for _ in range(rounds + 1)]
    best = np.min(times[1:], axis=0)
    return float(best[0]), float(best[1])


def _seconds(work: Work, runs: int) -> float:
    """Mean time of ``runs`` runs in a row."""
    start = perf_counter()
    for _ in range(runs):
        work()
    return (perf_counter() - start) / runs


def _row(
    what: str,
    times: tuple[float, float],
    against: str,
    wanted: str = "",
    note: str = "",
    scale: float = 1.0,
) -> Row:
    """One row; ``scale`` times theirs, which ran on a part of the input."""
    ours, theirs = times[0], times[1] * scale
    return {
        "what": what,
        "ours_s": _digits(ours),
        "theirs_s": _digits(theirs),
        "ratio": _digits(theirs / ours),
        "wanted": wanted,
        "against": against,
        "note": note,
    }


def _digits(value: float) -> str:
    """Three significant digits without an exponent: ``0.00212``, ``1170``."""
    return np.format_float_positional(float(f"{value:.3g}"), trim="-")


def _quantification(rows: int, rounds: int) -> Iterator[Row]:
    gold, estimate = np.random.default_rng(0).dirichlet(np.ones(CLASSES), (2, rows))
    size = f"{rows:,} x {CLASSES}"
    part = max(1, rows // 20)
    positions = np.arange(CLASSES)

    def ours(name: str) -> Work:
        return lambda: om.QUANTIFICATION[name].function(gold, estimate)

    for name, function, against, wanted in (
        ("NMD", quapy.error.nmd, "a loop over quapy.error.nmd", "at least 150"),
        ("RNOD", mlq.RNOD, "a loop over mlquantify's RNOD", "at least 60"),
        ("NMD", mlq.NMD, "a loop over mlquantify's NMD", ""),
        (
            "NMD",
            lambda g, p: wasserstein_distance(positions, positions, g, p),
            "a loop over scipy.stats.wasserstein_distance",
            "",
        ),
        (
            "RPS",
            lambda g, p: energy_distance(positions, positions, g, p) ** 2 / 2 / (CLASSES - 1),
            "a loop over scipy.stats.energy_distance",
            "",
        ),
        ("DNKT", lambda g, p: kendalltau(g, p), "a loop over scipy.stats.kendalltau", ""),
    ):
        yield _row(
            f"{name}, {size}",
            race(
                ours(name),
                lambda f=function: [f(gold[i], estimate[i]) for i in range(part)],
                rounds,
            ),
            against,
            wanted,
            f"Theirs on {part:,} rows, times {rows / part:g}.",
            rows / part,
        )
    yield _row(
        f"NMD, {size}",
        race(ours("NMD"), lambda: quapy.error.md(gold, estimate) / (CLASSES - 1), rounds),
        "quapy.error.md / 4, vectorised",
        note="The like-for-like comparison; md checks one sum per row, ours every entry.",
    )
    widths = np.arange(1, CLASSES)
    yield _row(
        f"NMD with steps, {size}",
        race(lambda: om.nmd(gold, estimate, steps=widths), ours("NMD"), rounds),
        "ours without steps",
    )
    yield _row(
        f"RPS, {size}",
        race(ours("RPS"), ours("NMD"), rounds),
        "our NMD, which adds absolute differences of the same cumulatives",
    )
    yield _row(
        f"JSD, {size}",
        race(ours("JSD"), lambda: jensenshannon(gold, estimate, base=2, axis=-1) ** 2, rounds),
        "scipy.spatial.distance.jensenshannon, vectorised",
    )


def _classification(task: ClassificationTask, rounds: int) -> Iterator[Row]:
    n = len(task.classes)
    cells = [
        (task.gold[items], run[items])
        for run in task.predicted
        for items in (np.flatnonzero(task.topic == topic) for topic in range(len(task.topics)))
    ]

    def ours() -> object:
        confusion = task.confusion()
        return [m.function.from_confusion(confusion) for m in om.CLASSIFICATION.values()]

    def theirs() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about classes a topic does not have
            return [_theirs_by_call(gold, run, n) for gold, run in cells]

    yield _row(
        f"all classification measures, {len(task.gold):,} items, {len(task.topics)} topics, "
        f"{len(task.runs)} runs",
        race(ours, theirs, max(1, rounds - 2)),
        "a loop over scikit-learn and krippendorff",
        "at least 100",
        "Simulated labels. Ours counts the confusion matrices and computes all measures, "
        "theirs all but CEM_ORD, which neither library has.",
    )


def _theirs_by_call(gold: np.ndarray, run: np.ndarray, n: int) -> list[float]:
    """The measures that scikit-learn and krippendorff have, by their shortest calls."""
    classes, data = range(n), np.array([gold, run])
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        gold, run, labels=np.unique(gold), average="macro", zero_division=0
    )
    return [
        metrics.mean_absolute_error(gold, run),
        metrics.mean_absolute_error(gold, run, sample_weight=item_weights(gold)),
        metrics.cohen_kappa_score(gold, run, labels=classes, weights="linear"),
        metrics.cohen_kappa_score(gold, run, labels=classes, weights="quadratic"),
        krippendorff.alpha(data, value_domain=classes, level_of_measurement="ordinal"),
        krippendorff.alpha(data, value_domain=classes, level_of_measurement="interval"),
        f1,
        2 * precision * recall / max(precision + recall, 1e-300),
        metrics.accuracy_score(gold, run),
    ]


def _tukey(every: ScoreMatrix, scale: float, rounds: int) -> Iterator[Row]:
    single = every.select(every.measures[:1])
    scores, trials = single.values[0], _scaled(5000, scale)
    test = f"randomised Tukey HSD, {every.task}, B = "
    what = f"{test}{trials:,}"

    def ours(matrix: ScoreMatrix = single, trials: int = trials, threads: int = 1) -> Work:
        return lambda: tukey_hsd(matrix, trials, threads=threads)

    yield _row(
        what,
        race(ours(), lambda: _permuted_loop(scores, trials), rounds),
        "a numpy loop over rng.permuted",
        "at least 5",
        "One measure, one thread.",
    )
    batch = min(BATCHES, key=lambda b: _seconds(_scipy(scores, trials // 5 or 1, b), 1))
    yield _row(
        what,
        race(ours(), _scipy(scores, trials, batch), max(1, rounds - 3)),
        "scipy.stats.permutation_test",
        "at least 12",
        f"One measure, one thread; theirs in batches of {batch}, the fastest of "
        f"{', '.join(map(str, BATCHES))}.",
    )
    yield _row(
        f"{what}, {MEASURES} measures at once",
        race(ours(every), ours(), max(1, rounds - 2)),
        f"ours {MEASURES} times, one measure each",
        f"at least {MEASURES / 5}",
        "The figure wanted: at most 5 times the cost of one measure. One thread.",
        MEASURES,
    )
    many = _scaled(100_000, scale)
    yield _row(
        f"{test}{many:,}, two threads",
        race(ours(trials=many, threads=2), ours(trials=many), max(1, rounds - 3)),
        "ours with one thread",
        "at least 1.6",
        "The same bits.",
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


def _consistency(matrix: ScoreMatrix, scale: float, rounds: int) -> Iterator[Row]:
    splits = _scaled(1000, scale)
    part = max(1, splits // 10)

    def theirs() -> None:
        rng = np.random.default_rng(0)
        for _ in range(part):
            order = rng.permutation(len(matrix.topics))
            halves = [matrix.values[:, half].mean(axis=1) for half in np.array_split(order, 2)]
            for first, second in zip(*halves, strict=True):
                kendalltau(first, second)

    yield _row(
        f"ranking consistency, {splits:,} splits, {MEASURES} measures, {matrix.task}",
        race(lambda: ranking_consistency(matrix, splits=splits, threads=1), theirs, rounds),
        "a loop over scipy.stats.kendalltau",
        "at least 100",
        f"One thread; theirs on {part:,} splits, times {splits / part:g}.",
        splits / part,
    )


def _scaled(number: int, scale: float) -> int:
    return max(1, round(number * scale))


def machine() -> str:
    """Say when, on what and with which versions: ``2026-01-31 on ..., Python 3.11.7, ...``."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{datetime.date.today()} on {processor} ({os.cpu_count()} cores, one thread used "
        f"unless a row says two), "
        f"{platform.system()}, Python {platform.python_version()}, {versions}"
    )
