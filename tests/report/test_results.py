"""Official tables of a task: ranks, intervals, who beats whom, groups, doubles; and their files."""

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt
from scipy import stats

import ordbook as ob
from ordbook.meta.rankings import better_than, identical_runs, ranks, standings
from ordbook.report.grouping import facts_of, group_table, identical
from ordbook.report.resultpages import SUMMARY, write_results
from ordbook.report.results import results
from ordbook.report.resulttables import Sheet, as_latex, file_stems, one_of_the_worse
from score_matrices import matrix


def scores_of(runs="abcd", topics=30, seed=0):
    """Score runs so that a is best by u, and d doubles c."""
    rng = np.random.default_rng(seed)
    values = rng.random((2, topics, len(runs))) + np.linspace(0, 1.5, len(runs))
    values[:, :, -1] = values[:, :, -2]
    return matrix(values, {"u": "low", "v": "high"}, runs)


@pytest.fixture(scope="module")
def scores():
    return scores_of()


@pytest.fixture(scope="module")
def tests(scores):
    return ob.tukey_hsd(scores, 1000)


def test_equal_means_share_a_rank_and_the_next_rank_counts_them():
    values = [[[0.3, 0.2, 0.1, 0.5], [0.3, 0.2, 0.5, 0.1]]]
    scores = matrix(values, runs="abcd")
    found = standings(scores, "u")
    assert found["run"].tolist() == ["b", "a", "c", "d"]
    assert found["rank"].tolist() == [1, 2, 2, 2]
    assert standings(matrix(values, "high", "abcd"), "u")["rank"].tolist() == [1, 1, 1, 4]


def test_float_noise_is_a_tie():
    scores = matrix([[[0.1 + 0.2, 0.3, 0.4], [0, 0, 0]]], "high", "abc")
    assert standings(scores, "u")[["rank", "run"]].to_numpy().tolist() == [
        [1, "c"],
        [2, "a"],
        [2, "b"],
    ]


def test_ranks_count_the_better_runs():
    rng = np.random.default_rng(1)
    means = rng.integers(0, 6, 40) / 7
    for better, sign in (("high", 1), ("low", -1)):
        expected = [1 + sum(sign * (other - mean) > 1e-9 for other in means) for mean in means]
        assert ranks(means, better, 1e-9).tolist() == expected


def test_t_intervals_are_scipys(scores):
    found = standings(scores, "v", level=0.9).set_index("run")
    for run in scores.runs:
        values = scores["v"][run]
        low, high = stats.t.interval(0.9, len(values) - 1, values.mean(), stats.sem(values))
        assert found.loc[run, ["low", "high"]].tolist() == pytest.approx([low, high])


def test_hsd_intervals_overlap_where_the_parametric_test_finds_nothing():
    rng = np.random.default_rng(2)
    scores = matrix(rng.random((1, 20, 12)) + np.linspace(0, 0.7, 12), "low", "abcdefghijkl")
    found = standings(scores, "u", interval="hsd").set_index("run")
    p = ob.parametric_tukey_hsd(scores).p["u"]
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


def test_a_single_topic_has_no_interval():
    assert standings(matrix([[[1.0, 2.0]]]), "u")["low"].isna().all()


def test_an_unknown_interval_is_refused(scores):
    with pytest.raises(ValueError, match="interval must be 't' or 'hsd', not 'z'"):
        standings(scores, "u", interval="z")


def test_better_than_has_p_effect_size_and_direction(tests):
    for measure in ("u", "v"):
        found = better_than(tests, measure)
        assert len(found) == int((tests.pairs(measure)["p"] < 0.05).sum()) > 0
        for row in found.itertuples():
            means = tests.means[measure]
            worse_is_higher = means[row.worse] > means[row.better]
            assert worse_is_higher == (measure == "u")
            assert row.p == tests.p[measure].loc[row.better, row.worse]
            assert row.low <= row.p <= row.high
            expected = abs(means[row.worse] - means[row.better]) / tests.v_e1[measure] ** 0.5
            assert row.effect_size == pytest.approx(expected)


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


