"""Topic-level agreement of two measures, and the topics on which they part.

Contents
--------
topic_agreement        tau over topics of every two measures (SIGIR'18 Table 2(I))
score_deltas           differences between two runs, topic x measure (LQ'21 Eq. 10)
topic_wins             how many topics each of two runs wins (LQ'21 Table 7)
preference_agreement   how often two measures prefer the same run (SIGIR'18 Table 2(II))
true_disagreements     the topics on which they prefer opposite runs (SIGIR'18 Figure 2)
Quadrants, quadrants   counts in the plane of two deltas, and their correlation (LQ'21 Figure 1)
largest_partings       the topics on which two measures part most (LQ'21 Figure 3)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.kendall import (
    TIE_TOLERANCE,
    IntervalMethod,
    Variant,
    kendall_interval,
    kendall_tau,
)

# Below this share of their size, differences between deltas are rounding: their correlation
# is not defined.
FLAT = 1e-12


def topic_agreement(
    scores: ScoreMatrix,
    measures: Sequence[str] | None = None,
    *,
    run: str | None = None,
    method: IntervalMethod = "asymptotic",
    variant: Variant = "b",
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlate the rankings of the topics by every two measures.

    Parameters
    ----------
    scores
        Scores on at least five topics.
    measures
        Which measures; by default all.
    run
        Rank the topics by the scores of this run, as SIGIR'18 does with System 2. Without it all
        values of (topic, run) are ranked together; they are not independent, as the runs share
        their topics, so that the interval is then too narrow.
    method, variant, level, resamples, seed
        As in :func:`ordbook.kendall_interval`.

    Returns
    -------
    DataFrame
        By (first, second) measure: tau, low, high, n. Positive where the measures agree,
        whichever end of their scales is better. NaN where a measure ties everything.

    Raises
    ------
    ValueError
        If a measure or run is unknown, or there are fewer than two measures or five topics.

    References
    ----------
    SIGIR'18, Table 2(I).
    """
    scores = _several(scores, measures)
    if len(scores.topics) < 5:
        raise ValueError(
            f"{scores.task}: ranking topics needs at least 5 of them, there are "
            f"{len(scores.topics)}"
        )
    runs = slice(None) if run is None else [_position(scores, run)]
    values = _orientation(scores)[:, None] * scores.values[:, :, runs].reshape(
        len(scores.measures), -1
    )
    rows = []
    for x, y in combinations(values, 2):
        tau = kendall_tau(x, y, variant)
        limits = kendall_interval(
            x,
            y,
            method=method,
            variant=variant,
            level=level,
            resamples=resamples,
            seed=seed,
        )
        rows.append((tau, *limits, values.shape[1]))
    return _by_pair(scores, rows, ["tau", "low", "high", "n"])


