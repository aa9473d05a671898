"""What the tests of papers share: committed scores, and the runs of STC-3 as LQ'21 has them."""

from dataclasses import replace
from functools import cache

import pytest

from ordbook.data.printed import SIX
from ordbook.data.scores import committed_scores

BASELINES = ("BL-uniform", "BL-popularity")
# Read once for all tests, which change no scores.
_committed = cache(committed_scores)


@pytest.fixture(scope="session")
def committed():
    """Name of a task -> its committed scores."""
    return _committed


@cache
def _doubled(name):
    scores = _committed(name).select(SIX)
    sent = [run for run in scores.runs if run.startswith("SLSTC")]
    at = [scores.runs.index(run) for run in (*sent, *BASELINES, *BASELINES)]
    copies = [f"{run}-{letter}" for letter in "CE" for run in BASELINES]
    return replace(scores, values=scores.values[:, :, at], runs=(*sent, *copies))


@pytest.fixture(scope="session")
def doubled():
    """Name of a task -> scores of SLSTC's runs of STC-3, the baselines twice as in the paper."""
    return _doubled
