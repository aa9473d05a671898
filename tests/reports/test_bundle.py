"""`ordbook bundle`: the scoring program is run as Codabench runs it."""

import json
import re
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
slow = pytest.mark.slow
BOTH = pytest.mark.parametrize(
    "source", [LABELS, pytest.param(SHARES, marks=slow)], ids=["labels", "distributions"]
)

# One interpreter runs all scoring programs, and forgets the modules of each. There are the modules
# that the program carries, numpy and pandas; neither this package nor its other dependencies.
PLATFORM = """
import contextlib, io, json, os, runpy, sys
for name in ("scipy", "numba", "pooch", "narwhals", "matplotlib", "jinja2", "yaml", "openpyxl"):
    sys.modules[name] = None
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
    for name in [name for name in sys.modules if name.partition(".")[0] == "ordbook"]:
        del sys.modules[name]
"""


@pytest.fixture(scope="module")
def run():
    """Score the files of a submission as the platform does: all in one folder."""
    start = [sys.executable, "-c", PLATFORM]
    with subprocess.Popen(
        start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as platform:

        def score(bundle: Path, folder: Path, *sent: Path):
            """Return the exit code, stderr, scores and the page; ``folder`` is a new one."""
            names = {"program": "program", "input": "input", "output": "out"}
            places = {name: folder / place for name, place in names.items()}
            shutil.copytree(bundle / "scoring_program", places["program"])
            shutil.copytree(bundle / "reference_data", places["input"] / "ref")
            (places["input"] / "res").mkdir()
            for path in sent:
                shutil.copy(path, places["input"] / "res", follow_symlinks=False)
            (places["input"] / "res" / "metadata").write_text("")
            places["output"].mkdir()
            metadata = (bundle / "scoring_program" / "metadata.yaml").read_text()
            _, *command = yaml.safe_load(metadata)["command"].split()
            for name, place in places.items():
                command = [word.replace(f"/app/{name}", str(place)) for word in command]
            asked = json.dumps([str(folder), str(share(".")), *command])
            platform.stdin.write(asked + "\n")
            platform.stdin.flush()
            code, stderr = json.loads(platform.stdout.readline())
            scores = places["output"] / "scores.json"
            return SimpleNamespace(
                code=code,
                stderr=stderr,
                scores=json.loads(scores.read_text()) if scores.exists() else None,
                page=(places["output"] / "detailed_results.html").read_text(),
            )

        yield score
        platform.stdin.close()


def bundled(source: Path, place: Path, *options: str) -> Path:
    """Return the folder in which the zip file of a competition was unpacked."""
    assert main(["bundle", str(source), f"--out={place / 'out'}", *options]) == 0
    with zipfile.ZipFile(place / "out" / "bundle.zip") as packed:
        packed.extractall(place / "unpacked")
    return place / "unpacked"


def written(path: Path, lines: list[str]) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text("".join(lines))
    return path


@BOTH
def test_a_good_submission_gets_the_scores_of_ob_score(run, source, tmp_path):
    bundle = bundled(source, tmp_path)
    scores = ob.score(ob.load(source))
    name = scores.runs[1]
    done = run(bundle, tmp_path / "place", source / "runs" / f"{name}.csv")
    assert (done.code, done.stderr) == (0, "")
    assert done.scores == pytest.approx(scores.means().loc[name].to_dict(), rel=0, abs=1e-12)
    assert done.page.count("<tr>") == len(done.scores) + 1, "no scores by topic: they give gold"


@BOTH
def test_the_description_names_what_is_there_as_codabench_asks_for_it(source, tmp_path):
    bundle = bundled(source, tmp_path, "--title=A: b", "--start=2027-02-03T09:00+09:00")
    competition = yaml.safe_load((bundle / "competition.yaml").read_text())
    assert {"version", "title", "image", "terms", "pages", "tasks", "phases"} <= competition.keys()
    (task,), (phase,), (board,) = (competition[x] for x in ("tasks", "phases", "leaderboards"))
    for path in (
        competition["image"],
        competition["terms"],
        *(p["file"] for p in competition["pages"]),
    ):
        assert (bundle / path).stat().st_size
    for folder in (task["reference_data"], task["scoring_program"], phase["starting_kit"]):
        assert (bundle / folder).is_dir()
    assert competition["title"] == "A: b"
    assert phase["tasks"] == [task["index"]]
    # A text, because Codabench drops the hours of a YAML time; in UTC, as it reads all times.
    assert phase["start"] == "2027-02-03 00:00:00"
    assert "end" not in phase
    scores = ob.score(ob.load(source))
    assert {c["key"]: c["sorting"] for c in board["columns"]} == {
        measure: {"low": "asc", "high": "desc"}[end] for measure, end in scores.better.items()
    }
    assert [c["index"] for c in board["columns"]] == list(range(len(scores.measures)))
    assert {c["precision"] for c in board["columns"]} == {4}
    assert sorted(path.name for path in (bundle / "reference_data").iterdir()) == [
        "classes.txt",
        "gold.csv",
    ]


def test_times_have_a_zone_and_an_order(tmp_path, capsys):
    options = ["--start=2027-03-01T00:00Z", "--end=2027-03-01T10:00+09:00"]
    competition = bundled(SHARES, tmp_path, *options) / "competition.yaml"
    (phase,) = yaml.safe_load(competition.read_text())["phases"]
    assert (phase["start"], phase["end"]) == ("2027-03-01 00:00:00", "2027-03-01 01:00:00")
    for option, message in (
        ("--start=2027-03-01", "--start: '2027-03-01' is no date and time with a zone; write"),
        ("--end=soon", "--end: 'soon' is no date and time with a zone; write one such as 2027"),
        ("--end=2020-03-01T00:00Z", "--end: 2020-03-01T00:00Z is not after the start; choose"),
    ):
        assert main(["bundle", str(SHARES), f"--out={tmp_path / 'new'}", option]) == 2
        assert message in capsys.readouterr().err
        assert not (tmp_path / "new").exists()


def test_what_is_no_single_file_is_refused(run, tmp_path):
    bundle = bundled(SHARES, tmp_path)
    good = next((SHARES / "runs").iterdir())
    link = tmp_path / "mine.csv"
    link.symlink_to("../ref/gold.csv")  # which would be a perfect submission
    for number, (sent, message) in enumerate(
        (
            ((), "the submission holds no file; send one CSV file"),
            ((link,), "the submission holds the link mine.csv; send the file itself"),
            ((good, link), "the submission holds the link mine.csv; send the file itself"),
            ((SHARES / "gold.csv", good), f"the submission holds {good.name}, gold.csv; send one"),
        )
    ):
        done = run(bundle, tmp_path / f"place{number}", *sent)
        assert (done.code, done.scores) == (1, None)
        assert message in done.stderr
        assert message in done.page


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (LABELS, []),
        pytest.param(SHARES, [], marks=slow),
        pytest.param(FORMATS / "qrels", [], marks=slow),
        (FORMATS / "ntcir", ["--part=A"]),
    ],
    ids=["labels", "distributions", "qrels", "ntcir"],
)
def test_participants_check_and_send_csv_whatever_the_format(
    run, source, options, tmp_path, capsys
):
    """What the check finds, the scoring program finds: it is the same reader."""
    bundle = bundled(source, tmp_path, *options)
    kit = bundle / "starting_kit"
    assert sorted(path.name for path in kit.iterdir()) == [
        "README.md",
        "classes.txt",
        "items.csv",
        "sample.csv",
    ]
    gold = [row.split(",") for row in (bundle / "reference_data/gold.csv").read_text().splitlines()]
    items, sample = ((kit / name).read_text().splitlines() for name in ("items.csv", "sample.csv"))
    assert items == [",".join(row[: len(items[0].split(","))]) for row in gold]
    assert all(row.startswith(item) for row, item in zip(sample, items, strict=True))
    assert sample[:5] == (bundle / "evaluation.md").read_text().split("```")[1].splitlines()[1:]
    command = re.search("ordbook (check .*)", (kit / "README.md").read_text())[1]
    command = [str(kit / word) if word == "sample.csv" else word for word in command.split()]
    head, first, *rest = sample
    *key, answer = first.split(",")
    wrong = (
        ("doubled", [*sample, first], r"answers.csv, line \d+.* line 2"),
        ("unknown", [head, ",".join(["nowhere", *key[1:], answer]), *rest], "answers.csv.*nowhere"),
        ("answer", [head, ",".join([*key, "9.5"]), *rest], "answers.csv, line 2.*9.5"),
        ("cells", [head, f"{first},1", *rest], "answers.csv, line 2.* cells"),
        ("header", [head.rpartition(",")[0] + ",other", first, *rest], "answers.csv.*other"),
    )
    for how, lines, message in (
        ("good", sample, ""),
        ("missing", [head, *rest], "answers.csv: no answer for .*; add a line for each"),
        *(wrong if source == LABELS else ()),  # one reader for all
    ):
        sent = written(tmp_path / how / "answers.csv", [f"{line}\n" for line in lines])
        capsys.readouterr()
        code = main([str(sent) if word == "my_answers.csv" else word for word in command])
        text = capsys.readouterr().out.replace(f"{sent.parent}/", "")
        text = text.replace("sample.csv", "gold.csv")
        done = run(bundle, tmp_path / f"place-{how}", sent)
        assert (code, done.code) == ((2, 1) if message else (0, 0)), (how, text, done.stderr)
        assert re.match(message or "answers.csv: nothing is wrong", text), (how, text)
        assert re.match(message, done.stderr), (how, done.stderr)
        assert "Traceback" not in done.stderr
        assert not message or text.startswith(done.stderr.splitlines()[0])
    (tmp_path / "answers.csv").write_bytes(b"\xff\xfe\x00PK")
    done = run(bundle, tmp_path / "bytes", tmp_path / "answers.csv")
    assert (done.code, done.scores) == (1, None)
    assert done.stderr.startswith("answers.csv, line 1: a byte that is not UTF-8")


