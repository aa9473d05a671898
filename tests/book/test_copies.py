"""Copies of a run: found by some measures, named, and left out of rankings."""

from dataclasses import replace

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import ordbook as ob
from ordbook.book.copies import distinct_runs, named, say_copies, sets_of, without_copies


@pytest.fixture
def scores():
    """Four runs; the last is the first over again, by RNOD and NMD, but not by a third measure."""
    rng = np.random.default_rng(0)
    gold, runs = rng.dirichlet(np.ones(3), 6), rng.dirichlet(np.ones(3), (3, 6))
    named = dict(zip(("a*", "b", "c", "d"), (*runs, runs[0]), strict=True))
    task = ob.QuantificationTask.from_arrays(gold, named)
    scores = ob.score(task, ["RNOD", "NMD"])
    third = scores.values[:1] + np.arange(4)
    values = np.concatenate([scores.values, third])
    return replace(
        scores,
        values=values,
        measures=(*scores.measures, "mine"),
        better={**scores.better, "mine": "low"},
    )


def test_which_runs_are_the_same_is_up_to_the_measures(scores):
    papers = ["RNOD", "NMD"]
    assert sets_of(scores) == []
    assert sets_of(scores, papers) == [("a*", "d")]
    assert distinct_runs(scores) is scores
    assert distinct_runs(scores, papers).runs == ("a*", "b", "c")
    alike = ob.ranking_similarity(scores)
    assert without_copies(scores, alike) is alike
    apart = without_copies(scores, alike, papers)
    assert apart.runs == 3
    assert alike.tau.loc["NMD", "NMD"] < apart.tau.loc["NMD", "NMD"] == 1
    assert list(apart.tau.index) == list(alike.tau.index)


def test_copies_are_said_in_a_note(scores):
    assert named([("A", "B"), ("C", "D", "E")])[1].startswith("C, D and E have the same scores on")
    InteractiveShell.instance()
    try:
        with capture_output() as captured:
            say_copies(scores)
            say_copies(scores, ["RNOD", "NMD"])
    finally:
        InteractiveShell.clear_instance()
    (output,) = captured.outputs
    note = output.data["text/markdown"]
    assert note.startswith(":::{note}\n- a\\* and d have the same scores")
    assert "one run of each such set" in note
    assert note.endswith("\n:::")
