"""How long ours takes and how long theirs, measured in turns in one process on one thread."""

import datetime
import os
import platform
import subprocess
import sys
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
from scipy.stats import kendalltau, wasserstein_distance
from sklearn import metrics

import ordbook.measures as om
from benchmarks.inputs import simulated_task
from benchmarks.labels import item_weights
from ordbook import ClassificationTask

COLUMNS = ("what", "ours_s", "theirs_s", "ratio", "wanted", "against", "note", "measured")
LIBRARIES = ("numpy", "numba", "scipy", "scikit-learn", "quapy", "mlquantify", "krippendorff")
CLASSES = 5
Work = Callable[[], object]


def race(ours: Work, theirs: Work | None = None, rounds: int = 5) -> tuple[float, float]:
    """Run both in turns, and give the best time of each in seconds (nan without theirs).

    A time of ours is the mean of five runs in a row, so both have as many chances to meet an
    undisturbed moment. A turn that does not count comes first, to warm up caches and imports.
    """
    times = [[_seconds(ours, 5), _seconds(theirs, 1)] for _ in range(rounds + 1)]
    best = np.min(times[1:], axis=0)
    return float(best[0]), float(best[1])


def _seconds(work: Work | None, runs: int) -> float:
    """Mean time of ``runs`` runs in a row."""
    if work is None:
        return float("nan")
    start = perf_counter()
    for _ in range(runs):
        work()
    return (perf_counter() - start) / runs


def table(
    rows: int = 100_000, task: ClassificationTask | None = None, rounds: int = 5
) -> Iterator[dict[str, str]]:
    """Measure everything, yielding one row of ``timings.csv`` after the other.

    Parameters
    ----------
    rows
        Pairs of distributions over five classes.
    task
        The classification task; by default the simulated one.
    rounds
        Turns of every race; fewer where a turn takes seconds.
    """
    measured = machine()
    for measurement in chain(
        _quantification(rows, rounds),
        _classification(task or simulated_task(), rounds),
        _import(rounds),
    ):
        yield measurement | {"measured": measured}


def row(
    what: str,
    times: tuple[float, float],
    wanted: str = "",
    against: str = "",
    note: str = "",
    scale: float = 1.0,
) -> dict[str, str]:
    """One row; ``scale`` times theirs, which ran on a part of the input."""
    ours, theirs = times[0], times[1] * scale
    return {
        "what": what,
        "ours_s": _digits(ours),
        "theirs_s": _digits(theirs) if against else "",
        "ratio": _digits(theirs / ours) if against else "",
        "wanted": wanted,
        "against": against,
        "note": note,
    }


def _digits(value: float) -> str:
    """Three significant digits without an exponent: ``0.00212``, ``1170``."""
    return np.format_float_positional(float(f"{value:.3g}"), trim="-")


def _quantification(rows: int, rounds: int) -> Iterator[dict[str, str]]:
    gold, estimate = np.random.default_rng(0).dirichlet(np.ones(CLASSES), (2, rows))
    size = f"{rows:,} x {CLASSES}"

    def loop(function: Callable[..., object], part: int = rows) -> Work:
        return lambda: [function(gold[i], estimate[i]) for i in range(part)]

    def ours(name: str) -> Work:
        return lambda: om.QUANTIFICATION[name].function(gold, estimate)

    everything = [m.function for m in om.QUANTIFICATION.values()]
    yield row(
        f"all 13 quantification measures, {size}",
        race(lambda: [f(gold, estimate) for f in everything], rounds=rounds),
        "at most 0.25 s",
        note="Each validates its input again.",
    )
    for name, function, against, wanted in (
        ("NMD", quapy.error.nmd, "a loop over quapy.error.nmd", "at least 150"),
        ("RNOD", mlq.RNOD, "a loop over mlquantify's RNOD", "at least 60"),
        ("NMD", mlq.NMD, "a loop over mlquantify's NMD", ""),
    ):
        times = race(ours(name), loop(function), max(1, rounds - 2))
        yield row(f"{name}, {size}", times, wanted, against)
    yield row(
        f"NMD, {size}",
        race(ours("NMD"), lambda: quapy.error.md(gold, estimate) / (CLASSES - 1), rounds),
        against="quapy.error.md / 4, vectorised",
        note="The like-for-like comparison; md checks one sum per row, ours every entry.",
    )
    yield row(
        f"JSD, {size}",
        race(ours("JSD"), lambda: jensenshannon(gold, estimate, base=2, axis=-1) ** 2, rounds),
        against="scipy.spatial.distance.jensenshannon, vectorised",
    )
    positions = np.arange(CLASSES)
    for name, function, against in (
        (
            "NMD",
            lambda g, p: wasserstein_distance(positions, positions, g, p),
            "a loop over scipy.stats.wasserstein_distance",
        ),
        ("DNKT", lambda g, p: kendalltau(g, p), "a loop over scipy.stats.kendalltau"),
    ):
        part = max(1, rows // 20)
        yield row(
            f"{name}, {size}",
            race(ours(name), loop(function, part), rounds),
            against=against,
            note=f"Theirs on {part:,} rows, times {rows / part:g}.",
            scale=rows / part,
        )


def _classification(task: ClassificationTask, rounds: int) -> Iterator[dict[str, str]]:
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
            return [_eight_measures(gold, run, n) for gold, run in cells]

    yield row(
        f"nine classification measures, {len(task.gold):,} items, {len(task.topics)} topics, "
        f"{len(task.runs)} runs",
        race(ours, theirs, max(1, rounds - 2)),
        "at least 100",
        "a loop over scikit-learn and krippendorff",
        "Simulated labels. Ours counts the confusion matrices and computes nine measures, "
        "theirs eight: neither library has CEM_ORD.",
    )


def _eight_measures(gold: np.ndarray, run: np.ndarray, n: int) -> list[float]:
    """The eight measures that scikit-learn and krippendorff have, by their shortest calls."""
    classes, data = range(n), np.array([gold, run])
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        gold, run, labels=np.unique(gold), average="macro", zero_division=0
    )
    return [
        metrics.mean_absolute_error(gold, run),
        metrics.mean_absolute_error(gold, run, sample_weight=item_weights(gold)),
        metrics.cohen_kappa_score(gold, run, labels=classes, weights="linear"),
        krippendorff.alpha(data, value_domain=classes, level_of_measurement="ordinal"),
        krippendorff.alpha(data, value_domain=classes, level_of_measurement="interval"),
        f1,
        2 * precision * recall / max(precision + recall, 1e-300),
        metrics.accuracy_score(gold, run),
    ]


def _import(rounds: int) -> Iterator[dict[str, str]]:
    program = (
        "import numpy, time; start = time.perf_counter(); import ordbook; "
        "print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-c", program]
    root = Path(__file__).resolve().parents[1]
    times = [
        float(subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout)
        for _ in range(rounds + 1)
    ]
    yield row(
        "import ordbook, after import numpy",
        (min(times[1:]), float("nan")),
        "at most 0.1 s",
        note="A new process each time; it loads the measures, and numpy is all they need.",
    )


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
