"""`ordbook bundle`: the scoring program is run as Codabench runs it."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

import ordbook as ob
from ordbook.cli import main
from ordbook.files import share

FORMATS = share("data", "examples", "formats")
LABELS, SHARES = share("data", "examples", "fair-oc"), share("data", "examples", "fair-oq")


@pytest.fixture(scope="module", params=[LABELS, SHARES], ids=["labels", "distributions"])
def made(request, tmp_path_factory):
    """The task, and the folder in which the zip file of its competition was unpacked."""
    place = tmp_path_factory.mktemp("codabench")
    assert main(["bundle", str(request.param), f"--out={place / 'out'}"]) == 0
    with zipfile.ZipFile(place / "out" / "bundle.zip") as packed:
        packed.extractall(place / "unpacked")
    return request.param, place / "unpacked"


# One interpreter runs all scoring programs, and forgets the modules of each. Only those that the
# program carries are there: this package is not.
PLATFORM = """
import contextlib, io, json, os, runpy, sys
import numpy, pandas
for line in sys.stdin:
    folder, missing, *sys.argv = json.loads(line)
    sys.path[:], path = [place for place in sys.path if place != missing], sys.path[:]
    os.chdir(folder)
    code, stdout, stderr = 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
            code = end.code
    print(json.dumps([code, stderr.getvalue()]), flush=True)
    sys.path[:] = path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("check", "ordbook")]:
        del sys.modules[name]
