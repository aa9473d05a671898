"""Random halves of topics and runs: what is drawn, and how its means vary."""

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.halves import random_halves


@pytest.fixture(scope="module")
def scores():
    return matrix(np.random.default_rng(0).random((2, 13, 10)))


def test_halves_hold_what_is_drawn_and_keep_the_rest(scores):
    for over, topics, runs in (("topics", 6, 10), ("runs", 13, 5), ("both", 6, 5)):
        for half in random_halves(scores, over, 5):
            assert (len(half.topics), len(half.runs)) == (topics, runs)
            for measure in scores.measures:
                part = scores[measure].loc[list(half.topics), list(half.runs)]
                assert (half[measure] == part).all(axis=None)


def test_a_draw_depends_on_the_seed_and_its_number_alone(scores):
    def drawn(count, seed):
        return [half.topics for half in random_halves(scores, "both", count, seed)]

    assert drawn(3, 1) == drawn(6, 1)[:3] != drawn(3, 2)
    assert len(set(drawn(6, 1))) == 6


def test_teams_are_drawn_with_all_their_runs(scores):
    groups = {run: f"team {k % 3}" for k, run in enumerate(scores.runs) if k < 9}
    for half in random_halves(scores, "runs", 20, groups=groups):
        teams = {groups.get(run, run) for run in half.runs}
        assert len(teams) == 2  # of four: the tenth run is a team of its own
        assert len(half.runs) == sum(groups.get(run, run) in teams for run in scores.runs)


def test_the_mean_over_halves_varies_as_the_mean_over_new_topics():
    values = np.random.default_rng(1).standard_normal((1, 60, 2))
    means = [half.values.mean(axis=1)[0, 0] for half in random_halves(matrix(values), halves=1000)]
    expected = values[0, :, 0].std(ddof=1) / 60**0.5
    assert np.std(means) == pytest.approx(expected, rel=0.1)  # 1,000 draws: 2.2%


def test_what_cannot_be_halved_is_refused(scores):
    with pytest.raises(ValueError, match="over must be"):
        next(random_halves(scores, "topic"))
    groups = dict.fromkeys(scores.runs, "one")
    with pytest.raises(ValueError, match="1 run cannot be halved"):
        next(random_halves(scores, "runs", groups=groups))


def test_the_halves_of_a_catalogued_task_draw_its_teams():
    task = ob.load("ambistory-dev")
    half = next(random_halves(ob.score(task), "both", groups=task.groups))
    inside = {task.groups[run] for run in half.runs}
    assert len(inside) == len(set(task.groups.values())) // 2
