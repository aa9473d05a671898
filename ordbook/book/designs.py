"""How many topics: what fewer would have shown, what more would, and how sure that is.

Consistency is that of the papers: tau between the rankings of the runs by two disjoint samples
of k topics. Observed curves end where the topics do, at n/2 for consistency and at n for
discriminative power; beyond, a model speaks, that of :func:`ordbook.meta.design.extrapolate`.

Contents
--------
unfit                why no topic set can be designed from some scores
with_differences     the measures for which one can
sizes_within         numbers of topics up to the ones there are
sizes_beyond         numbers of topics from the ones there are up to a multiple of them
consistency_within   mean tau of two disjoint samples, by number of topics
consistency_beyond   the same, of new topics
held_out             extrapolate from half of the topics, compare with all of them
curves               observed and extrapolated curves, a panel per measure
power_curves         topic set size design: power by number of topics
tau_ways             intervals of tau between two measures: of runs, and of topics
tau_intervals        several confidence intervals of one tau
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import (
    LogLocator,
    MaxNLocator,
    MultipleLocator,
    NullFormatter,
    ScalarFormatter,
)
from scipy import stats

from ordbook.book.curves import style
from ordbook.book.pictures import ESTIMATE, GOLD, TIED, WIDTH, WRONG
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.design import design_power, extrapolate, subsample
from ordbook.meta.kendall import IntervalMethod, kendall_interval, kendall_tau, pair_signs
from ordbook.meta.significance import residual_variances

# With fewer topics a half cannot be split again, nor its variance be estimated.
FEWEST_TOPICS = 8
_BAND: dict[str, Any] = {
    "facecolor": GOLD,
    "alpha": 0.35,
    "hatch": "///",
    "edgecolor": "#8A5F00",
}


def unfit(scores: ScoreMatrix) -> str:
    """Say why no topic set can be designed from the scores; empty where one can."""
    _, topics, runs = scores.values.shape
    if runs < 3 or topics < FEWEST_TOPICS:
        return (
            f"{scores.task} has {runs} runs and {topics} topics; how runs and topics vary is "
            f"learnt from at least 3 runs and {FEWEST_TOPICS} topics"
        )
    if not _differing(scores):
        return f"{scores.task}: by every measure all runs are equal, or differ on all topics alike"
    return ""


def with_differences(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores by those measures for which a design exists.

    By the others all runs have the same mean, or differ by the same on every topic.
    """
    return scores.select(_differing(scores))


def _differing(scores: ScoreMatrix) -> list[str]:
    _, variances = residual_variances(scores.values)
    means = scores.values.mean(axis=1)
    return [
        measure
        for measure, variance, mean in zip(scores.measures, variances, means, strict=True)
        if variance > 0 and pair_signs(mean).any()
    ]


def sizes_within(most: int) -> list[int]:
    """Numbers of topics from 5 (or fewer) to `most`, each about 1.6 times the one before.

    Examples
    --------
    >>> sizes_within(100), sizes_within(4)
    ([5, 8, 13, 21, 34, 54, 100], [2, 4])
    """
    least = 5 if most >= 10 else 2
    steps = [round(least * 1.62**k) for k in range(30)]
    return [size for size in steps if size <= most / 1.3] + [most]


def sizes_beyond(least: int, times: float = 4) -> list[int]:
    """Numbers of topics from `least` to `times` as many.

    Examples
    --------
    >>> sizes_beyond(100)
    [100, 141, 200, 283, 400]
    """
    return sorted({round(least * times ** (k / 4)) for k in range(5)})


