"""Two measures, topic by topic: how alike they rank topics, and which of two runs they prefer."""

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.meta.kendall import asymptotic_interval, kendall_tau
from ordbook.meta.validation import at_least, chosen_scores, place_of

# Below this share of their size, differences between deltas are rounding: their correlation
# is not defined.
FLAT = 1e-12
# Of the intervals of correlations.
LEVEL = 0.95


def topic_agreement(
    scores: ScoreMatrix, measures: Sequence[str] | None = None, *, run: str
) -> pd.DataFrame:
    """Correlate the rankings of the topics by every two measures, by the scores of a run.

    Parameters
    ----------
    scores
        Scores on at least five topics.
    measures
        Which measures; by default all.
    run
        Whose scores rank the topics, as those of System 2 in SIGIR'18.

    Returns
    -------
    DataFrame
        By (first, second) measure: tau-b, low, high, n; the limits are those of the 95% interval of
        :func:`ordbook.meta.kendall.asymptotic_interval`. Tau is positive if the measures agree,
        even if one is better low and the other high, and NaN if a measure ties everything.

    Raises
    ------
    ValueError
        If a measure or run is unknown, or there are fewer than two measures or five topics.

    References
    ----------
    SIGIR'18, Table 2(I).
    """
    scores = _several(scores, measures)
    at_least(scores, "ranking topics", topics=5)
    values = scores.oriented[:, :, place_of(scores, run)]
    rows = [
        (kendall_tau(x, y, "b"), *asymptotic_interval(x, y, LEVEL), len(x))
        for x, y in combinations(values, 2)
    ]
    return _by_pair(scores, rows, ["tau", "low", "high", "n"])


