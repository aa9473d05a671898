"""How long ours takes and how long theirs, measured in turns in one process on one thread."""

import datetime
import os
import platform
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
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
from benchmarks.inputs import TOPICS, simulated_scores, simulated_task
from benchmarks.labels import item_weights
from ordbook import ClassificationTask, ScoreMatrix, ranking_consistency, tukey_hsd
from ordbook.measures.registry import by_default

COLUMNS = ("what", "ours_s", "theirs_s", "ratio", "wanted", "against", "note", "measured")
LIBRARIES = ("numpy", "numba", "scipy", "scikit-learn", "quapy", "mlquantify", "krippendorff")
CLASSES, MEASURES = 5, 13
BATCHES = (10, 30, 100, 300, 1000)
Work = Callable[[], object]


@dataclass
class Race:
    """Two ways to do the same, and how many turns they take; theirs may do ``1/part`` of it."""

    what: str
    ours: Work
    theirs: Work
    against: str
    wanted: str = ""
    note: str = ""
    part: float = 1
    turns: int = 5

    def row(self, turns: int | None = None) -> dict[str, str]:
        """Run both in turns, and return the best time of each, and their ratio, as a row.

        A time of ours is the mean of five runs in a row, so both have as many chances to meet an
        undisturbed moment. A turn that does not count comes first, to warm up caches and imports.
        """
        times = [
            [seconds(self.ours, 5), seconds(self.theirs, 1) * self.part]
            for _ in range(1 + (turns or self.turns))
        ]
        ours, theirs = np.min(times[1:], axis=0)
        numbers = {"ours_s": ours, "theirs_s": theirs, "ratio": theirs / ours}
        words = {"wanted": self.wanted, "against": self.against, "note": self.note}
        # Three significant digits without an exponent: 0.00212, 1170.
        digits = {
            name: np.format_float_positional(float(f"{number:.3g}"), trim="-")
            for name, number in numbers.items()
        }
        return {"what": self.what, **digits, **words}


def seconds(work: Work, runs: int) -> float:
    """Mean time of ``runs`` runs in a row."""
    start = perf_counter()
    for _ in range(runs):
        work()
    return (perf_counter() - start) / runs


def table(quick: bool = False) -> Iterator[dict[str, str]]:
    """Measure everything, yielding one row of ``timings.csv`` after the other.

    ``quick`` takes tiny sizes, whose numbers mean nothing.
    """
    measured = machine()
    scale = 0.01 if quick else 1
    matrix = simulated_scores(MEASURES, *((20, 5) if quick else (300, 22)))
    task, pool = (
        simulated_task(300, topics, 2) if quick else simulated_task(topics=topics)
        for topics in (10 if quick else TOPICS, 1)
    )
    races = (
        *_quantification(200 if quick else 100_000),
        _classification(task, "at least 100"),
        _classification(pool, "at least 20"),
        *_tukey(matrix, round(5000 * scale), round(100_000 * scale)),
        _consistency(matrix, round(1000 * scale)),
    )
    for race in races:
        yield race.row(1 if quick else None) | {"measured": measured}


