r"""How many topics a test collection needs, and what fewer or more would have shown.

Contents
--------
design_power              the chance to find a difference with so many topics
topics_needed             the number of topics that finds a difference with a given power
detectable_difference     the smallest difference that so many topics find with that power
topic_set_size            all of it from a score matrix, by measure
subsample                 consistency or discriminative power with fewer topics than there are
extrapolate               the same with more, from a normal model, with its uncertainty

Topic set size design (Sakai 2016, 2018) asks for the number of topics n such that an analysis of
variance of m runs at significance alpha finds, with probability 1 - beta, that the best and the
worst run differ by D. The case hardest to find has all other runs half-way between, so that the
run effects satisfy :math:`\sum_i a_i^2 = D^2 / 2`, and F then follows the noncentral F
distribution with

.. math::

    \lambda = \frac{n \sum_i a_i^2}{V} = \frac{n D^2}{2 V}, \qquad
    \phi_1 = m - 1, \qquad
    \phi_2 = \begin{cases} m (n - 1) & \text{one-way, } V = V_{E1} \\
             (m - 1)(n - 1) & \text{paired (two-way without replication), } V = V_{E2}
             \end{cases}

Sakai's spreadsheets approximate this distribution; here it is SciPy's, and the search is exact.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, special, stats

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.kendall import pair_signs
from ordbook.meta.significance import residual_variances

Design = Literal["paired", "one-way"]
Statistic = Literal["tau", "power"]
Null = Literal["permuted", "residual"]
# More topics than this, and the answer is that the difference cannot be found.
MOST_TOPICS = 10_000_000


def design_power(
    variance: float,
    difference: float,
    topics: int,
    runs: int,
    *,
    alpha: float = 0.05,
    design: Design = "paired",
) -> float:
    """Return the probability that `topics` topics show that the runs differ.

    Parameters
    ----------
    variance
        V_E2 for a paired design, V_E1 for a one-way layout.
    difference
        D, between the means of the best and the worst run.
    topics, runs
        n and m, at least 2.
    alpha
        Significance level.
    design
        ``"paired"``: every run is scored on the same topics. ``"one-way"``: ignoring that.

    Examples
    --------
    >>> round(design_power(1.0, 0.5, topics=64, runs=2, design="one-way"), 4)  # Cohen (1988)
    0.8015
    """
    _check_design(variance, difference, runs, alpha, design)
    if topics < 2:
        raise ValueError(f"a design needs at least 2 topics, got {topics}")
    return _power(difference**2 / (2 * variance), topics, runs, alpha, design)


def topics_needed(
    variance: float,
    difference: float,
    runs: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    design: Design = "paired",
) -> int:
    """Return the smallest number of topics that finds a difference with the power asked for.

    Parameters are those of :func:`design_power`; ``power`` is 1 - beta.

    Raises
    ------
    ValueError
        If an argument is out of range, or more than ten million topics were needed.

    Examples
    --------
    >>> topics_needed(1.0, 0.5, runs=2, design="one-way")       # the two-sample t-test
    64
    """
    _check_design(variance, difference, runs, alpha, design)
    _check_power(power, alpha)
    effect = difference**2 / (2 * variance)
    low, high = 1, 2
    while _power(effect, high, runs, alpha, design) < power:
        low, high = high, 2 * high
        if low > MOST_TOPICS:
            raise ValueError(
                f"a difference of {difference:g} is too small for a variance of {variance:g}: "
                f"more than {MOST_TOPICS:,} topics were needed"
            )
    while high - low > 1:  # power grows with the number of topics
        middle = (low + high) // 2
        enough = _power(effect, middle, runs, alpha, design) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def detectable_difference(
    variance: float,
    topics: int,
    runs: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    design: Design = "paired",
) -> float:
    """Return the smallest difference that `topics` topics find with the power asked for.

    Parameters are those of :func:`topics_needed`.
    """
    _check_design(variance, 1.0, runs, alpha, design)
    _check_power(power, alpha)
    if topics < 2:
        raise ValueError(f"a design needs at least 2 topics, got {topics}")

    def missing(effect: float) -> float:
        return _power(effect, topics, runs, alpha, design) - power

    high = 1.0
    while missing(high) < 0:
        high *= 2
    effect = optimize.brentq(missing, 0.0, high, xtol=1e-14, rtol=1e-12)
    return float((2 * variance * effect) ** 0.5)


def topic_set_size(
    scores: ScoreMatrix,
    difference: float | Mapping[str, float],
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    design: Design = "paired",
    runs: int | None = None,
) -> pd.DataFrame:
    """Design a topic set from the scores of a pilot or of last year's round.

    Parameters
    ----------
    scores
        At least two runs and three topics.
    difference
        D to be detected, one for all measures or one for each. The same D is not equally much
        for measures with different scales: compare ``detectable`` with the spread of the means.
    alpha, power, design
        As in :func:`topics_needed`.
    runs
        Number of runs to be compared; by default as many as there are.

    Returns
    -------
    DataFrame
        By measure: variance, difference, topics (needed), at_hand (topics there are), power and
        detectable (what those achieve), spread (observed difference of best and worst run).

    References
    ----------
    Sakai (2016), Topic Set Size Design; Sakai (2018), Chapter 6.
    """
    _check(scores)
    variances = _variances(scores, design)
    m, n = len(scores.runs) if runs is None else runs, len(scores.topics)
    if isinstance(difference, Mapping):
        if missing := set(scores.measures) - set(difference):
            raise ValueError(f"difference lacks {', '.join(sorted(missing))}")
        wanted = {measure: float(difference[measure]) for measure in scores.measures}
    else:
        wanted = dict.fromkeys(scores.measures, float(difference))
    means, rows = scores.values.mean(axis=1), []
    for k, measure in enumerate(scores.measures):
        v, d = float(variances[k]), wanted[measure]
        rows.append(
            {
                "variance": v,
                "difference": d,
                "topics": topics_needed(v, d, m, alpha=alpha, power=power, design=design),
                "at_hand": n,
                "power": design_power(v, d, n, m, alpha=alpha, design=design),
                "detectable": detectable_difference(
                    v, n, m, alpha=alpha, power=power, design=design
                ),
                "spread": float(np.ptp(means[k])),
            }
        )
    return pd.DataFrame(rows, index=pd.Index(scores.measures, name="measure"))


def subsample(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    statistic: Statistic = "tau",
    *,
    repeats: int = 1000,
    seed: int = 0,
    alpha: float = 0.05,
    null: Null = "permuted",
    level: float = 0.95,
) -> pd.DataFrame:
    r"""Compute what smaller topic sets would have said.

    Topics are drawn without replacement. Repeat r shuffles them once, keyed by (seed, r), and
    takes the first k for every size k: all measures and sizes see the same, nested, samples.

    Parameters
    ----------
    scores
        At least two runs and three topics.
    sizes
        Numbers of topics, 2 to n.
    statistic
        ``"tau"``: tau-a between the ranking of the runs by the sample and by all topics. It
        reaches 1 at n because the sample is a part of the whole, and is no estimate of the
        distance to the true ranking (see :func:`extrapolate`). ``"power"``: the share of run
        pairs that a Tukey HSD test on the sample finds different, through the studentised range
        with (m - 1)(k - 1) degrees of freedom: a fast stand-in for the randomised test.
    repeats, seed
        Number of samples of each size, and the key of the random numbers.
    alpha
        Significance level of ``"power"``.
    null
        Variance in the test of ``"power"``: ``"permuted"`` is V_E2 + var(run means), which
        the null distribution of the randomised test has; ``"residual"`` is V_E2, as in the
        parametric test.
    level
        ``low`` and ``high`` enclose this share of the samples.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, low, high. The spread is that of
        samples from these topics; samples larger than half of them overlap, and their spread
        says ever less about other topics.
    """
    _check(scores)
    _check_options(statistic, null, alpha, level)
    count = len(scores.topics)
    chosen = _sizes(sizes, most=count, why=f"there are {count} topics")
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, not {repeats}")
    for measure, means in scores.means().items():
        if not pair_signs(means.to_numpy()).any():
            raise ValueError(
                f"{scores.task}: by {measure} all runs score the same; there is nothing to find"
            )
    # rank[r, t]: the place of topic t in shuffle r; the first k are a sample of size k.
    rank = np.stack(
        [np.argsort(np.random.default_rng((seed, r)).permutation(count)) for r in range(repeats)]
    )
    m = len(scores.runs)
    found: dict[tuple[str, int], NDArray[np.float64]] = {}
    for size in chosen:
        inside = (rank < size).astype(np.float64)
        critical = _critical(alpha, m, (m - 1) * (size - 1)) if statistic == "power" else 0.0
        for k, measure in enumerate(scores.measures):
            values = scores.values[k]
            # einsum and not @: the same bits whatever the other measures and the threads.
            if statistic == "tau":
                means = np.einsum("rt,tu->ru", inside, values) / size
                full = pair_signs(values.mean(axis=0))
                found[measure, size] = (pair_signs(means) * full).mean(axis=1)
                continue
            centred = values - values.mean(axis=1, keepdims=True)
            means = np.einsum("rt,tu->ru", inside, centred) / size
            within = np.einsum("rt,t->r", inside, (centred**2).sum(axis=1))
            residual = within - size * (means**2).sum(axis=1)
            variance = np.maximum(residual, 0.0) / ((m - 1) * (size - 1))
            found[measure, size] = _significant(means, variance, size, critical, null)
    return _curve(scores.measures, chosen, found, level)


def extrapolate(
    scores: ScoreMatrix,
    sizes: Sequence[int],
    statistic: Statistic = "power",
    *,
    draws: int = 2000,
    seed: int = 0,
    alpha: float = 0.05,
    null: Null = "permuted",
    level: float = 0.95,
) -> pd.DataFrame:
    r"""Predict what a new set of topics, larger than the one at hand, would say.

    Scores are modelled as topic effect + run effect + normal residual of variance V_E2. Observed
    run means overstate how far runs differ; true effects are therefore drawn from their empirical
    Bayes posterior :math:`N(B \bar{x}_j, B V/n)` around the grand mean, with
    :math:`B = \tau^2 / (\tau^2 + V/n)` and :math:`\tau^2 = \max(0, \operatorname{var}(\bar{x})
    - V/n)`, and V from its scaled inverse chi-squared distribution with (m - 1)(n - 1) degrees
    of freedom. Each draw then gets a new topic set of every size, of the same kind, and the
    statistic is computed on it.

    Parameters
    ----------
    scores
        At least three runs and three topics.
    sizes
        Numbers of topics, at least 2; sizes up to n serve to check the model.
    statistic
        ``"power"``: the share of run pairs found different, as in :func:`subsample`. ``"tau"``:
        tau-a between the ranking by the new topics and the true ranking.
    draws, seed
        Number of draws, and the key of the random numbers; draw d is keyed by (seed, d), and all
        measures and sizes see the same normal numbers.
    alpha, null
        As in :func:`subsample`.
    level
        ``low`` and ``high`` enclose this share of the draws: uncertainty of the effects, of V
        and of the new topics together. That of tau^2 and of the model itself is not in it.

    Returns
    -------
    DataFrame
        One row per measure and size: measure, topics, mean, low, high.

    Notes
    -----
    Limits. Run effects are taken for a sample from one normal distribution, although a baseline
    may stand far off and duplicate runs are equal for ever: a duplicate pair is predicted to
    separate, given topics enough. Residuals have one variance for all runs. The new topics are
    like the old ones. Compare with :func:`subsample` up to n before believing it beyond.
    """
    _check(scores)
    _check_options(statistic, null, alpha, level)
    m, n = len(scores.runs), len(scores.topics)
    if m < 3:
        raise ValueError(f"{scores.task}: how runs differ cannot be learnt from {m} of them")
    chosen = _sizes(sizes, most=MOST_TOPICS, why="more was never judged")
    if draws < 2:
        raise ValueError(f"draws must be at least 2, not {draws}")
    variances, df = _variances(scores, "paired"), (m - 1) * (n - 1)
    generators = [np.random.default_rng((seed, d)) for d in range(draws)]
    # chi2 through its quantile function, so that every draw uses one number of its stream.
    uniform = np.array([g.random() for g in generators])
    effects = np.stack([g.standard_normal(m) for g in generators])
    scaled = df / stats.chi2.ppf(uniform, df)
    found: dict[tuple[str, int], NDArray[np.float64]] = {}
    noise = {
        size: np.stack(
            [np.random.default_rng((seed, d, size)).standard_normal(m + 1) for d in range(draws)]
        )
        for size in chosen
    }
    critical = {
        size: _critical(alpha, m, (m - 1) * (size - 1)) if statistic == "power" else 0.0
        for size in chosen
    }
    for k, measure in enumerate(scores.measures):
        v = float(variances[k])
        means = scores.values[k].mean(axis=0)
        means = means - means.mean()
        between = max(0.0, float(means.var(ddof=1)) - v / n)
        drawn = v * scaled
        shrink = between / (between + drawn / n)
        true = shrink[:, None] * means + np.sqrt(shrink * drawn / n)[:, None] * effects
        for size in chosen:
            seen = true + np.sqrt(drawn / size)[:, None] * noise[size][:, :m]
            if statistic == "tau":
                found[measure, size] = (pair_signs(seen) * pair_signs(true)).mean(axis=1)
                continue
            freedom = (m - 1) * (size - 1)
            # The new set's own estimate of V, by the normal approximation of chi2 (Wilson-
            # Hilferty).
            cube = 1 - 2 / (9 * freedom) + noise[size][:, m] * (2 / (9 * freedom)) ** 0.5
            estimate = drawn * np.maximum(cube, 0.0) ** 3
            found[measure, size] = _significant(seen, estimate, size, critical[size], null)
    return _curve(scores.measures, chosen, found, level)


def _variances(scores: ScoreMatrix, design: Design) -> NDArray[np.float64]:
    """V_E2 or V_E1 of every measure, above 0."""
    if design not in ("paired", "one-way"):
        raise ValueError(f"design must be 'paired' or 'one-way', not {design!r}")
    v_e1, v_e2 = residual_variances(scores.values)
    for measure, variance in zip(scores.measures, v_e2, strict=True):
        if variance <= 0:
            raise ValueError(
                f"{scores.task}: by {measure} the runs differ equally on all topics (are they "
                "all the same?); there is no variance to design with"
            )
    return v_e2 if design == "paired" else v_e1


def _power(effect: float, topics: int, runs: int, alpha: float, design: Design) -> float:
    """Power for D^2 / 2V = `effect`."""
    between = runs - 1
    within = (between if design == "paired" else runs) * (topics - 1)
    # 1 - alpha quantile through the beta distribution: exact for very many degrees of freedom.
    critical = special.fdtri(between, within, 1 - alpha)
    if effect == 0:
        return alpha
    return float(1 - special.ncfdtr(between, within, topics * effect, critical))


@cache
def _critical(alpha: float, runs: int, freedom: int) -> float:
    """Tukey's critical value of the studentised range; it hardly moves above 10^5 degrees."""
    return float(stats.studentized_range.ppf(1 - alpha, runs, min(freedom, 100_000)))


