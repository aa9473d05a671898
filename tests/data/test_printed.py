"""Printed values, and the organisers' own results."""

import numpy as np
import pandas as pd

import ordbook as ob
from ordbook.papers.relations import judge


def test_every_cell_of_a_table_is_printed_once(root, subtests):
    for path in (root / "data/published").glob("*_*.csv"):
        with subtests.test(path.name):
            table = pd.read_csv(path, dtype=str)
            assert list(table) == ["paper", "table", "row", "column", "printed", "note"]
            assert not table.duplicated(["table", "row", "column"]).any()


COLUMNS = {"C": ["MAE_M", "MAE_mu"], "D": ["KLD", "AE", "RAE"], "E": ["EMD"]}


def table_of(path, columns, scores):
    """The organisers' values whose rows are our runs: of two baselines, the better comes first."""
    rows = [line.rstrip("\t").split("\t") for line in path.read_text().splitlines()]
    results = pd.DataFrame(rows, columns=["team", *columns], dtype=str)
    ours = iter(scores.sort_values().filter(like="_base").index)
    rows = [next(ours) if team == "_baseline" else team for team in results["team"]]
    table = results.drop(columns="team").assign(row=rows)
    return table.melt("row", var_name="column", value_name="printed")


def test_every_official_score_comes_out(raw_files, subtests):
    """SemEval pools tweets in subtask C and averages over topics in subtasks D and E."""
    pooled = ob.score(ob.load("sem16t4c"), aggregate="pooled").means()
    emd = (ob.score(ob.load("sem16t4e"), ["NMD"]).means() * 4).set_axis(["EMD"], axis=1)
    task = ob.load("sem16t4d")
    ours = errors_of_subtask_d(task)
    for subtask, scores, cells in (("C", pooled, 24), ("D", ours, 48), ("E", emd, 12)):
        with subtests.test(subtask=subtask):
            path = raw_files / f"semeval2016-task4/official_results/results-{subtask}.txt"
            first = scores["MAE_M"] if subtask == "C" else scores.iloc[:, 0]
            printed = table_of(path, COLUMNS[subtask], first)
            assert len(printed) == cells
            for row, column, text in printed[["row", "column", "printed"]].to_numpy():
                assert judge(text, scores.loc[row, column]) == "recomputed"
    # Of two classes the absolute error is the normalised variational distance.
    assert np.allclose(ours["AE"], ob.score(task, ["NVD"]).means()["NVD"], rtol=0, atol=1e-15)


def errors_of_subtask_d(task):
    """KLD, AE and RAE as the task's paper defines them, smoothed by half a tweet a class."""
    half = 1 / (2 * np.array(task.votes))[:, None]
    gold, estimates = ((each + half) / (1 + 2 * half) for each in (task.gold, task.estimates))
    errors = {
        "KLD": (gold * np.log(gold / estimates)).sum(axis=-1),
        "AE": np.abs(task.estimates - task.gold).mean(axis=-1),
        "RAE": (np.abs(estimates - gold) / gold).mean(axis=-1),
    }
    return pd.DataFrame({name: of.mean(axis=-1) for name, of in errors.items()}, index=task.runs)


def test_six_measures_are_equal_on_two_classes():
    """LQ'21 says so of NMD, RNOD and RSNOD; of two classes all six are one difference."""
    scores = ob.score(ob.load("sem16t4d"))
    assert scores.values[0].shape == (100, 16)
    for measure in ("RNOD", "RSNOD", "NVD", "RNSS", "RNADW"):
        np.testing.assert_allclose(scores[measure], scores["NMD"], rtol=0, atol=1e-12)
    assert np.abs(scores["JSD"] - scores["NMD"]).to_numpy().max() > 0.1
