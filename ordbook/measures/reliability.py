"""Krippendorff's alpha of a table of ratings by any number of people, with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from .components import midpoints
from .confusion import is_missing
from .validation import refuse_masked

__all__ = ["alpha"]

Level = Literal["nominal", "ordinal", "interval"]


def alpha(
    ratings: ArrayLike, *, level: Level = "ordinal", labels: Sequence[Any] | None = None
) -> float:
    r"""Krippendorff's alpha: how far several people agree beyond chance.

    .. math::

        \alpha = 1 - \frac{\sum_{i, j} o_{ij} \delta_{ij}^2}
        {\sum_{i, j} n_i n_j \delta_{ij}^2 / (n - 1)}

    where an item with m ratings adds :math:`1/(m - 1)` to :math:`o_{ij}` for each ordered pair of
    them that rates i and j, :math:`n_i` is the sum of :math:`o_{ij}` over j, and n that of all.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape (items, people)
        A row for each item and a column for each person; None or NaN is a gap. Items with fewer
        than two ratings do not count.
    level : "ordinal", "interval" or "nominal"
        The squared difference of two ratings: that of their mid-ranks among all ratings, that of
        their values, or 1 where they differ.
    labels : sequence, optional
        All classes from lowest to highest, needed if they are words whose order or distance
        counts; at the interval level they are one step apart. Without it ratings are numbers.

    Returns
    -------
    float
        At most 1 (everybody agrees on everything); about 0 is chance, and below it people differ
        systematically. It is 1 if all ratings are equal, and NaN if no item has two.

    Raises
    ------
    ValueError
        If the table is not two-dimensional, a rating is no number and not in `labels`, or the level
        is unknown.

    Notes
    -----
    Of two people without gaps it is :func:`alpha_ord` and :func:`alpha_int`. Source: Krippendorff,
    Content Analysis (2004), Chapter 11; ACL'21 Eqs. 6 and 7 for two.

    Examples
    --------
    Ada, Ben and Eve grade four answers; Eve skips the last.

    >>> round(alpha([[1, 1, 2], [3, 3, 3], [2, 1, 2], [3, 3, None]]), 4)
    0.8295
    """
    if level not in get_args(Level):
        raise ValueError(f"level={level!r} is not one of {', '.join(get_args(Level))}")
    refuse_masked(ratings, "ratings", 2)
    table = np.asarray(ratings, dtype=object)
    if table.ndim != 2 or not table.size:
        raise ValueError(
            f"ratings has shape {table.shape}: pass a table with a row for each item and a column "
            "for each person"
        )
    gaps = np.array([[is_missing(value) for value in row] for row in table])
    entries = table[~gaps]
    if labels is None:
        numbers = [value for value in entries if _is_number(value)]
        if len(numbers) < len(entries) and level != "nominal":
            word = next(value for value in entries if not _is_number(value))
            raise ValueError(
                f"ratings holds {word!r}, which is no number: give labels= with all classes from "
                "lowest to highest"
            )
        words = len(numbers) < len(entries)
        classes = sorted(set(entries), key=str) if words else sorted(set(map(float, entries)))
    else:
        classes = list(labels)
    places = {value: place for place, value in enumerate(classes)}
    codes = np.full(table.shape, -1)
    codes[~gaps] = [places.get(value, -1) for value in entries]
    if (unknown := (codes < 0) & ~gaps).any():
        item, person = (int(place) for place in np.argwhere(unknown)[0])
        raise ValueError(
            f"ratings[{item}, {person}] is {table[item, person]!r}, which is not in "
            f"labels={classes}: add the class to labels, or correct that rating"
        )
    votes = (codes[..., None] == np.arange(len(classes))).sum(axis=1).astype(np.float64)
    values = np.arange(len(classes)) if labels is not None or level != "interval" else classes
    return alpha_of_votes(votes, level, np.asarray(values, dtype=np.float64))


def alpha_of_votes(votes: ArrayLike, level: Level = "ordinal", values: ArrayLike = ()) -> float:
    """Return alpha from the number of ratings of each item in each class, (items, C).

    ``values`` are those of the classes at the interval level, by default one step apart.
    """
    counts = np.asarray(votes, dtype=np.float64)
    counts = counts[counts.sum(axis=1) > 1]
    if not len(counts):
        return float("nan")
    weights = 1 / (counts.sum(axis=1) - 1)
    pairs = (counts * weights[:, None]).T @ counts - np.diag(weights @ counts)
    n = pairs.sum(axis=1)
    position = midpoints(n) if level == "ordinal" else np.arange(len(n))
    if level == "interval" and np.size(values):
        position = np.asarray(values, dtype=np.float64)
    apart = np.square(position[:, None] - position)
    delta = (apart > 0).astype(np.float64) if level == "nominal" else apart
    expected = n @ delta @ n / (n.sum() - 1)
    return float(1 - (pairs * delta).sum() / expected) if expected else 1.0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
