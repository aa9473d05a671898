"""The same randomised test with many seeds: what one seed could have shown, and all together.

Contents
--------
Draws    signs of all pairs with every seed, and the test that has the trials of all seeds
draw     repeat Tukey's HSD test with the seeds 0, 1, 2 …
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.kernels import Integers
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.significance_tests import SignificanceTests


@dataclass(frozen=True, eq=False)
class Draws:
    """A randomised Tukey HSD test with many seeds.

    Attributes
    ----------
    signs
        (seeds, measures, pairs), the pairs in the order of ``combinations(runs, 2)``: 1 where the
        first run is significantly better, -1 where the second is, 0 where neither.
    together
        The test with the trials of all seeds: as many seeds times as many trials.
    """

    signs: Integers
    together: SignificanceTests

    @property
    def both(self) -> Integers:
        """(seeds, measures, measures): significant by both; on the diagonal S_D."""
        found = np.abs(self.signs)
        return np.asarray(found @ found.transpose(0, 2, 1))

    @property
    def contradicting(self) -> Integers:
        """(seeds, measures, measures): significant by both, in opposite directions."""
        agreeing_less_clashing = self.signs @ self.signs.transpose(0, 2, 1)
        return np.asarray((self.both - agreeing_less_clashing) // 2)


def draw(scores: ScoreMatrix, trials: int, seeds: int, alpha: float = 0.05) -> Draws:
    """Repeat :func:`ordbook.tukey_hsd` with the seeds 0, 1, 2 and so on.

    The streams of two seeds have no bits in common, so that all trials together are those of one
    larger test.

    Parameters
    ----------
    scores, trials
        As for :func:`ordbook.tukey_hsd`.
    seeds
        How many, at least one.
    alpha
        Significant is p < alpha.
    """
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, not {seeds}")
    first, second = np.triu_indices(len(scores.runs), 1)
    better = np.array([-1 if scores.better[name] == "low" else 1 for name in scores.measures])
    means = scores.means().to_numpy() * better
    winner = np.sign(means[first] - means[second]).T.astype(np.int64)
    signs = np.empty((seeds, *winner.shape), np.int64)
    test = tukey_hsd(scores, trials, 0)
    exceed = np.zeros_like(test.exceed)
    for seed in range(seeds):
        if seed:
            test = tukey_hsd(scores, trials, seed)
        signs[seed] = (test.exceed[:, first, second] / trials < alpha) * winner
        exceed += test.exceed
    p = {
        name: pd.DataFrame(exceed[k] / (seeds * trials), test.p[name].index, test.p[name].columns)
        for k, name in enumerate(test.measures)
    }
    return Draws(signs, replace(test, trials=seeds * trials, seed=0, p=p, exceed=exceed))
