"""What a bet on the votes gains: for ``bets.csv`` and ``noise.csv``."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ordbook.chapters.bets import (
    DRAWN,
    PEOPLE,
    RANKED,
    SHOWN,
    VOTES,
    Shares,
    outcomes,
    rounded_median,
)
from ordbook.data.loading import load
from ordbook.data.tasks import QuantificationTask
from ordbook.measures import QUANTIFICATION


def best_parts(opinion: Shares, votes: int) -> Shares:
    """Return the shares with the least expected sum of absolute differences from the votes'.

    Each of ``votes`` equal parts goes to the class where it costs least; the cost of another part
    in a class rises, so that no other answer is better.
    """
    below = stats.binom.cdf(np.arange(votes), votes, opinion[:, None])
    cheapest = np.argsort(below, axis=None, kind="stable")[:votes]
    parts: Shares = np.bincount(cheapest // votes, minlength=len(opinion)) / votes
    return parts


def flatter(opinion: Shares) -> Shares:
    """Return an opinion mixed with a fifth of the uniform one."""
    mixed: Shares = 0.8 * opinion + 0.2 / opinion.shape[-1]
    return mixed


def compute_bets(opinions: int = 200, draws: int = 50) -> pd.DataFrame:
    """Return the mean scores of the opinion and of two bets against votes: for ``data/draws``.

    The opinions are drawn, five classes each, and the mean over the votes is exact; or they are
    the votes of all other people of a topic, and the votes are those of ``draws`` random groups.
    """
    rng = np.random.default_rng(0)
    rows = []
    drawn = rng.dirichlet(np.ones(5), opinions)
    for votes in VOTES:
        golds = outcomes(votes, 5)
        chances = [stats.multinomial.pmf(golds * votes, votes, opinion) for opinion in drawn]
        pairs = [(golds, opinion) for opinion in drawn]
        rows += _compared(DRAWN, votes, pairs, chances)
        rows.append(_between_shares(drawn, votes))
    for name in PEOPLE:
        counts = _counts(name)
        for votes in VOTES[:-2]:
            rng = np.random.default_rng(0)
            groups = [rng.multivariate_hypergeometric(row, votes, draws) for row in counts]
            pairs = [
                (group / votes, (row - group) / (row.sum() - votes))
                for row, group in zip(counts, groups, strict=True)
            ]
            rows += _compared(name, votes, pairs, [np.full(draws, 1 / draws)] * len(pairs))
    return pd.DataFrame(rows)


def compute_noise() -> pd.DataFrame:
    """Return the part of RPS that is the noise of gold's votes, by set: for ``data/draws``."""
    rows = []
    for name in RANKED:
        counts = _counts(name)
        votes = counts.sum(axis=1, keepdims=True)
        below = np.cumsum(counts / votes, axis=1)[:, :-1]
        noise = (below * (1 - below) / (votes - 1)).mean()
        rows.append({"set": name, "votes": int(np.median(votes)), "noise": noise})
    return pd.DataFrame(rows)


def _counts(name: str) -> NDArray[np.int64]:
    task = load(name)
    assert isinstance(task, QuantificationTask)
    counts: NDArray[np.int64] = np.rint(task.gold * np.array(task.votes)[:, None]).astype(np.int64)
    return counts


def _compared(
    name: str, votes: int, pairs: list[tuple[Shares, Shares]], chances: list[Shares]
) -> list[dict[str, object]]:
    """Return a row for each measure and bet: mean scores, and the error of their ratio."""
    rows = []
    for measure in SHOWN:
        kernel = QUANTIFICATION[measure].kernel
        scores = np.array(
            [
                [
                    chance @ kernel(golds, np.broadcast_to(answer, golds.shape))
                    for answer in (opinion, rounded_median(opinion, votes), flatter(opinion))
                ]
                for (golds, opinion), chance in zip(pairs, chances, strict=True)
            ]
        )
        honest = scores[:, 0].mean()
        answers = [("rounded median", scores[:, 1])]
        if name == DRAWN:  # other people's shares are noisy, so that a flatter answer is shrunk
            answers.append(("flatter", scores[:, 2]))
        for bet, of_bet in answers:
            ratio = of_bet.mean() / honest
            error = (of_bet - ratio * scores[:, 0]).std(ddof=1) / len(scores) ** 0.5 / honest
            row = {"opinions": name, "votes": votes, "measure": measure, "bet": bet}
            rows.append(row | {"honest": honest, "betting": of_bet.mean(), "error": error})
    return rows


def _between_shares(opinions: Shares, votes: int) -> dict[str, object]:
    """Return the row of NVD, half the Manhattan distance between the shares themselves."""
    shares = np.arange(votes + 1) / votes
    chances = stats.binom.pmf(np.arange(votes + 1), votes, opinions[..., None])
    best = np.array([best_parts(opinion, votes) for opinion in opinions])
    scores = np.array(
        [
            (chances * np.abs(answers[..., None] - shares)).sum(axis=(1, 2)) / 2
            for answers in (opinions, best)
        ]
    )
    honest, betting = scores.mean(axis=1)
    error = (scores[1] - betting / honest * scores[0]).std(ddof=1) / len(opinions) ** 0.5 / honest
    row = {"opinions": DRAWN, "votes": votes, "measure": "NVD", "bet": "best parts"}
    return row | {"honest": honest, "betting": betting, "error": error}
