r"""Classification measures: each decorated function scores counts cm[..., gold, predicted].

In the equations :math:`c_{ij}` counts items of gold class j that the system put in class i,
:math:`c_{\bullet j}` is the size of gold class j, :math:`c_{i \bullet}` the number of items put
in class i, :math:`N` that of all items, and :math:`C^+` the set of gold classes that are not
empty. Empty classes at either end change no measure.
"""

from __future__ import annotations

import numpy as np

from .components import equidistance, inner, midpoints, total
from .registry import classification_measure, with_labels, with_sample_weight, with_weights
from .validation import Array, Weights, check_distance

__all__ = [
    "accuracy",
    "accuracy_1",
    "alpha_int",
    "alpha_ord",
    "cem_ord",
    "f1_macro",
    "hmpr",
    "kappa",
    "mae_macro",
    "mae_max",
    "mae_micro",
    "qwk",
]

# To each docstring the decorator adds the parameters, what is raised, and the facts.

ACL21 = ("acl21",)
# Weights by name, as scikit-learn calls them, and the power of |i - j| that each is.
POWERS = {"linear": 1, "quadratic": 2}


def _zero_to_steps(n_classes: int) -> tuple[float, float]:
    return 0.0, float(n_classes - 1)


def _within_one(n_classes: int) -> tuple[float, float]:
    return float(n_classes < 3), 1.0


def _minus_one_to_one(n_classes: int) -> tuple[float, float]:
    return -1.0, 1.0


def _divide(numerator: Array, denominator: Array) -> Array:
    """Return a quotient, and 0 if the denominator is 0 (the numerator then is 0, too)."""
    return numerator / np.where(denominator > 0, denominator, 1.0)


def _class_errors(cm: Array) -> Array:
    """Return the steps that the items of each gold class are off on average."""
    return _divide(inner(cm, equidistance(cm.shape[-1])), cm.sum(axis=-1))


def _mean_over_gold(values: Array, gold: Array) -> Array:
    """Mean over C+, the classes with at least one gold item; `values` are 0 elsewhere."""
    return np.asarray(total(values) / (gold > 0).sum(axis=-1))


def _diagonal(cm: Array) -> Array:
    return np.diagonal(cm, axis1=-2, axis2=-1)


@classification_measure(
    "MAE_M",
    with_sample_weight,
    title="Macroaveraged Mean Absolute Error",
    ordinal=True,
    farther_is_worse="always",
    equidistant=True,
    range="0 to |C| - 1",
    bounds=_zero_to_steps,
    better="low",
    perfect=0.0,
    skill=True,
    source="ACL'21 Eq. 1",
    papers=ACL21,
)
def mae_macro(cm: Array) -> Array:
    r"""Macroaveraged Mean Absolute Error: steps off, averaged per gold class, then over classes.

    .. math::

        \mathrm{MAE^M} = \frac{1}{|C^+|} \sum_{j \in C^+}
        \frac{\sum_{i \in C} |i - j| \, c_{ij}}{c_{\bullet j}}

    From 0 (perfect, and only then) to C - 1 (every item at the opposite end); smaller is better.

    Every gold class weighs the same, whatever its size. Empty gold classes are left out. If
    :math:`C^+` is symmetric, a run that always answers the lowest class scores the same as one that
    always answers the highest.

    Examples
    --------
    Class 1: errors 0 and 1, mean .5. Class 3: error 2. Class 2 is empty: (.5 + 2)/2.

    >>> mae_macro([1, 1, 3], [1, 2, 1])
    1.25
    """
    return _mean_over_gold(_class_errors(cm), cm.sum(axis=-1))


