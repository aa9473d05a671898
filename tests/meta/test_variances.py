"""Residual variances against least squares."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.meta.rankings import identical_runs, standings
from ordbook.meta.variances import pair_slack, residual_variances, run_slack, settled, slack


def test_residual_variances_are_those_of_least_squares():
    values = np.random.default_rng(0).normal(size=(2, 5, 3))
    v_e1, v_e2 = residual_variances(values)
    topics, runs = (a.ravel() for a in np.indices((5, 3)))
    one_way = np.eye(3)[runs]
    two_way = np.column_stack([one_way, np.eye(5)[topics][:, 1:]])
    for k in range(2):
        for design, freedom, found in ((one_way, 12, v_e1), (two_way, 8, v_e2)):
            residual = np.linalg.lstsq(design, values[k].ravel())[1]
            assert found[k] == pytest.approx(residual[0] / freedom)


def test_what_float_noise_makes_is_0():
    """1e-12 of the largest score, squared, is noise; a little more is variance."""
    rng = np.random.default_rng(1)
    noise = rng.uniform(-1, 1, size=(1, 5, 3)) * 1e-13
    for within, expected in ((noise, 0), (noise * 1000, 1)):
        v_e1, v_e2 = residual_variances(1 + within)
        assert [v_e1[0] > 0, v_e2[0] > 0] == [expected] * 2
        v_e1, v_e2 = residual_variances(np.arange(5.0)[None, :, None] + within)
        assert v_e1[0] > 1
        assert (v_e2[0] > 0) == (expected > 0)


def test_slack_is_that_of_the_largest_score_of_each_measure():
    values = np.array([[[1.0, -8.0], [2.0, 3.0]], [[0.0, 0.5], [0.25, 0.0]]])
    assert slack(values).tolist() == [8e-12, 0.5e-12]


def test_chains_of_ties_are_one_number():
    """Each ties with the next, and so with all; what stands apart stays itself."""
    assert settled(np.array([0.0, 0.25, 0.5, 1.0, 2.0]), 0.25).tolist() == [0, 0, 0, 1, 2]
    assert settled(np.array([1.0, 2.0, 0.75, 0.0]), 0.25).tolist() == [0.75, 2, 0.75, 0]
    assert settled(np.array([]), 1.0).tolist() == []


# A score far beyond the others, as for "failed"

FAILED = 1e14
SENTINEL = np.array([[FAILED, 1.0, 2.0], [1.0, 2.0, 9.0], [1.0, 3.0, 9.0]])


def sentinel_matrix(values: np.ndarray) -> ob.ScoreMatrix:
    """Return scores by two measures, which are the same."""
    frame = pd.DataFrame(values).rename(columns="r{}".format)
    return ob.ScoreMatrix.from_frame({"a": frame, "b": frame}, better="low")


def test_a_huge_score_makes_only_its_own_run_tie():
    values = SENTINEL[None]
    assert run_slack(values).tolist() == [[100.0, 9e-12, 9e-12]]
    assert pair_slack(run_slack(values)).tolist() == [[100.0, 100.0, 9e-12]]
    assert slack(values).tolist() == [100.0]


def test_runs_on_one_scale_have_one_slack_whatever_the_scale():
    rng = np.random.default_rng(0)
    values = rng.random((3, 20, 5))
    values[1, :, 0] = 0  # all right, or all wrong
    values[2, :, 1] *= 1e-17  # all right but for float noise
    for scale in (2.0**-40, 1.0, 1024.0):
        found = run_slack(values * scale)
        assert found.shape == (3, 1)
        assert (found[:, 0] == slack(values * scale)).all()


def test_every_analysis_tells_runs_apart_beside_a_huge_score():
    scores = sentinel_matrix(SENTINEL)
    assert standings(scores, "a")["rank"].tolist() == [1, 2, 3]
    assert standings(scores, "a")["run"].tolist() == ["r1", "r2", "r0"]
    for tests in (ob.tukey_hsd(scores, 200), ob.parametric_tukey_hsd(scores)):
        assert tests.differences("a")[1, 2] != 0
    assert ob.ranking_similarity(scores).tied.tolist() == [0, 0]
    assert ob.ranking_similarity(scores, decimals=1).tied.tolist() == [0, 0]
    assert ob.ranking_similarity(scores).tau.loc["a", "b"] == 1.0
    twice = sentinel_matrix(np.tile(SENTINEL, (2, 1)))
    assert (ob.ranking_consistency(twice, splits=50).tau > 0).all(axis=None)
    assert identical_runs(scores) == []


def test_equal_runs_with_huge_scores_still_tie():
    """The same scores in another order of topics: their sums differ for float noise."""
    rng = np.random.default_rng(4)
    column = np.concatenate([[FAILED], rng.random(30)])
    sums = {float(rng.permutation(column).mean()) for _ in range(50)}
    assert len(sums) > 1
    values = np.column_stack(
        [column, *(rng.permutation(column) for _ in range(4)), rng.random(31), rng.random(31)]
    )
    scores = sentinel_matrix(values)
    found = standings(scores, "a")
    assert found["rank"].tolist() == [1, 2, 3, 3, 3, 3, 3]
    tests = ob.tukey_hsd(scores, 200)
    assert (tests.p["a"].to_numpy()[:5, :5] == 1).all()
    assert (tests.differences("a")[:5, :5] == 0).all()
    assert ob.ranking_similarity(scores).tied.tolist() == [10, 10]
    assert identical_runs(sentinel_matrix(values[:, [0, 0, 5, 6]])) == [("r0", "r1")]
