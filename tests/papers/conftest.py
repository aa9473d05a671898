"""What the tests of papers share: committed scores, and the runs of STC-3 as LQ'21 has them."""

from functools import cache

import pytest

from ordbook.data.printed import SIX
from ordbook.data.scores import committed_scores
from ordbook.papers import lq21

# Read once for all tests, which change no scores.
_committed = cache(committed_scores)


@pytest.fixture(scope="session")
def committed():
    """Name of a task -> its committed scores."""
    return _committed


@pytest.fixture(scope="session")
def doubled():
    """Name of a task -> scores of SLSTC's runs of STC-3, the baselines twice as in the paper."""
    return cache(lambda name: lq21.doubled(_committed(name).select(SIX)))
