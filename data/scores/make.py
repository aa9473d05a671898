"""Recompute the scores in this folder from raw files: ``make scores``."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.nuggets import NuggetTask
from ordbook.data.scoreframes import AXES
from ordbook.data.scores import ScoreMatrix, ScoresTask
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
        for one, pooled in kinds:
            scores = compute(one, pooled=pooled)
            path = write(scores, committed_name(one, pooled))
            print(f"{path}: written from {len(dataset.files)} raw files")


def write(scores: ScoreMatrix, name: str) -> Path:
    """Write scores that travel with ordbook, a column for each run; return the file."""
    path = HERE / f"{name}.csv.gz"
    by_run = pd.concat({measure: scores[measure] for measure in scores.measures}, names=AXES[:2])
    scores.write_as(path, by_run.reset_index())
    return path


if __name__ == "__main__":
    commit()
