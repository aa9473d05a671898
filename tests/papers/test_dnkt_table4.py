"""DNKT Table 4: average similarity with the other measures, from Table 3."""

import pytest

import ordbook as ob
from ordbook.data.printed import NINE


def averages(scores, digits):
    similarity = ob.ranking_similarity(scores, NINE)
    return {(name, "average"): value for name, value in similarity.averages(digits).items()}


def test_all_averages_come_out(committed):
    found = averages(committed("sem16t4e"), digits=3)
    assert ob.compare("dnkt", "4", found).counts() == {"recomputed": 9}


def test_one_comes_out_only_from_the_printed_correlations(committed):
    with pytest.raises(ValueError, match="DNKT, average: printed 0.599, ours 0.598"):
        ob.compare("dnkt", "4", averages(committed("sem16t4e"), digits=None))
