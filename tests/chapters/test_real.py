"""What data can show: the simulation's truth is known, and the committed figures come from it."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.chapters import real


def test_the_two_measures_have_the_consistency_that_the_simulation_says():
    scores = real.two_measures(np.random.default_rng(0), runs=400, lead=0.1, topics=400)
    tau = ob.ranking_consistency(scores, 10, 200).mean
    assert tau["A"] == pytest.approx(real.BASE, abs=0.02)  # 400 runs: a standard error of .01
    assert tau["A"] - tau["B"] == pytest.approx(0.1, abs=0.02)


def test_the_corrected_test_is_never_surer_than_the_naive_one():
    gaps = np.random.default_rng(0).normal(0.01, 0.1, 1000)
    naive = real.stats.ttest_1samp(gaps, 0).pvalue
    assert real.corrected_p(gaps, 0, 100) == pytest.approx(naive)  # no topic in common
    assert naive < real.corrected_p(gaps, 20, 100) < real.corrected_p(gaps, 100, 100)
    assert real.corrected_p(np.zeros(10), 20, 100) == 1


def test_verdicts_are_those_of_the_general_rule():
    scores = ob.score(ob.load("fair-oq"), ["NMD", "RNOD"])

    def ahead(part):
        tau = real.split_taus(part, None, real.FEWER_SPLITS, 0, threads=1).mean(axis=0)
        return bool(tau[0] > tau[1])

    row = real.verdicts(scores, None, halves=30).loc[("NMD", "RNOD")]
    for over in ("topics", "runs", "both"):
        whole = real.cast_vote(row["lead"] > 0, [True]).value
        halves = real.random_halves(scores, over, 30)
        expected = real.cast_vote(whole > 0, [ahead(half) for half in halves])
        assert row[over] == expected.value


@pytest.mark.slow
def test_committed_figures_are_what_is_computed():
    committed = real.committed()
    row = committed.query("part == 'simulated' and first == '12' and second == '0.05'").iloc[0]
    table = real.simulated(12, 0.05)
    found = (real.significant(table) & np.asarray(table["lead"] > 0)[:, None]).mean()
    for name in real.TESTS:
        assert found[name] == pytest.approx(row[name], abs=0.011), name  # one data set of 100
    scores = real.evidence("fair-oc").scores.select(real.MEASURES["classification"])
    ours = real.verdicts(scores, None)
    theirs = committed[committed["part"] == "fair-oc"]
    for name in real.TESTS[2:]:
        assert (ours[name].to_numpy() == theirs[name].to_numpy()).mean() > 0.97
