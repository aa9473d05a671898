"""The figures of SIGIR'18 show the numbers they are given; DBDC3's official scores fit."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.papers import sigir18
from ordbook.papers.sigir18 import MEASURES, PAIRS


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(3)
    gold = rng.dirichlet([1] * 3, 60)
    runs = {
        name: share * gold + (1 - share) * rng.dirichlet([1] * 3, 60)
        for name, share in {"bad": 0.1, "good": 0.7, "fair": 0.5}.items()
    }
    task = ob.QuantificationTask.from_arrays(gold, runs).with_baselines()
    return ob.score(task, list(MEASURES))


THREE = [("NVD", "RSNOD"), ("NMD", "RSNOD"), ("JSD", "NMD")]


@pytest.mark.parametrize(
    ("taus", "holds"),
    [((0.9, 0.8, 0.7), True), ((0.8, 0.9, 0.7), False), ((0.9, 0.7, 0.8), False)],
)
def test_the_order_of_the_groups(taus, holds):
    found = sigir18.trend({pair: [tau] for pair, tau in zip(THREE, taus, strict=True)})
    assert found.tolist() == [holds]


def test_the_order_is_judged_draw_by_draw():
    taus = dict(zip(THREE, ([0.9, 0.75], [0.8, 0.8], [0.7, 0.7]), strict=True))
    assert sigir18.trend(taus).tolist() == [True, False]


def test_printed_taus_lie_in_their_intervals():
    for found in sigir18.printed_taus().values():
        assert list(found) == list(PAIRS)
        assert all(low < tau < high for tau, low, high in found.values())


def test_pairs_of_systems_leave_the_baselines_out(scores):
    found = sigir18.agreements(scores)
    assert len(found) == 3
    assert found.loc[("bad", "good"), ("NVD", "NMD")] == pytest.approx(
        ob.preference_agreement(scores, "bad", "good")["agreement"]["NVD", "NMD"]
    )
    assert (sigir18.power(scores) <= 3).all()


@pytest.fixture(scope="module")
def absent(tmp_path_factory):
    """The task without its raw files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORDBOOK_MIRROR", "")
        patch.setenv("ORDBOOK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield ob.load("dbdc3")


@pytest.mark.slow
def test_the_committed_facts_are_those_of_the_raw_files(raw_files):
    assert sigir18.shown() == sigir18.taken_from_files()


def test_the_papers_utterance_can_be_drawn_without_raw_files(absent):
    runs = ["ours-prior", "ours-boosting"]
    gold, answers = sigir18.shown_answers(runs)
    assert gold.tolist() == [0.3, 0.2, 0.5]
    found = ob.score(absent, ["NMD"])["NMD"].loc["CIC0259_12"]
    for run in runs:
        assert ob.nmd(gold, answers[run]) == pytest.approx(found[run], abs=1e-12)
