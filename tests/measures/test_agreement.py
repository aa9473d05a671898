"""Ours against SciPy, scikit-learn, QuaPy, mlquantify and krippendorff, on the same inputs.

The comparisons are those of `benchmarks.agreement`, which the book shows. Where definitions
coincide values agree to 1e-12: both sides sum a handful of terms of size 1, so rounding is of
the order 1e-15 (1e-14 for sums of logarithms), and another definition is off by far more.
"""

import dataclasses
from types import SimpleNamespace

import pytest

from ordbook.measures import CLASSIFICATION, QUANTIFICATION

pytestmark = pytest.mark.slow
TOLERANCE = 1e-12


@pytest.fixture(scope="module")
def other():
    """What `benchmarks` compares, with other libraries, which take a while to import."""
    from benchmarks import agreement

    assert agreement.TOLERANCE == TOLERANCE
    return SimpleNamespace(
        differences=agreement.differences,
        comparisons=agreement.comparisons(),
        inputs=agreement.inputs(repeats=12),
    )


def test_same_definition_same_value(other):
    for comparison in (c for c in other.comparisons if c.same):
        available = other.inputs[comparison.on]
        cases, largest = other.differences(comparison, available)
        assert largest <= TOLERANCE, comparison
        assert cases >= len(available) / 3
        assert not comparison.where or "where" in comparison.note.lower()


def test_every_measure_with_an_independent_implementation_is_compared(other):
    compared = {c.measure for c in other.comparisons if c.same}
    assert compared == {*QUANTIFICATION, *CLASSIFICATION, "MD", "KLD"} - {"CEM_ORD"}


def test_an_error_of_1e_11_is_noticed(other):
    for comparison in (c for c in other.comparisons if c.same):
        wrong = dataclasses.replace(comparison, theirs=f"{comparison.theirs} + 1e-11")
        _, largest = other.differences(wrong, other.inputs[comparison.on][:200])
        assert not largest <= TOLERANCE, comparison
