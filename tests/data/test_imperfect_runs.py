"""Runs that are not what they should be: left out, or scored on what they lack; always told."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.task_folders import write_task
from ordbook.data.gaps import SILENCE
from ordbook.data.tasks import share_answered
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

SHARES = "topic,low,mid,high\nt1,.5,.25,.25\nt2,0,0,1\nt3,.2,.6,.2\n"
SHORT = "topic,low,mid,high\nt3,.2,.6,.2\nt1,.5,.25,.25\n"
LABELS = "topic,item,label\ns,1,0\ns,2,1\ns,3,2\nt,4,1\nt,5,1\nt,6,1\n"
LACKING = "topic,item,label\nt,4,1\ns,2,1\nt,5,1\nt,6,1\n"


def test_a_run_is_left_out_for_its_problems_or_as_asked(tmp_path: Path) -> None:
    bad = SHARES.replace(".5", "x").replace(".6", ".7")
    folder = write_task(tmp_path, gold=SHARES, A=SHARES, B=bad, C=SHORT, D=SHARES)
    task = ob.load(folder, skip_invalid=True, exclude=["D"])
    assert task.runs == ("A",)
    d, b, c = task.provenance.notes
    assert d == "run D left out, as asked."
    assert b.startswith("run file B.csv left out: line 2, column ")
    assert b.endswith("(1 more problem).")
    assert c.startswith("run file C.csv left out: ")
    assert "no answer for topic 't2'" in c
    assert "runs/D.csv" not in task.provenance.files


def test_no_run_is_left_out_in_silence(tmp_path: Path, subtests) -> None:
    folder = write_task(tmp_path, gold=SHARES, A=SHORT)
    for options, message in [
        ({}, "A.csv: no answer for topic 't2'; add it, or count it as the worst with ordbook"),
        ({"skip_invalid": True}, "A.csv: no answer for topic 't2'"),  # nothing would be left
        ({"exclude": ["B"]}, "there is no run 'B', but A"),
        ({"exclude": "A"}, "exclude= is the text 'A'; pass a list"),
        ({"missing": "zero"}, "missing='zero' is not one of refuse, worst"),
    ]:
        with subtests.test(options=options), pytest.raises(ValueError, match=message):
            ob.load(folder, **options)
    (folder / "runs/B.csv").write_text(SHARES)
    (folder / "gold.csv").write_text(SHARES.replace(".5", ".4"))
    with pytest.raises(ValueError, match=r"gold\.csv, line 2: a sum of 0\.9"):
        ob.load(folder, skip_invalid=True)
    with pytest.raises(ValueError, match="skip_invalid= is for files"):
        ob.load("sem16t4e", skip_invalid=True)


def test_a_missing_topic_counts_as_the_worst_single_class_there(tmp_path: Path) -> None:
    folder = write_task(tmp_path, gold=SHARES, A=SHORT, B=SHARES)
    task = ob.load(folder, missing="worst")
    np.testing.assert_array_equal(
        task.estimates[0], [[0.5, 0.25, 0.25], [1, 0, 0], [0.2, 0.6, 0.2]]
    )
    assert {run: each.tolist() for run, each in task.unanswered.items()} == {
        "A": [False, True, False]
    }
    assert share_answered(task) == {"A": pytest.approx(2 / 3), "B": 1}
    (note,) = [note for note in task.provenance.notes if "no answer" in note]
    assert note.startswith("run A has no answer for 1 of 3 topics: each counts as the single class")
    scores = ob.score(task)
    assert scores.values[:, 1, 0].tolist() == [
        max(measure(np.array([0, 0, 1.0]), each) for each in np.eye(3))
        for measure in QUANTIFICATION.values()
    ]
    whole = ob.score(ob.load(write_task(tmp_path / "whole", gold=SHARES, A=SHARES, B=SHARES)))
    assert (scores.values[:, [0, 2]] == whole.values[:, [0, 2]]).all()
    assert (scores.values[:, :, 1] == whole.values[:, :, 1]).all()
    assert share_answered(ob.load("fair-oq")) == {}


def test_a_missing_item_counts_as_the_class_farthest_from_gold(tmp_path: Path) -> None:
    folder = write_task(tmp_path, gold=LABELS, A=LACKING)
    task = ob.load(folder, missing="worst")
    assert task.predicted.tolist() == [[2, 1, 0, 1, 1, 1]]
    assert task.unanswered["A"].tolist() == [True, False, True, False, False, False]
    assert "A has no answer for 2 of 6 items: each counts as" in task.provenance.notes[-1]
    assert share_answered(task) == {"A": pytest.approx(4 / 6)}
    for measure in CLASSIFICATION.values():
        by_hand = measure([0, 1, 2], [2, 1, 0], labels=[0, 1, 2])
        assert ob.score(task, [measure.name])[measure.name].loc["s", "A"] == by_hand
    pooled = ob.score(task, ["accuracy"], aggregate="pooled")
    assert pooled.values.item() == 4 / 6


def test_of_two_classes_equally_far_the_one_with_fewer_gold_items_counts_then_the_lower() -> None:
    for gold, expected in ([[1, 2, 2], 0], [[0, 1, 1], 2], [[0, 1, 2], 0], [[1, 1, 1], 0]):
        task = labels(gold, gold, 3)
        missing = silent(task, [label == 1 for label in gold])
        assert {missing.predicted[0][gold.index(1)]} == {expected}
    shares = ob.QuantificationTask.from_arrays(
        [[0.2, 0.6, 0.2], [0.3, 0, 0.7]], {"A": np.eye(3)[:2]}
    )
    assert silent(shares, [True, False]).estimates[0].tolist() == [[1, 0, 0], [0, 1, 0]]


def test_a_run_without_any_answer_is_the_worst_and_so_where_gold_is_one_class(tmp_path) -> None:
    nothing = re.sub(r"[0-2]$", "", LABELS, flags=re.MULTILINE)
    folder = write_task(tmp_path, gold=LABELS, A=LABELS, B=nothing, C=LABELS.replace("1\n", "0\n"))
    task = ob.load(folder, missing="worst")
    assert share_answered(task) == {"A": 1, "B": 0, "C": 1}
    for name, measure in CLASSIFICATION.items():
        scores = ob.score(task, [name])[name]
        ends = scores.min(axis=1) if measure.better == "high" else scores.max(axis=1)
        assert (scores["B"] == ends).all(), name
    assert ob.score(task, ["kappa"])["kappa"].loc["t"].tolist() == [1, 0, 0]


def labels(gold, run, classes, topics=None) -> ob.ClassificationTask:
    topics = ["t"] * len(gold) if topics is None else topics
    return ob.ClassificationTask.from_labels(gold, {"A": run}, topics, range(classes))


def silent(task, lacking):
    """Return the task without some answers of its first run."""
    return replace(task, unanswered={task.runs[0]: np.array(lacking)})


def gain(task, lacking, measures) -> pd.DataFrame:
    """Return by how much the scores improve without some answers: topic x measure."""
    before, after = (ob.score(each, measures) for each in (task, silent(task, lacking)))
    signs = np.array([-1 if end == "low" else 1 for end in before.better.values()])
    difference = (after.values - before.values)[:, :, 0].T * signs
    return pd.DataFrame(difference, columns=list(before.measures))


@pytest.mark.parametrize("tasks", [80, pytest.param(400, marks=pytest.mark.slow)])
def test_withholding_answers_never_pays_by_the_measures_named(tasks) -> None:
    """Any answers, right or wrong, of random tasks with small topics, ties and empty classes."""
    rng = np.random.default_rng(20261124)
    most = dict.fromkeys([*CLASSIFICATION, *QUANTIFICATION], 0.0)
    for _ in range(tasks):
        classes, items = int(rng.integers(2, 7)), int(rng.integers(2, 20))
        gold, drawn = rng.integers(0, rng.integers(1, classes + 1), (2, items))
        run = np.where(rng.random(items) < rng.random(), gold, drawn)
        labelled = labels(gold, run, classes, np.arange(items) % 2)
        topics = int(rng.integers(1, 5))
        opinions = rng.dirichlet([0.3] * classes, (2, topics))
        if rng.random() < 0.5:
            opinions = (
                np.array([[rng.multinomial(3, row) for row in part] for part in opinions]) / 3
            )
        shares = ob.QuantificationTask.from_arrays(opinions[0], {"A": opinions[1]})
        for task, size in ((labelled, items), (shares, topics)):
            for name, worth in gain(task, rng.random(size) < 0.4, None).max().items():
                most[name] = max(most[name], worth)
    never = ["accuracy", "MAE_mu", "MAE_M", "NMD", "RPS", "RNOD"]
    assert all(most[name] < 1e-12 for name in never), most
    assert all(name in " ".join(SILENCE.values()) for name in never)
    assert all(most[name] > 0.01 for name in ("kappa", "CEM_ORD", "RSNOD")), most


def test_who_knows_gold_can_gain_in_kappa_by_silence() -> None:
    task = ob.ClassificationTask.from_labels([2, 3, 2], {"A": [2, 3, 3]}, "ttt", [1, 2, 3])
    withheld = silent(task, [False, False, True])
    assert withheld.classes[withheld.predicted[0, 2]] == "1"
    before, after = (ob.score(each, ["kappa"]).values.item() for each in (task, withheld))
    assert (round(before, 2), round(after, 2)) == (0.40, 0.57)


def test_on_other_gold_another_class_is_the_farthest() -> None:
    """As where people are held against gold from the others, and the runs with them."""
    task = silent(labels([0, 2], [0, 2], 3), [True, False])
    assert task.predicted.tolist() == [[2, 2]]
    assert replace(task, _gold=np.array([2, 2])).predicted.tolist() == [[0, 2]]


def test_every_format_of_distributions(root: Path, tmp_path: Path) -> None:
    formats = root / "data/examples/formats"
    ntcir = Path(shutil.copytree(formats / "ntcir", tmp_path / "ntcir"))
    (run,) = ntcir.glob("runs/first_quality.json")
    run.write_text(json.dumps(json.loads(run.read_text())[1:]))
    task = ob.load(ntcir, part="E", missing="worst")
    assert task.unanswered["first_quality"].sum() == 1
    assert task.estimates[0][task.unanswered["first_quality"]].max() == 1
    assert ob.load(ntcir, part="E", skip_invalid=True).runs == task.runs[1:]
    (run,) = ntcir.glob("runs/first_nugget.json")
    run.write_text(json.dumps(json.loads(run.read_text())[1:]))
    nuggets = ob.load(ntcir, part="nugget", missing="worst")
    turns = len(json.loads((ntcir / "gold.json").read_text())[0]["turns"])
    assert nuggets.unanswered["first_nugget"].nonzero()[0].tolist() == list(range(turns))
    assert f"no answer for {turns} of 15 turns: each counts as" in nuggets.provenance.notes[-1]
    for turns in (nuggets.customer, nuggets.helpdesk):
        for measure in (ob.rnss, ob.jsd):
            first = turns.topic == 0
            for gold, answer in zip(turns.gold[first], turns.estimates[0][first], strict=True):
                worst = max(measure(gold, vertex) for vertex in np.eye(len(gold)))
                assert measure(gold, answer) == pytest.approx(worst)
    scores = ob.load(formats / "scores/long.csv")
    fewer = ob.load(formats / "scores/long.csv", exclude=scores.runs[:1])
    assert (fewer.scores["RNOD"] == scores.scores["RNOD"][list(scores.runs[1:])]).all(axis=None)
