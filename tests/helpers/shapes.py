"""Tasks of every shape that a reader may bring, for what must be true of all of them."""

from collections.abc import Callable

import numpy as np
import pandas as pd

import ordbook as ob
from ordbook.data.ratings import from_ratings


def labels(runs=4, items=60, topics=1, classes=5, *, seed=0, gold=None, constant=0):
    """Return labels of runs that err more and more; the last runs answer one class."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, classes, items) if gold is None else np.asarray(gold)
    answers = {
        f"r{k}": np.where(rng.random(items) < 0.1 + 0.1 * k, rng.integers(0, classes, items), gold)
        for k in range(runs - constant)
    }
    answers |= {f"always {k}": np.full(items, k) for k in range(constant)}
    topic = [f"t{k % topics}" for k in range(items)]
    return ob.ClassificationTask.from_labels(gold, answers, topic, range(classes))


def shares(runs=4, topics=30, classes=5, *, seed=0, votes=False, names=None):
    """Return distributions of runs that err more and more."""
    rng = np.random.default_rng(seed)
    gold = rng.multinomial(9, np.full(classes, 1 / classes), topics)
    noise = rng.dirichlet(np.ones(classes), (runs, topics))
    part = np.linspace(0.1, 0.9, runs)[:, None, None]
    estimates = (1 - part) * gold / 9 + part * noise
    given = dict(zip(names or [f"r{k}" for k in range(runs)], estimates, strict=True))
    return ob.QuantificationTask.from_arrays(gold if votes else gold / 9, given, votes=votes)


def ratings(people=3, items=40, *, gold="median", topics=1, models=2):
    """Return a task of people's ratings and of models."""
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, items)
    columns = {f"person {k}": np.clip(truth + rng.integers(-1, 2, items), 1, 5)
               for k in range(people)}  # fmt: skip
    columns |= {f"model {k}": np.clip(truth + rng.integers(-k - 1, k + 2, items), 1, 5)
                for k in range(models)}  # fmt: skip
    frame = pd.DataFrame({"item": np.arange(items), "topic": np.arange(items) % topics, **columns})
    names = list(columns)
    ties = {"ties": "lower"} if gold == "median" else {}
    return from_ratings(frame, item="item", annotator=names[:people], runs=names[people:],
                        gold=gold, topic="topic" if topics > 1 else None, **ties)  # fmt: skip


def copies():
    """Return runs that all answer alike."""
    task = labels(1, 60, 10)
    answers = dict.fromkeys("abc", task.predicted[0])
    topic = [f"t{k % 10}" for k in range(60)]
    return ob.ClassificationTask.from_labels(task.gold, answers, topic, range(5))


def a_double():
    """Return four runs of which two are the same."""
    task = shares(3, 12)
    runs = dict(zip(task.runs, task.estimates, strict=True)) | {"double": task.estimates[0]}
    return ob.QuantificationTask.from_arrays(task.gold, runs)


def some_scores(*measures, task=None):
    """Return scores in place of a task."""
    return ob.score(task or shares(5, 20), list(measures))


SHAPES: dict[str, Callable[[], object]] = {
    "one pool of labels": lambda: labels(4),
    "one pool, one run": lambda: labels(1),
    "one pool, two runs": lambda: labels(2),
    "one pool of five items": lambda: labels(3, 5),
    "two topics of labels": lambda: labels(4, 60, 2),
    "topics of labels": lambda: labels(6, 200, 40),
    "twelve topics of labels": lambda: labels(5, 120, 12),
    "two classes": lambda: labels(4, 200, 25, 2),
    "eleven classes": lambda: labels(4, 400, 25, 11),
    "fourteen runs": lambda: labels(14, 200, 25),
    "constant runs": lambda: labels(5, 200, 25, constant=2),
    "topics of one class": lambda: labels(4, 80, 20, gold=np.arange(80) % 20 % 5),
    "one gold class": lambda: labels(3, 40, 4, gold=np.zeros(40, int)),
    "runs that all answer alike": copies,
    "one topic of shares": lambda: shares(3, 1),
    "two topics of shares": lambda: shares(3, 2),
    "two runs on three topics": lambda: shares(2, 3),
    "fifteen topics of shares": lambda: shares(4, 15),
    "sixteen topics of shares": lambda: shares(4, 16),
    "one run of shares": lambda: shares(1, 30),
    "two classes of shares": lambda: shares(4, 30, 2),
    "votes": lambda: shares(4, 30, votes=True),
    "a double": a_double,
    "hostile names": lambda: shares(3, 20, names=["<b>x</b>", "$\\frac$", "a_b|c"]),
    "two raters": lambda: ratings(2),
    "three raters, by topic": lambda: ratings(3, topics=8),
    "shares of raters": lambda: ratings(5, gold="shares"),
    "scores": lambda: some_scores("RPS", "NMD"),
    "scores by one measure": lambda: some_scores("JSD"),
    "nuggets": lambda: ob.load("stc3-nd"),
    "scores of a catalogued task": lambda: ob.load("sem16t4e"),
}