def test_in_the_competition_silence_does_not_pay(run, tmp_path):
    """Submissions of labels without their wrong answers, and of shares without the worst topics."""
    for source, measures in ((LABELS, "accuracy,MAE_mu,MAE_M"), (SHARES, "NMD,RPS,RNOD")):
        place = tmp_path / source.name
        bundle = bundled(source, place, "--missing=worst", f"--measures={measures}")
        (board,) = yaml.safe_load((bundle / "competition.yaml").read_text())["leaderboards"]
        assert [c["key"] for c in board["columns"]][-1] == "answered"
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
        whole, withheld = (
            run(bundle, place / f"{name} place", written(place / f"{name}.csv", [head, *lines]))
            for name, lines in (("whole", rows), ("kept", kept))
        )
        assert (whole.code, withheld.code) == (0, 0)
        assert whole.scores.pop("answered") == 1
        assert withheld.scores.pop("answered") == 1 - wrong.mean()
        assert "no answer for" in withheld.page
        rule = (bundle / "evaluation.md").read_text()
        assert "no run gains by withholding" in " ".join(rule.split())
        for name in whole.scores:
            sign = 1 if name == "accuracy" else -1
            assert sign * withheld.scores[name] <= sign * whole.scores[name]
            assert name in rule


def test_what_cannot_be_a_competition_is_refused(tmp_path, capsys):
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(SHARES / "gold.csv", alone)
    scores = FORMATS / "scores" / "long.csv"
    for path, said in ((alone, "no folder runs"), (scores, "a competition needs gold data")):
        assert main(["bundle", str(path), f"--out={tmp_path / 'out'}"]) == 2
        assert said in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


def test_a_fault_of_the_program_is_one_line_without_gold(run, tmp_path):
    bundle = bundled(SHARES, tmp_path)
    gold = bundle / "reference_data" / "gold.csv"
    gold.write_text(gold.read_text().replace(",", ";secret,"))
    done = run(bundle, tmp_path / "place", next((SHARES / "runs").iterdir()))
    assert done.code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("the scoring program failed (ValueError in scoring.py, line ")
    assert "secret" not in done.page