def test_runs_with_the_same_scores_may_have_other_estimates():
    runs = {"A": [[1, 0, 0]] * 2, "B": [[1, 0, 0]] * 2, "C": [[0, 0, 1]] * 2, "D": [[0, 1, 0]] * 2}
    task = ob.QuantificationTask.from_arrays([[0.5, 0, 0.5]] * 2, runs)
    scores = ob.score(task, ["NVD"])
    found = identical(scores, task)
    assert found.groupby("same")["run"].agg(list).to_dict() == {
        "scores, not estimates": ["A", "B", "C"]
    }
    only = replace(task, runs=("A", "B"), _estimates=task.estimates[:2])
    assert set(identical(ob.score(only, ["NVD"]), only)["same"]) == {"scores and estimates"}
    assert set(identical(scores)["same"]) == {"scores"}


def test_doubles_of_other_kinds_of_tasks_are_seen():
    labels = ob.ClassificationTask.from_labels(
        [1, 2, 2], {"A": [1, 2, 1], "B": [1, 2, 1], "C": [2, 1, 1]}, ["s", "t", "t"], [1, 2]
    )
    turns = [[[1, 0, 0, 0], [1, 0, 0]]]
    nuggets = ob.NuggetTask.from_turns(
        [["customer", "helpdesk"]],
        [[[3, 1, 0, 0], [2, 2, 0]]],
        {"A": turns, "B": turns},
        votes=True,
    )
    for task in (labels, nuggets):
        found = identical(ob.score(task), task)
        assert found["run"].tolist() == ["A", "B"]
        assert set(found["same"]) == {"scores and estimates"}


def test_results_hold_a_table_per_measure_and_kind(scores, tests):
    found = results(scores, tests).tables()
    assert set(found) == {
        "results/u",
        "significance/u",
        "results/v",
        "significance/v",
        "identical",
        "open",
    }
    table = found["results/u"]
    assert table["run"].tolist() == ["a", "b", "c", "d"]
    assert table["rank"].tolist() == [1, 2, 3, 3]
    assert table["identical_to"].tolist() == ["", "", "d", "c"]
    assert set(table["interval"]) == {"t, 95%"}
    pairs = found["significance/u"]
    assert table.set_index("run")["better_than"].to_dict() == {
        run: (pairs["better"] == run).sum() for run in "abcd"
    }


def test_tables_in_parts_rank_within_a_group_and_set_only_its_runs_against_each_other(
    scores, tests
):
    groups = {
        "a": {"team": "x", "language": "en"},
        "b": {"team": "y", "language": "zh"},
        "c": {"team": "x", "language": "en"},
        "d": {"team": "y", "language": "zh"},
    }
    found = results(scores, tests, groups=groups, by_group="language").tables()
    table = found["results/u"]
    columns = ["rank_in_group", "rank", "run", "team", "language"]
    assert table[columns].to_numpy().tolist() == [
        [1, 1, "a", "x", "en"],
        [2, 3, "c", "x", "en"],
        [1, 2, "b", "y", "zh"],
        [2, 3, "d", "y", "zh"],
    ]
    pairs = found["significance/u"]
    assert set(zip(pairs["better"], pairs["worse"], strict=True)) == {("a", "c"), ("b", "d")}
    assert (pairs["better_language"] == pairs["worse_language"]).all()
    whole = results(scores, tests, groups=groups).tables()["significance/u"]
    assert len(whole) > len(pairs)
    p = whole.set_index(["better", "worse"])["p"]
    assert all(row.p == p[row.better, row.worse] for row in pairs.itertuples())
    assert (
        results(scores, tests, groups=groups, by_group="")
        .tables()["results/u"]
        .equals(results(scores, tests, groups=groups, by_group="team").tables()["results/u"])
    )


def test_groups_come_in_several_forms():
    simple = group_table({"a": "x"}, ["a", "b"])
    assert simple.to_dict("list") == {"group": ["x", ""]}
    several = {"b": {"team": "y", "rank": "1"}, "a": {"rank": "2"}, "z": {"team": "x"}}
    known = group_table(several, ["a", "b"])
    assert known.to_dict("list") == {"team": ["", "y"], "group rank": ["2", "1"]}
    assert group_table(None, ["a"]).shape == (1, 0)


