"""How long ours takes and how long theirs, measured in turns in one process on one thread."""

import datetime
import os
import platform
import re
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
from scipy.stats import kendalltau, permutation_test
from sklearn import metrics

import ordbook.measures as om
from benchmarks.inputs import simulated_scores, simulated_task
from ordbook import ClassificationTask, ScoreMatrix, ranking_consistency, tukey_hsd
from ordbook.measures.registry import by_default

LIBRARIES = ("numpy", "numba", "scipy", "scikit-learn", "quapy", "mlquantify", "krippendorff")
CLASSES, MEASURES = 5, 13
BATCH = 100  # of SciPy's permutation test, the fastest of 10 to 1,000
Work = Callable[[], object]


@dataclass
class Race:
    """Two ways to do the same; theirs may do ``1/part`` of it."""

    what: str
    ours: Work
    theirs: Work
    against: str
    note: str = ""
    part: float = 1

    def row(self, turns: int) -> dict[str, str]:
        """Run both in turns, and return the best time of each, and their ratio, as a row.

        A time of ours is the mean of five runs in a row, so both have as many chances to meet an
        undisturbed moment. A turn that does not count comes first, to warm up caches and imports.
        """
        times = [
            [seconds(self.ours, 5), seconds(self.theirs, 1) * self.part] for _ in range(1 + turns)
        ]
        ours, theirs = np.min(times[1:], axis=0)
        # Three significant digits without an exponent: 0.00212, 1170.
        digits = {
            name: np.format_float_positional(float(f"{number:.3g}"), trim="-")
            for name, number in (("ours_s", ours), ("theirs_s", theirs), ("ratio", theirs / ours))
        }
        return {"what": self.what, **digits, "against": self.against, "note": self.note}


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
    measured, items = machine(), 300 if quick else 20_632
    matrix = simulated_scores(MEASURES, *((20, 5) if quick else (300, 22)))
    races = (
        *_quantification(200 if quick else 100_000),
        _classification(simulated_task(items, 10 if quick else 100)),
        _classification(simulated_task(items, 1)),
        _tukey(matrix.select(matrix.measures[:1]), 50 if quick else 5000),
        _consistency(matrix, 10 if quick else 1000),
    )
    for race in races:
        yield race.row(1 if quick else 3) | {"measured": measured}


def _quantification(rows: int) -> Iterator[Race]:
    """Measures of ``rows`` pairs of distributions over five classes."""
    gold, estimate = np.random.default_rng(0).dirichlet(np.ones(CLASSES), (2, rows))
    part = max(1, rows // 20)
    for measure, function, against in (
        (om.nmd, quapy.error.nmd, "quapy.error.nmd"),
        (om.rnod, mlq.RNOD, "mlquantify's RNOD"),
    ):
        yield Race(
            f"{measure.name}, {rows:,} x {CLASSES}",
            lambda f=measure: f(gold, estimate),
            lambda f=function: [f(gold[i], estimate[i]) for i in range(part)],
            f"a loop over {against}",
            f"Theirs on {part:,} rows, times {rows / part:g}.",
            rows / part,
        )
    yield Race(
        f"NMD, {rows:,} x {CLASSES}",
        lambda: om.nmd(gold, estimate),
        lambda: quapy.error.md(gold, estimate) / (CLASSES - 1),
        "quapy.error.md / 4, vectorised",
        "The like-for-like comparison; md checks one sum per row, ours every entry.",
    )
    yield Race(
        f"JSD, {rows:,} x {CLASSES}",
        lambda: om.jsd(gold, estimate),
        lambda: jensenshannon(gold, estimate, base=2, axis=-1) ** 2,
        "scipy.spatial.distance.jensenshannon, vectorised",
    )


def _classification(task: ClassificationTask) -> Race:
    topics, classes = len(task.topics), range(len(task.classes))
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
            return [_theirs_by_call(*cell, classes) for cell in cells]

    return Race(
        f"all classification measures, {len(task.gold):,} items, "
        f"{f'{topics} topics' if topics > 1 else 'no topics'}, {len(task.runs)} runs",
        ours,
        theirs,
        "a loop over scikit-learn and krippendorff",
        "Simulated labels. Ours counts the confusion matrices and computes all measures, "
        "theirs all but CEM_ORD, which neither library has.",
    )


def _theirs_by_call(gold: np.ndarray, run: np.ndarray, classes: range) -> list[float]:
    """The measures that scikit-learn and krippendorff have, by their shortest calls."""
    _, place, counts = np.unique(gold, return_inverse=True, return_counts=True)
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        gold, run, labels=np.unique(gold), average="macro", zero_division=0
    )
    return [
        metrics.mean_absolute_error(gold, run),
        metrics.mean_absolute_error(gold, run, sample_weight=1 / counts[place]),
        *(
            metrics.cohen_kappa_score(gold, run, labels=classes, weights=weights)
            for weights in ("linear", "quadratic")
        ),
        *(
            krippendorff.alpha([gold, run], value_domain=classes, level_of_measurement=level)
            for level in ("ordinal", "interval")
        ),
        f1,
        2 * precision * recall / max(precision + recall, 1e-300),
        metrics.accuracy_score(gold, run),
    ]


def _tukey(matrix: ScoreMatrix, trials: int) -> Race:
    scores = matrix.values[0]

    def largest(*samples: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.ptp(np.stack([s.mean(axis=axis) for s in samples]), axis=0)

    def by_scipy() -> object:
        return permutation_test(
            tuple(scores.T), largest, permutation_type="samples", vectorized=True,
            alternative="greater", n_resamples=trials, batch=BATCH, axis=-1, rng=0,
        )  # fmt: skip

    return Race(
        f"randomised Tukey HSD, {matrix.task}, B = {trials:,}",
        lambda: tukey_hsd(matrix, trials, threads=1),
        by_scipy,
        "scipy.stats.permutation_test",
        "One measure, one thread.",
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
        f"One thread; theirs on {part:,} splits, times {splits / part:g}.",
        splits / part,
    )


def machine() -> str:
    """State the date, the machine and the versions: ``2026-01-31 on ..., Python 3.11.7, ...``."""
    processor, information = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if information.exists():
        names = re.search(r"^model name\s*: (.+)$", information.read_text(encoding="utf-8"), re.M)
        processor = names[1] if names else processor
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{datetime.date.today()} on {processor} ({os.cpu_count()} cores, one thread used), "
        f"{platform.system()}, Python {platform.python_version()}, {versions}"
    )
