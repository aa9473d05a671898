"""LQ'21 Table 4(a): how many differences two measures both find on Sem16T4E, for many seeds."""

import pytest

import ordbook as ob
from ordbook.data.printed import SIX
from ordbook.papers.lq21 import lq21_tests


@pytest.mark.slow
def test_every_printed_overlap_is_among_those_of_our_seeds(committed):
    found = lq21_tests(committed("sem16t4e").select(list(SIX)), 100)
    ours = {(cell.row, cell.column): each for cell, each in found.items() if cell.table == "4a"}
    assert ob.compare("lq21", "4a", ours).summary() == "60 of 60 within chance"