def test_impossible_requests_are_refused(scores, tests):
    with pytest.raises(ValueError, match="no run has a group"):
        results(scores, tests, by_group="")
    with pytest.raises(ValueError, match="runs have no 'team'; there is group"):
        results(scores, tests, groups={"a": "x"}, by_group="team")
    with pytest.raises(ValueError, match="the tests are not of these scores"):
        results(scores_of(seed=1), tests)
    with pytest.raises(ValueError, match="the tests are not of these scores"):
        results(scores, ob.tukey_hsd(scores, 100, measures=["u"]))
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        results(scores, tests, alpha=0)


@pytest.mark.parametrize("split", [None, "group"])
def test_open_pairs_are_marked_in_every_table(tmp_path, split):
    """With 300 trials some pairs are open, on both sides of alpha."""
    values = np.random.default_rng(1).random((1, 30, 12)) + np.linspace(0, 0.8, 12)
    scores = matrix(values, "high", [f"run {k}" for k in range(12)])
    tests = ob.tukey_hsd(scores, 300)
    groups = {run: "even" if k % 2 else "odd" for k, run in enumerate(scores.runs)}
    summary = write_results(tmp_path / "out", scores, tests, groups=groups, by_group=split)
    low, high = (limits.to_numpy() for limits in tests.p_interval("u", 0.999))
    places = list(zip(*np.nonzero(np.triu((low < 0.05) & (high >= 0.05), 1)), strict=True))
    every = {(scores.runs[i], scores.runs[j]) for i, j in places}
    expected = {
        (scores.runs[i], scores.runs[j]) for i, j in places if split is None or i % 2 == j % 2
    }
    found = summary["measures"]["u"]["open_pairs"]
    assert {(one["first"], one["second"]) for one in found} == every, "of all runs together"
    found = [one for one in found if (one["first"], one["second"]) in expected]
    assert {one["p"] < 0.05 for one in found} == {True, False}
    for folder in ("results", "significance"):
        text = (tmp_path / "out" / folder / "u.md").read_text()
        assert text.count("Open after 300 trials: ") == 1
        assert all(f"{first} and {second} (p = " in text for first, second in expected)
        assert "probability of at least 99.9%" in text
    assert text.count(", open)") == sum(one["p"] < 0.05 for one in found)
    table = pd.read_csv(tmp_path / "out" / "results" / "u.csv")
    assert table["open"].sum() == 2 * len(expected)
    listed = pd.read_csv(tmp_path / "out" / "significance" / "u.csv")
    assert listed["open"].sum() == text.count(", open)")
    assert f"; open: {len(every)}" in (tmp_path / "out" / "README.md").read_text()


def test_p_is_shown_as_finely_as_the_trials_tell():
    assert one_of_the_worse("r", 0.0002, 1, 5000) == "r (p = 0.0002, ES = 1.000)"
    assert one_of_the_worse("r", 0, 1, 5000) == "r (p < 0.0002, ES = 1.000)"
    assert one_of_the_worse("r", 0, 1, 10000) == "r (p < 0.0001, ES = 1.000)"
    assert one_of_the_worse("r", 5e-6, 1, 640_000) == "r (p < 0.00001, ES = 1.000)"
    assert one_of_the_worse("r", 0.04996, 1, 640_000, True) == "r (p = 0.04996, ES = 1.000, open)"
    assert one_of_the_worse("r", 1e-9, 1, 0) == "r (p < 0.0001, ES = 1.000)"


def test_file_names_are_safe_and_differ():
    names = ["MAE_M", "mae_m", "../etc", "a/b", "a\\b", "CON", "con.x", "..", "é" * 99, "x" * 99]
    stems = list(file_stems(names).values())
    assert len({stem.lower() for stem in stems}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,70}", stem) for stem in stems)
    assert not any(re.match(r"(?i)con(\.|$)", stem) for stem in stems)


HOSTILE = ["=1+1", "a_b & 50%", r"\input{x} ~^$#", "<b>|x|</b> 🦉", "[2cm] *", "-x"]


