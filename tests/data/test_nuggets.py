"""Nugget tasks: built, refused, scored by hand and by an independent loop."""

from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.nuggets import NUGGETS, NuggetTask, score_nuggets

SENDERS = [["customer", "helpdesk", "customer"], ["customer"], ["helpdesk"]]
GOLD = [[[1, 0, 0, 0], [1, 0, 0], [0, 1, 0, 0]], [[0, 0, 0, 1]], [[0.5, 0, 0.5]]]
RUN = [[[0, 1, 0, 0], [0, 1, 0], [0, 1, 0, 0]], [[0, 0, 1, 0]], [[0.5, 0, 0.5]]]


@pytest.fixture
def task():
    return NuggetTask.from_turns(SENDERS, GOLD, {"r": RUN}, name="toy")


def test_scores_by_hand(task):
    """A hit scores 0 and a miss 1 by both measures: means per side, then half of each.

    Dialogue 1: customer (1 + 0) / 2, helpdesk 1. Dialogues 2 and 3 have one side only, which
    then counts alone.
    """
    scores = ob.score(task)
    assert scores.measures == ("RNSS", "JSD")
    for measure in scores.measures:
        assert scores[measure]["r"].tolist() == [0.75, 1, 0]
    customer = ob.score(replace(task, alpha=1.0))["JSD"]["r"].tolist()
    assert customer == [0.5, 1, 0], "a dialogue without customer turns is not lost"
    assert ob.score(replace(task, alpha=0.0))["JSD"]["r"].tolist() == [1, 1, 0]
    assert ob.score(replace(task, alpha=0.2))["JSD"]["r"].tolist() == [0.9, 1, 0]
    assert scores.better == {"RNSS": "low", "JSD": "low"}


def test_scores_agree_with_a_loop_over_turns():
    rng = np.random.default_rng(0)
    senders = [
        ["customer", "helpdesk", *rng.choice(["customer", "helpdesk"], n)]
        for n in rng.integers(0, 6, 30)
    ]
    sizes = {side: len(types) for side, types in NUGGETS.items()}
    gold, *runs = (
        [[rng.dirichlet(np.ones(sizes[s])) for s in dialogue] for dialogue in senders]
        for _ in range(4)
    )
    runs = {f"r{i}": run for i, run in enumerate(runs)}
    task = NuggetTask.from_turns(senders, gold, runs)
    for name in ("RNSS", "JSD"):
        measure = ob.measures.QUANTIFICATION[name]
        expected = [
            [
                np.mean(
                    [
                        np.mean([measure(g, p) for s, g, p in turns if s == side])
                        for turns in [list(zip(*dialogue, strict=True))]
                        for side in NUGGETS
                    ]
                )
                for dialogue in zip(senders, gold, run, strict=True)
            ]
            for run in runs.values()
        ]
        # Sums in another order: rounding only.
        assert np.abs(score_nuggets(task, measure.kernel) - expected).max() < 1e-14
        assert np.abs(ob.score(task, [name]).values[0].T - expected).max() < 1e-14


def test_the_baselines(task):
    task = NuggetTask.from_turns(
        [["customer", "helpdesk"]], [[[2, 2, 1, 0], [0, 1, 5]]], {}, votes=True
    ).with_baselines()
    assert task.runs == ("BL-uniform", "BL-popularity")
    assert task.customer.estimates.tolist() == [[[0.25] * 4], [[0.5, 0.5, 0, 0]]]
    assert task.helpdesk.estimates.tolist() == [[[1 / 3] * 3], [[0, 0, 1]]]
    with pytest.raises(ValueError, match="is a run already"):
        task.with_baselines()


def test_turns_know_their_place(task):
    assert task.customer.topic.tolist() == [0, 0, 1]
    assert task.helpdesk.topic.tolist() == [0, 2]
    assert repr(task).startswith("<NuggetTask toy: 3 dialogues, 1 run, customer: CNUG0, CNUG")
    assert " < " not in repr(task), "nugget types have no order"


BAD_TURNS = [
    ({"gold": GOLD[:2]}, "gold has other dialogues or turns than senders"),
    ({"senders": [["customer"] * 3, ["robot"], ["helpdesk"]]}, "'2' has the senders .'robot'"),
    (
        {"senders": [[], *SENDERS[1:]], "gold": [[], *GOLD[1:]], "runs": {}},
        "'1' has the senders",
    ),
    ({"topics": ["a", "b"]}, "2 names for 3"),
    ({"gold": [*GOLD[:2], [[0.5, 0, 0.4]]]}, r"gold, turn\[4\] sums to 0\.9"),
    ({"runs": {"r": [*RUN[:2], [[1.5, 0, -0.5]]]}}, r"run 'r', turn\[4\] has -0\.5"),
    (
        {"gold": [*GOLD[:1], [[0, 0, 1]], GOLD[2]]},
        r"gold, turn\[3\] has 3 numbers for the 4 types of a customer",
    ),
]


@pytest.mark.parametrize(("change", "message"), BAD_TURNS)
def test_bad_turns_are_refused(change, message):
    arguments = {"senders": SENDERS, "gold": GOLD, "runs": {"r": RUN}} | change
    with pytest.raises(ValueError, match=message):
        NuggetTask.from_turns(**arguments)


def test_what_cannot_be_scored(task):
    with pytest.raises(ValueError, match="'RNOD' is not a measure for nuggets, whose classes have"):
        ob.score(task, ["RNOD"])
    with pytest.raises(ValueError, match="no runs to score; task.with_baselines"):
        ob.score(NuggetTask.from_turns(SENDERS, GOLD, {}))
    with pytest.raises(ValueError, match="alpha is 1.5; expected a number from 0 to 1"):
        replace(task, alpha=1.5)


def test_every_side_is_held_to_committed_scores_and_no_other_alpha(
    raw_files, monkeypatch, tmp_path
):
    task = ob.load("stc3-nd")
    for alpha in (0.5, 1.0, 0.0, 0.9):
        assert ob.score(replace(task, alpha=alpha)).source == "raw"
    monkeypatch.setattr("ordbook.data.scoring.score_nuggets", lambda *_: np.zeros((17, 390)))
    for alpha in (0.5, 1.0, 0.0):
        with pytest.raises(ValueError, match="differ from data/scores"):
            ob.score(replace(task, alpha=alpha))
    monkeypatch.delenv("ORDBOOK_MIRROR")
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path))
    task = ob.load("stc3-nd")
    assert (ob.score(replace(task, alpha=1.0)).source, len(task.topics)) == ("committed", 390)
    for ask in (lambda: task.customer, lambda: ob.score(replace(task, alpha=0.9))):
        with pytest.raises(FileNotFoundError, match="ask the NTCIR organisers"):
            ask()
