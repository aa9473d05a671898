"""Residual variances against least squares."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.variances import residual_variances


def test_residual_variances_are_those_of_least_squares():
    values = np.random.default_rng(0).normal(size=(2, 5, 3))
    v_e1, v_e2 = residual_variances(values)
    topics, runs = (a.ravel() for a in np.indices((5, 3)))
    one_way = np.eye(3)[runs]
    two_way = np.column_stack([one_way, np.eye(5)[topics][:, 1:]])
    for k in range(2):
        for design, freedom, found in ((one_way, 12, v_e1), (two_way, 8, v_e2)):
            residual = np.linalg.lstsq(design, values[k].ravel(), rcond=None)[1]
            assert found[k] == pytest.approx(residual[0] / freedom)


def test_a_single_topic_has_none():
    assert np.isnan(residual_variances(np.ones((2, 1, 3)))).all()


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


def far_matrix(score):
    """Return scores by a measure, of which one run has a far larger one than the others."""
    frame = pd.DataFrame(
        [[score, 1.0, 2.0], [1.0, 2.0, 9.0]], index=["s", "t"], columns=list("abc")
    )
    return ob.ScoreMatrix.from_frame({"error": frame}, better="low", task="toy")


def test_scores_a_million_times_all_others_are_refused():
    """Beside 1e14, for "failed" perhaps, all other runs would tie."""
    assert far_matrix(9e6).scale.tolist() == [9e6]
    with pytest.raises(ValueError, match="toy: error of run 'a' on topic 's' is 1e.14, .*leave"):
        far_matrix(1e14)


def test_oriented_scores_are_on_one_scale_and_better_high():
    values = np.array([[[1.0, -8.0], [2.0, 3.0]], [[0.0, 0.5], [0.25, 0.0]], [[0, 0], [0, 0]]])
    scores = matrix(values, {"x": "low", "y": "high", "z": "low"})
    assert scores.scale.tolist() == [8, 0.5, 1]
    assert scores.oriented.tolist() == [
        [[-0.125, 1], [-0.25, -0.375]],
        [[0, 1], [0.5, 0]],
        [[0, 0], [0, 0]],
    ]
    assert not scores.oriented.flags.writeable
