r"""Quantification measures: how far an estimated distribution is from the gold one.

The papers write the system first: :math:`f(p, p^*)` there is ``f(gold, estimate)`` here. Each
decorated function is its measure's equation on checked arrays; 0 is perfect, smaller is better. The
DNKT family is in `ordbook.measures.priority`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .components import (
    adw,
    cumulate,
    gold_mass_distance,
    inner,
    md,
    od,
    rnod_supremum,
    sod,
    ss,
    total,
    vd,
)
from .registry import plain, quantification_measure, with_distance, with_steps
from .validation import Array, Distance, check_steps

__all__ = [
    "jsd",
    "nmd",
    "nvd",
    "rnadw",
    "rnadw2",
    "rnod",
    "rnod2",
    "rnss",
    "rps",
    "rsnod",
]

# To each docstring the decorator adds the parameters, what is raised, and the facts.

FOUR = ("sigir18", "acl21", "lq21", "dnkt")
FIVE = (*FOUR, "dialeval1")


def _rnod_bounds(n_classes: int) -> tuple[float, float]:
    return 0.0, rnod_supremum(n_classes)


def _rnod2_bounds(n_classes: int) -> tuple[float, float]:
    # Gold (0, 1 - e, e/(C-2), ...), estimate (1, 0, ...): OD tends to (1/2 + (C-2) 3/2)/(C-1).
    # That nothing exceeds it was found by search (tested), not proved.
    return 0.0, (1.5 * n_classes - 2.5) ** 0.5 / (n_classes - 1)


def _rnadw2_bounds(n_classes: int) -> tuple[float, float]:
    # Gold (0, 1, 0, ...), estimate (1, 0, ...): ADW = (1/2 + 1/2 + (C-2) 3/2)/C. As above.
    return 0.0, ((1.5 * n_classes - 2) / (n_classes * (n_classes - 1))) ** 0.5


# -- cross-bin measures ----------------------------------------------------------------------


@quantification_measure(
    "NMD",
    with_steps,
    title="Normalised Match Distance",
    ordinal=True,
    farther_is_worse="always",
    symmetric=True,
    equidistant=True,
    source="SIGIR'18 Eq. 8; ACL'21 Eq. 11; LQ'21 Eq. 1; DNKT Eq. 1",
    papers=FIVE,
)
def nmd(gold: Array, estimate: Array, *, steps: ArrayLike | None = None) -> Array:
    r"""Normalised Match Distance: the Earth Mover's Distance over its largest value.

    .. math:: \mathrm{NMD}(p, p^*) = \frac{\sum_{i \in C} |cp_i - cp^*_i|}{|C| - 1}

    with :math:`cp_i = \sum_{k \leq i} p_k`, the cumulative probabilities. If the step from class
    i to the next has the width :math:`s_i`, it is

    .. math:: \frac{\sum_{i < |C|} s_i |cp_i - cp^*_i|}{\sum_{i < |C|} s_i}

    From 0 (perfect, and only then) to 1 (all mass at opposite ends); smaller is better.

    A single error costs more the farther it is, whatever the widths. It is the cheapest transport
    if every step between neighbouring classes costs ``1 / (|C| - 1)``, so without steps an unused
    class makes an error across it larger. It does not change if the classes are renamed in the same
    order, which is what ACL'21 Section 7 and DNKT Table 1 (d) call free of equidistance. The papers
    have no widths; with them, it is the Earth Mover's Distance (Rubner et al. 2000) of classes on a
    line.

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
    if steps is None:
        return np.asarray(md.kernel(gold, estimate) / (gold.shape[-1] - 1))
    widths = check_steps(steps, gold.shape[-1])
    gaps = np.abs(cumulate(estimate - gold))
    return np.asarray(inner(gaps[..., :-1], widths) / widths.sum())


