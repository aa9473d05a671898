"""How well people do at the task that runs are scored on, and how far they agree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.annotators import ENDS, Annotators, Integers, count, gold_labels
from ordbook.data.scoring import compute, measures_for
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure
from ordbook.meta.rankings import standings
from ordbook.words import some

Task = ClassificationTask | QuantificationTask
HALF = "half of the people"
SPLITS = 20  # random halves, or draws of votes
LEAST = 0.1  # of the items: who rated fewer is no end of the range of people


def has_annotators(task: object) -> TypeGuard[Task]:
    """Tell whether the people behind the gold data are known."""
    return isinstance(task, Task) and task.annotators is not None


def human_ceiling(
    task: Task, measures: Sequence[str | Measure] | None = None
) -> pd.DataFrame | None:
    """Score each annotator against gold made from the other annotators, and the runs beside.

    An annotator is never held against gold that contains the annotator's own ratings. For each of
    them, gold is made anew by the task's rule from the ratings of all others on the items that the
    annotator and somebody else rated, and annotator and runs are scored on it as runs are, by
    topic. Where the others' ratings are tied, so that their median may be either of two classes,
    scores are the mean of those on the lower and on the upper one: the scale may be read from
    either end. The runs' scores are their means over annotators, weighted by items, so that people
    and runs are compared on the same gold, which rests on fewer people than the task's own.

    For distributions, an annotator's is that of the ratings of a topic's items. Where each topic is
    a single item, one rating is no distribution, so half of the people stand in: the ratings of
    each item are split at random, as evenly as possible, and the shares in the smaller half are
    held against those in the other, as are the runs; scores are means over 20 splits (with a fixed
    seed). Both halves vary by chance, whereas a run's shares need not, so a run can be better than
    half of the people; :func:`perfect_judge` says how much of a score is chance in the gold.

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
        their agreement. Of distributions over single items, the first row is ``half of the
        people``. None if there are no annotators, or no item has two ratings.

    Examples
    --------
    >>> import pandas as pd
    >>> from ordbook.data.ratings import from_ratings
    >>> ratings = pd.DataFrame({"item": list("abcd"), "Ann": [1, 2, 3, 3], "Bob": [1, 2, 3, 2],
    ...     "Cy": [1, 2, 3, 3], "model": [1, 1, 3, 3]})
    >>> task = from_ratings(ratings, annotator=["Ann", "Bob", "Cy"], gold="median", runs=["model"])
    >>> human_ceiling(task, ["accuracy"]).round(2)
           is_run  items  accuracy
    Ann     False      4      0.88
    Bob     False      4      0.75
    Cy      False      4      0.88
    model    True      4      0.67
    """
    people = task.annotators
    if people is None:
        return None
    chosen = list(measures_for(task) if measures is None else measures)
    if isinstance(task, QuantificationTask) and len(people.items) == len(task.topics):
        return _score_half(task, people, chosen)
    scored = [_score_annotator(task, people, number, chosen) for number in range(len(people.names))]
    rated = [(name, *x) for name, x in zip(people.names, scored, strict=True) if x is not None]
    if not rated:
        return None
    names, by_person, items = zip(*rated, strict=True)
    scores = np.array(by_person)
    rows = np.concatenate([scores[:, 0], np.average(scores[:, 1:], 0, items)])
    return _table(task, chosen, list(names), rows, items)


def _table(
    task: Task, measures: Sequence[str | Measure], names: list[str], rows: Any, items: Any
) -> pd.DataFrame:
    """Return the frame of people, ``names`` with their ``items``, and runs by measures."""
    heads = [measure if isinstance(measure, str) else measure.name for measure in measures]
    frame = pd.DataFrame(rows, [*names, *task.runs], heads)
    frame.insert(0, "items", [*items, *[int(max(items))] * len(task.runs)])
    frame.insert(0, "is_run", [False] * len(names) + [True] * len(task.runs))
    return frame


def _score_half(
    task: QuantificationTask, people: Annotators, measures: Sequence[str | Measure]
) -> pd.DataFrame | None:
    """Score the shares in one half of each item's ratings, and the runs, against the other half."""
    topics = np.flatnonzero(people.votes.sum(axis=1) > 1)
    if not len(topics):
        return None
    item, size = people.topics[people.item], people.votes.sum(axis=1)
    size = size[np.argsort(people.topics)]
    rng, scores = np.random.default_rng(0), []
    for _ in range(SPLITS):
        order = np.lexsort([rng.random(len(item)), item])
        place = np.empty(len(item), dtype=np.intp)
        place[order] = np.arange(len(item)) - np.repeat(size.cumsum() - size, size)
        half = place < size[item] // 2
        shape = (len(task.topics), people.classes)
        own, gold = (
            count(item[chosen], people.rating[chosen], shape)[topics] for chosen in (half, ~half)
        )
        scores.append(_score_shares(task, gold, own, topics, measures))
    rows = np.mean(scores, axis=0)
    return _table(task, measures, [HALF], rows, [len(topics)])


