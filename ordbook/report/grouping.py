"""What is known of runs besides their scores: groups they belong to, and which are the same."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ordbook.data.nuggets import NuggetTask
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.meta.rankings import identical_runs

# A run's group, or several facts about it by name.
Groups = Mapping[str, str] | Mapping[str, Mapping[str, str]]
# Probabilities this close are the same estimate.
SAME_ESTIMATE = 1e-12
# Names that the tables give their own columns.
TAKEN = {
    *("rank", "rank_in_group", "run", "mean", "low", "high", "interval"),
    *("better_than", "open", "identical_to"),
}


def facts_of(task: object) -> dict[str, dict[str, str]]:
    """Return what a task says of its runs, as its ``runs.csv`` did: group and language.

    Parameters
    ----------
    task
        A task, or anything else, of which nothing is known.

    Returns
    -------
    dict
        Run -> ``group`` and ``language`` -> value, without what nothing is said of.
    """
    found: dict[str, dict[str, str]] = {}
    for name, attribute in (("group", "groups"), ("language", "languages")):
        for run, value in (getattr(task, attribute, None) or {}).items():
            found.setdefault(run, {})[name] = value
    return found


def group_table(groups: Groups | None, runs: Sequence[str]) -> pd.DataFrame:
    """Return what is known of each run as text: a column per fact, empty where nothing is known.

    Parameters
    ----------
    groups
        Run -> group, or run -> name -> value. Other runs than ``runs`` are left out.

    Examples
    --------
    >>> group_table({"A": "team 1"}, ["A", "B"])["group"].tolist()
    ['team 1', '']
    """
    rows: dict[str, Mapping[str, str]] = {
        run: fact if isinstance(fact, Mapping) else {"group": str(fact)}
        for run, fact in (groups or {}).items()
    }
    # The run of which most is known says in which order, since the first may lack some.
    fullest = max(rows.values(), key=len, default={})
    facts = list(dict.fromkeys(fact for row in (fullest, *rows.values()) for fact in row))
    known = pd.DataFrame.from_dict(rows, orient="index", columns=facts)
    known = known.reindex(pd.Index(list(runs), name="run")).astype(object).fillna("").map(str)
    return known.rename(columns=lambda name: f"group {name}" if name in TAKEN else str(name))


def chosen(known: pd.DataFrame, by: str | None, task: str) -> str | None:
    """Return the column to split tables by: None for none, an empty name for the first."""
    if by is None:
        return None
    if known.empty or not known.columns.size:
        raise ValueError(
            f"{task}: no run has a group; write runs.csv beside the gold data, or drop --by-group"
        )
    if by and by not in known.columns:
        raise ValueError(f"{task}: runs have no {by!r}; there is {', '.join(known.columns)}")
    return by or str(known.columns[0])


def identical(scores: ScoreMatrix, task: object = None) -> pd.DataFrame:
    """Find runs with the same score on every topic by every measure.

    Parameters
    ----------
    scores
        Scores of the runs.
    task
        The task they come from, if its estimates or labels are to be looked at too.

    Returns
    -------
    DataFrame
        A row per run that has a double: set (1, 2, ...), run, and same: ``scores and estimates``,
        ``scores, not estimates``, or ``scores`` where there are no estimates to look at.
    """
    answers = _answers(task)
    rows = []
    for number, family in enumerate(identical_runs(scores), 1):
        same = "scores"
        if answers is not None and isinstance(task, _WITH_ANSWERS):
            where = [task.runs.index(run) for run in family]
            near = (np.ptp(part[where], axis=0).max() <= SAME_ESTIMATE for part in answers)
            same += " and estimates" if all(near) else ", not estimates"
        rows += [(number, run, same) for run in family]
    return pd.DataFrame(rows, columns=["set", "run", "same"])


_WITH_ANSWERS = (QuantificationTask, ClassificationTask, NuggetTask)


def _answers(task: object) -> list[np.ndarray[Any, Any]] | None:
    """Return what the runs answered, run by run, or None where that is not known."""
    if not isinstance(task, _WITH_ANSWERS) or task.missing:
        return None
    if isinstance(task, ClassificationTask):
        return [task.predicted]
    if isinstance(task, NuggetTask):
        return [task.customer.estimates, task.helpdesk.estimates]
    return [task.estimates]
