"""The organisers' own results."""

import pytest

import ordbook as ob
from cases import case
from ordbook.data import official
from ordbook.data.official import official_results, official_table


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
    with pytest.raises(ValueError, match="no official results of 'dbdc3'; .* sem16t4c, sem16t4e"):
        official_results("dbdc3")


def test_another_format_is_refused(tmp_path, monkeypatch):
    for text in ["QCRI 0.243\n", "QCRI\t0.243\t0.1\n", "QCRI\t0,243\n", "QCRI\n", "\n"]:
        with case(text, within=tmp_path) as folder:
            path = folder / "results.txt"
            path.write_text("a\t0.1\t\n" + text)
            monkeypatch.setattr(official, "raw_file", lambda *_, path=path: path)
            with pytest.raises(
                ValueError, match=r"results\.txt, line 2: expected a team and 1 scores"
            ):
                official_results("sem16t4e")


def test_every_official_score_comes_out(raw_files):
    """SemEval pools tweets in subtask C and averages over topics in subtask E."""
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
