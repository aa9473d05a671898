"""Discriminative power, overlaps and contradictions: LQ'21's arithmetic and plain loops."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.discrimination import (
    contradictions,
    discriminative_power,
    p_curves,
    pairs_in_doubt,
    pooled_discriminative_power,
    significance_overlap,
)
from ordbook.meta.parametric import parametric_tukey_hsd
from ordbook.meta.significance import SignificanceTests, tukey_hsd


def fake(p, means, better, trials=5000, task="toy", method="randomised"):
    """Results of significance tests: p by measure over pairs, means by measure over runs."""
    runs = [f"r{i}" for i in range(len(next(iter(means.values()))))]
    table = pd.DataFrame(means, runs, dtype=float)
    none = pd.Series(0.0, table.columns)
    pairs = pd.MultiIndex.from_tuples(combinations(runs, 2), names=["first", "second"])
    return SignificanceTests(
        task=task,
        measures=tuple(p),
        runs=tuple(runs),
        topics=100,
        trials=pd.Series(trials, table.columns),
        seed=0,
        method=method,
        p=pd.DataFrame(p, pairs, dtype=float),
        means=table,
        better=better,
        v_e1=none,
        v_e2=none,
        oriented=table / table.abs().max() * [1 if better[m] == "high" else -1 for m in table],
    )


def with_counts(a, b, c, contradicting, runs):
    """Two measures with a, b, c significant pairs, `contradicting` of the b the wrong way round."""
    pairs = list(combinations(range(runs), 2))
    order = -np.arange(runs, dtype=float)  # x is better high: every first run wins
    second = order.copy()
    clashes = set()
    for k in range(runs - 1):  # swap neighbours in y: each swap turns one pair round
        if len(clashes) < contradicting and k % 2 == 0:
            second[[k, k + 1]] = second[[k + 1, k]]
            clashes.add(pairs.index((k, k + 1)))
    assert len(clashes) == contradicting
    rest = [k for k in range(len(pairs)) if k not in clashes]
    both = [*clashes, *rest[: b - contradicting]]
    rest = rest[b - contradicting :]
    x = np.full(len(pairs), 0.8)
    y = x.copy()
    x[both] = y[both] = 0.01
    x[rest[:a]] = 0.01
    y[rest[a : a + c]] = 0.01
    return fake({"x": x, "y": y}, {"x": order, "y": second}, {"x": "high", "y": "high"})


LQ21_TABLE_3_SEM16T4E = {"NMD": 38, "RSNOD": 32, "RNOD": 35, "NVD": 31, "RNSS": 37, "JSD": 32}


def test_lq21_overlap_without_contradictions():
    """STC-3 DQ-A, NMD and RNOD: 3/68/0 is 95.8%, and 64/(3 + 64 + 0) = 95.5% without the 4."""
    tests = with_counts(3, 68, 0, 4, runs=13)
    found = significance_overlap(tests).loc[("x", "y")]
    assert f"{100 * found['overlap']:.1f}" == "95.8"
    assert found["agreeing"] == 64
    assert f"{100 * found['overlap_agreeing']:.1f}" == "95.5"
    listed = contradictions(tests)
    assert len(listed) == 4
    assert listed["better"].tolist() == ["r0", "r2", "r4", "r6"]
    assert listed["worse"].tolist() == ["r1", "r3", "r5", "r7"]


def test_directions_of_the_scales_count():
    """y is better high: where its means run the other way, both prefer the same runs."""
    p = {"x": [0.01, 0.01, 0.5], "y": [0.02, 0.03, 0.5]}
    means = {"x": [0.1, 0.2, 0.3], "y": [0.9, 0.5, 0.4]}
    assert contradictions(fake(p, means, {"x": "low", "y": "high"})).empty
    found = contradictions(fake(p, means, {"x": "low", "y": "low"}))
    assert found.to_numpy().tolist() == [
        ["x", "y", "r0", "r1", 0.01, 0.02],
        ["x", "y", "r0", "r2", 0.01, 0.03],
    ]
    turned = contradictions(fake(p, means, {"x": "high", "y": "high"}))
    assert turned["better"].tolist() == ["r1", "r2"]


def test_limits_are_those_of_clopper_and_pearson():
    p = np.array([0, 1, 40, 45, 49, 50, 51, 60, 999, 1000]) / 1000
    tests = fake({"x": p}, {"x": range(5)}, {"x": "low"}, trials=1000)
    limits = [stats.binomtest(round(v * 1000), 1000).proportion_ci(0.95, "exact") for v in p]
    power = discriminative_power(tests).loc["x"]
    assert power["low"] == sum(limit.high < 0.05 for limit in limits) == 2
    assert power["high"] == sum(limit.low < 0.05 for limit in limits) == 8
    assert power["significant"] == 5
    expected = np.array([(limit.low, limit.high) for limit in limits])
    both = np.stack([tests.low["x"], tests.high["x"]], axis=1)
    assert both == pytest.approx(expected, abs=1e-12)
    doubt = pairs_in_doubt(tests, level=0.95)
    assert doubt["p"].tolist() == [0.04, 0.045, 0.049, 0.05, 0.051, 0.06]
    assert (doubt[["low", "high"]].to_numpy() == both[2:8]).all()
    assert [*zip(doubt["first"], doubt["second"], strict=True)] == [*tests.p.index[2:8]]


@pytest.mark.slow
def test_the_interval_of_the_count_holds_its_level():
    """Nested p-values on shared trials, as in a Tukey test; the truth is the count of pi < .05."""
    rng = np.random.default_rng(1)
    exact = np.array([0.001, 0.03, 0.045, 0.048, 0.0495, 0.0505, 0.052, 0.055, 0.07, 0.5])
    held = wide = 0
    for _ in range(400):
        largest = rng.random(1000)  # the trials: each reaches all pairs above it
        p = (largest[:, None] < exact).mean(axis=0)
        power = discriminative_power(
            fake({"x": p}, {"x": range(5)}, {"x": "low"}, trials=1000)
        ).loc["x"]
        held += power["low"] <= (exact < 0.05).sum() <= power["high"]
        wide += power["high"] - power["low"]
    assert held >= 0.95 * 400 - 3 * math.sqrt(400 * 0.05 * 0.95)
    assert 2 < wide / 400 < 7, "and says something"


def test_pooled_power_is_equation_9():
    one = fake(
        {"x": [0.001, 0.5, 0.5], "y": [0.001, 0.001, 0.5]},
        {"x": [1, 2, 3], "y": [1, 2, 3]},
        {"x": "low", "y": "low"},
        task="one",
    )
    two = fake(
        {"y": [0.001], "x": [0.045]},
        {"y": [1, 2], "x": [1, 2]},
        {"x": "low", "y": "low"},
        task="two",
    )
    found = pooled_discriminative_power([one, two])
    assert found["significant"].to_dict() == {"x": 2, "y": 3}
    assert found["pairs"].tolist() == [4, 4]
    assert found["share"].tolist() == [2 / 4, 3 / 4]
    assert found[["low", "high"]].to_numpy().tolist() == [[1, 2], [3, 3]]
    pd.testing.assert_frame_equal(pooled_discriminative_power([one]), discriminative_power(one))


def test_pooled_limits_hold_together():
    """Below alpha at 95% but not at 97.5%, the level that two data sets need (Bonferroni)."""
    exact = stats.binomtest(217, 5000)
    assert exact.proportion_ci(0.95, "exact").high < 0.05 < exact.proportion_ci(0.975, "exact").high
    one = fake({"x": [217 / 5000]}, {"x": [1, 2]}, {"x": "low"}, task="one")
    two = fake({"x": [0.5]}, {"x": [1, 2]}, {"x": "low"}, task="two")
    assert pooled_discriminative_power([one])["low"].item() == 1
    assert pooled_discriminative_power([one, two])["low"].item() == 0


def test_curves_fall():
    tests = fake(
        {"x": [0.2, 0.9, 0.1], "y": [0, 1, 0.5]},
        {"x": [1, 2, 3], "y": [1, 2, 3]},
        {"x": "low", "y": "low"},
    )
    found = p_curves(tests)
    assert found["x"].tolist() == [0.9, 0.2, 0.1]
    assert found["y"].tolist() == [1, 0.5, 0]
    assert found.index.tolist() == [1, 2, 3]


def test_on_real_tests(no_raw_files):
    measures = list(LQ21_TABLE_3_SEM16T4E)
    scores = ob.score(ob.load("sem16t4e"), measures)
    tests = tukey_hsd(scores, trials=300, seed=3)
    power = discriminative_power(tests)
    for measure in measures:
        p = tests.matrix(measure)
        assert (p.to_numpy() == p.to_numpy().T).all()
        assert (np.diag(p) == 1).all()
        expected = sum(p.loc[a, b] < 0.05 for a, b in combinations(scores.runs, 2))
        assert power.loc[measure, "significant"] == expected
        # The printed count is another draw, of 5,000 trials: a pair or two from the interval.
        low, high = power.loc[measure, ["low", "high"]]
        assert low - 2 <= LQ21_TABLE_3_SEM16T4E[measure] <= high + 2
    overlap = significance_overlap(tests)
    assert (
        (overlap["first_only"] + overlap["both"]).xs("NMD", level="first")
        == power.loc["NMD", "significant"]
    ).all()
    assert contradictions(tests).empty, "LQ'21 finds none in Sem16T4E"
    sure = discriminative_power(parametric_tukey_hsd(scores.select(["NMD"])))
    assert (sure["low"] == sure["high"]).all()


def test_identical_runs_are_in_no_doubt():
    """However few the trials: p of runs with the same mean is 1, and surely so."""
    values = np.random.default_rng(0).random((1, 5, 3))
    values[..., 1] = values[..., 0]
    tests = tukey_hsd(matrix(values), trials=1)
    same = ("r0", "r1"), "u"
    assert tests.p.loc[same] == tests.low.loc[same] == tests.high.loc[same] == 1
    doubt = pairs_in_doubt(tests)
    assert ("r0", "r1") not in set(zip(doubt["first"], doubt["second"], strict=True))
    assert discriminative_power(tests)["high"].item() <= 2


def test_in_doubt_is_what_the_interval_of_the_count_leaves_open():
    """Also where a limit of p is alpha itself: from alpha on, nothing is significant."""
    tests = fake({"x": [0.01, 0.04, 0.3]}, {"x": [1, 2, 3]}, {"x": "low"}, trials=100)
    exact = replace(tests, trials=0 * tests.trials, method="parametric")
    for one in (tests, exact):
        for alpha in sorted({*one.low["x"], *one.high["x"]} - {0.0, 1.0}):
            power = discriminative_power(one, alpha).loc["x"]
            doubted = pairs_in_doubt(one, alpha, level=0.95)
            assert len(doubted) == power["high"] - power["low"]
            assert (doubted["low"] < alpha).all()
            assert (doubted["high"] >= alpha).all()
