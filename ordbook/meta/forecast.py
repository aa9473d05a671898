"""What more topics would show: consistency and discriminative power, from a normal model.

Both forecasts are for a new set of topics of the same kind. Their bands hold what is unknown
about the runs, and what would differ from topic set to topic set.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.parallel import CHUNK, Progress, in_chunks
from ordbook.meta.subsampling import (
    Null,
    check_options,
    check_sizes,
    consistency_within,
    critical_range,
    curve,
    significant_share,
    subsample,
)
from ordbook.meta.topic_set_size import MOST_TOPICS, check_enough, design_variances
from ordbook.meta.validation import whole_number
from ordbook.meta.variances import pair_slack, residual_variances, run_slack

# Differences of so many run pairs and draws are held at a time.
BLOCK = 1 << 21


def sizes_beyond(least: int, times: float = 4) -> list[int]:
    """Numbers of topics from `least` to `times` as many.

    Examples
    --------
    >>> sizes_beyond(100)
    [100, 141, 200, 283, 400]
    """
    return sorted({round(least * times ** (k / 4)) for k in range(5)})


def consistency_beyond(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    *,
    draws: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    r"""Forecast the mean tau of the two halves of a new set of 2k topics.

    The model is that of :func:`power_beyond`, but with the observed covariances of the runs,
    because fewer topics suffice to order two runs that err on the same topics. With
    :math:`\bar x` the mean scores (centred), S the covariances of the scores over topics
    without topic effects, and
    :math:`\tau^2 = \max(0, \operatorname{var}(\bar x) - V_{E2}/n)`, each draw scales S by
    :math:`(n - 1)/\chi^2_{n-1}`, takes true effects from :math:`N(K \bar x, \tau^2 (I - K))`,
    :math:`K = \tau^2 (\tau^2 I + S/n)^{-1}`, and means of 2k new topics around them. The
    mean over all ways to split these is then exact: the halves differ from the whole by
    :math:`\pm e`, and agree on runs i and j where :math:`|e| < |d|`, d being the difference of
    their means, so that the pair adds :math:`4\Phi(z) - 3` to tau, :math:`z = |d| \sqrt{2k /
    (S_{ii} + S_{jj} - 2 S_{ij})}`.

    Parameters
    ----------
    scores
        At least three runs and three topics.
    sizes
        Numbers of topics in each of the two samples, at least 1.
    draws, seed
        Number of draws, and the key of the random numbers. Those of draw d are keyed by (seed, d)
        and, for size k, by (seed, d, k), so that neither other sizes nor more draws change them.
        All measures see the same numbers.
    level
        ``low`` and ``high`` enclose this share of the draws. The band is for what the same
        analysis of another topic set would find: it holds the uncertainty of the effects, of S
        and of the new topics, but not that of tau^2 and of the model itself.
    threads
        By default one per processor; the result does not depend on it.
    progress
        Called now and then as ``progress(done, all)``, in measures times sizes.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, low, high.

    Notes
    -----
    One variance for all runs, as in :func:`power_beyond`, does not suffice here. In forecasts from
    halves of Sem16T4C and Sem16T4E for all of their topics (:func:`held_out`), at least 92% of the
    bands hold the truth by every measure. With one variance none does by JSD (predicted .82, true
    .94), 53% by MAE_mu and 78% by kappa. Covariances are not always better: by 14 of the 22
    measures the simpler model comes closer, by up to .04 in root mean square, because few topics
    make covariances uncertain. See :func:`held_out` for other data.
    """
    check_options(level=level)
    chosen = _checked(scores, sizes, draws, seed, least=1)
    _, n, m = scores.values.shape
    uniform, effects = _draws(seed, draws, m)
    scaled = (n - 1) / stats.chi2.ppf(uniform, n - 1)[:, None]
    noise = {size: _noise(seed, draws, size, m) for size in chosen}
    models = [
        _model(values, error, scaled, effects)
        for values, error in zip(
            scores.values, residual_variances(scores.values)[1] / n, strict=True
        )
    ]
    first, second = np.triu_indices(m, 1)
    largest = np.abs(scores.values).max(axis=(1, 2))
    # So many draws at a time; the bits of a draw are its own.
    step = max(1, BLOCK // len(first))

    def cell(k: int, size: int) -> NDArray[np.float64]:
        true, varying, axes, spread, alike = models[k]
        tau = np.empty(draws)
        for start in range(0, draws, step):
            rows = slice(start, start + step)
            seen = true[rows] + np.sqrt(varying[rows] / (2 * size)) * noise[size][rows, :m]
            # einsum and not @, whose bits depend on the number of rows.
            seen = np.einsum("da,ra->dr", seen, axes)
            apart = np.abs(seen[:, first] - seen[:, second])
            z = apart * np.sqrt(2 * size / (np.where(alike, 1.0, spread) * scaled[rows]))
            tau[rows] = np.where(alike, apart > 1e-9 * largest[k], 4 * special.ndtr(z) - 3).mean(
                axis=1
            )
        return tau

    found = _cells(scores.measures, chosen, cell, threads, progress)
    return curve(scores.measures, chosen, found, level)


def _model(
    values: NDArray[np.float64],
    error: float,
    scaled: NDArray[np.float64],
    effects: NDArray[np.float64],
) -> tuple[NDArray[np.float64], ...]:
    """Return the true effects and error variances drawn, along the axes of the covariances.

    Also the axes, the variance of the difference of every run pair, and which pairs have none.
    `values` are (topics, runs), `error` is V_E2 / n.
    """
    n = len(values)
    means = values.mean(axis=0)
    means = means - means.mean()
    between = max(0.0, float(means.var(ddof=1)) - error)
    cleared = values - values.mean(axis=1, keepdims=True)
    covariances = np.cov(cleared, rowvar=False)
    # Along the eigenvectors everything is independent.
    lengths, axes = np.linalg.eigh(covariances)
    # What float noise makes is 0, or copies of a run would come apart by its root.
    varying = np.where(lengths <= 1e-12 * lengths.max(), 0.0, lengths) * scaled
    gain = between / np.where(between + varying > 0, between + varying / n, 1.0)
    true = gain * (means @ axes) + np.sqrt(between * (1 - gain)) * effects
    first, second = np.triu_indices(len(means), 1)
    of_each = np.diag(covariances)
    spread = of_each[first] + of_each[second] - 2 * covariances[first, second]
    alike = spread <= 1e-12 * of_each.max()  # runs that differ by a constant, or not at all
    return true, varying, axes, spread, alike


def power_beyond(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    *,
    draws: int = 2000,
    seed: int = 0,
    alpha: float = 0.05,
    null: Null = "permuted",
    level: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    r"""Forecast the share of significant run pairs with a new, larger set of topics.

    Scores are modelled as topic effect + run effect + normal residual of variance V_E2. Observed
    run means overstate how far runs differ; true effects are therefore drawn from their empirical
    Bayes posterior :math:`N(B \bar{x}_j, B V/n)` around the grand mean, with
    :math:`B = \tau^2 / (\tau^2 + V/n)` and :math:`\tau^2 = \max(0, \operatorname{var}(\bar{x})
    - V/n)`, and V from its scaled inverse chi-squared distribution with (m - 1)(n - 1) degrees
    of freedom. Each draw then gets a new topic set of every size, of the same kind, and Tukey's
    test is made on it as :func:`ordbook.meta.subsampling.subsample` makes it.

    Parameters
    ----------
    scores
        At least three runs and three topics.
    sizes
        Numbers of topics, at least 2; sizes up to n serve to check the model.
    draws, seed
        Number of draws, and the key of the random numbers; draw d is keyed by (seed, d), and all
        measures and sizes see the same normal numbers.
    alpha, null
        As in :func:`ordbook.meta.subsampling.subsample`.
    level
        ``low`` and ``high`` enclose this share of the draws. They hold the uncertainty of the
        effects, of V and of the new topics, but not that of tau^2 and of the model itself.
    threads, progress
        As for :func:`consistency_beyond`.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, low, high.

    Notes
    -----
    Limits. The model takes run effects for a sample from one normal distribution, although a
    baseline may be far off and duplicate runs stay equal: it predicts that a duplicate pair
    separates, given enough topics. Residuals have one variance for all runs, as in Tukey's test.
    The new topics are like the old ones. Compare the forecast with ``subsample`` up to n, and
    with :func:`held_out`, before you believe it beyond.
    """
    check_options(null, alpha=alpha, level=level)
    chosen = _checked(scores, sizes, draws, seed, least=2)
    m, n = len(scores.runs), len(scores.topics)
    variances, df = design_variances(scores, "paired"), (m - 1) * (n - 1)
    uniform, effects = _draws(seed, draws, m)
    scaled = df / stats.chi2.ppf(uniform, df)
    noise = {size: _noise(seed, draws, size, m) for size in chosen}
    equal = pair_slack(run_slack(scores.values))
    critical = {size: critical_range(alpha, m, (m - 1) * (size - 1)) for size in chosen}
    step = max(1, BLOCK // (m * (m - 1) // 2))

    def cell(k: int, size: int) -> NDArray[np.float64]:
        v = float(variances[k])
        means = scores.values[k].mean(axis=0)
        means = means - means.mean()
        between = max(0.0, float(means.var(ddof=1)) - v / n)
        drawn = v * scaled
        shrink = between / (between + drawn / n)
        true = shrink[:, None] * means + np.sqrt(shrink * drawn / n)[:, None] * effects
        seen = true + np.sqrt(drawn / size)[:, None] * noise[size][:, :m]
        freedom = (m - 1) * (size - 1)
        # The new set's own estimate of V, by the normal approximation of chi2 (Wilson-Hilferty).
        cube = 1 - 2 / (9 * freedom) + noise[size][:, m] * (2 / (9 * freedom)) ** 0.5
        estimate = drawn * np.maximum(cube, 0.0) ** 3
        share = [
            significant_share(
                seen[i : i + step], estimate[i : i + step], size, critical[size], null, equal[k]
            )
            for i in range(0, draws, step)
        ]
        return np.concatenate(share)

    found = _cells(scores.measures, chosen, cell, threads, progress)
    return curve(scores.measures, chosen, found, level)


def held_out(
    scores: ScoreMatrix,
    repeats: int = 40,
    draws: int = 500,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Extrapolate from random halves of the topics to all of them, where the truth is known.

    Parameters
    ----------
    scores
        At least three runs and six topics.
    repeats
        How many halves.
    draws, seed
        As for :func:`consistency_beyond`; the half of a repeat is keyed by (seed, repeat).
    threads
        By default one per processor; the result does not depend on it.
    progress
        Called now and then as ``progress(repeats done, repeats)``.

    Returns
    -------
    DataFrame
        By measure, first for consistency, then for power: truth (tau of two halves; share of
        significant pairs with all topics), predicted (mean over the halves), error (root mean
        square) and inside (share of the halves whose 95% band holds the truth). The half is a
        part of all topics, so the task is easier than a forecast of new ones.
    """
    whole_number(repeats, "repeats")
    _checked(scores, [2], draws, seed, least=2)
    n = len(scores.topics)
    half, everything = n // 2, [n]
    truth = {
        "consistency": consistency_within(scores, [half], seed=seed, threads=threads),
        "power": subsample(scores, everything, "power", repeats=1, threads=threads),
    }

    def forecast(repeat: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        chosen = np.sort(np.random.default_rng((seed, repeat)).permutation(n)[:half])
        part = replace(
            scores,
            values=scores.values[:, chosen],
            topics=tuple(scores.topics[topic] for topic in chosen),
        )
        return (
            consistency_beyond(part, [half], draws=draws, seed=repeat, threads=1),
            power_beyond(part, everything, draws=draws, seed=repeat, threads=1),
        )

    def work(start: int, stop: int) -> list[tuple[pd.DataFrame, pd.DataFrame]]:
        return [forecast(repeat) for repeat in range(start, stop)]

    done = sorted(in_chunks(work, repeats, CHUNK, threads, progress), key=itemgetter(0))
    both = [tables for *_, part in done for tables in part]
    rows = {}
    for kind, tables in zip(truth, zip(*both, strict=True), strict=True):
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


def _draws(seed: int, draws: int, runs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return of every draw a number from 0 to 1, and a normal number for every run.

    The former becomes chi2 through its quantile function, so that it is one number of the stream.
    """
    generators = [np.random.default_rng((seed, d)) for d in range(draws)]
    uniform = np.array([g.random() for g in generators])
    return uniform, np.stack([g.standard_normal(runs) for g in generators])


def _noise(seed: int, draws: int, size: int, runs: int) -> NDArray[np.float64]:
    """Return of every draw of a new topic set runs + 1 normal numbers."""
    return np.stack(
        [np.random.default_rng((seed, d, size)).standard_normal(runs + 1) for d in range(draws)]
    )


def _cells(
    measures: Sequence[str],
    sizes: Sequence[int],
    cell: Callable[[int, int], NDArray[np.float64]],
    threads: int | None,
    progress: Progress | None,
) -> dict[tuple[str, int], NDArray[np.float64]]:
    """Return by (measure, size) what ``cell`` says of the measure's number and the size."""
    names = [(k, size) for k in range(len(measures)) for size in sizes]
    found = {}

    def work(start: int, stop: int) -> list[NDArray[np.float64]]:
        return [cell(*name) for name in names[start:stop]]

    for start, stop, part in in_chunks(work, len(names), CHUNK, threads, progress):
        for (k, size), values in zip(names[start:stop], part, strict=True):
            found[measures[k], size] = values
    return found


def _checked(
    scores: ScoreMatrix, sizes: Sequence[int], draws: int, seed: int, least: int
) -> list[int]:
    """Return the sizes, if scores and numbers allow a forecast."""
    check_enough(scores)
    if (m := len(scores.runs)) < 3:
        raise ValueError(f"{scores.task}: how runs differ cannot be learnt from {m} of them")
    chosen = check_sizes(sizes, most=MOST_TOPICS, why="more was never judged", least=least)
    whole_number(draws, "draws", 2)
    whole_number(seed, "the seed", 0)
    return chosen
