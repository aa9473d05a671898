"""The share of good answers by a judge: adjusted count and prediction-powered."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from ordbook.papers.draws import committed_table
from ordbook.show.colours import ESTIMATE, GOLD, TIED, WIDTH

LABELLED = 200
Z = 1.959964
# Of passages: good to both, to the judge alone, to the people alone, to neither.
CELLS = ("both", "judge", "people", "neither")

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Interval = tuple[Floats, Floats]  # estimate and standard error


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


def prevalence() -> pd.DataFrame:
    """Return by judge the counts of ``CELLS``, how often intervals hold the share, and more.

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
    """Return the answers of people and of a judge, 1 for good, in the order of the cells."""
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
