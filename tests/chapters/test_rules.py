"""Findings of the papers as rules: each can be true and false, and verdicts follow the rules."""

from dataclasses import replace

import numpy as np
import pandas as pd

import ordbook as ob
from cases import case
from ordbook.chapters import your_data
from ordbook.chapters.your_data import VERDICTS, claims, constant_runs, examine, verdict
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import BASELINES, Provenance
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

PROVENANCE = Provenance("yours")


def matrix(by_measure, noise=0.0, topics=20, better="low"):
    """Scores with these means, run by run, and some noise."""
    rng = np.random.default_rng(1)
    means = np.array(list(by_measure.values()), dtype=float)
    values = np.repeat(means[:, None, :], topics, axis=1)
    values += noise * rng.standard_normal(values.shape)
    runs = tuple(f"run{k}" for k in range(means.shape[1]))
    names = tuple(by_measure)
    count = tuple(str(k) for k in range(topics))
    return ScoreMatrix("toy", values, names, count, runs, dict.fromkeys(names, better), PROVENANCE)


def stated(**what):
    """An Evidence whose analyses are given."""
    seen = your_data.Evidence(matrix({"X": [1, 2]}))
    for name, value in what.items():
        seen.__dict__[name] = value
    return seen


def taus(names, table):
    square = pd.DataFrame(np.eye(len(names)), index=names, columns=names)
    for (a, b), tau in table.items():
        square.loc[a, b] = square.loc[b, a] = tau
    return square.to_dict()


def answer(rule, seen):
    found = rule.look(seen)
    return None if found is None else found[0]


def test_every_rule_names_measures_of_its_kind_and_says_something():
    for kind, known in (("classification", CLASSIFICATION), ("quantification", QUANTIFICATION)):
        with case(kind):
            rng = np.random.default_rng(0)
            scores = matrix({name: rng.random(6) for name in known}, noise=0.1)
            some = claims(kind)
            assert len({finding.rule.text for finding in some}) >= len(some) - 1
            for finding in some:
                found = finding.rule.look(your_data.Evidence(scores, 50, 100))
                assert found is None or (found[0] in (True, False) and found[1])


def test_rules_about_similarity_turn_where_tau_does():
    close = taus(["a", "b", "c"], {("a", "b"): 0.6, ("a", "c"): 0.7, ("b", "c"): 0.8})
    far = taus(["a", "b", "c"], {("a", "b"): 0.59, ("a", "c"): 0.5, ("b", "c"): 0.8})
    for tau, alike, unlike in ((close, True, False), (far, False, True)):
        seen = stated(tau=tau)
        assert answer(your_data.alike("abc"), seen) is alike
        assert answer(your_data.unlike("a", "bc"), seen) is unlike
    assert answer(your_data.nearer("c", "b", "a"), stated(tau=close))
    assert not answer(your_data.nearer("c", "a", "b"), stated(tau=close))
    # a has the means .65 and .545, b .7 and .695.
    assert your_data.outlier("a", "abc").look(stated(tau=close)) == (True, "a 0.65, next b 0.70")
    assert not answer(your_data.outlier("b", "abc"), stated(tau=close))


def test_an_order_needs_all_pairs_and_a_tie_only_where_it_is_allowed():
    seen = stated(consistency={"a": 0.9, "b": 0.8, "c": 0.8, "d": 0.7})
    order = your_data.order
    assert answer(order("consistency", "ab", "d"), seen)
    assert not answer(order("consistency", "ab", "c"), seen)
    assert answer(order("consistency", "ab", "c", tie=True), seen)
    assert not answer(order("consistency", "ad", "c", tie=True), seen)
    assert order("consistency", "ab", "cd").look(seen)[1] == "b 0.800, c 0.800"
    none = stated(differences={"a": 0, "b": 0})
    assert order("differences", "a", "b", tie=True).look(none) is None, "nothing is found"


def test_a_subset_and_contradictions_are_counted_from_the_overlap():
    def overlap(first, both, agreeing):
        counts = {"first_only": first, "both": both, "second_only": 1, "agreeing": agreeing}
        return {("NMD", m): counts for m in your_data.SIX[1:]}

    found = dict.fromkeys(your_data.SIX, 30) | {"NMD": 10}
    seen = stated(differences=found, overlap=overlap(2, 20, 19))
    assert answer(your_data.no_subset(), seen)
    assert answer(your_data.rare(your_data.SIX), seen)  # exactly 5%
    seen = stated(differences=found, overlap=overlap(0, 20, 18))
    assert not answer(your_data.no_subset(), seen)
    assert not answer(your_data.rare(your_data.SIX), seen)
    most = stated(differences=found | {"NMD": 40}, overlap=overlap(0, 0, 0))
    assert your_data.no_subset().look(most) is None, "no measure finds more"
    assert your_data.rare(your_data.SIX).look(most) is None, "nothing is found"


def test_the_limit_of_rare_holds_in_all_that_lq21_prints():
    for part, table in {"I": "4c", "II": "4e", "III": "4f", "IV": "4g", "V": "4h"}.items():
        against = printed_values("lq21", f"5{part}")["printed"].astype(int).sum()
        both = printed_values("lq21", table)
        both = both.loc[both["column"].str.endswith(" b"), "printed"].astype(int).sum()
        assert 0 < against <= your_data.RARE * both


