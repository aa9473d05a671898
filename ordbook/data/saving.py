"""A task -> a folder of the plainest format, which :func:`ordbook.load` reads."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.annotators import ANNOTATORS
from ordbook.data.folder import GROUPS
from ordbook.data.frames import ONE_TOPIC
from ordbook.data.names import check_names
from ordbook.data.tasks import ClassificationTask, QuantificationTask


def write_task(task: object, folder: Path) -> None:
    """Fill an empty folder with a task; answers that a run lacks are left out of its file."""
    if not isinstance(task, ClassificationTask | QuantificationTask):
        raise ValueError(
            f"{task!r}: nuggets, one for each turn, for which CSV has no form; check, score and "
            "rerun read these files as they are"
        )
    names = [file_name(run) for run in task.runs]
    check_names(names, "file of run", task.name)
    classes, topics = (np.array(axis, dtype=object) for axis in (task.classes, task.topics))
    people = task.annotators
    if isinstance(task, QuantificationTask):
        keys = pd.DataFrame({"topic": topics})
        tables = [pd.DataFrame(x, columns=classes) for x in (_votes(task), *task.estimates)]
    else:
        keys = pd.DataFrame({"topic": topics[task.topic]})
        keys["item"] = people.items if people else np.arange(1, len(keys) + 1)
        if keys.duplicated().any():  # topics that became one pool had items of the same name
            keys["item"] = np.arange(1, len(keys) + 1)
        keys = keys[["item"]] if task.topics == (ONE_TOPIC,) else keys
        tables = [pd.DataFrame({"label": classes[x]}) for x in (task.gold, *task.predicted)]
    (folder / "runs").mkdir()
    for run, name, table in zip(("", *task.runs), ("", *names), tables, strict=True):
        path = folder / "runs" / f"{name}.csv" if run else folder / "gold.csv"
        here = ~task.unanswered.get(run, np.zeros(len(keys), dtype=bool))
        pd.concat([keys, table], axis=1)[here].to_csv(path, index=False, lineterminator="\n")
    lists = {"classes.txt": pd.DataFrame(classes)}
    listed = {"group": task.groups, "language": task.languages, "link": task.links}
    if any(listed.values()):
        columns = {name: pd.Series(task.runs).map(of) for name, of in listed.items()}
        lists[GROUPS] = pd.DataFrame({"run": names} | columns)
    if people:
        rated = keys
        if isinstance(task, QuantificationTask):
            rated = pd.DataFrame({"topic": topics[people.topics], "item": people.items})
            rated = rated[["item"]] if task.topics == people.items else rated
        names_of = np.array(people.names, dtype=object)[people.annotator]
        ratings = rated.iloc[people.item].assign(annotator=names_of, rating=classes[people.rating])
        # The same whether the ratings came from a long table or from a wide one.
        lists[ANNOTATORS] = ratings.iloc[np.lexsort((names_of.astype(str), people.item))]
    for name, frame in lists.items():
        header = name != "classes.txt"
        frame.to_csv(folder / name, index=False, header=header, lineterminator="\n")


def _votes(task: QuantificationTask) -> NDArray[Any]:
    """Return the votes for each class, (topics, classes), or the shares if votes are unknown."""
    if task.votes:
        votes: NDArray[Any] = np.rint(task.gold * np.array(task.votes)[:, None]).astype(int)
        if np.allclose(votes / votes.sum(axis=1, keepdims=True), task.gold, rtol=0, atol=1e-12):
            return votes
    return task.gold


def file_name(run: str) -> str:
    """Return the name of a run's file: a model may be called ``maker/model``."""
    return run.replace("/", "_").replace("\\", "_")
