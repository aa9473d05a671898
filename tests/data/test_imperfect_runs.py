"""Runs that are not what they should be: left out, or scored on what they lack; always told."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from helpers.task_folders import write_task

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
    packed = ob.load(shutil.make_archive(str(tmp_path), "zip", folder), skip_invalid=True)
    assert packed.runs == ("A", "D")


def test_no_run_is_left_out_in_silence(tmp_path: Path, subtests) -> None:
    folder = write_task(tmp_path, gold=SHARES, A=SHORT)
    for options, message in [
        ({}, "A.csv: no answer for topic 't2'"),
        ({"skip_invalid": True}, "A.csv: no answer for topic 't2'"),  # nothing would be left
        ({"exclude": ["B"]}, "there is no run 'B', but A"),
        ({"exclude": "A"}, "exclude= is the text 'A'; pass a list"),
        ({"missing": "zero"}, "missing='zero' is not one of refuse, worst, baseline"),
    ]:
        with subtests.test(options=options), pytest.raises(ValueError, match=message):
            ob.load(folder, **options)
    (folder / "runs/B.csv").write_text(SHARES)
    (folder / "gold.csv").write_text(SHARES.replace(".5", ".4"))
    with pytest.raises(ValueError, match=r"gold\.csv, line 2: a sum of 0\.9"):
        ob.load(folder, skip_invalid=True)
    with pytest.raises(ValueError, match="skip_invalid= is for files"):
        ob.load("sem16t4e", skip_invalid=True)


def test_missing_topics_count_as_uniform_or_as_the_worst_class(tmp_path: Path) -> None:
    folder = write_task(tmp_path, gold=SHARES, A=SHORT, B=SHARES)
    task = ob.load(folder, missing="baseline")
    np.testing.assert_allclose(task.estimates[0], [[0.5, 0.25, 0.25], [1 / 3] * 3, [0.2, 0.6, 0.2]])
    assert {run: each.tolist() for run, each in task.unanswered.items()} == {
        "A": [False, True, False]
    }
    (note,) = [note for note in task.provenance.notes if "no answer" in note]
    assert note == (
        "run A has no answer for 1 of 3 topics: this counts as the uniform distribution."
    )
    scores = ob.score(task, ["NMD", "RNSS"])
    assert scores["NMD"].loc["t2", "A"] == pytest.approx(ob.nmd([0, 0, 1], [1 / 3] * 3))
    worst = ob.load(folder, missing="worst")
    assert "the one class that scores worst there" in worst.provenance.notes[-1]
    scores = ob.score(worst)
    assert scores.values[:, 1, 0].tolist() == [
        max(measure.function(np.array([0, 0, 1.0]), each) for each in np.eye(3))
        for measure in ob.measures.QUANTIFICATION.values()
    ]
    whole = ob.score(ob.load(write_task(tmp_path / "whole", gold=SHARES, A=SHARES, B=SHARES)))
    assert (scores.values[:, [0, 2]] == whole.values[:, [0, 2]]).all()
    assert (scores.values[:, :, 1] == whole.values[:, :, 1]).all()


def test_missing_items_count_as_the_commonest_or_the_worst_class(tmp_path: Path) -> None:
    folder = write_task(tmp_path, gold=LABELS, A=LACKING)
    task = ob.load(folder, missing="baseline")
    assert task.predicted.tolist() == [[1] * 6]
    assert task.unanswered["A"].tolist() == [True, False, True, False, False, False]
    assert "A has no answer for 2 of 6 items: these count as class 1" in task.provenance.notes[-1]
    scores = ob.score(ob.load(folder, missing="worst"))
    filled = [[0, 1, 0], [1, 1, 1], [2, 1, 2]]
    for measure in (ob.measures.CLASSIFICATION[name] for name in ("accuracy", "MAE_M", "kappa")):
        ends = [measure.function([0, 1, 2], each, labels=[0, 1, 2]) for each in filled]
        worst = max(ends) if measure.better == "low" else min(ends)
        assert scores[measure.name].loc["s", "A"] == pytest.approx(worst)
        assert scores[measure.name].loc["t", "A"] == measure.function(
            [1] * 3, [1] * 3, labels=[0, 1, 2]
        )
    pooled = ob.score(ob.load(folder, missing="worst"), ["accuracy"], aggregate="pooled")
    assert pooled.values.item() == 4 / 6


def test_every_format_of_distributions(root: Path, tmp_path: Path) -> None:
    formats = root / "data/examples/formats"
    ntcir = Path(shutil.copytree(formats / "ntcir", tmp_path / "ntcir"))
    (run,) = ntcir.glob("runs/first_quality.json")
    run.write_text(json.dumps(json.loads(run.read_text())[1:]))
    task = ob.load(ntcir, part="E", missing="baseline")
    assert task.unanswered["first_quality"].sum() == 1
    np.testing.assert_allclose(task.estimates[0][task.unanswered["first_quality"]], [[0.2] * 5])
    assert ob.load(ntcir, part="E", skip_invalid=True).runs == task.runs[1:]
    with pytest.raises(ValueError, match="missing: this is for labels and distributions"):
        ob.load(ntcir, part="nugget", missing="worst")
    dbdc = Path(shutil.copytree(formats / "dbdc", tmp_path / "dbdc"))
    (dbdc / "runs/folder/demo02.labels.json").unlink()
    assert ob.load(dbdc, missing="worst").unanswered["folder"].tolist() == [False] * 3 + [True] * 3
    with pytest.raises(ValueError, match="missing: this is for files of runs"):
        ob.load(formats / "scores/long.csv", missing="worst")
    scores = ob.load(formats / "scores/long.csv")
    fewer = ob.load(formats / "scores/long.csv", exclude=scores.runs[:1])
    assert (fewer.scores["RNOD"] == scores.scores["RNOD"][list(scores.runs[1:])]).all(axis=None)
