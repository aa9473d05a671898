"""Scores held against exact arithmetic.

Rounding leaves about 1e-15 of scores of size 1; 1e-12 is what counts as a tie everywhere. Roots and
logarithms are taken to 50 digits, so that two scores are equal where 40 of them agree.
"""

import itertools
from fractions import Fraction

ROUNDING, TIE = 4e-15, 1e-12
DIGITS, SAME_DIGITS = 50, 40


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
