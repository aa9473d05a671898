"""Scores by topic and by class, and what runs.csv says of runs, in the files of `ordbook score`."""

import numpy as np
import pandas as pd
from sklearn.metrics import precision_recall_fscore_support

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.cli import main
from ordbook.reports.breakdown import by_class, by_topic


def test_best_and_median_of_a_topic_follow_the_direction_of_the_measure():
    values = [[[0.1 + 0.2, 0.3, 0.5], [0.4, 0.2, 0.9]], [[1, 2, 3], [3, 1, 2]]]
    table = by_topic(matrix(values, {"u": "low", "v": "high"}, "abc"))
    assert table.drop(columns="best").to_numpy().tolist() == [
        ["u", "t0", "a", 2, 0.1 + 0.2],
        ["u", "t1", "b", 1, 0.4],
        ["v", "t0", "c", 1, 2.0],
        ["v", "t1", "a", 1, 2.0],
    ]
    assert np.allclose(table["best"], [0.3, 0.2, 3, 3])


def test_classes_have_the_precision_recall_and_f1_of_scikit_learn():
    task = ob.load("fair-oc")
    table = by_class(task)
    for k, run in enumerate(task.runs):
        expected = precision_recall_fscore_support(task.gold, task.predicted[k], zero_division=0)
        ours = table.loc[table["run"] == run, ["precision", "recall", "F1", "gold"]].fillna(0)
        assert np.allclose(ours.T, expected)
    macro = table.groupby("run")["distance"].mean()
    pooled = ob.ClassificationTask.from_labels(
        task.gold, dict(zip(task.runs, task.predicted, strict=True)), [1] * len(task.gold), range(5)
    )
    assert np.allclose(macro, ob.score(pooled, ["MAE_M"]).means()["MAE_M"][macro.index])


def test_missing_answers_count_in_the_tables_by_class(tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "gold.csv").write_text("item,label\n1,1\n2,2\n3,3\n4,3\n5,3\n")
    (tmp_path / "runs/A.csv").write_text("item,label\n1,1\n2,2\n3,3\n")
    table = by_class(ob.load(tmp_path, missing="worst"))
    assert table["gold"].tolist() == [1, 1, 3]
    assert table["answers"].tolist() == [3, 1, 1]
    assert table["recall"].tolist() == [1, 1, 1 / 3]


def test_columns_of_runs_csv_stand_in_the_tables(tmp_path):
    folder = tmp_path / "task"
    ob.load("fair-oq").save(folder)
    (folder / "runs.csv").write_text("run,group\nCC-bayes,Team|A\nCC-logit,B\n")
    command = ["score", str(folder), "--trials=100", "--measures=NMD", "--out"]
    assert main([*command, str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "README.md").read_text()
    assert "| CC-bayes | Team\\|A |" in text
    classes = pd.read_csv(tmp_path / "out/classes.csv")
    gold = classes.loc[classes["run"] == "CC-bayes", "gold"]
    assert np.allclose(gold, ob.load(folder).gold.mean(axis=0))
