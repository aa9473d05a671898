"""Discriminative power, overlaps and contradictions: LQ'21's arithmetic and plain loops."""

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from ordbook.meta.discrimination import (
    contradictions,
    discriminative_power,
    p_curves,
    pooled_discriminative_power,
    significance_overlap,
)
from ordbook.meta.significance import SignificanceTests, tukey_hsd


def fake(p, means, better="low", trials=5000, task="toy", method="randomised"):
    """Results of significance tests: p by measure over pairs, means by measure over runs."""
    runs = [f"r{i}" for i in range(len(next(iter(means.values()))))]
    table = pd.DataFrame(means, runs, dtype=float)
    none = pd.Series(0.0, table.columns)
    pairs = pd.MultiIndex.from_tuples(combinations(runs, 2), names=["first", "second"])
    better = better if isinstance(better, Mapping) else dict.fromkeys(p, better)
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


def drawn(seed, runs=7):
    """Results for three measures, with p around and at .05, ties, and both better ends."""
    rng = np.random.default_rng(seed)
    names = dict(zip("xyz", rng.choice(["low", "high"], 3), strict=True))
    p = {m: rng.choice([0, 0.01, 0.0498, 0.05, 0.2], math.comb(runs, 2)) for m in names}
    means = {m: rng.integers(1, 9, runs) for m in names}
    return fake(p, means, names, task=f"task {seed}")


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_plain_loops(seed):
    """The direction of a scale counts, a tie is no difference, and p = .05 is not significant."""
    tests, signs = drawn(seed), {}
    for measure, p in tests.p.items():
        mean = tests.means[measure] * (1 if tests.better[measure] == "high" else -1)
        signs[measure] = [
            int(np.sign(mean[a] - mean[b])) * (value < 0.05) for (a, b), value in p.items()
        ]
    power, curves = discriminative_power(tests), p_curves(tests)
    for measure, own in signs.items():
        count = sum(map(abs, own))
        assert power.loc[measure, ["significant", "pairs", "share"]].tolist() == [
            count, 21, count / 21
        ]  # fmt: skip
        assert curves[measure].tolist() == sorted(tests.p[measure], reverse=True)
    listed = []
    for first, second in combinations("xyz", 2):
        both = [(i, j) for i, j in zip(signs[first], signs[second], strict=True) if i and j]
        a, c = (sum(map(abs, signs[m])) - len(both) for m in (first, second))
        b, agreeing = len(both), sum(i == j for i, j in both)
        assert significance_overlap(tests).loc[(first, second)].tolist() == [
            a, b, c, b / (a + b + c), agreeing, agreeing / (a + agreeing + c)
        ]  # fmt: skip
        for k, pair in enumerate(tests.p.index):
            if signs[first][k] * signs[second][k] < 0:
                runs = pair[:: signs[first][k]]  # the better one first
                listed.append((first, second, *runs, *tests.p[[first, second]].iloc[k]))
    assert [*contradictions(tests).itertuples(index=False, name=None)] == listed
    assert listed


def test_lq21_overlap_without_contradictions():
    """STC-3 DQ-A, NMD and RNOD: 3/68/0 is 95.8%, and 64/(3 + 64 + 0) = 95.5% without the 4."""
    first, second = np.triu_indices(13, 1)
    clash = (second == first + 1) & (first % 2 == 0) & (first < 8)
    place = np.argsort(np.argsort(~clash, kind="stable"))  # the four clashes come first
    order = np.arange(1, 14)
    swapped = order.copy()
    swapped[:8] = swapped[:8].reshape(4, 2)[:, ::-1].ravel()
    p = {"x": np.where(place < 71, 0.01, 0.8), "y": np.where(place < 68, 0.01, 0.8)}
    tests = fake(p, {"x": order, "y": swapped})
    row = significance_overlap(tests).loc[("x", "y")]
    assert row[["first_only", "both", "second_only", "agreeing"]].tolist() == [3, 68, 0, 64]
    assert f"{100 * row['overlap']:.1f}" == "95.8"
    assert f"{100 * row['overlap_agreeing']:.1f}" == "95.5"
    assert contradictions(tests)["better"].tolist() == ["r0", "r2", "r4", "r6"]


