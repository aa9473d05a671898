"""Differences between measures as estimates: of one source of data, and of several together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import owens_t

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.meta.validation import at_least, whole_number
from ordbook.meta.variances import Floats

# Topics are left out in this many groups, which are dealt anew this many times.
GROUPS, DEALS = 10, 10
# Variances between sources that are tried, and draws of what the next source may show.
GRID, DRAWS = 4000, 20_000

Statistic = Callable[[Sequence[ScoreMatrix]], Floats]


def expected_consistency(scores: ScoreMatrix, size: int | None = None) -> Floats:
    r"""Return the tau to expect between the rankings by two disjoint samples of the topics.

    :func:`ordbook.ranking_consistency` averages tau over random splits; this is what the average
    tends to, if the mean difference of two runs over a sample is nearly normal. With mean
    difference :math:`\bar{d}` and standard deviation s over n topics, two samples of k topics
    agree on the better run so often that the pair adds :math:`1 - 8 T(h, a)` to tau, with Owen's
    function T, :math:`h = \bar{d} / (s \sqrt{1/k - 1/n})` and :math:`a = \sqrt{n / (n - 2k)}`. It
    is smooth in the scores and needs no random numbers, which is why it can be differenced.

    Parameters
    ----------
    scores
        Scores of at least two runs on at least three topics.
    size
        Topics in each sample; by default half of them.

    Returns
    -------
    array
        A value for each measure.

    Raises
    ------
    ValueError
        If there are too few runs or topics, or two samples of this size do not fit into the topics.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("fair-oq"), ["NMD", "RNOD"])
    >>> expected_consistency(scores, 10).round(2).tolist()
    [0.78, 0.78]
    >>> ob.ranking_consistency(scores, 10).mean[["NMD", "RNOD"]].round(2).tolist()
    [0.78, 0.78]
    """
    at_least(scores, "an expected consistency", runs=2, topics=3)
    if size is not None:
        whole_number(size, "size", most=len(scores.topics) // 2)
    result: Floats = pair_agreement(scores.oriented, size).mean(axis=-1)
    return result


def pair_agreement(values: Floats, size: int | None = None) -> Floats:
    """Return the part of each pair of runs in :func:`expected_consistency`.

    Parameters
    ----------
    values
        Oriented scores, (..., topics, runs).
    size
        Topics in each sample; by default half of them.

    Returns
    -------
    array (..., pairs)
        The share of samples that agree on the better run, less that of those that do not.
    """
    *_, topics, runs = values.shape
    k = topics / 2 if size is None else float(size)
    means = values.mean(axis=-2)
    centred = values - means[..., None, :]
    covariance = np.swapaxes(centred, -1, -2) @ centred / (topics - 1)
    variance = np.diagonal(covariance, axis1=-2, axis2=-1)
    first, second = np.triu_indices(runs, 1)
    gap = np.abs(means[..., first] - means[..., second])
    spread = variance[..., first] + variance[..., second] - 2 * covariance[..., first, second]
    deviation = np.sqrt(np.maximum(spread, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        h = gap / (deviation * np.sqrt(1 / k - 1 / topics))
        a = np.sqrt(topics / (topics - 2 * np.float64(k)))
        agreement: Floats = 1 - 8 * owens_t(h, a)
    never = deviation <= TIE_TOLERANCE  # two runs that differ by the same on every topic
    return np.where(never, gap > TIE_TOLERANCE, agreement)


@dataclass(frozen=True, eq=False)
class Estimates:
    """A statistic of a source of data and how it would vary with other topics and other runs.

    Attributes
    ----------
    value
        The statistic of all topics and runs.
    topics
        Its values with a part of the topics left out, (deals, groups, ...).
    teams
        Its values with each team left out, (teams, ...).
    """

    value: Floats
    topics: Floats
    teams: Floats

    def variances(self, contrast: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
        """Return the jackknife's variance over topics and over teams of a contrast of the values.

        Parameters
        ----------
        contrast
            From values, (..., the statistic's shape), to one number each, (...).
        """
        over = []
        for parts in (contrast(self.topics), contrast(self.teams)[None]):
            count = parts.shape[1]
            around = parts - parts.mean(axis=1, keepdims=True)
            over.append(np.asarray((count - 1) / count * (around**2).sum(axis=1).mean(axis=0)))
        return over[0], over[1]


def left_out(
    statistic: Statistic,
    sets: Sequence[ScoreMatrix],
    teams: Mapping[str, str] | None = None,
    seed: int = 0,
    runs_too: bool = True,
) -> Estimates:
    """Compute a statistic of a source with parts of its topics, and each of its teams, left out.

    Parameters
    ----------
    statistic
        From the score matrices of the source to an array.
    sets
        The score matrices of one source. What is left out is left out of each set that has it.
    teams
        Run -> team; a run without a team is a team of its own.
    seed
        Of the groups in which topics are left out.
    runs_too
        Whether other runs could have taken part; not, if the statistic is about two given ones.
    """
    topics = list(dict.fromkeys(topic for scores in sets for topic in scores.topics))
    runs = dict.fromkeys(run for scores in sets for run in scores.runs)
    team_of = {run: (teams or {}).get(run, ("run", run)) for run in runs}

    def kept(**names: set[str]) -> Floats:
        return statistic([scores.keep(**names) for scores in sets])

    groups = min(GROUPS, len(topics))
    over_topics = []
    for deal in range(DEALS):
        order = np.random.default_rng([seed, deal, 20260103]).permutation(len(topics))
        parts = [{topics[k] for k in order[group::groups]} for group in range(groups)]
        over_topics.append([kept(topics={*topics} - part) for part in parts])
    over_teams = [
        kept(runs={run for run in runs if team_of[run] != team})
        for team in dict.fromkeys(team_of.values())
        if runs_too
    ]
    value = statistic(sets)
    return Estimates(value, np.array(over_topics), np.array(over_teams or [value]))


@dataclass(frozen=True)
class RandomEffects:
    """The combined evidence of several sources on one quantity.

    Attributes
    ----------
    mean, low, high
        Of the quantity's mean over sources like these, with its interval.
    next_low, next_high
        Between which the next source's value is expected.
    between
        Standard deviation of the values between sources.
    p
        How often values that are the same in all sources would differ as much as these
        (Cochran's Q).
    """

    mean: float
    low: float
    high: float
    next_low: float
    next_high: float
    between: float
    p: float


def random_effects(values: ArrayLike, errors: ArrayLike, level: float = 0.95) -> RandomEffects:
    r"""Combine the estimates of several sources, whose true values may differ.

    A source's estimate is normal about its own true value, with the given standard error, and the
    true values are normal about their mean with the variance :math:`\tau^2`. The sum of the
    weighted squares, :math:`Q(\tau^2) = \sum_s (y_s - \mu)^2 / (e_s^2 + \tau^2)`, has the
    chi-squared distribution with k - 1 degrees of freedom at the true value; the estimate of
    Paule and Mandel (1982) makes it k - 1. The interval of the mean is that of Hartung and Knapp,
    never narrower than the usual one, as Röver, Knapp and Friede (2015) recommend for few sources.
    For the next source :math:`\tau^2` is drawn from the values that Q allows, after Nagashima,
    Noma and Furukawa (2019), because an interval that takes its estimate for the truth covers too
    little with few sources.

    Parameters
    ----------
    values, errors
        An estimate and its standard error for each of k sources, at least two.
    level
        Of both intervals.

    Raises
    ------
    ValueError
        If there are fewer than two sources, or a standard error is not positive.

    Examples
    --------
    >>> together = random_effects([0.1, 0.3, 0.2, 0.6], [0.1, 0.1, 0.2, 0.2])
    >>> [round(number, 2) for number in (together.mean, together.low, together.high)]
    [0.27, -0.05, 0.58]
    """
    y, variance = np.asarray(values, float), np.asarray(errors, float) ** 2
    count = len(y)
    if count < 2:
        raise ValueError(f"at least two sources are needed, not {count}")
    if not (variance > 0).all():
        raise ValueError("every standard error must be above 0")
    free = count - 1
    # Q falls from its value at 0; the largest of these makes it nearly 0.
    largest = 1e4 * (variance.max() + y.var())
    between = np.append(0, np.geomspace(1e-6 * variance.min(), largest, GRID))
    weights = 1 / (variance + between[:, None])
    total = weights.sum(axis=1)
    mean = weights @ y / total
    q = (weights * (y - mean[:, None]) ** 2).sum(axis=1)
    scale = np.maximum(1, q / free)

    def place(wanted: ArrayLike) -> NDArray[np.int64]:
        return np.minimum(np.searchsorted(-q, -np.asarray(wanted)), GRID)

    best = place(free)
    half = stats.t.ppf((1 + level) / 2, free) * np.sqrt(scale[best] / total[best])
    rng = np.random.default_rng(0)
    drawn = place(rng.chisquare(free, DRAWS))
    ahead = mean[drawn] + np.sqrt(between[drawn]) * rng.standard_normal(DRAWS)
    ahead += np.sqrt(scale[drawn] / total[drawn]) * rng.standard_t(free, DRAWS)
    next_low, next_high = np.quantile(ahead, [(1 - level) / 2, (1 + level) / 2])
    return RandomEffects(
        mean=float(mean[best]),
        low=float(mean[best] - half),
        high=float(mean[best] + half),
        next_low=float(next_low),
        next_high=float(next_high),
        between=float(np.sqrt(between[best])),
        p=float(stats.chi2.sf(q[0], free)),
    )
