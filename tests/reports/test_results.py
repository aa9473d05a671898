"""Official tables of a task: ranks, intervals, who beats whom, groups, doubles; and their files."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.data.scores import ScoresTask
from ordbook.meta.rankings import better_than, identical_runs, standings
from ordbook.reports.result_files import SUMMARY, as_latex, write_results
from ordbook.reports.results import results
from ordbook.reports.tables import Sheet, one_of_the_worse

TEAMS = {"a": "x", "b": "y", "c": "x", "d": "y"}


def scores_of(runs="abcd", topics=30, seed=0):
    """Score runs so that a is best by u, and d doubles c."""
    rng = np.random.default_rng(seed)
    values = rng.random((2, topics, len(runs))) + np.linspace(0, 1.5, len(runs))
    values[:, :, -1] = values[:, :, -2]
    return matrix(values, {"u": "low", "v": "high"}, runs)


@pytest.fixture(scope="module")
def scores():
    return scores_of()


def test_hsd_intervals_overlap_where_the_parametric_test_finds_nothing():
    rng = np.random.default_rng(2)
    scores = matrix(rng.random((1, 20, 12)) + np.linspace(0, 0.7, 12), "low", "abcdefghijkl")
    found = standings(scores, "u", interval="hsd").set_index("run")
    p = ob.parametric_tukey_hsd(scores).matrix("u")
    overlaps = {}
    for one in scores.runs:
        for other in scores.runs:
            overlap = (
                found.loc[one, "low"] <= found.loc[other, "high"]
                and found.loc[other, "low"] <= found.loc[one, "high"]
            )
            assert overlap == (p.loc[one, other] > 0.05)
            overlaps[overlap] = overlaps.get(overlap, 0) + 1
    assert set(overlaps) == {True, False}, "both occur"


def test_identical_runs_are_found_in_every_set():
    values = np.random.default_rng(0).random((2, 5, 6))
    values[:, :, 4] = values[:, :, 1]
    values[:, :, 5] = values[:, :, 1]
    values[:, :, 3] = values[:, :, 0] * (1 + 1e-15)
    assert identical_runs(matrix(values, runs="abcdef")) == [("a", "d"), ("b", "e", "f")]
    values[1, 2, 3] += 1e-6
    assert identical_runs(matrix(values, runs="abcdef")) == [("b", "e", "f")]
    values[:, [0, 1], 4] = values[:, [1, 0], 4]  # the same means, not the same scores
    assert identical_runs(matrix(values, runs="abcdef")) == [("b", "f")]


def test_results_hold_a_table_per_measure_and_kind(scores):
    found = results(scores, trials=1000)
    assert [*found.rankings] == [*found.pairs] == ["u", "v"]
    table = found.rankings["u"]
    assert table["run"].tolist() == ["a", "b", "c", "d"]
    assert table["rank"].tolist() == [1, 2, 3, 3]
    assert table["identical_to"].tolist() == ["", "", "d", "c"]
    assert set(table["interval"]) == {"t, 95%"}
    pairs = found.pairs["u"]
    beaten = {run: (pairs["better"] == run).sum() for run in "abcd"}
    assert table.set_index("run")["better_than"].to_dict() == beaten


def test_runs_are_ranked_and_compared_within_their_group(scores, tmp_path):
    task = ScoresTask(scores=scores, about=pd.DataFrame({"group": TEAMS, "language": {"a": "en"}}))
    found = results(task, by_group="", trials=1000)
    table = found.rankings["u"]
    assert table[["rank_in_group", "rank", "run", "group", "language"]].to_numpy().tolist() == [
        [1, 1, "a", "x", "en"],
        [2, 3, "c", "x", ""],
        [1, 2, "b", "y", ""],
        [2, 3, "d", "y", ""],
    ]
    by_language = results(task, by_group="language", trials=1000).rankings["u"]
    assert by_language.set_index("run")["rank_in_group"].to_dict() == {
        "a": 1,
        "b": 1,
        "c": 2,
        "d": 2,
    }
    pairs = found.pairs["u"]
    assert set(zip(pairs["better"], pairs["worse"], strict=True)) == {("a", "c"), ("b", "d")}
    assert (pairs["better_group"] == pairs["worse_group"]).all()
    whole = results(task, trials=1000).pairs["u"]
    p = whole.set_index(["better", "worse"])["p"]
    assert all(row.p == p[row.better, row.worse] for row in pairs.itertuples())
    summary = write_results(tmp_path, found)
    assert summary["by_group"] == "group"
    assert summary["groups"]["a"] == {"group": "x", "language": "en"}
    text = (tmp_path / "results" / "u.tex").read_text()
    rows = re.findall(r"^(\d) & (\w) & (\w) ", text, re.M)
    assert rows == [("1", "a", "x"), ("2", "c", "x"), ("1", "b", "y"), ("2", "d", "y")]
    assert "Ranks are within each group." in text
    assert "Only runs of the same group are" in (tmp_path / "significance" / "u.tex").read_text()


@pytest.mark.parametrize("split", [None, "group"])
def test_open_pairs_are_marked_in_every_table(tmp_path, split):
    """With 300 trials some pairs are open, on both sides of alpha."""
    values = np.random.default_rng(1).random((1, 30, 12)) + np.linspace(0, 0.8, 12)
    scores = matrix(values, "high", [f"run {k}" for k in range(12)])
    tests = ob.tukey_hsd(scores, 300)
    groups = {run: "even" if k % 2 else "odd" for k, run in enumerate(scores.runs)}
    task = ScoresTask(scores=scores, about=pd.DataFrame({"group": groups}))
    summary = write_results(tmp_path, results(task, trials=300, by_group=split))
    low, high = (limits["u"] for limits in tests.limits(0.999))
    every = {*tests.p.index[(low < 0.05) & (high >= 0.05)]}
    expected = {pair for pair in every if split is None or groups[pair[0]] == groups[pair[1]]}
    found = summary["measures"]["u"]["open_pairs"]
    assert {(one["first"], one["second"]) for one in found} == every, "of all runs together"
    found = [one for one in found if (one["first"], one["second"]) in expected]
    assert {one["p"] < 0.05 for one in found} == {True, False}
    for folder in ("results", "significance"):
        text = (tmp_path / folder / "u.tex").read_text()
        assert text.count("Undecided after 300 trials: ") == 1
        assert all(f"{first} and {second} (p = " in text for first, second in expected)
        assert "for undecided pairs, which are listed." in text
    assert text.count(", open)") == sum(one["p"] < 0.05 for one in found)
    table = pd.read_csv(tmp_path / "results" / "u.csv")
    assert table["open"].sum() == 2 * len(expected)
    listed = pd.read_csv(tmp_path / "significance" / "u.csv")
    assert listed["open"].sum() == text.count(", open)")
    assert re.search(
        rf"^- u: \d+ of 66 run pairs differ significantly; {len(every)} pairs undecided$",
        (tmp_path / "README.md").read_text(),
        re.M,
    )


def test_the_folder_holds_what_its_summary_says(tmp_path):
    scores = scores_of()
    official = results(scores.select(["v"]), primary="V", trials=1000)
    summary = write_results(tmp_path, official)
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    kinds = [f"{k}/v.{end}" for k in ("results", "significance") for end in ("csv", "tex")]
    assert found == {
        "README.md",
        "leaderboard.html",
        "overview.tex",
        "scores.csv",
        "scores.json",
        "topics.csv",
        SUMMARY,
        *kinds,
    }
    assert json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8")) == summary
    assert summary["identical"] == [["c", "d"]]
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "The primary measure is v." in text
    assert "c and d have the same scores on every topic by every measure." in text
    assert "6, and 3 among the 3 different runs" in text
    assert f"numpy {np.__version__}" in text
    assert "seed 0" in text
    assert str(tmp_path) not in text


def test_pairs_of_more_than_100_runs_are_counted_and_kept_as_arrays(tmp_path):
    names = [f"r{k:03}" for k in range(101)]
    rng = np.random.default_rng(0)
    values = rng.random((2, 20, 101)) + np.linspace(0, 1, 101)
    scores = matrix(values, {"u": "low", "v": "high"}, names)
    tests = ob.tukey_hsd(scores, 200)
    summary = write_results(tmp_path, results(scores, trials=200))
    assert not (tmp_path / "significance").exists()
    with np.load(tmp_path / "significance.npz") as arrays:
        for k, measure in enumerate(arrays["measures"]):
            p = pd.DataFrame(arrays["p"][k], arrays["runs"], arrays["runs"])
            np.testing.assert_array_equal(p, tests.matrix(measure))
    for measure in "uv":
        pairs = better_than(tests, measure)
        rows = summary["measures"][measure]["ranking"]
        counts = {row["run"]: row["beats"] for row in rows if row["beats"]}
        assert counts == pairs["better"].value_counts().to_dict()
        open_pairs = (ob.pairs_in_doubt(tests, level=0.999)["measure"] == measure).sum()
        assert summary["measures"][measure]["open"] == open_pairs
        assert "open_pairs" not in summary["measures"][measure]
        assert "better_than" not in rows[0]


def test_one_table_holds_all_measures_with_ranks_and_the_median_of_the_teams(tmp_path):
    values = np.array([[[0.1, 0.4, 0.3, 0.9]], [[0.5, 0.5, 0.2, 0.1]]])
    scores = matrix(values, {"u": "low", "v": "high"}, ["a", "b", "c", "BL-uniform"])
    write_results(tmp_path, results(scores, primary="u"))
    rows = [line.split(" & ") for line in (tmp_path / "overview.tex").read_text().splitlines()]
    cells = [[cell.strip("\\ ") for cell in row] for row in rows if len(row) == 3]
    assert cells[0] == ["run", "u (low)", "v (high)"]
    assert cells[1:] == [
        ["a", "0.1000 (1)", "0.5000 (1)"],
        ["c", "0.3000 (2)", "0.2000 (3)"],
        ["b", "0.4000 (3)", "0.5000 (1)"],
        ["BL-uniform", "0.9000 (4)", "0.1000 (4)"],
        ["median of the runs", "0.3000", "0.5000"],
    ]
    assert r"\footnotesize" in (tmp_path / "overview.tex").read_text()


def test_a_run_whose_scale_seems_reversed_is_noted_in_the_results(tmp_path):
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 5, 200)
    near = np.clip(gold + rng.integers(-1, 2, 200), 0, 4)
    runs = {"near": near, "turned": 4 - near}
    task = ob.ClassificationTask.from_labels(gold, runs, np.repeat(np.arange(10), 20), range(5))
    write_results(tmp_path, results(task, ["alpha_ord"], trials=1000))
    (note,) = [
        note for note in json.loads((tmp_path / SUMMARY).read_text())["notes"] if "reversed" in note
    ]
    assert note.startswith("turned is ")


def test_p_is_shown_as_finely_as_the_trials_tell():
    for p, trials, shown in (
        (0.0002, 5000, "p = 0.0002"),
        (0, 5000, "p < 0.0002"),
        (5e-6, 640_000, "p < 0.00001"),
        (1e-9, 0, "p < 0.0001"),
    ):
        assert one_of_the_worse("r", p, 1, False, trials) == f"r ({shown}, ES = 1.000)"


def test_a_long_table_is_broken_over_pages_and_a_wide_one_has_small_letters():
    for rows, columns, expected in (
        (5, ["a", "these runs"], r"\centering\footnotesize"),
        (5, list("abcdefghi"), r"\centering\tiny"),
        (50, ["a"], r"\endhead"),
    ):
        table = pd.DataFrame("x", range(rows), columns)
        text = as_latex(Sheet("c", table, ["note"], "tab:x"))
        assert expected in text
        assert ("longtable" in text) is (rows == 50)
