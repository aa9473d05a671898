"""Skill: scores held against a reference that ignores its input."""

from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from helpers.random_tasks import save_labels
from ordbook.cli import main
from ordbook.data.catalog import catalog
from ordbook.data.scores import TIE_TOLERANCE, committed_scores, load_scores
from ordbook.data.scoring import _require_same, kind_of
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

RUNS = [dataset.name for dataset in catalog().values() if dataset.runs]
# Of those without labels or shares no reference can be scored.
WITH_SKILL = {
    "classification": {name for name, measure in CLASSIFICATION.items() if measure.skill},
    "quantification": {name for name, measure in QUANTIFICATION.items() if measure.skill},
    "nuggets": set(),
}


def labels(gold, runs, topics, classes=(1, 2, 3)):
    return ob.ClassificationTask.from_labels(gold, runs, topics, classes)


def test_skill_by_hand():
    """Topic s has gold 1 2 2, topic t 3 3 3; means are over the two topics."""
    runs = {"A": [1, 2, 2, 3, 3, 2], "B": [2] * 6}
    scores = ob.score(labels([1, 2, 2, 3, 3, 3], runs, "sssttt"))
    # The single class 2 has MAE_mu (1/3 + 1)/2 = 2/3 as 3 has (4/3 + 0)/2; A has (0 + 1/3)/2 = 1/6.
    assert scores.skill()["MAE_mu"].to_list() == pytest.approx([3 / 4, 0], abs=1e-15)
    # Of s both classes weigh the same: 2 has MAE_M (1/2 + 1)/2 and 3 has (3/2 + 0)/2, as much.
    assert scores.skill()["MAE_M"].to_list() == pytest.approx([7 / 9, 0], abs=1e-15)
    # The mean shares are 1/2, so RPS is 1/4 on both topics; A has 0 and 1/4.
    shares = ob.QuantificationTask.from_arrays([[1, 0], [0, 1]], {"A": [[1, 0], [0.5, 0.5]]})
    assert ob.score(shares).skill()["RPS"].to_list() == [0.5]


@pytest.mark.parametrize("name", RUNS)
def test_every_set_of_the_catalogue_has_skill_and_it_ranks_as_the_measure(name, no_raw_files):
    task = ob.load(name)
    scores = ob.score(task)
    skill = scores.skill()
    assert set(skill) == WITH_SKILL[kind_of(task)]
    means = scores.means()
    for measure in skill:
        assert skill[measure].notna().all()
        assert (skill[measure].rank() == means[measure].rank(ascending=False)).all()


def test_of_the_survey_all_runs_but_one_are_below_the_best_single_class():
    assert (ob.score(ob.load("fair-oc")).skill()["MAE_M"] < 0).sum() == 15


@pytest.mark.parametrize("aggregate", ["topic", "pooled"])
def test_the_reference_of_labels_is_the_best_of_all_constant_runs(aggregate):
    rng = np.random.default_rng(0)
    for k in range(20):
        gold, topics = rng.choice(5, 40, p=rng.dirichlet(np.ones(5))), np.repeat(range(4), 10)
        constant = {str(answer): np.full(40, answer) for answer in range(5)}
        random = {f"random {k}": rng.integers(0, 5, 40)}
        scores = ob.score(labels(gold, constant | random, topics, range(5)), aggregate=aggregate)
        for measure in WITH_SKILL["classification"]:
            best = scores[measure][list(constant)].mean().min()
            assert scores.references[measure].mean() == pytest.approx(best, abs=TIE_TOLERANCE)


def test_no_constant_distribution_beats_the_mean_shares_by_rps():
    """By NMD some does: there the mean shares are no zero."""
    rng = np.random.default_rng(0)
    gold = rng.dirichlet([0.4, 0.6, 1.5], 30)
    constant = np.concatenate([np.eye(3), rng.dirichlet(np.ones(3), 3000)])[:, None]
    estimates = np.broadcast_to(constant, (len(constant), *gold.shape))
    reference = ob.score(ob.QuantificationTask.from_arrays(gold, {"A": gold})).references
    assert ob.rps(gold, estimates).mean(axis=1).min() >= reference["RPS"].mean()
    at_mean = ob.nmd(gold, np.broadcast_to(gold.mean(axis=0), gold.shape)).mean()
    assert ob.nmd(gold, estimates).mean(axis=1).min() < at_mean - 0.001


