"""The analyses of a score matrix that claims about measures rest on."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ordbook.data.checking import constant_runs
from ordbook.data.loading import Task
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES, ClassificationTask, QuantificationTask
from ordbook.meta.agreement import topic_wins
from ordbook.meta.consistency import split_taus
from ordbook.meta.discrimination import significant_signs
from ordbook.meta.significance import asymptotic_signs, tukey_hsd
from ordbook.meta.similarity import pair_orders

ALPHA = 0.05
# Splits of consistency on the whole data and on each half, and trials of the test on the whole.
SPLITS, FEWER_SPLITS, TRIALS = 1000, 200, 5000


@dataclass(frozen=True, eq=False)
class Evidence:
    """A score matrix and the analyses of it, each computed when a rule first looks at it.

    Attributes
    ----------
    scores, splits, seed
        As for :func:`ordbook.ranking_consistency`.
    trials
        Of the randomised Tukey HSD test; 0 for its limit, the studentised range, which is fast
        enough for hundreds of halves.
    baselines
        Scores of ``BL-uniform`` and ``BL-popularity`` on the same topics, where there are any.
    constant
        Runs that give every item the same class.
    """

    scores: ScoreMatrix
    splits: int = SPLITS
    trials: int = TRIALS
    seed: int = 0
    baselines: ScoreMatrix | None = None
    constant: tuple[str, ...] = ()

    # Dictionaries: the rules look at hundreds of these, and pandas would take most of the time.

    @cached_property
    def tau(self) -> dict[str, dict[str, float]]:
        """Ranking similarity of every two measures."""
        signs = pair_orders(self.scores)
        tau = signs @ signs.T / signs.shape[1]
        names = self.scores.measures
        return {
            a: dict(zip(names, row, strict=True))
            for a, row in zip(names, tau.tolist(), strict=True)
        }

    @cached_property
    def consistency(self) -> dict[str, float]:
        """Mean tau between halves of the topics, by measure."""
        return self._consistency(None)

    @cached_property
    def ten(self) -> dict[str, float]:
        """Mean tau between two samples of ten topics; empty if there are fewer than twenty."""
        return self._consistency(10) if len(self.scores.topics) >= 20 else {}

    @cached_property
    def significant(self) -> dict[str, NDArray[np.int64]]:
        """Measure -> pairs of runs: 1 or -1 for the sign of a significant difference, else 0.

        Of quantification by the six measures of LQ'21.
        """
        chosen = [m for m in SIX if m in self.scores.measures] or list(self.scores.measures)
        scores = self.scores.select(chosen)
        if self.trials:
            tests = tukey_hsd(scores, self.trials, self.seed, 1)
            signs = significant_signs(tests, ALPHA).to_numpy().T
        else:
            signs = asymptotic_signs(scores, ALPHA)
        return dict(zip(chosen, signs, strict=True))

    @cached_property
    def differences(self) -> dict[str, int]:
        """Number of significant differences, by measure."""
        return {m: int(np.count_nonzero(signs)) for m, signs in self.significant.items()}

    @cached_property
    def overlap(self) -> dict[tuple[str, str], dict[str, int]]:
        """Differences found by the first, both or the second of two measures, and agreeing ones."""
        counts = {}
        for (a, signs), (b, other_signs) in combinations(self.significant.items(), 2):
            both = int(np.count_nonzero(signs * other_signs))
            counts[a, b] = {
                "first_only": int(np.count_nonzero(signs)) - both,
                "both": both,
                "second_only": int(np.count_nonzero(other_signs)) - both,
                "agreeing": int(np.count_nonzero(signs * other_signs > 0)),
            }
        return counts

    @cached_property
    def wins(self) -> dict[str, float]:
        """Topics on which ``BL-popularity`` beats ``BL-uniform``; empty without baselines."""
        if self.baselines is None:
            return {}
        uniform, popularity = BASELINES
        wins = topic_wins(self.baselines, popularity, uniform)["first"]
        return {m: float(wins[m]) for m in SIX}

    @cached_property
    def spread(self) -> dict[str, float]:
        """Difference of the best and the worst constant run; empty if there are not two."""
        if len(self.constant) < 2:
            return {}
        rows = [self.scores.runs.index(run) for run in self.constant]
        ranges = np.ptp(self.scores.values.mean(axis=1)[:, rows], axis=1)
        return dict(zip(self.scores.measures, ranges.tolist(), strict=True))

    def part(self, scores: ScoreMatrix) -> "Evidence":
        """Return the evidence of a part of the scores, with fewer splits and the fast test."""
        baselines = self.baselines
        if baselines is not None:
            place = {topic: k for k, topic in enumerate(baselines.topics)}
            rows = [place[topic] for topic in scores.topics]
            baselines = replace(baselines, values=baselines.values[:, rows], topics=scores.topics)
        constant = tuple(run for run in self.constant if run in scores.runs)
        return replace(
            self,
            scores=scores,
            splits=min(self.splits, FEWER_SPLITS),
            trials=0,
            baselines=baselines,
            constant=constant,
        )

    def _consistency(self, size: int | None) -> dict[str, float]:
        flat = np.ptp(self.scores.values, axis=2).max(axis=1) <= 0
        if flat.all():
            return {}
        means = split_taus(self.scores, size, self.splits, self.seed, threads=1).mean(axis=0)
        return dict(zip(self.scores.measures, means.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Pooled:
    """The analyses of several data sets together, as :class:`Evidence` names them."""

    tau: dict[str, dict[str, float]]
    consistency: dict[str, float]
    ten: dict[str, float]
    spread: dict[str, float]
    differences: dict[str, int]
    overlap: dict[tuple[str, str], dict[str, int]]
    wins: dict[str, int]


Seen: TypeAlias = Evidence | Pooled


def pool(sources: Mapping[str, Sequence[Evidence]]) -> Pooled:
    """Pool data sets as papers do: means of tau, sums of counts.

    The sets of a source are averaged first, so that each source weighs the same; counts are added
    over all sets.
    """
    every = [evidence for sets in sources.values() for evidence in sets]
    overlaps = [evidence.overlap for evidence in every]

    def mean(values: Callable[[Evidence], Mapping[str, float]]) -> dict[str, float]:
        by_source = (
            _mean([known for evidence in sets if (known := values(evidence))])
            for sets in sources.values()
        )
        return _mean([known for known in by_source if known])

    return Pooled(
        tau={a: mean(lambda evidence: evidence.tau[a]) for a in every[0].tau},  # noqa: B023
        consistency=mean(lambda evidence: evidence.consistency),
        ten=mean(lambda evidence: evidence.ten),
        spread=mean(lambda evidence: evidence.spread),
        differences=_sums(evidence.differences for evidence in every),
        overlap={pair: _sums(counts[pair] for counts in overlaps) for pair in overlaps[0]},
        wins=_sums(evidence.wins for evidence in every),
    )


def _mean(mappings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of the values with the same name; nothing if there is no mapping."""
    names = mappings[0] if mappings else ()
    return {name: fmean(mapping[name] for mapping in mappings) for name in names}


def _sums(counts: Iterable[Mapping[str, float]]) -> dict[str, int]:
    total = Counter[str]()
    for mapping in counts:
        total.update({name: int(count) for name, count in mapping.items()})
    return dict(total)


def evidence_of(task: Task, scores: ScoreMatrix, seed: int = 0) -> Evidence:
    """Return the evidence that a task gives, with its baselines and constant runs."""
    baselines = None
    if set(BASELINES) <= set(scores.runs):
        baselines = scores
    elif isinstance(task, QuantificationTask) and not (
        task.missing or set(BASELINES) & set(task.runs)
    ):
        baselines = score(task.with_baselines(), SIX)
    labels = isinstance(task, ClassificationTask) and not task.missing
    constant = constant_runs(task) if labels else ()
    return Evidence(scores, seed=seed, baselines=baselines, constant=constant)
