"""Findings of the papers, tested on a task they never saw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ordbook.chapters.finding_rules import (
    GROUP_A,
    GROUP_B,
    NOMINAL,
    SIX,
    Evidence,
    Rule,
    alike,
    between,
    blind,
    nearer,
    no_subset,
    order,
    outlier,
    popular,
    rare,
    unlike,
)
from ordbook.data.catalog import RawDataMissing
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES, ClassificationTask, QuantificationTask

# An answer is sure where so many of the random halves give it.
SURE = 0.95
LEAST_RUNS, LEAST_TOPICS = 4, 8
VERDICTS = ("holds", "does not hold", "cannot be told")

NINE_OC = (*GROUP_A, *GROUP_B, "CEM_ORD")
VARIANTS = ("RNOD2", "RNADW", "RNADW2")
NINE_OQ = ("NMD", "RNOD", *VARIANTS, *NOMINAL, "DNKT")


@dataclass(frozen=True)
class Finding:
    """What a paper says, where it says so, and the rule that stands for it."""

    paper: str
    section: str
    says: str
    rule: Rule


def _without(names: Sequence[str], *gone: str) -> list[str]:
    return [name for name in names if name not in gone]


_STEADY, _POWER = "consistency", "differences"
_KEPT = _without(NINE_OC, "CEM_ORD", "MAE_M", *GROUP_B)

FINDINGS: Mapping[str, tuple[Finding, ...]] = {
    "classification": (
        Finding(
            "ACL'21",
            "5.1",
            "the alphas, both macro F1, MAE_M and kappa produce similar rankings",
            alike(GROUP_A),
        ),
        Finding("ACL'21", "5.1", "MAE_mu and accuracy produce similar rankings", alike(GROUP_B)),
        Finding(
            "ACL'21",
            "5.1",
            "which are drastically different from those of group A",
            unlike(GROUP_A, GROUP_B),
        ),
        Finding(
            "ACL'21",
            "5.1",
            "the ranking by CEM_ORD is closer to those of group A",
            nearer("CEM_ORD", GROUP_A, GROUP_B),
        ),
        Finding(
            "ACL'21",
            "5.2",
            "in consistency the top three measures are the two alphas and kappa",
            order(
                _STEADY,
                ["alpha_ord", "alpha_int", "kappa"],
                _without(NINE_OC, "alpha_ord", "alpha_int", "kappa"),
            ),
        ),
        Finding(
            "ACL'21",
            "5.2",
            "the worst two measures are CEM_ORD and accuracy",
            order(_STEADY, _without(NINE_OC, "CEM_ORD", "accuracy"), ["CEM_ORD", "accuracy"]),
        ),
        Finding(
            "ACL'21",
            "5.3",
            "CEM_ORD, accuracy, MAE_M and MAE_mu are the least discriminative measures",
            order(_POWER, _KEPT, _without(NINE_OC, *_KEPT)),
        ),
        Finding(
            "ACL'21",
            "5.3",
            "among the other measures, kappa performs consistently well",
            order(_POWER, ["kappa"], _without(_KEPT, "kappa"), tie=True),
        ),
        Finding(
            "ACL'21",
            "5.2",
            "kappa cannot distinguish between runs that always return the same class",
            blind(),
        ),
        Finding(
            "ACL'21",
            "5.4",
            "using alpha_int instead of alpha_ord is not beneficial: not for consistency",
            order(_STEADY, ["alpha_ord"], ["alpha_int"], tie=True),
        ),
        Finding(
            "ACL'21",
            "5.4",
            "nor for discriminative power",
            order(_POWER, ["alpha_ord"], ["alpha_int"], tie=True),
        ),
    ),
    "quantification": (
        Finding(
            "SIGIR'18",
            "abstract",
            "RSNOD lies between the popular bin-by-bin measures and NMD",
            between(),
        ),
        Finding(
            "DialEval-1",
            "6",
            "there is no substantial difference between the official measures",
            alike(["NMD", "RSNOD"], 0.8),
        ),
        Finding("ACL'21", "6.1", "NMD is an outlier among the six measures", outlier("NMD", SIX)),
        Finding(
            "ACL'21",
            "6.2",
            "the worst measure in consistency is NMD, followed by RSNOD",
            order(_STEADY, _without(SIX, "NMD", "RSNOD"), ["NMD", "RSNOD"]),
        ),
        Finding(
            "ACL'21",
            "6.2",
            "RNOD is the best of the axiomatically correct measures in consistency",
            order(_STEADY, ["RNOD"], ["NMD", "RSNOD"]),
        ),
        Finding(
            "LQ'21",
            "5.1",
            "the most discriminative measures are RNOD and NVD",
            order(_POWER, ["RNOD", "NVD"], _without(SIX, "RNOD", "NVD"), tie=True),
        ),
        Finding("LQ'21", "5.1", "RNOD outperforms NMD", order(_POWER, ["RNOD"], ["NMD"])),
        Finding(
            "LQ'21", "5.1", "RSNOD slightly underperforms RNOD", order(_POWER, ["RNOD"], ["RSNOD"])
        ),
        Finding(
            "LQ'21",
            "5.2",
            "what NMD finds is generally not a subset of what more discriminative ones find",
            no_subset(),
        ),
        Finding("LQ'21", "5.2", "contradictions are very rare", rare(SIX)),
        Finding("LQ'21", "5.3", "NMD tends to favour popularity over uniform", popular()),
        Finding("DNKT", "4", "DNKT is the clear outlier measure", outlier("DNKT", NINE_OQ)),
        Finding("DNKT", "4", "NMD is also an outlier", outlier("NMD", _without(NINE_OQ, "DNKT"))),
        Finding(
            "DNKT", "6", "DNKT is the least consistent", order(_STEADY, NINE_OQ[:-1], ["DNKT"])
        ),
        Finding(
            "DNKT",
            "6",
            "RNOD is the most consistent ordinal measure: it outperforms NMD",
            order(_STEADY, ["RNOD"], ["NMD"]),
        ),
        Finding("DNKT", "6", "and the variants of RNOD", order(_STEADY, ["RNOD"], VARIANTS)),
    ),
}


def examine(
    task: Task,
    scores: ScoreMatrix,
    *,
    splits: int = 1000,
    trials: int = 5000,
    halves: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """Decide for every finding about a kind of task whether it holds on this one.

    Every rule is applied to all topics and runs, to random halves of the topics, and to the runs
    without each one of them. A mean over a random half of n topics varies about the mean over
    all as much as means over new sets of n topics do about the truth, so that halves show how
    far the topics decide the answer.

    Parameters
    ----------
    task
        Asked for constant runs and, to add the two baselines, for gold distributions.
    scores
        Its scores by all measures of the book.
    splits, trials
        For the whole; on halves, and without runs, a fifth of the trials.
    halves
        How many.
    seed
        Of all random numbers.

    Returns
    -------
    DataFrame
        paper, section, says, rule, seen (the numbers), halves and runs (in which share of the
        halves, and without how many of the runs, the rule is true; NaN where it never applies)
        and verdict.
    """
    kind = "classification" if isinstance(task, ClassificationTask) else "quantification"
    fewer = max(100, trials // 5)
    whole = Evidence(scores, splits, trials, seed, _baselines(task, scores), constant_runs(task))
    samples: list[list[Evidence]] = [[], []]
    n = len(scores.topics)
    if len(scores.runs) >= LEAST_RUNS and n >= LEAST_TOPICS:
        rng = np.random.default_rng(seed)
        for k in range(halves):
            rows = np.sort(rng.permutation(n)[: n // 2]).tolist()
            samples[0].append(whole.of_topics(rows, seed + k + 1, fewer))
        samples[1] = [whole.without(run, fewer) for run in scores.runs]
    rows = []
    for finding in FINDINGS[kind]:
        look = finding.rule.look
        half, run = ([one[0] for one in map(look, part) if one] for part in samples)
        found = look(whole) if samples[0] else None
        seen = found[1] if found else "nothing to go by"
        if not samples[0]:
            seen = f"fewer than {LEAST_RUNS} runs or {LEAST_TOPICS} topics"
        shares = [float(np.mean(part)) if part else float("nan") for part in (half, run)]
        judged = verdict(found[0] if found else None, *shares)
        rows.append(
            (finding.paper, finding.section, finding.says, finding.rule.text, seen, *shares, judged)
        )
    heads = ["paper", "section", "says", "rule", "seen", "halves", "runs", "verdict"]
    return pd.DataFrame(rows, columns=heads)


def verdict(answer: bool | None, halves: float, runs: float) -> str:
    """Return ``holds``, ``does not hold`` or ``cannot be told``.

    The first two need the same answer on the whole, in 95% of the halves and without any run.

    Examples
    --------
    >>> verdict(True, 0.97, 1.0), verdict(False, 0.02, 0.0), verdict(False, 0.02, 0.1)
    ('holds', 'does not hold', 'cannot be told')
    """
    if answer is None:
        return VERDICTS[2]
    if not answer:
        halves, runs = 1 - halves, 1 - runs
    sure = halves >= SURE - 1e-9 and runs >= 1 - 1e-9
    return VERDICTS[1 - answer] if sure else VERDICTS[2]


def constant_runs(task: Task) -> tuple[str, ...]:
    """Return the runs that give every item the same class; none where labels are absent."""
    if not isinstance(task, ClassificationTask):
        return ()
    try:
        labels = task.predicted
    except RawDataMissing:
        return ()
    same = (labels == labels[:, :1]).all(axis=1)
    return tuple(run for run, one in zip(task.runs, same, strict=True) if one)


def _baselines(task: Task, scores: ScoreMatrix) -> ScoreMatrix | None:
    """Return scores of the two baselines, where gold distributions allow them."""
    if set(BASELINES) <= set(scores.runs):
        return scores
    if not isinstance(task, QuantificationTask) or set(BASELINES) & set(task.runs):
        return None
    try:
        return score(task.with_baselines(), SIX)
    except RawDataMissing:
        return None