def consistency_within(
    scores: ScoreMatrix, sizes: Sequence[int], splits: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """Mean tau between two disjoint samples of k topics, k up to half of them.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, and low and high, which enclose 95%
        of the splits.
    """
    rows = []
    for size in sizes:
        tau = ranking_consistency(scores, size, splits, seed).tau
        low, high = tau.quantile(0.025), tau.quantile(0.975)
        rows += [(m, size, tau[m].mean(), low[m], high[m]) for m in scores.measures]
    return pd.DataFrame(rows, columns=["measure", "topics", "mean", "low", "high"])


def consistency_beyond(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    *,
    draws: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> pd.DataFrame:
    r"""Mean tau of two disjoint samples of k topics, if a new set of 2k topics is split in half.

    As :func:`ordbook.meta.design.extrapolate`, but with the covariances of the runs as observed,
    for two runs that err on the same topics are put in order by fewer topics. With
    :math:`\bar x` the mean scores (centred), S the covariances of the scores over topics after
    topic effects are removed, and :math:`\tau^2 = \max(0, \operatorname{var}(\bar x) -
    V_{E2}/n)`, each draw scales S by :math:`(n - 1)/\chi^2_{n-1}`, takes true effects from
    :math:`N(K \bar x, \tau^2 (I - K))`, :math:`K = \tau^2 (\tau^2 I + S/n)^{-1}`, and means of
    2k new topics around them. The mean over all ways to split these is then exact: the halves
    differ from the whole by :math:`\pm e`, and agree on runs i and j where :math:`|e| < |d|`,
    d being the difference of their means, so that the pair adds :math:`4\Phi(z) - 3` to tau,
    :math:`z = |d| \sqrt{2k / (S_{ii} + S_{jj} - 2 S_{ij})}`.

    Parameters
    ----------
    scores
        At least three runs and three topics.
    sizes
        Numbers of topics in each of the two samples.
    draws, seed
        Number of draws, and their key.
    level
        ``low`` and ``high`` enclose this share of the draws: uncertainty of the effects, of S
        and of the new topics together, so that the band is for what the same analysis of another
        topic set would find. That of tau^2 and of the model itself is not in it.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, low, high.
    """
    _, n, m = scores.values.shape
    rng = np.random.default_rng((seed, n, m))
    scaled = (n - 1) / rng.chisquare(n - 1, draws)[:, None]
    effects = rng.standard_normal((draws, m))
    noise = {size: rng.standard_normal((draws, m)) for size in sizes}
    first, second = np.triu_indices(m, 1)
    rows = []
    for k, v_e2 in enumerate(residual_variances(scores.values)[1]):
        means = scores.values[k].mean(axis=0)
        means = means - means.mean()
        between = max(0.0, float(means.var(ddof=1)) - v_e2 / n)
        cleared = scores.values[k] - scores.values[k].mean(axis=1, keepdims=True)
        covariances = np.cov(cleared, rowvar=False)
        # Along the eigenvectors everything is independent.
        lengths, axes = np.linalg.eigh(covariances)
        varying = np.maximum(lengths, 0.0) * scaled
        gain = between / np.where(between + varying > 0, between + varying / n, 1.0)
        true = gain * (means @ axes) + np.sqrt(between * (1 - gain)) * effects
        of_each = np.diag(covariances)
        spread = of_each[first] + of_each[second] - 2 * covariances[first, second]
        alike = spread <= 1e-12 * of_each.max()  # runs that differ by a constant, or not at all
        for size in sizes:
            seen = (true + np.sqrt(varying / (2 * size)) * noise[size]) @ axes.T
            apart = np.abs(seen[:, first] - seen[:, second])
            z = apart * np.sqrt(2 * size / (np.where(alike, 1.0, spread) * scaled))
            tau = np.where(alike, apart > 1e-9, 4 * stats.norm.cdf(z) - 3).mean(axis=1)
            low, high = np.quantile(tau, [(1 - level) / 2, (1 + level) / 2])
            rows.append((scores.measures[k], size, tau.mean(), low, high))
    return pd.DataFrame(rows, columns=["measure", "topics", "mean", "low", "high"])


def held_out(
    scores: ScoreMatrix, repeats: int = 40, draws: int = 500, seed: int = 0
) -> pd.DataFrame:
    """Extrapolate from random halves of the topics to all of them, where the truth is known.

    Returns
    -------
    DataFrame
        By measure, first for consistency, then for power: truth (tau of two halves; share of
        significant pairs with all topics), predicted (mean over the halves), error (root mean
        square) and inside (share of the halves whose 95% band holds the truth). The half is a
        part of all topics, which makes the task easier than a forecast of new ones.
    """
    n = len(scores.topics)
    half, everything = n // 2, [n]
    truth = {
        "consistency": consistency_within(scores, [half], seed=seed),
        "power": subsample(scores, everything, "power", repeats=1),
    }
    found: dict[str, list[pd.DataFrame]] = {kind: [] for kind in truth}
    for repeat in range(repeats):
        chosen = np.sort(np.random.default_rng((seed, repeat)).permutation(n)[:half])
        part = replace(
            scores,
            values=scores.values[:, chosen],
            topics=tuple(scores.topics[topic] for topic in chosen),
        )
        beyond = consistency_beyond(part, [half], draws=draws, seed=repeat)
        found["consistency"].append(beyond)
        found["power"].append(extrapolate(part, everything, "power", draws=draws, seed=repeat))
    rows = {}
    for kind, tables in found.items():
        true = truth[kind].set_index("measure")["mean"]
        for measure, group in pd.concat(tables).groupby("measure", sort=False):
            value = float(true[measure])
            inside = (group["low"] <= value + 1e-9) & (value <= group["high"] + 1e-9)
            error = float(((group["mean"] - value) ** 2).mean() ** 0.5)
            rows[kind, measure] = value, float(group["mean"].mean()), error, float(inside.mean())
    index = pd.MultiIndex.from_tuples(rows, names=["statistic", "measure"])
    return pd.DataFrame(
        list(rows.values()), index=index, columns=["truth", "predicted", "error", "inside"]
    )


def curves(
    within: pd.DataFrame,
    beyond: pd.DataFrame,
    label: str,
    points: Mapping[str, tuple[float, float, float]] | None = None,
) -> Figure:
    """Draw observed and extrapolated curves, a panel per measure.

    Parameters
    ----------
    within, beyond
        Columns measure, topics, mean, low and high. The bands of ``beyond`` are drawn.
    label
        What the curves show.
    points
        Measure -> value, low and high at the most topics of ``within``: the statistic computed
        in another way.
    """
    measures = list(dict.fromkeys(within["measure"]))
    columns = 2 if len(measures) > 1 else 1
    rows = -(-len(measures) // columns)
    figure, panels = plt.subplots(
        rows,
        columns,
        figsize=(WIDTH + 0.4, 1.75 * rows + 0.9),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes in panels.ravel()[len(measures) :]:
        axes.remove()
    for axes, measure in zip(panels.ravel(), measures, strict=False):
        seen = within[within["measure"] == measure]
        new = beyond[beyond["measure"] == measure]
        axes.fill_between(new["topics"], new["low"], new["high"], lw=0, **_BAND)
        axes.plot(new["topics"], new["mean"], "--", color=WRONG, lw=2)
        axes.plot(seen["topics"], seen["mean"], "-o", color=ESTIMATE, lw=2, ms=5)
        axes.axvline(seen["topics"].max(), color=TIED, lw=1, ls=":")
        if measure in (points or {}):
            value, low, high = (points or {})[measure]
            axes.errorbar(
                seen["topics"].max(),
                value,
                [[value - low], [high - value]],
                fmt="D",
                mfc="white",
                mec="black",
                ecolor="black",
                ms=6,
                zorder=3,
            )
        axes.set_title(measure, loc="left", fontsize="medium", fontweight="bold")
        axes.set(xscale="log")
        sns.despine(ax=axes)
    at = np.unique([within["topics"].min(), within["topics"].max(), beyond["topics"].max()])
    last = panels[0, 0]
    last.set_xticks(at, [str(size) for size in at])
    last.xaxis.set_minor_formatter(NullFormatter())
    lowest = min(float(beyond["low"].min()), float(within["mean"].min()))
    last.set_ylim(np.floor(4 * lowest) / 4, 1.04)
    last.yaxis.set_major_locator(MultipleLocator(0.25))
    figure.supxlabel("topics", fontsize="medium")
    figure.supylabel(label, fontsize="medium")
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=ESTIMATE, marker="o", lw=2, ms=5, label="observed"),
        Line2D([], [], color=WRONG, ls="--", lw=2, label="extrapolated"),
        Patch(label="95% band", **_BAND),
    ]
    if points:
        mark: dict[str, Any] = {"marker": "D", "mfc": "white", "mec": "black", "ls": "", "ms": 6}
        handles.append(Line2D([], [], label="randomised test", **mark))
    figure.legend(
        handles=handles, loc="outside upper center", ncols=2, frameon=False, columnspacing=1.2
    )
    return figure


def power_curves(
    design: pd.DataFrame,
    runs: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    measures: Iterable[str] | None = None,
) -> Axes:
    """Draw the chance to find a difference by the number of topics, a curve per measure.

    Parameters
    ----------
    design
        From :func:`ordbook.meta.design.topic_set_size`, of the paired design.
    runs
        m.
    alpha, power
        As the design was made: ``power`` is drawn as a line.
    measures
        Which rows, by default all. The legend gives the number of topics needed.
    """
    chosen = design if measures is None else design.loc[list(measures)]
    most = max(int(chosen["topics"].max() * 1.6), 6)
    sizes = np.unique(np.geomspace(2, most, 60).astype(int))
    _, axes = plt.subplots(figsize=(WIDTH + 0.8, 3.6), layout="constrained")
    for k, (measure, row) in enumerate(chosen.iterrows()):
        values = [
            design_power(row["variance"], row["difference"], int(size), runs, alpha=alpha)
            for size in sizes
        ]
        axes.plot(
            sizes,
            values,
            lw=1.8,
            ms=6,
            mec="white",
            mew=0.6,
            markevery=(4 + 2 * k % 10, 10),
            label=f"{measure}: {int(row['topics'])}",
            **style(k),
        )
    axes.axhline(power, color=TIED, lw=1, zorder=1)
    axes.set(xlabel="topics", ylabel="power", ylim=(0, 1.03), xscale="log")
    axes.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    sns.despine(ax=axes)
    axes.legend(
        title="topics needed",
        frameon=False,
        loc="center left",
        bbox_to_anchor=(1, 0.5),
        handlelength=3,
    )
    return axes


def tau_ways(
    scores: ScoreMatrix, first: str, second: str, resamples: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """Intervals of tau between the rankings of the runs by two measures, 95% each.

    Three take the runs for a sample of runs, on these topics; the last takes the topics for a
    sample of topics, and these runs.

    Returns
    -------
    DataFrame
        By way: tau, low and high; not numbers where there are too few runs for it.
    """
    signs = [-1.0 if scores.better[measure] == "low" else 1.0 for measure in (first, second)]
    both = scores.select([first, second]).values * np.array(signs)[:, None, None]
    x, y = both.mean(axis=1)
    runs, topics = len(scores.runs), len(scores.topics)
    rows: dict[str, tuple[float, float, float]] = {}
    tau, none = kendall_tau(x, y), (np.nan, np.nan)
    options: dict[str, Any] = {"variant": "a", "resamples": resamples, "seed": seed}
    ways: tuple[tuple[IntervalMethod, int], ...]
    ways = (("fieller", 5), ("asymptotic", 3), ("bootstrap", 3))
    for method, least in ways:
        limits = kendall_interval(x, y, method=method, **options) if runs >= least else none
        name = method.replace("fieller", "Fieller")
        rows[f"runs, {name}"] = (tau, *limits)
    rng = np.random.default_rng((seed, topics, runs))
    drawn = [both[:, rng.integers(0, topics, topics)].mean(axis=1) for _ in range(resamples)]
    taus = (pair_signs(np.array(drawn)[:, 0]) * pair_signs(np.array(drawn)[:, 1])).mean(axis=1)
    low, high = np.quantile(taus, [0.025, 0.975])
    rows["topics, bootstrap"] = (tau, float(low), float(high))
    return pd.DataFrame.from_dict(rows, orient="index", columns=["tau", "low", "high"])


def tau_intervals(intervals: pd.DataFrame, label: str = "Kendall's tau") -> Axes:
    """Draw intervals of tau, a line each.

    Parameters
    ----------
    intervals
        Index: what the interval is; columns tau, low, high. Rows with a limit that is no number
        are drawn as a point.
    """
    _, axes = plt.subplots(figsize=(WIDTH + 0.8, 0.8 + 0.42 * len(intervals)), layout="constrained")
    for y, (tau, low, high) in enumerate(intervals[["tau", "low", "high"]].to_numpy()):
        if np.isfinite([low, high]).all():
            axes.plot((low, high), (y, y), "-|", color=ESTIMATE, lw=2.4, ms=11, mew=2)
        axes.plot(tau, y, "D", color="black", ms=7)
    axes.axvline(1, color=TIED, lw=1, ls=":")
    axes.set_yticks(np.arange(len(intervals)), list(intervals.index))
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.invert_yaxis()
    axes.margins(y=0.15)
    axes.tick_params(axis="y", length=0)
    sns.despine(ax=axes, left=True)
    return axes
