"""Files of SemEval Task 4 as their organisers published them: subtasks B, C, D and E.

They are UTF-8 text, columns separated by tabs, without a header:

====  ==============================================================================
B, C  item, topic, label: ``negative`` or ``positive`` in B, -2 to 2 in C
D     topic, share of positive tweets, share of negative tweets, number of tweets
E     topic, one share per class, from the lowest class to the highest
====  ==============================================================================

A run of D may have the number of tweets or leave it out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance, QuantificationTask
from ordbook.data.text import drop_ragged, read_text, split_rows

FIVE_POINT_SCALE = ("-2", "-1", "0", "1", "2")
TWO_POINT_SCALE = ("negative", "positive")
COUNT = "tweets"


def read_published(
    path: Path, classes: Sequence[str] | None = None, labels: bool | None = None
) -> tuple[pd.DataFrame, list[int]]:
    """Read a gold or run file of subtask B, C, D or E; its first line tells which.

    Parameters
    ----------
    path
        The file.
    classes
        From lowest to highest, where they are others than those of the subtasks.
    labels
        Whether the file holds labels of items, as in B and C; by default the first line tells.

    Returns
    -------
    table
        Texts as they are printed. Its columns are topic, item and label; or topic, the classes
        from lowest to highest and, in D where the file has it, tweets.
    stray
        Lines on which more stood after the label, as in B's gold file; it is left out.

    Raises
    ------
    ValueError
        If a line has another number of columns than the first, or this number is not that of a
        subtask.
    """
    rows = [
        row[:-1] if row[-1:] == [""] else row for row in split_rows(path, read_text(path), "\t")
    ]
    width, problems = len(rows[0]), Problems()
    stray: list[int] = []
    if labels is None:
        labels = width > 2 and not _is_share(rows[0][1])
    if labels:
        stray = [line for line, row in enumerate(rows, 1) if len(row) > 3]
        head, rows = ["item", "topic", "label"], [row[:3] for row in rows]
    elif width == len(classes or FIVE_POINT_SCALE) + 1:
        head = ["topic", *(classes or FIVE_POINT_SCALE)]
    elif width in (3, 4):
        head = ["topic", "positive", "negative", COUNT][:width]
    else:
        raise ValueError(
            f"{path}, line 1: {width} columns; subtasks B and C have 3 (item, topic, label), D has "
            "4 (topic, positive, negative, tweets) and E has 6 (topic and five shares), separated "
            "by tabs"
        )
    drop_ragged(path, head, rows, problems, first=1)
    problems.raise_first()
    first = ["topic", "item"] if labels else ["topic", *TWO_POINT_SCALE] if width < 5 else head
    ordered = sorted(head, key=lambda name: first.index(name) if name in first else len(first))
    return pd.DataFrame(rows, columns=head)[ordered], stray


def read_counted(
    name: str, gold: Path, runs: Mapping[str, Path], provenance: Provenance
) -> QuantificationTask:
    """Read the gold file and the runs of subtask D; the numbers of tweets are the task's votes."""

    def shares(path: Path) -> pd.DataFrame:
        return read_published(path)[0].set_index("topic")[list(TWO_POINT_SCALE)].astype(float)

    tweets = read_published(gold)[0][COUNT].astype(int)
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
