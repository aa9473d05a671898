r"""The named parts of the quantification measures: VD, SS, KLD, MD, DW, OD, SOD, SNOD.

A class is in :math:`C^*` (it has gold probability) if :math:`p^*_i > 10^{-12}`, so the rounding
noise of a subtraction does not count as gold. The papers write the system first: :math:`f(p, p^*)`
there is ``f(gold, estimate)`` here. The decorated functions score checked arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .registry import component, plain, with_distance
from .validation import Array, Distance, check_distance

__all__ = [
    "dw",
    "equidistance",
    "gold_mass_distance",
    "kld",
    "md",
    "od",
    "rnod_supremum",
    "snod",
    "sod",
    "ss",
    "vd",
]

SUPPORT_TOLERANCE = 1e-12
"""A probability above this belongs to C*; it also is the width of a tie in DNKT."""


# -- sums over the classes -------------------------------------------------------------------


def total(values: Array) -> Array:
    """Sum over the last axis (einsum: four times as fast as np.sum on short last axes)."""
    return np.asarray(np.einsum("...i->...", values))


def inner(left: Array, right: Array) -> Array:
    """Sum of products over the last axis, with broadcasting."""
    return np.asarray(np.einsum("...i,...i->...", left, right))


def cumulate(values: Array) -> Array:
    """Cumulative sums over the last axis (a loop over classes: np.cumsum is slow on short rows)."""
    sums = np.array(values, dtype=np.float64)
    for j in range(1, sums.shape[-1]):
        sums[..., j] += sums[..., j - 1]
    return sums


# -- distances between classes ---------------------------------------------------------------


def equidistance(n_classes: int) -> Array:
    """Distance :math:`|i - j|` between all pairs of classes (DNKT Eq. 3).

    Parameters
    ----------
    n_classes : int

    Returns
    -------
    ndarray, shape (C, C)

    Examples
    --------
    >>> equidistance(3)
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """
    i = np.arange(n_classes, dtype=np.float64)
    return np.abs(i[:, None] - i)


def midpoints(gold: Array) -> Array:
    """Middle of each class on the scale of cumulative gold mass, M_i = cp*_i - p*_i / 2."""
    return cumulate(gold) - gold / 2


def gold_mass_distance(gold: ArrayLike) -> Array:
    r"""Gold probability between two classes, including half of each end (DNKT Eq. 6).

    .. math::

        \delta_{ij} &= \left( \sum_{k = \min(i, j)}^{\max(i, j)} p^*_k \right)
        - \frac{p^*_i + p^*_j}{2}

        &= |M_i - M_j|,

        M_i &= cp^*_i - \frac{p^*_i}{2}

    Not a metric: neighbours without gold are at distance 0.

    Parameters
    ----------
    gold : array_like, shape (..., C)

    Returns
    -------
    ndarray, shape (..., C, C)
        0 (same class, or nothing between) to 1 (all the gold between).

    Notes
    -----
    Source: DNKT Eq. 6; LQ'21 Eq. 11.

    Examples
    --------
    >>> gold_mass_distance([.5, .5, 0])
    array([[0.  , 0.5 , 0.75],
           [0.5 , 0.  , 0.25],
           [0.75, 0.25, 0.  ]])
    """
    m = midpoints(np.asarray(gold, dtype=np.float64))
    return np.abs(m[..., :, None] - m[..., None, :])


def supported(probabilities: Array) -> NDArray[np.bool_]:
    """Tell which classes are in C*: probability above 1e-12."""
    return probabilities > SUPPORT_TOLERANCE


def viewpoint_weights(views: Array, gold: Array, distance: Distance = None) -> Array:
    """Sum of the distances delta_ij over the viewpoints i, for each class j.

    OD averages DW_i = sum_j delta_ij (p_j - p*_j)^2 over viewpoints i. Summing over i first
    leaves one weight per class j, and no (..., C, C) array for the usual two distances.

    Parameters
    ----------
    views : ndarray, shape (..., C)
        1 for the classes i that count as viewpoints (C* for OD, all of C for ADW), else 0.
    """
    n_classes = views.shape[-1]
    if distance is None:
        return views @ equidistance(n_classes)
    if distance is gold_mass_distance:
        # |M_i - M_j| with M non-decreasing: split the sum over i at j, by cumulative sums.
        m = midpoints(gold)
        count, mass = cumulate(views), cumulate(views * m)
        spread = m * (2 * count - count[..., -1:]) + mass[..., -1:] - 2 * mass
        return np.maximum(spread, 0)  # a difference of sums: noise must not reach a square root
    return np.asarray(np.einsum("...i,...ij->...j", views, _matrix(distance, gold)))


def _matrix(distance: ArrayLike | Callable[[Array], ArrayLike], gold: Array) -> Array:
    """Distances as a (C, C) or (..., C, C) array, whatever form they were given in."""
    matrix = distance(gold) if callable(distance) else distance
    return check_distance(matrix, gold.shape[-1], lead=gold.shape[:-1])


# -- parts, on checked arrays -----------------------------------------------------------------


@component(plain)
def vd(gold: Array, estimate: Array) -> Array:
    r"""Variational Distance, the sum of absolute errors.

    .. math:: \mathrm{VD}(p, p^*) = \sum_{i \in C} |p_i - p^*_i|

    From 0 (perfect) to 2 (nothing in common); smaller is better. Source: SIGIR'18 Eq. 1.

    Examples
    --------
    >>> round(vd([.2, .2, .2, .2, .2], [.3, .3, .2, .1, .1]), 10)
    0.4
    """
    return total(np.abs(estimate - gold))


@component(plain)
def ss(gold: Array, estimate: Array) -> Array:
    r"""Sum of Squares of the errors.

    .. math:: \mathrm{SS}(p, p^*) = \sum_{i \in C} (p_i - p^*_i)^2

    From 0 (perfect) to 2 (all mass in two different classes); smaller is better. Source: SIGIR'18
    Eq. 3.

    Examples
    --------
    >>> round(ss([.2, .2, .2, .2, .2], [.3, .3, .2, .1, .1]), 10)
    0.04
    """
    error = estimate - gold
    return inner(error, error)


@component(plain)
def kld(gold: Array, estimate: Array) -> Array:
    r"""Kullback-Leibler Divergence of the estimate from the gold, in bits.

    .. math:: \mathrm{KLD}(p \,\|\, p^*) = \sum_{i : p_i > 0} p_i \log_2 \frac{p_i}{p^*_i}

    From 0 (perfect) to infinity; smaller is better. If the estimate puts mass on a class without
    gold, the papers call it undefined; here it is infinity, its limit. Source: ACL'21 Eq. 18; DNKT
    Eq. 11; SIGIR'18 Eq. 6.

    Examples
    --------
    >>> kld([.25, .75], [1, 0]), kld([1, 0], [.5, .5])
    (2.0, inf)
    """
    g, p = np.broadcast_arrays(gold, estimate)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        terms = p * np.log2(p / g)
    return np.maximum(total(np.where(p > 0, terms, 0.0)), 0)


@component(plain)
def md(gold: Array, estimate: Array) -> Array:
    r"""Match Distance, the Earth Mover's Distance over classes one step apart.

    .. math:: \mathrm{MD}(p, p^*) = \sum_{i \in C} |cp_i - cp^*_i|

    with :math:`cp_i = \sum_{k \leq i} p_k`, the cumulative probabilities.

    From 0 (perfect) to C - 1 (all mass at opposite ends); smaller is better. Source: SIGIR'18 Eq.
    7.

    Examples
    --------
    >>> md([1, 0, 0], [0, 0, 1])
    2.0
    """
    # The last cumulative difference is 0 but for noise (or a sum within the tolerance).
    return total(np.abs(cumulate(estimate - gold)))


@component(with_distance, returns="ndarray, shape (..., C)")
def dw(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Distance-Weighted sum of squares: the error as seen from each class i.

    .. math:: \mathrm{DW}_i = \sum_{j \in C} \delta_{ij} (p_j - p^*_j)^2

    Each is 0 (perfect) or more; smaller is better. Source: DNKT Eqs. 2-3; LQ'21 Eq. 2; ACL'21 Eq.
    12.

    Examples
    --------
    >>> dw([.25, .25, .25, .25], [.25, .35, .15, .25]).round(10)     # LQ'21, System A
    array([0.03, 0.01, 0.01, 0.03])
    """
    squares = np.square(estimate - gold)
    if distance is None:
        return squares @ equidistance(gold.shape[-1])  # symmetric, so no transpose
    return np.asarray(np.einsum("...ij,...j->...i", _matrix(distance, gold), squares))


