"""The results on a task topic by topic and class by class."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask, share_answered


def by_topic(scores: ScoreMatrix) -> pd.DataFrame:
    """Best and median score of every topic, by every measure.

    Returns
    -------
    pandas.DataFrame
        A row for each measure and topic: measure, topic, best, run (the first that reaches the
        best score), tied (how many runs reach it) and median.
    """
    tables = []
    for measure, values in zip(scores.measures, scores.values, strict=True):
        low = scores.better[measure] == "low"
        best = values.min(axis=1) if low else values.max(axis=1)
        tied = np.abs(values - best[:, None]) <= TIE_TOLERANCE
        table = pd.DataFrame({"topic": scores.topics, "best": best})
        table.insert(0, "measure", measure)
        table["run"] = np.array(scores.runs, dtype=object)[tied.argmax(axis=1)]
        tables.append(table.assign(tied=tied.sum(axis=1), median=np.median(values, axis=1)))
    return pd.concat(tables, ignore_index=True)


def by_class(task: ClassificationTask | QuantificationTask) -> pd.DataFrame:
    """Every run class by class, over all items or topics together.

    A missing answer is the class farthest from gold here.

    Returns
    -------
    pandas.DataFrame
        A row for each run and class. Of labels: gold and answers (numbers of items), precision,
        recall and F1, NaN where they are 0/0, and distance, the mean distance between the answers
        and this gold class in classes. Of distributions: the mean gold and mean estimated
        probability, and error, the mean absolute difference.

    Examples
    --------
    >>> import ordbook as ob
    >>> gold, runs, classes = [1, 1, 2, 3], {"A": [1, 2, 2, 1]}, [1, 2, 3]
    >>> task = ob.ClassificationTask.from_labels(gold, runs, "tttt", classes)
    >>> by_class(task).drop(columns="run").round(2)
      class  gold  answers  precision  recall    F1  distance
    0     1     2        2        0.5     0.5  0.50       0.5
    1     2     1        2        0.5     1.0  0.67       0.0
    2     3     1        0        NaN     0.0  0.00       2.0
    """
    tables = []
    for run in task.runs:
        if isinstance(task, ClassificationTask):
            counts = confusion(task, run)
            gold, answers, hits = counts.sum(axis=1), counts.sum(axis=0), counts.diagonal()
            places = np.arange(len(counts))
            distance = counts * np.abs(places[:, None] - places)
            with np.errstate(invalid="ignore"):
                columns = {
                    "gold": gold,
                    "answers": answers,
                    "precision": hits / answers,
                    "recall": hits / gold,
                    "F1": 2 * hits / (gold + answers),
                    "distance": distance.sum(axis=1) / gold,
                }
        else:
            gold, estimate = task.gold, task.estimates[task.runs.index(run)]
            columns = {
                "gold": gold.mean(axis=0),
                "estimate": estimate.mean(axis=0),
                "error": np.abs(estimate - gold).mean(axis=0),
            }
        tables.append(pd.DataFrame({"run": run, "class": task.classes} | columns))
    return pd.concat(tables, ignore_index=True)


def confusion(task: ClassificationTask, run: str) -> NDArray[np.intp]:
    """Count the items by gold class, in rows, and answer, over all topics together."""
    return np.asarray(task.confusion(task.runs.index(run)).sum(axis=0))


def filled_by_class(task: object) -> list[str]:
    """State the part of missing answers in tables and figures by class, if there are any."""
    kinds = {"classification": "gold", "quantification": "the gold shares"}
    gold = kinds.get(getattr(task, "kind", ""))
    if not gold or not share_answered(task):
        return []
    return [f"By class, a missing answer counts as the class farthest from {gold}."]
