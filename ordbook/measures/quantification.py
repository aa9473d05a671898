r"""Quantification measures: how far an estimated distribution is from the gold one.

The DNKT family is in `ordbook.measures.priority`.

Shared parameters
-----------------
gold, estimate : array_like, shapes (..., C) that broadcast
    :math:`p^*` and :math:`p` of the papers, which write the system first: :math:`f(p, p^*)` there
    is ``f(gold, estimate)`` here. Classes in their order on the last axis.
normalise : bool
    Divide each row by its sum first (for counts).
tolerance : float
    How far a row's sum may be from 1.
distance : None, (C, C) matrix or callable
    :math:`\delta_{ij}`; None is :math:`|i - j|`. See `ordbook.measures.components`. The divisor
    stays :math:`|C| - 1`, as it does in DNKT for Eq. 6.

Notes
-----
All return shape (...), or a float for one pair. 0 is perfect, smaller is better. All raise
ValueError if a row is not a distribution (`ordbook.measures.validation`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .components import (
    Distance,
    adw_kernel,
    cumulate,
    gold_mass_distance,
    inner,
    md_kernel,
    od_kernel,
    sod_kernel,
    ss_kernel,
    total,
    vd_kernel,
)
from .validation import Array, Score, as_score, check_pair, check_steps

# -- kernels: the definitions, on checked arrays ---------------------------------------------


def nmd_kernel(gold: Array, estimate: Array, steps: Array | None = None) -> Array:
    """NMD on checked arrays (ACL'21 Eq. 11), with the widths of the steps between classes."""
    if steps is None:
        return np.asarray(md_kernel(gold, estimate) / (gold.shape[-1] - 1))
    gaps = np.abs(cumulate(estimate - gold))
    return np.asarray(inner(gaps[..., :-1], steps) / steps.sum())


def rps_kernel(gold: Array, estimate: Array) -> Array:
    """RPS on checked arrays (Murphy 1971)."""
    gaps = cumulate(estimate - gold)
    return np.asarray(inner(gaps, gaps) / (gold.shape[-1] - 1))


def rnod_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """RNOD on checked arrays (ACL'21 Eq. 14)."""
    return np.asarray(np.sqrt(od_kernel(gold, estimate, distance) / (gold.shape[-1] - 1)))


def rsnod_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """RSNOD on checked arrays (ACL'21 Eq. 15)."""
    return np.asarray(np.sqrt(sod_kernel(gold, estimate, distance) / (gold.shape[-1] - 1)))


def rnod2_kernel(gold: Array, estimate: Array) -> Array:
    """RNOD2 on checked arrays (DNKT Eqs. 5 and 6)."""
    return rnod_kernel(gold, estimate, gold_mass_distance)


def rnadw_kernel(gold: Array, estimate: Array, distance: Distance = None) -> Array:
    """RNADW on checked arrays (DNKT Eq. 8)."""
    return np.asarray(np.sqrt(adw_kernel(gold, estimate, distance) / (gold.shape[-1] - 1)))


def rnadw2_kernel(gold: Array, estimate: Array) -> Array:
    """RNADW2 on checked arrays (DNKT Eqs. 6 and 8)."""
    return rnadw_kernel(gold, estimate, gold_mass_distance)


def nvd_kernel(gold: Array, estimate: Array) -> Array:
    """NVD on checked arrays (DNKT Eq. 9)."""
    return np.asarray(vd_kernel(gold, estimate) / 2)


def rnss_kernel(gold: Array, estimate: Array) -> Array:
    """RNSS on checked arrays (DNKT Eq. 10)."""
    return np.asarray(np.sqrt(ss_kernel(gold, estimate) / 2))


def jsd_kernel(gold: Array, estimate: Array) -> Array:
    """JSD on checked arrays (DNKT Eq. 12)."""
    # p/p^M = 2p/(p + p*). The floor gives the empty terms, 0 log 0 = 0, without a branch: it
    # only ever meets a factor p = 0 (or p < 1e-307).
    floor = np.finfo(np.float64).tiny
    both = np.maximum(gold + estimate, floor)
    terms = estimate * np.log2(2 * np.maximum(estimate, floor) / both)
    terms += gold * np.log2(2 * np.maximum(gold, floor) / both)
    return np.maximum(total(terms) / 2, 0)  # float noise may fall just below 0


# -- cross-bin measures ----------------------------------------------------------------------


def nmd(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Normalised Match Distance: the Earth Mover's Distance over its largest value.

    .. math:: \mathrm{NMD}(p, p^*) = \frac{\sum_{i \in C} |cp_i - cp^*_i|}{|C| - 1}

    with :math:`cp_i = \sum_{k \leq i} p_k`, the cumulative probabilities. If the step from class
    i to the next has the width :math:`s_i`, it is

    .. math:: \frac{\sum_{i < |C|} s_i |cp_i - cp^*_i|}{\sum_{i < |C|} s_i}

    Parameters: see the module. ``steps`` holds C - 1 widths above 0, of which only the ratios
    count; by default, all steps are equal. Returns 0 (perfect, and only then) to 1 (all mass at
    opposite ends); smaller is better. Symmetric. Always defined. A single error costs more the
    farther it is, whatever the widths. Raises ValueError for a wrong number of widths, and for one
    that is not finite and above 0.

    Notes
    -----
    It is the cheapest transport if every step between neighbouring classes costs
    ``1 / (|C| - 1)``, so without steps an unused class makes an error across it larger. It does not
    change if the classes are renamed in the same order, which is what ACL'21 Section 7 and DNKT
    Table 1 (d) call free of equidistance. Source: ACL'21 Eq. 11; LQ'21 Eq. 1; DNKT Eq. 1; SIGIR'18
    Eq. 8. The papers have no widths; with them, it is the Earth Mover's Distance (Rubner et al.
    2000) of classes that are placed on a line.

    Examples
    --------
    LQ'21 Section 3: Systems A and B against a uniform gold are equally good.

    >>> gold = [.25, .25, .25, .25]
    >>> systems = [[.25, .35, .15, .25], [.25, .25, .35, .15]]
    >>> nmd(gold, systems).round(10)
    array([0.03333333, 0.03333333])

    A misplaces .1 over the second step, and B over the third. If the third is twice as wide as the
    others, A scores 1 x .1/4 and B 2 x .1/4.

    >>> nmd(gold, systems, steps=[1, 1, 2]).round(10)
    array([0.025, 0.05 ])
    """
    g, p = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    widths = None if steps is None else check_steps(steps, g.shape[-1])
    return as_score(nmd_kernel(g, p, widths))


def rps(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Ranked Probability Score: squared errors of the cumulative probabilities, a proper score.

    .. math:: \mathrm{RPS}(p, p^*) = \frac{\sum_{i \in C} (cp_i - cp^*_i)^2}{|C| - 1}

    with :math:`cp_i = \sum_{k \leq i} p_k`, the cumulative probabilities.

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 (all mass at opposite
    ends); smaller is better. Symmetric. Assumes equidistance. Always defined. A single error costs
    more the farther it is.

    Notes
    -----
    It is proper: averaged over single votes, it is the score against the shares of the votes
    plus a number that depends on the votes alone,

    .. math:: \frac{\sum_{i \in C} cp^*_i (1 - cp^*_i)}{|C| - 1}.

    So the shares of the votes are the estimate with the best average. The average of `nmd` is best
    with all mass on the median of the votes. R's scoringRules and scoringutils leave out the
    divisor. Source: Epstein 1969; Murphy 1971. None of the five papers uses it.

    Examples
    --------
    The cumulative probabilities differ by .5, 0 and 0: (.25 + 0 + 0)/2.

    >>> rps([1, 0, 0], [.5, .5, 0])
    0.125

    Two people vote for class 1, one for class 2 and one for class 3. On average over the four
    votes, honest shares are better than all mass on class 1, the median; both averages exceed the
    score against the shares by .21875. By NMD, the median is better.

    >>> votes = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> shares, median = [.5, .25, .25], [1, 0, 0]
    >>> float(rps(votes, shares).mean()), float(rps(votes, median).mean())
    (0.21875, 0.375)
    >>> rps(shares, shares), rps(shares, median)
    (0.0, 0.15625)
    >>> float(nmd(votes, shares).mean()), float(nmd(votes, median).mean())
    (0.4375, 0.375)
    """
    return as_score(
        rps_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def rnod(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Root Normalised Order-aware Divergence: squared errors weighted by distance from the gold.

    .. math::

        \mathrm{RNOD}(p \,\|\, p^*) &= \sqrt{\frac{\mathrm{OD}(p \,\|\, p^*)}{|C| - 1}},

        \mathrm{OD}(p \,\|\, p^*) &= \frac{1}{|C^*|} \sum_{i \in C^*} \mathrm{DW}_i,

        \mathrm{DW}_i &= \sum_{j \in C} \delta_{ij} (p_j - p^*_j)^2,

        \delta_{ij} &= |i - j|,

        C^* &= \{i \in C : p^*_i > 0\}

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 with up to four classes;
    smaller is better. **From five classes on it can exceed 1** (up to `rnod_supremum`: 1.041 for
    five). Not symmetric. A class counts as in :math:`C^*` above 1e-12.

    Notes
    -----
    A farther error is always worse if all gold is in one class, but not otherwise: with uniform
    gold over five classes, moving mass one step from the end costs more than moving it two.
    Source: ACL'21 Eq. 14; LQ'21 Eq. 5; DNKT Eq. 5.

    Examples
    --------
    All gold in class 1: :math:`\mathrm{DW}_1 = 0 (.5)^2 + 1 (.5)^2 + 2 (0)^2 = .25`, over
    :math:`|C| - 1 = 2`.

    >>> round(rnod([1, 0, 0], [.5, .5, 0]) ** 2, 10)
    0.125
    >>> round(rnod([.01, .01, 0, 0, .98], [0, 0, 0, 1, 0]), 4)       # above 1
    1.0297
    """
    pair = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return as_score(rnod_kernel(*pair, distance))


def rsnod(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Root Symmetric Normalised Order-aware Divergence: RNOD made symmetric before the root.

    .. math::

        \mathrm{RSNOD} &= \sqrt{\frac{\mathrm{SOD}}{|C| - 1}},

        \mathrm{SOD} &= \frac{\mathrm{OD}(p \,\|\, p^*) + \mathrm{OD}(p^* \,\|\, p)}{2}

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 with up to four classes;
    smaller is better. From five classes on it can exceed 1, as `rnod` can. Symmetric (with the
    default distance or a matrix). Always defined.
    Source: ACL'21 Eq. 15; LQ'21 Eq. 6; SIGIR'18 Eq. 12.

    Examples
    --------
    ``OD(p || p*) = DW_1 = .25``; ``OD(p* || p) = (DW_1 + DW_2)/2 = (.25 + .25)/2``; over 2.

    >>> round(rsnod([1, 0, 0], [.5, .5, 0]) ** 2, 10)
    0.125
    """
    pair = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return as_score(rsnod_kernel(*pair, distance))


def rnod2(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""RNOD with the gold mass between two classes as their distance, free of equidistance.

    RNOD2 is `rnod` with

    .. math::

        \delta_{ij} = \left( \sum_{k = \min(i, j)}^{\max(i, j)} p^*_k \right)
        - \frac{p^*_i + p^*_j}{2}

    Parameters: see the module. Returns 0 (perfect, and only then); smaller is better. It never
    reaches 1: at most sqrt(1/2) = .707 for two classes, and less from four classes on
    (`Measure.bounds`). Not symmetric. Always defined.

    Notes
    -----
    If all gold is in one class, every wrong class on the same side is equally far (1/2), so
    a near error scores like a far one. Source: DNKT Eqs. 5 and 6; LQ'21 Eq. 11.

    Examples
    --------
    >>> round(rnod2([1, 0, 0], [0, 1, 0]), 6), round(rnod2([1, 0, 0], [0, 0, 1]), 6)
    (0.5, 0.5)
    """
    return as_score(
        rnod2_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def rnadw(
    gold: ArrayLike,
    estimate: ArrayLike,
    *,
    distance: Distance = None,
    normalise: bool = False,
    tolerance: float = 1e-5,
) -> Score:
    r"""Root Normalised Average DW: RNOD averaged over all classes instead of those with gold.

    .. math::

        \mathrm{RNADW}(p, p^*) &= \sqrt{\frac{\mathrm{ADW}(p, p^*)}{|C| - 1}},

        \mathrm{ADW}(p, p^*) &= \frac{1}{|C|} \sum_{i \in C} \mathrm{DW}_i

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 (all mass at opposite
    ends); smaller is better. Symmetric (with a distance that does not depend on the gold).

    Notes
    -----
    A squared error at class j weighs ``sum_i |i - j|``, most at the ends, whatever the gold. So a
    near error can be worse than a far one: with five classes and all gold in class 1, answering
    class 2 scores .922 and class 3 .894. Source: LQ'21 Eq. 8; DNKT Eqs. 7 and 8.

    Examples
    --------
    Weights ``sum_i |i - j|`` are 3, 2, 3: ``ADW = (3 + 2)/3``, over ``|C| - 1 = 2``.

    >>> round(rnadw([1, 0, 0], [0, 1, 0]) ** 2, 6)
    0.833333
    """
    pair = check_pair(gold, estimate, normalise=normalise, tolerance=tolerance)
    return as_score(rnadw_kernel(*pair, distance))


def rnadw2(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""RNADW with the gold mass between two classes as their distance.

    RNADW2 is `rnadw` with the distance of DNKT Eq. 6 (`gold_mass_distance`):

    .. math::

        \delta_{ij} = \left( \sum_{k = \min(i, j)}^{\max(i, j)} p^*_k \right)
        - \frac{p^*_i + p^*_j}{2}

    Parameters: see the module. Returns 0 (perfect, and only then); smaller is better. It never
    reaches 1: at most .707 for two classes, .645 for three (`Measure.bounds`). **Not symmetric**
    (from three classes on), because its distance uses the gold only. Always defined.

    Notes
    -----
    Its distance is free of equidistance, but every class is one viewpoint, an empty one too.
    Source: DNKT Eqs. 6 to 8; LQ'21 Sections 3 and 6.

    Examples
    --------
    >>> round(rnadw2([1, 0, 0], [0, 1, 0]), 6), round(rnadw2([0, 1, 0], [1, 0, 0]), 6)
    (0.5, 0.645497)
    """
    return as_score(
        rnadw2_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


# -- bin-by-bin measures ---------------------------------------------------------------------


def nvd(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Normalised Variational Distance: half the sum of absolute errors, the mass misplaced.

    .. math:: \mathrm{NVD}(p, p^*) = \frac{1}{2} \sum_{i \in C} |p_i - p^*_i|

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 (no class in common);
    smaller is better. Symmetric. Blind to the order of the classes. Always defined.
    Source: ACL'21 Eq. 16; DNKT Eq. 9; SIGIR'18 Eq. 2.

    >>> round(nvd([.2, .2, .2, .2, .2], [.3, .3, .2, .1, .1]), 10)       # SIGIR'18, System X
    0.2
    """
    return as_score(
        nvd_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def rnss(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Root Normalised Sum of Squares, essentially the root mean squared error.

    .. math:: \mathrm{RNSS}(p, p^*) = \sqrt{\frac{\sum_{i \in C} (p_i - p^*_i)^2}{2}}

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 (all mass in two
    different classes); smaller is better. Symmetric. Blind to the order. Always defined.
    Source: ACL'21 Eq. 17; DNKT Eq. 10; SIGIR'18 Eq. 4.

    >>> x, y = [.3, .3, .2, .1, .1], [.4, .2, .2, .1, .1]                # SIGIR'18 Section 3.1
    >>> rnss([.2, .2, .2, .2, .2], [x, y]).round(4)
    array([0.1414, 0.1732])
    """
    return as_score(
        rnss_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


def jsd(
    gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False, tolerance: float = 1e-5
) -> Score:
    r"""Jensen-Shannon Divergence in bits: KLD of both from their midpoint, averaged.

    .. math::

        \mathrm{JSD} &= \tfrac12 \mathrm{KLD}(p \,\|\, p^M)

        &\quad {} + \tfrac12 \mathrm{KLD}(p^* \,\|\, p^M),

        p^M_i &= \frac{p_i + p^*_i}{2}

    with logarithms to base 2.

    Parameters: see the module. Returns 0 (perfect, and only then) to 1 (no class in common);
    smaller is better. Symmetric. Blind to the order. Always defined (0 log 0 = 0).
    Source: ACL'21 Eqs. 18 and 19; DNKT Eqs. 11 and 12; SIGIR'18 Eqs. 5 and 6.

    >>> x, y = [.3, .3, .2, .1, .1], [.4, .2, .2, .1, .1]                # SIGIR'18 Section 3.1
    >>> jsd([.2, .2, .2, .2, .2], [x, y]).round(4)
    array([0.039, 0.049])
    """
    return as_score(
        jsd_kernel(*check_pair(gold, estimate, normalise=normalise, tolerance=tolerance))
    )


# -- how large RNOD can get ------------------------------------------------------------------


@cache
def rnod_supremum(n_classes: int) -> float:
    r"""Return the least upper bound of RNOD and of RSNOD for `n_classes` classes.

    Given :math:`C^*`, OD is convex in :math:`(p, p^*)`, so its supremum is approached with the
    gold near one class m in :math:`C^*` and the estimate in one class k, where OD is the mean of
    :math:`|i - m| + |i - k|` over i in :math:`C^*`. The best :math:`C^*` takes m (with value
    :math:`|m - k|`) and the largest other values. That is :math:`|C| - 1` up to four classes and
    more from five on (gold near (e, e, 0, 0, 1 - 2e), estimate in class 4), so the divisor
    :math:`|C| - 1` does not normalise OD to 1. It tends to :math:`\sqrt{2}` for many classes.

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


def mean_form(measure: Callable[..., Score]) -> Callable[..., float]:
    """Return ``mean_<name>(gold, estimate, **options)``, the unweighted mean over all samples.

    The papers score runs in this way (ACL'21 Section 3.2). Model selection, such as QuaPy's, needs
    a callable that returns one float and has a ``__name__``.

    >>> from ordbook.measures import nmd
    >>> mean_nmd = mean_form(nmd)
    >>> mean_nmd.__name__, mean_nmd([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    ('mean_nmd', 0.5)
    """
    name = measure.__name__

    def mean(gold: Any, estimate: Any, **options: Any) -> float:
        return float(np.mean(measure(gold, estimate, **options)))

    mean.__name__ = mean.__qualname__ = f"mean_{name}"
    mean.__module__ = measure.__module__  # where the result is bound, so that it can be pickled
    mean.__doc__ = (
        f"Mean of `{name}` over all samples, one float. Takes what `{name}` takes.\n\n"
        f"See `{name}` for the definition, the range and the direction."
    )
    return mean


mean_nmd = mean_form(nmd)
mean_rnod = mean_form(rnod)
mean_rsnod = mean_form(rsnod)
mean_rnod2 = mean_form(rnod2)
mean_rnadw = mean_form(rnadw)
mean_rnadw2 = mean_form(rnadw2)
mean_nvd = mean_form(nvd)
mean_rnss = mean_form(rnss)
mean_jsd = mean_form(jsd)
mean_rps = mean_form(rps)
