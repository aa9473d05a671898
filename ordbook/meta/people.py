"""How well people do at the task that runs are scored on, and how far they agree."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeGuard

import numpy as np
import pandas as pd

from ordbook.data.annotators import Annotators, gold_labels
from ordbook.data.scoring import compute, measures_for
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure, kappa

Task = ClassificationTask | QuantificationTask
LEAST = 0.1  # of the items: who rated fewer is no end of the range of people


def has_annotators(task: object) -> TypeGuard[Task]:
    """Tell whether the people behind the gold data are known."""
    return isinstance(task, Task) and task.annotators is not None


def human_ceiling(
    task: Task, measures: Sequence[str | Measure] | None = None
) -> pd.DataFrame | None:
    """Score each annotator against gold made from the other annotators, and the runs beside.

    An annotator is never held against gold that contains the annotator's own ratings. For each of
    them, gold is made anew by the task's rule from the ratings of all others (ties go to the lower
    class) on the items that the annotator and somebody else rated, and annotator and runs are
    scored on it as runs are, by topic. The runs' scores are their means over annotators, weighted
    by items, so that people and runs are compared on the same gold. It rests on fewer people than
    the task's own gold, so these scores are mostly a little worse than the official ones.

    Parameters
    ----------
    task
        A task whose ``annotators`` are known.
    measures
        As for :func:`ordbook.score`.

    Returns
    -------
    DataFrame or None
        A row per annotator and per run: ``is_run``, ``items`` (how many were compared), and a
        column per measure. Of two annotators, each is held against the other, and the ceiling is
        their agreement. None if there are no annotators, or none of them shares items with
        another; or if the task is one of distributions and everybody rated one item a topic:
        single ratings are no distributions.

    Examples
    --------
    >>> import pandas as pd
    >>> from ordbook.data.ratings import from_ratings
    >>> ratings = pd.DataFrame({"item": list("abcd"), "Ann": [1, 2, 3, 3], "Bob": [1, 2, 3, 2],
    ...     "Cy": [1, 2, 3, 3], "model": [1, 1, 3, 3]})
    >>> task = from_ratings(ratings, annotator=["Ann", "Bob", "Cy"], gold="median", runs=["model"])
    >>> human_ceiling(task, ["accuracy"]).round(2)
           is_run  items  accuracy
    Ann     False      4      0.75
    Bob     False      4      0.75
    Cy      False      4      0.75
    model    True      4      0.58
    """
    people = task.annotators
    if people is None:
        return None
    chosen = list(measures_for(task) if measures is None else measures)
    held = [_held(task, people, number) for number in range(len(people.names))]
    pairs = [(name, x) for name, x in zip(people.names, held, strict=True) if x is not None]
    if not pairs:
        return None
    scores = np.array([compute(x, chosen).values.mean(axis=1) for _, (x, _) in pairs])
    items = np.array([size for _, (_, size) in pairs])
    names = [name for name, _ in pairs]
    rows = np.concatenate([scores[:, :, 0], np.average(scores[:, :, 1:], 0, items).T])
    heads = [measure if isinstance(measure, str) else measure.name for measure in chosen]
    frame = pd.DataFrame(rows, [*names, *task.runs], heads)
    frame.insert(0, "items", [*items, *[int(items.max())] * len(task.runs)])
    frame.insert(0, "is_run", [False] * len(names) + [True] * len(task.runs))
    return frame


def _held(task: Task, people: Annotators, number: int) -> tuple[Task, int] | None:
    """Return the task of one annotator and the runs on gold from the others, and its items."""
    own = people.annotator == number
    answer = np.full(len(people.items), -1)
    answer[people.item[own]] = people.rating[own]
    others = people.votes.copy()
    others[people.item[own], people.rating[own]] -= 1
    items = np.flatnonzero((answer >= 0) & others.any(axis=1))
    topics = np.unique(people.topics[items])
    if not len(items):
        return None
    place = np.searchsorted(topics, people.topics[items])
    about: dict[str, Any] = {
        "runs": (people.names[number], *task.runs),
        "topics": tuple(task.topics[k] for k in topics),
        "annotators": None,
        "votes": (),
    }
    if isinstance(task, QuantificationTask):
        shape = (len(topics), len(task.classes))
        gold, shares = np.zeros(shape), np.zeros(shape)
        np.add.at(gold, place, others[items])
        np.add.at(shares, (place, answer[items]), 1)
        if len(items) == len(topics):
            return None
        gold /= gold.sum(axis=1, keepdims=True)
        shares /= shares.sum(axis=1, keepdims=True)
        lacking = {run: empty[topics] for run, empty in task.unanswered.items()}
        estimates = np.concatenate([shares[None], task.estimates[:, topics]])
        about |= {"unanswered": lacking, "_gold": gold, "_estimates": estimates}
        return replace(task, **about), len(items)
    lacking = {run: empty[items] for run, empty in task.unanswered.items()}
    labels = gold_labels(others[items], people.rule)
    predicted = np.concatenate([answer[None, items], task.predicted[:, items]])
    about |= {"unanswered": lacking, "_gold": labels, "_predicted": predicted, "_topic": place}
    return replace(task, **about), len(items)


def people_range(ceiling: pd.DataFrame, items: int) -> pd.DataFrame:
    """Return the mean of people by measure (weighted by items), and the range of those who count.

    Parameters
    ----------
    ceiling
        From :func:`human_ceiling`.
    items
        How many items the task has: who rated fewer than a tenth of them is not in the range.

    Returns
    -------
    DataFrame
        A row per measure: mean, low and high, which are NaN where nobody rated so many.
    """
    people = ceiling[~ceiling["is_run"]]
    scores = people.drop(columns=["is_run", "items"])
    many = scores[people["items"] >= LEAST * items]
    mean = pd.Series(np.average(scores, 0, people["items"]), scores.columns)
    return pd.DataFrame({"mean": mean, "low": many.min(), "high": many.max()})


def people_note(task: Task, ceiling: pd.DataFrame, measure: str, better: str) -> str:
    """Say how people do by a measure, each held against the others, and the best run with them."""
    people = people_range(ceiling, len(task.annotators.items)).loc[measure]  # type: ignore[union-attr]
    runs = ceiling.loc[ceiling["is_run"], measure]
    best = runs.idxmin() if better == "low" else runs.idxmax()
    ends = "" if np.isnan(people["low"]) else f" ({people['low']:.4f} to {people['high']:.4f})"
    two = " There are two annotators, so this is how far they agree." * (
        sum(~ceiling["is_run"]) == 2
    )
    return (
        f"people, each held against gold from the others, have a mean {measure} of "
        f"{people['mean']:.4f}{ends}; on the same gold, the best run, {best}, has "
        f"{runs[best]:.4f}.{two}"
    )


def annotator_agreement(task: Task | Annotators) -> pd.DataFrame | None:
    """Compare every two annotators on the items that both rated.

    Parameters
    ----------
    task
        A task whose ``annotators`` are known, or these.

    Returns
    -------
    DataFrame or None
        A row per pair: annotator, other, items, and kappa with linear weights, from -1 to 1
        (equal); 0 is what independent ratings get. Pairs without common items are left out. None
        if there are no annotators.

    Examples
    --------
    >>> import pandas as pd
    >>> from ordbook.data.ratings import from_ratings
    >>> ratings = pd.DataFrame({"item": list("abcd"), "Ann": [1, 1, 2, 2], "Bob": [1, 1, 2, 1]})
    >>> task = from_ratings(ratings, annotator=["Ann", "Bob"], gold="median")
    >>> annotator_agreement(task)
      annotator other  items  kappa
    0       Ann   Bob      4    0.5
    """
    people = task if isinstance(task, Annotators) else task.annotators
    if people is None:
        return None
    by_person = [people.annotator == number for number in range(len(people.names))]
    rows = []
    answer = np.full(len(people.items), -1)
    for one, other in combinations(range(len(people.names)), 2):
        answer[:] = -1
        answer[people.item[by_person[one]]] = people.rating[by_person[one]]
        first, second = answer[people.item[by_person[other]]], people.rating[by_person[other]]
        both = first >= 0
        if both.any():
            cells = first[both] * people.classes + second[both]
            cm = np.bincount(cells, minlength=people.classes**2).astype(float)
            value = kappa.kernel(cm.reshape(people.classes, people.classes))
            rows.append((people.names[one], people.names[other], int(both.sum()), float(value)))
    return pd.DataFrame(rows, columns=["annotator", "other", "items", "kappa"])
