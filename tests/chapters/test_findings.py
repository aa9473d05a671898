"""The findings: leads and answers are those of the data, and claims name known measures."""

import numpy as np
import pandas as pd
import pytest

import findings as procedure
from ordbook.advice.sources import sources
from ordbook.chapters import findings
from ordbook.data.printed import SIX, printed_values


def test_every_comparison_is_estimated_on_every_source_of_its_kind():
    for kind in findings.KINDS:
        for place in findings.asked(kind):
            rows = findings.by_source(kind, *place)
            assert [*rows.index] == [*sources(kind)], place
            assert (rows["error"] > 0).all(), place


@pytest.mark.slow
def test_all_committed_estimates_and_answers_are_what_is_computed(raw_files):
    for kind in findings.KINDS:
        for source in sources(kind):
            agree(kind, source)
    computed, committed = procedure.compute_answers(), findings.committed_table("answers")
    assert (
        committed["true"].map(str).tolist()
        == computed["true"].map(lambda true: "nan" if true is None else str(true)).tolist()
    )
    numbers = ["value", "limit"]
    np.testing.assert_allclose(committed[numbers], computed[numbers], rtol=1e-5)


def agree(kind, source):
    computed = pd.DataFrame(procedure.compute_source(kind, source))
    committed = findings.committed_table("estimates").query("kind == @kind and source == @source")
    names = ["quantity", "first", "second"]
    assert committed[names].to_numpy().tolist() == computed[names].to_numpy().tolist()
    numbers = ["lead", "topics", "runs"]
    np.testing.assert_allclose(committed[numbers], computed[numbers], rtol=1e-5, atol=1e-9)


def test_answers_of_a_source_by_hand():
    """The survey: its constant runs, its contradictions, and tau between its two groups."""
    answers = procedure.answers("classification", ["fair-oc"])
    committed = findings.committed_answers().query("kind == 'classification'")
    survey = committed[committed["source"] == "survey"].set_index("key")
    assert {key: answer[0] for key, answer in answers.items()} == survey["true"].to_dict()
    assert answers["kappa"][:2] == (True, pytest.approx(0, abs=1e-12))
    against, common = answers["rare"][1:]
    counts = procedure.overlaps("fair-oc")
    assert (against, common) == (counts["against"].sum(), counts["both"].sum())
    assert (counts["only"] + counts["both"] == counts["first"]).all()


def test_a_contrast_is_the_difference_of_what_it_names():
    measures = ["a", "b", "c"]
    numbers = np.arange(18.0).reshape(3, 6)
    lead = procedure.contrast("power", "c", "a", measures)
    assert lead(numbers) == numbers[2, 2] - numbers[0, 2]
    lead = procedure.contrast("tau with b", "a c", "c", measures)
    assert lead(numbers) == (numbers[0, 4] - numbers[2, 4]) / 2
    like = procedure.contrast("likeness of six", "NMD", "JSD", SIX)
    numbers = np.random.default_rng(0).random((6, 9))
    tau = pd.DataFrame(numbers[:, 3:], SIX, SIX)
    mean = {m: tau.loc[m].drop(m).mean() for m in SIX}
    assert like(numbers) == pytest.approx(mean["NMD"] - mean["JSD"])


def test_a_claim_is_as_strong_as_its_weakest_comparison():
    leads = findings.differences()
    order = leads.loc[("quantification", "order")]
    (claim,) = (claim for claim in findings.claims("quantification") if claim.key == "order")
    effects = [findings.together(claim.kind, claim.quantity, *pair) for pair in claim.comparisons]
    means = [both["mean"] for both in effects]
    assert (order["joined"], order["mean"]) == (8, min(means))


def test_the_limit_of_rare_holds_in_all_that_lq21_prints():
    for part, table in {"I": "4c", "II": "4e", "III": "4f", "IV": "4g", "V": "4h"}.items():
        against = printed_values("lq21", f"5{part}")["printed"].astype(int).sum()
        both = printed_values("lq21", table)
        both = both.loc[both["column"].str.endswith(" b"), "printed"].astype(int).sum()
        assert 0 < against <= procedure.RARE * both
