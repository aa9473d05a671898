"""The check of a task's files: what it lists, what it summarises, and how the command says so."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from helpers.task_folders import write, write_task
from ordbook.cli import main
from ordbook.data.checking import check
from ordbook.data.oddities import Oddity, oddities

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
    other = GOOD.replace("0,0.1", "0.1,0")
    write_task(tmp_path, GOLD, A=GOOD, B=FLAT, C=GOOD, D=other)
    return write(tmp_path, {"runs.csv": "run,group,language\nA,X,en\nC,X,\nB,Y,cn\n"})


def test_the_summary(folder: Path) -> None:
    report = check(folder)
    (summary,) = report.summary
    assert not report.problems
    assert (summary.format, summary.votes) == ("tables", (4, 4, 6))
    assert {code: names for code, names, _ in summary.oddities} == {
        "identical runs": ("A", "C"),
        "constant runs": ("B",),
        "classes without gold": ("high",),
    }
    text = str(report)
    for line in (
        "nothing is wrong",
        "identical runs:       A and C are the same everywhere, and so of the same rank; if one",
        "constant runs:        B always answers the same distribution.",
        "classes without gold: high",
        "topics:               3",
        "runs:                 4: A, B, C, D",
        "classes:              3: low < mid < high",
        "votes per topic:      4 to 6, median 4",
        "group:                X (A, C); Y (B)",
        "language:             en (A); cn (B)",
    ):
        assert line in text


def test_no_run_is_a_problem_and_one_is_noted(folder: Path, root: Path) -> None:
    for path in folder.glob("runs/[BCD].csv"):
        path.unlink()
    (folder / "runs.csv").unlink()
    (summary,) = check(folder).summary
    assert "one run" in [odd.kind for odd in summary.oddities]
    for run in "EF":
        (folder / f"runs/{run}.csv").write_text("".join(GOOD.splitlines(True)[:3]))
    assert "3 runs, 2 incomplete; without problems: A\n" in str(check(folder))
    assert "only one run" not in str(check(folder))
    (folder / "runs/E.csv").unlink()
    (folder / "runs/F.csv").unlink()
    for path in folder.glob("*/*.csv"):
        path.write_text("".join(path.read_text().splitlines(True)[:2]))
    (folder / "gold.csv").write_text("".join(GOLD.splitlines(True)[:2]))
    (summary,) = check(folder).summary
    assert summary.oddities[-1].text.startswith("there is only one topic: significance tests")
    (folder / "runs/A.csv").unlink()
    (problem,) = check(folder).problems
    assert str(problem).startswith(f"{folder}/runs: no runs, without which nothing can be scored;")
    assert len(ob.load(folder).runs) == 0, "it still loads, for baselines"
    report = check(root / "data/examples/formats/ntcir/gold.json")
    assert len(report.problems) == 1
    assert "name the folder that holds the gold file and runs/" in str(report.problems)
    assert len(report.summary) == 4


def test_labels_that_never_change(tmp_path: Path) -> None:
    gold = "topic,item,label\ns,1,1\ns,2,2\nt,1,2\n"
    write_task(tmp_path, gold, A=gold, B=gold, C=gold.replace(",2\n", ",1\n"))
    (summary,) = check(tmp_path, classes=["1", "2", "3"]).summary
    names = {kind: names for kind, names, _ in summary.oddities}
    assert [*names.values()][:3] == [("A", "B"), ("C",), ("3",)]
    assert (summary.items, summary.votes) == (3, (3, 3.0, 3)), "one pool"


def test_the_parts_of_ntcir_are_told_by_their_runs(root: Path, tmp_path: Path) -> None:
    sample = root / "data/examples/formats/ntcir"
    assert [summary.part for summary in check(sample).summary] == ["A", "E", "S", "nugget"]
    gold, run = sample / "gold.json", sample / "runs/first_nugget.json"
    write_task(tmp_path, gold.read_text(), "gold.json", mine=run.read_bytes())
    (summary,) = check(tmp_path).summary
    assert (summary.part, summary.task.kind, len(summary.task.gold)) == ("nugget", "nuggets", 15)
    assert [summary.part for summary in check(sample / "gold.json").summary][-1] == "nugget"


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*options: str, code: int = 0) -> str:
        assert main(["check", str(folder), *options]) == code
        return capsys.readouterr().out.replace(f"{folder}/", "")

    assert "nothing is wrong" in said()
    assert "classes:              3: high < mid < low" in said("--classes=high,mid,low")
    (folder / "runs/A.csv").write_text(GOOD.replace("0.25", "x"))
    (folder / "runs/B.csv").write_text(GOOD.replace("0.5", "x"))
    assert said(code=2).splitlines()[:2] == [
        "runs/A.csv, line 2, column 3: 'x', which is no number (and 2 more like it, in 2 files); "
        "write a plain number, up to 1e15",
        f"{folder}: 3 problems; --all lists each",
    ]
    assert [line.partition(":")[0] for line in said("--all", code=2).splitlines()[:3]] == [
        "runs/A.csv, line 2, column 3",
        "runs/A.csv, line 2, column 4",
        "runs/B.csv, line 2, column 2",
    ]


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


def test_topics_with_scales_of_their_own_are_noticed() -> None:
    """And not where topics of one scale differ, so that some do not reach its ends."""
    rng = np.random.default_rng(3)
    essays = np.repeat(list("ABC"), 200)
    grades = np.concatenate([rng.integers(1, 7, 400), rng.integers(1, 5, 200)])

    def scales(grades: np.ndarray, classes: range) -> list[Oddity]:
        task = ob.ClassificationTask.from_labels(grades, {}, essays, classes)
        return [odd for odd in oddities(task) if odd.kind == "several scales"]

    for gold in (grades, 7 - grades):
        (odd,) = scales(gold, range(1, 7))
        assert odd.names == ("C",)
        assert "make a task for each scale" in odd.text
        assert not scales(rng.permutation(gold), range(1, 7))
    for seed in range(20):  # topics of unlike difficulty
        rng = np.random.default_rng(seed)
        latent = rng.normal(rng.normal(0, 1.5, 3).repeat(200), 1)
        assert not scales(np.digitize(latent, [-2, -1, 0, 1, 2]), range(6))
    for name in ("fair-oc", "llmjudge", "sem16t4c", "hanna-RE", "alt-lesion"):
        task = ob.load(name)  # the last has criteria from 0 to 1, to 2 and to 6 for topics
        kinds = {odd.kind for odd in oddities(task)}
        assert ("several scales" in kinds) == (name == "alt-lesion" and not task.missing)


def test_empty_cells_of_a_run_are_missing_answers(tmp_path: Path) -> None:
    gold, gaps = "item,label\n1,0\n2,1\n3,1\n", "item,label\n1,0\n2,\n3,1\n"
    write_task(tmp_path, gold, A=gaps, B="item,label\n1,\n2,\n3,\n")
    problems = check(tmp_path).problems
    assert [problem.found for problem in problems][:1] == ["no answer for item '2'"]
    task = ob.load(tmp_path, missing="worst")
    assert isinstance(task, ob.ClassificationTask)
    assert task.classes == ("0", "1")
    assert {run: gap.tolist() for run, gap in task.unanswered.items()} == {
        "A": [False, True, False],
        "B": [True, True, True],
    }
    (tmp_path / "gold.csv").write_text(gaps)
    assert "gold.csv, line 3, column 2: an empty cell; write the label" in str(check(tmp_path))
