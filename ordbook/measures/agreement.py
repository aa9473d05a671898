"""Chance-corrected classification measures: weighted kappa and Krippendorff's alpha.

Parameters and symbols are those of `ordbook.measures.classification`.
"""

from __future__ import annotations

import numpy as np

from .components import equidistance, inner, midpoints, total
from .confusion import POWERS, ClassificationMeasure, WeightedMeasure
from .validation import Array


def _chance_corrected(observed: Array, expected: Array) -> Array:
    """Return 1 - observed/expected disagreement, and 1 if none is expected.

    No disagreement is expected only where gold and run hold one and the same single class (or
    weights are 0 for all pairs that occur); then none is observed either: they agree fully.
    """
    defined = expected > 0
    return np.where(defined, 1 - observed / np.where(defined, expected, 1.0), 1.0)


@WeightedMeasure
def kappa(cm: Array, weights: Array | None = None) -> Array:
    r"""Weighted kappa: how much less the disagreement is than between independent labels.

    .. math::

        \kappa &= 1 - \frac{\sum_{i, j} w_{ij} c_{ij}}{\sum_{i, j} w_{ij} e_{ij}},

        e_{ij} &= \frac{c_{i \bullet} \, c_{\bullet j}}{N},

        w_{ij} &= |i - j|

    Parameters: as for the others, and ``weights`` (both in the call and in ``from_confusion``):
    ``"linear"``, which is the default, ``"quadratic"`` for `qwk`, a (C, C) matrix
    ``w[gold, predicted]`` that is 0 on the diagonal, or a callable that takes C and returns one,
    such as ``lambda n: 1 - np.eye(n)`` for the kappa of classes without an order, which is the
    default of scikit-learn.
    Returns -1 (half the gold at either end, every item at the other end) to 1 (perfect, and only
    then) for linear and quadratic weights; larger is better; 0 is what independent labels score.
    Symmetric (with symmetric weights). Assumes equidistance (with linear and quadratic weights).

    If gold and run hold one and the same single class, the fraction is 0/0. The value is then 1,
    because every item is right. Otherwise a run that always answers the same class scores 0.

    Notes
    -----
    Where linear kappa is at least 0, no answer that moves farther from its gold class on the same
    side of it can raise it, a right answer least of all, if the classes are fixed. Across gold, and
    where kappa is below 0, it can. Source: ACL'21 Eq. 5 (Cohen 1968).

    Examples
    --------
    One of four items one step off. Observed 1; expected (2 x 1 + 2 x 3)/4 = 2.

    >>> kappa([1, 1, 2, 2], [1, 1, 2, 1])
    0.5
    >>> kappa([1, 1, 2, 2], [1, 1, 1, 1]), kappa([1, 1], [1, 1])
    (0.0, 1.0)
    """
    w = equidistance(cm.shape[-1]) if weights is None else weights
    gold, chosen = cm.sum(axis=-1), cm.sum(axis=-2)
    expected = inner(gold, inner(w, chosen[..., None, :])) / total(gold)
    return _chance_corrected(total(inner(cm, w)), expected)


@ClassificationMeasure
def qwk(cm: Array) -> Array:
    r"""Quadratic weighted kappa: kappa with the squared steps between two classes as weights.

    .. math::

        \mathrm{QWK} = 1 - \frac{\sum_{i, j} (i - j)^2 c_{ij}}{\sum_{i, j} (i - j)^2 e_{ij}}

    with :math:`e_{ij}` as in `kappa`. It is ``kappa(..., weights="quadratic")``.

    Parameters: see `ordbook.measures.classification`. Returns -1 (half the gold at either end,
    every item at the other end) to 1 (perfect, and only then); larger is better; 0 is what
    independent labels score. Symmetric. Assumes equidistance.

    If gold and run hold one and the same single class, the fraction is 0/0. The value is then 1,
    because every item is right (scikit-learn returns nan). Otherwise a run that always answers the
    same class scores 0, whichever class that is.

    Notes
    -----
    It equals the concordance correlation of the class numbers, twice their covariance divided by
    the sum of both variances and the squared difference of both means. One error of three steps
    costs as much as nine errors of one step.
    Source: Cohen 1968; Fleiss and Cohen 1973. None of the five papers uses it.

    Examples
    --------
    One of four items one step off. Observed 1; expected (2 x 2 + 1 x 2 + 1 x 10)/4 = 4.

    >>> qwk([1, 1, 2, 3], [1, 1, 2, 2])
    0.75
    >>> qwk([1, 1, 2, 3], [1, 1, 1, 1]), qwk([1, 1], [1, 1])
    (0.0, 1.0)
    """
    return np.asarray(kappa.kernel(cm, equidistance(cm.shape[-1]) ** POWERS["quadratic"]))


