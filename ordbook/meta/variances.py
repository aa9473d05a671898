"""Residual variances of score matrices, and means that tie as one number."""

import numpy as np
from numpy.typing import NDArray

from ordbook.data.scores import TIE_TOLERANCE

Floats = NDArray[np.float64]


def residual_variances(values: Floats) -> tuple[Floats, Floats]:
    r"""Residual variances of analyses of variance of scores (measures, topics, runs).

    .. math::

        V_{E1} &= \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot})^2}{m(n-1)},

        V_{E2} &= \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot} - \bar x_{\cdot j} + \bar x)^2}
        {(m-1)(n-1)}

    for m runs i and n topics j: one-way, and two-way without replication. Returns both, one
    value per measure; what float noise alone could make is 0, and a single topic leaves NaN.
    """
    measures, topics, runs = values.shape
    if topics == 1:
        return np.full(measures, np.nan), np.full(measures, np.nan)
    within = values - values.mean(axis=1, keepdims=True)
    v_e1 = (within**2).sum(axis=(1, 2)) / (runs * (topics - 1))
    within -= within.mean(axis=2, keepdims=True)
    v_e2 = (within**2).sum(axis=(1, 2)) / ((runs - 1) * (topics - 1))
    noise = (TIE_TOLERANCE * np.abs(values).max(axis=(1, 2))) ** 2
    return np.where(v_e1 <= noise, 0.0, v_e1), np.where(v_e2 <= noise, 0.0, v_e2)


def settled(values: Floats, tolerance: float = TIE_TOLERANCE) -> Floats:
    """Return the values (n,), each replaced by the smallest of those that it ties with.

    Rounding or sorting them then treats all that tie alike.

    Examples
    --------
    >>> settled(np.array([0.1 + 0.2, 0.5, 0.3])).tolist()
    [0.3, 0.5, 0.3]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > tolerance)
    means = np.empty_like(ordered)
    means[order] = np.repeat(ordered[starts], np.diff(starts, append=len(ordered)))
    return means
