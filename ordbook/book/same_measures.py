"""Measures that are one and the same on the scores at hand, whatever their names.

With two classes NMD, NVD, RNSS, RNOD and RSNOD are the same number, alpha_ord is alpha_int, and
MAE_mu is 1 - accuracy. Ranks, splits and tests are then the same too, and the one has nothing to
say beside the other.

Contents
--------
same_measures   scores -> sets of measures that are one and the same
beside          the measures that are one and the same as a given one
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ordbook.book.grades import SAME
from ordbook.data.scores import ScoreMatrix

Floats = NDArray[np.float64]


def same_measures(scores: ScoreMatrix) -> list[tuple[str, ...]]:
    """Find the measures whose scores are those of another, up to origin and unit.

    That is a score for every topic and run of one and the same linear function of the other's,
    which makes better what is better. Of fewer than three different scores any two measures would
    be so; these must have one and the same unit.

    Returns
    -------
    list
        One tuple of measures for each set, all in the order of the score matrix.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.QuantificationTask.from_arrays(
    ...     [[0.2, 0.8], [0.6, 0.4]], {"A": [[0.5, 0.5], [0.7, 0.3]], "B": [[1, 0], [0, 1]]}
    ... )
    >>> same_measures(ob.score(task, ["NMD", "JSD", "RNOD"]))
    [('NMD', 'RNOD')]
    """
    costs = {}
    for k, name in enumerate(scores.measures):
        sign = 1 if scores.better[name] == "low" else -1
        costs[name] = sign * scores.values[k].ravel()
    found, left = [], list(scores.measures)
    while left:
        first, *left = left
        family = [name for name in left if _same(costs[first], costs[name])]
        if family:
            found.append((first, *family))
            left = [name for name in left if name not in family]
    return found


def beside(name: str, same: Iterable[Sequence[str]]) -> list[str]:
    """Return the measures that are one and the same as a given one, without it.

    Examples
    --------
    >>> beside("NMD", [("RNSS", "NMD", "RNOD"), ("A", "B")])
    ['RNSS', 'RNOD']
    """
    return [other for family in same if name in family for other in family if other != name]


def _same(first: Floats, second: Floats) -> bool:
    widths = np.ptp(first), np.ptp(second)
    largest = max(np.abs(first).max(), np.abs(second).max())
    if min(widths) <= SAME * largest:  # who gives everybody the same says nothing of any other
        return False
    one, other = (first - first.min()) / widths[0], (second - second.min()) / widths[1]
    if np.abs(one - other).max() > SAME:
        return False
    inside = (one > SAME) & (one < 1 - SAME)
    return bool(inside.any() or abs(widths[0] - widths[1]) <= SAME * largest)
