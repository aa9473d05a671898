"""The official ranking of a shared task, as in the DialEval-1 overview."""

from collections.abc import Sequence

import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.meta import rankings as meta


def standings(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Rank the runs by every measure: columns ``run`` and the mean score, a pair per measure.

    Where two runs tie, they stand in the order of the score matrix.
    """
    lists = []
    for measure in measures or scores.measures:
        ranked = meta.standings(scores, measure)
        lists += [ranked["run"], ranked["mean"].rename(f"mean {measure}")]
    frame = pd.concat(lists, axis=1)
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="rank")
    return frame
