r"""The named parts of the quantification measures: VD, SS, KLD, MD, DW, OD, SOD, SNOD.

Shared parameters
-----------------
gold, estimate : array_like, shapes (..., C) that broadcast
    :math:`p^*` and :math:`p` of the papers (which write the system first): classes in
    order on the last axis.
normalise, tolerance
    See `ordbook.measures.validation.check_distributions`.
distance : None, (C, C) matrix or callable
    :math:`\delta_{ij}`. None is :math:`|i - j|` (DNKT Eq. 3). A callable takes the gold
    distributions (..., C) and returns (C, C) or (..., C, C), as `gold_mass_distance` does.

Notes
-----
A class is in :math:`C^*` (it has gold probability) if :math:`p^*_i > 10^{-12}`, so the rounding
noise of a subtraction does not count as gold. All results have shape (...); a single pair gives a
float.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import Array, Score, as_score, check_distance, check_pair

__all__ = [
    "SUPPORT_TOLERANCE",
    "Distance",
    "dw",
    "equidistance",
    "gold_mass_distance",
    "kld",
    "md",
    "od",
    "snod",
    "sod",
    "ss",
    "vd",
]

Distance: TypeAlias = ArrayLike | Callable[[Array], ArrayLike] | None

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
    """Distance :math:`|i - j|` between all pairs of `n_classes` classes (DNKT Eq. 3).

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


# -- kernels: the definitions, on checked arrays ---------------------------------------------


def vd_kernel(gold: Array, estimate: Array) -> Array:
    """VD on checked arrays (SIGIR'18 Eq. 1)."""
    return total(np.abs(estimate - gold))


def ss_kernel(gold: Array, estimate: Array) -> Array:
    """SS on checked arrays (SIGIR'18 Eq. 3)."""
    error = estimate - gold
    return inner(error, error)


def kld_kernel(gold: Array, estimate: Array) -> Array:
    """KLD on checked arrays (DNKT Eq. 11)."""
    g, p = np.broadcast_arrays(gold, estimate)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        terms = p * np.log2(p / g)
    return np.maximum(total(np.where(p > 0, terms, 0.0)), 0)


def md_kernel(gold: Array, estimate: Array) -> Array:
    """MD on checked arrays (SIGIR'18 Eq. 7)."""
    # The last cumulative difference is 0 but for noise (or a sum within the tolerance).
    return total(np.abs(cumulate(estimate - gold)))


def dw_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """DW on checked arrays (DNKT Eq. 2)."""
    squares = np.square(estimate - gold)
    if distance is None:
        return squares @ equidistance(gold.shape[-1])  # symmetric, so no transpose
    return np.asarray(np.einsum("...ij,...j->...i", _matrix(distance, gold), squares))


def od_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """OD on checked arrays (DNKT Eq. 4)."""
    views = supported(gold).astype(np.float64)
    weights = viewpoint_weights(views, gold, distance) / total(views)[..., None]
    return inner(weights, np.square(estimate - gold))


def adw_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """ADW on checked arrays (DNKT Eq. 7)."""
    weights = viewpoint_weights(np.ones_like(gold), gold, distance) / gold.shape[-1]
    return inner(weights, np.square(estimate - gold))


def sod_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """SOD on checked arrays (LQ'21 Eq. 4)."""
    return (od_kernel(gold, estimate, distance) + od_kernel(estimate, gold, distance)) / 2


# -- public, validated -----------------------------------------------------------------------