def _score_shares(
    task: QuantificationTask,
    gold: Integers,
    own: NDArray[Any],
    topics: Integers,
    measures: Sequence[str | Measure],
) -> NDArray[np.float64]:
    """Score ``own`` (topics, classes) and then the runs on gold votes: (1 + runs, measures)."""
    own = own / own.sum(axis=1, keepdims=True)
    compared = replace(
        task,
        runs=(HALF, *task.runs),
        topics=tuple(task.topics[k] for k in topics),
        annotators=None,
        votes=(),
        unanswered={run: empty[topics] for run, empty in task.unanswered.items()},
        _gold=gold / gold.sum(axis=1, keepdims=True),
        _estimates=np.concatenate([own[None], task.estimates[:, topics]]),
    )
    return np.asarray(compute(compared, measures).values.mean(axis=1).T)


def perfect_judge(
    task: QuantificationTask, measures: Sequence[str | Measure] | None = None
) -> pd.Series | None:
    """Return the mean scores of an imaginary judge with exact knowledge of the shares of opinion.

    They are not perfect, because gold rests on some votes a topic. Shares of opinion are drawn from
    their posterior distribution given the votes, with Perks' prior (each class counts 1/classes of
    a vote), as many new votes as the topic has are drawn from these shares, independently, and the
    shares are scored against the new votes; scores are means over 20 draws (with a fixed seed). In
    simulations with four and five classes, the mean NMD was within 30% of the true one with five
    votes a topic, and within 5% with 33. Votes for several items of a topic may vary less than
    independent ones, so that the scores are a little too bad.

    By RPS nobody can expect a better score than this judge. By NMD one can, by a bet on the median
    of what the votes could be: for random opinions 11% better with three votes
    a topic, 1% with 33.

    Parameters
    ----------
    task
        A task of distributions whose ``votes`` are known.
    measures
        As for :func:`ordbook.score`.

    Returns
    -------
    Series or None
        A score per measure; None if the numbers of votes are not known.

    Examples
    --------
    >>> votes = [[8, 2, 0], [1, 5, 4]]
    >>> task = QuantificationTask.from_arrays(votes, {}, votes=True)
    >>> perfect_judge(task, ["NMD"]).round(2).to_dict()
    {'NMD': 0.09}
    """
    if not task.votes:
        return None
    chosen = list(measures_for(task) if measures is None else measures)
    rng, topics = np.random.default_rng(0), np.arange(len(task.topics))
    alone = replace(task, runs=(), unanswered={}, _estimates=task.estimates[:0])
    posterior = task.gold * np.array(task.votes)[:, None] + 1 / len(task.classes)
    scores = []
    for _ in range(SPLITS):
        shares = rng.standard_gamma(posterior)  # Dirichlet, once each row is divided by its sum
        shares /= shares.sum(axis=1, keepdims=True)
        votes = rng.multinomial(task.votes, shares)
        scores.append(_score_shares(alone, votes, shares, topics, chosen)[0])
    heads = [measure if isinstance(measure, str) else measure.name for measure in chosen]
    return pd.Series(np.mean(scores, axis=0), heads)


def _score_annotator(
    task: Task, people: Annotators, number: int, measures: Sequence[str | Measure]
) -> tuple[NDArray[np.float64], int] | None:
    """Score an annotator and the runs on gold from the others, as below; count the items."""
    if isinstance(task, ClassificationTask):
        tasks = annotator_tasks(task, number)
        if not tasks:
            return None
        scores = [compute(by, measures).values.mean(axis=1).T for by in tasks]
        return np.mean(scores, axis=0), len(tasks[0].gold)
    answer, others, items = others_votes(people, number)
    if not len(items):
        return None
    topics, place = np.unique(people.topics[items], return_inverse=True)
    gold = np.zeros((len(topics), people.classes), dtype=np.intp)
    np.add.at(gold, place, others)
    shares = count(place, answer, gold.shape)
    return _score_shares(task, gold, shares, topics, measures), len(items)


def annotator_tasks(task: ClassificationTask, number: int) -> list[ClassificationTask]:
    """Return tasks of one annotator, as the first run, and the runs, on gold from the others.

    They have the items that the annotator and somebody else rated; there is none without such
    items. Gold is the lower class where the others' ratings are tied, and the upper one in a second
    task.
    """
    people = task.annotators
    if people is None:
        return []
    answer, others, items = others_votes(people, number)
    if not len(items):
        return []
    topics, place = np.unique(people.topics[items], return_inverse=True)
    lower, upper = (gold_labels(others, people.rule, end) for end in ENDS)
    lowest = replace(
        task,
        runs=(people.names[number], *task.runs),
        topics=tuple(task.topics[k] for k in topics),
        annotators=None,
        ties=None,
        items=(),
        unanswered={run: empty[items] for run, empty in task.unanswered.items()},
        _gold=lower,
        _predicted=np.concatenate([answer[None], task.predicted[:, items]]),
        _topic=place,
    )
    return [lowest] if (lower == upper).all() else [lowest, replace(lowest, _gold=upper)]


