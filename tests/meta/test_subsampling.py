"""What fewer topics would have shown, by hand and against the tests and the engine."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordbook as ob
from ordbook.meta.kernels import random_orders, stream_key
from ordbook.meta.subsampling import consistency_within, subsample
from ordbook.meta.variances import residual_variances


def test_observed_consistency_is_that_of_the_engine(scores):
    found = consistency_within(scores, [5, 20], splits=50, seed=3)
    for size in (5, 20):
        tau = ob.ranking_consistency(scores, size, 50, 3).tau
        rows = found[found["topics"] == size].set_index("measure")
        assert rows["mean"].to_dict() == pytest.approx(tau.mean().to_dict())
        assert rows["low"].to_dict() == pytest.approx(tau.quantile(0.025).to_dict())
        assert rows["high"].to_dict() == pytest.approx(tau.quantile(0.975).to_dict())


def order(seed, number):
    """The topics in the order of one repeat."""
    (places,) = random_orders(40, stream_key(seed, "subsamples"), number, number + 1)
    return places


@pytest.mark.parametrize(("level", "tails"), [(0.95, [0.025, 0.975]), (0.8, [0.1, 0.9])])
def test_subsamples_by_hand(scores, level, tails):
    found = subsample(scores, [7, 40], repeats=29, seed=5, level=level)
    found = found.set_index(["measure", "topics"])
    full = {m: scores[m].mean() for m in "xy"}
    for measure in "xy":
        taus = []
        for r in range(29):
            means = scores[measure].iloc[order(5, r)[:7]].mean()
            taus.append(ob.kendall_tau(means, full[measure]))
        row = found.loc[(measure, 7)]
        assert row.tolist() == pytest.approx([np.mean(taus), *np.quantile(taus, tails)], abs=1e-12)
        assert found.loc[(measure, 40)].tolist() == [1, 1, 1]


def test_power_is_tukeys_test_with_the_variance_of_the_means(scores):
    """As SciPy computes it, on every one of the samples."""
    found = subsample(scores, [9, 40], "power", repeats=20, seed=1).set_index(["measure", "topics"])
    first, second = np.triu_indices(5, 1)
    for size in (9, 40):
        quantile = stats.studentized_range.ppf(0.95, 5, 4 * (size - 1))
        for measure in "xy":
            shares = []
            for r in range(20):
                rows = scores[measure].iloc[order(1, r)[:size]]
                means = rows.mean().to_numpy()
                _, (variance,) = residual_variances(rows.to_numpy()[None])
                error = math.sqrt((variance + means.var(ddof=1)) / size)
                q = np.abs(means[first] - means[second]) / error
                shares.append((q > quantile).mean())
            assert found.loc[(measure, size), "mean"] == pytest.approx(np.mean(shares), abs=1e-12)


def test_the_power_of_all_topics_is_nearly_that_of_the_randomised_test(no_raw_files):
    """LQ'21 Table 3, Sem16T4E, B = 5,000: two of NMD's 38 stand at the line."""
    printed = {"NMD": 38, "RSNOD": 32, "RNOD": 35, "NVD": 31, "RNSS": 37, "JSD": 32}
    scores = ob.score(ob.load("sem16t4e"), list(printed))
    power = 66 * subsample(scores, [100], "power", repeats=1).set_index("measure")["mean"]
    assert ((power - pd.Series(printed)).abs() < 2.5).all()


@pytest.mark.parametrize("statistic", ["tau", "power"])
def test_measures_and_sizes_do_not_disturb_each_other(scores, statistic):
    both = subsample(scores, [5, 20], statistic, seed=4, repeats=30)
    one = subsample(scores.select(["y"]), [20], statistic, seed=4, repeats=30)
    pd.testing.assert_frame_equal(
        both[(both["measure"] == "y") & (both["topics"] == 20)].reset_index(drop=True),
        one,
        check_exact=True,
    )
    other = subsample(scores, [5, 20], statistic, seed=9, repeats=30)
    assert not both.equals(other)