@classification_measure(
    "MAE_mu",
    with_sample_weight,
    title="Mean Absolute Error",
    ordinal=True,
    farther_is_worse="always",
    symmetric=True,
    equidistant=True,
    range="0 to |C| - 1",
    bounds=_zero_to_steps,
    better="low",
    perfect=0.0,
    imbalance=False,
    skill=True,
    source="ACL'21 Eq. 2",
    papers=ACL21,
)
def mae_micro(cm: Array) -> Array:
    r"""Mean Absolute Error: the steps an item is off, averaged over all items.

    .. math::

        \mathrm{MAE}^{\mu} = \frac{\sum_{j \in C} \sum_{i \in C} |i - j| \, c_{ij}}{N}

    From 0 (perfect, and only then) to C - 1 (every item at the opposite end); smaller is better.

    Examples
    --------
    >>> mae_micro([1, 1, 3], [1, 2, 1])                              # (0 + 1 + 2)/3
    1.0
    """
    return np.asarray(total(inner(cm, equidistance(cm.shape[-1]))) / cm.sum(axis=(-2, -1)))


@classification_measure(
    "CEM_ORD",
    with_labels,
    title="Closeness Evaluation Measure for ordinal classes",
    ordinal=True,
    farther_is_worse="weakly",
    equidistant=False,
    source="ACL'21 Eqs. 3, 4",
    papers=ACL21,
)
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

    From 0 (for one: all gold in one class and none found) to 1 (perfect, and only then); larger is
    better.

    Always defined: the maximum keeps prox finite, and :math:`\mathrm{prox}_{jj}` is at least 1 if
    class j has gold. An error in a small class costs more than one in a large class. Still, a run
    that always answers a class with a growing share of the gold tends to 1: .938 for 99 of 100
    items. Amigo et al. (2020) define it.

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


def _chance_corrected(observed: Array, expected: Array) -> Array:
    """Return 1 - observed/expected disagreement, and 1 if none is expected.

    No disagreement is expected only where gold and run hold one and the same single class (or
    weights are 0 for all pairs that occur); then none is observed either: they agree fully.
    """
    defined = expected > 0
    return np.where(defined, 1 - observed / np.where(defined, expected, 1.0), 1.0)


def _weight_matrix(weights: Weights, n_classes: int) -> Array:
    """Return the (C, C) matrix that `weights` stands for; |i - j| by default."""
    if weights is None or isinstance(weights, str):
        name = "linear" if weights is None else weights
        if name not in POWERS:
            raise ValueError(
                f"weights={name!r} is not known: pass {' or '.join(map(repr, POWERS))}, a matrix "
                "of one row and one column per class, or a callable that returns one"
            )
        return equidistance(n_classes) ** POWERS[name]
    matrix = weights(n_classes) if callable(weights) else weights
    return check_distance(matrix, n_classes, "weights")


@classification_measure(
    "kappa",
    with_weights,
    title="Linear weighted kappa",
    ordinal=True,
    farther_is_worse="not always",
    symmetric=True,
    equidistant=True,
    range="-1 to 1",
    bounds=_minus_one_to_one,
    constant_runs=False,
    source="ACL'21 Eq. 5",
    papers=ACL21,
)
def kappa(cm: Array, *, weights: Weights = None) -> Array:
    r"""Weighted kappa: how much less the disagreement is than between independent labels.

    .. math::

        \kappa &= 1 - \frac{\sum_{i, j} w_{ij} c_{ij}}{\sum_{i, j} w_{ij} e_{ij}},

        e_{ij} &= \frac{c_{i \bullet} \, c_{\bullet j}}{N},

        w_{ij} &= |i - j|

    From -1 (half the gold at either end, every item at the other end) to 1 (perfect, and only then)
    for linear and quadratic weights; larger is better. 0 is what independent labels score.

    Where linear kappa is at least 0, no answer that moves farther from its gold class on the same
    side of it can raise it, a right answer least of all, if the classes are fixed. Across gold, and
    where kappa is below 0, it can. With weights that are not symmetric it is not, either. Cohen
    (1968) defines it.

    If gold and run hold one and the same single class, the fraction is 0/0. The value is then 1,
    because every item is right. Otherwise a run that always answers the same class scores 0.

    Examples
    --------
    One of four items one step off. Observed 1; expected (2 x 1 + 2 x 3)/4 = 2.

    >>> kappa([1, 1, 2, 2], [1, 1, 2, 1])
    0.5
    >>> kappa([1, 1, 2, 2], [1, 1, 1, 1]), kappa([1, 1], [1, 1])
    (0.0, 1.0)
    """
    w = _weight_matrix(weights, cm.shape[-1])
    gold, chosen = cm.sum(axis=-1), cm.sum(axis=-2)
    expected = inner(gold, inner(w, chosen[..., None, :])) / total(gold)
    return _chance_corrected(total(inner(cm, w)), expected)


