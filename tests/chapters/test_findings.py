"""The findings: outcomes follow from the votes of sources, numbers from the committed text."""

import numpy as np
import pytest

from ordbook.advice.sources import by_source, committed_votes
from ordbook.chapters import findings
from ordbook.meta.halves import majority


def test_an_outcome_is_the_majority_of_the_sources():
    summary = findings.summary()
    assert {*summary["topics"]} == {1, 0, -1}
    for kind, part in summary.groupby("kind"):
        for over in ("topics", "both"):
            votes = by_source(kind, over)
            expected = [majority(row.tolist()) for _, row in votes.iterrows()]
            assert part[over].tolist() == expected, (kind, over)
            assert (part["asked"] < len(votes.columns)).all(), "some have too few teams"


def test_a_claim_is_asked_as_it_is_stated():
    claims = findings.summary().loc["quantification"].set_index("key")
    assert claims.loc["ten", "stated"] == "average"
    assert claims.loc["ten", ["papers", "all"]].all(), "although the stories say the opposite"
    assert claims.loc["alike", "papers seen"] == "true of 5 of 5 data sets"


def test_numbers_of_a_claim_are_those_of_the_committed_votes():
    rare = findings.claim_numbers("classification", "labels", r"(?P<against>\d+) of (?P<all>\d+)")
    seen = committed_votes().query("set == 'fair-oc' and over == 'both'")["seen"]
    against, both = rare.loc["fair-oc", ["against", "all"]].astype(int)
    assert f"{against} of {both}" in set(seen)
    assert rare.loc[["hanna-RE", "hanna-CX"], "source"].tolist() == ["stories"] * 2


def test_a_set_with_few_teams_has_no_firm_vote_over_runs():
    firm = findings.firm_votes().astype(float)
    assert np.isnan(firm.loc[("quantification", "stc3-dq-a"), "both"])
    assert (firm["topics"] <= firm["claims"]).all()
    tweets = firm.loc[("quantification", "sem16t4e")]
    assert 0 < tweets["both"] < tweets["topics"]


def test_a_mark_tells_topics_from_topics_and_runs():
    panel = findings.claim_numbers("quantification", "rare", r"(?P<value>\d+) of \d+")
    figure = findings.strips({"shares": panel}, "contradictions", line=5)
    drawn = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    filled = [line for line in drawn if line.get_markerfacecolor() == line.get_markeredgecolor()]
    assert (len(drawn), len(filled)) == (len(panel), panel["both"].sum())


def test_eight_claims_are_drawn_with_one_mark_for_each_source():
    axes = findings.eight(findings.summary())
    rows = [[line for line in axes.lines if line.get_ydata()[0] == y] for y in range(8)]
    # A square, and a mark for each source of distributions or of labels.
    assert [len(row) - 1 for row in rows] == [6] * 7 + [5]
    assert [text.get_text() for text in axes.texts[2::3]].count("cannot be told") == 4


def test_the_seed_is_a_whole_number():
    with pytest.raises(ValueError, match="seed must be a whole number"):
        findings.start("x")
