"""All measures in exact arithmetic: the same values, and the same ties.

The equations are written here with ``fractions``, those of the papers with p for the system's
distribution and q for the gold one.
"""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

# Rounding leaves about 1e-15 of scores of size 1; 1e-12 is what counts as a tie everywhere. Roots
# and logarithms are taken to 50 digits, so that two scores are equal where 40 of them agree.
ROUNDING, TIE = 4e-15, 1e-12
DIGITS, SAME_DIGITS = 50, 40
ALL = {**QUANTIFICATION, **CLASSIFICATION}
EVERY = pytest.mark.parametrize("name", ALL)
ROOTS = ["RNOD", "RSNOD", "RNOD2", "RNADW", "RNADW2", "RNSS"]


# -- equations of distributions ------------------------------------------------------------------


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def mass_between(q, i, j):
    """DNKT Eq. 6."""
    return sum(q[min(i, j) : max(i, j) + 1]) - (q[i] + q[j]) / 2


def dw(p, q, i, by_mass):
    """DNKT Eqs. 2, 3 and 6."""
    return sum(
        (mass_between(q, i, j) if by_mass else abs(i - j)) * (p[j] - q[j]) ** 2
        for j in range(len(q))
    )


def od(p, q, by_mass=False):
    """DNKT Eq. 4."""
    star = [i for i in range(len(q)) if q[i] > 0]
    return sum(dw(p, q, i, by_mass) for i in star) / len(star)


def adw(p, q, by_mass=False):
    """DNKT Eq. 7."""
    return sum(dw(p, q, i, by_mass) for i in range(len(q))) / len(q)


def under_the_root(name, p, q):
    """DNKT Eqs. 5, 8 and 10; LQ'21 Eq. 6."""
    if name == "RNSS":
        return sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) / 2
    return {
        "RNOD": lambda: od(p, q),
        "RSNOD": lambda: (od(p, q) + od(q, p)) / 2,
        "RNOD2": lambda: od(p, q, by_mass=True),
        "RNADW": lambda: adw(p, q),
        "RNADW2": lambda: adw(p, q, by_mass=True),
    }[name]() / (len(q) - 1)


def kld(p, m):
    """DNKT Eq. 11."""
    terms = (decimal(a) * decimal(a / b).ln() for a, b in zip(p, m, strict=True) if a > 0)
    return sum(terms, Decimal(0)) / Decimal(2).ln()


def jsd(p, q):
    """DNKT Eq. 12."""
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (kld(p, middle) + kld(q, middle)) / 2


def dnkt(p, q):
    """DNKT Eqs. 13 to 16."""
    pairs = list(itertools.combinations(range(len(q)), 2))
    signs = [((p[i] > p[j]) - (p[i] < p[j]), (q[i] > q[j]) - (q[i] < q[j])) for i, j in pairs]
    conc_minus_disc = sum(a * b for a, b in signs)
    untied, untied_gold = (max(1, sum(pair[k] != 0 for pair in signs)) for k in (0, 1))
    return (1 - conc_minus_disc / Decimal(untied * untied_gold).sqrt()) / 2


@cache
def exact(name, p, q):
    """Score to 50 digits."""
    with localcontext() as context:
        context.prec = DIGITS
        if name in ROOTS:
            return decimal(under_the_root(name, p, q)).sqrt()
        if name == "NMD":  # DNKT Eq. 1
            cumulated = (abs(sum(p[: i + 1]) - sum(q[: i + 1])) for i in range(len(q)))
            return decimal(sum(cumulated) / (len(q) - 1))
        if name == "RPS":
            cumulated = (sum(p[: i + 1]) - sum(q[: i + 1]) for i in range(len(q)))
            return decimal(sum(gap**2 for gap in cumulated) / (len(q) - 1))
        if name == "NVD":  # DNKT Eq. 9
            return decimal(sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2)
        if name == "JSD":
            return jsd(p, q)
        a = dnkt(p, q)
        if name == "DNKT":
            return +a
        b = exact(name.removeprefix("DNKT_"), p, q)  # DNKT Eq. 17
        return 2 * a * b / (a + b) if a + b > 0 else Decimal(0)


# -- equations of counts -------------------------------------------------------------------------


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


def accuracy_1(x):
    return sum(x.c[i][j] for i, j in x.cells if abs(i - j) <= 1) / x.n


def mae_max(x):
    return max(sum(abs(i - j) * x.c[i][j] for i in x.classes) / x.gold[j] for j in x.plus)


COUNTED = {
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
    "accuracy_1": accuracy_1,
    "MAE_max": mae_max,
}


# -- cases ---------------------------------------------------------------------------------------


def few(cells, most):
    """All ways to put 1 to `most` votes or items into so many cells: many scores are equal."""
    ways = itertools.product(range(most + 1), repeat=cells)
    return np.array([way for way in ways if 0 < sum(way) <= most])


def all_pairs(votes):
    first, second = np.indices((len(votes), len(votes))).reshape(2, -1)
    return votes[first], votes[second]


