"""Residual variances of score matrices, and how much float noise is no difference.

One rule holds for all analyses: mean scores that differ by no more than 1e-12 of the measure's
largest score, in absolute value, are equal. So scores on any scale give the same results.

Contents
--------
residual_variances   V_E1 and V_E2
slack                by how much equal means may differ for float noise
settled              values of which those that tie are the same number
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Mean differences closer than this, relative to the largest score, are equal.
TOLERANCE = 1e-12


def residual_variances(values: Floats) -> tuple[Floats, Floats]:
    r"""Residual variances of analyses of variance of scores (measures, topics, runs).

    .. math::

        V_{E1} &= \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot})^2}{m(n-1)},

        V_{E2} &= \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot} - \bar x_{\cdot j} + \bar x)^2}
        {(m-1)(n-1)}

    for m runs i and n topics j: one-way, and two-way without replication. Returns both, one
    value per measure; what float noise alone could make is 0.
    """
    _, topics, runs = values.shape
    within = values - values.mean(axis=1, keepdims=True)
    v_e1 = (within**2).sum(axis=(1, 2)) / (runs * (topics - 1))
    within -= within.mean(axis=2, keepdims=True)
    v_e2 = (within**2).sum(axis=(1, 2)) / ((runs - 1) * (topics - 1))
    noise = slack(values) ** 2
    return np.where(v_e1 <= noise, 0.0, v_e1), np.where(v_e2 <= noise, 0.0, v_e2)


def slack(values: Floats) -> Floats:
    """Return by how much means that are equal may differ for float noise, per measure.

    `values` are scores (measures, topics, runs).
    """
    noise: Floats = TOLERANCE * np.abs(values).max(axis=(1, 2))
    return noise


def settled(values: Floats, tolerance: float) -> Floats:
    """Return the values (n,), each replaced by the smallest of those that it ties with.

    Rounding or sorting them then treats all that tie alike.

    Examples
    --------
    >>> settled(np.array([0.1 + 0.2, 0.5, 0.3]), 1e-12).tolist()
    [0.3, 0.5, 0.3]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > tolerance)
    found = np.empty_like(ordered)
    found[order] = np.repeat(ordered[starts], np.diff(starts, append=len(ordered)))
    return found