def vd(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Variational Distance, the sum of absolute errors.

    .. math:: \mathrm{VD}(p, p^*) = \sum_{i \in C} |p_i - p^*_i|

    Parameters: see the module. Returns 0 (perfect) to 2 (nothing in common); smaller is better.
    Raises ValueError if a row is not a distribution. Source: SIGIR'18 Eq. 1.

    >>> round(vd([.2, .2, .2, .2, .2], [.3, .3, .2, .1, .1]), 10)
    0.4
    """
    return as_score(
        vd_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def ss(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Sum of Squares of the errors.

    .. math:: \mathrm{SS}(p, p^*) = \sum_{i \in C} (p_i - p^*_i)^2

    Parameters: see the module. Returns 0 (perfect) to 2 (all mass in two different classes);
    smaller is better. Raises ValueError if a row is not a distribution. Source: SIGIR'18 Eq. 3.

    >>> round(ss([.2, .2, .2, .2, .2], [.3, .3, .2, .1, .1]), 10)
    0.04
    """
    return as_score(
        ss_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def kld(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Kullback-Leibler Divergence of the estimate from the gold, in bits.

    .. math:: \mathrm{KLD}(p \,\|\, p^*) = \sum_{i : p_i > 0} p_i \log_2 \frac{p_i}{p^*_i}

    Parameters: see the module. Returns 0 (perfect) to infinity; smaller is better. If the
    estimate puts mass on a class without gold, the papers call it undefined; here it is
    infinity, its limit. Raises ValueError if a row is not a distribution.
    Source: ACL'21 Eq. 18; DNKT Eq. 11; SIGIR'18 Eq. 6.

    >>> kld([.25, .75], [1, 0]), kld([1, 0], [.5, .5])
    (2.0, inf)
    """
    return as_score(
        kld_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def md(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Match Distance, the Earth Mover's Distance over classes one step apart.

    .. math:: \mathrm{MD}(p, p^*) = \sum_{i \in C} |cp_i - cp^*_i|

    with :math:`cp_i = \sum_{k \leq i} p_k`, the cumulative probabilities.

    Parameters: see the module. Returns 0 (perfect) to C - 1 (all mass at opposite ends); smaller
    is better. Raises ValueError if a row is not a distribution. Source: SIGIR'18 Eq. 7.

    >>> md([1, 0, 0], [0, 0, 1])
    2.0
    """
    return as_score(
        md_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def dw(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Array:
    r"""Distance-Weighted sum of squares: the error as seen from each class i.

    .. math:: \mathrm{DW}_i = \sum_{j \in C} \delta_{ij} (p_j - p^*_j)^2

    Parameters: see the module. Returns shape (..., C), each 0 (perfect) or more; smaller is
    better. Raises ValueError if a row is not a distribution, or for an invalid distance.
    Source: DNKT Eqs. 2-3; LQ'21 Eq. 2; ACL'21 Eq. 12.

    >>> dw([.25, .25, .25, .25], [.25, .35, .15, .25]).round(10)     # LQ'21, System A
    array([0.03, 0.01, 0.01, 0.03])
    """
    pair = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return dw_kernel(*pair, distance)


def od(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Order-aware Divergence: DW averaged over the classes that have gold probability.

    .. math::

        \mathrm{OD}(p \,\|\, p^*) &= \frac{1}{|C^*|} \sum_{i \in C^*} \mathrm{DW}_i,

        C^* &= \{i \in C : p^*_i > 0\}

    Parameters: see the module. Returns 0 (perfect) or more; smaller is better. The largest value
    is C - 1 up to four classes and more from five on (see `rnod`). Not symmetric.
    Raises ValueError if a row is not a distribution, or for an invalid distance.
    Source: ACL'21 Eq. 13; LQ'21 Eq. 3; DNKT Eq. 4; SIGIR'18 Eq. 10.

    >>> gold = [.25, .25, .25, .25]                                  # LQ'21, Systems A and B
    >>> round(od(gold, [.25, .35, .15, .25]), 10), round(od(gold, [.25, .25, .35, .15]), 10)
    (0.02, 0.025)
    """
    pair = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return as_score(od_kernel(*pair, distance))


def sod(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Symmetric Order-aware Divergence: OD in both directions, averaged.

    .. math::

        \mathrm{SOD} = \frac{\mathrm{OD}(p \,\|\, p^*) + \mathrm{OD}(p^* \,\|\, p)}{2}

    In the second direction the estimate takes the place of gold, also as the argument of a
    callable `distance`.

    Parameters: see the module. Returns 0 (perfect) or more; smaller is better.
    Raises ValueError if a row is not a distribution, or for an invalid distance.
    Source: LQ'21 Eq. 4; SIGIR'18 Eq. 11.

    >>> sod([1, 0, 0], [0, .5, .5])          # (DW_1 + (DW_2 + DW_3)/2)/2 = (.75 + 1.75)/2
    1.25
    """
    pair = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return as_score(sod_kernel(*pair, distance))


def snod(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Symmetric Normalised Order-aware Divergence, the square of RSNOD.

    .. math:: \mathrm{SNOD}(p, p^*) = \frac{\mathrm{SOD}(p, p^*)}{|C| - 1}

    Parameters: see the module. Returns 0 (perfect) or more; smaller is better.
    Raises ValueError if a row is not a distribution, or for an invalid distance.
    Source: SIGIR'18 Section 2 (from EVIA 2017); LQ'21 Section 2.

    >>> snod([1, 0, 0], [0, .5, .5])
    0.625
    """
    g, p = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return as_score(sod_kernel(g, p, distance) / (g.shape[-1] - 1))