def _significant(
    means: NDArray[np.float64],
    variance: NDArray[np.float64],
    size: int,
    critical: float,
    null: Null,
) -> NDArray[np.float64]:
    """Share of the run pairs whose difference exceeds Tukey's honest one, row by row."""
    if null == "permuted":
        variance = variance + means.var(axis=1, ddof=1)
    first, second = np.triu_indices(means.shape[1], 1)
    honest = critical * np.sqrt(variance / size)
    share: NDArray[np.float64] = (
        np.abs(means[:, first] - means[:, second]) > honest[:, None] + 1e-12
    ).mean(axis=1)
    return share


def _curve(
    measures: Sequence[str],
    sizes: Sequence[int],
    found: Mapping[tuple[str, int], NDArray[np.float64]],
    level: float,
) -> pd.DataFrame:
    tails = [(1 - level) / 2, (1 + level) / 2]
    rows = []
    for measure in measures:
        for size in sizes:
            values = found[measure, size]
            low, high = np.quantile(values, tails)
            rows.append((measure, size, float(values.mean()), float(low), float(high)))
    return pd.DataFrame(rows, columns=["measure", "topics", "mean", "low", "high"])


def _check(scores: ScoreMatrix) -> None:
    _, n, m = scores.values.shape
    if m < 2:
        raise ValueError(f"{scores.task}: a difference needs at least 2 runs, there is {m}")
    if n < 3:
        raise ValueError(f"{scores.task}: {n} topics say nothing about variance; 3 are the least")