def test_the_reference_does_not_depend_on_the_runs():
    gold = [1, 2, 2, 3, 3, 3]
    whole = labels(gold, {"A": gold}, "sssttt")
    silent = replace(whole, unanswered={"A": np.arange(6) > 2})
    for task in (whole, silent, labels(gold, {"B": [1] * 6, "C": [3] * 6}, "sssttt")):
        references = ob.score(task).references
        assert references.to_dict("list") == {"MAE_M": [0.5, 1], "MAE_mu": [1 / 3, 1]}


def test_a_part_of_the_scores_keeps_its_references_and_files_hold_them(tmp_path):
    scores = ob.score(ob.load("fair-oc"))
    half = replace(scores, values=scores.values[:, ::2], topics=scores.topics[::2])
    means = half.means()["MAE_M"] / scores.references["MAE_M"].to_numpy()[::2].mean()
    assert half.skill()["MAE_M"].to_numpy() == pytest.approx(1 - means.to_numpy(), abs=1e-15)
    assert list(scores.select(["kappa", "MAE_mu"]).skill()) == ["MAE_mu"]
    # A column for each measure in a file of its own, as others publish scores.
    for name in ("MAE_mu", "MAE_M", "kappa"):
        half.select([name]).save(tmp_path / f"{name}.csv")
    alone = load_scores(tmp_path / "MAE_M.csv")
    folder = ob.score(ob.load(tmp_path))
    for again in (alone, folder):
        assert again.references.equals(half.references[list(again.references)])
    assert set(folder.references) == {"MAE_M", "MAE_mu"}
    other = replace(half, topics=tuple(f"another {topic}" for topic in half.topics))
    assert other.skill().shape == (16, 0)
    assert ob.ScoreMatrix.from_frame(scores.to_frame()).skill().shape == (16, 0)


def test_committed_references_are_held_to_recomputed_ones():
    for name in ("sem16t4c-pooled", "sem16t4e"):
        committed = committed_scores(name)
        _require_same(committed, committed)
        for references in (committed.references + 1e-9, committed.references.iloc[:, :0]):
            with pytest.raises(ValueError, match="the references of skill differ"):
                _require_same(committed, replace(committed, references=references))


@pytest.mark.parametrize("kind", ["labels", "shares"])
def test_where_all_gold_is_alike_skill_is_empty_and_a_note_says_why(kind, tmp_path, capsys):
    """Shares of .1 whose mean is .1 and a last bit are alike, too."""
    if kind == "labels":
        task, measure = labels([2] * 6, {"A": [1, 2, 2, 2, 2, 2], "B": [2] * 6}, "sssttt"), "MAE_M"
    else:
        gold = [[0.1, 0.2, 0.7]] * 3
        task = ob.QuantificationTask.from_arrays(gold, {"A": gold, "B": [[0, 0, 1]] * 3})
        measure = "RPS"
    assert ob.score(task).skill()[measure].isna().all()
    task.save(tmp_path / "task")
    options = ["--out", tmp_path / "out", "--trials", 100, "--primary", measure]
    assert main(["score", *map(str, [tmp_path / "task", *options])]) == 0
    head = capsys.readouterr().out.splitlines()[0]
    assert measure in head
    assert "skill" not in head
    note = f"Skill by {measure} is not defined, because the reference is perfect"
    assert note in (tmp_path / "out" / "README.md").read_text()
    assert note in (tmp_path / "out" / "leaderboard.html").read_text()


def test_the_command_shows_skill_beside_the_scores(tmp_path, capsys):
    folder = save_labels(tmp_path / "task", {"good": 0.1, "bad": 0.9}, 60, 6)
    out = tmp_path / "out"
    options = ["--out", out, "--trials", 100, "--primary", "MAE_M"]
    assert main(["score", *map(str, [folder, *options])]) == 0
    lines = capsys.readouterr().out.splitlines()
    skill = ob.score(ob.load(folder)).skill()["MAE_M"]
    assert lines[0].split() == ["rank", "run", "mean", "MAE_M", "skill", "kappa", "(rank)"]
    assert [line.split()[-3] for line in lines[1:3]] == [
        f"{skill[run]:.3f}" for run in skill.index[::-1]
    ]
    assert f"& {skill['good']:.3f} &" in (out / "results" / "MAE_M.tex").read_text()
    assert "skill" not in (out / "results" / "kappa.csv").read_text()
    assert load_scores(out).skill()["MAE_M"].equals(skill)


def test_only_measures_of_which_a_perfect_score_is_0_have_skill():
    """It is 1 - score / reference."""
    for measure in [*CLASSIFICATION.values(), *QUANTIFICATION.values()]:
        assert not measure.skill or (measure.perfect, measure.better) == (0, "low")