def others_votes(people: Annotators, number: int) -> tuple[Integers, Integers, Integers]:
    """Return an annotator's answers, the others' votes, and which items both are about."""
    own = people.annotator == number
    answer = np.full(len(people.items), -1)
    answer[people.item[own]] = people.rating[own]
    others = people.votes.copy()
    others[people.item[own], people.rating[own]] -= 1
    items = np.flatnonzero((answer >= 0) & others.any(axis=1))
    return answer[items], others[items], items


def people_range(ceiling: pd.DataFrame, items: int) -> pd.DataFrame:
    """Return the mean of people by measure (weighted by items), and the range of those that count.

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
    counted = scores[people["items"] >= LEAST * items]
    mean = pd.Series(np.average(scores, 0, people["items"]), scores.columns)
    return pd.DataFrame({"mean": mean, "low": counted.min(), "high": counted.max()})


def people_note(task: Task, ceiling: pd.DataFrame, measure: str, better: str) -> str:
    """Say how people do by a measure, each held against the others, and the best run with them."""
    people = people_range(ceiling, int(ceiling["items"].max())).loc[measure]
    runs = ceiling.loc[ceiling["is_run"], measure]
    who, names = "people, each held against gold from the others", list(ceiling.index)
    ends = "" if np.isnan(people["low"]) else f" ({people['low']:.4f} to {people['high']:.4f})"
    more = ""
    if HALF in names:
        who, ends = "half of the people, held against gold from the other half", ""
        more = " Scores are means over random halves of each item's ratings."
    elif len(names) - len(runs) == 2:
        ends, more = "", " With two annotators, this is how far they agree."
    text = f"{who}, have a mean {measure} of {people['mean']:.4f}{ends}"
    if len(runs):
        best = runs.idxmin() if better == "low" else runs.idxmax()
        text += f"; on the same gold, the best run, {best}, has {runs[best]:.4f}"
    perfect = perfect_judge(task, [measure]) if isinstance(task, QuantificationTask) else None
    if perfect is not None:
        more += (
            f" On the gold of all people, a judge who knew the shares of opinion exactly would "
            f"have about {perfect[measure]:.4f}, because that gold rests on "
            f"{np.mean(task.votes):.0f} votes a topic."
        )
        if measure == "NMD":
            more += (
                " By NMD a better score than that is possible, as it rewards a bet on the median "
                "of what the votes could be."
            )
    return f"{text}.{more}"


def first_runs(task: ClassificationTask, measure: str | Measure) -> dict[str, dict[str, float]]:
    """Return the first runs by a measure, for each choice of gold where ratings are tied.

    Parameters
    ----------
    task
        A task of labels.
    measure
        As for :func:`ordbook.score`.

    Returns
    -------
    dict
        Choice -> run -> its mean score; the choice that was made stands first. Empty if the task
        has no ``ties``.

    Examples
    --------
    >>> import pandas as pd
    >>> from ordbook.data.ratings import from_ratings
    >>> ratings = pd.DataFrame({"item": list("abc"), "Ann": [1, 2, 3], "Bob": [1, 3, 3],
    ...     "strict": [1, 2, 3], "kind": [1, 3, 3]})
    >>> task = from_ratings(ratings, annotator=["Ann", "Bob"], gold="median", ties="lower",
    ...     runs=["strict", "kind"])
    >>> first_runs(task, "kappa")
    {'lower': {'strict': 1.0}, 'upper': {'kind': 1.0}}
    """
    if task.ties is None:
        return {}
    first = {}
    for choice, gold in {task.ties.choice: task.gold, **task.ties.otherwise}.items():
        scores = compute(replace(task, _gold=gold), [measure])
        ranked = standings(scores, scores.measures[0])
        first[choice] = dict(ranked.loc[ranked["rank"] == 1, ["run", "mean"]].to_numpy())
    return first


def first_runs_note(first: Mapping[str, Mapping[str, float]], measure: str) -> str:
    """Say which run is first under the choices that were not made, from :func:`first_runs`."""
    (_, now), *others = first.items()
    return " ".join(
        f"If the {choice} class were gold where ratings are tied, {some([*runs])} would be first "
        f"by {measure} ({max(runs.values()):.3f}), "
        f"{'too' if runs.keys() == now.keys() else f'not {some([*now])}'}."
        for choice, runs in others
    )
