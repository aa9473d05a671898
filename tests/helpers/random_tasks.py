"""Folders of tasks made at random, whose runs mix the gold data with noise."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

import ordbook as ob


def save_shares(
    folder: Path, noise: Mapping[str, float], topics: int = 20, classes=("low", "mid", "high")
) -> Path:
    """Write topics with distributions; of each run this share is noise, and 1 is noise alone."""
    rng = np.random.default_rng(4)
    gold = rng.dirichlet(np.full(len(classes), 1.5), topics)
    wrong = (rng.dirichlet(np.ones(len(classes)), topics) for _ in noise)
    runs = {
        run: (1 - share) * gold + share * rows
        for (run, share), rows in zip(noise.items(), wrong, strict=True)
    }
    names = [f"t{k}" for k in range(topics)]
    ob.QuantificationTask.from_arrays(gold, runs, classes=classes, topics=names).save(folder)
    return folder


def save_labels(
    folder: Path, noise: Mapping[str, float], items: int = 60, topics: int = 1, classes=range(3)
) -> Path:
    """Write items with labels; of each run this share is drawn at random."""
    rng, names = np.random.default_rng(5), np.array(classes)
    gold = rng.integers(0, len(names), items)
    runs = {
        run: names[np.where(rng.random(items) < share, rng.integers(0, len(names), items), gold)]
        for run, share in noise.items()
    }
    topic = [f"t{k % topics}" for k in range(items)]
    ob.ClassificationTask.from_labels(names[gold], runs, topic, classes).save(folder)
    return folder
