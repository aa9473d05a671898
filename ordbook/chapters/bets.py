"""Gold that is a few people's votes: what a bet on the votes gains over the opinion behind them."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats

from ordbook.chapters.judges import CRITERIA
from ordbook.data.loading import load
from ordbook.data.tasks import QuantificationTask
from ordbook.measures import QUANTIFICATION
from ordbook.papers.draws import committed_table
from ordbook.papers.formulas import compositions
from ordbook.show.colours import RIGHT, TIED, WIDTH, WRONG

VOTES = (1, 2, 3, 5, 10, 20, 33)
# Sets whose gold is votes, with all votes of a topic: 33 people, 19 people, 30 people, 33 ratings.
PEOPLE = ("latent", "stc3-dq-a", "stc3-dq-e", "stc3-dq-s", "dbdc3", "hanna-RE-shares")
RANKED = (*PEOPLE[:-1], *(f"hanna-{criterion}-shares" for criterion in CRITERIA))
SHOWN = {"NMD": WRONG, "RNOD": TIED, "RPS": RIGHT}
DRAWN = "drawn"

Shares = NDArray[np.float64]


def outcomes(votes: int, classes: int) -> Shares:
    """Return all shares that so many votes can have, a row each."""
    shares: Shares = compositions(votes, classes) / votes
    return shares


def rounded_median(opinion: Shares, votes: int) -> Shares:
    """Return the shares whose cumulative shares are the medians of what the votes could have."""
    below = np.minimum(np.cumsum(opinion, axis=-1)[..., :-1], 1)
    medians = stats.binom.median(votes, below) / votes
    return np.diff(medians, prepend=0, append=1, axis=-1)


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


def bets() -> pd.DataFrame:
    """Return the committed result of :func:`compute_bets` with the change that a bet makes."""
    table = committed_table("bets")
    return table.assign(change=table["betting"] / table["honest"] - 1)


def noise() -> pd.DataFrame:
    """Return the committed result of :func:`compute_noise`."""
    return committed_table("noise").set_index("set")


def changes(table: pd.DataFrame) -> Axes:
    """Draw what the rounded median changes: a line for drawn opinions, dots for real votes."""
    _, axes = plt.subplots(figsize=(WIDTH, 3.6), layout="constrained")
    table = table[table["bet"] == "rounded median"]
    for measure, colour in SHOWN.items():
        part = table[table["measure"] == measure]
        line, real = part[part["opinions"] == DRAWN], part[part["opinions"] != DRAWN]
        axes.plot(line["votes"], 100 * line["change"], color=colour, lw=2)
        axes.plot(real["votes"], 100 * real["change"], "o", color=colour, ms=4.5, alpha=0.7)
        first = 100 * line["change"].iloc[0]
        axes.annotate(
            measure, (1, first), (-8, 0), textcoords="offset points", ha="right", va="center"
        )
    axes.axhline(0, color="black", lw=0.8)
    axes.set_xscale("log")
    axes.set_xticks(VOTES, [str(votes) for votes in VOTES])
    axes.minorticks_off()
    axes.set_xlim(0.5, 36)
    axes.set(xlabel="votes that are gold", ylabel="change of the mean score in %")
    axes.spines[["top", "right"]].set_visible(False)
    return axes
