"""Runs that are the same as another: named, and left out where rankings are correlated.

Contents
--------
sets_of          sets of identical runs
distinct_runs    scores with one run of each set of identical ones
without_copies   similarity of rankings, copies of a run left out
named            a sentence per set of identical runs
say_copies       the same as a note, with what it means for a chapter
"""

from collections.abc import Sequence
from dataclasses import replace

from IPython.display import display

from ordbook.book.admonitions import Myst
from ordbook.book.escape import escape_markdown
from ordbook.book.grades import listing
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.similarity import RankingSimilarity, ranking_similarity
from ordbook.meta.standings import identical_runs

# What copies of a run do to results.
MEANS = (
    "Rankings by two measures are correlated with one run of each such set, since two copies are "
    "always tied, and a tied pair counts as neither agreement nor disagreement. In consistency "
    "and significant differences every run counts: there copies keep tau below 1, and each adds "
    "pairs that say nothing new."
)


def sets_of(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> list[tuple[str, ...]]:
    """Return the sets of runs that are the same by some measures, by default all.

    Measures of one's own are best left out, so that none decides which runs the others rank.
    """
    return identical_runs(scores if measures is None else scores.select(measures))


def distinct_runs(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> ScoreMatrix:
    """Return the scores with one run of each set of identical ones, its first.

    Parameters
    ----------
    scores
        By any measures.
    measures
        By which runs are to be the same, by default all.
    """
    copies = {run for same in sets_of(scores, measures) for run in same[1:]}
    kept = [k for k, run in enumerate(scores.runs) if run not in copies]
    names = tuple(scores.runs[k] for k in kept)
    return replace(scores, values=scores.values[:, :, kept], runs=names) if copies else scores


def without_copies(
    scores: ScoreMatrix, similarity: RankingSimilarity, measures: Sequence[str] | None = None
) -> RankingSimilarity:
    """Return how similar rankings are with one run of each set of identical ones.

    In tau-a a pair of tied runs counts as neither agreement nor disagreement, so that copies keep
    tau below 1 even between equal rankings. Where there are none, or no two runs are left, the
    similarity given is returned.

    Parameters
    ----------
    scores, measures
        As for :func:`distinct_runs`.
    similarity
        From :func:`ordbook.ranking_similarity` on these scores.
    """
    distinct = distinct_runs(scores, measures)
    if distinct is scores or len(distinct.runs) < 2:
        return similarity
    return ranking_similarity(distinct, list(similarity.tau.index))


def named(copies: Sequence[Sequence[str]]) -> list[str]:
    """Say which runs are the same.

    Examples
    --------
    >>> named([("A", "B", "C")])
    ['A, B and C have the same scores on every topic by every measure']
    """
    return [
        f"{listing(same)} have the same scores on every topic by every measure" for same in copies
    ]


def say_copies(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> None:
    """Show, as a note, which runs are the same and what that means; nothing where none are.

    Parameters
    ----------
    scores, measures
        As for :func:`distinct_runs`.
    """
    lines = [f"- {escape_markdown(same)}." for same in named(sets_of(scores, measures))]
    if lines:
        display(Myst("\n".join([":::{note}", *lines, "", MEANS, ":::"])))
