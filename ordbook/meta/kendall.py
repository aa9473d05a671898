"""Kendall's rank correlation, with ties decided by a tolerance.

Contents
--------
pair_signs         which of two values is larger, for every pair of positions
kendall_tau        tau-a or tau-b of two score vectors
kendall_interval   Fieller's confidence interval
"""

from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Variant = Literal["a", "b"]
# Differences up to this are ties: 0.1 + 0.2 ties with 0.3.
TIE_TOLERANCE = 1e-12


def pair_signs(values: ArrayLike, tolerance: float = TIE_TOLERANCE) -> NDArray[np.int8]:
    """Return the sign of x_j - x_i for every pair i < j.

    Parameters
    ----------
    values
        (..., n): vectors of scores.
    tolerance
        Differences up to this, in absolute value, are ties.

    Returns
    -------
    array (..., n(n-1)/2)
        -1, 0 (tie) or 1, the pairs in the order of ``numpy.triu_indices(n, 1)``.
    """
    values = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(values.shape[-1], 1)
    differences = values[..., second] - values[..., first]
    signs: NDArray[np.int8] = np.sign(differences).astype(np.int8)
    signs[np.abs(differences) <= tolerance] = 0
    return signs


def kendall_tau(
    x: ArrayLike, y: ArrayLike, variant: Variant = "a", *, tolerance: float = TIE_TOLERANCE
) -> float:
    r"""Kendall's rank correlation of two vectors of scores.

    .. math::

        \tau_a = \frac{C - D}{n(n-1)/2}, \qquad
        \tau_b = \frac{C - D}{\sqrt{(n_0 - n_x)(n_0 - n_y)}}

    with :math:`C` concordant and :math:`D` discordant pairs, :math:`n_0 = n(n-1)/2`, and
    :math:`n_x`, :math:`n_y` pairs tied in x and in y. A pair tied in either vector is neither
    concordant nor discordant.

    Parameters
    ----------
    x, y
        (n,): scores of the same n systems, n >= 2.
    variant
        ``"a"``, as the papers rank systems, or ``"b"``, which corrects for ties.
    tolerance
        Differences up to this are ties.

    Returns
    -------
    float
        From -1 (reversed) to 1 (the same ranking). tau-b is NaN where all of x or all of y is
        tied: a vector without order correlates with nothing.

    Raises
    ------
    ValueError
        If the vectors differ in length, are shorter than 2, or hold NaN or infinity.

    References
    ----------
    Kendall (1938, 1945); DNKT, Section 4 (tau-a), Eq. 14 (tau-b).

    Examples
    --------
    >>> kendall_tau([0.1, 0.2, 0.3, 0.4], [1, 2, 4, 3])     # 5 pairs agree, 1 does not
    0.6666666666666666
    >>> kendall_tau([0.1 + 0.2, 0.3, 0.5], [2, 1, 3])       # the first pair is a tie
    0.6666666666666666
    >>> kendall_tau([0.1 + 0.2, 0.3, 0.5], [2, 1, 3], variant="b")
    0.8164965809277261
    """
    if variant not in ("a", "b"):
        raise ValueError(f"variant must be 'a' or 'b', not {variant!r}")
    x, y = _vector(x, "x"), _vector(y, "y")
    if len(x) != len(y):
        raise ValueError(f"x has {len(x)} scores and y {len(y)}; they must be of the same systems")
    signs_x, signs_y = pair_signs(x, tolerance), pair_signs(y, tolerance)
    agreement = int((signs_x * signs_y).sum())
    if variant == "a":
        return agreement / len(signs_x)
    untied = float(np.count_nonzero(signs_x)) * float(np.count_nonzero(signs_y))
    return agreement / untied**0.5 if untied else float("nan")


def kendall_interval(
    tau: float, n: int, *, level: float = 0.95, digits: int | None = None
) -> tuple[float, float]:
    r"""Fieller's confidence interval of Kendall's tau.

    .. math::

        \tanh\left(\operatorname{artanh}\tau \pm z \sqrt{\frac{0.437}{n - 4}}\right)

    Parameters
    ----------
    tau
        The correlation, from -1 to 1.
    n
        Number of systems, at least 5.
    level
        Confidence level.
    digits
        Round tau to so many decimals first. The limits printed in the DNKT paper come out
        exactly with ``digits=3`` and not otherwise: they were computed from the printed tau.

    Returns
    -------
    (float, float)
        Lower and upper limit; both equal tau where tau is -1 or 1.

    References
    ----------
    Fieller, Hartley and Pearson (1957); used in DNKT, Section 4.

    Examples
    --------
    >>> low, high = kendall_interval(0.848, 12)
    >>> f"[{low:.3f}, {high:.3f}]"                           # DNKT Table 3, NMD and RNADW
    '[0.659, 0.936]'
    """
    if not -1 <= tau <= 1:
        raise ValueError(f"tau must lie between -1 and 1, not {tau}")
    if n < 5:
        raise ValueError(f"Fieller's interval needs at least 5 systems, got {n}")
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    if digits is not None:
        tau = round(tau, digits)
    if abs(tau) == 1:
        return float(tau), float(tau)
    half = NormalDist().inv_cdf((1 + level) / 2) * (0.437 / (n - 4)) ** 0.5
    centre = np.arctanh(tau)
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


def _vector(values: ArrayLike, name: str) -> NDArray[np.float64]:
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or len(vector) < 2:
        raise ValueError(f"{name} must be a vector of at least 2 scores, got shape {vector.shape}")
    if not np.isfinite(vector).all():
        position = int(np.flatnonzero(~np.isfinite(vector))[0])
        raise ValueError(f"{name}: score {position + 1} is {vector[position]}, not a number")
    return vector
