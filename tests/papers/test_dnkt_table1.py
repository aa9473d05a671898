"""DNKT Table 1: properties of the measures."""

from ordbook.data.printed import printed_values
from ordbook.papers.claims import PAPER_CLAIMS


def test_the_printed_ticks_are_those_whose_claims_are_checked():
    """tests/papers/test_claims.py holds every claim to the properties, and those to random data."""
    printed = {
        (row[:3], measure): tick
        for row, measure, tick in printed_values("dnkt", "1")[
            ["row", "column", "printed"]
        ].to_numpy()
    }
    words = {"yes": "✓", "no": "blank", "n/a": "N/A"}
    claims = {
        (claim.claim[:3], claim.measure): words[claim.printed]
        for claim in PAPER_CLAIMS
        if (claim.paper, claim.place) == ("dnkt", "Table 1")
    }
    assert printed == claims
    assert len(printed) == 36
