"""Two runs topic by topic: which, how they differ, and what is drawn of it."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case
from ordbook.book import two_runs
from ordbook.measures import custom_measure
from ordbook.meta.deltas import quadrants

HITS = custom_measure("HITS", lambda g, p: np.minimum(g, p).sum(axis=-1), better="high")


def simulated(topics=60, seed=3):
    rng = np.random.default_rng(seed)
    gold = rng.dirichlet([1] * 3, topics)
    runs = {
        name: share * gold + (1 - share) * rng.dirichlet([1] * 3, topics)
        for name, share in {"bad": 0.1, "good": 0.7, "fair": 0.5}.items()
    }
    return ob.QuantificationTask.from_arrays(gold, runs)


@pytest.fixture(scope="module")
def scores():
    return ob.score(simulated(), ["NVD", "NMD", "RSNOD", HITS])


def test_the_best_two_are_chosen_the_better_one_last(scores):
    assert two_runs.chosen_runs(scores) == ("fair", "good")
    assert two_runs.chosen_runs(scores, measure="HITS") == ("fair", "good")


def test_equal_means_keep_the_order_of_the_task_whatever_their_last_bits():
    gold = np.eye(2)[[0, 0, 0]]
    wrong = np.array([0.1, 0.2, 0.3])
    runs = {
        "first": np.stack([1 - wrong, wrong], 1),
        "second": np.stack([1 - wrong, wrong], 1)[::-1],
    }
    scores = ob.score(ob.QuantificationTask.from_arrays(gold, runs), ["NVD"])
    means = scores.means()["NVD"]
    assert means["second"] < means["first"], "apart in the last bit"
    assert two_runs.chosen_runs(scores, measure="NVD") == ("second", "first")


def test_baselines_are_not_chosen_unless_nothing_else_is_there():
    task = simulated()
    whole = ob.score(task.with_baselines(), ["NMD"])
    assert two_runs.systems_only(whole).runs == ("bad", "good", "fair")
    assert np.array_equal(two_runs.systems_only(whole).values, ob.score(task, ["NMD"]).values)
    gold_itself = ob.QuantificationTask.from_arrays(
        task.gold, {"bad": task.estimates[0], "worse": np.eye(3)[[0] * len(task.gold)]}
    ).with_baselines()
    scores = ob.score(gold_itself, ["NMD"])
    assert scores.means()["NMD"].idxmin() == "BL-uniform"
    assert two_runs.chosen_runs(scores) == ("worse", "bad")
    assert two_runs.chosen_runs(scores, "BL-uniform, bad")[1] == "BL-uniform"
    alone = ob.QuantificationTask.from_arrays(task.gold, {"bad": task.estimates[0]})
    few = ob.score(alone.with_baselines(), ["NMD"])
    assert two_runs.systems_only(few) is few


def test_named_runs_are_ordered_too(scores):
    for runs in ["good, bad", "bad,good"]:
        with case(runs):
            assert two_runs.chosen_runs(scores, runs) == ("bad", "good")


OTHER_NAMES = [
    ("good", "name two different runs"),
    ("good, good", "name two different runs"),
    ("good, bad, fair", "name two different runs"),
    ("good, best", "no run 'best'; there are bad, good, fair"),
]


def test_other_names_are_refused(scores):
    for runs, message in OTHER_NAMES:
        with case(runs, message), pytest.raises(ValueError, match=message):
            two_runs.chosen_runs(scores, runs)


def test_one_run_is_not_two():
    task = simulated()
    alone = ob.QuantificationTask.from_arrays(task.gold, {"a": task.estimates[0]})
    with pytest.raises(ValueError, match="needs two"):
        two_runs.chosen_runs(ob.score(alone, ["NMD"]))


def test_a_positive_delta_prefers_the_second_run_whichever_end_is_better(scores):
    deltas = two_runs.two_deltas(scores, "bad", "good")
    assert (deltas.mean() > 0).all()
    # HITS is 1 - NVD: sums of three terms.
    np.testing.assert_allclose(deltas["HITS"], deltas["NVD"], rtol=0, atol=1e-12)


def test_the_test_names_the_better_run(scores):
    found = two_runs.randomised(scores, "bad", "good", 500, 0)
    assert (found["better"] == "good").all()
    assert found.loc["NMD", "bad"] == pytest.approx(scores.means().loc["bad", "NMD"])
    assert (found["p"] < 0.05).all()
    assert (found["low"] <= found["p"]).all()
    same = two_runs.randomised(scores, "bad", "bad", 500, 0)
    assert (same["better"] == "-").all()
    assert (same["p"] == 1).all()


def test_no_p_value_is_shown_as_zero(scores):
    found = two_runs.against(scores, "good", ["bad", "fair"], 500)
    assert found.loc["bad", "NMD"] == "< 0.002"
    p = two_runs.randomised(scores, "fair", "good", 500)["p"]
    assert found.loc["fair"].tolist() == [two_runs.p_text(value, 500) for value in p]
    assert two_runs.p_text(0.002, 500) == "0.0020"


def test_pairs_are_laid_out_in_rows(scores):
    taus = {name: ob.topic_agreement(scores, run=name) for name in ("bad", "good")}
    agreed = ob.preference_agreement(scores, "bad", "good")
    table = two_runs.by_pair(taus, agreed)
    assert list(table.columns) == ["tau, bad", "tau, good", "agreement"]
    tau = taus["good"].loc[("NVD", "NMD")]
    expected = f"{tau['tau']:.3f} [{tau['low']:.3f}, {tau['high']:.3f}]"
    assert table.loc["NVD, NMD", "tau, good"] == expected
    assert table.loc["NVD, HITS", "agreement"] == "100.0%"


def test_the_enlarged_panel_holds_the_true_disagreements(scores):
    deltas = two_runs.two_deltas(scores, "fair", "good")
    left, right = two_runs.opposite(deltas, "NMD", "RSNOD").axes
    (points,) = [line for line in right.lines if line.get_gid() == "zoom"]
    true = ob.true_disagreements(scores, "fair", "good", "NMD", "RSNOD")
    drawn = {tuple(np.abs(point)) for point in zip(*points.get_data(), strict=True)}
    assert drawn == set(map(tuple, true[["NMD", "RSNOD"]].abs().to_numpy()))
    assert len(drawn) == quadrants(deltas, "NMD", "RSNOD").disagreements > 0
    assert sum(len(x.get_xdata()) for x in left.lines if x.get_gid() == "topics") == len(deltas)


def test_no_disagreement_can_be_drawn_too():
    deltas = pd.DataFrame({"x": [1.0, 2, 3, -1], "y": [1.0, 1, 2, -1]})
    figure = two_runs.opposite(deltas, "x", "y")
    assert figure.axes[1].texts[0].get_text() == "0 opposite, enlarged"
    figure.canvas.draw()


def test_answers_are_drawn_as_given():
    gold = [[0.3, 0.2, 0.5], [0.1, 0.1, 0.8]]
    estimates = {"_a $x$": [[0.2, 0.3, 0.5], [1, 0, 0]], "b": [[0, 0, 1], [0, 1, 0]]}
    figure = two_runs.answers(gold, estimates, ["B", "PB", "NB"], ["one", "two"])
    for k, axes in enumerate(figure.axes):
        assert [bar.get_height() for bar in axes.patches] == gold[k]
        drawn = [list(line.get_ydata()) for line in axes.lines]
        assert drawn == [answer[k] for answer in estimates.values()]
        assert len({line.get_marker() for line in axes.lines}) == 2
    names = [text.get_text().strip() for text in figure.legends[0].texts]
    assert names == ["_a $x$", "b", "gold"]
    figure.canvas.draw()


def test_what_is_no_distribution_is_refused():
    with pytest.raises(ValueError, match="sum"):
        two_runs.answers([[0.3, 0.7]], {"a": [[0.5, 0.1]], "b": [[0.5, 0.5]]}, "xy", ["one"])
