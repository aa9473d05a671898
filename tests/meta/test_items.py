"""Items in the place of topics: against all permutations and the binomial, whatever threads."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

import ordbook as ob
from ordbook.data.checking import check
from ordbook.meta.items import item_intervals, item_tests


def one_topic(gold, **runs) -> ob.ClassificationTask:
    named = {run: list(labels) for run, labels in runs.items()}
    return ob.ClassificationTask.from_labels(list(gold), named, ["all"] * len(gold), range(3))


def test_p_is_the_share_of_all_permutations():
    """Three runs on five items can swap their answers in 6^5 ways; all are tried here."""
    gold = np.array([0, 1, 2, 2, 1])
    answers = np.array([[0, 1, 2, 2, 1], [0, 2, 1, 0, 1], [2, 2, 0, 0, 0]])
    task = one_topic(gold, a=answers[0], b=answers[1], c=answers[2])
    trials = 20_000
    tests = item_tests(task, ["kappa", "MAE_mu"], trials=trials)
    ways = np.array(list(permutations(range(3))))
    chosen = ways[np.array(list(product(range(6), repeat=5)))]  # (6^5, items, runs)
    swapped = answers[chosen, np.arange(5)[:, None]].swapaxes(1, 2)
    counts = np.eye(3)[gold].T @ np.eye(3)[swapped]  # gold x answer, of every way and run
    for name, measure in (("kappa", ob.kappa), ("MAE_mu", ob.mae_micro)):
        ranges = np.ptp(measure.from_confusion(counts), axis=1)
        for pair, found in tests.p[name].items():
            values = [measure(gold, answers["abc".index(k)], labels=range(3)) for k in pair]
            exact = np.mean(ranges >= abs(values[0] - values[1]) - 1e-12)
            error = np.sqrt(exact * (1 - exact) / trials)
            assert abs(found - exact) <= 5 * error + 1e-12


def test_runs_of_one_quality_are_told_apart_as_often_as_alpha_allows():
    rng = np.random.default_rng(1)
    found = []
    for draw in range(60):
        gold = rng.integers(0, 3, 80)
        runs = {
            name: np.where(rng.random(80) < 0.5, gold, rng.integers(0, 3, 80)) for name in "abcd"
        }
        tests = item_tests(one_topic(gold, **runs), ["kappa"], trials=200, seed=draw)
        found.append((tests.p["kappa"] < 0.05).any())
    assert sum(found) <= stats.binom.ppf(0.999, 60, 0.05)


def test_intervals_of_accuracy_are_those_of_the_binomial():
    gold = np.zeros(400, int)
    run = np.where(np.arange(400) < 300, 0, 1)
    (row,) = item_intervals(one_topic(gold, a=run), ["accuracy"], resamples=20_000).itertuples()
    low, high = stats.binom.ppf([0.025, 0.975], 400, 0.75) / 400
    assert row.score == 0.75
    # A quantile of a discrete distribution may lie on the neighbouring count.
    assert abs(row.low - low) <= 1 / 400 + 1e-12
    assert abs(row.high - high) <= 1 / 400 + 1e-12


def test_equal_runs_have_equal_intervals():
    rng = np.random.default_rng(3)
    gold, run = rng.integers(0, 3, (2, 90))
    table = item_intervals(one_topic(gold, a=run, b=gold[::-1], c=run), ["kappa", "MAE_mu"])
    ends = table.set_index(["run", "measure"])[["low", "high"]]
    assert ends.loc["a"].equals(ends.loc["c"])
    assert not ends.loc["a"].equals(ends.loc["b"])


def test_several_topics_and_single_runs_are_refused():
    task = ob.ClassificationTask.from_labels(
        [0, 1] * 3, {"a": [0, 1] * 3}, list("sssttt"), range(2)
    )
    with pytest.raises(ValueError, match="there are 2 topics"):
        item_intervals(task)
    with pytest.raises(ValueError, match="there is one run"):
        item_tests(one_topic([0, 1, 2], a=[0, 1, 1]))


@pytest.mark.parametrize("topics", ["0123456789ab", "001122334455"])
def test_topics_of_one_or_two_items_are_one_pool(topics, tmp_path):
    """By topic kappa would be accuracy, and the run whose errors are farther would win."""
    gold = [1, 2, 3] * 4
    runs = {"near": [1, 3, 2] * 2 + gold[:6], "far": [3, 2, 1] * 2 + [1, 2, 3, 1, 2, 3]}
    task = ob.ClassificationTask.from_labels(gold, runs, list(topics), [1, 2, 3])
    (tmp_path / "runs").mkdir()
    for name, labels in {"gold": gold, **{f"runs/{run}": runs[run] for run in runs}}.items():
        lines = (f"{t},{k},{c}\n" for k, (t, c) in enumerate(zip(topics, labels, strict=True)))
        (tmp_path / f"{name}.csv").write_text("topic,item,label\n" + "".join(lines))
    for same in (task, ob.load(tmp_path)):
        scores = ob.score(same)
        assert scores.topics == same.topics == ("pooled",)
        for run, labels in runs.items():
            assert scores["kappa"][run].item() == ob.kappa(gold, labels)
        assert scores["accuracy"]["near"].item() == scores["accuracy"]["far"].item()
        assert scores["kappa"]["near"].item() > scores["kappa"]["far"].item()
        assert any("one pool" in note for note in scores.provenance.notes)
    assert sum("one pool" in note for note in check(tmp_path).summary[0].task.provenance.notes) == 1
    three = ob.ClassificationTask.from_labels(gold, runs, [k // 3 for k in range(12)], [1, 2, 3])
    assert len(three.topics) == 4
