"""Our runs for DBDC3: whole, honest, as the training makes them, and of different quality."""

import importlib
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.known import read_breakdowns

pytestmark = pytest.mark.slow

RUNS = (
    "prior",
    "turn",
    "system",
    "neighbours",
    "ridge",
    "recurrent",
    "trees",
    "trees-vectors",
    "trees-direct",
    "boosting",
)
CHEAP = ("prior", "turn", "system", "ridge")


@pytest.fixture(scope="module")
def folder(root):
    return root / "data" / "runs" / "dbdc3"


@pytest.fixture(scope="module")
def training(folder):
    """The modules of the training, which stand beside the runs."""
    names = ("logs", "utterances", "vectors", "recurrent", "systems", "train")
    before = {name: sys.modules.pop(name, None) for name in names}
    sys.path.insert(0, str(folder))
    try:
        yield {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(folder))
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


@pytest.fixture(scope="module")
def dialogues(raw_files, training):
    read = training["logs"].read_dialogues
    archive = raw_files / "dbdc3" / "DBDC3.zip"
    return read(archive, "dev"), read(archive, "eval")


# What is committed


def test_the_folder_has_exactly_these_runs(folder, training):
    assert tuple(training["systems"].SYSTEMS) == RUNS
    assert {path.name for path in folder.glob("*.zip")} == {f"ours-{name}.zip" for name in RUNS}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_answers_for_every_utterance(name, folder):
    path = folder / f"ours-{name}.zip"
    answers = read_breakdowns(path)
    assert set(answers) == set(ob.load("dbdc3").topics)
    rows = np.array(list(answers.values()))
    assert rows.shape == (2000, 3)
    units = rows * 10_000
    assert np.abs(units - units.round()).max() < 1e-9, "four decimals"
    assert (units.round().sum(axis=1) == 10_000).all(), "which sum to 1 exactly"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        dates = {info.date_time for info in archive.infolist()}
    assert names == sorted(names)
    assert dates == {(1980, 1, 1, 0, 0, 0)}
    assert path.stat().st_size < 300_000


# What the training does


def test_the_dialogues_for_development_and_evaluation(dialogues):
    development, _ = dialogues
    first = development[0]
    assert (first.id, first.system, development[-1].id) == ("CIC0003", "CIC", "YI0100")
    said = first.turns[2]
    assert (said.index, said.speaker, said.utterance, said.votes) == (
        2, "S", "Thank you.", (15, 10, 5)
    )  # fmt: skip
    asked = [turn for each in development for turn in each.turns if turn.votes]
    assert {(turn.speaker, sum(turn.votes)) for turn in asked} == {("S", 30)}
    ids = [{each.id for each in part} for part in dialogues]
    assert list(map(len, ids)) == [415, 200]
    assert not ids[0] & ids[1]


def test_cheap_systems_give_the_committed_bytes_again(raw_files, folder, tmp_path):
    command = [sys.executable, "-u", str(folder / "train.py"), "--only", ",".join(CHEAP)]
    done = subprocess.run(
        [*command, "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {f"ours-{name}.zip" for name in CHEAP}
    for name in CHEAP:
        file = f"ours-{name}.zip"
        assert (tmp_path / file).read_bytes() == (folder / file).read_bytes(), name
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(CHEAP)]] == list(CHEAP), "a line per system"


def test_the_votes_of_the_evaluation_are_not_looked_at(training, dialogues):
    """With other votes there, the systems see and answer the same."""
    development, evaluation = dialogues[0][::10], dialogues[1][::10]
    other = [
        replace(
            dialogue,
            turns=tuple(
                replace(turn, votes=turn.votes and turn.votes[1:] + turn.votes[:1])
                for turn in dialogue.turns
            ),
        )
        for dialogue in evaluation
    ]
    assert other != evaluation
    see, train = training["utterances"].utterances, training["train"].train
    assert see(evaluation) == see(other)
    assert train(development, evaluation, CHEAP) == train(development, other, CHEAP)
