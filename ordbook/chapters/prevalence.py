"""What share of the answers is good, told by a judge: adjusted count and prediction-powered."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from ordbook.data.loading import load
from ordbook.data.tasks import ClassificationTask
from ordbook.papers.draws import committed_table
from ordbook.show.colours import ESTIMATE, GOLD, TIED, WIDTH

SET = "llmjudge"
GOOD = 2  # highly or perfectly relevant
LABELLED = 200
QUERIES = 8
Z = 1.959964
# Of passages: good to both, to the judge alone, to the people alone, to neither.
CELLS = ("both", "judge", "people", "neither")
METHODS = ("labels", "powered", "adjusted")

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Interval = tuple[Floats, Floats]  # estimate and standard error


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


def powered(sample: Counts, rest: Counts) -> Interval:
    """Estimate by power-tuned prediction-powered inference, which here is post-stratification."""
    size, others = sample.sum(axis=-1), rest.sum(axis=-1)
    all_yes = (sample + rest)[..., :2].sum(axis=-1) / (size + others)
    yes, no = sample[..., :2].sum(axis=-1), sample[..., 2:].sum(axis=-1)
    of_yes, of_no = sample[..., 0] / np.maximum(yes, 1), sample[..., 2] / np.maximum(no, 1)
    slope = of_yes - of_no
    said = yes / size
    tuned = slope * others / (size + others)
    share = (sample[..., 0] + sample[..., 2]) / size
    covariance = sample[..., 0] / size - share * said
    spread = share * (1 - share) - 2 * tuned * covariance + tuned**2 * said * (1 - said)
    rest_said = rest[..., :2].sum(axis=-1) / others
    variance = spread / (size - 1) + tuned**2 * rest_said * (1 - rest_said) / others
    return all_yes * of_yes + (1 - all_yes) * of_no, np.sqrt(variance)


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


def prevalence() -> pd.DataFrame:
    """Return the committed result of :func:`compute_prevalence`, with what follows from counts.

    ``share`` is the judge's own, ``naive`` whether its naive interval holds that of the people, and
    ``worth`` how many labels one label is worth by :func:`powered`, 1 / (1 - r^2), with r the
    correlation of the judge's and the people's answers.
    """
    table = committed_table("prevalence").set_index("run")
    both, judge, people, neither = (table[cell] for cell in CELLS)
    size = both + judge + people + neither
    share, good = (both + judge) / size, (both + people) / size
    spread = share * (1 - share)
    correlation: pd.Series = (both / size - share * good) / np.sqrt(spread * good * (1 - good))
    return table.assign(
        share=share,
        good=good,
        naive=(share - good).abs() <= Z * np.sqrt(spread / size),
        worth=1 / (1 - correlation**2),
    )


def answers(table: pd.DataFrame, judge: str) -> tuple[Floats, Floats]:
    """Return what people and a judge say of each passage, 1 for good, in the order of the cells."""
    counts = table.loc[judge, list(CELLS)].to_numpy(int)
    return np.repeat([1.0, 0, 1, 0], counts), np.repeat([1.0, 1, 0, 0], counts)


def prevalence_figure(
    table: pd.DataFrame, named: Mapping[str, tuple[int, int]], seed: int = 0
) -> Axes:
    """Draw the share that each judge states, and the interval of one random sample of labels.

    ``named`` has the judges that are named, and where their names stand, in points from the dot.
    """
    rng = np.random.default_rng(seed)
    table = table.sort_values("share")
    counts = table[list(CELLS)].to_numpy(int)
    sample = np.array([rng.multivariate_hypergeometric(row, LABELLED) for row in counts])
    share, error = powered(sample, counts - sample)
    _, axes = plt.subplots(figsize=(WIDTH, 3), layout="constrained")
    place = np.arange(len(table))
    axes.axhline(table["good"].iloc[0], color=GOLD, lw=2, zorder=0)
    axes.vlines(place, share - Z * error, share + Z * error, color=TIED, lw=2.4)
    axes.plot(place, table["share"], "o", color=ESTIMATE, mec="white", ms=6)
    line = {"arrowstyle": "-", "color": TIED, "lw": 0.8, "shrinkB": 3}
    for judge, offset in named.items():
        axes.annotate(
            judge,
            (table.index.get_loc(judge), table.loc[judge, "share"]),
            offset,
            textcoords="offset points",
            ha="right" if offset[0] < 0 else "left",
            va="center",
            fontsize=9,
            arrowprops=line,
        )
    axes.set(xlabel="judges, by the share that they state", ylabel="share of good passages")
    axes.set_xticks([])
    axes.set_ylim(0, None)
    axes.spines[["top", "right"]].set_visible(False)
    return axes
