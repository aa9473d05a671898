"""What a significance test of all runs found."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from ordbook.data.names import Glance, counted
from ordbook.data.scores import Better, ScoreMatrix
from ordbook.meta.checks import between_0_and_1
from ordbook.meta.variances import Floats, residual_variances, run_slack

Integers = NDArray[np.int64]
Method = Literal["randomised", "parametric"]

# A decision is safe if it is, with this probability at least, the one of endless trials.
SURE = 0.999


@dataclass(frozen=True, eq=False, repr=False)
class SignificanceTests(Glance):
    """Significance of the difference between every two runs, by every measure.

    Attributes
    ----------
    task
        Name of the task.
    measures, runs
        Names.
    topics
        Number of topics.
    trials
        Of the randomised test, by measure; 0 if ``method`` is ``parametric``.
    seed
        Of the randomised test.
    method
        ``randomised`` or ``parametric``.
    p
        Measure -> DataFrame run x run, symmetric, 1 on the diagonal and if two runs have
        the same mean.
    means
        Mean scores: a DataFrame, run x measure.
    better
        Measure -> whether ``low`` or ``high`` scores are better.
    v_e1, v_e2
        Measure -> residual variance; see :func:`ordbook.meta.variances.residual_variances`.
    slack
        Measure -> the largest difference of means that counts as float noise: one
        number, or one for each run, of which the larger of two holds.
    exceed
        (measures, runs, runs): number of trials whose largest difference reached the observed
        one; p is their share of all trials. The pairs of a measure share the trials, so a pair's
        trials are among those of any pair that differs less.
    looks
        How often a sequential test could have ended; 1 if the number of trials was fixed.
    """

    task: str
    measures: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    trials: pd.Series
    seed: int
    method: Method
    p: Mapping[str, pd.DataFrame]
    means: pd.DataFrame
    better: Mapping[str, Better]
    v_e1: pd.Series
    v_e2: pd.Series
    slack: pd.Series | pd.DataFrame
    exceed: Integers
    looks: int = 1

    def __repr__(self) -> str:
        how = f"{self.size}, seed {self.seed}" if self.trials.any() else "no trials"
        return (
            f"<{type(self).__name__} {self.task}: {counted(len(self.measures), 'measure')}, "
            f"{counted(len(self.runs), 'run')}, {counted(self.topics, 'topic')}; {self.method}, "
            f"{how}>"
        )

    @property
    def size(self) -> str:
        """The number of trials in words, such as ``5,000 to 80,000 trials``."""
        least, most = self.trials.min(), self.trials.max()
        return f"{least:,} to {most:,} trials" if least < most else f"{most:,} trials"

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what these tests cannot tell.

        They name measures by which all runs score the same, and say if topics and runs are too few
        for any p below .05: the same permutation in all n topics changes nothing, so that with m
        runs no p is below :math:`(m!)^{1 - n}`, except by the chance of few trials.
        """
        notes = [
            f"{self.task}: by {measure} all runs have the same scores on every topic, so every p "
            "is 1 and effect sizes are undefined"
            for measure in self.measures
            if self.v_e2[measure] == 0 and self.differences(measure).max() == 0
        ]
        runs, topics = len(self.runs), self.topics
        least = math.exp((1 - topics) * math.lgamma(runs + 1))
        if self.method == "randomised" and least >= 0.05:
            notes.append(
                f"{self.task}: {runs} runs on {topics} topics can be permuted in so few ways that "
                f"no p is below {least:.3g}, however far the runs are apart: nothing can be "
                "significant at .05"
            )
        return tuple(notes)

    def effect_size(self, measure: str, variance: Literal["e2", "e1"] = "e2") -> pd.DataFrame:
        r"""Difference of means in standard deviations, :math:`(\bar x_i - \bar x_j) / \sqrt V`.

        Parameters
        ----------
        measure
            One of the measures.
        variance
            ``"e2"``, as in ACL'21, or ``"e1"``, as in DialEval-1.

        Returns
        -------
        DataFrame, run x run
            Positive if the run of the row has the higher mean, better or worse. If the
            variance is 0: infinite, or NaN between runs with the same mean.
        """
        if variance not in ("e1", "e2"):
            raise ValueError(f"variance must be 'e1' or 'e2', not {variance!r}")
        differences = self.differences(measure)
        residual = float((self.v_e2 if variance == "e2" else self.v_e1)[measure])
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._frame(differences / np.sqrt(residual))

    def p_error(self, measure: str) -> pd.DataFrame:
        r"""Monte-Carlo standard error of every p, :math:`\sqrt{p(1 - p) / B}`, run x run.

        It is 0 if p is 0 or 1, which says little: see :meth:`p_interval`. The parametric test
        has none.
        """
        p = self._table(measure)
        trials = self.trials[measure]
        return (p * (1 - p) / trials) ** 0.5 if trials else p * 0.0

    def p_interval(self, measure: str, level: float = 0.95) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Clopper and Pearson's interval of every p: the lower and upper limits, run x run.

        It holds the p of endless trials with a probability of at least ``level``, even
        if a sequential test ended early: the error is shared equally among its looks. The
        limits of the parametric test, and of runs with the same mean, equal p.
        """
        p, trials = self._table(measure), int(self.trials[measure])
        if not trials:
            return p.copy(), p.copy()
        counts = self.exceed[self.measures.index(measure)]
        sure = 1 - (1 - between_0_and_1(level, "level")) / self.looks
        low, high = clopper_pearson(counts, trials, sure)
        same = self.differences(measure) == 0
        return self._frame(np.where(same, 1.0, low)), self._frame(np.where(same, 1.0, high))

    def pairs(self, measure: str, level: float = 0.95) -> pd.DataFrame:
        """One row per pair of runs.

        Its columns are first, second, difference (mean of the first minus mean of the second),
        p, the limits low and high of p, and the effect sizes es_e1 and es_e2.
        """
        low, high = self.p_interval(measure, level)
        rows, columns = np.triu_indices(len(self.runs), 1)
        tables = {
            "difference": self._frame(self.differences(measure)),
            "p": self.p[measure],
            "low": low,
            "high": high,
            "es_e1": self.effect_size(measure, "e1"),
            "es_e2": self.effect_size(measure, "e2"),
        }
        return pd.DataFrame(
            {
                "first": [self.runs[i] for i in rows],
                "second": [self.runs[i] for i in columns],
                **{name: table.to_numpy()[rows, columns] for name, table in tables.items()},
            }
        )

    def _table(self, measure: str) -> pd.DataFrame:
        if measure not in self.measures:
            raise ValueError(
                f"{self.task}: no test by {measure!r}; there are {', '.join(self.measures)}"
            )
        return self.p[measure]

    def differences(self, measure: str) -> Floats:
        """Differences of means, the row's less the column's; 0 if they are float noise."""
        self._table(measure)
        means = self.means[measure].to_numpy()
        differences: Floats = means[:, None] - means[None, :]
        noise = np.atleast_1d(self.slack[measure])
        differences[np.abs(differences) <= np.maximum(noise[:, None], noise)] = 0
        return differences

    def _frame(self, values: NDArray[np.float64]) -> pd.DataFrame:
        names = pd.Index(self.runs, name="run")
        return pd.DataFrame(values, index=names, columns=names)


def collect(
    scores: ScoreMatrix,
    trials: Integers,
    seed: int,
    method: Method,
    p: Floats,
    exceed: Integers,
    looks: int = 1,
) -> SignificanceTests:
    """Put (measures, runs, runs) p-values and counts into one object with names and variances."""
    names = pd.Index(scores.runs, name="run")
    by_measure = pd.Index(scores.measures, name="measure")
    v_e1, v_e2 = residual_variances(scores.values)
    noise = np.broadcast_to(run_slack(scores.values), scores.values[:, 0].shape)
    return SignificanceTests(
        scores.task,
        scores.measures,
        scores.runs,
        len(scores.topics),
        pd.Series(trials, index=by_measure, name="trials"),
        seed,
        method,
        {
            measure: pd.DataFrame(p[k], index=names, columns=names)
            for k, measure in enumerate(scores.measures)
        },
        scores.means(),
        dict(scores.better),
        pd.Series(v_e1, index=by_measure, name="v_e1"),
        pd.Series(v_e2, index=by_measure, name="v_e2"),
        pd.DataFrame(noise.T, index=names, columns=by_measure),
        exceed,
        looks,
    )


def clopper_pearson(counts: ArrayLike, trials: int, level: float) -> tuple[Floats, Floats]:
    """Return Clopper and Pearson's limits of the share that endless trials would give."""
    between_0_and_1(level, "level")
    counts, places = np.unique(np.asarray(counts, dtype=np.float64), return_inverse=True)
    tail = (1 - level) / 2
    some, rest = np.maximum(counts, 1), np.maximum(trials - counts, 1)
    low = np.where(counts == 0, 0.0, betaincinv(some, trials - some + 1, tail))
    high = np.where(counts == trials, 1.0, betaincinv(trials - rest + 1, rest, 1 - tail))
    return low[places], high[places]