def test_what_is_counted_is_what_the_analyses_say():
    scores = ob.score(ob.load("fair-oq"))
    seen = your_data.Evidence(scores, 200, 500, 3)
    tests = ob.tukey_hsd(scores, 500, 3)
    found = ob.discriminative_power(tests)["significant"]
    assert seen.differences == {m: found[m] for m in your_data.SIX}
    means = ob.ranking_consistency(scores, None, 200, 3).mean
    assert seen.consistency == means.to_dict()
    assert seen.tau["NMD"]["DNKT"] == ob.ranking_similarity(scores).tau.loc["NMD", "DNKT"]
    some = seen.of_topics([3, 5, 9], 4, 100)
    assert some.scores.topics == tuple(scores.topics[k] for k in (3, 5, 9))
    assert (some.scores["NMD"].to_numpy() == scores["NMD"].iloc[[3, 5, 9]].to_numpy()).all()
    left = seen.without("uniform", 100).scores
    assert (left.means() == scores.means().drop("uniform")).all(axis=None)


def labels(answers, topics=10):
    gold = [["1", "2", "3", "2"]] * topics
    flat = [label for topic in gold for label in topic]
    names = [f"t{k}" for k in range(topics) for _ in gold[0]]
    runs = {name: (list(a) * len(flat))[: len(flat)] for name, a in answers.items()}
    return ob.ClassificationTask.from_labels(flat, runs, names, classes=["1", "2", "3"])


def test_kappa_is_blind_to_constant_runs_and_the_rule_needs_two():
    two = labels({"ones": "1", "twos": "2", "good": "1232", "bad": "3212"})
    assert constant_runs(two) == ("ones", "twos")
    scores = ob.score(two)
    assert answer(your_data.blind(), your_data.Evidence(scores, constant=constant_runs(two)))
    assert your_data.blind().look(your_data.Evidence(scores, constant=("ones",))) is None
    assert not answer(your_data.blind(), your_data.Evidence(scores, constant=("ones", "bad")))


def test_nmd_must_favour_popularity_more_than_all_others():
    uniform, popularity = BASELINES
    better = {m: [0.2, 0.3] for m in your_data.SIX}
    scores = replace(matrix(better | {"NMD": [0.3, 0.2]}), runs=(uniform, popularity))
    seen = your_data.Evidence(scores, baselines=scores)
    assert answer(your_data.popular(), seen)
    other = replace(matrix({m: [0.3, 0.2] for m in your_data.SIX}), runs=(uniform, popularity))
    assert not answer(your_data.popular(), replace(seen, baselines=other))
    assert your_data.popular().look(replace(seen, baselines=None)) is None
    never = replace(matrix({m: [0.2, 0.3] for m in your_data.SIX}), runs=(uniform, popularity))
    assert your_data.popular().look(replace(seen, baselines=never)) is None


JUDGED = [
    (True, 0.95, 1, "holds"),
    (True, 0.94, 1, "cannot be told"),
    (True, 1, 0.9, "cannot be told"),
    (False, 0.05, 0, "does not hold"),
    (False, 0, 0.1, "cannot be told"),
    (None, float("nan"), float("nan"), "cannot be told"),
]


def test_a_verdict_needs_the_whole_the_halves_and_every_run():
    for seen, halves, runs, judged in JUDGED:
        with case(seen, halves, runs, judged):
            assert verdict(seen, halves, runs) == judged


def test_a_clear_task_gives_clear_verdicts_whatever_the_seed():
    """NMD reverses the order of the runs; all others agree, so that NMD is the outlier."""
    steps = np.arange(6.0)
    means = dict.fromkeys(QUANTIFICATION, steps) | {"NMD": -steps}
    scores = matrix(means, noise=0.01)
    gold = np.full((20, 3), 1 / 3)
    task = ob.QuantificationTask.from_arrays(gold, dict.fromkeys(scores.runs, gold))
    for seed in (0, 1):
        found = examine(task, scores, splits=20, trials=500, halves=30, seed=seed)
        judged = found.set_index("says")["verdict"]
        assert judged["NMD is an outlier among the six measures"] == "holds"
        assert judged["contradictions are very rare"] == "does not hold"
        assert judged["DNKT is the clear outlier measure"] == "does not hold"
        assert set(judged) <= set(VERDICTS)


def test_nothing_is_judged_with_too_few_runs_or_topics():
    scores = ob.score(ob.load("fair-oq"))
    few = replace(scores, values=scores.values[:, :, :3], runs=scores.runs[:3])
    short = replace(scores, values=scores.values[:, :7], topics=scores.topics[:7])
    for one in (few, short):
        found = examine(ob.load("stc3-dq-a"), one)
        assert set(found["verdict"]) == {"cannot be told"}
        assert set(found["seen"]) == {"fewer than 4 runs or 8 topics"}


def test_the_same_seed_gives_the_same_table():
    task = ob.load("fair-oc")
    one, two = (examine(task, ob.score(task), halves=5, trials=500, seed=7) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
