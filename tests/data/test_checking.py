"""The check of a task's files: what it lists, what it summarises, and how the command says so."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from ordbook.cli import main
from ordbook.data.checking import SHOWN, check

GOLD = "topic,low,mid,high\nt1,3,1,0\nt2,2,2,0\nt3,1,5,0\n"
GOOD = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\nt3,1,0,0\n"
MEASURED = """
import pathlib, re, resource, sys, time
from ordbook.data.checking import check
start = time.process_time()
print(len(check(sys.argv[1]).problems), time.process_time() - start)
# On Linux ru_maxrss counts the process that started this one, VmHWM does not.
status = pathlib.Path("/proc/self/status")
found = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print(found[1] if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
FLAT = "topic,low,mid,high\nt1,0.25,0.5,0.25\nt2,0.25,0.5,0.25\nt3,0.25,0.5,0.25\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    (tmp_path / "gold.csv").write_text(GOLD)
    for run, text in {"A": GOOD, "B": FLAT, "C": GOOD, "D": GOOD.replace("0,0.1", "0.1,0")}.items():
        (tmp_path / f"runs/{run}.csv").write_text(text)
    (tmp_path / "runs.csv").write_text("run,group,language\nA,X,en\nC,X,\nB,Y,cn\n")
    return tmp_path


def test_the_summary(folder: Path) -> None:
    report = check(folder)
    (summary,) = report.summary
    assert not report.problems
    assert (summary.format, summary.kind) == ("tables", "quantification")
    assert (summary.topics, summary.runs) == (3, ("A", "B", "C", "D"))
    assert summary.classes == ("low", "mid", "high")
    assert summary.votes == (4, 4, 6)
    assert summary.identical == (("A", "C"),)
    assert summary.constant == ("B",)
    assert summary.empty == ("high",)
    assert summary.groups == {"A": "X", "C": "X", "B": "Y"}
    assert summary.languages == {"A": "en", "B": "cn"}
    text = str(report)
    for line in (
        "nothing is wrong",
        "identical runs:       A = C",
        "constant runs:        B",
        "classes without gold: high",
        "votes per topic:      4 to 6, median 4",
        "groups:               X (A, C); Y (B)",
    ):
        assert line in text


def test_the_summary_of_what_can_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bad row of gold, and a bad run, leave the others to be summarised."""
    text = GOLD.replace("t2,2,2,0", "t2,2,x,0")
    (folder / "gold.csv").write_text(text)
    (folder / "runs/D.csv").write_text(GOOD.replace("0.9", "0.8"))
    report = check(folder)
    (summary,) = report.summary
    assert len(report.problems) == 2
    assert (summary.topics, summary.runs) == (2, ("A", "B", "C"))
    assert not any("sums miss" in note for note in summary.notes)
    assert (summary.identical, summary.constant) == ((("A", "C"),), ("B",))
    assert (summary.empty, summary.votes) == (("high",), (4, 5, 6))
    assert summary.groups == {"A": "X", "C": "X", "B": "Y"}
    assert main(["check", str(folder)]) == 2
    said = capsys.readouterr().out
    assert "what can be read, without the rows and runs that have problems:\n\ntask: " in said
    (folder / "gold.csv").write_text(text.replace("t3,1,5,0", "t3,1,5"))
    assert len(check(folder).problems) == 3, "runs are not blamed for a short row of gold"
    (folder / "gold.csv").write_text(GOLD)
    (folder / "runs/D.csv").write_text(GOOD)
    (folder / "runs.csv").write_text("run,group\nZ,X\nA,Y\n")
    assert check(folder).summary[0].groups == {"A": "Y"}, "a fault of the list alone"


@pytest.mark.parametrize("name", ["semeval-c", "semeval-e", "ntcir", "dbdc", "scores-by-measure"])
def test_what_can_be_read_of_every_format(root: Path, tmp_path: Path, name: str) -> None:
    folder = Path(shutil.copytree(root / "data/examples/formats" / name, tmp_path / name))
    whole = check(folder).summary[0]
    (folder / "runs.csv").write_text("run,group\n?,?\n")
    (same,) = (each for each in check(folder).summary if each.part == whole.part)
    assert replace(same, groups=whole.groups, languages=whole.languages) == whole
    (folder / "runs.csv").unlink()
    spoiled = {
        "semeval-c": "runs/forest.txt",
        "semeval-e": "runs/uniform.txt",
        "ntcir": "runs/second_quality.json",
        "dbdc": "runs/packed.zip",
        "scores-by-measure": "RNOD.csv",
    }[name]
    (folder / spoiled).write_bytes((folder / spoiled).read_bytes()[:-60])
    report = check(folder)
    left = report.summary[0]
    assert report.problems
    if name == "scores-by-measure":
        assert (left.measures, left.runs) == (("NMD",), whole.runs)
    else:
        assert (left.topics, len(left.runs)) == (whole.topics, len(whole.runs) - 1)


def test_a_fault_in_gold_leaves_the_other_dialogues(root: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(root / "data/examples/formats/ntcir", tmp_path / "n"))
    gold = json.loads((folder / "gold.json").read_text())
    gold[1]["annotations"][0]["quality"]["A"] = 9
    (folder / "gold.json").write_text(json.dumps(gold))
    report = check(folder)
    assert len(report.problems) == 1
    assert [(each.part, each.topics, len(each.runs)) for each in report.summary] == [
        ("A", 3, 2),
        ("E", 3, 2),
        ("S", 3, 2),
        ("nugget", 3, 2),
    ]


def test_no_run_is_a_problem_and_one_is_noted(folder: Path, root: Path) -> None:
    for path in folder.glob("runs/[BCD].csv"):
        path.unlink()
    (folder / "runs.csv").unlink()
    (summary,) = check(folder).summary
    assert [note.partition(":")[0] for note in summary.notes[1:]] == ["there is only one run"]
    for path in folder.glob("*/*.csv"):
        path.write_text("".join(path.read_text().splitlines(True)[:2]))
    (folder / "gold.csv").write_text("".join(GOLD.splitlines(True)[:2]))
    (summary,) = check(folder).summary
    assert summary.notes[-1].startswith("there is only one topic: significance tests")
    (folder / "runs/A.csv").unlink()
    (problem,) = check(folder).problems
    assert str(problem) == (
        f"{folder}/runs: found no runs, expected the file of at least one run, as nothing can be "
        "scored without; add them"
    )
    assert len(ob.load(folder).runs) == 0, "it still loads, for baselines"
    report = check(root / "data/examples/formats/ntcir/gold.json")
    assert len(report.problems) == 1
    assert "name the folder that holds the gold file and runs/" in str(report.problems)
    assert len(report.summary) == 4


def test_classes_that_were_assumed_or_fall_are_noted(root: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(root / "data/examples/formats/semeval-c", tmp_path / "c"))
    (folder / "classes.txt").unlink()
    found = check(folder).problems
    assert found, "its labels are 1 to 5"
    assert all("expected one of -2, -1, 0, 1, 2; correct it" in str(each) for each in found)
    for path in [folder / "gold.txt", *folder.glob("runs/*")]:
        lines = (line.split("\t") for line in path.read_text().splitlines())
        path.write_text("".join(f"{i}\t{t}\t{int(label) - 3}\n" for i, t, label in lines))
    (summary,) = check(folder).summary
    assert summary.notes == (
        "no list of the classes: they are taken to be -2, -1, 0, 1, 2, from lowest to highest; if "
        "they are others, list them in classes.txt beside the gold file, or give --classes.",
    )
    fall = tmp_path / "fall"
    (fall / "runs").mkdir(parents=True)
    for name in ("gold.csv", "runs/A.csv"):
        (fall / name).write_text("topic,1,0,-1\nt,1,2,3\nu,1,1,1\n")
    (summary,) = check(fall).summary
    assert summary.classes == ("1", "0", "-1")
    assert summary.notes[0] == (
        "gold: the classes fall in the header (1, 0, -1); the first is taken as the lowest. "
        "Otherwise give --classes=-1,0,1."
    )
    (summary,) = check(fall, classes=["-1", "0", "1"]).summary
    assert "fall in the header" not in "".join(summary.notes)


def test_the_help_of_classes_is_that_of_score_and_rerun(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for command in ("check", "score", "rerun"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        text = " ".join(capsys.readouterr().out.split())
        said.append(text.split("--classes LABELS")[-1].partition("equals sign)")[0])
    assert len(set(said)) == 1
    assert "--classes=-1,0,1" in said[0]


def test_labels_that_never_change(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    gold = "topic,item,label\ns,1,1\ns,2,2\nt,1,2\n"
    (tmp_path / "gold.csv").write_text(gold)
    for run, text in {"A": gold, "B": gold, "C": gold.replace(",2\n", ",1\n")}.items():
        (tmp_path / f"runs/{run}.csv").write_text(text)
    (summary,) = check(tmp_path, classes=["1", "2", "3"]).summary
    assert (summary.identical, summary.constant, summary.empty) == ((("A", "B"),), ("C",), ("3",))
    assert (summary.items, summary.votes) == (3, (1, 1.5, 2))


def test_the_parts_of_ntcir_are_told_by_their_runs(root: Path, tmp_path: Path) -> None:
    sample = root / "data/examples/formats/ntcir"
    assert [summary.part for summary in check(sample).summary] == ["A", "E", "S", "nugget"]
    (tmp_path / "runs").mkdir()
    (tmp_path / "gold.json").write_bytes((sample / "gold.json").read_bytes())
    run = (sample / "runs/first_nugget.json").read_bytes()
    (tmp_path / "runs/mine.json").write_bytes(run)
    (summary,) = check(tmp_path).summary
    assert (summary.part, summary.kind, summary.items) == ("nugget", "nuggets", 15)
    assert [summary.part for summary in check(sample / "gold.json").summary][-1] == "nugget"


def test_groups_of_runs_that_are_not_there(folder: Path) -> None:
    (folder / "runs.csv").write_text("run,group\nA,X\nE,X\nA,Y\n")
    assert [(problem.line, problem.column) for problem in check(folder).problems] == [
        (3, 1),
        (4, 1),
    ]
    (folder / "runs.csv").write_text("name,team\nA,X\n")
    assert "expected run,group" in str(check(folder).problems)


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 0
    assert "nothing is wrong" in capsys.readouterr().out
    assert main(["check", str(folder), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["problems"] == []
    assert said["summary"][0]["identical"] == [["A", "C"]]
    assert main(["check", str(folder), "--classes=high,mid,low", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"][0]["classes"] == ["high", "mid", "low"]
    assert main(["check", str(folder / "none")]) == 2
    assert "neither a path that exists" in capsys.readouterr().err


def test_many_problems_are_cut_short_but_not_in_json(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"t{i},x{i},1,1" for i in range(SHOWN + 50)]
    (folder / "gold.csv").write_text("topic,low,mid,high\n" + "\n".join(rows) + "\n")
    for path in folder.glob("runs/*"):
        path.write_text(re.sub(r"x\d+", "1", (folder / "gold.csv").read_text()))
    assert main(["check", str(folder)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == SHOWN + 6
    assert lines[-3:-1] == [
        "format:               CSV files with a header",
        "run files:            4: A, B, C, D",
    ]
    lines = lines[:-4]
    assert lines[0].endswith(
        "found 'x0', expected a probability or a count of votes; write a number"
    )
    assert lines[-2] == "... and 50 more problems; --json lists them all"
    assert lines[-1] == f"{folder}: 150 problems"
    assert main(["check", str(folder), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert (said["format"], said["runs"], said["summary"]) == ("tables", ["A", "B", "C", "D"], [])
    problems = said["problems"]
    assert len(problems) == SHOWN + 50
    assert problems[-1] == {
        "file": str(folder / "gold.csv"),
        "line": SHOWN + 51,
        "column": 2,
        "found": f"'x{SHOWN + 49}'",
        "expected": "a probability or a count of votes",
        "fix": "write a number",
        "place": "",
    }


def test_what_is_found_on_many_lines_of_a_file_is_one_line(folder: Path) -> None:
    """A class that is missing from the list hides nothing else."""
    rows = [(f"t{i % 7},{i}", ("low", "mid", "high", "top")[i % 4]) for i in range(400)]
    gold = "topic,item,label\n" + "".join(f"{item},{label}\n" for item, label in rows)
    for path in [folder / "gold.csv", *folder.glob("runs/*")]:
        path.write_text(gold)
    (folder / "runs/D.csv").write_text(gold.replace("label", "Label"))
    (folder / "runs/C.csv").write_text(gold.replace(",7,top", ",7,toP").replace(",11,top", ",11,"))
    (folder / "classes.txt").write_text("low\nmid\nhigh\n")
    report = check(folder)
    said = [line.removeprefix(f"{folder}/") for line in str(report).splitlines()]
    assert [line.partition(", expected")[0] for line in said[:6]] == [
        "gold.csv, line 5 and 99 more lines, column 3: found the label 'top'",
        "runs/A.csv, line 5 and 99 more lines, column 3: found the label 'top'",
        "runs/B.csv, line 5 and 99 more lines, column 3: found the label 'top'",
        "runs/C.csv, line 5 and 97 more lines, column 3: found the label 'top'",
        "runs/C.csv, line 9, column 3: found the label 'toP'",
        "runs/C.csv, line 13, column 3: found an empty label",
    ]
    assert said[6].startswith("runs/D.csv, line 1, column 3: found the columns topic,item,Label")
    assert said[7] == f"{folder}: 401 problems; --json lists each alone"
    assert len(report.as_json()["problems"]) == 401


def test_each_file_and_kind_of_problem_is_shown(folder: Path) -> None:
    """However many of another kind, or in another file, come before."""
    (folder / "runs.csv").unlink()
    rows = [f"t{i},1,0,0" for i in range(2 * SHOWN)]
    text = "topic,low,mid,high\n" + "\n".join(rows) + "\n"
    (folder / "gold.csv").write_text(text.replace("t5,1", "t5,-1"))
    (folder / "runs/A.csv").write_text(text.replace("t", "T").replace("Topic", "topic"))
    (folder / "runs/B.csv").write_text(text.replace(",low", ",Low"))
    (folder / "runs/C.csv").write_text(text.replace("t198,", "t199,"))
    for i in range(SHOWN):
        (folder / f"runs/D{i}.csv").write_text(text.replace("t6,1", "t6,0.5"))
    (folder / "runs/E.csv").write_text(text.replace(",", ";"))
    report = check(folder)
    lines = str(report).splitlines()[: SHOWN + 2]
    assert all(": found " in line for line in lines[:SHOWN])
    for text in (
        "gold.csv, line 7, column 2: found '-1'",
        "A.csv, line 2, column 1: found topic 'T0'",
        "A.csv: found no row for topic 't0'",
        "B.csv, line 1, column 2: found the columns",
        "C.csv, line 201, column 1: found topic 't199' a second time",
        "C.csv: found no row for topic 't198'",
        "D0.csv, line 8: found a sum of 0.5",
        "E.csv, line 1: found semicolons",
    ):
        assert sum(text in line for line in lines) == 1, text
    left = len(report.problems) - SHOWN
    assert lines[SHOWN:] == [
        f"... and {left} more problems; --json lists them all",
        f"{folder}: {len(report.problems)} problems",
    ]
    places = [lines.index(str(each)) for each in report.problems if str(each) in lines]
    assert places == list(range(SHOWN)), "in the order in which they were found"


def test_what_is_found_in_many_places_of_a_file_is_one_line(root: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(root / "data/examples/formats/ntcir", tmp_path / "n"))
    gold = json.loads((folder / "gold.json").read_text())
    for dialogue in gold:
        dialogue["annotations"][0]["quality"]["A"] = 9
    (folder / "gold.json").write_text(json.dumps(gold))
    report = check(folder)
    assert len(report.problems) == len(gold)
    shown = str(report).splitlines()
    assert f" and {len(gold) - 1} more places: found 'A': 9, expected" in shown[0]
    assert shown[1] == f"{folder}: {len(gold)} problems; --json lists each alone"


def test_better_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("topic,A,B\nt,1,2\nu,3,4\n")
    for option, code in (
        ([], 2),
        (["--better", "low"], 0),
        (["--better", "mine=high"], 0),
        (["--better", "yours=high"], 2),
        (["--better", "best"], 2),
    ):
        assert main(["check", str(path), *option]) == code, option
    assert "write low, high or NAME=low" in capsys.readouterr().err


@pytest.mark.slow
def test_a_large_folder_keeps_within_time_and_memory(tmp_path: Path) -> None:
    """A tenth of 200 runs x 5,000 topics; processor time, as others may use the machine too."""
    rng = np.random.default_rng(0)
    (tmp_path / "runs").mkdir()
    head = "topic,1,2,3,4,5\n"
    for name in ("gold", *(f"runs/r{i}" for i in range(20))):
        rows = rng.dirichlet(np.ones(5), size=5000).tolist()
        text = "".join(f"t{i},{','.join(map(repr, row))}\n" for i, row in enumerate(rows))
        (tmp_path / f"{name}.csv").write_text(head + text)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path)], capture_output=True, text=True, check=True
    )
    problems, seconds, kilobytes = map(float, done.stdout.split())
    assert problems == 0
    assert seconds < 4, "twice a tenth of what the whole may take"
    assert kilobytes < 500_000, "a quarter of what the whole may take: runs are not held together"
