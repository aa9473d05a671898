"""The DNKT family: measures of whether the priority order of the classes is preserved.

Two probabilities are tied if they differ by at most 1e-12, so that 0.1 + 0.2 ties with 0.3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .components import SUPPORT_TOLERANCE, rnod_supremum
from .quantification import jsd, nmd, rnod
from .registry import plain, quantification_measure
from .validation import Array

__all__ = ["dnkt", "dnkt_jsd", "dnkt_nmd", "dnkt_rnod"]


def _classes_first(values: Array, n_axes: int) -> Array:
    """Put the class axis first, after padding the leading axes, in contiguous memory."""
    padded = values.reshape((1,) * (n_axes - values.ndim) + values.shape)
    return np.ascontiguousarray(np.moveaxis(padded, -1, 0))


def _order(values: Array, lag: int) -> NDArray[np.int8]:
    """Order of all pairs of classes `lag` apart: 1 up, -1 down, 0 tied; classes first."""
    step = values[lag:] - values[:-lag]
    up, down = step > SUPPORT_TOLERANCE, step < -SUPPORT_TOLERANCE
    return up.view(np.int8) - down.view(np.int8)


def _harmonic_mean(left: Array, right: Array) -> Array:
    """Return Eq. 17, and 0 if either part is 0."""
    sums = left + right
    return 2 * left * right / np.where(sums > 0, sums, 1.0)


def _dnkt_rnod_bounds(n_classes: int) -> tuple[float, float]:
    # The harmonic mean grows in both; not the least upper bound from five classes on.
    largest = rnod_supremum(n_classes)
    return 0.0, 2 * largest / (1 + largest)


@quantification_measure(
    "DNKT",
    plain,
    title="Divergence based on Kendall's tau",
    symmetric=True,
    magnitude=False,
    source="DNKT Eq. 16",
    papers=("dnkt",),
)
def dnkt(gold: Array, estimate: Array) -> Array:
    r"""Divergence based on Kendall's tau-b between the classes ranked by probability.

    .. math::

        \mathrm{DNKT} &= \frac{1 - \tau_b}{2},

        \tau_b &= \frac{\mathrm{CONC} - \mathrm{DISC}}{\sqrt{t} \sqrt{t^*}},

        t &= \max(1, \mathrm{notTIED}),

        t^* &= \max(1, \mathrm{notTIED}^*)

    over all :math:`|C|(|C| - 1)/2` pairs of classes; a pair tied in either list is neither
    concordant nor discordant.

    From 0 (the same priorities, however wrong the probabilities) to 1 (priorities reversed);
    smaller is better. It is .5 if either distribution is uniform, even if both are: the max
    operators define that case.

    Examples
    --------
    >>> dnkt([.4, .3, .2, .1], [.31, .30, .20, .19])
    0.0
    >>> dnkt([.25, .25, .25, .25], [.25, .25, .25, .25])
    0.5
    """
    n_axes = max(gold.ndim, estimate.ndim)
    g, p = _classes_first(gold, n_axes), _classes_first(estimate, n_axes)
    agreement = untied = untied_gold = np.zeros(())
    for lag in range(1, g.shape[0]):  # every pair of classes once, all pairs of one lag together
        order, order_gold = _order(p, lag), _order(g, lag)
        agreement = agreement + (order * order_gold).sum(axis=0, dtype=np.int32)  # CONC - DISC
        untied = untied + np.abs(order).sum(axis=0, dtype=np.int32)  # Eq. 13
        untied_gold = untied_gold + np.abs(order_gold).sum(axis=0, dtype=np.int32)
    # One root of the product of Eq. 14: exact where both lists have the same ties.
    tau_b = agreement / np.sqrt(np.maximum(1, untied) * np.maximum(1, untied_gold))
    return np.asarray((1 - tau_b) / 2)


@quantification_measure(
    "DNKT_JSD",
    plain,
    title="Harmonic mean of DNKT and JSD",
    symmetric=True,
    source="DNKT Eq. 17",
    papers=("dnkt",),
)
def dnkt_jsd(gold: Array, estimate: Array) -> Array:
    r"""Harmonic mean of DNKT and JSD.

    .. math::

        \mathrm{DNKT_{JSD}} =
        \frac{2 \cdot \mathrm{DNKT} \cdot \mathrm{JSD}}{\mathrm{DNKT} + \mathrm{JSD}}

    and 0 if either is 0.

    From 0 to 1; smaller is better. It is 0 if the priorities agree (DNKT = 0) or the distributions
    are equal (JSD = 0), so 0 does not mean 'perfect'.

    Examples
    --------
    >>> dnkt_jsd([1, 0], [0, 1]), dnkt_jsd([.4, .3, .2, .1], [.31, .30, .20, .19])
    (1.0, 0.0)
    """
    return _harmonic_mean(dnkt.kernel(gold, estimate), jsd.kernel(gold, estimate))


@quantification_measure(
    "DNKT_NMD",
    plain,
    title="Harmonic mean of DNKT and NMD",
    ordinal=True,
    farther_is_worse="single-class gold",
    symmetric=True,
    equidistant=True,
    source="DNKT Eq. 17",
    papers=("dnkt",),
)
def dnkt_nmd(gold: Array, estimate: Array) -> Array:
    r"""Harmonic mean of DNKT and NMD.

    .. math::

        \mathrm{DNKT_{NMD}} =
        \frac{2 \cdot \mathrm{DNKT} \cdot \mathrm{NMD}}{\mathrm{DNKT} + \mathrm{NMD}}

    and 0 if either is 0.

    From 0 (see `dnkt_jsd`) to 1 (with two classes only); smaller is better.

    Examples
    --------
    All gold in class 1, all mass in class 3: ``tau_b = -1/2``, ``DNKT = 3/4``, ``NMD = 1``.

    >>> round(dnkt_nmd([1, 0, 0], [0, 0, 1]), 6)
    0.857143
    """
    return _harmonic_mean(dnkt.kernel(gold, estimate), nmd.kernel(gold, estimate))


@quantification_measure(
    "DNKT_RNOD",
    plain,
    title="Harmonic mean of DNKT and RNOD",
    ordinal=True,
    farther_is_worse="single-class gold",
    equidistant=True,
    range="0 to 1 up to four classes; at most 1.02 for five",
    bounds=_dnkt_rnod_bounds,
    source="DNKT Eq. 17",
    papers=("dnkt",),
)
def dnkt_rnod(gold: Array, estimate: Array) -> Array:
    r"""Harmonic mean of DNKT and RNOD.

    .. math::

        \mathrm{DNKT_{RNOD}} =
        \frac{2 \cdot \mathrm{DNKT} \cdot \mathrm{RNOD}}{\mathrm{DNKT} + \mathrm{RNOD}}

    and 0 if either is 0.

    From 0 (see `dnkt_jsd`) to 1 with up to four classes (reached with two), slightly more from five
    on because RNOD can exceed 1; smaller is better.

    Examples
    --------
    All gold in class 1, all mass in class 2 of three: DNKT = 3/4, RNOD = sqrt(1/2) = .7071.

    >>> round(dnkt_rnod([1, 0, 0], [0, 1, 0]), 6)
    0.727922
    """
    return _harmonic_mean(dnkt.kernel(gold, estimate), rnod.kernel(gold, estimate))
