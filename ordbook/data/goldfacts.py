"""What is committed of gold data that may not be passed on: a few means, and no distribution."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
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
    path = share("data", "scores", f"{task.name}-gold.json")
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


def fewer_votes(task: QuantificationTask, measures: Sequence[str]) -> dict[str, float]:
    """Return how the baselines' expected means change with one vote fewer, as ``NMD BL-uniform``.

    The means are over all ways to leave out one of the votes of a topic: nothing is random.
    """
    if len(set(task.votes)) != 1 or task.votes[0] < 2:
        raise ValueError(f"{task.name}: facts need gold votes, equally many for every topic")
    counts = (task.gold * task.votes[0]).round()

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
        fewer += means(counts - one * (counts[:, [k]] > 0), counts[:, k] / task.votes[0])
    names = [f"{measure} {run}" for measure in measures for run in BASELINES]
    return dict(zip(names, (fewer - whole).ravel().tolist(), strict=True))


def commit_facts(task: QuantificationTask | NuggetTask, folder: Path) -> Path:
    """Compute the facts of a task from its raw files and write them; return the file."""
    path = folder / f"{task.name}-gold.json"
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
    return vote_spread(task.gold) | fewer_votes(task, QUALITY_MEASURES)


def _gold_file(task: QuantificationTask | NuggetTask) -> Mapping[str, str]:
    """Return the checksum of the gold file, which comes first."""
    return dict([next(iter(task.provenance.files.items()))])
