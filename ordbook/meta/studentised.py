"""The upper tail of the studentised range, for many values at once.

SciPy integrates numerically for every q, 12 milliseconds each. The tail is a smooth function of
q, so that some dozens of values tell the others: a Chebyshev series in q / (q + 4), a scale on
which the tails of few degrees of freedom are smooth to infinity.
"""

import warnings

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from ordbook.meta.parallel import CHUNK, Progress, in_chunks

# Half of what the interpolation may err by; SciPy integrates to about 1e-11.
PRECISION = 5e-11
# Numbers of intervals between the points of the series; each series holds the points before it.
INTERVALS = (32, 64, 128, 256)
SCALE = 4.0
# From here on the tail is looked at once only, if it is empty.
FAR = 1000.0


def upper_tail(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return P(Q >= q) of the studentised range of `runs` means, to 1e-10.

    Parameters
    ----------
    q
        Any shape, at least 0 and finite.
    runs, freedom
        Number of means, and degrees of freedom of the variance.
    threads, progress
        As everywhere; the series is the same whatever they are.
    """
    different, where = np.unique(q, return_inverse=True)
    upper = np.zeros(len(different))
    near = np.ones(len(different), dtype=bool)
    if len(different) > INTERVALS[0]:
        if different[-1] > FAR and _integrate(np.array([FAR]), runs, freedom)[0] <= PRECISION:
            near = different <= FAR
        upper[near] = _interpolated(different[near], runs, freedom, threads, progress)
    elif len(different):
        upper = _integrate(different, runs, freedom, threads, progress)
    return np.asarray(np.clip(upper, 0, 1)[where.reshape(q.shape)])


def _interpolated(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None,
    progress: Progress | None,
) -> NDArray[np.float64]:
    """Return the tail at ascending q from a series, or one by one if no series is exact enough."""
    end = q[-1] / (q[-1] + SCALE) if len(q) else 0.0
    known: dict[float, float] = {}
    for intervals in INTERVALS:
        if len(q) <= intervals or end >= 1 - 1e-6:
            break
        points = np.cos(np.pi * np.arange(intervals + 1) / intervals)
        scaled = np.clip(end * (points + 1) / 2, 0.0, end)
        at = SCALE * scaled / (1 - scaled)
        new = np.array([x for x in at.tolist() if x not in known])
        tails = _integrate(new, runs, freedom, threads, progress)
        known.update(zip(new.tolist(), tails.tolist(), strict=True))
        series = chebyshev.chebfit(points, [known[x] for x in at.tolist()], intervals)
        if np.abs(series[-intervals // 8 :]).sum() <= PRECISION:
            return np.asarray(chebyshev.chebval(2 * q / (q + SCALE) / end - 1, series))
    return _integrate(q, runs, freedom, threads, progress)


def _integrate(
    q: NDArray[np.float64],
    runs: int,
    freedom: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return SciPy's value for every q."""
    from scipy.integrate import IntegrationWarning
    from scipy.stats import studentized_range  # takes half a second

    upper = np.empty(len(q))

    def work(start: int, stop: int) -> NDArray[np.float64]:
        tails: NDArray[np.float64] = studentized_range.sf(q[start:stop], runs, freedom)
        return tails

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)  # of errors that are no matter here
        for start, stop, tails in in_chunks(work, len(q), CHUNK // 4, threads, progress):
            upper[start:stop] = tails
    return upper
