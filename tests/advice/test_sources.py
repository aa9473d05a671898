"""Claims and the votes of sources: symmetric, independent, and as committed."""

from dataclasses import replace

import pandas as pd
import pytest

from ordbook.advice import sources
from ordbook.advice.claims import Look, claims, votes
from ordbook.meta.halves import majority


def single(rule):
    """Join the comparisons of a rule into one."""

    def look(seen):
        answer = rule(seen)
        return answer and Look((answer.true,), answer.text)

    return look


def opposite(rule):
    """Return the negation of a rule, as one comparison."""

    def look(seen):
        answer = rule(seen)
        return answer and Look((not answer.true,), answer.text)

    return look


def test_the_negation_of_every_comparison_has_the_opposite_vote():
    for kind, name in (("quantification", "fair-oq"), ("classification", "fair-oc")):
        known = claims(kind)
        whole = replace(sources.evidence(name), splits=50, trials=200)
        for over in ("topics", "both"):
            cast = votes([single(claim.rule) for claim in known], whole, over, None, 20)
            negated = votes([opposite(claim.rule) for claim in known], whole, over, None, 20)
            assert any(vote.value for _, vote in cast)
            for claim, (_, vote), (_, other) in zip(known, cast, negated, strict=True):
                assert other.value == -vote.value, claim.text


def test_a_claim_of_several_comparisons_is_denied_by_one_and_the_same_alone():
    whole = replace(sources.evidence("fair-oq"), splits=50, trials=200)

    def odd(seen):
        return seen.scores.topics[0] == whole.scores.topics[0]

    in_turn, always_second, never = (
        lambda seen: Look((odd(seen), not odd(seen)), ""),
        lambda seen: Look((odd(seen), False), ""),
        lambda seen: Look((True, True), ""),
    )
    cast = votes([in_turn, always_second, never], whole, halves=20)
    assert [vote.value for _, vote in cast] == [0, -1, 1]


def test_every_set_with_a_source_votes_on_every_claim_of_its_kind():
    committed = sources.committed_votes()
    for kind in sources.MEASURES:
        names = [name for sets in sources.sources(kind).values() for name in sets]
        rows = committed[committed["kind"] == kind].groupby(["set", "over"])["claim"]
        expected = {(name, over) for name in names for over in ("topics", "both")}
        assert set(rows.groups) == expected | {("papers", ""), ("all", "")}
        assert (rows.nunique() == len(claims(kind))).all()


def test_a_source_with_several_sets_has_one_vote():
    table = sources.by_source("quantification", "topics")
    committed = sources.committed_votes().query("kind == 'quantification' and over == 'topics'")
    dialogues = committed[committed["set"].str.startswith("stc3")]
    for claim, rows in dialogues.groupby("claim"):
        assert table.loc[claim, "dialogues"] == majority([int(v) for v in rows["vote"]])


def recomputed(kind, name):
    rows = pd.DataFrame(sources.compute_votes(kind, name)).set_index(["claim", "over"])
    committed = sources.committed_votes().query("set == @name").set_index(["claim", "over"])
    return rows, committed.loc[rows.index]


def test_committed_votes_are_what_is_computed():
    rows, committed = recomputed("classification", "fair-oc")
    assert rows["vote"].tolist() == committed["vote"].astype(int).tolist()
    pd.testing.assert_series_equal(rows["share"], committed["share"], atol=0.011)  # two halves


@pytest.mark.slow
def test_all_committed_votes_are_what_is_computed(raw_files):
    for kind in sources.MEASURES:
        for names in sources.sources(kind).values():
            for name in names:
                rows, committed = recomputed(kind, name)
                pd.testing.assert_series_equal(rows["share"], committed["share"], atol=0.011)
