"""Superlatives: who has the least and the greatest value, with all that have the same.

Values are means of floating-point numbers, so that equal ones may differ by noise. A sentence
that names one of several would contradict the table above it.

Contents
--------
all_equal   whether values differ by no more than noise
lowest      who has the least value, as text
highest     who has the greatest value, as text
places      the same as a list of names, or the least few
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ordbook.book.grades import SAME, listing

# So many names are written out; of more, the first and their number.
NAMED = 3


def all_equal(values: pd.Series) -> bool:
    """Whether several values differ by no more than noise.

    Examples
    --------
    >>> all_equal(pd.Series([0.3, 0.1 + 0.2])), all_equal(pd.Series([0.3, 0.4]))
    (True, False)
    """
    return len(values) > 1 and float(np.ptp(values)) <= SAME


def lowest(values: pd.Series, others: str = "others") -> str:
    """Name who has the least value, with all that have the same.

    Parameters
    ----------
    values
        Name -> a finite number.
    others
        What those are called that are counted and not named.

    Examples
    --------
    >>> tau = pd.Series({"NMD": 0.9, "NVD": 1.0, "JSD": 1.0})
    >>> lowest(tau), lowest(-tau), lowest(pd.Series(1.0, list("ABCDE")))
    ('NMD', 'NVD and JSD', 'A and 4 others')
    """
    return _said(places(values), others)


def highest(values: pd.Series, others: str = "others") -> str:
    """Name who has the greatest value, with all that have the same, as :func:`lowest`."""
    return lowest(-values, others)


def places(values: pd.Series, count: int = 1) -> list[str]:
    """Return the names of the least values, the least first and equal ones in their order.

    Parameters
    ----------
    values
        As for :func:`lowest`; with a minus before them the greatest are found.
    count
        How many at least: of 2 the least two, and all that have the value of the second.

    Examples
    --------
    >>> places(pd.Series({"NMD": 0.3, "NVD": 0.1 + 0.2, "JSD": 0.1}), count=2)
    ['JSD', 'NMD', 'NVD']
    """
    numbers = values.to_numpy(dtype=float)
    if not len(numbers) or not np.isfinite(numbers).all():
        raise ValueError("a superlative needs at least one value, and finite ones")
    limit = np.sort(numbers)[min(count, len(numbers)) - 1] + SAME
    near = [k for k in np.argsort(numbers, kind="stable") if numbers[k] <= limit]
    # Noise orders equal values; their own order is that of the task.
    level = np.cumsum(np.diff(numbers[near], prepend=numbers[near[0]]) > SAME)
    near = [k for _, k in sorted(zip(level.tolist(), near, strict=True))]
    return [str(values.index[k]) for k in near]


def _said(names: Sequence[str], others: str) -> str:
    """Write names, or the first of many; names of pairs have commas of their own."""
    if len(names) > NAMED:
        return f"{names[0]} and {len(names) - 1} {others}"
    return "; ".join(names) if any("," in name for name in names) else listing(names)
