r"""Classification measures that read a confusion matrix item by item.

The chance-corrected ones (kappa and Krippendorff's alpha) are in `ordbook.measures.agreement`.

Notes
-----
Every measure is called as ``f(y_true, y_pred, *, labels=None)`` and returns a float; see
`ordbook.measures.confusion.confusion_matrix` for what labels may be. ``f.from_confusion(cm)``
takes counts cm[..., gold, predicted] and returns shape (...), or a float for one matrix.
Both raise ValueError for input that they cannot score.

In the equations :math:`c_{ij}` counts items of gold class j that the system put in class i,
:math:`c_{\bullet j}` is the size of gold class j, :math:`c_{i \bullet}` the number of items put
in class i, :math:`N` that of all items, and :math:`C^+` the set of gold classes that are not
empty. Empty classes at either end change no measure.
"""

from __future__ import annotations

import numpy as np

from .components import equidistance, inner, total
from .confusion import ClassificationMeasure
from .validation import Array


def _divide(numerator: Array, denominator: Array) -> Array:
    """Return a quotient, and 0 if the denominator is 0 (the numerator then is 0, too)."""
    return numerator / np.where(denominator > 0, denominator, 1.0)


def _mean_over_gold(values: Array, gold: Array) -> Array:
    """Mean over C+, the classes with at least one gold item; `values` are 0 elsewhere."""
    return np.asarray(total(values) / (gold > 0).sum(axis=-1))


def _diagonal(cm: Array) -> Array:
    return np.diagonal(cm, axis1=-2, axis2=-1)


@ClassificationMeasure
def mae_macro(cm: Array) -> Array:
    r"""Macroaveraged Mean Absolute Error: steps off, averaged per gold class, then over classes.

    .. math::

        \mathrm{MAE^M} = \frac{1}{|C^+|} \sum_{j \in C^+}
        \frac{\sum_{i \in C} |i - j| \, c_{ij}}{c_{\bullet j}}

    Parameters: see the module. Returns 0 (perfect, and only then) to C - 1 (every item at the
    opposite end); smaller is better. Every gold class weighs the same, whatever its size. Empty
    gold classes are left out. Assumes equidistance.

    Notes
    -----
    If :math:`C^+` is symmetric, a run that always answers the lowest class scores the same as one
    that always answers the highest. Source: ACL'21 Eq. 1.

    Examples
    --------
    Class 1: errors 0 and 1, mean .5. Class 3: error 2. Class 2 is empty: (.5 + 2)/2.

    >>> mae_macro([1, 1, 3], [1, 2, 1])
    1.25
    """
    gold = cm.sum(axis=-1)
    return _mean_over_gold(_divide(inner(cm, equidistance(cm.shape[-1])), gold), gold)


@ClassificationMeasure
def mae_micro(cm: Array) -> Array:
    r"""Mean Absolute Error: the steps an item is off, averaged over all items.

    .. math::

        \mathrm{MAE}^{\mu} = \frac{\sum_{j \in C} \sum_{i \in C} |i - j| \, c_{ij}}{N}

    Parameters: see the module. Returns 0 (perfect, and only then) to C - 1 (every item at the
    opposite end); smaller is better. Symmetric. Ignores class imbalance. Assumes equidistance.
    Source: ACL'21 Eq. 2.

    >>> mae_micro([1, 1, 3], [1, 2, 1])                              # (0 + 1 + 2)/3
    1.0
    """
    return np.asarray(total(inner(cm, equidistance(cm.shape[-1]))) / cm.sum(axis=(-2, -1)))


@ClassificationMeasure
def cem_ord(cm: Array) -> Array:
    r"""CEM_ORD: the less gold lies between two classes, the closer they are.

    The Closeness Evaluation Measure:

    .. math::

        \mathrm{CEM^{ORD}} &= \frac{\sum_{j \in C} \sum_{i \in C} \mathrm{prox}_{ij} \, c_{ij}}
        {\sum_{j \in C} \mathrm{prox}_{jj} \, c_{\bullet j}},

        \mathrm{prox}_{ij} &= -\log_2 \frac{\max(0.5, K_{ij})}{N}

    and

    .. math::

        K_{ij} = \begin{cases}
        \frac{1}{2} c_{\bullet i} + \sum_{l = i + 1}^{j} c_{\bullet l} & i \leq j \\
        \frac{1}{2} c_{\bullet i} + \sum_{l = j}^{i - 1} c_{\bullet l} & i > j
        \end{cases}

    with i the system's class and j the gold class.

    Parameters: see the module. Returns 0 (for one: all gold in one class and none found) to 1
    (perfect, and only then); larger is better. Always defined: the maximum keeps prox finite,
    and :math:`\mathrm{prox}_{jj}` is at least 1 if class j has gold. Does not assume
    equidistance. Not symmetric.

    Notes
    -----
    An error in a small class costs more than one in a large class. Still, a run that always
    answers a class with a growing share of the gold tends to 1: .938 for 99 of 100 items.
    Source: ACL'21 Eqs. 3 and 4 (after Amigo et al. 2020).

    Examples
    --------
    Two items each in classes 1 and 2, one of class 2 put in class 1: ``prox_11 = prox_22 =
    -log2(1/4) = 2``, ``prox_12 = -log2((1 + 2)/4) = .415``; ``(3 x 2 + .415)/(4 x 2)``.

    >>> round(cem_ord([1, 1, 2, 2], [1, 1, 2, 1]), 4)
    0.8019
    """
    gold = cm.sum(axis=-1)
    upto = np.cumsum(gold, axis=-1)
    middle, below = upto - gold / 2, upto - gold
    # Eq. 4 by cumulative counts, indexed [gold j, system i]: from the middle of i to the far
    # edge of j. Above the diagonal i > j, on and below it i <= j.
    i_middle = middle[..., None, :]
    n_classes = gold.shape[-1]
    above = np.triu(np.ones((n_classes, n_classes), dtype=bool), 1)
    k = np.where(above, i_middle - below[..., :, None], upto[..., :, None] - i_middle)
    n = upto[..., -1]
    proximity = -np.log2(np.maximum(0.5, k) / n[..., None, None])
    return np.asarray(total(inner(cm, proximity)) / inner(gold, _diagonal(proximity)))