def score_deltas(
    scores: ScoreMatrix,
    a: str,
    b: str,
    measures: Sequence[str] | None = None,
    *,
    oriented: bool = False,
) -> pd.DataFrame:
    r"""Score differences between two runs, topic by topic.

    .. math:: \Delta M = M(a) - M(b) \qquad \text{(LQ'21, Eq. 10)}

    Parameters
    ----------
    scores
        The scores.
    a, b
        Two runs.
    measures
        Which measures; by default all.
    oriented
        Turn the differences of measures that are better low, so that a positive delta means
        everywhere that a is better. Without it deltas are as in the paper, where smaller is
        better: a negative one says that a is better.

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
    first, second = _position(scores, a), _position(scores, b)
    if first == second:
        raise ValueError(f"{scores.task}: {a!r} does not differ from itself; name two runs")
    values = scores.values[:, :, first] - scores.values[:, :, second]
    if oriented:
        values = values * _orientation(scores)[:, None]
    return pd.DataFrame(
        values.T,
        index=pd.Index(scores.topics, name="topic"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def topic_wins(
    scores: ScoreMatrix, a: str, b: str, *, tolerance: float = TIE_TOLERANCE
) -> pd.DataFrame:
    """Count the topics on which each of two runs is better.

    Returns
    -------
    DataFrame
        By measure: first (topics that run `a` wins), second (those that `b` wins), tied
        (differences up to `tolerance`).

    References
    ----------
    LQ'21, Table 7.
    """
    signs = _signs(score_deltas(scores, a, b, oriented=True).to_numpy(), tolerance)
    return pd.DataFrame(
        {name: (signs == s).sum(axis=0) for name, s in (("first", 1), ("second", -1), ("tied", 0))},
        index=pd.Index(scores.measures, name="measure"),
    )


def preference_agreement(
    scores: ScoreMatrix,
    a: str,
    b: str,
    measures: Sequence[str] | None = None,
    *,
    tolerance: float = TIE_TOLERANCE,
) -> pd.DataFrame:
    """How often every two measures prefer the same of two runs.

    Returns
    -------
    DataFrame
        By (first, second) measure, numbers of topics: same_run, both_tied, one_tied, opposite
        (true disagreements); and agreement, the share of same_run and both_tied. SIGIR'18 does
        not say how it counts topics that both measures tie; without them the share is
        ``same_run / n``.

    References
    ----------
    SIGIR'18, Table 2(II).
    """
    scores = _several(scores, measures)
    signs = _signs(score_deltas(scores, a, b, oriented=True).to_numpy().T, tolerance)
    rows = []
    for x, y in combinations(signs, 2):
        same = int(((x == y) & (x != 0)).sum())
        tied = int(((x == 0) & (y == 0)).sum())
        opposite = int((x * y < 0).sum())
        one = len(x) - same - tied - opposite
        rows.append((same, tied, one, opposite, (same + tied) / len(x)))
    return _by_pair(scores, rows, ["same_run", "both_tied", "one_tied", "opposite", "agreement"])


def true_disagreements(
    scores: ScoreMatrix,
    a: str,
    b: str,
    first: str,
    second: str,
    *,
    tolerance: float = TIE_TOLERANCE,
) -> pd.DataFrame:
    """Topics on which two measures prefer opposite runs, ties left out.

    Returns
    -------
    DataFrame
        By topic: the deltas M(a) - M(b) of both measures, under their names, and ``preferred``,
        the run that the first measure prefers; the second prefers the other. Empty where there
        are none.

    References
    ----------
    SIGIR'18, Section 4.2 and Figure 2.
    """
    scores = _several(scores, [first, second])
    signs = _signs(score_deltas(scores, a, b, oriented=True).to_numpy(), tolerance)
    opposite = signs[:, 0] * signs[:, 1] < 0
    found = score_deltas(scores, a, b)[opposite].copy()
    found["preferred"] = np.where(signs[opposite, 0] > 0, a, b)
    return found


@dataclass(frozen=True)
class Quadrants:
    """Where the topics lie in the plane of two deltas, x to the right and y upwards.

    Attributes
    ----------
    first, second, third, fourth
        Topics right and above, left and above, left and below, right and below.
    on_x_axis, on_y_axis, at_origin
        Topics with y tied only, with x tied only, with both tied.
    pearson, low, high
        Correlation of the deltas and the limits of Fisher's z interval; NaN where all deltas of
        a measure are equal.
    """

    first: int
    second: int
    third: int
    fourth: int
    on_x_axis: int
    on_y_axis: int
    at_origin: int
    pearson: float
    low: float
    high: float

    @property
    def disagreements(self) -> int:
        """Topics in the second and fourth quadrants: the measures prefer opposite runs.

        True of measures with the same better end, and of oriented deltas.
        """
        return self.second + self.fourth


def quadrants(
    deltas: pd.DataFrame,
    x: str,
    y: str,
    *,
    level: float = 0.95,
    tolerance: float = TIE_TOLERANCE,
) -> Quadrants:
    r"""Count topics by the signs of two measures' deltas, and correlate the deltas.

    The interval of Pearson's r is :math:`\tanh(\operatorname{artanh} r \pm z / \sqrt{n - 3})`.

    Parameters
    ----------
    deltas
        From :func:`score_deltas`, with at least four topics. If one measure is better high and
        the other low, take ``oriented=True`` there, or the quadrants of agreement change.
    x, y
        Two measures.

    References
    ----------
    LQ'21, Section 5.3, Figures 1 and 2.
    """
    horizontal, vertical = _two_columns(deltas, x, y)
    n = len(deltas)
    if n < 4:
        raise ValueError(f"the interval of a correlation needs at least 4 topics, there are {n}")
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    signs = np.stack([_signs(v, tolerance) for v in (horizontal, vertical)])
    counts = {
        name: int((signs == np.array([[sx], [sy]])).all(axis=0).sum())
        for name, sx, sy in (
            ("first", 1, 1),
            ("second", -1, 1),
            ("third", -1, -1),
            ("fourth", 1, -1),
            ("at_origin", 0, 0),
        )
    }
    tied_x, tied_y = (int((row == 0).sum()) for row in signs)
    pearson, low, high = _pearson(horizontal, vertical, level)
    return Quadrants(
        **counts,
        on_x_axis=tied_y - counts["at_origin"],
        on_y_axis=tied_x - counts["at_origin"],
        pearson=pearson,
        low=low,
        high=high,
    )


def largest_partings(
    deltas: pd.DataFrame,
    x: str,
    y: str,
    top: int = 10,
    *,
    side: Literal["both", "negative", "positive"] = "both",
) -> pd.DataFrame:
    r"""Topics on which two measures part most about two runs.

    Topics are ranked by the size of :math:`d = \Delta x - \Delta y`; ties (to 1e-12) keep the
    order of the topics.

    Parameters
    ----------
    deltas
        From :func:`score_deltas`.
    x, y
        Two measures. Their scales should be comparable.
    top
        How many topics, at most.
    side
        Only topics with negative d, or with positive d. LQ'21 shows the two with the most
        negative d and does not say whether positive ones were candidates.

    Returns
    -------
    DataFrame
        By topic: the two deltas and ``d``.

    References
    ----------
    LQ'21, Section 5.3 and Figure 3.
    """
    horizontal, vertical = _two_columns(deltas, x, y)
    if top < 1:
        raise ValueError(f"top must be at least 1, not {top}")
    if side not in ("both", "negative", "positive"):
        raise ValueError(f"side must be 'both', 'negative' or 'positive', not {side!r}")
    d = horizontal - vertical
    keep = {
        "both": np.ones(len(d), dtype=bool),
        "negative": d < -TIE_TOLERANCE,
        "positive": d > TIE_TOLERANCE,
    }[side]
    order = np.argsort(-np.round(np.abs(d), 12), kind="stable")
    order = order[keep[order]][:top]
    found: pd.DataFrame = deltas[[x, y]].iloc[order].copy()
    found["d"] = d[order]
    return found


def _several(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    if isinstance(measures, str):
        raise ValueError(f"measures must be several names, not {measures!r}")
    if measures is not None:
        scores = scores.select(measures)
    if len(scores.measures) < 2:
        raise ValueError(f"{scores.task}: comparing measures needs at least 2 of them")
    return scores


def _position(scores: ScoreMatrix, run: str) -> int:
    if run not in scores.runs:
        raise ValueError(
            f"{scores.task}: no run {run!r} in these scores; there are {', '.join(scores.runs)}"
        )
    return scores.runs.index(run)


def _orientation(scores: ScoreMatrix) -> NDArray[np.float64]:
    return np.array([1.0 if scores.better[m] == "high" else -1.0 for m in scores.measures])


def _signs(deltas: NDArray[np.float64], tolerance: float) -> NDArray[np.int64]:
    return np.where(np.abs(deltas) <= tolerance, 0, np.sign(deltas)).astype(np.int64)


def _two_columns(
    deltas: pd.DataFrame, x: str, y: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    for name in (x, y):
        if name not in deltas.columns:
            known = ", ".join(map(str, deltas.columns))
            raise ValueError(f"no measure {name!r} in these deltas; there are {known}")
    if x == y:
        raise ValueError(f"{x!r} does not differ from itself; name two measures")
    return deltas[x].to_numpy(float), deltas[y].to_numpy(float)


def _pearson(
    x: NDArray[np.float64], y: NDArray[np.float64], level: float
) -> tuple[float, float, float]:
    flat = any(np.ptp(v) <= FLAT * max(1.0, float(np.abs(v).max())) for v in (x, y))
    if flat:
        return (float("nan"),) * 3
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    if abs(r) >= 1 - 1e-15:
        return r, r, r
    half = NormalDist().inv_cdf((1 + level) / 2) / (len(x) - 3) ** 0.5
    return r, float(np.tanh(np.arctanh(r) - half)), float(np.tanh(np.arctanh(r) + half))


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
