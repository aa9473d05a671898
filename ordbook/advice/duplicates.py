"""Duplicates under two names: runs with equal scores, and measures with equal scores."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ordbook.advice.grades import SAME
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.rankings import identical_runs
from ordbook.meta.similarity import RankingSimilarity, ranking_similarity
from ordbook.words import listing


def named(copies: Iterable[Sequence[str]]) -> list[str]:
    """Say which runs are the same.

    Examples
    --------
    >>> named([("A", "B", "C")])
    ['A, B and C have the same scores on every topic by every measure']
    """
    return [
        f"{listing(same)} have the same scores on every topic by every measure" for same in copies
    ]


def distinct_runs(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores with one run of each set of identical ones, its first."""
    copies = {run for same in identical_runs(scores) for run in same[1:]}
    kept = [k for k, run in enumerate(scores.runs) if run not in copies]
    names = tuple(scores.runs[k] for k in kept)
    return replace(scores, values=scores.values[:, :, kept], runs=names) if copies else scores


def without_copies(scores: ScoreMatrix, similarity: RankingSimilarity) -> RankingSimilarity:
    """Return how similar rankings are with one run of each set of identical ones.

    In tau-a a pair of tied runs counts as neither agreement nor disagreement, so copies keep
    tau below 1 even between equal rankings. If there are none, or no two runs are left, the
    ``similarity`` of all runs is returned as it is.
    """
    distinct = distinct_runs(scores)
    if distinct is scores or len(distinct.runs) < 2:
        return similarity
    return ranking_similarity(distinct)


def same_measures(scores: ScoreMatrix) -> list[tuple[str, ...]]:
    """Find the measures whose scores are those of another, up to origin and unit.

    With two classes NMD, NVD, RNSS, RNOD and RSNOD are the same number, alpha_ord is alpha_int, and
    MAE_mu is 1 - accuracy. Scores are the same if one linear function turns all of the first
    measure's into the second's, and better stays better. With fewer than three different scores
    this holds for any two measures, so these must also have the same unit.

    Returns
    -------
    list
        One tuple of measures for each set, all in the order of the score matrix.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.QuantificationTask.from_arrays(
    ...     [[0.2, 0.8], [0.6, 0.4]], {"A": [[0.5, 0.5], [0.7, 0.3]], "B": [[1, 0], [0, 1]]}
    ... )
    >>> same_measures(ob.score(task, ["NMD", "JSD", "RNOD"]))
    [('NMD', 'RNOD')]
    """
    costs = {
        name: scores.values[k].ravel() * (1 if scores.better[name] == "low" else -1)
        for k, name in enumerate(scores.measures)
    }
    families, left = [], list(scores.measures)
    while left:
        first, *left = left
        family = [name for name in left if _same(costs[first], costs[name])]
        if family:
            families.append((first, *family))
            left = [name for name in left if name not in family]
    return families


def others_like(name: str, same: Iterable[Sequence[str]]) -> list[str]:
    """Return the other measures that are the same as a given one.

    Examples
    --------
    >>> others_like("NMD", [("RNSS", "NMD", "RNOD"), ("A", "B")])
    ['RNSS', 'RNOD']
    """
    return [other for family in same if name in family for other in family if other != name]


def _same(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    widths = np.ptp(first), np.ptp(second)
    largest = max(np.abs(first).max(), np.abs(second).max())
    if min(widths) <= SAME * largest:  # who gives everybody the same says nothing of any other
        return False
    scaled, other_scaled = (first - first.min()) / widths[0], (second - second.min()) / widths[1]
    if np.abs(scaled - other_scaled).max() > SAME:
        return False
    inside = (scaled > SAME) & (scaled < 1 - SAME)
    return bool(inside.any() or abs(widths[0] - widths[1]) <= SAME * largest)
