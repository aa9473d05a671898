"""Gold that is a few people's votes: how a bet on the votes gains over their opinion."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats

from ordbook.chapters.judges import CRITERIA
from ordbook.papers.draws import committed_table
from ordbook.papers.formulas import compositions
from ordbook.show.colours import ESTIMATE, INK, TIED, WIDTH

VOTES = (1, 2, 3, 5, 10, 20, 33)
# Sets whose gold is votes, with all votes of a topic: 33 people, 19 people, 30 people, 33 ratings.
PEOPLE = ("latent", "stc3-dq-a", "stc3-dq-e", "stc3-dq-s", "dbdc3", "hanna-RE-shares")
RANKED = (*PEOPLE[:-1], *(f"hanna-{criterion}-shares" for criterion in CRITERIA))
SHOWN = {"RPS": ESTIMATE, "NMD": INK, "RNOD": TIED}
DRAWN = "drawn"

Shares = NDArray[np.float64]


def outcomes(votes: int, classes: int) -> Shares:
    """Return all shares that so many votes can have, a row each."""
    shares: Shares = compositions(votes, classes) / votes
    return shares


def rounded_median(opinion: Shares, votes: int) -> Shares:
    """Return the shares whose cumulative shares are the medians over all possible votes."""
    below = np.minimum(np.cumsum(opinion, axis=-1)[..., :-1], 1)
    medians = stats.binom.median(votes, below) / votes
    return np.diff(medians, prepend=0, append=1, axis=-1)


def bets() -> pd.DataFrame:
    """Return the mean scores of opinions and of bets, with the change that a bet makes."""
    table = committed_table("bets")
    return table.assign(change=table["betting"] / table["honest"] - 1)


def noise() -> pd.DataFrame:
    """Return the part of RPS that is the noise of gold's votes, by set."""
    return committed_table("noise").set_index("set")


def changes(table: pd.DataFrame) -> Axes:
    """Draw the change by the rounded median: a line for drawn opinions, dots for real votes."""
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
