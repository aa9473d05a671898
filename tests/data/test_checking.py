"""The check of a task's files: what it lists, what it summarises, and how the command says so."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

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
    rows = [f"t{i},x,1,1" for i in range(SHOWN + 50)]
    (folder / "gold.csv").write_text("topic,low,mid,high\n" + "\n".join(rows) + "\n")
    for path in folder.glob("runs/*"):
        path.write_text((folder / "gold.csv").read_text().replace("x", "1"))
    assert main(["check", str(folder)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == SHOWN + 6
    assert lines[-3:-1] == [
        "format:               CSV files with a header",
        "run files:            4: A, B, C, D",
    ]
    lines = lines[:-4]
    assert lines[0].endswith(
        "found 'x', expected a probability or a count of votes; write a number"
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
        "found": "'x'",
        "expected": "a probability or a count of votes",
        "fix": "write a number",
        "place": "",
    }


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
