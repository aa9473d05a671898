"""The script of an organiser's afternoon runs, and every step gives its result."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pandas as pd
import pytest
import yaml

import ordbook as ob
from ordbook.cli import main
from ordbook.files import share

SCRIPT = share("data", "examples", "afternoon.sh")


def in_this_process(place):
    """Run the lines of the script one by one, those of ordbook without a new interpreter."""
    lines = SCRIPT.read_text().partition('cd "$1"')[2].splitlines()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as printed:
        patch.chdir(place)
        for line in lines:
            words = shlex.split(line.replace("$examples", str(SCRIPT.parent)), comments=True)
            if words[:1] == ["ordbook"]:
                assert main(words[1:]) == 0, line
            elif words:
                words[0] = sys.executable if words[0] == "python3" else words[0]
                done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
                print(done.stdout, end="")
    return printed.getvalue()


def in_a_shell(place):
    """Run the script as an organiser does."""
    commands = place.with_name("bin")
    commands.mkdir()
    for name, program in (("ordbook", "-m ordbook"), ("python3", "")):
        path = commands / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {program} "$@"\n')
        path.chmod(0o755)
    environment = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", str(SCRIPT), str(place)]
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


@pytest.fixture(
    scope="module", params=[in_this_process, pytest.param(in_a_shell, marks=pytest.mark.slow)]
)
def afternoon(request, tmp_path_factory):
    """Return the folder that the script has filled, and what it printed."""
    if os.name == "nt" or not shutil.which("bash"):
        pytest.skip("the script is for a shell of Unix")
    made = tmp_path_factory.mktemp("afternoon") / "made"
    made.mkdir()
    return made, request.param(made)


def test_gold_is_the_median_and_runs_are_ranked_by_hand(afternoon):
    made, printed = afternoon
    wide = pd.read_csv(SCRIPT.with_name("ratings") / "ratings.csv", index_col="item")
    gold = pd.read_csv(made / "my-task" / "gold.csv", index_col="item")["label"]
    assert gold.to_dict() == wide[["Ada", "Ben", "Eve"]].median(axis=1).astype(int).to_dict()
    scores = pd.read_csv(made / "results" / "scores.csv")
    scores = scores.pivot_table(index="run", columns="measure", values="score")
    for run in ("bold", "careful"):
        assert scores.loc[run, "kappa"] == pytest.approx(ob.kappa(gold, wide.loc[gold.index, run]))
        assert scores.loc[run, "MAE_mu"] == pytest.approx((wide[run] - gold).abs().mean())
    ranking = [line.split()[:2] for line in printed.splitlines() if re.match(r" +\d  ", line)]
    assert ranking == [["1", "careful"], ["2", "bold"]]
    assert scores["kappa"].idxmax() == "careful"
    assert printed.count("nothing is wrong") == 3
    page = (made / "report.html").read_text(encoding="utf-8").partition("<main")[2]
    assert page.index("careful") < page.index("bold"), "the best run is named first"
    assert f"{scores.loc['careful', 'kappa']:.4f}" in page


def test_the_competition_scores_a_submission_as_the_organiser_does(afternoon):
    made, printed = afternoon
    found = json.loads((made / "app" / "output" / "scores.json").read_text())
    scores = pd.read_csv(made / "results" / "scores.csv")
    own = scores[scores["run"] == "careful"].set_index("measure")["score"].to_dict()
    assert found == pytest.approx(own, rel=0, abs=1e-12)
    assert json.loads(printed.splitlines()[-1]) == found
    competition = yaml.safe_load((made / "competition" / "bundle" / "competition.yaml").read_text())
    (board,) = competition["leaderboards"]
    assert {column["key"] for column in board["columns"]} == set(found)
    assert board["columns"][0]["key"] == "kappa"
    assert "careful" not in (made / "competition" / "bundle" / "evaluation.md").read_text()


def test_a_wrong_submission_is_refused_before_and_after_it_is_sent(afternoon):
    made, _ = afternoon
    wrong = made / "wrong.csv"
    wrong.write_text((made / "my_answers.csv").read_text().replace("answer-02,", "answer-99,"))
    check = [sys.executable, "-m", "ordbook", "check", str(wrong), "--sample", "kit/sample.csv"]
    inputs = made / "app" / "wrong"
    shutil.copytree(made / "app" / "input" / "ref", inputs / "ref")
    (inputs / "res").mkdir()
    shutil.copy(wrong, inputs / "res")
    score = [sys.executable, "app/program/scoring.py", str(inputs), str(inputs / "output")]
    for command, code in ((check, 2), (score, 1)):
        done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False)
        assert done.returncode == code
        text = done.stdout + done.stderr
        assert "answer-99" in text
        assert "no answer for" in text
    assert not (inputs / "output" / "scores.json").exists()


def test_readme_has_the_commands_in_this_order():
    commands = re.findall(r"^ordbook (\w+)", SCRIPT.read_text(), re.MULTILINE)
    assert commands == ["convert", "check", "score", "report", "bundle", "check"]
    readme = Path(share(".")) / "README.md"
    if not readme.is_file():
        pytest.skip("an installed package has no README")
    text = readme.read_text(encoding="utf-8")
    (block,) = [part for part in text.split("```") if "ordbook bundle" in part]
    told = re.findall(r"^ordbook (\w+)", block, re.MULTILINE)
    assert [name for name in told if name in commands] == commands[1:5]
