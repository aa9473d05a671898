"""Every way in which the votes for a topic can fall, and what two baselines score on each."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ordbook.data.tasks import baselines
from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks.tools import Integers, compositions
from ordbook.papers.symbols import SIX

Floats = NDArray[np.float64]
TIE = 1e-12


@dataclass(frozen=True)
class VoteVectors:
    """Every way in which the votes for a dialogue can fall.

    Attributes
    ----------
    votes
        (ways, classes), whole numbers.
    scores
        (measures, baselines, ways): uniform, then popularity, in the order of ``SIX``.
    signs
        (measures, ways): 1 where Uniform is better, -1 where Popularity is, 0 for a tie.
    """

    votes: Integers
    scores: Floats
    signs: Integers

    @property
    def deltas(self) -> Floats:
        """Popularity's score minus Uniform's, (measures, ways): LQ'21, Eq. 10."""
        return self.scores[:, 1] - self.scores[:, 0]


@cache
def vote_vectors(votes: int = 20, classes: int = 5) -> VoteVectors:
    """Return every way in which so many votes can fall, with the baselines' scores."""
    ways = compositions(votes, classes)
    gold = ways / votes
    scores = np.stack([QUANTIFICATION[m].kernel(gold[None], baselines(gold)) for m in SIX])
    deltas = scores[:, 1] - scores[:, 0]
    signs = np.where(np.abs(deltas) < TIE, 0, np.sign(deltas)).astype(int)
    return VoteVectors(ways, scores, signs)
