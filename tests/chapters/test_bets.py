"""Gold that is votes: what is committed is recomputed, and the two theorems hold."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bets as procedure
import ordbook as ob
from ordbook.chapters import bets


@pytest.fixture(scope="module")
def drawn():
    return np.random.default_rng(0).dirichlet(np.ones(5), 200)


def expected(measure, answer, opinion, votes):
    golds = bets.outcomes(votes, len(opinion))
    return stats.multinomial.pmf(golds * votes, votes, opinion) @ measure(golds, answer)


def test_outcomes_are_all_that_votes_can_be():
    golds = bets.outcomes(5, 4)
    assert len(np.unique(golds, axis=0)) == len(golds) == 56
    assert np.allclose(golds.sum(axis=1), 1, 0, 1e-12)
    assert np.isclose(stats.multinomial.pmf(golds * 5, 5, [0.1, 0.2, 0.3, 0.4]).sum(), 1, 0, 1e-12)


def test_no_answer_has_a_lower_expected_nmd_than_the_rounded_median():
    rng = np.random.default_rng(1)
    answers = np.concatenate([bets.outcomes(8, 3), rng.dirichlet(np.ones(3), 60)])
    for opinion in rng.dirichlet(np.ones(3), 5):
        for votes in (1, 2, 3, 4):
            best = expected(ob.nmd, bets.rounded_median(opinion, votes), opinion, votes)
            assert best < expected(ob.nmd, opinion, opinion, votes) + 1e-12
            assert all(best <= expected(ob.nmd, a, opinion, votes) + 1e-12 for a in answers)


def test_nothing_is_gained_where_the_opinion_is_its_own_median():
    opinion = np.array([0.2, 0.4, 0.4])
    assert np.allclose(bets.rounded_median(opinion, 5), opinion, 0, 1e-12)
    assert not np.allclose(bets.rounded_median(opinion, 4), opinion, 0, 0.01)


def test_no_answer_has_a_lower_expected_rps_than_the_opinion():
    rng = np.random.default_rng(2)
    for opinion, votes in zip(rng.dirichlet(np.ones(4), 4), (1, 2, 3, 7), strict=True):
        honest = expected(ob.rps, opinion, opinion, votes)
        for answer in rng.dirichlet(np.ones(4), 100):
            apart = ob.rps(opinion, answer)
            assert np.isclose(expected(ob.rps, answer, opinion, votes), honest + apart, 0, 1e-12)


def test_the_best_parts_are_best_by_nvd():
    rng = np.random.default_rng(3)
    for opinion, votes in zip(rng.dirichlet(np.ones(3), 6), (1, 2, 3, 4, 5, 6), strict=True):
        best = expected(ob.nvd, procedure.best_parts(opinion, votes), opinion, votes)
        others = [expected(ob.nvd, a, opinion, votes) for a in bets.outcomes(12, 3)]
        assert best <= min(others) + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("votes", [3, 5])
def test_committed_bets_of_drawn_opinions_are_recomputed(drawn, votes):
    table = bets.bets().set_index(["opinions", "votes", "measure", "bet"])["betting"]
    for name, measure in (("NMD", ob.nmd), ("RPS", ob.rps), ("RNOD", ob.rnod)):
        score = np.mean([expected(measure, bets.rounded_median(p, votes), p, votes) for p in drawn])
        assert np.isclose(table["drawn", votes, name, "rounded median"], score, 1e-5)
    score = np.mean([expected(ob.nvd, procedure.best_parts(p, votes), p, votes) for p in drawn])
    assert np.isclose(table["drawn", votes, "NVD", "best parts"], score, 1e-5)


def test_committed_noise_of_hanna_is_that_of_its_labels():
    task = ob.load("hanna-CX-shares")
    below = np.cumsum(task.gold, axis=1)[:, :-1]
    noise = (below * (1 - below) / (np.array(task.votes)[:, None] - 1)).mean()
    assert np.isclose(bets.noise().loc["hanna-CX-shares", "noise"], noise, 1e-5)


@pytest.mark.slow
def test_committed_bets_are_those_of_real_votes(raw_files):
    again = procedure.compute_bets()
    pd.testing.assert_frame_equal(again, bets.bets().drop(columns="change"), rtol=1e-4)
