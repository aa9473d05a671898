"""Residual variances of score matrices, and how much float noise is no difference.

One rule holds for all analyses: mean scores that differ by no more than 1e-12 of the measure's
largest score, in absolute value, are equal. So scores on any scale give the same results. Runs with
scores far beyond the others', such as 1e14 for "failed", count only where they are compared
themselves: they do not make the others equal.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
# Mean differences closer than this, relative to the largest score, are equal.
TOLERANCE = 1e-12
# Scores so many times larger than all of another run's, and than 1, are far beyond it.
FAR = 1e6


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


def run_slack(values: Floats) -> Floats:
    """Return by how much the mean of each run may differ from one that is equal, for float noise.

    Returns
    -------
    array (measures, 1) or (measures, runs)
        One number per measure, unless scores of some runs are far beyond those of others: these
        then have their own. Two means are equal up to the larger number of the two runs.

    Examples
    --------
    >>> run_slack(np.array([[[0.5, 0.2], [0.25, 1.0]]])).tolist()
    [[1e-12]]
    >>> run_slack(np.array([[[1e14, 1.0, 2.0], [1.0, 2.0, 8.0]]])).tolist()
    [[100.0, 8e-12, 8e-12]]
    """
    largest = np.abs(values).max(axis=1)
    far = largest > FAR * np.maximum(largest.min(axis=1, keepdims=True), 1.0)
    common = np.where(far, 0.0, largest).max(axis=1, keepdims=True)
    noise: Floats = TOLERANCE * (np.where(far, largest, common) if far.any() else common)
    return noise


def each_run_slack(values: Floats) -> Floats:
    """Return the noise of :func:`run_slack` as one number for each run, (measures, runs)."""
    return np.broadcast_to(run_slack(values), values[:, 0].shape)


def pair_slack(noise: Floats) -> Floats:
    """Return the tolerance for equal means of each pair of runs, from the noise of run_slack.

    The pairs are in the order of ``numpy.triu_indices(n, 1)``; or there is one number for all.
    """
    if noise.shape[-1] == 1:
        return noise
    first, second = np.triu_indices(noise.shape[-1], 1)
    return np.maximum(noise[..., first], noise[..., second])


def settled(values: Floats, tolerance: ArrayLike) -> Floats:
    """Return the values (n,), each replaced by the smallest of those that it ties with.

    `tolerance` is one number, or one for each value: two tie by the larger of theirs.

    Rounding or sorting them then treats all that tie alike.

    Examples
    --------
    >>> settled(np.array([0.1 + 0.2, 0.5, 0.3]), 1e-12).tolist()
    [0.3, 0.5, 0.3]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    limits = np.broadcast_to(tolerance, values.shape)[order]
    limits = np.maximum(limits, np.roll(limits, 1))
    starts = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > limits)
    means = np.empty_like(ordered)
    means[order] = np.repeat(ordered[starts], np.diff(starts, append=len(ordered)))
    return means
