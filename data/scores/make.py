"""Recompute the scores in this folder from raw files: ``make scores``."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.nuggets import NuggetTask
from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix, ScoresTask, committed_scores
from ordbook.data.scoring import SIDES, Task, committed_name, compute
from ordbook.data.tasks import ClassificationTask

HERE = Path(__file__).resolve().parent


def commit() -> None:
    """Recompute this folder, for every catalogued task that has runs and raw files here.

    Of nuggets those of either side alone are committed as well.
    """
    for dataset in catalog().values():
        if not (dataset.runs and dataset.files):
            continue
        task = load(dataset.name)
        assert not isinstance(task, ScoresTask)
        if task.missing:
            print(f"{dataset.name}: kept as it is, the raw files are not here")
            continue
        kinds: list[tuple[Task, bool]] = [(task, False)]
        if isinstance(task, NuggetTask):
            kinds = [(replace(task, alpha=alpha), False) for alpha in SIDES]
        elif isinstance(task, ClassificationTask):
            kinds.append((task, True))
        for scored, pooled in kinds:
            name = committed_name(scored, pooled)
            path = write(kept(compute(scored, pooled=pooled), name), name)
            print(f"{path}: written from {len(dataset.files)} raw files")


def kept(scores: ScoreMatrix, name: str) -> ScoreMatrix:
    """Keep the last bits of committed scores, which differ between machines.

    So a new measure changes no score by another one.
    """
    committed = committed_scores(name)
    if not committed or (committed.topics, committed.runs) != (scores.topics, scores.runs):
        return scores
    values = scores.values.copy()
    for place, measure in enumerate(scores.measures):
        if measure in committed.measures:
            before = committed.values[committed.measures.index(measure)]
            same = np.abs(values[place] - before) <= TIE_TOLERANCE
            values[place] = np.where(same, before, values[place])
    before = committed.references.reindex_like(scores.references)
    same = (scores.references - before).abs() <= TIE_TOLERANCE
    return replace(scores, values=values, references=before.where(same, scores.references))


def write(scores: ScoreMatrix, name: str) -> Path:
    """Write scores that travel with ordbook, a column for each run; return the file."""
    path = HERE / f"{name}.csv.xz"
    scores.save(path, by_run=True)
    return path


if __name__ == "__main__":
    commit()
