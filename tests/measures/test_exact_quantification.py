"""The quantification measures in exact arithmetic: the same values, and the same ties.

The equations are written here with ``fractions``.
"""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import ordbook.measures as om
from helpers.exact import DIGITS, ROUNDING, assert_same_values_and_ties
from ordbook.measures import QUANTIFICATION

ROOTS = ["RNOD", "RSNOD", "RNOD2", "RNADW", "RNADW2", "RNSS"]


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


# -- the equations; p is the system's distribution and q the gold one, as in the papers ---------


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


# -- votes -------------------------------------------------------------------------------------


def few_votes(classes, most):
    """All distributions of 1 to `most` votes over the classes: many scores are equal."""
    votes = [v for v in itertools.product(range(most + 1), repeat=classes) if 0 < sum(v) <= most]
    return np.array(votes)


def drawn_votes(classes, topics=60):
    """Sparse, tied and dense pairs; of the last, gold and estimate are close."""
    rng = np.random.default_rng(classes)
    gold = rng.integers(0, [[2], [4], [1000]] * (topics // 3), (topics, classes))
    gold[gold.sum(1) == 0, -1] = 1
    estimate = np.where(rng.random((topics, 1)) < 0.3, gold[:, ::-1], rng.permuted(gold, axis=1))
    estimate[2::6] = gold[2::6]
    estimate[2::6, 0] += 1
    return gold, estimate


def shares(votes):
    return tuple(Fraction(int(v), int(sum(votes))) for v in votes)


def exact_scores(name, gold, estimate):
    return [exact(name, shares(p), shares(q)) for q, p in zip(gold, estimate, strict=True)]


def all_pairs(votes):
    first, second = np.indices((len(votes), len(votes))).reshape(2, -1)
    return votes[first], votes[second]


TASKS = {
    "three classes, up to 3 votes": all_pairs(few_votes(3, 3)),
    "four classes, up to 2 votes": all_pairs(few_votes(4, 2)),
    **{f"{classes} classes": drawn_votes(classes) for classes in (2, 3, 5, 7)},
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", QUANTIFICATION)
def test_values_and_ties_are_those_of_exact_arithmetic(name, task):
    gold, estimate = TASKS[task]
    found = QUANTIFICATION[name](gold, estimate, normalise=True)
    assert_same_values_and_ties(found, exact_scores(name, gold, estimate))


@pytest.mark.parametrize("name", ROOTS)
def test_squares_are_the_fractions_under_the_root(name):
    # Relative to the fraction, however small it is: no root of a difference that rounding left.
    gold, estimate = all_pairs(few_votes(3, 3))
    found = QUANTIFICATION[name](gold, estimate, normalise=True)
    for q, p, score in zip(gold, estimate, found, strict=True):
        wanted = under_the_root(name, shares(p), shares(q))
        assert abs(Fraction(float(score)) ** 2 - wanted) <= wanted * Fraction(ROUNDING)


# -- votes are probabilities -------------------------------------------------------------------


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_votes_are_probabilities_to_the_bit(name):
    # A quotient of whole numbers is rounded once, so equal shares are the same float.
    f = QUANTIFICATION[name]
    for gold, estimate in TASKS.values():
        voted = f(gold, estimate, normalise=True)
        probabilities = [
            np.array([[float(share) for share in shares(row)] for row in votes])
            for votes in (gold, estimate)
        ]
        np.testing.assert_array_equal(f(*probabilities), voted)
        np.testing.assert_array_equal(f(7 * gold, 49 * estimate, normalise=True), voted)


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_printed_probabilities_keep_the_ties_of_the_votes(name):
    # Classes of the same share differ in the last bit, as other sums of tenths do.
    votes = few_votes(3, 10)
    votes = votes[votes.sum(1) == 10]
    gold, estimate = all_pairs(votes[::3])
    tenths = gold / 10, estimate / 10
    noisy = [p + (p > 0) * [1, -1, 2] * np.spacing(p) for p in tenths]
    f = QUANTIFICATION[name]
    np.testing.assert_allclose(f(*noisy), f(gold, estimate, normalise=True), rtol=0, atol=ROUNDING)


# -- the scale reversed ------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_reversed_scales_score_and_tie_as_before(name):
    for gold, estimate in TASKS.values():
        there, back = (
            QUANTIFICATION[name](gold[:, s], estimate[:, s], normalise=True)
            for s in (slice(None), slice(None, None, -1))
        )
        np.testing.assert_allclose(there, back, rtol=0, atol=ROUNDING)


def test_a_distance_with_a_direction_is_not_reversible():
    upwards = [[0, 1, 2], [2, 0, 1], [4, 2, 0]]  # too low costs twice as much as too high
    gold, estimate = [1, 0, 0], [0, 1, 0]
    assert om.rnod(gold, estimate, distance=upwards) ** 2 == pytest.approx(1 / 2)
    assert om.rnod(gold[::-1], estimate[::-1], distance=upwards) ** 2 == pytest.approx(1)
