"""Whether a judge that never reads an item passes, for all files that begin with ``blind``."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.chapters.blind import HANNA, NUMBERS, SHAPES, WEIGHTS
from ordbook.data.annotators import Annotators
from ordbook.data.known import COMMONEST
from ordbook.data.loading import load
from ordbook.data.ratings import from_ratings
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.meta.alternative_annotator import alternative_annotator_test

# Epsilon as the authors took it for their sets.
AUTHORS: Mapping[str, float] = {"alt-prompts": 0.15, "alt-stars": 0.1, "alt-lesion": 0.15}


MANY = "latent"  # 33 people


READ = (0.1, 0.3, 0.5, 0.7, 0.9)


def compute_blind() -> pd.DataFrame:
    """Return who passes, a row for each set, epsilon, score and weights: for ``data/draws``."""
    rows = []
    scores: tuple[Literal["rmse", "accuracy"], ...] = ("rmse", "accuracy")
    settings = [(name, epsilon) for name in (*HANNA, MANY) for epsilon in (0.1, 0.2)]
    settings += AUTHORS.items()
    for (name, epsilon), score, weights in product(settings, scores, WEIGHTS):
        every = alternative_annotator_test(
            _labels(name), epsilon, score, weights=WEIGHTS[weights]
        ).table
        table = every.drop(index=COMMONEST, errors="ignore")
        judges, blind = table[table["kind"] == "run"], table[table["kind"] == "constant"].iloc[0]
        rows.append(
            {"set": name, "epsilon": epsilon, "score": score, "weights": weights}
            | {"judges": len(judges), "pass": judges["passes"].sum()}
            | {"read": (judges["passes"] & (judges["above"] >= 0.5)).sum()}
            | {"constant": blind.name, "omega": blind["omega"], "rho": blind["rho"]}
            | {"better": (judges["rho"] > blind["rho"]).sum()}
            | {"constant passes": blind["passes"]}
            | {"draws pass": table.loc[table["kind"] == "draws", "passes"].iloc[0]}
            | {"commonest passes": every["passes"].get(COMMONEST)}
        )
    return pd.DataFrame(rows)


def compute_people() -> pd.DataFrame:
    """Return how people agree, and their labels' skew, by set: for ``data/draws``."""
    rows = []
    for name in (*HANNA, *AUTHORS, MANY):
        annotators = _labels(name).annotators
        assert isinstance(annotators, Annotators)
        votes = annotators.votes
        size = votes.sum(axis=1)
        equal = (votes * (votes - 1)).sum() / (size * (size - 1)).sum()
        largest = votes.sum(axis=0).max() / votes.sum()
        people = len(annotators.names)
        rows.append({"set": name, "people": people, "equal": equal, "largest": largest})
    return pd.DataFrame(rows)


def _labels(name: str) -> ClassificationTask:
    task = load(name)
    if isinstance(task, QuantificationTask):  # a run's label is the median of its answers
        medians = [
            (np.cumsum(shares, axis=1) < 0.5 - 1e-9).sum(axis=1).tolist()
            for shares in (task.gold, *task.estimates)
        ]
        labels = [[task.classes[place] for place in row] for row in medians]
        runs = dict(zip(task.runs, labels[1:], strict=True))
        made = ClassificationTask.from_labels(labels[0], runs, task.topics, task.classes)
        return replace(made, annotators=task.annotators)
    assert isinstance(task, ClassificationTask)
    return task


def simulated_ratings(
    read: float, shares: tuple[float, ...], people: int, items: int, seed: int
) -> NDArray[np.int64]:
    """Return ratings (people, items) of people who see an item's class, or else draw one."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), items, p=shares)
    own = rng.choice(len(shares), (people, items), p=shares)
    return np.where(rng.random((people, items)) < read, truth, own) + 1


def compute_simulated(repetitions: int = 20, items: int = 200) -> pd.DataFrame:
    """Return in what share of simulated sets a constant passes: for ``data/draws``."""
    rows = []
    for shape, read, people in product(SHAPES, READ, NUMBERS):
        passes = dict.fromkeys(WEIGHTS, 0.0)
        for seed in range(repetitions):
            ratings = simulated_ratings(read, SHAPES[shape], people, items, seed)
            names = [f"person {number + 1}" for number in range(people)]
            frame = pd.DataFrame(ratings.T, columns=names).assign(judge=ratings[0])
            task = from_ratings(
                frame.rename_axis("item").reset_index(),
                item="item",
                annotator=names,
                runs=["judge"],
                gold="median",
                ties="lower",
                classes=range(1, 6),
            )
            for weights, kind in WEIGHTS.items():
                table = alternative_annotator_test(task, weights=kind, draws=1).table
                passes[weights] += table.loc[table["kind"] == "constant", "passes"].iloc[0]
        for weights, count in passes.items():
            rows.append(
                {"shape": shape, "read": read, "people": people, "weights": weights}
                | {"passes": count / repetitions}
            )
    return pd.DataFrame(rows)
