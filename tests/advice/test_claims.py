"""The papers' claims as rules: each can be true and false, and says nothing where it cannot."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.advice import claims
from ordbook.advice.evidence import Evidence
from ordbook.advice.sources import MEASURES
from ordbook.data.checking import constant_runs
from ordbook.data.printed import SIX, printed_values
from ordbook.data.tasks import BASELINES
from ordbook.measures import QUANTIFICATION


def means(by_measure, noise=0.0, better="low"):
    """Scores of twenty topics with these means, run by run, and some noise."""
    values = np.repeat(np.array([*by_measure.values()], dtype=float)[:, None, :], 20, axis=1)
    values += noise * np.random.default_rng(1).standard_normal(values.shape)
    return matrix(values, dict.fromkeys(by_measure, better))


def stated(**analyses):
    """An Evidence whose analyses are given."""
    seen = Evidence(means({"X": [1, 2]}))
    seen.__dict__.update(analyses)
    return seen


def truth(look):
    return None if look is None else look.true


@pytest.mark.parametrize("kind", MEASURES)
def test_every_rule_looks_at_measures_of_its_kind(kind):
    rng = np.random.default_rng(0)
    seen = Evidence(means({name: rng.random(6) for name in MEASURES[kind]}, 0.1), 50, 100)
    for claim in claims.claims(kind):
        look = claim.rule(seen)
        assert look is None or (look.true in (True, False) and look.text)


def test_rules_about_similarity_turn_where_tau_does():
    def taus(ab, ac, bc):
        return {"a": {"b": ab, "c": ac}, "b": {"a": ab, "c": bc}, "c": {"a": ac, "b": bc}}

    close, far = stated(tau=taus(0.6, 0.7, 0.8)), stated(tau=taus(0.59, 0.5, 0.8))
    assert claims.alike(close, "abc").true
    assert not claims.alike(far, "abc").true
    assert not claims.unlike(close, "a", "bc").true
    assert not claims.unlike(far, "a", "bc", 0.59).true
    assert claims.unlike(far, "a", "bc").true
    assert claims.nearer(close, "c", "b", "a").true
    assert not claims.nearer(close, "c", "a", "b").true
    assert claims.outlier(close, "a", "abc") == claims.Look((True, True), "a 0.65, next b 0.70")
    assert not claims.outlier(close, "b", "abc").true


def test_rsnod_must_lie_between():
    nominal = dict.fromkeys(claims.NOMINAL, 0.8)
    for middle, expected in ((0.7, True), (0.8, False), (0.6, False)):
        tau = {"RSNOD": nominal | {"NMD": middle}, "NMD": dict.fromkeys(claims.NOMINAL, 0.6)}
        assert claims.between(stated(tau=tau)).true is expected


def test_an_order_needs_all_pairs_and_a_tie_only_where_it_is_allowed():
    seen = stated(consistency={"a": 0.9, "b": 0.8, "c": 0.8, "d": 0.7})
    order = partial(claims.order, seen, "consistency")
    assert order("ab", "d").true
    assert not order("ab", "c").true
    assert order("ab", "c", tie=True).true
    assert not order("ad", "c", tie=True).true
    assert order("ab", "cd").text == "b 0.800, c 0.800"
    none = stated(differences={"a": 0, "b": 0})
    assert claims.order(none, "differences", "a", "b", tie=True) is None, "there is no difference"


def test_half_of_the_topics_must_beat_ten_by_every_measure():
    seen = stated(consistency={"a": 0.9, "b": 0.8})
    for ten, expected in (({"a": 0.7, "b": 0.79}, True), ({"a": 0.8, "b": 0.7}, False), ({}, None)):
        seen.__dict__["ten"] = ten  # empty with fewer than twenty topics
        assert truth(claims.topics_make_up(seen, "ab")) is expected


def test_a_subset_and_contradictions_are_counted_from_the_overlap():
    def overlap(first, both, agreeing):
        counts = {"first_only": first, "both": both, "second_only": 1, "agreeing": agreeing}
        return {("NMD", m): counts for m in SIX[1:]}

    fewer = dict.fromkeys(SIX, 30) | {"NMD": 10}
    seen = stated(differences=fewer, overlap=overlap(2, 20, 19))
    assert truth(claims.no_subset(seen))
    assert truth(claims.rare(seen, SIX))  # exactly 5%
    seen = stated(differences=fewer, overlap=overlap(0, 20, 18))
    assert not truth(claims.no_subset(seen))
    assert not truth(claims.rare(seen, SIX))
    most = stated(differences=fewer | {"NMD": 40}, overlap=overlap(0, 0, 0))
    assert claims.no_subset(most) is None, "no measure has more"
    assert claims.rare(most, SIX) is None, "there is no difference"


def test_the_limit_of_rare_holds_in_all_that_lq21_prints():
    for part, table in {"I": "4c", "II": "4e", "III": "4f", "IV": "4g", "V": "4h"}.items():
        against = printed_values("lq21", f"5{part}")["printed"].astype(int).sum()
        both = printed_values("lq21", table)
        both = both.loc[both["column"].str.endswith(" b"), "printed"].astype(int).sum()
        assert 0 < against <= claims.RARE * both


def test_the_evidence_is_what_the_analyses_say():
    scores = ob.score(ob.load("fair-oq"))
    seen = Evidence(scores, 200, 500, 3)
    tests = ob.tukey_hsd(scores, 500, 3)
    significant = ob.discriminative_power(tests)["significant"]
    assert seen.differences == {m: significant[m] for m in SIX}
    overlap = ob.significance_overlap(tests).loc[("NMD", "RNOD")]
    assert seen.overlap["NMD", "RNOD"] == overlap[[*seen.overlap["NMD", "RNOD"]]].to_dict()
    # The sums of tau are taken in another order.
    for consistency, size in ((seen.consistency, None), (seen.ten, 10)):
        mean = ob.ranking_consistency(scores, size, 200, 3).mean
        assert consistency == pytest.approx(mean.to_dict(), abs=1e-12)
    assert seen.tau["NMD"]["DNKT"] == ob.ranking_similarity(scores).tau.loc["NMD", "DNKT"]


def test_kappa_is_blind_to_constant_runs_and_the_rule_needs_two():
    gold = ["1", "2", "3", "2"] * 10
    answers = {"ones": "1111", "twos": "2222", "good": "1232", "bad": "3212"}
    runs = {run: list(labels) * 10 for run, labels in answers.items()}
    topics = [f"t{k // 4}" for k in range(40)]
    task = ob.ClassificationTask.from_labels(gold, runs, topics, classes=["1", "2", "3"])
    assert constant_runs(task) == ("ones", "twos")
    seen = Evidence(ob.score(task), constant=("ones", "twos"))
    assert truth(claims.blind(seen))
    assert claims.blind(replace(seen, constant=("ones",))) is None
    assert not truth(claims.blind(replace(seen, constant=("ones", "bad"))))


def test_nmd_must_favour_popularity_more_than_all_others():
    def baselines(**uniform_and_popularity):
        by_measure = {name: [0.2, 0.3] for name in SIX} | uniform_and_popularity
        scores = replace(means(by_measure), runs=tuple(BASELINES))
        return Evidence(scores, baselines=scores)

    assert claims.popular(baselines(NMD=[0.3, 0.2])).true
    assert not claims.popular(baselines(NMD=[0.3, 0.2], JSD=[0.3, 0.2])).true
    assert claims.popular(baselines()) is None, "no measure favours it"
    assert claims.popular(replace(baselines(), baselines=None)) is None


def test_a_clear_task_gives_clear_verdicts_whatever_the_seed():
    """NMD reverses the order of the runs; all others agree, so that NMD is the outlier."""
    steps = np.arange(8.0)
    scores = means(dict.fromkeys(QUANTIFICATION, steps) | {"NMD": -steps}, noise=0.01)
    gold = np.full((20, 3), 1 / 3)
    runs = dict.fromkeys(scores.runs, gold)
    task = ob.QuantificationTask.from_arrays(gold, runs, topics=scores.topics)
    for seed in (0, 1):
        verdicts = claims.judge_claims(task, scores, halves=20, seed=seed).set_index("says")
        for over in ("topics", "both"):
            votes = verdicts[over].map(lambda vote: vote.value)
            assert votes["NMD is an outlier among the six measures"] == 1
            assert votes["contradictions are very rare"] == -1
            assert votes["DNKT is the clear outlier measure"] == -1