def drawn_votes(classes, topics=60):
    """Sparse, tied and dense pairs; of the last, gold and estimate are close."""
    rng = np.random.default_rng(classes)
    gold = rng.integers(0, [[2], [4], [1000]] * (topics // 3), (topics, classes))
    gold[gold.sum(1) == 0, -1] = 1
    estimate = np.where(rng.random((topics, 1)) < 0.3, gold[:, ::-1], rng.permuted(gold, axis=1))
    estimate[2::6] = gold[2::6]
    estimate[2::6, 0] += 1
    return gold, estimate


def drawn_items(classes, size=60):
    """Sparse and dense matrices, runs that always answer one class, and all of them mirrored."""
    rng = np.random.default_rng(classes)
    cms = rng.integers(0, [[[2]], [[4]], [[300]], [[4]]] * (size // 4), (size, classes, classes))
    cms[3::4, :, 1:] = 0
    cms[cms.sum((1, 2)) == 0, 0, -1] = 1
    return np.concatenate([cms, cms[:, ::-1, ::-1]])


CASES = {
    "quantification": [
        all_pairs(few(3, 3)),
        all_pairs(few(4, 2)),
        *(drawn_votes(classes) for classes in (2, 3, 5, 7)),
    ],
    "classification": [
        (few(4, 6).reshape(-1, 2, 2),),
        (few(9, 2).reshape(-1, 3, 3),),
        *((drawn_items(classes),) for classes in (2, 3, 5, 7)),
    ],
}


def score(name, *case):
    measure = ALL[name]
    return measure(*case, normalise=True) if len(case) > 1 else measure.from_confusion(*case)


def shares(votes):
    return tuple(Fraction(int(v), int(sum(votes))) for v in votes)


def exactly(name, *case):
    if len(case) == 1:
        return COUNTED[name](Counts(*case))
    gold, estimate = case
    return exact(name, shares(estimate), shares(gold))


def assert_same_values_and_ties(scores, exact):
    """Scores are the exact ones but for rounding; equal ones tie, and others do not."""
    exact = [Fraction(score) for score in exact]
    for ours, wanted in zip(scores, exact, strict=True):
        assert abs(wanted - Fraction(float(ours))) < ROUNDING
    keys = [round(wanted * 10**SAME_DIGITS) for wanted in exact]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ties = 0
    for i, j in itertools.pairwise(order):
        if keys[i] == keys[j]:
            ties += 1
            assert abs(scores[j] - scores[i]) <= ROUNDING
        else:
            assert scores[j] - scores[i] > TIE
    assert ties > 0


def test_every_measure_of_labels_has_its_equation():
    assert COUNTED.keys() == CLASSIFICATION.keys()


@EVERY
def test_values_and_ties_are_those_of_exact_arithmetic(name):
    for cases in CASES[ALL[name].kind]:
        wanted = [exactly(name, *case) for case in zip(*cases, strict=True)]
        assert_same_values_and_ties(score(name, *cases), wanted)


@pytest.mark.parametrize("name", ROOTS)
def test_squares_are_the_fractions_under_the_root(name):
    # Relative to the fraction, however small it is: no root of a difference that rounding left.
    gold, estimate = CASES["quantification"][0]
    for q, p, root in zip(gold, estimate, score(name, gold, estimate), strict=True):
        wanted = under_the_root(name, shares(p), shares(q))
        assert abs(Fraction(float(root)) ** 2 - wanted) <= wanted * Fraction(ROUNDING)


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_votes_are_probabilities_and_keep_their_ties_when_printed(name):
    """A quotient of whole numbers is rounded once, so that equal shares are the same float."""
    measure = QUANTIFICATION[name]
    for gold, estimate in CASES["quantification"]:
        voted = score(name, gold, estimate)
        floats = [[[float(v) for v in shares(row)] for row in side] for side in (gold, estimate)]
        np.testing.assert_array_equal(measure(*floats), voted)
        np.testing.assert_array_equal(score(name, 7 * gold, 49 * estimate), voted)
    votes = few(3, 10)
    gold, estimate = all_pairs(votes[votes.sum(1) == 10][::3])
    # Classes of the same share differ in the last bit, as other sums of tenths do.
    noisy = [p + (p > 0) * [1, -1, 2] * np.spacing(p) for p in (gold / 10, estimate / 10)]
    np.testing.assert_allclose(measure(*noisy), score(name, gold, estimate), rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_a_confusion_matrix_is_its_list_of_labels(name):
    """The order of the items is that of a file: no bit depends on it."""
    rng = np.random.default_rng(0)
    for cm in drawn_items(5)[:40]:
        true, pred = np.indices(cm.shape).reshape(2, -1).repeat(cm.ravel(), axis=1)
        order = rng.permutation(len(true))
        assert ALL[name](true[order], pred[order], labels=range(5)) == score(name, cm)


def test_costs_with_a_direction_are_not_reversible():
    upwards = np.array([[0, 1, 2], [2, 0, 1], [4, 2, 0]])  # too low costs twice what too high does
    gold, estimate = [1, 0, 0], [0, 1, 0]
    assert om.rnod(gold, estimate, distance=upwards) ** 2 == pytest.approx(1 / 2)
    assert om.rnod(gold[::-1], estimate[::-1], distance=upwards) ** 2 == pytest.approx(1)
    for cm in ([[1, 1, 0], [0, 1, 0], [0, 0, 2]], [[2, 0, 0], [0, 1, 0], [0, 1, 1]]):
        counts = np.array(cm)
        expected = counts.sum(axis=1) @ upwards @ counts.sum(axis=0) / counts.sum()
        wanted = 1 - (counts * upwards).sum() / expected
        assert om.kappa.from_confusion(cm, weights=upwards) == pytest.approx(wanted, abs=1e-15)
