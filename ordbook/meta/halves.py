"""Random halves of topics and of runs, which stand for other topics and other runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.validation import a_score_matrix, whole_number
from ordbook.words import counted

Over = Literal["topics", "runs", "both"]

HALVES = 200


def random_halves(
    scores: ScoreMatrix,
    over: Over = "topics",
    halves: int = HALVES,
    seed: int = 0,
    groups: Mapping[str, str] | None = None,
) -> Iterator[ScoreMatrix]:
    r"""Draw random halves of the topics, of the runs, or of both at once, without replacement.

    The mean over half of n topics, drawn without replacement, varies about the mean over all n as
    much as the mean over n new topics varies about the truth: its variance is
    :math:`\frac{s^2}{n/2}(1 - \frac{1}{2}) = \frac{s^2}{n}`. The halves therefore show how far a
    result depends on the sample, without the ties that a bootstrap makes when it draws a run twice.
    They say too little of fewer than 20 topics (``data/draws/coverage.csv``).

    Parameters
    ----------
    scores
        A score matrix; an odd number of topics or runs is halved downwards.
    over
        ``"topics"``: the topics are the sample, the runs stay. ``"runs"``: the other way round.
        ``"both"``: each draw halves both, as Owen and Eckles (2012)
        resample rows and columns.
    halves
        How many are drawn.
    seed
        A whole number from 0. Draw k depends on the seed and k only.
    groups
        Run -> team. Runs of a team resemble each other, so teams are drawn, each with all its runs.
        A run without a team is a team of its own.

    Raises
    ------
    ValueError
        If ``over`` is unknown, a number is out of range, or there are fewer than two topics, runs
        or teams to draw from.

    References
    ----------
    Owen and Eckles (2012), *Bootstrapping data arrays of arbitrary order*.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("fair-oq"), ["NMD", "RNOD"])
    >>> half = next(random_halves(scores, "both"))
    >>> len(scores.topics), len(scores.runs), len(half.topics), len(half.runs)
    (56, 16, 28, 8)
    """
    a_score_matrix(scores)
    if over not in get_args(Over):
        raise ValueError(f"over must be 'topics', 'runs' or 'both', not {over!r}")
    whole_number(halves, "halves")
    whole_number(seed, "the seed", 0)
    topics = [[k] for k in range(len(scores.topics))]
    teams = _teams(scores.runs, groups)
    for drawn, units, noun in ((over != "runs", topics, "topic"), (over != "topics", teams, "run")):
        if drawn and len(units) < 2:
            raise ValueError(f"{scores.task}: {counted(len(units), noun)} cannot be halved")
    for draw in range(halves):
        rng = np.random.default_rng([seed, draw, 20070101])
        rows = _half(topics, rng) if over != "runs" else slice(None)
        columns = _half(teams, rng) if over != "topics" else slice(None)
        yield replace(
            scores,
            values=scores.values[:, rows][:, :, columns],
            topics=tuple(np.array(scores.topics, object)[rows]),
            runs=tuple(np.array(scores.runs, object)[columns]),
        )


def _teams(runs: Sequence[str], groups: Mapping[str, str] | None) -> list[list[int]]:
    teams: dict[object, list[int]] = {}
    for k, run in enumerate(runs):
        team = (groups or {}).get(run)
        teams.setdefault(("run", run) if team is None else ("team", team), []).append(k)
    return list(teams.values())


def _half(units: Sequence[Sequence[int]], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw half of the units; return the places that they hold, in order."""
    drawn = rng.permutation(len(units))[: len(units) // 2]
    return np.sort(np.concatenate([units[k] for k in drawn])).astype(np.int64)