def score_deltas(
    scores: ScoreMatrix,
    a: str,
    b: str,
    measures: Sequence[str] | None = None,
    *,
    oriented: bool = False,
) -> pd.DataFrame:
    r"""Compute the score differences between two runs, topic by topic.

    .. math:: \Delta M = M(a) - M(b)

    (LQ'21, Eq. 10).

    Parameters
    ----------
    scores
        The scores.
    a, b
        Two runs.
    measures
        Which measures; by default all.
    oriented
        Reverse the signs for measures that are better low, so that a positive delta always means
        that a is better. Without it deltas are as in the paper, where smaller is better: a
        negative one means that a is better.

    Returns
    -------
    DataFrame
        Topic x measure.

    Raises
    ------
    ValueError
        If a measure or run is unknown, or both runs are the same.
    """
    if measures is not None:
        scores = scores.select([measures] if isinstance(measures, str) else measures)
    first, second = _two_places(scores, a, b)
    values = scores.values[:, :, first] - scores.values[:, :, second]
    if oriented:
        values = values * scores.direction[:, None]
    return pd.DataFrame(
        values.T,
        index=pd.Index(scores.topics, name="topic"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def topic_wins(scores: ScoreMatrix, a: str, b: str) -> pd.DataFrame:
    """Count the topics on which run `a` is better (first), `b` is (second), and neither (tied).

    By measure, as in LQ'21, Table 7. Differences up to 1e-12 of its largest score are ties.
    """
    signs = _preferences(scores, a, b)
    return pd.DataFrame(
        {name: (signs == s).sum(axis=0) for name, s in (("first", 1), ("second", -1), ("tied", 0))},
        index=pd.Index(scores.measures, name="measure"),
    )


def preference_agreement(
    scores: ScoreMatrix, a: str, b: str, measures: Sequence[str] | None = None
) -> pd.DataFrame:
    """Count how often every two measures prefer the same of two runs.

    Differences up to 1e-12 of the measure's largest score are ties.

    Parameters
    ----------
    scores
        The scores.
    a, b
        Two runs.
    measures
        Which measures, two or more; by default all.

    Returns
    -------
    DataFrame
        By (first, second) measure, numbers of topics: same_run, both_tied, one_tied, opposite
        (true disagreements); and agreement, the share of same_run and both_tied. SIGIR'18 does
        not say how it counts topics that both measures tie. If they do not count as agreement,
        the share is ``same_run / n``.

    Raises
    ------
    ValueError
        If a measure or run is unknown, both runs are the same, or there are fewer than two
        measures.

    References
    ----------
    SIGIR'18, Table 2(II).
    """
    scores = _several(scores, measures)
    signs = _preferences(scores, a, b).T
    rows = []
    for x, y in combinations(signs, 2):
        same = int(((x == y) & (x != 0)).sum())
        tied = int(((x == 0) & (y == 0)).sum())
        opposite = int((x * y < 0).sum())
        one_tied = len(x) - same - tied - opposite
        rows.append((same, tied, one_tied, opposite, (same + tied) / len(x)))
    return _by_pair(scores, rows, ["same_run", "both_tied", "one_tied", "opposite", "agreement"])


def true_disagreements(
    scores: ScoreMatrix, a: str, b: str, first: str, second: str
) -> pd.DataFrame:
    """List the topics on which two measures prefer opposite runs, without ties.

    Parameters
    ----------
    scores, a, b
        As for :func:`preference_agreement`.
    first, second
        Two measures.

    Returns
    -------
    DataFrame
        By topic: the deltas M(a) - M(b) of both measures, under their names, and ``preferred``,
        the run that the first measure prefers; the second prefers the other. Empty if there
        are none.

    References
    ----------
    SIGIR'18, Section 4.2 and Figure 2.
    """
    scores = _several(scores, [first, second])
    signs = _preferences(scores, a, b)
    opposite = signs[:, 0] * signs[:, 1] < 0
    deltas = score_deltas(scores, a, b)[opposite].copy()
    deltas["preferred"] = np.where(signs[opposite, 0] > 0, a, b)
    return deltas


class Quadrants(NamedTuple):
    """Numbers of topics in the plane of two deltas, x to the right and y upwards.

    Topics on an axis, where a measure ties the runs, are in no quadrant. If both measures have the
    same better end, they prefer opposite runs in the second and the fourth. The correlation of the
    deltas, and the limits of Fisher's 95% z interval, are NaN if all deltas of a measure are equal.
    """

    first: int
    second: int
    third: int
    fourth: int
    pearson: float
    low: float
    high: float


def quadrants(deltas: pd.DataFrame, x: str, y: str) -> Quadrants:
    r"""Count topics by the signs of two measures' deltas, and correlate the deltas.

    The deltas are from :func:`score_deltas`, of at least four topics. If one measure is better high
    and the other low, use ``oriented=True`` there, or the quadrants of agreement change. The
    interval of Pearson's r is :math:`\tanh(\operatorname{artanh} r \pm z / \sqrt{n - 3})`.

    References
    ----------
    LQ'21, Section 5.3, Figures 1 and 2.
    """
    if len(deltas) < 4:
        raise ValueError(
            f"the interval of a correlation needs at least 4 topics, there are {len(deltas)}"
        )
    across, up = deltas[[x, y]].to_numpy(float).T
    signs = _signs(np.stack([across, up])).T
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    first, second, third, fourth = (int((signs == corner).all(axis=1).sum()) for corner in corners)
    r = low = high = math.nan
    if all(np.ptp(values) > FLAT * max(1.0, np.abs(values).max()) for values in (across, up)):
        r = float(np.corrcoef(across, up)[0, 1])  # from -1 to 1: NumPy clips it
        half = NormalDist().inv_cdf((1 + LEVEL) / 2) / (len(deltas) - 3) ** 0.5
        with np.errstate(divide="ignore"):
            low, high = (float(np.tanh(np.arctanh(r) + step)) for step in (-half, half))
    return Quadrants(first, second, third, fourth, r, low, high)


def _two_places(scores: ScoreMatrix, a: str, b: str) -> tuple[int, int]:
    """Return the places of two different runs."""
    first, second = place_of(scores, a), place_of(scores, b)
    if first == second:
        raise ValueError(f"{scores.task}: {a!r} does not differ from itself; name two runs")
    return first, second


def _preferences(scores: ScoreMatrix, a: str, b: str) -> NDArray[np.int64]:
    """Return topics x measures: 1 if run `a` is better, -1 if `b` is, 0 for a tie."""
    first, second = _two_places(scores, a, b)
    return _signs(scores.oriented[:, :, first] - scores.oriented[:, :, second]).T


def _several(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    scores = chosen_scores(scores, measures)
    if len(scores.measures) < 2:
        raise ValueError(f"{scores.task}: comparing measures needs at least 2 of them")
    return scores


def _by_pair(
    scores: ScoreMatrix, rows: Sequence[tuple[float, ...]], columns: list[str]
) -> pd.DataFrame:
    return pd.DataFrame(
        rows,
        index=pd.MultiIndex.from_tuples(
            combinations(scores.measures, 2), names=["first", "second"]
        ),
        columns=columns,
    )


def _signs(deltas: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return -1, 0 or 1: deltas up to 1e-12 are ties."""
    return np.where(np.abs(deltas) <= TIE_TOLERANCE, 0, np.sign(deltas)).astype(np.int64)
