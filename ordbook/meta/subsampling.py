"""Consistency and discriminative power with fewer topics, from random subsamples.

Curves end at n/2 topics for consistency, which takes two disjoint samples, and at n topics for
discriminative power.
"""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np
import pandas as pd

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.kendall import pair_signs
from ordbook.meta.kernels import stream_key
from ordbook.meta.splits import sampled, topic_units
from ordbook.meta.studentised import studentised_quantile
from ordbook.meta.topic_set_size import check_enough
from ordbook.meta.validation import a_score_matrix, between_0_and_1, whole_number
from ordbook.meta.variances import Floats

Statistic = Literal["tau", "power"]


def sizes_within(most: int) -> list[int]:
    """Numbers of topics from 5 (or fewer) to `most`, each about 1.6 times the one before.

    Examples
    --------
    >>> sizes_within(100), sizes_within(4)
    ([5, 8, 13, 21, 34, 56, 100], [2, 3, 4])
    """
    least = 5 if most >= 10 else 2
    steps = [round(least * 1.62**k) for k in range(30)]
    return [size for size in steps if size <= most / 1.3] + [most]


def consistency_within(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    splits: int = 1000,
    seed: int = 0,
    threads: int | None = None,
) -> pd.DataFrame:
    """Compute the mean tau between two disjoint samples of k topics, for k up to half of them.

    Parameters are those of :func:`ordbook.ranking_consistency`.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, and low and high, which enclose 95%
        of the splits.
    """
    a_score_matrix(scores)
    chosen = _check_sizes(sizes, 1, len(scores.topics) // 2)
    rows = []
    for size in chosen:
        tau = ranking_consistency(scores, size, splits, seed, threads).tau
        low, high = tau.quantile(0.025), tau.quantile(0.975)
        rows += [(m, size, tau[m].mean(), low[m], high[m]) for m in scores.measures]
    return pd.DataFrame(rows, columns=["measure", "topics", "mean", "low", "high"])


def subsample(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    statistic: Statistic = "tau",
    *,
    repeats: int = 1000,
    seed: int = 0,
    alpha: float = 0.05,
    level: float = 0.95,
    threads: int | None = None,
) -> pd.DataFrame:
    r"""Compute the results of smaller topic sets.

    Topics are drawn without replacement. Each repeat shuffles them once, as its number and the seed
    say, and takes the first k for every size k: all measures and sizes see the same, nested,
    samples.

    Parameters
    ----------
    scores
        At least two runs and three topics.
    sizes
        Numbers of topics, 2 to n.
    statistic
        ``"tau"``: tau-a between the ranking of the runs by the sample and by all topics. It
        reaches 1 at n because the sample is a part of the whole. So it does not estimate the
        distance to the true ranking, nor is it the papers' consistency, which is that of
        :func:`consistency_within`. ``"power"``: the share of run pairs that a Tukey HSD test on
        the sample finds different, through the studentised range with (m - 1)(k - 1) degrees of
        freedom and the variance V_E2 + var(run means), which the null distribution of the
        randomised test has: a fast stand-in for that test.
    repeats, seed
        Number of samples of each size, and the key of the random numbers.
    alpha
        Significance level of ``"power"``.
    level
        ``low`` and ``high`` enclose this share of the samples.
    threads
        By default one per processor; the result does not depend on it.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, low, high. The spread is that of
        samples from these topics. Samples larger than half of them overlap, so their spread
        says ever less about other topics.
    """
    check_enough(scores)
    if statistic not in get_args(Statistic):
        raise ValueError(f"statistic must be 'tau' or 'power', not {statistic!r}")
    between_0_and_1(alpha, "alpha")
    between_0_and_1(level, "level")
    chosen = _check_sizes(sizes, 2, len(scores.topics))
    whole_number(repeats, "repeats")
    whole_number(seed, "the seed", 0)
    values = scores.oriented.copy()
    full = pair_signs(values.mean(axis=1))
    for measure, signs in zip(scores.measures, full, strict=True):
        if not signs.any():
            raise ValueError(
                f"{scores.task}: by {measure} all runs score the same; there is nothing to find"
            )
    if statistic == "power":
        values -= values.mean(axis=2, keepdims=True)
        values = np.append(values, (values**2).sum(axis=2, keepdims=True), axis=2)
        compute = _power(len(scores.runs), chosen, alpha)
    else:

        def compute(means: Floats) -> Floats:
            agreement: Floats = (pair_signs(means) * full).mean(axis=-1)
            return agreement

    samples = [(0, size) for size in chosen]
    key = stream_key(seed, "subsamples")
    by_repeat = sampled(topic_units(values), samples, compute, range(repeats), key, threads)
    statistics = np.ascontiguousarray(by_repeat.transpose(2, 1, 0))
    low, high = np.quantile(statistics, [(1 - level) / 2, (1 + level) / 2], axis=2)
    cells = pd.MultiIndex.from_product([scores.measures, chosen], names=["measure", "topics"])
    columns = {"mean": statistics.mean(axis=2), "low": low, "high": high}
    frame = pd.DataFrame({name: numbers.ravel() for name, numbers in columns.items()}, cells)
    return frame.reset_index()


def _power(runs: int, sizes: Sequence[int], alpha: float) -> Callable[[Floats], Floats]:
    """Return the function of ``power`` for samples of these sizes.

    It takes mean scores (repeats, sizes, measures, runs + 1): of the runs, without the mean of the
    runs on each topic, and of the sum of their squares.
    """
    # The quantile hardly moves above 10^5 degrees of freedom.
    freedoms = [min((runs - 1) * (size - 1), 100_000) for size in sizes]
    quantiles = [studentised_quantile(1 - alpha, runs, freedom) for freedom in freedoms]
    critical, size = np.array(quantiles)[:, None], np.array(sizes)[:, None]

    def power(means: Floats) -> Floats:
        means, squares = means[..., :-1], means[..., -1]
        residual = np.maximum(squares - (means**2).sum(axis=-1), 0.0) * size
        variance = residual / ((runs - 1) * (size - 1)) + means.var(axis=-1, ddof=1)
        limits = critical * np.sqrt(variance / size) + TIE_TOLERANCE
        share: Floats = (pair_signs(means, limits[..., None]) != 0).mean(axis=-1)
        return share

    return power


def _check_sizes(sizes: Sequence[int], least: int, most: int) -> list[int]:
    """Return the sizes as whole numbers, each once, from `least` to `most`."""
    if np.ndim(sizes) != 1:
        raise ValueError(f"sizes must be several numbers, not {sizes!r}; write [{sizes!r}]")
    chosen = [whole_number(size, "a size", least, most) for size in sizes]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError("name each size once, and at least one")
    return chosen
