"""Moves of answers away from gold that raise a measure: for ``moves.csv``."""

import pandas as pd

from ordbook.advice.sources import sources
from ordbook.chapters.choosing import REWARDING, rewarded
from ordbook.data.loading import load
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION


def compute_moves() -> pd.DataFrame:
    """Compute the rows that ``data/draws/moves.csv`` holds, from the labels of every set.

    Returns
    -------
    DataFrame
        A row for each set of labels, unit (``topic``, or ``pool`` of all items) and measure:
        ``raised``, the share of all right answers moved to a neighbouring class (to either side
        with equal weight) that better the score; ``farther`` and ``across``, the same of errors
        moved one class farther off, on their side of gold or to the other; ``below``, the share
        of the scores of a run on a topic that are below 0; and ``constant``, the mean score of
        the best run that always answers one class.
    """
    rows = []
    for source, names in sources("classification").items():
        for name in names:
            task = load(name)
            assert isinstance(task, ClassificationTask)
            by_topic = task.confusion().astype(float)
            for unit, counts in (("topic", by_topic), ("pool", by_topic.sum(axis=1)[:, None])):
                for measure in REWARDING:
                    numbers = rewarded(CLASSIFICATION[measure], counts)
                    rows.append({"source": source, "set": name, "unit": unit, **numbers})
    return pd.DataFrame(rows)