def hostile_scores():
    rng = np.random.default_rng(3)
    values = rng.random((1, 25, 6)) * 0.2 + np.arange(6) / 2
    return replace(matrix(values, {"u/..": "low"}, HOSTILE), task="{{t}} _&%")


def test_hostile_names_stay_text_in_every_file(tmp_path):
    scores = hostile_scores()
    groups = dict.fromkeys(HOSTILE, "@team\\")
    summary = write_results(tmp_path / "out", scores, ob.tukey_hsd(scores, 1000), groups=groups)
    stem = summary["measures"]["u/.."]["file"]
    with (tmp_path / "out" / "results" / f"{stem}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["run"] for row in rows] == ["'=1+1", *HOSTILE[1:5], "'-x"]
    assert {row["group"] for row in rows} == {"'@team\\"}
    assert ob.load_scores(tmp_path / "out" / "scores.csv").runs == tuple(HOSTILE)
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    for kind in ("results", "significance"):
        text = (tmp_path / "out" / kind / f"{stem}.md").read_text(encoding="utf-8")
        html = reader.render(text)
        assert "<b>" not in html
        assert re.search(r"<td[^>]*>&lt;b&gt;\|x\|&lt;/b&gt; 🦉</td>", html)
        latex = (tmp_path / "out" / kind / f"{stem}.tex").read_text(encoding="utf-8")
        assert r"\textbackslash{}input\{x\} \textasciitilde{}\textasciicircum{}\$\#" in latex
        check_latex(latex)


def check_latex(source: str) -> None:
    """Hold that environments and braces are closed, and rows have as many cells as columns."""
    code = source.split("\n", 1)[1]
    opened = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", code):
        if what == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    assert code.count(r"\begingroup") == code.count(r"\endgroup")
    bare = re.sub(r"\\[\\&%$#_{}]", "", code)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[%$#^~]", bare)
    columns = re.search(r"\\begin\{(?:tabular|longtable)\}\{([rl]*p?)", code)[1]
    rows = [line for line in code.splitlines() if line.endswith(r"\\")]
    assert rows
    for row in rows:
        if not row.startswith((r"\multicolumn", r"\caption")):
            assert len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1
    for rule in ("toprule", "midrule", "bottomrule"):
        assert f"\\{rule}" in code


def test_a_table_that_would_not_fit_a_page_is_long():
    def sheet(rows):
        part = tuple((str(k), "x") for k in range(rows))
        return Sheet("c", ("a", "b"), "rp", (("one", part), ("two", part)), ("note",), "tab:x")

    short, long = as_latex(sheet(5)), as_latex(sheet(50))
    assert r"\begin{table}" in short
    assert "longtable" not in short
    assert r"\endhead" in long
    assert long.count(r"\multicolumn{2}{l}{\emph{") == 2
    check_latex(short)
    check_latex(long)


def test_files_in_parts_have_a_table_for_each_group(scores, tests, tmp_path):
    groups = {"a": "en_1", "b": "zh", "c": "en_1", "d": "zh"}
    summary = write_results(tmp_path / "out", scores, tests, groups=groups, by_group="")
    assert summary["by_group"] == "group"
    assert summary["groups"]["a"] == {"group": "en_1"}
    for kind in ("results", "significance"):
        text = (tmp_path / "out" / kind / "u.md").read_text(encoding="utf-8")
        titles = [line for line in text.splitlines() if line.startswith("## ")]
        assert titles == ["## group: en_1", "## group: zh"]
        latex = (tmp_path / "out" / kind / "u.tex").read_text(encoding="utf-8")
        assert latex.count("multicolumn") == 2
        check_latex(latex)


def test_a_group_may_be_called_as_runs_without_one_are(scores, tests, tmp_path):
    groups = {run: {"language": "no language"} for run in "ab"}
    write_results(tmp_path / "out", scores, tests, groups=groups, by_group="language")
    for page in ("README.md", "results/u.md"):
        text = (tmp_path / "out" / page).read_text(encoding="utf-8")
        parts = re.split(r"^##+ (?=language|no language)", text.partition("\n- ")[0], flags=re.M)
        parts = parts[1:]
        assert [part.splitlines()[0] for part in parts] == ["no language", "language: no language"]
        assert [re.findall(r"^\| \d \| (\w) ", part, re.M) for part in parts] == [
            ["c", "d"],
            ["a", "b"],
        ]
    latex = (tmp_path / "out" / "results" / "u.tex").read_text(encoding="utf-8")
    assert re.findall(r"emph\{(.*)\}\}", latex) == ["no language", "language: no language"]


def test_where_no_run_is_better_no_group_is_named(scores, tests, tmp_path):
    groups = dict(zip("abcd", "wxyz", strict=True))
    write_results(tmp_path / "out", scores, tests, groups=groups, by_group="")
    text = (tmp_path / "out" / "significance" / "u.md").read_text(encoding="utf-8")
    assert "| none | 0 |  |" in text
    assert "## " not in text


def test_the_folder_holds_what_its_summary_lists(scores, tests, tmp_path):
    summary = write_results(tmp_path / "out", scores, tests, primary="v")
    found = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*")}
    kinds = [
        f"{kind}/{m}.{end}"
        for kind in ("results", "significance")
        for m in "uv"
        for end in ("csv", "md", "tex")
    ]
    assert found == {"README.md", "leaderboard.html", "scores.csv", "scores.json", SUMMARY, *kinds}
    assert json.loads((tmp_path / "out" / SUMMARY).read_text(encoding="utf-8")) == summary
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "The primary measure is v." in text
    assert "c, d are identical: the same scores on every topic by every measure." in text
    assert "6, and 3 among the 3 different runs" in text
    assert f"numpy {np.__version__}" in text
    assert "seed 0" in text
    assert str(tmp_path) not in text
    assert summary["measures"]["u"]["ranking"][0]["run"] == "a"
    assert [p.name for p in tmp_path.iterdir()] == ["out"], "nothing half-written stays"


def test_some_measures_are_selected(scores, tests, tmp_path):
    write_results(tmp_path / "out", scores.select(["v"]), tests)
    assert [path.name for path in (tmp_path / "out" / "results").glob("*.csv")] == ["v.csv"]


def test_numbers_of_numpy_are_written_as_numbers(scores, tmp_path):
    tests = ob.tukey_hsd(scores, np.int32(100), np.int32(3))
    shares = {"alpha": np.float32(0.25), "level": np.float32(0.75)}
    write_results(tmp_path / "out", scores, tests, **shares)
    summary = json.loads((tmp_path / "out" / SUMMARY).read_text(encoding="utf-8"))
    assert [summary[name] for name in ("trials", "seed", "alpha", "level")] == [100, 3, 0.25, 0.75]


def test_simulated_data_say_so_in_every_table(tmp_path):
    scores = scores_of()
    scores = replace(scores, provenance=replace(scores.provenance, source="simulated"))
    write_results(tmp_path / "out", scores, ob.tukey_hsd(scores, 100))
    for path in [*(tmp_path / "out").rglob("*.md"), *(tmp_path / "out").rglob("*.tex")]:
        assert "SIMULATED data" in path.read_text(encoding="utf-8"), path


def test_what_a_task_says_of_runs_is_group_and_language(scores, tests, tmp_path):
    class Known:
        groups = {"b": "team 1", "c": "team 2"}  # noqa: RUF012
        languages = {"a": "Chinese", "b": "English", "c": "Chinese", "d": "English"}  # noqa: RUF012

    assert facts_of(Known())["b"] == {"group": "team 1", "language": "English"}
    assert facts_of(object()) == {}
    table = group_table(facts_of(Known()), "abcd")
    assert list(table) == ["group", "language"], "group first, though the first run has none"
    assert table["group"].tolist() == ["", "team 1", "team 2", ""]
    found = results(scores, tests, task=Known(), by_group="language").tables()
    assert set(found["results/u"]) >= {"group", "language", "rank_in_group"}
    pairs = found["significance/u"]
    assert (pairs["better_language"] == pairs["worse_language"]).all()
    assert "better_group" in pairs
    summary = write_results(tmp_path / "out", scores, tests, task=Known(), by_group="language")
    assert summary["groups"]["b"] == {"group": "team 1", "language": "English"}
    assert "language: Chinese" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
