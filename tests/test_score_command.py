"""`ordbook score`: scores and official tables of a task, or one clear line and nothing changed."""

import csv
import json

import numpy as np
import pytest

import ordbook as ob
from ordbook.cli import main


@pytest.fixture
def task(tmp_path):
    """Four runs on twelve topics; copy is a double of good."""
    rng = np.random.default_rng(4)
    gold = rng.dirichlet([2, 2, 2], 12)
    noise = rng.dirichlet([1, 1, 1], 12)
    runs = {"good": 0.1, "copy": 0.1, "=bad|_%": 0.9, "middle": 0.5}
    folder = tmp_path / "my task"
    (folder / "runs").mkdir(parents=True)

    def write(path, values):
        rows = [f"t{k},{','.join(map(repr, row))}" for k, row in enumerate(values.tolist())]
        (folder / path).write_text("\n".join(["topic,low,mid,high", *rows]) + "\n")

    write("gold.csv", gold)
    for run, share in runs.items():
        write(f"runs/{run}.csv", (1 - share) * gold + share * noise)
    return folder


def run(*arguments):
    return main(["score", *map(str, arguments)])


def test_one_command_writes_scores_and_tables(task, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(task, "--out", out, "--trials", 500, "--primary", "RNOD") == 0
    printed, said = capsys.readouterr()
    lines = printed.splitlines()
    assert lines[0].split() == ["rank", "run", "mean", "RNOD"]
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["1", "copy"],
        ["1", "good"],
        ["3", "middle"],
        ["4", "=bad|_%"],
    ]
    assert lines[5] == str(out / "README.md")
    assert "copy, good are identical: the same estimates, and so the same scores" in said
    assert "6, and 3 among the 3 different runs" in said
    scores = ob.load_scores(out / "scores.csv")
    expected = ob.score(ob.load(task))
    assert scores.measures == expected.measures
    assert np.array_equal(scores.values, expected.values)
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["inputs"] == dict(expected.provenance.files)
    assert set(summary["measures"]) == set(expected.measures)
    assert summary["trials"] == 500