"""


@pytest.fixture(scope="module")
def run():
    """Score a submission as the platform does: program, input and output in one folder."""
    start = [sys.executable, "-c", PLATFORM]
    with subprocess.Popen(
        start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as platform:

        def score(bundle: Path, submission: Path | None, folder: Path):
            names = {"program": "program", "input": "input", "output": "out"}
            places = {name: folder / place for name, place in names.items()}
            shutil.copytree(bundle / "scoring_program", places["program"])
            shutil.copytree(bundle / "reference_data", places["input"] / "ref")
            (places["input"] / "res").mkdir()
            if submission is not None:
                shutil.copy(submission, places["input"] / "res" / "my answers.csv")
                (places["input"] / "res" / "metadata").write_text("")
            places["output"].mkdir()
            metadata = (bundle / "scoring_program" / "metadata.yaml").read_text()
            _, *command = metadata.split(":", 1)[1].split()
            for name, place in places.items():
                command = [word.replace(f"/app/{name}", str(place)) for word in command]
            asked = json.dumps([str(folder), str(share(".")), *command])
            platform.stdin.write(asked + "\n")
            platform.stdin.flush()
            code, stderr = json.loads(platform.stdout.readline())
            return SimpleNamespace(returncode=code, stderr=stderr), places["output"]

        yield score
        platform.stdin.close()


def test_a_good_submission_gets_the_scores_of_ob_score(run, made, tmp_path):
    source, bundle = made
    scores = ob.score(ob.load(source))
    name = scores.runs[1]
    done, output = run(bundle, source / "runs" / f"{name}.csv", tmp_path / "place")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((output / "scores.json").read_text())
    assert found == pytest.approx(scores.means().loc[name].to_dict(), rel=0, abs=1e-12)
    page = (output / "detailed_results.html").read_text()
    assert page.count("<tr>") == len(found) + 1, "no scores by topic: they give gold away"
    competition = yaml.safe_load((bundle / "competition.yaml").read_text())
    columns = competition["leaderboards"][0]["columns"]
    assert {column["key"] for column in columns} == set(found)
    assert [column["index"] for column in columns] == list(range(len(columns)))
    ends = {column["key"]: column["sorting"] for column in columns}
    assert ends == {m: {"low": "asc", "high": "desc"}[end] for m, end in scores.better.items()}
    pages = [page["file"] for page in competition["pages"]]
    for path in (competition["image"], competition["terms"], *pages):
        assert (bundle / path).is_file()
    (task,) = competition["tasks"]
    assert (bundle / task["reference_data"] / "gold.csv").is_file()
    assert (bundle / task["scoring_program"]).is_dir()
    assert not (bundle / "reference_data" / "runs").exists()


@pytest.mark.parametrize("what", ["a wrong cell", "a missing row", "nothing", "no text"])
def test_a_bad_submission_is_refused_with_what_is_wrong(run, made, what, tmp_path):
    source, bundle = made
    sent = tmp_path / "sent.csv"
    lines = next((source / "runs").iterdir()).read_text().splitlines(keepends=True)
    said = "the submission holds no file; send one CSV file"
    if what == "a wrong cell":
        lines[2] = lines[2].rpartition(",")[0] + ",x\n"
        said = "my answers.csv, line 3: "
    elif what == "a missing row":
        del lines[-1]
        said = "my answers.csv: no answer for "
    sent.write_text("".join(lines))
    if what == "no text":
        sent.write_bytes(b"\xff\xfe\x00PK")
        said = "my answers.csv: this is no text"
    done, output = run(bundle, None if what == "nothing" else sent, tmp_path / "place")
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
    assert not (output / "scores.json").exists()
    assert said in (output / "detailed_results.html").read_text()


def test_lacking_answers_are_completed_where_the_organiser_says_so(run, tmp_path):
    out = tmp_path / "out"
    line = ["bundle", str(SHARES), f"--out={out}", "--missing=worst", "--measures=nmd,RNOD"]
    assert main([*line, "--title=A: b", "--start=2027-02-03", "--primary=NMD"]) == 0
    competition = yaml.safe_load((out / "bundle" / "competition.yaml").read_text())
    assert competition["title"] == "A: b"
    assert str(competition["phases"][0]["start"]) == "2027-02-03"
    sent = tmp_path / "sent.csv"
    run_file = next((SHARES / "runs").iterdir())
    sent.write_text("".join(run_file.read_text().splitlines(keepends=True)[:-1]))
    done, output = run(out / "bundle", sent, tmp_path / "place")
    assert done.returncode == 0, done.stderr
    found = json.loads((output / "scores.json").read_text())
    assert list(found) == ["NMD", "RNOD", "answered"]
    columns = competition["leaderboards"][0]["columns"]
    assert [(column["key"], column["sorting"]) for column in columns] == [
        ("NMD", "asc"),
        ("RNOD", "asc"),
        ("answered", "desc"),
    ]
    assert 0.9 < found.pop("answered") < 1
    rule = (out / "bundle" / "evaluation.md").read_text()
    assert "By NMD, RPS and RNOD, no run gains" in " ".join(rule.split())
    assert "kappa" not in rule, "which is for labels"
    assert "no answer for 1 of" in (output / "detailed_results.html").read_text()
    whole = ob.score(ob.load(SHARES), ["NMD", "RNOD"]).means().loc[run_file.stem]
    assert all(found[name] > whole[name] for name in found)


def test_in_the_competition_silence_does_not_pay(run, tmp_path):
    """Submissions of labels without their wrong answers, and of shares without the worst topics."""
    for source, measures in ((LABELS, "accuracy,MAE_mu,MAE_M"), (SHARES, "NMD,RPS,RNOD")):
        place = tmp_path / source.name
        line = ["bundle", str(source), f"--out={place}", "--missing=worst"]
        assert main([*line, f"--measures={measures}"]) == 0
        task = ob.load(source)
        file = next((source / "runs").iterdir())
        head, *rows = file.read_text().splitlines(keepends=True)
        number = task.runs.index(file.stem)
        if isinstance(task, ob.ClassificationTask):
            wrong = task.predicted[number] != task.gold
        else:
            errors = ob.score(task, ["NMD"])["NMD"][file.stem].to_numpy()
            wrong = errors > np.median(errors)
        kept = [row for row, is_wrong in zip(rows, wrong, strict=True) if not is_wrong]
        scores = []
        for name, lines in (("whole", rows), ("kept", kept)):
            sent = place / f"{name}.csv"
            sent.write_text("".join([head, *lines]))
            done, output = run(place / "bundle", sent, place / f"{name} place")
            assert done.returncode == 0, done.stderr
            scores.append(json.loads((output / "scores.json").read_text()))
        whole, withheld = scores
        assert (whole.pop("answered"), withheld.pop("answered")) == (1, 1 - wrong.mean())
        for name in whole:
            sign = 1 if name == "accuracy" else -1
            assert sign * withheld[name] <= sign * whole[name]
            assert name in (place / "bundle" / "evaluation.md").read_text()


def test_what_cannot_be_a_competition_is_refused(tmp_path, capsys):
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(SHARES / "gold.csv", alone)
    for path, said in ((alone, "no folder runs"), (SHARES / "gold.csv", "no folder")):
        assert main(["bundle", str(path), f"--out={tmp_path / 'out'}"]) == 2
        assert said in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("source", [LABELS, SHARES], ids=["labels", "distributions"])
def test_participants_get_the_items_without_answers_and_a_sample_of_nobody(run, source, tmp_path):
    assert main(["bundle", str(source), f"--out={tmp_path / 'out'}"]) == 0
    asked = (tmp_path / "out" / "participants" / "to_answer.csv").read_text().splitlines()
    gold = [row.split(",") for row in (source / "gold.csv").read_text().splitlines()]
    keys = len(asked[0].split(","))
    assert sorted(asked) == sorted(",".join(row[:keys]) for row in gold)
    assert keys == (2 if source == LABELS else 1)
    sample = tmp_path / "out" / "participants" / "sample.csv"
    runs = [run.read_text() for run in (source / "runs").iterdir()]
    assert sample.read_text() not in runs
    with zipfile.ZipFile(tmp_path / "out" / "bundle.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    done, _ = run(tmp_path / "unpacked", sample, tmp_path / "place")
    assert (done.returncode, done.stderr) == (0, "")


def spoil(rows: list[str], how: str) -> list[str]:
    """Return the lines of a sample with one fault."""
    head, first, *others = rows
    key = first.split(",")
    wrong = {"label": "lots"} if head.endswith("label") else {}
    if how == "missing":
        return [head, *others]
    if how == "doubled":
        return [*rows, first]
    if how == "unknown":
        return [head, ",".join(["nowhere", *key[1:]]), *others]
    if how == "answer":
        return [head, ",".join([*key[:-1], wrong.get("label", "0.9")]), *others]
    if how == "cells":
        return [head, first + ",1", *others]
    return [head.rpartition(",")[0] + ",other", first, *others]


SPOILT = {
    "missing": r"answers.csv: no answer for topic .*; add a line",
    "doubled": r"answers.csv, line \d+: topic .* was answered in line 2; keep one",
    "unknown": r"answers.csv, line 2: topic 'nowhere'.* is not in to_answer.csv; correct",
    "answer": r"answers.csv, line 2: (the label 'lots' is unknown|the shares sum to .*; divide)",
    "cells": r"answers.csv, line 2: \d+ cells, and the header has \d+; write",
    "header": r"answers.csv, line 1: the columns are .*; write topic,",
}


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (LABELS, []),
        (SHARES, []),
        (FORMATS / "qrels", []),
        (FORMATS / "ntcir", ["--part=A"]),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_participants_check_and_send_csv_whatever_the_format(
    run, source, options, tmp_path, capsys
):
    assert main(["bundle", str(source), f"--out={tmp_path / 'out'}", *options]) == 0
    place = tmp_path / "participant"
    shutil.copytree(tmp_path / "out" / "participants", place)

    sample = (place / "sample.csv").read_text().splitlines()
    shutil.copy(place / "sample.csv", place / "answers.csv")
    command = [sys.executable, "-I", "check.py", "answers.csv"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Nothing is wrong.\n", "")
    check = runpy.run_path(str(place / "check.py"))["main"]
    capsys.readouterr()
    bundle = tmp_path / "out" / "bundle"
    done, output = run(bundle, place / "answers.csv", tmp_path / "good")
    assert (done.returncode, done.stderr) == (0, "")
    part = {"part": "A"} if options else {}
    task = ob.load(source, **part)
    mine = ob.load(_with_run(bundle / "reference_data", place / "answers.csv", tmp_path / "mine"))
    assert mine.topics == task.topics
    assert np.allclose(np.asarray(mine.gold, float), np.asarray(task.gold, float), atol=1e-12)
    assert sample[1:5] == (bundle / "evaluation.md").read_text().split("```")[1].splitlines()[2:6]
    for how, expected in SPOILT.items():
        (place / "answers.csv").write_text("\n".join(spoil(sample, how)) + "\n")
        assert check([str(place / "answers.csv")]) == 1
        text = capsys.readouterr().out
        assert re.match(expected, text), (how, text)
    done, output = run(bundle, place / "answers.csv", tmp_path / "bad")
    assert done.returncode == 1
    assert re.fullmatch("my " + SPOILT["header"] + ".*\n", done.stderr)
    assert not (output / "scores.json").exists()


def _with_run(gold: Path, answers: Path, task: Path) -> Path:
    shutil.copytree(gold, task)
    (task / "runs").mkdir()
    shutil.copy(answers, task / "runs")
    return task


def test_a_fault_of_the_program_is_one_line_without_gold(run, made, tmp_path):
    source, bundle = made
    broken = tmp_path / "bundle"
    shutil.copytree(bundle, broken)
    gold = broken / "reference_data" / "gold.csv"
    gold.write_text(gold.read_text().replace(",", ";secret,"))
    done, output = run(broken, next((source / "runs").iterdir()), tmp_path / "place")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("the scoring program failed (ValueError in scoring.py, line ")
    assert "secret" not in (output / "detailed_results.html").read_text()
