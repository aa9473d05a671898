"""Whether two runs differ: the paired randomisation test."""

import numpy as np
import pandas as pd

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.meta.significance import clopper_pearson
from ordbook.meta.validation import place_of, whole_number

# With so many topics, all ways to choose the signs are counted.
EXACT = 15
# Signs are drawn for about so many topics and trials at once.
BLOCK = 1 << 20


def paired_randomisation(
    scores: ScoreMatrix, a: str, b: str, *, trials: int = 10_000, seed: int = 0
) -> pd.DataFrame:
    """Test the difference between two runs: a two-sided, paired randomisation test.

    If the runs are the same, the sign of each topic's difference is a coin toss: p is the share of
    ways to choose the signs whose mean difference is at least as large as the observed one. With up
    to 15 topics all ways are counted, and p is exact; with more, ``trials`` of them are drawn.

    Parameters
    ----------
    scores
        Scores of both runs by one or more measures.
    a, b
        Names of the runs.
    trials
        How many ways are drawn, if there are more than 15 topics.
    seed
        A whole number from 0.

    Returns
    -------
    DataFrame
        By measure: ``difference`` (mean of a minus mean of b), ``p`` (from 0 to 1), and ``low`` and
        ``high``, Clopper and Pearson's 95% limits of p, which equal it if it is exact.

    Raises
    ------
    ValueError
        If a run is not in the scores, or ``trials`` or ``seed`` is not a whole number.

    References
    ----------
    Smucker, Allan and Carterette (2007); SIGIR'18, Section 5.

    Examples
    --------
    >>> from ordbook.data.scores import ScoreMatrix
    >>> from ordbook.data.tasks import Provenance
    >>> values = np.array([[[0.4, 0.1], [0.5, 0.3], [0.9, 0.5]]])
    >>> scores = ScoreMatrix(
    ...     "toy", values, ("accuracy",), ("s", "t", "u"), ("A", "B"), {"accuracy": "high"},
    ...     Provenance("yours"),
    ... )
    >>> paired_randomisation(scores, "A", "B")["p"].tolist()  # of 8 ways, +++ and --- reach it
    [0.25]
    """
    places = [place_of(scores, run) for run in (a, b)]
    trials, seed = whole_number(trials, "trials"), whole_number(seed, "the seed", 0)
    first, second = np.moveaxis(scores.oriented[:, :, places], 2, 0)
    differences, topics = first - second, len(scores.topics)
    observed = np.abs(differences.sum(axis=1)) - TIE_TOLERANCE * topics
    count = 2**topics if topics <= EXACT else trials
    rng, reached = np.random.default_rng(seed), np.zeros(len(differences), np.int64)
    step = max(1, BLOCK // topics)
    for start in range(0, count, step):
        ways = np.arange(start, min(start + step, count))
        if topics <= EXACT:
            heads = ways[:, None] >> np.arange(topics) & 1
        else:
            heads = rng.integers(0, 2, (len(ways), topics))
        sums = np.where(heads, 1.0, -1.0) @ differences.T
        reached += (np.abs(sums) >= observed).sum(axis=0)
    p = reached / count
    low, high = (p, p) if topics <= EXACT else clopper_pearson(reached, count, 0.95)
    means = scores.means().loc[[a, b]].to_numpy()
    return pd.DataFrame(
        {"difference": means[0] - means[1], "p": p, "low": low, "high": high},
        index=pd.Index(scores.measures, name="measure"),
    )
