"""Random halves of topics and of runs, which stand for other topics and other runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.validation import a_score_matrix, whole_number
from ordbook.words import counted

Over = Literal["topics", "runs", "both"]
Claim = Callable[[ScoreMatrix], "bool | None"]

HALVES = 200
# Fewer topics, or fewer runs (teams, where they are known), cannot stand for others.
FEWEST = 8
# A claim that is true of this share of the halves does not depend on the sample.
FIRM = 0.95


@dataclass(frozen=True)
class Vote:
    """The vote of one data set on a claim.

    Attributes
    ----------
    value
        1: the claim is true of the whole and of at least 95% of the halves. -1: its negation is.
        0: neither.
    whole
        Whether the claim is true of the whole; None if it says nothing about these data.
    share
        Share of the halves of which the claim is true, among those that it speaks about (NaN if
        there is none).
    why
        The reason for 0 where the halves were not asked, such as too few runs.
    """

    value: int
    whole: bool | None
    share: float = float("nan")
    why: str = ""


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


def too_few(scores: ScoreMatrix, over: Over, groups: Mapping[str, str] | None = None) -> str:
    """Say why halves cannot stand for other topics or runs; nothing if they can.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.load("stc3-dq-a")
    >>> too_few(ob.score(task), "both", task.groups)
    'only 5 teams'
    """
    runs = len(scores.runs)
    units = {"topic": len(scores.topics), "run": len(_teams(scores.runs, groups))}
    noun = "team" if units["run"] < runs else "run"
    if over != "runs" and units["topic"] < FEWEST:
        return f"only {counted(units['topic'], 'topic')}"
    if over != "topics" and units["run"] < FEWEST:
        return f"only {counted(units['run'], noun)}"
    return ""


def vote(
    claim: Claim,
    scores: ScoreMatrix,
    over: Over = "topics",
    groups: Mapping[str, str] | None = None,
    halves: int = HALVES,
    seed: int = 0,
) -> Vote:
    """Ask a data set whether a claim about measures holds on it, and on its random halves.

    Parameters
    ----------
    claim
        Score matrix -> whether the claim is true of it, or None if it says nothing about it.
    scores, over, groups, halves, seed
        As for :func:`random_halves`.

    Examples
    --------
    Is NMD less consistent than RNOD on the survey, whatever the topics?

    >>> import ordbook as ob
    >>> from ordbook.meta.consistency import ranking_consistency
    >>> scores = ob.score(ob.load("fair-oq"), ["NMD", "RNOD"])
    >>> def claim(part):
    ...     mean = ranking_consistency(part, splits=50).mean
    ...     return bool(mean["NMD"] < mean["RNOD"])
    >>> vote(claim, scores, halves=40).value
    0
    """
    whole = claim(scores)
    if why := too_few(scores, over, groups):
        return Vote(0, whole, why=why)
    answers = [claim(half) for half in random_halves(scores, over, halves, seed, groups)]
    return cast_vote(whole, answers)


def cast_vote(whole: bool | None, answers: Sequence[bool | None]) -> Vote:
    """Return the vote that the answers on the whole and on its halves amount to.

    The rule is symmetric: if every answer is negated, the vote changes its sign.

    Examples
    --------
    >>> [cast_vote(True, [True] * n + [False] * (20 - n)).value for n in (20, 19, 18, 0)]
    [1, 1, 0, 0]
    >>> cast_vote(False, [False] * 19 + [True]).value, cast_vote(None, [True]).value
    (-1, 0)
    """
    known = [answer for answer in answers if answer is not None]
    share = sum(known) / len(known) if known else float("nan")
    if whole is None or not known:
        return Vote(0, whole, share, "nothing to go by")
    agreeing = share if whole else 1 - share
    return Vote((1 if whole else -1) if agreeing >= FIRM - 1e-9 else 0, whole, share)


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