def _alpha(cm: Array, labels: Array, position: Array) -> Array:
    """Eq. 6 with delta_ij = |position_i - position_j|; `labels` counts both coders' labels."""
    delta = np.square(position[..., :, None] - position[..., None, :])
    # An item with gold i and label j adds 1 to o_ij; each unordered pair once. The expected sum
    # runs over ordered pairs, hence the half.
    observed = total(inner(cm, delta))
    pairs = inner(labels, inner(delta, labels[..., None, :])) / 2
    return _chance_corrected(observed, pairs / (total(labels) - 1))


@ClassificationMeasure
def alpha_ord(cm: Array) -> Array:
    r"""Krippendorff's alpha for ordinal data, with gold and run as the two coders.

    .. math::

        \alpha &= 1 - \frac{\sum_i \sum_{j > i} o_{ij} \delta_{ij}^2}
        {\sum_i \sum_{j > i} e_{ij} \delta_{ij}^2},

        e_{ij} &= \frac{n_i n_j}{2N - 1},

        \delta_{ij} &= \left( \sum_{k = i}^{j} n_k \right) - \frac{n_i + n_j}{2}

    where :math:`n_i` counts the labels i of both together, and :math:`o_{ij}` the items that one
    labels i and the other j.

    Parameters: see `ordbook.measures.classification`. Returns above -1 (it is at least
    -1 + 1/N) to 1 (perfect, and only then); larger is better; about 0 is chance. Symmetric.
    Does not assume equidistance: :math:`\delta_{ij}` counts the labels between i and j.

    If gold and run hold one and the same single class, the fraction is 0/0. The value is then 1,
    because every item is right. Source: ACL'21 Eqs. 6 and 7.

    Examples
    --------
    n = (5, 3), one item off: :math:`o_{12} = 1`, :math:`e_{12} = 5 \cdot 3/7`, the same distance in
    both.

    >>> round(alpha_ord([1, 1, 2, 2], [1, 1, 2, 1]), 6)              # 1 - 7/15
    0.533333
    """
    labels = cm.sum(axis=-1) + cm.sum(axis=-2)
    return _alpha(cm, labels, midpoints(labels))  # d_ij is the distance between mid-ranks


@ClassificationMeasure
def alpha_int(cm: Array) -> Array:
    r"""Krippendorff's alpha for interval data, with gold and run as the two coders.

    :math:`\alpha` as in `alpha_ord`, with :math:`\delta_{ij}^2 = |i - j|^2`.

    Parameters: see `ordbook.measures.classification`. Returns above -1 (it is at least
    -1 + 1/N) to 1 (perfect, and only then); larger is better; about 0 is chance. Symmetric.
    Assumes equidistance.

    If gold and run hold one and the same single class, the fraction is 0/0. The value is then 1,
    because every item is right. Source: ACL'21 Eqs. 6 and 7.

    Examples
    --------
    n = (2, 1, 1): observed 1; expected
    :math:`(2 \cdot 1 \cdot 1 + 2 \cdot 1 \cdot 4 + 1 \cdot 1 \cdot 1)/3 = 11/3`.

    >>> round(alpha_int([1, 2], [1, 3]), 6)                          # 1 - 3/11
    0.727273
    """
    labels = cm.sum(axis=-1) + cm.sum(axis=-2)
    return _alpha(cm, labels, np.arange(cm.shape[-1], dtype=np.float64))
