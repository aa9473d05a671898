"""System ranking similarity: how similarly two measures rank the runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.kendall import MOST_DIGITS, kendall_interval, pair_signs
from ordbook.meta.validation import at_least, between_0_and_1, chosen_scores, whole_number
from ordbook.meta.variances import settled


@dataclass(frozen=True, eq=False)
class RankingSimilarity:
    """Kendall's tau between the rankings of the runs by every two measures.

    Attributes
    ----------
    tau, low, high
        DataFrames, measure x measure: the correlation and the limits of its interval (NaN
        for fewer than five runs).
    tied
        Measure -> number of run pairs that it ties.
    runs
        Number of runs.
    notes
        Sentences on measures that tie all runs, whose correlations say nothing.
    """

    tau: pd.DataFrame
    low: pd.DataFrame
    high: pd.DataFrame
    tied: pd.Series
    runs: int
    notes: tuple[str, ...] = ()

    def pairs(self) -> pd.DataFrame:
        """One row per pair of measures: first, second, tau, low, high."""
        rows, columns = np.triu_indices(len(self.tau), 1)
        return pd.DataFrame(
            {
                "first": self.tau.index[rows],
                "second": self.tau.columns[columns],
                **{
                    name: getattr(self, name).to_numpy()[rows, columns]
                    for name in ("tau", "low", "high")
                },
            }
        )

    def cells(self) -> dict[tuple[str, str], float]:
        """Return every correlation and its limits by (row, column), as printed tables name them.

        The limits of (``NMD``, ``RNOD``) are (``NMD``, ``RNOD low``) and (``NMD``, ``RNOD high``).
        """
        return {
            (first, f"{second}{suffix}"): float(values.loc[first, second])
            for suffix, values in (("", self.tau), (" low", self.low), (" high", self.high))
            for first in values.index
            for second in values.columns
        }

    def averages(self, digits: int | None = None) -> pd.Series:
        """Average similarity of each measure with the others (DNKT, Section 4).

        With ``digits`` the correlations are rounded first: DNKT Table 4 averages the values
        printed in Table 3.
        """
        tau = self.tau if digits is None else self.tau.round(digits)
        without_itself = tau.to_numpy() * (1 - np.eye(len(tau)))
        return pd.Series(without_itself.sum(axis=1) / (len(tau) - 1), index=tau.index)


def pair_orders(scores: ScoreMatrix, decimals: int | None = None) -> NDArray[np.int64]:
    """Return which run of each pair is better by its mean score, which may be rounded first.

    (measures, pairs): 1 if the second run is better, -1 if the first is, 0 for a tie.
    """
    means = scores.oriented.mean(axis=1)
    if decimals is not None:  # means that tie are rounded to the same side
        means = np.stack([settled(row) for row in means]) * scores.scale[:, None]
        means = means.round(decimals)
    return pair_signs(means).astype(np.int64)


def ranking_similarity(
    scores: ScoreMatrix,
    measures: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    digits: int | None = None,
    decimals: int | None = None,
) -> RankingSimilarity:
    """Correlate the rankings of the runs by every two measures.

    Runs are ranked by their mean score over topics, the best first. Means within 1e-12 of the
    measure's largest score are ties, and tau is tau-a, as in the papers. A measure that ties all
    runs has tau 0 with every other; ``notes`` name it.

    Parameters
    ----------
    scores
        Scores of at least two runs.
    measures
        Which measures, in which order; by default all.
    level, digits
        Confidence level of Fieller's interval, and the decimals to which tau is rounded first
        (DNKT: 3); see :func:`ordbook.kendall_interval`.
    decimals
        Round the mean scores to so many decimals first, which makes ties. Only 4 gives DNKT
        Table 21(a).

    Returns
    -------
    RankingSimilarity
        Its ``tau``, ``low`` and ``high`` are tables, measure x measure.

    Raises
    ------
    ValueError
        If a measure is unknown, there are fewer than two runs, or every measure ties all runs.

    References
    ----------
    ACL'21, Section 5.1; DNKT, Section 4.
    """
    scores = chosen_scores(scores, measures)
    between_0_and_1(level, "level")
    for name, number in (("digits", digits), ("decimals", decimals)):
        if number is not None:
            whole_number(number, name, 0, MOST_DIGITS)
    at_least(scores, "a ranking", runs=2)
    count = len(scores.runs)
    signs = pair_orders(scores, decimals)
    flat: NDArray[np.bool_] = np.all(signs == 0, axis=1)
    if flat.all():
        raise ValueError(
            f"{scores.task}: all runs have the same mean by {', '.join(scores.measures)}; there "
            "is no ranking to compare"
        )
    tau = (signs @ signs.T).astype(np.float64) / signs.shape[1]
    limits = np.full((2, *tau.shape), np.nan)
    if count >= 5:
        for i, j in np.ndindex(tau.shape):
            limits[:, i, j] = kendall_interval(tau[i, j], count, level=level, digits=digits)
    names = pd.Index(scores.measures, name="measure")
    low, high, value = (pd.DataFrame(a, index=names, columns=names) for a in (*limits, tau))
    tied = pd.Series(np.count_nonzero(signs == 0, axis=1), index=names)
    notes = tuple(
        f"{scores.task}: by {measure} all runs have the same mean, so a tau of 0 with it says "
        "nothing"
        for measure, none in zip(scores.measures, flat, strict=True)
        if none
    )
    return RankingSimilarity(value, low, high, tied, count, notes)