@quantification_measure(
    "RNOD",
    with_distance,
    title="Root Normalised Order-aware Divergence",
    ordinal=True,
    farther_is_worse="single-class gold",
    equidistant=True,
    range="0 to 1 up to four classes; to 1.041 for five, more for more",
    bounds=_rnod_bounds,
    source="ACL'21 Eq. 14; LQ'21 Eq. 5; DNKT Eq. 5",
    papers=("acl21", "lq21", "dnkt"),
)
def rnod(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Root Normalised Order-aware Divergence: squared errors weighted by distance from the gold.

    .. math::

        \mathrm{RNOD}(p \,\|\, p^*) &= \sqrt{\frac{\mathrm{OD}(p \,\|\, p^*)}{|C| - 1}},

        \mathrm{OD}(p \,\|\, p^*) &= \frac{1}{|C^*|} \sum_{i \in C^*} \mathrm{DW}_i,

        \mathrm{DW}_i &= \sum_{j \in C} \delta_{ij} (p_j - p^*_j)^2,

        \delta_{ij} &= |i - j|,

        C^* &= \{i \in C : p^*_i > 0\}

    From 0 (perfect, and only then) to 1 with up to four classes; smaller is better. **From five
    classes on it can exceed 1** (up to `rnod_supremum`: 1.041 for five).

    A class counts as in :math:`C^*` above 1e-12. A farther error is always worse if all gold is in
    one class, but not otherwise: with uniform gold over five classes, moving mass one step from the
    end costs more than moving it two.

    Examples
    --------
    All gold in class 1: :math:`\mathrm{DW}_1 = 0 (.5)^2 + 1 (.5)^2 + 2 (0)^2 = .25`, over
    :math:`|C| - 1 = 2`.

    >>> round(rnod([1, 0, 0], [.5, .5, 0]) ** 2, 10)
    0.125
    >>> round(rnod([.01, .01, 0, 0, .98], [0, 0, 0, 1, 0]), 4)       # above 1
    1.0297
    """
    divergence = od.kernel(gold, estimate, distance=distance)
    return np.asarray(np.sqrt(divergence / (gold.shape[-1] - 1)))


@quantification_measure(
    "RSNOD",
    with_distance,
    title="Root Symmetric Normalised Order-aware Divergence",
    ordinal=True,
    farther_is_worse="single-class gold",
    symmetric=True,
    equidistant=True,
    range="0 to 1 up to four classes; to 1.041 for five, more for more",
    bounds=_rnod_bounds,
    source="SIGIR'18 Eq. 12; ACL'21 Eq. 15; LQ'21 Eq. 6",
    papers=("sigir18", "acl21", "lq21", "dialeval1"),
)
def rsnod(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Root Symmetric Normalised Order-aware Divergence: RNOD made symmetric before the root.

    .. math::

        \mathrm{RSNOD} &= \sqrt{\frac{\mathrm{SOD}}{|C| - 1}},

        \mathrm{SOD} &= \frac{\mathrm{OD}(p \,\|\, p^*) + \mathrm{OD}(p^* \,\|\, p)}{2}

    From 0 (perfect, and only then) to 1 with up to four classes; smaller is better. From five
    classes on it can exceed 1, as `rnod` can. With a callable distance it need not be symmetric.

    Examples
    --------
    ``OD(p || p*) = DW_1 = .25``; ``OD(p* || p) = (DW_1 + DW_2)/2 = (.25 + .25)/2``; over 2.

    >>> round(rsnod([1, 0, 0], [.5, .5, 0]) ** 2, 10)
    0.125
    """
    divergence = sod.kernel(gold, estimate, distance=distance)
    return np.asarray(np.sqrt(divergence / (gold.shape[-1] - 1)))


@quantification_measure(
    "RNOD2",
    plain,
    title="RNOD with the gold-mass distance",
    ordinal=True,
    farther_is_worse="not always",
    equidistant=False,
    range="0 to .707 for two and three classes, .559 for five",
    bounds=_rnod2_bounds,
    source="DNKT Eqs. 5, 6; LQ'21 Eqs. 5, 11",
    papers=("dnkt",),
)
def rnod2(gold: Array, estimate: Array) -> Array:
    r"""RNOD with the gold mass between two classes as their distance, free of equidistance.

    RNOD2 is `rnod` with

    .. math::

        \delta_{ij} = \left( \sum_{k = \min(i, j)}^{\max(i, j)} p^*_k \right)
        - \frac{p^*_i + p^*_j}{2}

    It is 0 (perfect, and only then) or more; smaller is better. It never reaches 1: at most
    sqrt(1/2) = .707 for two classes, and less from four classes on (`Measure.bounds`). If all gold
    is in one class, every wrong class on the same side is equally far (1/2), so a near error scores
    like a far one.

    Examples
    --------
    >>> round(rnod2([1, 0, 0], [0, 1, 0]), 6), round(rnod2([1, 0, 0], [0, 0, 1]), 6)
    (0.5, 0.5)
    """
    return rnod.kernel(gold, estimate, distance=gold_mass_distance)


@quantification_measure(
    "RNADW",
    with_distance,
    title="Root Normalised Average Distance-Weighted sum of squares",
    ordinal=True,
    farther_is_worse="not always",
    symmetric=True,
    equidistant=True,
    source="LQ'21 Eq. 8; DNKT Eq. 8",
    papers=("dnkt",),
)
def rnadw(gold: Array, estimate: Array, *, distance: Distance = None) -> Array:
    r"""Root Normalised Average DW: RNOD averaged over all classes instead of those with gold.

    .. math::

        \mathrm{RNADW}(p, p^*) &= \sqrt{\frac{\mathrm{ADW}(p, p^*)}{|C| - 1}},

        \mathrm{ADW}(p, p^*) &= \frac{1}{|C|} \sum_{i \in C} \mathrm{DW}_i

    From 0 (perfect, and only then) to 1 (all mass at opposite ends); smaller is better.

    A squared error at class j weighs ``sum_i |i - j|``, most at the ends, whatever the gold. So a
    near error can be worse than a far one: with five classes and all gold in class 1, answering
    class 2 scores .922 and class 3 .894. With a distance that depends on the gold it is not
    symmetric.

    Examples
    --------
    Weights ``sum_i |i - j|`` are 3, 2, 3: ``ADW = (3 + 2)/3``, over ``|C| - 1 = 2``.

    >>> round(rnadw([1, 0, 0], [0, 1, 0]) ** 2, 6)
    0.833333
    """
    return np.asarray(np.sqrt(adw(gold, estimate, distance) / (gold.shape[-1] - 1)))


@quantification_measure(
    "RNADW2",
    plain,
    title="RNADW with the gold-mass distance",
    ordinal=True,
    farther_is_worse="not always",
    equidistant=False,
    range="0 to .707 for two classes, .645 for three, .524 for five",
    bounds=_rnadw2_bounds,
    source="DNKT Eqs. 6, 8; LQ'21 Eqs. 8, 11",
    papers=("dnkt",),
)
def rnadw2(gold: Array, estimate: Array) -> Array:
    r"""RNADW with the gold mass between two classes as their distance.

    RNADW2 is `rnadw` with the distance of DNKT Eq. 6 (`gold_mass_distance`):

    .. math::

        \delta_{ij} = \left( \sum_{k = \min(i, j)}^{\max(i, j)} p^*_k \right)
        - \frac{p^*_i + p^*_j}{2}

    It is 0 (perfect, and only then) or more; smaller is better. It never reaches 1: at most .707
    for two classes, .645 for three (`Measure.bounds`).

    With two classes it is symmetric; its distance uses the gold only. Every class is one viewpoint,
    an empty one too.

    Examples
    --------
    >>> round(rnadw2([1, 0, 0], [0, 1, 0]), 6), round(rnadw2([0, 1, 0], [1, 0, 0]), 6)
    (0.5, 0.645497)
    """
    return rnadw.kernel(gold, estimate, distance=gold_mass_distance)


# -- bin-by-bin measures ---------------------------------------------------------------------


@quantification_measure(
    "NVD",
    plain,
    title="Normalised Variational Distance",
    symmetric=True,
    source="SIGIR'18 Eq. 2; ACL'21 Eq. 16; DNKT Eq. 9",
    papers=FOUR,
)
def nvd(gold: Array, estimate: Array) -> Array:
    r"""Normalised Variational Distance: half the sum of absolute errors, the mass misplaced.

    .. math:: \mathrm{NVD}(p, p^*) = \frac{1}{2} \sum_{i \in C} |p_i - p^*_i|

    From 0 (perfect, and only then) to 1 (no class in common); smaller is better.

    Examples
    --------
    >>> round(nvd([.2, .2, .2, .2, .2], [.3, .3, .2, .1, .1]), 10)       # SIGIR'18, System X
    0.2
    """
    return np.asarray(vd.kernel(gold, estimate) / 2)


@quantification_measure(
    "RNSS",
    plain,
    title="Root Normalised Sum of Squares",
    symmetric=True,
    source="SIGIR'18 Eq. 4; ACL'21 Eq. 17; DNKT Eq. 10; DialEval-1 Section 3.2",
    papers=FIVE,
)
def rnss(gold: Array, estimate: Array) -> Array:
    r"""Root Normalised Sum of Squares, essentially the root mean squared error.

    .. math:: \mathrm{RNSS}(p, p^*) = \sqrt{\frac{\sum_{i \in C} (p_i - p^*_i)^2}{2}}

    From 0 (perfect, and only then) to 1 (all mass in two different classes); smaller is better.

    Examples
    --------
    >>> x, y = [.3, .3, .2, .1, .1], [.4, .2, .2, .1, .1]                # SIGIR'18 Section 3.1
    >>> rnss([.2, .2, .2, .2, .2], [x, y]).round(4)
    array([0.1414, 0.1732])
    """
    return np.asarray(np.sqrt(ss.kernel(gold, estimate) / 2))


@quantification_measure(
    "JSD",
    plain,
    title="Jensen-Shannon Divergence",
    symmetric=True,
    source="SIGIR'18 Eq. 5; ACL'21 Eq. 19; DNKT Eq. 12; DialEval-1 Section 3.2",
    papers=FIVE,
)
def jsd(gold: Array, estimate: Array) -> Array:
    r"""Jensen-Shannon Divergence in bits: KLD of both from their midpoint, averaged.

    .. math::

        \mathrm{JSD} &= \tfrac12 \mathrm{KLD}(p \,\|\, p^M)

        &\quad {} + \tfrac12 \mathrm{KLD}(p^* \,\|\, p^M),

        p^M_i &= \frac{p_i + p^*_i}{2}

    with logarithms to base 2 and 0 log 0 = 0.

    From 0 (perfect, and only then) to 1 (no class in common); smaller is better.

    Examples
    --------
    >>> x, y = [.3, .3, .2, .1, .1], [.4, .2, .2, .1, .1]                # SIGIR'18 Section 3.1
    >>> jsd([.2, .2, .2, .2, .2], [x, y]).round(4)
    array([0.039, 0.049])
    """
    # p/p^M = 2p/(p + p*). The floor gives the empty terms, 0 log 0 = 0, without a branch: it
    # only ever meets a factor p = 0 (or p < 1e-307).
    floor = np.finfo(np.float64).tiny
    both = np.maximum(gold + estimate, floor)
    terms = estimate * np.log2(2 * np.maximum(estimate, floor) / both)
    terms += gold * np.log2(2 * np.maximum(gold, floor) / both)
    return np.maximum(total(terms) / 2, 0)  # float noise may fall just below 0


# -- in none of the papers -------------------------------------------------------------------


@quantification_measure(
    "RPS",
    with_steps,
    title="Ranked Probability Score",
    ordinal=True,
    farther_is_worse="always",
    symmetric=True,
    equidistant=True,
    skill=True,
    source="Epstein 1969; Murphy 1971",
)
def rps(gold: Array, estimate: Array, *, steps: ArrayLike | None = None) -> Array:
    r"""Ranked Probability Score: squared errors of the cumulative probabilities, a proper score.

    .. math:: \mathrm{RPS}(p, p^*) = \frac{\sum_{i \in C} (cp_i - cp^*_i)^2}{|C| - 1}

    with :math:`cp_i = \sum_{k \leq i} p_k`, the cumulative probabilities. If the step from class
    i to the next has the width :math:`s_i`, it is

    .. math:: \frac{\sum_{i < |C|} s_i (cp_i - cp^*_i)^2}{\sum_{i < |C|} s_i}

    From 0 (perfect, and only then) to 1 (all mass at opposite ends); smaller is better.

    A single error costs more the farther it is. It is proper: averaged over single votes, it is the
    score against the shares of the votes plus a number that depends on the votes alone,

    .. math:: \frac{\sum_{i \in C} cp^*_i (1 - cp^*_i)}{|C| - 1}.

    So the shares of the votes are the estimate with the best average. The average of `nmd` is best
    with all mass on the median of the votes. R's scoringRules and scoringutils leave out the
    divisor.

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

    If the second step is three times as wide as the first, an error across it weighs as much more.

    >>> rps([0, 1, 0], [.5, .5, 0], steps=[1, 3]), rps([0, 1, 0], [0, .5, .5], steps=[1, 3])
    (0.0625, 0.1875)
    """
    gaps = cumulate(estimate - gold)
    if steps is None:
        return np.asarray(inner(gaps, gaps) / (gold.shape[-1] - 1))
    widths = check_steps(steps, gold.shape[-1])
    return np.asarray(inner(gaps[..., :-1] ** 2, widths) / widths.sum())