def test_what_was_found_is_what_the_api_finds(task, tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["--measures", "NMD, RNOD", "--seed", 3, "--trials", 300, "--alpha", 0.1]
    assert run(task, "--out", out, *arguments, "--threads", 1, "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert list(summary["measures"]) == ["NMD", "RNOD"]
    tests = ob.tukey_hsd(ob.score(ob.load(task), ["NMD", "RNOD"]), 300, 3)
    power = ob.discriminative_power(tests, 0.1)
    for measure, about in summary["measures"].items():
        assert about["significant_pairs"] == power["significant"][measure]
        with (out / "significance" / f"{measure}.csv").open(newline="") as file:
            assert len(list(csv.DictReader(file))) == about["significant_pairs"]


def test_a_measure_of_your_own_stands_beside_the_others(task, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "import numpy as np\nfrom ordbook.measures import custom_measure\n"
        "LARGEST = custom_measure('largest', lambda g, e: np.abs(g - e).max(axis=-1), "
        "better='low')\n"
    )
    out = tmp_path / "out"
    arguments = ["--measure", f"{mine}:LARGEST", "--trials", 100]
    assert run(task, "--out", out, *arguments, "--measures", "NMD", "--primary", "largest") == 0
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert list(summary["measures"]) == ["NMD", "largest"]
    (checksum,) = summary["own_measures"].values()
    assert len(checksum) == 64
    assert str(tmp_path) not in (out / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--measures", "NMD,nope"], "'nope' is not a measure for quantification"),
        (["--primary", "kappa"], "--primary kappa: not among the measures scored"),
        (["--alpha", "1.5"], "alpha must lie between 0 and 1"),
        (["--trials", "0"], "trials must be a whole number from 1"),
        (["--seed", "-1"], "seed must be a whole number from 0"),
        (["--threads", "0"], "threads must be a whole number from 1"),
        (["--by-group"], "nothing says to which group a run belongs"),
        (["--classes=low,,high"], "empty"),
        (["--part", "A"], "part="),
        (["--measure", "nowhere.py:X"], "nowhere.py"),
    ],
)
def test_what_is_not_possible_is_refused_in_one_line(task, tmp_path, capsys, arguments, message):
    assert run(task, "--out", tmp_path / "out", *arguments) == 2
    printed, said = capsys.readouterr()
    assert message in said.splitlines()[-1]
    assert printed == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my task"]


def test_a_folder_that_is_not_ours_is_refused_before_anything_is_scored(task, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("x")
    assert run(task, "--out", tmp_path / "out") == 2
    assert "scoring" not in capsys.readouterr().err
    assert run(task, "--out", task / "results") == 2
    assert "lies within the data" in capsys.readouterr().err


def test_catalogued_classification_and_nuggets(tmp_path, no_raw_files, capsys):
    for name, measure in (("sem16t4c", "MAE_M"), ("stc3-nd", "JSD")):
        arguments = ["--trials", 100, "--measures", measure, "--interval", "hsd"]
        assert run(name, "--out", tmp_path / name, *arguments) == 0
        text = (tmp_path / name / "results" / f"{measure}.md").read_text(encoding="utf-8")
        assert "95% HSD interval" in text


def test_one_run_cannot_be_tested(task, tmp_path, capsys):
    for path in sorted((task / "runs").iterdir())[1:]:
        path.unlink()
    assert run(task, "--out", tmp_path / "out") == 2
    assert "it has 1 run; comparing runs needs two runs and two topics" in capsys.readouterr().err


def test_help_explains_the_files(capsys):
    with pytest.raises(SystemExit) as stopped:
        run("--help")
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert "significance/MEASURE.*" in text


def test_a_name_that_is_a_data_set_and_a_folder_here_is_refused(tmp_path, monkeypatch, capsys):
    """Scoring the catalogue's data in silence would announce other results than those meant."""
    folder = tmp_path / "fair-oq"
    (folder / "runs").mkdir(parents=True)
    (folder / "gold.csv").write_text("topic,low,mid,high\n1,1,0,0\n2,0,1,0\n")
    for run in "AB":
        (folder / "runs" / f"{run}.csv").write_text("topic,low,mid,high\n1,1,0,0\n2,0,0,1\n")
    monkeypatch.chdir(tmp_path)
    for command in (["score", "fair-oq"], ["rerun", "dnkt", "--data=fair-oq"]):
        assert main([*command, "--out=results"]) == 2
        assert "write ./fair-oq for the latter" in capsys.readouterr().err
    assert main(["sweep", "--data=fair-oq", "--out=results"]) == 2
    assert main(["check", "fair-oq"]) == 0
    assert "low < mid < high" in capsys.readouterr().out, "the folder, not the data set"
    assert not (tmp_path / "results").exists()


def test_one_topic_is_refused_before_anything_is_scored(tmp_path, capsys):
    folder = tmp_path / "one"
    (folder / "runs").mkdir(parents=True)
    (folder / "gold.csv").write_text("topic,low,mid,high\n1,1,0,0\n")
    for run in "AB":
        (folder / "runs" / f"{run}.csv").write_text("topic,low,mid,high\n1,1,0,0\n")
    assert main(["score", str(folder), f"--out={tmp_path / 'out'}"]) == 2
    said = capsys.readouterr().err
    assert "one: it has 1 topic; comparing runs needs two runs and two topics" in said
    assert "scoring" not in said
    assert main(["rerun", "dnkt", f"--data={folder}", f"--out={tmp_path / 'out'}"]) == 2
    assert "there is one topic; comparing runs needs two of each" in capsys.readouterr().err


def test_scores_by_an_unknown_measure_need_an_end(tmp_path, capsys):
    path = tmp_path / "my.csv"
    path.write_text("topic,A,B\n" + "".join(f"t{i},{i / 10},{i / 5}\n" for i in range(1, 9)))
    out = tmp_path / "out"
    assert main(["score", str(path), f"--out={out}"]) == 2
    assert "--better" in capsys.readouterr().err
    assert main(["score", str(path), f"--out={out}", "--better=my=low", "--trials=200"]) == 0
    assert (out / "results" / "my.csv").exists()