def _check_options(statistic: str, null: str, alpha: float, level: float) -> None:
    if statistic not in ("tau", "power"):
        raise ValueError(f"statistic must be 'tau' or 'power', not {statistic!r}")
    if null not in ("permuted", "residual"):
        raise ValueError(f"null must be 'permuted' or 'residual', not {null!r}")
    for name, value in (("alpha", alpha), ("level", level)):
        if not 0 < value < 1:
            raise ValueError(f"{name} must lie between 0 and 1, not {value}")


def _sizes(sizes: Sequence[int], most: int, why: str) -> list[int]:
    chosen = [int(size) for size in sizes]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError("name each size once, and at least one")
    for size in chosen:
        if not 2 <= size <= most:
            raise ValueError(f"sizes must lie between 2 and {most}, got {size}; {why}")
    return chosen


def _check_design(variance: float, difference: float, runs: int, alpha: float, design: str) -> None:
    if not (np.isfinite(variance) and variance > 0):
        raise ValueError(f"variance must be above 0, not {variance}")
    if not (np.isfinite(difference) and difference > 0):
        raise ValueError(f"difference must be above 0, not {difference}")
    if runs < 2:
        raise ValueError(f"a difference needs at least 2 runs, got {runs}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha}")
    if design not in ("paired", "one-way"):
        raise ValueError(f"design must be 'paired' or 'one-way', not {design!r}")


def _check_power(power: float, alpha: float) -> None:
    if not alpha < power < 1:
        raise ValueError(f"power must lie between alpha ({alpha}) and 1, not {power}")
