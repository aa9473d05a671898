"""Files of SemEval Task 4 as their organisers published them: subtasks B, C, D and E.

They are UTF-8 text, columns separated by tabs, without a header:

====  ==============================================================================
B, C  item, topic, label: ``negative`` or ``positive`` in B, -2 to 2 in C
D     topic, share of positive tweets, share of negative tweets, number of tweets
E     topic, one share per class, from the lowest class to the highest
====  ==============================================================================

A run of D may have the number of tweets or leave it out.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance, QuantificationTask
from ordbook.data.text import drop_ragged, read_text

FIVE_POINT_SCALE = ("-2", "-1", "0", "1", "2")
TWO_POINT_SCALE = ("negative", "positive")
COUNT = "tweets"


def read_published(path: Path) -> pd.DataFrame:
    """Read a gold or run file of subtask B, C, D or E; its first line tells which.

    Returns
    -------
    DataFrame
        Texts as they are printed. Its columns are topic, item and label; or topic, the classes
        from lowest to highest and, in D where the file has it, tweets.

    Raises
    ------
    ValueError
        If a line has another number of columns than the first, or this number is not that of a
        subtask.
    """
    lines = [line.rstrip("\t") for line in read_text(path).splitlines() if line.strip()]
    rows = [line.split("\t") for line in lines]
    width, problems = len(rows[0]), Problems()
    drop_ragged(path, rows[0], rows, problems, first=1)
    problems.raise_first()
    if width == 6:
        return pd.DataFrame(rows, columns=["topic", *FIVE_POINT_SCALE])
    if width == 3 and not _is_share(rows[0][1]):
        return pd.DataFrame(rows, columns=["item", "topic", "label"])[["topic", "item", "label"]]
    if width in (3, 4) and _is_share(rows[0][1]):
        head = ["topic", "positive", "negative", COUNT][:width]
        return pd.DataFrame(rows, columns=head)[["topic", *TWO_POINT_SCALE, *head[3:]]]
    raise ValueError(
        f"{path}, line 1: {width} columns; subtasks B and C have 3 (item, topic, label), D has 4 "
        "(topic, positive, negative, tweets) and E has 6 (topic and five shares), separated by tabs"
    )


def read_counted(
    name: str, gold: Path, runs: Mapping[str, Path], provenance: Provenance
) -> QuantificationTask:
    """Read the gold file and the runs of subtask D; the numbers of tweets are the task's votes."""

    def shares(path: Path) -> pd.DataFrame:
        return read_published(path).set_index("topic")[list(TWO_POINT_SCALE)].astype(float)

    tweets = read_published(gold)[COUNT].astype(int)
    task = QuantificationTask.from_arrays(
        shares(gold),
        {run: shares(path) for run, path in runs.items()},
        classes=TWO_POINT_SCALE,
        name=name,
        provenance=provenance,
    )
    return replace(task, votes=tuple(tweets))


def _is_share(text: str) -> bool:
    try:
        return bool(0 <= np.float64(text) <= 1)
    except ValueError:
        return False
