"""The studentised range: the largest difference of means, in standard errors of a mean."""

import warnings
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from ordbook.meta.parallel import CHUNK, in_order

# Half of what the interpolation may err by; SciPy integrates to about 1e-11.
PRECISION = 5e-11
# Degree of the series that interpolates, and the scale by which it maps all q to 0 to 1.
DEGREE, SCALE = 128, 4.0


@cache
def studentised_quantile(level: float, runs: int, freedom: float) -> float:
    """Return a quantile of the studentised range, which takes SciPy a while."""
    from scipy.stats import studentized_range  # takes a second

    return float(studentized_range.ppf(level, runs, freedom))


def upper_tail(
    q: NDArray[np.float64],
    runs: int,
    freedom: float,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return P(Q >= q) of the studentised range of `runs` means, to 1e-10.

    The q are finite, from 0. Each value takes SciPy some 30 ms, so that many of them are
    interpolated: by a Chebyshev series, or where this is not exact enough, piecewise, to some 1e-4.
    """
    different, where = np.unique(q, return_inverse=True)
    if len(different) <= DEGREE:
        upper = _integrate(different, runs, freedom, threads)
    else:
        end = different[-1] / (different[-1] + SCALE)
        points = np.cos(np.pi * np.arange(DEGREE + 1) / DEGREE)
        scaled = np.clip(end * (points + 1) / 2, 0.0, end)
        tails = _integrate(SCALE * scaled / (1 - scaled), runs, freedom, threads)
        series = chebyshev.chebfit(points, tails, DEGREE)
        mapped = 2 * different / (different + SCALE) / end - 1
        if np.abs(series[-DEGREE // 8 :]).sum() <= PRECISION:
            upper = chebyshev.chebval(mapped, series)
        else:
            from scipy.interpolate import PchipInterpolator  # takes half a second

            upper = PchipInterpolator(points[::-1], tails[::-1])(mapped)
    return np.asarray(np.clip(upper, 0, 1)[where.reshape(q.shape)])


def _integrate(
    q: NDArray[np.float64],
    runs: int,
    freedom: float,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return SciPy's value for every q."""
    from scipy.integrate import IntegrationWarning
    from scipy.stats import studentized_range  # takes half a second

    def work(start: int, stop: int) -> NDArray[np.float64]:
        tails: NDArray[np.float64] = studentized_range.sf(q[start:stop], runs, freedom)
        return tails

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)  # of errors that are no matter here
        return np.concatenate([q[:0], *in_order(work, len(q), CHUNK // 4, threads)])
