"""SIGIR'18 Table 1: tau and its limits over pairs of artificial distributions."""

from functools import partial

import pytest

from ordbook.data.printed import printed_values
from ordbook.meta.artificial import MEASURES, artificial_table
from ordbook.meta.seeds import over_seeds
from ordbook.papers.sigir18 import trend

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def spreads():
    return {classes: over_seeds(partial(artificial_table, classes), 300) for classes in (3, 5, 7)}


@pytest.mark.parametrize("table", ["1a", "1b"])
def test_a_value_of_the_other_half_does_not(spreads, table):
    """Otherwise the ranges would be too wide to say anything."""
    values = printed_values("sigir18", table)[["row", "column", "printed"]].to_numpy()
    other = spreads[7 if table == "1a" else 3]
    outside = [(row, column) for row, column, text in values if not other[row, column].holds(text)]
    assert len(outside) == 30


@pytest.mark.parametrize("classes", [3, 5, 7])
def test_the_order_of_the_groups_is_no_accident(spreads, classes):
    taus = {
        (row, column): spread.values
        for (row, column), spread in spreads[classes].items()
        if column in MEASURES
    }
    assert trend(taus).mean() > 0.9
