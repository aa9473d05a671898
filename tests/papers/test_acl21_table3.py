"""ACL'21 Table 3: system ranking consistency in ordinal classification."""

import pytest

import ordbook as ob
from ordbook.measures.registry import of_paper
from ordbook.meta.seeds import over_seeds
from ordbook.papers.acl21 import consistency_over_seeds, printed_means

NINE = of_paper("acl21", "classification")


@pytest.mark.slow
@pytest.mark.parametrize(("table", "size"), [("3a", None), ("3b", 10)])
def test_the_public_parts_lie_within_monte_carlo_error(table, size, committed):
    """Nine means, nine symbols and V_E2; the two sizes are no random numbers."""
    scores = committed("sem16t4c").select(NINE)
    ours = consistency_over_seeds(scores, size, 1000, 1000)
    compared = ob.compare("acl21", table, ours)
    assert compared.counts() == {"consistent": 2, "within chance": 19}


@pytest.mark.slow
def test_part_a_does_not_come_out_from_samples_of_25(committed):
    scores = committed("sem16t4c").select(NINE)
    found = over_seeds(lambda seed: ob.ranking_consistency(scores, 25, seed=seed).mean, 100)
    printed = printed_means("3a")
    assert not any(found[measure].holds(f"{tau:.3f}") for measure, tau in printed.items())


@pytest.mark.slow
def test_the_effect_size_of_the_caption(committed):
    """'(0.962 - 0.806)/sqrt(0.00211) = 3.40': from the printed values, and within ours."""
    assert f"{(0.962 - 0.806) / 0.00211**0.5:.2f}" == "3.40"
    scores = committed("sem16t4c").select(NINE)
    found = over_seeds(
        lambda seed: {
            "ES": ob.ranking_consistency(scores, seed=seed)
            .effect_size()
            .loc["alpha_ord", "CEM_ORD"]
        },
        200,
    )
    assert found["ES"].holds("3.40")