def test_limits_are_those_of_clopper_and_pearson():
    p = np.array([0, 1, 40, 45, 49, 50, 51, 60, 999, 1000]) / 1000
    tests = fake({"x": p}, {"x": range(5)}, trials=1000)
    limits = [stats.binomtest(round(v * 1000), 1000).proportion_ci(0.95, "exact") for v in p]
    power = discriminative_power(tests).loc["x"]
    assert power["low"] == sum(limit.high < 0.05 for limit in limits) == 2
    assert power["high"] == sum(limit.low < 0.05 for limit in limits) == 8
    assert power["significant"] == 5
    expected = np.array([(limit.low, limit.high) for limit in limits])
    both = np.stack([tests.low["x"], tests.high["x"]], axis=1)
    assert both == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_the_interval_of_the_count_holds_its_level():
    """Nested p-values on shared trials, as in a Tukey test; the truth is the count of pi < .05."""
    rng = np.random.default_rng(1)
    exact = np.array([0.001, 0.03, 0.045, 0.048, 0.0495, 0.0505, 0.052, 0.055, 0.07, 0.5])
    held = wide = 0
    for _ in range(400):
        largest = rng.random(1000)  # the trials: each reaches all pairs above it
        p = (largest[:, None] < exact).mean(axis=0)
        power = discriminative_power(fake({"x": p}, {"x": range(5)}, trials=1000)).loc["x"]
        held += power["low"] <= (exact < 0.05).sum() <= power["high"]
        wide += power["high"] - power["low"]
    assert held >= 0.95 * 400 - 3 * math.sqrt(400 * 0.05 * 0.95)
    assert 2 < wide / 400 < 7, "and says something"


def test_pooled_power_is_equation_9():
    one, two = drawn(0), drawn(1, runs=4)
    pooled, alone = (pooled_discriminative_power(tests) for tests in ([one, two], [one]))
    counts = sum(discriminative_power(tests)["significant"] for tests in (one, two))
    assert pooled["significant"].equals(counts)
    assert (pooled["pairs"] == 21 + 6).all()
    assert pooled["share"].equals(counts / 27)
    pd.testing.assert_frame_equal(alone, discriminative_power(one))


def test_pooled_limits_hold_together():
    """Below alpha at 95% but not at 97.5%, the level that two data sets need (Bonferroni)."""
    exact = stats.binomtest(217, 5000)
    assert exact.proportion_ci(0.95, "exact").high < 0.05 < exact.proportion_ci(0.975, "exact").high
    one = fake({"x": [217 / 5000]}, {"x": [1, 2]}, task="one")
    two = fake({"x": [0.5]}, {"x": [1, 2]}, task="two")
    assert pooled_discriminative_power([one])["low"].item() == 1
    assert pooled_discriminative_power([one, two])["low"].item() == 0


def test_on_real_tests(no_raw_files):
    """LQ'21, Table 3, Sem16T4E; another draw, of 5,000 trials: a pair or two from the interval."""
    printed = {"NMD": 38, "RSNOD": 32, "RNOD": 35, "NVD": 31, "RNSS": 37, "JSD": 32}
    scores = ob.score(ob.load("sem16t4e"), list(printed))
    tests = tukey_hsd(scores, trials=300, seed=3)
    power = discriminative_power(tests)
    assert (power["low"] - 2 <= pd.Series(printed)).all()
    assert (power["high"] + 2 >= pd.Series(printed)).all()
    assert contradictions(tests).empty, "LQ'21 finds none in Sem16T4E"
    sure = discriminative_power(ob.paired_t(scores, ["NMD"]))
    assert (sure["low"] == sure["high"]).all()


@pytest.mark.parametrize(
    ("trials", "alphas"),
    [
        (20, [0.05, 0.1, 0.15, 0.3, 0.35, 0.55, 0.7, 0.95]),
        (1000, [0.001, 0.01, 0.029, 0.05, 0.057, 0.113]),
        (5000, [0.0002, 0.01, 0.05, 0.1134]),
    ],
)
def test_p_at_the_line_is_not_below_it(trials, alphas):
    """P is a count over the trials, and alpha a float of a decimal number."""
    counts = [round(alpha * trials) + k for alpha in alphas for k in (-1, 0, 1)]
    p = np.append(np.array(counts) / trials, np.ones(45 - len(counts)))
    tests = fake({"x": p}, {"x": range(1, 11)}, trials=trials)
    for alpha in alphas:
        wanted = sum(Fraction(count, trials) < Fraction(str(alpha)) for count in counts)
        assert discriminative_power(tests, alpha)["significant"].item() == wanted