@classification_measure(
    "QWK",
    with_sample_weight,
    title="Quadratic weighted kappa",
    ordinal=True,
    farther_is_worse="not always",
    symmetric=True,
    equidistant=True,
    range="-1 to 1",
    bounds=_minus_one_to_one,
    constant_runs=False,
    source="Cohen 1968; Fleiss and Cohen 1973",
)
def qwk(cm: Array) -> Array:
    r"""Quadratic weighted kappa: kappa with the squared steps between two classes as weights.

    .. math::

        \mathrm{QWK} = 1 - \frac{\sum_{i, j} (i - j)^2 c_{ij}}{\sum_{i, j} (i - j)^2 e_{ij}}

    with :math:`e_{ij}` as in `kappa`. It is ``kappa(..., weights="quadratic")``.

    From -1 (half the gold at either end, every item at the other end) to 1 (perfect, and only
    then); larger is better. 0 is what independent labels score.

    It equals the concordance correlation of the class numbers, twice their covariance divided by
    the sum of both variances and the squared difference of both means. One error of three steps
    costs as much as nine errors of one step. As in `kappa`, 0/0 is 1 (scikit-learn returns nan),
    and a run that always answers the same class scores 0, whichever class that is.

    Examples
    --------
    One of four items one step off. Observed 1; expected (2 x 2 + 1 x 2 + 1 x 10)/4 = 4.

    >>> qwk([1, 1, 2, 3], [1, 1, 2, 2])
    0.75
    >>> qwk([1, 1, 2, 3], [1, 1, 1, 1]), qwk([1, 1], [1, 1])
    (0.0, 1.0)
    """
    return kappa.kernel(cm, weights="quadratic")


def _alpha(cm: Array, labels: Array, position: Array) -> Array:
    """Eq. 6 with delta_ij = |position_i - position_j|; `labels` counts both coders' labels."""
    delta = np.square(position[..., :, None] - position[..., None, :])
    # An item with gold i and label j adds 1 to o_ij; each unordered pair once. The expected sum
    # runs over ordered pairs, hence the half.
    observed = total(inner(cm, delta))
    pairs = inner(labels, inner(delta, labels[..., None, :])) / 2
    return _chance_corrected(observed, pairs / (total(labels) - 1))


@classification_measure(
    "alpha_ord",
    with_labels,
    title="Krippendorff's alpha, ordinal",
    ordinal=True,
    farther_is_worse="not always",
    symmetric=True,
    equidistant=False,
    range="above -1 to 1",
    bounds=_minus_one_to_one,
    source="ACL'21 Eqs. 6, 7",
    papers=ACL21,
)
def alpha_ord(cm: Array) -> Array:
    r"""Krippendorff's alpha for ordinal data, with gold and run as the two coders.

    .. math::

        \alpha &= 1 - \frac{\sum_i \sum_{j > i} o_{ij} \delta_{ij}^2}
        {\sum_i \sum_{j > i} e_{ij} \delta_{ij}^2},

        e_{ij} &= \frac{n_i n_j}{2N - 1},

        \delta_{ij} &= \left( \sum_{k = i}^{j} n_k \right) - \frac{n_i + n_j}{2}

    where :math:`n_i` counts the labels i of both together, and :math:`o_{ij}` the items that one
    labels i and the other j; :math:`\delta_{ij}` counts the labels between i and j.

    Above -1 (it is at least -1 + 1/N) to 1 (perfect, and only then); larger is better. About 0 is
    chance.

    If gold and run hold one and the same single class, the fraction is 0/0. The value is then 1,
    because every item is right.

    Examples
    --------
    n = (5, 3), one item off: :math:`o_{12} = 1`, :math:`e_{12} = 5 \cdot 3/7`, the same distance in
    both.

    >>> round(alpha_ord([1, 1, 2, 2], [1, 1, 2, 1]), 6)              # 1 - 7/15
    0.533333
    """
    labels = cm.sum(axis=-1) + cm.sum(axis=-2)
    return _alpha(cm, labels, midpoints(labels))  # d_ij is the distance between mid-ranks


