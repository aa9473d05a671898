"""The classification measures in exact arithmetic: the same values, and the same ties.

The equations of ACL'21 are written here with ``fractions``.
"""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

import ordbook.measures as om
from helpers.exact import DIGITS, ROUNDING, assert_same_values_and_ties
from ordbook.measures import CLASSIFICATION


class Counts:
    """c[i][j] counts the items of gold class j that the system put in class i, as in ACL'21."""

    def __init__(self, cm):
        self.c = [[Fraction(int(x)) for x in row] for row in np.transpose(cm)]
        self.classes = range(len(self.c))
        self.gold = [sum(self.c[i][j] for i in self.classes) for j in self.classes]
        self.system = [sum(row) for row in self.c]
        self.n = sum(self.gold)
        self.plus = [j for j in self.classes if self.gold[j] > 0]
        self.cells = list(itertools.product(self.classes, self.classes))
        self.labels = [a + b for a, b in zip(self.gold, self.system, strict=True)]

    def precision(self, j):
        return self.c[j][j] / self.system[j] if self.system[j] > 0 else Fraction(0)

    def recall(self, j):
        return self.c[j][j] / self.gold[j]


def mae_macro(x):
    """Eq. 1."""
    terms = (sum(abs(i - j) * x.c[i][j] for i in x.classes) / x.gold[j] for j in x.plus)
    return sum(terms) / len(x.plus)


def mae_micro(x):
    """Eq. 2."""
    return sum(abs(i - j) * x.c[i][j] for i, j in x.cells) / x.n


def cem_ord(x):
    """Eqs. 3 and 4."""

    def prox(i, j):
        between = x.gold[i + 1 : j + 1] if i <= j else x.gold[j:i]
        k = max(Fraction(1, 2), x.gold[i] / 2 + sum(between)) / x.n
        return -(Decimal(k.numerator) / Decimal(k.denominator)).ln()

    with localcontext() as context:
        context.prec = DIGITS
        found = sum(prox(i, j) * int(x.c[i][j]) for i, j in x.cells)
        return Fraction(found / sum(prox(j, j) * int(x.gold[j]) for j in x.classes))


def kappa(x, power=1):
    """Eq. 5, and 1 for 0/0."""
    expected = sum(abs(i - j) ** power * x.system[i] * x.gold[j] / x.n for i, j in x.cells)
    observed = sum(abs(i - j) ** power * x.c[i][j] for i, j in x.cells)
    return 1 - observed / expected if expected else Fraction(1)


def qwk(x):
    return kappa(x, power=2)


def alpha(x, square):
    """Eq. 6, and 1 for 0/0: an item labelled i and j adds 1 to o_ij, whoever labelled it so."""
    pairs = list(itertools.combinations(x.classes, 2))
    observed = sum((x.c[i][j] + x.c[j][i]) * square(i, j) for i, j in pairs)
    expected = sum(x.labels[i] * x.labels[j] / (2 * x.n - 1) * square(i, j) for i, j in pairs)
    return 1 - observed / expected if expected else Fraction(1)


def alpha_ord(x):
    """Eq. 7."""
    n = x.labels
    return alpha(x, lambda i, j: (sum(n[i : j + 1]) - (n[i] + n[j]) / 2) ** 2)


def alpha_int(x):
    return alpha(x, lambda i, j: (i - j) ** 2)


def f1(p, r):
    return 2 * p * r / (p + r) if p + r > 0 else Fraction(0)


def f1_macro(x):
    """Eq. 8."""
    return sum(f1(x.precision(j), x.recall(j)) for j in x.plus) / len(x.plus)


def hmpr(x):
    """Eq. 9."""
    means = (sum(map(of, x.plus)) / len(x.plus) for of in (x.precision, x.recall))
    return f1(*means)


def accuracy(x):
    """Eq. 10."""
    return sum(x.c[j][j] for j in x.classes) / x.n


EXACT = {
    "MAE_M": mae_macro,
    "MAE_mu": mae_micro,
    "CEM_ORD": cem_ord,
    "kappa": kappa,
    "alpha_ord": alpha_ord,
    "alpha_int": alpha_int,
    "F1_M": f1_macro,
    "HMPR": hmpr,
    "accuracy": accuracy,
    "QWK": qwk,
}


def few_items(classes, most):
    """All confusion matrices of 1 to `most` items: many scores are equal."""
    cells = itertools.product(range(most + 1), repeat=classes**2)
    found = [cell for cell in cells if 0 < sum(cell) <= most]
    return np.array(found).reshape(-1, classes, classes)


def drawn_items(classes, size=60):
    """Sparse and dense matrices, runs that always answer one class, and all of them mirrored."""
    rng = np.random.default_rng(classes)
    found = rng.integers(0, [[[2]], [[4]], [[300]], [[4]]] * (size // 4), (size, classes, classes))
    found[3::4, :, 1:] = 0
    found[found.sum((1, 2)) == 0, 0, -1] = 1
    return np.concatenate([found, found[:, ::-1, ::-1]])


TASKS = {
    "two classes, up to 6 items": few_items(2, 6),
    "three classes, up to 2 items": few_items(3, 2),
    **{f"{classes} classes": drawn_items(classes) for classes in (2, 3, 5, 7)},
}


def test_every_measure_has_its_equation():
    assert list(EXACT) == list(CLASSIFICATION)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", EXACT)
def test_values_and_ties_are_those_of_exact_arithmetic(name, task):
    wanted = [EXACT[name](Counts(cm)) for cm in TASKS[task]]
    found = CLASSIFICATION[name].from_confusion(TASKS[task])
    assert_same_values_and_ties(found, wanted)


@pytest.mark.parametrize("name", EXACT)
def test_a_confusion_matrix_is_its_list_of_labels(name):
    # The order of the items is that of a file: no bit depends on it.
    f = CLASSIFICATION[name]
    rng = np.random.default_rng(0)
    for cm in TASKS["5 classes"][:40]:
        true, pred = np.indices(cm.shape).reshape(2, -1).repeat(cm.ravel(), axis=1)
        order = rng.permutation(len(true))
        assert f(true[order], pred[order], labels=range(5)) == f.from_confusion(cm)


@pytest.mark.parametrize("name", EXACT)
def test_reversed_scales_score_and_tie_as_before(name):
    f = CLASSIFICATION[name].from_confusion
    for cms in TASKS.values():
        np.testing.assert_allclose(f(cms), f(cms[:, ::-1, ::-1]), rtol=0, atol=ROUNDING)


def test_weights_with_a_direction_are_not_reversible():
    upwards = [[0, 1, 2], [2, 0, 1], [4, 2, 0]]  # too low costs twice as much as too high
    cm = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 2]])
    there, back = (om.kappa.from_confusion(one, weights=upwards) for one in (cm, cm[::-1, ::-1]))
    # expected (2 (0 + 2 + 4) + (2 + 0 + 2) + 2 (4 + 4 + 0)) / 5 and its mirror image; observed 1, 2
    gold, chosen, weights = [2, 1, 2], [1, 2, 2], np.array(upwards)
    for found, observed, g, c in ((there, 1, gold, chosen), (back, 2, gold[::-1], chosen[::-1])):
        expected = Fraction(int(np.einsum("i,ij,j->", g, weights, c)), 5)
        assert found == pytest.approx(float(1 - observed / expected), abs=1e-15)
    assert abs(there - back) > 0.1
