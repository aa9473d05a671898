"""ACL'21 Table 3: system ranking consistency in ordinal classification."""

import pytest

import ordbook as ob
from ordbook.measures.registry import of_paper
from ordbook.papers.acl21 import consistency_over_seeds

NINE = of_paper("acl21", "classification")


@pytest.mark.slow
@pytest.mark.parametrize(("table", "size"), [("3a", None), ("3b", 10)])
def test_the_public_parts_lie_within_monte_carlo_error(table, size, committed):
    """Nine means, nine symbols and V_E2; the two sizes are no random numbers."""
    scores = committed("sem16t4c").select(NINE)
    ours = consistency_over_seeds(scores, size, 1000, 1000)
    compared = ob.compare("acl21", table, ours)
    assert compared.counts() == {"consistent": 2, "within chance": 19}
