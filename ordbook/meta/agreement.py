"""Topic-level agreement of two measures: do they rank topics alike, and prefer the same runs.

The differences of scores are in :mod:`ordbook.meta.deltas`.
"""

from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.deltas import orientation, run_position, score_deltas, signs_of
from ordbook.meta.kendall import IntervalMethod, Variant, kendall_interval, kendall_tau
from ordbook.meta.parallel import CHUNK, Progress, further, in_chunks
from ordbook.meta.validation import a_score_matrix, from_0, several_names
from ordbook.meta.variances import run_slack


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
    threads: int | None = None,
    progress: Progress | None = None,
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
        values of (topic, run) are ranked together. The interval is then too narrow, because the
        runs share their topics.
    method, variant, level, resamples, seed
        As in :func:`ordbook.kendall_interval`.
    threads
        By default one per processor; the result does not depend on it.
    progress
        Called now and then as ``progress(done, all)``; it counts pairs of measures, or for the
        bootstrap resamples of all pairs.

    Returns
    -------
    DataFrame
        By (first, second) measure: tau, low, high, n. Tau is positive if the measures agree,
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
    if len(scores.topics) < 5:
        raise ValueError(
            f"{scores.task}: ranking topics needs at least 5 of them, there are "
            f"{len(scores.topics)}"
        )
    runs = slice(None) if run is None else [run_position(scores, run)]
    largest = np.abs(scores.values).max(axis=(1, 2))
    unit = orientation(scores) * np.where(largest > 0, largest, 1.0)  # ties are relative to it
    values = scores.values[:, :, runs].reshape(len(scores.measures), -1) / unit[:, None]
    pairs = list(combinations(values, 2))

    def row(
        pair: int, threads: int | None, progress: Progress | None
    ) -> tuple[float, float, float, int]:
        x, y = pairs[pair]
        low, high = kendall_interval(
            x,
            y,
            method=method,
            variant=variant,
            level=level,
            resamples=resamples,
            seed=seed,
            threads=threads,
            progress=progress,
        )
        return kendall_tau(x, y, variant), low, high, values.shape[1]

    def work(start: int, stop: int) -> list[tuple[float, float, float, int]]:
        return [row(pair, 1, None) for pair in range(start, stop)]

    if method == "bootstrap":  # long enough for one pair
        total = len(pairs) * resamples
        rows = [
            row(pair, threads, further(progress, pair * resamples, total))
            for pair in range(len(pairs))
        ]
    else:
        done = sorted(in_chunks(work, len(pairs), CHUNK, threads, progress), key=itemgetter(0))
        rows = [counts for *_, part in done for counts in part]
    return _by_pair(scores, rows, ["tau", "low", "high", "n"])


def topic_wins(
    scores: ScoreMatrix, a: str, b: str, *, tolerance: float | None = None
) -> pd.DataFrame:
    """Count the topics on which each of two runs is better.

    Returns
    -------
    DataFrame
        By measure: first (topics that run `a` wins), second (those that `b` wins), tied
        (differences up to `tolerance`, by default 1e-12 of the measure's largest score).

    References
    ----------
    LQ'21, Table 7.
    """
    signs = _preferences(scores, a, b, tolerance)
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
    tolerance: float | None = None,
) -> pd.DataFrame:
    """Count how often every two measures prefer the same of two runs.

    Differences up to `tolerance`, by default 1e-12 of the measure's largest score, are ties.

    Returns
    -------
    DataFrame
        By (first, second) measure, numbers of topics: same_run, both_tied, one_tied, opposite
        (true disagreements); and agreement, the share of same_run and both_tied. SIGIR'18 does
        not say how it counts topics that both measures tie. If they do not count as agreement,
        the share is ``same_run / n``.

    References
    ----------
    SIGIR'18, Table 2(II).
    """
    scores = _several(scores, measures)
    signs = _preferences(scores, a, b, tolerance).T
    rows = []
    for x, y in combinations(signs, 2):
        same = int(((x == y) & (x != 0)).sum())
        tied = int(((x == 0) & (y == 0)).sum())
        opposite = int((x * y < 0).sum())
        one_tied = len(x) - same - tied - opposite
        rows.append((same, tied, one_tied, opposite, (same + tied) / len(x)))
    return _by_pair(scores, rows, ["same_run", "both_tied", "one_tied", "opposite", "agreement"])


def true_disagreements(
    scores: ScoreMatrix,
    a: str,
    b: str,
    first: str,
    second: str,
    *,
    tolerance: float | None = None,
) -> pd.DataFrame:
    """List the topics on which two measures prefer opposite runs, without ties.

    Differences up to `tolerance`, by default 1e-12 of the measure's largest score, are ties.

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
    signs = _preferences(scores, a, b, tolerance)
    opposite = signs[:, 0] * signs[:, 1] < 0
    deltas = score_deltas(scores, a, b)[opposite].copy()
    deltas["preferred"] = np.where(signs[opposite, 0] > 0, a, b)
    return deltas


def _preferences(scores: ScoreMatrix, a: str, b: str, tolerance: float | None) -> NDArray[np.int64]:
    """Return topics x measures: 1 if run `a` is better, -1 if `b` is, 0 for a tie."""
    deltas = score_deltas(scores, a, b, oriented=True).to_numpy()
    if tolerance is not None:
        return signs_of(deltas, from_0(tolerance, "tolerance"))
    noise = np.broadcast_to(run_slack(scores.values), scores.values[:, 0].shape)
    both = noise[:, [scores.runs.index(a), scores.runs.index(b)]]
    return signs_of(deltas, both.max(axis=1))


def _several(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    a_score_matrix(scores)
    several_names(measures)
    if measures is not None:
        scores = scores.select(measures)
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
