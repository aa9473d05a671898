"""The chapter on numbers of topics: the scores of its design, and its figures."""

from collections.abc import Iterable, Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from ordbook.chapters.real import simulated_scores
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import Measure
from ordbook.meta.topic_set_size import (
    design_power,
    shrunk_spread,
    topics_needed,
    unfit,
    with_differences,
)
from ordbook.meta.variances import residual_variances
from ordbook.show import charts
from ordbook.show.colours import TIED, WIDTH

# What figures show of all measures, those recommended among them.
_DRAWN = (
    *("kappa", "MAE_M", "MAE_mu", "CEM_ORD", "F1_M", "accuracy"),
    *("RPS", "NMD", "RNOD", "RSNOD", "JSD", "DNKT"),
)


def comparable(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores by those measures for which a design exists.

    Raises
    ------
    ValueError
        If there is none, or there are too few runs or topics.
    """
    if reason := unfit(scores):
        raise ValueError(reason)
    return with_differences(scores)


def drawn(scores: ScoreMatrix, own: Iterable[Measure] = ()) -> list[str]:
    """Return the measures that figures show: six of the book's, and the reader's own."""
    names = (*_DRAWN, *(measure.name for measure in own))
    return [name for name in names if name in scores.measures]


def power_after_pilots() -> dict[str, float]:
    """Simulate the power of topic sets that were designed from pilots, for a power of 0.8.

    Each of 500 pilots has 12 topics and 12 runs, whose true means have a standard deviation of 0.3
    of that of the residuals.

    Returns
    -------
    dict
        ``observed`` and ``shrunk``: the mean power, for the true distance of best and worst run, of
        a design for the observed distance or for the shrunk one. Only pilots count in which the
        runs differ by more than chance explains; ``share`` is the share of these pilots.
    """
    pilots, topics, runs = 500, 12, 12
    rng = np.random.default_rng(0)
    true = 0.3 * rng.standard_normal((pilots, runs))
    simulated = simulated_scores(true[:, None] + rng.standard_normal((pilots, topics, runs)))
    some = with_differences(simulated)
    spread = pd.Series(np.ptp(true, axis=1), index=simulated.measures)[list(some.measures)]
    variance = residual_variances(some.values)[1]
    spreads = {"observed": np.ptp(some.values.mean(axis=1), axis=1), "shrunk": shrunk_spread(some)}
    power = {}
    for name, differences in spreads.items():
        sizes = [topics_needed(v, d, runs) for v, d in zip(variance, differences, strict=True)]
        power[name] = float(
            np.mean([design_power(1.0, d, n, runs) for d, n in zip(spread, sizes, strict=True)])
        )
    return {**power, "share": len(some.measures) / pilots}


def curves(
    parts: Mapping[str, pd.DataFrame],
    label: str,
    points: Mapping[str, Mapping[str, float]] | None = None,
) -> Figure:
    """Draw a curve over the number of topics for each measure, a panel for each kind of task.

    Parameters
    ----------
    parts
        Title of a panel -> columns measure, topics and mean.
    label
        What the curves show.
    points
        Title -> measure -> value at the most topics: the statistic computed in another way.
    """
    figure, panels = plt.subplots(
        len(parts), figsize=(WIDTH, 0.5 + 2.9 * len(parts)), squeeze=False, layout="constrained"
    )
    lowest = np.floor(4 * min(within["mean"].min() for within in parts.values())) / 4
    for axes, (title, within) in zip(panels[:, 0], parts.items(), strict=True):
        table = within.pivot_table("mean", "topics", "measure")
        ends = [int(table.index[0]), int(table.index[-1])]
        axes.set(xscale="log", ylim=(lowest, 1.04), xlabel="topics", ylabel=label)
        axes.set_xlim(ends[0], ends[1] * 1.02)
        axes.set_xticks(ends, [str(number) for number in ends])
        axes.xaxis.set_minor_formatter(NullFormatter())
        charts.curves(table, axes)
        seen = points[title] if points else {}
        for measure in table.columns.intersection([*seen]):
            axes.plot(ends[-1], seen[measure], "D", mfc="white", mec=TIED, zorder=4)
        axes.set_title(title, loc="left", fontsize="medium", fontweight="bold")
    return figure