@classification_measure(
    "alpha_int",
    with_labels,
    title="Krippendorff's alpha, interval",
    ordinal=True,
    farther_is_worse="not always",
    symmetric=True,
    equidistant=True,
    range="above -1 to 1",
    bounds=_minus_one_to_one,
    source="ACL'21 Eqs. 6, 7",
    papers=ACL21,
)
def alpha_int(cm: Array) -> Array:
    r"""Krippendorff's alpha for interval data, with gold and run as the two coders.

    :math:`\alpha` as in `alpha_ord`, with :math:`\delta_{ij}^2 = |i - j|^2`.

    Above -1 (it is at least -1 + 1/N) to 1 (perfect, and only then); larger is better. About 0 is
    chance; 0/0 is 1, as in `alpha_ord`.

    Examples
    --------
    n = (2, 1, 1): observed 1; expected
    :math:`(2 \cdot 1 \cdot 1 + 2 \cdot 1 \cdot 4 + 1 \cdot 1 \cdot 1)/3 = 11/3`.

    >>> round(alpha_int([1, 2], [1, 3]), 6)                          # 1 - 3/11
    0.727273
    """
    labels = cm.sum(axis=-1) + cm.sum(axis=-2)
    return _alpha(cm, labels, np.arange(cm.shape[-1], dtype=np.float64))


def _precision_recall(cm: Array) -> tuple[Array, Array, Array]:
    """Precision and recall per class over C+ (0 elsewhere), and the gold counts."""
    gold, chosen, hit = cm.sum(axis=-1), cm.sum(axis=-2), _diagonal(cm)
    # Outside C+ hit is 0, so both are 0 there; precision is 0 for a class never chosen.
    return _divide(hit, chosen), _divide(hit, gold), gold


def _f1(precision: Array, recall: Array) -> Array:
    """Return F1(p, r) = 2pr/(p + r), and 0 if both are 0."""
    return _divide(2 * precision * recall, precision + recall)


@classification_measure(
    "F1_M",
    with_sample_weight,
    title="Macroaveraged F1",
    source="ACL'21 Eq. 8",
    papers=ACL21,
)
def f1_macro(cm: Array) -> Array:
    r"""Macro F1: the F1 of each gold class, averaged.

    .. math::

        \mathrm{F1^M} &= \frac{1}{|C^+|} \sum_{j \in C^+}
        \mathrm{F1}(\mathrm{prec}_j, \mathrm{rec}_j),

        \mathrm{F1}(x, y) &= \frac{2xy}{x + y},

        \mathrm{prec}_j &= \frac{c_{jj}}{c_{j \bullet}},

        \mathrm{rec}_j &= \frac{c_{jj}}{c_{\bullet j}}

    From 0 (no item right) to 1 (perfect, and only then); larger is better.

    Precision is 0 for a class that the system never chooses, F1(0, 0) is 0, and empty gold classes
    are left out (scikit-learn averages over predicted ones as well), so that it is not symmetric.

    Examples
    --------
    Class 1: precision 1/2, recall 1/2; class 3: 0.

    >>> f1_macro([1, 1, 3], [1, 2, 1])
    0.25
    """
    precision, recall, gold = _precision_recall(cm)
    return _mean_over_gold(_f1(precision, recall), gold)


