"""What the tests of papers share: the runs of STC-3 as LQ'21 has them."""

from dataclasses import replace

import pytest

import ordbook as ob
from ordbook.papers.symbols import SIX

BASELINES = ("BL-uniform", "BL-popularity")


def _doubled(name):
    scores = ob.score(ob.load(name), SIX)
    sent = [run for run in scores.runs if run.startswith("SLSTC")]
    at = [scores.runs.index(run) for run in (*sent, *BASELINES, *BASELINES)]
    copies = [f"{run}-{letter}" for letter in "CE" for run in BASELINES]
    return replace(scores, values=scores.values[:, :, at], runs=(*sent, *copies))


@pytest.fixture(scope="session")
def doubled():
    """Name of a task -> scores of SLSTC's runs of STC-3, the baselines twice as in the paper."""
    return _doubled
