"""Residual variances against least squares."""

import numpy as np
import pytest

from ordbook.meta.variances import residual_variances


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