def _precision_recall(cm: Array) -> tuple[Array, Array, Array]:
    """Precision and recall per class over C+ (0 elsewhere), and the gold counts."""
    gold, chosen, hit = cm.sum(axis=-1), cm.sum(axis=-2), _diagonal(cm)
    # Outside C+ hit is 0, so both are 0 there; precision is 0 for a class never chosen.
    return _divide(hit, chosen), _divide(hit, gold), gold


def _f1(precision: Array, recall: Array) -> Array:
    """Return F1(p, r) = 2pr/(p + r), and 0 if both are 0."""
    return _divide(2 * precision * recall, precision + recall)


@ClassificationMeasure
def f1_macro(cm: Array) -> Array:
    r"""Macro F1: the F1 of each gold class, averaged.

    .. math::

        \mathrm{F1^M} &= \frac{1}{|C^+|} \sum_{j \in C^+}
        \mathrm{F1}(\mathrm{prec}_j, \mathrm{rec}_j),

        \mathrm{F1}(x, y) &= \frac{2xy}{x + y},

        \mathrm{prec}_j &= \frac{c_{jj}}{c_{j \bullet}},

        \mathrm{rec}_j &= \frac{c_{jj}}{c_{\bullet j}}

    Parameters: see the module. Returns 0 (no item right) to 1 (perfect, and only then); larger
    is better. Precision is 0 for a class that the system never chooses, F1(0, 0) is 0, and empty
    gold classes are left out (scikit-learn averages over predicted ones as well). Blind to the
    order of the classes. Not symmetric, as :math:`C^+` is that of the gold. Source: ACL'21 Eq. 8.

    Examples
    --------
    Class 1: precision 1/2, recall 1/2; class 3: 0.

    >>> f1_macro([1, 1, 3], [1, 2, 1])
    0.25
    """
    precision, recall, gold = _precision_recall(cm)
    return _mean_over_gold(_f1(precision, recall), gold)


@ClassificationMeasure
def hmpr(cm: Array) -> Array:
    r"""Harmonic Mean of macroaveraged Precision and macroaveraged Recall.

    .. math::

        \mathrm{HMPR} &= \mathrm{F1}(\mathrm{prec^M}, \mathrm{rec^M}),

        \mathrm{prec^M} &= \frac{1}{|C^+|} \sum_{j \in C^+} \mathrm{prec}_j,

        \mathrm{rec^M} &= \frac{1}{|C^+|} \sum_{j \in C^+} \mathrm{rec}_j

    Parameters: see the module. Returns 0 (no item right) to 1 (perfect, and only then); larger
    is better. Undefined cases as for `f1_macro`. Blind to the order of the classes. Not
    symmetric, as :math:`C^+` is that of the gold. Source: ACL'21 Eq. 9.

    Examples
    --------
    Macroaveraged precision is (1/2 + 0)/2, and recall (1/2 + 0)/2.

    >>> hmpr([1, 1, 3], [1, 2, 1])
    0.25
    """
    precision, recall, gold = _precision_recall(cm)
    return _f1(_mean_over_gold(precision, gold), _mean_over_gold(recall, gold))


@ClassificationMeasure
def accuracy(cm: Array) -> Array:
    r"""Accuracy: the share of items put in their gold class.

    .. math:: \mathrm{Accuracy} = \frac{\sum_{j \in C} c_{jj}}{N}

    Parameters: see the module. Returns 0 (no item right) to 1 (perfect, and only then); larger
    is better. Symmetric. Blind to the order of the classes; ignores class imbalance.
    Source: ACL'21 Eq. 10.

    >>> accuracy([1, 1, 3, 3], [1, 2, 1, 3])
    0.5
    """
    return np.asarray(total(_diagonal(cm)) / cm.sum(axis=(-2, -1)))
