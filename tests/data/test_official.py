"""The organisers' own results."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case
from ordbook.data import printed
from ordbook.data.printed import official_results, official_table


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


def test_another_format_is_refused(tmp_path, monkeypatch):
    for text in ["QCRI 0.243\n", "QCRI\t0.243\t0.1\n", "QCRI\t0,243\n", "QCRI\n", "\n"]:
        with case(text, within=tmp_path) as folder:
            path = folder / "results.txt"
            path.write_text("a\t0.1\t\n" + text)
            monkeypatch.setattr(printed, "raw_file", lambda *_, path=path: path)
            with pytest.raises(
                ValueError, match=r"results\.txt, line 2: expected a team and 1 scores"
            ):
                official_results("sem16t4e")


def test_every_official_score_comes_out(raw_files):
    """SemEval pools tweets in subtask C and averages over topics in subtasks D and E."""
    pooled = ob.score(ob.load("sem16t4c"), aggregate="pooled").means()
    printed = official_table("sem16t4c", pooled["MAE_M"])
    assert ob.compare("semeval", "C", pooled, printed=printed).counts() == {"exact": 24}
    emd = (ob.score(ob.load("sem16t4e"), ["NMD"]).means() * 4).set_axis(["EMD"], axis=1)
    printed = official_table("sem16t4e", emd["EMD"])
    assert ob.compare("semeval", "E", emd, printed=printed).counts() == {"exact": 12}


def test_baselines_are_matched_in_order(raw_files):
    emd = ob.score(ob.load("sem16t4e"), ["NMD"]).means()["NMD"] * 4
    rows = official_table("sem16t4e", emd).set_index("row")["printed"]
    assert rows["_baseline-average-on-train+dev+devtest"] == "0.474"
    assert rows["_baseline-0-0-0-1-0"] == "0.734"


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


def test_every_official_score_of_subtask_d_comes_out(raw_files):
    task = ob.load("sem16t4d")
    ours = errors_of_subtask_d(task)
    printed = official_table("sem16t4d", ours["KLD"])
    assert ob.compare("semeval", "D", ours, printed=printed).counts() == {"exact": 48}
    # Of two classes the absolute error is the normalised variational distance.
    assert np.allclose(ours["AE"], ob.score(task, ["NVD"]).means()["NVD"], rtol=0, atol=1e-15)


def test_six_measures_are_equal_on_two_classes():
    """LQ'21 says so of NMD, RNOD and RSNOD; of two classes all six are one difference."""
    scores = ob.score(ob.load("sem16t4d"))
    assert scores.values[0].shape == (100, 16)
    for measure in ("RNOD", "RSNOD", "NVD", "RNSS", "RNADW"):
        np.testing.assert_allclose(scores[measure], scores["NMD"], rtol=0, atol=1e-12)
    assert np.abs(scores["JSD"] - scores["NMD"]).to_numpy().max() > 0.1
