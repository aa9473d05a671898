"""The chapter on a task of your own: its tables."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ordbook.advice.choose import advise
from ordbook.advice.criteria import COMPARED, Needs
from ordbook.book.extremes import lowest
from ordbook.data.catalog import RawDataMissing
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.design import topic_set_size, unfit, with_differences
from ordbook.meta.discrimination import contradictions
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.montecarlo import split_sizes


def winners(tests: SignificanceTests, measures: Sequence[str], alpha: float = 0.05) -> pd.DataFrame:
    """Return by measure the best run, and which others it is not significantly better than."""
    rows = {}
    for measure in measures:
        means = tests.means[measure] * (1 if tests.better[measure] == "low" else -1)
        first, *others = means.sort_values(kind="stable").index
        rest = [run for run in others if tests.p[measure].loc[first, run] >= alpha]
        rows[measure] = {
            "best": lowest(means),
            "better than": f"{len(others) - len(rest)} of {len(others)}",
            "but not than": ", ".join(rest) or "none",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def contradictions_by_pair(tests: SignificanceTests) -> pd.DataFrame:
    """Return how often every two measures contradict each other, as text above the diagonal."""
    found, names = contradictions(tests), list(tests.measures)
    square = pd.crosstab(found["first"], found["second"])
    square = square.reindex(index=names[:-1], columns=names[1:]).fillna(0).astype(int).astype(str)
    return square.where(np.triu(np.ones(square.shape, dtype=bool)), "")


def advice(
    task: ClassificationTask | QuantificationTask,
    scores: ScoreMatrix,
    own: Sequence[Measure],
    splits: int,
    trials: int,
    seed: int,
) -> pd.DataFrame:
    """Return which measure is primary and which secondary, why, and what speaks against it."""
    kind = "classification" if isinstance(task, ClassificationTask) else "quantification"
    try:
        needs = Needs.of(task)
    except RawDataMissing:
        needs = Needs(kind, len(task.classes))
    few = scores.select([*COMPARED[kind], *(measure.name for measure in own)])
    steady = {
        name: ranking_consistency(few, size, splits, seed)
        for name, size in split_sizes(few).items()
    }
    tests = tukey_hsd(few, trials, seed)
    found = advise(few, tests, steady, ranking_similarity(few), needs, own=own)
    names = ["why"] * len(found.why) + ["doubt"] * len(found.doubts)
    head = f"primary: {found.primary or 'none'}; secondary: {found.secondary or 'none'}"
    return pd.DataFrame({head: [*found.why, *found.doubts]}, index=names)


def topics_for_a_quarter(scores: ScoreMatrix) -> pd.DataFrame:
    """Return how many topics find a quarter of each measure's spread, or why that is unknown."""
    if reason := unfit(scores):
        return pd.DataFrame({"why": [reason]}, index=["no design"])
    some = with_differences(scores)
    wanted = (np.ptp(some.means(), axis=0) / 4).tolist()
    found = topic_set_size(some, dict(zip(some.measures, wanted, strict=True)))
    return found.sort_values("topics")[["topics", "at_hand", "power"]]


def claims(found: pd.DataFrame) -> pd.DataFrame:
    """Return what :func:`ordbook.book.findings.examine` found, to be shown."""
    rows = found.set_index(found["paper"] + ", " + found["section"])
    rows = rows[["says", "verdict", "seen", "halves", "runs", "rule"]].copy()
    shares = ["halves", "runs"]
    rows[shares] = rows[shares].map(lambda share: "" if share != share else f"{share:.0%}")
    return rows