@component(with_distance)
def od(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Order-aware Divergence: DW averaged over the classes that have gold probability.

    .. math::

        \mathrm{OD}(p \,\|\, p^*) &= \frac{1}{|C^*|} \sum_{i \in C^*} \mathrm{DW}_i,

        C^* &= \{i \in C : p^*_i > 0\}

    It is 0 (perfect) or more; smaller is better. The largest value is C - 1 up to four classes and
    more from five on (see `rnod_supremum`). Not symmetric. Source: ACL'21 Eq. 13; LQ'21 Eq. 3; DNKT
    Eq. 4; SIGIR'18 Eq. 10.

    Examples
    --------
    >>> gold = [.25, .25, .25, .25]                                  # LQ'21, Systems A and B
    >>> round(od(gold, [.25, .35, .15, .25]), 10), round(od(gold, [.25, .25, .35, .15]), 10)
    (0.02, 0.025)
    """
    views = supported(gold).astype(np.float64)
    weights = viewpoint_weights(views, gold, distance) / total(views)[..., None]
    return inner(weights, np.square(estimate - gold))


def adw(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """ADW, DW averaged over all classes, on checked arrays (DNKT Eq. 7)."""
    weights = viewpoint_weights(np.ones_like(gold), gold, distance) / gold.shape[-1]
    return inner(weights, np.square(estimate - gold))


@component(with_distance)
def sod(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Symmetric Order-aware Divergence: OD in both directions, averaged.

    .. math::

        \mathrm{SOD} = \frac{\mathrm{OD}(p \,\|\, p^*) + \mathrm{OD}(p^* \,\|\, p)}{2}

    In the second direction the estimate takes the place of gold, also as the argument of a
    callable `distance`.

    It is 0 (perfect) or more; smaller is better. Source: LQ'21 Eq. 4; SIGIR'18 Eq. 11.

    Examples
    --------
    >>> sod([1, 0, 0], [0, .5, .5])          # (DW_1 + (DW_2 + DW_3)/2)/2 = (.75 + 1.75)/2
    1.25
    """
    return (
        od.kernel(gold, estimate, distance=distance) + od.kernel(estimate, gold, distance=distance)
    ) / 2


@component(with_distance)
def snod(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Symmetric Normalised Order-aware Divergence, the square of RSNOD.

    .. math:: \mathrm{SNOD}(p, p^*) = \frac{\mathrm{SOD}(p, p^*)}{|C| - 1}

    It is 0 (perfect) or more; smaller is better. Source: SIGIR'18 Section 2 (from EVIA 2017); LQ'21
    Section 2.

    Examples
    --------
    >>> snod([1, 0, 0], [0, .5, .5])
    0.625
    """
    return np.asarray(sod.kernel(gold, estimate, distance=distance) / (gold.shape[-1] - 1))


@cache
def rnod_supremum(n_classes: int) -> float:
    r"""Return the least upper bound of RNOD and of RSNOD.

    Parameters
    ----------
    n_classes : int

    Returns
    -------
    float
        1 up to four classes, 1.041 for five; it tends to :math:`\sqrt{2}` for many.

    Notes
    -----
    Given :math:`C^*`, OD is convex in :math:`(p, p^*)`, so its supremum is approached with the
    gold near one class m in :math:`C^*` and the estimate in one class k, where OD is the mean of
    :math:`|i - m| + |i - k|` over i in :math:`C^*`. The best :math:`C^*` takes m (with value
    :math:`|m - k|`) and the largest other values. That is :math:`|C| - 1` up to four classes and
    more from five on (gold near (e, e, 0, 0, 1 - 2e), estimate in class 4), so the divisor
    :math:`|C| - 1` does not normalise OD to 1.

    Examples
    --------
    >>> [round(rnod_supremum(n), 4) for n in (2, 3, 4, 5, 7, 10)]
    [1.0, 1.0, 1.0, 1.0408, 1.0801, 1.1304]
    """
    best = 0.0
    i = np.arange(n_classes)
    for m in range(n_classes):
        for k in set(range(n_classes)) - {m}:
            cost = np.abs(i - m) + np.abs(i - k)
            rest = np.sort(np.delete(cost, m))[::-1]
            sums = np.cumsum(np.concatenate([[cost[m]], rest]))
            best = max(best, float((sums / np.arange(1, n_classes + 1)).max()))
    return float(np.sqrt(best / (n_classes - 1)))
