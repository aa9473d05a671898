"""ACL'21 Table 9: system ranking consistency in ordinal quantification."""

import pytest

import ordbook as ob
from ordbook.data.printed import DISTRIBUTIONS
from ordbook.papers.acl21 import consistency_over_seeds


@pytest.mark.slow
@pytest.mark.parametrize(("table", "size"), [("9i left", None), ("9i right", 10)])
def test_the_public_parts_lie_within_monte_carlo_error(table, size, committed):
    scores = committed("sem16t4e").select(DISTRIBUTIONS)
    ours = consistency_over_seeds(scores, size, 1000, 1000)
    compared = ob.compare("acl21", table, ours)
    assert compared.counts() == {"consistent": 2, "within chance": 13}
