"""Printed values, and the organisers' own results."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case
from ordbook.data.printed import official_results


def test_every_cell_of_a_table_is_printed_once(root):
    for path in (root / "data/published").glob("*_*.csv"):
        with case(path.name):
            table = pd.read_csv(path, dtype=str)
            assert list(table) == ["paper", "table", "row", "column", "printed", "note"]
            assert not table.duplicated(["table", "row", "column"]).any()


def test_as_printed(raw_files):
    results = official_results("sem16t4c")
    assert list(results.columns) == ["team", "MAE_M", "MAE_mu"]
    assert len(results) == 12
    assert results.iloc[0].tolist() == ["twise", "0.719", "0.632"]
    assert results.iloc[9].tolist() == ["_baseline", "1.200", "0.537"], "zeros are kept"
    assert results.iloc[-1].tolist() == ["pkudblab", "1.697", "1.300"]


def test_both_baselines_of_e_are_there(raw_files):
    results = official_results("sem16t4e")
    assert list(results.columns) == ["team", "EMD"]
    assert results.EMD[results.team == "_baseline"].tolist() == ["0.474", "0.734"]
    # EMD is NMD before it is divided by |C| - 1 = 4; its means over topics come out.
    means = ob.score(ob.load("sem16t4e"), ["NMD"]).means()["NMD"] * 4
    assert sorted(results.EMD) == sorted(f"{mean:.3f}" for mean in means)


def test_not_there(no_raw_files):
    with pytest.raises(
        FileNotFoundError,
        match=r"official_results/results-E.txt of sem16t4e is not on this.*ordbook fetch",
    ):
        official_results("sem16t4e")
    with pytest.raises(
        ValueError, match="no official results of 'dbdc3'; .* sem16t4c, sem16t4d, sem16t4e"
    ):
        official_results("dbdc3")


def table_of(name, scores):
    """Printed values whose rows are our runs: of two baselines, the better one comes first."""
    results = official_results(name)
    ours = iter(scores.sort_values().filter(like="_base").index)
    rows = [next(ours) if team == "_baseline" else team for team in results["team"]]
    table = results.drop(columns="team").assign(row=rows)
    return table.melt("row", var_name="column", value_name="printed")


def test_every_official_score_comes_out(raw_files):
    """SemEval pools tweets in subtask C and averages over topics in subtasks D and E."""
    pooled = ob.score(ob.load("sem16t4c"), aggregate="pooled").means()
    emd = (ob.score(ob.load("sem16t4e"), ["NMD"]).means() * 4).set_axis(["EMD"], axis=1)
    task = ob.load("sem16t4d")
    ours = errors_of_subtask_d(task)
    for name, scores, cells in (
        ("sem16t4c", pooled, 24), ("sem16t4d", ours, 48), ("sem16t4e", emd, 12)
    ):  # fmt: skip
        with case(name):
            printed = table_of(name, scores.iloc[:, 0] if name != "sem16t4c" else scores["MAE_M"])
            found = ob.compare("semeval", name, scores, printed=printed)
            assert found.counts() == {"exact": cells}
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
