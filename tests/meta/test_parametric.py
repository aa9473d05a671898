"""Paired t-tests of all pairs: as SciPy and statsmodels compute them, and at their level."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

import ordbook as ob
import power
from helpers.score_matrices import matrix


@pytest.mark.slow
def test_paired_t_is_scipys_test_with_statsmodels_adjustment():
    from statsmodels.stats.multitest import multipletests  # takes two seconds

    scores = ob.score(ob.load("sem16t4e"))
    tests = ob.paired_t(scores)
    first, second = np.triu_indices(len(scores.runs), 1)
    for values, measure in zip(scores.values, scores.measures, strict=True):
        plain = ttest_rel(values[:, first], values[:, second]).pvalue
        _, adjusted, *_ = multipletests(plain, method="holm")
        np.testing.assert_allclose(tests.p[measure], adjusted, rtol=0, atol=1e-12)


def test_runs_that_are_equal_or_differ_by_a_constant():
    run = np.array([0.1, 0.7, 0.4])
    runs = np.stack([run, run, run[[1, 2, 0]], run + 0.1], axis=1)
    p = ob.paired_t(matrix([runs])).matrix("u").to_numpy()
    assert p[0, 1] == p[0, 2] == 1
    assert p[0, 3] == p[1, 3] == 0
    assert p[2, 3] > 0


def test_two_topics_suffice_and_one_does_not():
    values = np.array([[[0.1, 0.2], [0.1, 0.4]]])
    assert ob.paired_t(matrix(values)).p["u"].item() == pytest.approx(0.295167235)
    with pytest.raises(ValueError, match="at least 2 topics, there is 1"):
        ob.paired_t(matrix(values[:, :1]))


@pytest.mark.slow
def test_a_run_that_varies_more_deceives_tukeys_test_but_not_paired_t():
    alarms = power.compute_alarms().set_index("standard deviation")
    error = 3 * np.sqrt(0.05 * 0.95 / 2000)
    assert (alarms["paired t"] <= 0.05 + error).all()
    tukey = alarms["randomised Tukey HSD"]
    assert abs(tukey[1.0] - 0.05) <= error
    assert 0.13 <= tukey[3.0] <= 0.19  # .16 and .21 in its docstring
    assert 0.18 <= tukey[5.5] <= 0.24
