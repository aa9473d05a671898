"""Random halves of topics and runs: what is drawn, and the votes that follow from them."""

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.halves import FEWEST, cast_vote, random_halves, too_few, vote


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
    assert too_few(scores, "both", groups) == "only 4 teams"
    assert too_few(scores, "both") == too_few(scores, "topics", groups) == ""


def test_the_mean_over_halves_varies_as_the_mean_over_new_topics():
    values = np.random.default_rng(1).standard_normal((1, 60, 2))
    means = [half.values.mean(axis=1)[0, 0] for half in random_halves(matrix(values), halves=1000)]
    expected = values[0, :, 0].std(ddof=1) / 60**0.5
    assert np.std(means) == pytest.approx(expected, rel=0.1)  # 1,000 draws: 2.2%


def test_a_vote_over_too_few_runs_or_topics_is_none():
    few = matrix(np.random.default_rng(0).random((1, FEWEST - 1, FEWEST)))
    answer = vote(lambda part: True, few)
    assert (answer.value, answer.why) == (0, "only 7 topics")
    assert vote(lambda part: True, few, "runs").value == 1


def test_negating_every_answer_changes_the_sign_of_a_vote():
    rng = np.random.default_rng(0)
    for share in (0, 0.03, 0.05, 0.5, 0.95, 0.97, 1):
        for whole in (True, False):
            answers = list(rng.random(200) < share)
            negated = cast_vote(not whole, [not answer for answer in answers])
            assert negated.value == -cast_vote(whole, answers).value


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