def _quantification(rows: int) -> Iterator[Race]:
    """Measures of ``rows`` pairs of distributions over five classes."""
    gold, estimate = np.random.default_rng(0).dirichlet(np.ones(CLASSES), (2, rows))
    size, part, places = f"{rows:,} x {CLASSES}", max(1, rows // 20), np.arange(CLASSES)

    def ours(name: str) -> Work:
        return lambda: om.QUANTIFICATION[name](gold, estimate)

    for name, function, against, wanted in (
        ("NMD", quapy.error.nmd, "quapy.error.nmd", "at least 150"),
        ("RNOD", mlq.RNOD, "mlquantify's RNOD", "at least 60"),
        ("NMD", mlq.NMD, "mlquantify's NMD", ""),
        (
            "NMD",
            lambda g, p: wasserstein_distance(places, places, g, p),
            "scipy.stats.wasserstein_distance",
            "",
        ),
        (
            "RPS",
            lambda g, p: energy_distance(places, places, g, p) ** 2 / 2 / (CLASSES - 1),
            "scipy.stats.energy_distance",
            "",
        ),
        ("DNKT", kendalltau, "scipy.stats.kendalltau", ""),
    ):
        yield Race(
            f"{name}, {size}",
            ours(name),
            lambda f=function: [f(gold[i], estimate[i]) for i in range(part)],
            f"a loop over {against}",
            wanted,
            f"Theirs on {part:,} rows, times {rows / part:g}.",
            rows / part,
        )
    yield Race(
        f"NMD, {size}",
        ours("NMD"),
        lambda: quapy.error.md(gold, estimate) / (CLASSES - 1),
        "quapy.error.md / 4, vectorised",
        note="The like-for-like comparison; md checks one sum per row, ours every entry.",
    )
    yield Race(
        f"NMD with steps, {size}",
        lambda: om.nmd(gold, estimate, steps=np.arange(1, CLASSES)),
        ours("NMD"),
        "ours without steps",
    )
    yield Race(
        f"RPS, {size}",
        ours("RPS"),
        ours("NMD"),
        "our NMD, which adds absolute differences of the same cumulatives",
    )
    yield Race(
        f"JSD, {size}",
        ours("JSD"),
        lambda: jensenshannon(gold, estimate, base=2, axis=-1) ** 2,
        "scipy.spatial.distance.jensenshannon, vectorised",
    )


def _classification(task: ClassificationTask, wanted: str) -> Race:
    topics = len(task.topics)
    cells = [
        (task.gold[items], run[items])
        for run in task.predicted
        for items in (np.flatnonzero(task.topic == topic) for topic in range(topics))
    ]

    def ours() -> object:
        confusion = task.confusion()
        return [m.from_confusion(confusion) for m in by_default("classification").values()]

    def theirs() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about classes a topic does not have
            return [_theirs_by_call(*cell, range(len(task.classes))) for cell in cells]

    return Race(
        f"all classification measures, {len(task.gold):,} items, "
        f"{f'{topics} topics' if topics > 1 else 'no topics'}, {len(task.runs)} runs",
        ours,
        theirs,
        "a loop over scikit-learn and krippendorff",
        wanted,
        "Simulated labels. Ours counts the confusion matrices and computes all measures, "
        "theirs all but CEM_ORD, which neither library has.",
        turns=3,
    )


def _theirs_by_call(gold: np.ndarray, run: np.ndarray, classes: range) -> list[float]:
    """The measures that scikit-learn and krippendorff have, by their shortest calls."""
    data = np.array([gold, run])
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


def _tukey(every: ScoreMatrix, trials: int, many: int) -> Iterator[Race]:
    single = every.select(every.measures[:1])
    scores = single.values[0]
    what = f"randomised Tukey HSD, {every.task}, B = "

    def ours(matrix: ScoreMatrix = single, trials: int = trials, threads: int = 1) -> Work:
        return lambda: tukey_hsd(matrix, trials, threads=threads)

    yield Race(
        f"{what}{trials:,}",
        ours(),
        lambda: _permuted_loop(scores, trials),
        "a numpy loop over rng.permuted",
        "at least 2",
        "One measure, one thread.",
    )
    batch = min(BATCHES, key=lambda b: seconds(_scipy(scores, trials // 5 or 1, b), 1))
    yield Race(
        f"{what}{trials:,}",
        ours(),
        _scipy(scores, trials, batch),
        "scipy.stats.permutation_test",
        "at least 4",
        f"One measure, one thread; theirs in batches of {batch}, the fastest of "
        f"{', '.join(map(str, BATCHES))}.",
        turns=2,
    )
    yield Race(
        f"{what}{trials:,}, {MEASURES} measures at once",
        ours(every),
        ours(),
        f"ours {MEASURES} times, one measure each",
        f"at least {MEASURES / 5}",
        "The figure wanted: at most 5 times the cost of one measure. One thread.",
        MEASURES,
        turns=3,
    )
    yield Race(
        f"{what}{many:,}, two threads",
        ours(trials=many, threads=2),
        ours(trials=many),
        "ours with one thread",
        "at least 1.4",
        "The same bits.",
        turns=2,
    )


def _permuted_loop(scores: np.ndarray, trials: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    ranges = np.empty(trials)
    for trial in range(trials):
        ranges[trial] = np.ptp(rng.permuted(scores, axis=1).mean(axis=0))
    means = scores.mean(axis=0)
    differences = np.abs(means[:, None] - means)
    return trials - np.searchsorted(np.sort(ranges), differences)


def _scipy(scores: np.ndarray, trials: int, batch: int) -> Work:
    def largest(*samples: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.ptp(np.stack([s.mean(axis=axis) for s in samples]), axis=0)

    options = {"permutation_type": "samples", "vectorized": True, "alternative": "greater"}
    return lambda: permutation_test(
        tuple(scores.T), largest, n_resamples=trials, batch=batch, axis=-1, rng=0, **options
    )


def _consistency(matrix: ScoreMatrix, splits: int) -> Race:
    part = max(1, splits // 10)

    def theirs() -> None:
        rng = np.random.default_rng(0)
        for _ in range(part):
            order = rng.permutation(len(matrix.topics))
            halves = [matrix.values[:, half].mean(axis=1) for half in np.array_split(order, 2)]
            for first, second in zip(*halves, strict=True):
                kendalltau(first, second)

    return Race(
        f"ranking consistency, {splits:,} splits, {MEASURES} measures, {matrix.task}",
        lambda: ranking_consistency(matrix, splits=splits, threads=1),
        theirs,
        "a loop over scipy.stats.kendalltau",
        "at least 30",
        f"One thread; theirs on {part:,} splits, times {splits / part:g}.",
        splits / part,
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
