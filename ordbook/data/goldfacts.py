"""What is committed of gold data that may not be passed on: a few means, and no distribution.

Contents
--------
NAMES           the data sets of which facts are committed
SPREAD          the facts that vote_spread finds
gold_facts      the facts of a task: recomputed and held to the committed ones, or these
vote_spread     where the votes of a task lie, and how far apart
fewer_votes     what the two baselines score when one assessor stays away
commit_facts    write the facts of a task
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.nuggets import NuggetTask
from ordbook.data.tasks import BASELINES, QuantificationTask, baselines
from ordbook.files import share, write_whole
from ordbook.measures import QUANTIFICATION

NAMES = ("stc3-dq-a", "stc3-dq-e", "stc3-dq-s", "stc3-nd")
SPREAD = ("mean vote", "deviation", "share at the ends")
FORMAT = 1
# DialEval-1, Section 3.1, scores quality with these two.
QUALITY_MEASURES = ("NMD", "RSNOD")
# Floating point differs in the last bits between machines.
SAME_FACT = 1e-12


def gold_facts(task: QuantificationTask | NuggetTask) -> dict[str, float]:
    """Return facts about the gold data of a task.

    Of quality: ``mean vote``, ``deviation`` and ``share at the ends`` (:func:`vote_spread`), and
    for both measures and baselines ``NMD BL-uniform``, the change by one vote fewer
    (:func:`fewer_votes`). Of nuggets: ``customer turns`` and ``helpdesk turns``.

    Where the raw files of a data set in ``NAMES`` are absent, its committed facts are returned;
    where they are present, the facts are recomputed and must equal these.

    Raises
    ------
    ValueError
        If the committed facts are of another gold file, or are not those recomputed.
    """
    if task.name not in NAMES or task.provenance.source not in ("raw", "committed"):
        return _compute(task)
    path = share("data", "scores", _file(task.name))
    about = json.loads(path.read_text(encoding="utf-8"))
    committed: dict[str, float] = about["facts"]
    if about["computed_from"] != _gold_file(task):
        raise ValueError(f"{path}: of another gold file than {task.name}; run 'make scores'")
    if task.missing:
        return committed
    found = _compute(task)
    if found.keys() != committed.keys() or any(
        abs(found[fact] - committed[fact]) > SAME_FACT for fact in found
    ):
        raise ValueError(
            f"{path}: the facts recomputed from raw files differ; if a measure was changed on "
            "purpose, run 'make scores'"
        )
    return found


def vote_spread(gold: NDArray[np.float64]) -> dict[str, float]:
    """Say where the votes of a task lie, and how far apart: gold is (topics, classes).

    Classes count from the middle one, in steps of 1. ``mean vote``: the mean over topics of the
    mean vote. ``deviation``: the mean over topics of the standard deviation of a topic's votes.
    ``share at the ends``: the mean share of votes for the first or the last class.

    Examples
    --------
    >>> vote_spread(np.array([[0, 0, 1, 0, 0], [.5, 0, 0, 0, .5]]))
    {'mean vote': 0.0, 'deviation': 1.0, 'share at the ends': 0.5}
    """
    places = np.arange(gold.shape[1]) - (gold.shape[1] - 1) / 2
    means = gold @ places
    variances = gold @ places**2 - means**2
    deviation = np.sqrt(np.maximum(variances, 0)).mean()
    ends = (gold[:, 0] + gold[:, -1]).mean()
    return dict(zip(SPREAD, (float(means.mean()), float(deviation), float(ends)), strict=True))


def fewer_votes(task: QuantificationTask, votes: int, measures: Sequence[str]) -> pd.DataFrame:
    """Return the baselines' means with all votes, and expected ones with one vote fewer.

    The latter are means over all ways to leave out one of the votes of a topic: nothing is random.

    Parameters
    ----------
    task
        With gold distributions.
    votes
        How many votes each topic has.
    measures
        Keys of the registry.

    Returns
    -------
    DataFrame
        By measure and run: ``all votes``, ``one fewer`` and ``change``, the latter less the former.

    Raises
    ------
    ValueError
        If the gold distributions are not shares of so many votes.
    """
    counts = task.gold * votes
    if votes < 2 or np.abs(counts - counts.round()).max() > 1e-6:
        raise ValueError(f"{task.name}: gold is not made of {votes} votes a topic")
    counts = counts.round()

    def means(left: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        gold = left / left.sum(axis=1, keepdims=True)
        by_measure = [
            QUANTIFICATION[measure].kernel(gold[None], baselines(gold)) @ weights / len(gold)
            for measure in measures
        ]
        return np.array(by_measure)

    whole = means(counts, np.ones(len(counts)))
    fewer = np.zeros_like(whole)
    for k, one in enumerate(np.eye(counts.shape[1])):
        # Where a class has no vote there is none to leave out, and the weight is 0.
        fewer += means(counts - one * (counts[:, [k]] > 0), counts[:, k] / votes)
    index = pd.MultiIndex.from_product([list(measures), BASELINES], names=["measure", "run"])
    columns = {"all votes": whole.ravel(), "one fewer": fewer.ravel()}
    return pd.DataFrame(columns | {"change": (fewer - whole).ravel()}, index=index)


def commit_facts(task: QuantificationTask | NuggetTask, folder: Path) -> Path:
    """Compute the facts of a task from its raw files and write them; return the file."""
    path = folder / _file(task.name)
    about = {
        "format": FORMAT,
        "task": task.name,
        "computed_from": _gold_file(task),
        "facts": _compute(task),
    }
    write_whole(path, json.dumps(about, indent=1) + "\n")
    return path


def _compute(task: QuantificationTask | NuggetTask) -> dict[str, float]:
    if isinstance(task, NuggetTask):
        sides = {"customer turns": task.customer, "helpdesk turns": task.helpdesk}
        return {what: len(turns.topic) for what, turns in sides.items()}
    if len(set(task.votes)) != 1:
        raise ValueError(f"{task.name}: facts need gold votes, equally many for every topic")
    changes = fewer_votes(task, task.votes[0], QUALITY_MEASURES)["change"]
    by_name = {
        f"{measure} {run}": float(changes[measure, run])
        for measure in QUALITY_MEASURES
        for run in BASELINES
    }
    return vote_spread(task.gold) | by_name


def _gold_file(task: QuantificationTask | NuggetTask) -> Mapping[str, str]:
    """Return the checksum of the gold file, which comes first."""
    return dict([next(iter(task.provenance.files.items()))])


def _file(name: str) -> str:
    return f"{name}-gold.json"