@classification_measure(
    "HMPR",
    with_sample_weight,
    title="Harmonic mean of macroaveraged precision and recall",
    source="ACL'21 Eq. 9",
    papers=ACL21,
)
def hmpr(cm: Array) -> Array:
    r"""Harmonic Mean of macroaveraged Precision and macroaveraged Recall.

    .. math::

        \mathrm{HMPR} &= \mathrm{F1}(\mathrm{prec^M}, \mathrm{rec^M}),

        \mathrm{prec^M} &= \frac{1}{|C^+|} \sum_{j \in C^+} \mathrm{prec}_j,

        \mathrm{rec^M} &= \frac{1}{|C^+|} \sum_{j \in C^+} \mathrm{rec}_j

    From 0 (no item right) to 1 (perfect, and only then); larger is better. Undefined cases are as
    for `f1_macro`.

    Examples
    --------
    Macroaveraged precision is (1/2 + 0)/2, and recall (1/2 + 0)/2.

    >>> hmpr([1, 1, 3], [1, 2, 1])
    0.25
    """
    precision, recall, gold = _precision_recall(cm)
    return _f1(_mean_over_gold(precision, gold), _mean_over_gold(recall, gold))


@classification_measure(
    "accuracy",
    with_sample_weight,
    title="Accuracy",
    symmetric=True,
    imbalance=False,
    source="ACL'21 Eq. 10",
    papers=ACL21,
)
def accuracy(cm: Array) -> Array:
    r"""Accuracy: the share of items put in their gold class.

    .. math:: \mathrm{Accuracy} = \frac{\sum_{j \in C} c_{jj}}{N}

    From 0 (no item right) to 1 (perfect, and only then); larger is better.

    Examples
    --------
    >>> accuracy([1, 1, 3, 3], [1, 2, 1, 3])
    0.5
    """
    return np.asarray(total(_diagonal(cm)) / cm.sum(axis=(-2, -1)))


# -- used elsewhere: by name, but in no list of measures that are scored without being named -------


@classification_measure(
    "accuracy_1",
    with_sample_weight,
    title="Accuracy within one class",
    ordinal=True,
    farther_is_worse="weakly",
    symmetric=True,
    equidistant=True,
    bounds=_within_one,
    imbalance=False,
    default=False,
    source="Gaudette and Japkowicz 2009",
)
def accuracy_1(cm: Array) -> Array:
    r"""Accuracy within one class: the share of items at most one class off, near misses forgiven.

    .. math:: \frac{\sum_{|i - j| \leq 1} c_{ij}}{N}

    From 0 (every item two or more classes off) to 1 (none is); larger is better. With two classes
    it is always 1.

    It sees neither a near miss nor how far a far one is, so a run that always answers the middle of
    three classes is perfect by it: report it beside a measure that sees every error, and do not
    rank by it. It is called accuracy_off1 in dlordinal and skordinal.

    Examples
    --------
    >>> accuracy_1([1, 1, 3, 3], [1, 2, 1, 3])                       # errors 0, 1, 2, 0
    0.75
    """
    near = (equidistance(cm.shape[-1]) <= 1).astype(np.float64)
    return np.asarray(total(inner(cm, near)) / cm.sum(axis=(-2, -1)))


@classification_measure(
    "MAE_max",
    with_sample_weight,
    title="Maximum Mean Absolute Error of a class",
    ordinal=True,
    farther_is_worse="weakly",
    equidistant=True,
    range="0 to |C| - 1",
    bounds=_zero_to_steps,
    better="low",
    perfect=0.0,
    default=False,
    source="Cruz-Ramirez et al. 2014",
)
def mae_max(cm: Array) -> Array:
    r"""Mean Absolute Error of the worst gold class: the largest of the means that MAE_M averages.

    .. math:: \max_{j \in C^+} \frac{\sum_{i \in C} |i - j| \, c_{ij}}{c_{\bullet j}}

    From 0 (perfect, and only then) to C - 1 (every item of a class at the opposite end); smaller is
    better.

    Empty gold classes are left out. What happens in all other classes does not enter, and where the
    worst class has few items neither does much else than luck: report it beside `mae_macro`. It is
    called MMAE in dlordinal and skordinal.

    Examples
    --------
    Class 1: errors 0 and 1, mean .5. Class 3: error 2. Class 2 is empty.

    >>> mae_max([1, 1, 3], [1, 2, 1])
    2.0
    """
    return np.asarray(_class_errors(cm).max(axis=-1))
