"""Official tables of a task: ranks, intervals, who beats whom, groups, doubles; and their files."""

import json

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.data.scores import ScoresTask
from ordbook.meta.rankings import identical_runs
from ordbook.reports.result_files import SUMMARY, as_latex, write_results
from ordbook.reports.results import Results
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
    found = Results(ScoresTask(scores=scores), trials=1000)
    assert [*found.rankings] == [*found.pairs] == ["u", "v"]
    table = found.rankings["u"]
    assert table["run"].tolist() == ["a", "b", "c", "d"]
    assert table["rank"].tolist() == [1, 2, 3, 3]
    assert table["identical_to"].tolist() == ["", "", "d", "c"]
    assert set(table["interval"]) == {"t, 95%"}
    pairs = found.pairs["u"]
    beaten = {run: (pairs["better"] == run).sum() for run in "abcd"}
    assert table.set_index("run")["better_than"].to_dict() == beaten


def test_columns_of_the_task_stand_beside_the_run(scores):
    about = pd.DataFrame({"group": TEAMS, "rank": {"a": "first"}})
    table = Results(ScoresTask(scores=scores, about=about), trials=100).rankings["u"]
    assert list(table)[:4] == ["rank", "run", "group", "rank of the run"]
    assert table["group"].tolist() == list("xyxy")


def test_open_pairs_are_counted_and_marked(tmp_path):
    """With 300 trials some pairs are open, on both sides of alpha."""
    values = np.random.default_rng(1).random((1, 30, 12)) + np.linspace(0, 0.8, 12)
    scores = matrix(values, "high", [f"run {k}" for k in range(12)])
    tests = ob.tukey_hsd(scores, 300)
    summary = write_results(tmp_path, Results(ScoresTask(scores=scores), trials=300))
    low, high = (limits["u"] for limits in tests.limits(0.999))
    left = tests.p["u"][(low < 0.05) & (high >= 0.05)]
    marked = int((left < 0.05).sum())
    assert 0 < marked < len(left) == summary["measures"]["u"]["open"]
    for folder in ("results", "significance"):
        text = (tmp_path / folder / "u.tex").read_text()
        assert text.count(f"After 300 trials, {len(left)} pairs of runs remain undecided.") == 1
    assert text.count(", open)") == marked
    assert pd.read_csv(tmp_path / "significance" / "u.csv")["open"].sum() == marked
    assert (
        f"differ significantly; {len(left)} pairs undecided" in (tmp_path / "README.md").read_text()
    )


def test_the_folder_holds_what_its_summary_says(tmp_path):
    scores = scores_of()
    official = Results(ScoresTask(scores=scores.select(["v"])), rank_by="V", trials=1000)
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


def test_one_table_holds_all_measures_with_ranks_and_the_median_of_the_teams(tmp_path):
    values = np.array([[[0.1, 0.4, 0.3, 0.9]], [[0.5, 0.5, 0.2, 0.1]]])
    scores = matrix(values, {"u": "low", "v": "high"}, ["a", "b", "c", "BL-uniform"])
    write_results(tmp_path, Results(ScoresTask(scores=scores), rank_by="u"))
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
    write_results(tmp_path, Results(task, ["alpha_ord"], trials=1000))
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
