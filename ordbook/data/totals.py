"""Totals among topics, classes and runs: spreadsheets and evaluation tools add them.

Taken for a topic, a class or a run, they would change every mean, interval and p.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_CALLED = {"total", "sum", "mean", "average", "avg", "all", "subtotal"}
FEWEST_ROWS = 4  # that count from 0 or 1 on hardly by chance


def is_called_total(name: str) -> bool:
    """Whether a name is that of a sum or a mean.

    Examples
    --------
    >>> is_called_total("TOTAL:"), is_called_total("Total war")
    (True, False)
    """
    return name.strip().rstrip(":.").casefold() in _CALLED


def find_totals(values: NDArray[np.float64], names: Sequence[str]) -> list[tuple[int, str]]:
    """Find the rows that are called a total, and are the sum or the mean of others.

    ``values`` (rows, numbers) may be scores by several measures, all numbers of a topic or run on
    a row. Returns places of rows and what they are, as far as two decimals tell.

    Examples
    --------
    >>> find_totals(np.array([[0.1, 0.5], [0.4, 0.2], [0.25, 0.35]]), ["t1", "t2", "Mean"])
    [(2, 'the mean of the others')]
    """
    called = np.array([is_called_total(name) for name in names], dtype=bool)
    found = []
    for place in np.flatnonzero(called).tolist():
        near = 0.0051 * max(1.0, float(np.abs(values[place]).max(initial=0)))
        above = ~called & (np.arange(len(names)) < place)
        whats = [
            f"the {what} of {which}"
            for which, others in (("the others", ~called), ("those above it", above))
            for what, total in (("sum", np.sum), ("mean", np.mean))
            if others.sum() > 1
            and np.allclose(total(values[others], axis=0), values[place], 0, near)
        ]
        found += [(place, what) for what in whats[:1]]
    return found


def no_class(values: NDArray[np.float64], names: Sequence[str]) -> dict[int, str]:
    """Find the columns of gold data (topics, columns) that are no class -> what they are.

    Examples
    --------
    >>> votes = np.array([[3.0, 1, 4], [0, 4, 4], [1, 1, 2]])
    >>> no_class(votes, ["low", "high", "votes"])
    {2: 'the sum of the others'}
    """
    rows, width = values.shape
    if width < 3 or rows < 2:
        return {}
    if rows >= FEWEST_ROWS:
        first = values[0]
        counting = (values - np.arange(rows)[:, None] == first).all(axis=0)
        counting &= (first == 0) | (first == 1)
        if counting.any():
            return {int(place): "which counts the rows" for place in np.flatnonzero(counting)}
    sums = values.sum(axis=1)
    whole = (values == np.floor(values)).all(axis=0)
    rest = sums[:, None] - values
    for total, near in ((1, 0.01), (100, 0.5)):
        apart = (np.abs(rest - total) <= near).all(axis=0) & whole
        if apart.sum() == 1 and (np.abs(sums - total) > near).all() and total > whole.all():
            return {int(apart.argmax()): f"without which every row adds to {total}"}
    # Of two classes with the same votes, and none for others, each is the sum of the rest.
    total = (np.abs(rest - values) <= 1e-9 * sums[:, None]).all(axis=0) & bool((sums > 0).all())
    places = np.flatnonzero(total & (whole.all() & (sums != 1).any())).tolist()
    if len(places) > 1:
        places = [place for place in places if is_called_total(names[place])]
    return {places[0]: "the sum of the others"} if len(places) == 1 else {}
