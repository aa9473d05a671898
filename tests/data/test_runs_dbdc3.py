"""Our runs for DBDC3: whole, honest, as the training makes them, and of different quality."""

import importlib
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import ordbook as ob
from ordbook.data.dbdc import LABELS, read_dbdc, read_dialogues, read_labels
from ordbook.data.problems import Problems
from ordbook.data.scoring import compute
from ordbook.data.tasks import Provenance
from ordbook.measures.dbdc3 import majority

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
    names = ("utterances", "vectors", "recurrent", "systems", "train")
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
def dialogues(raw_files):
    archive = raw_files / "dbdc3" / "DBDC3.zip"
    return read_dialogues(archive, "dev"), read_dialogues(archive, "eval")


@pytest.fixture(scope="module")
def scores(raw_files, folder):
    """Scores of our runs and of the two baselines."""
    problems = Problems()
    task = read_dbdc(
        "dbdc3",
        raw_files / "dbdc3" / "DBDC3.zip",
        ("B", "PB", "NB"),
        provenance=Provenance("yours"),
        problems=problems,
        runs={name: folder / f"ours-{name}.zip" for name in RUNS},
    )
    problems.raise_first()
    return compute(task.with_baselines())


# What is committed


def test_the_folder_has_exactly_these_runs(folder, training):
    assert tuple(training["systems"].SYSTEMS) == RUNS
    assert {path.name for path in folder.glob("*.zip")} == {f"ours-{name}.zip" for name in RUNS}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_answers_for_every_utterance(name, folder):
    path = folder / f"ours-{name}.zip"
    rows = read_labels(path, ob.load("dbdc3").topics)
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


@pytest.mark.parametrize("name", RUNS)
def test_the_label_in_the_file_is_the_organisers_for_its_probabilities(name, folder):
    labels, rows = [], []
    with zipfile.ZipFile(folder / f"ours-{name}.zip") as archive:
        for file in archive.namelist():
            for turn in json.loads(archive.read(file))["turns"]:
                (answer,) = turn["labels"]
                labels.append(answer["breakdown"])
                rows.append([answer[f"prob-{label}"] for label in LABELS])
    assert labels == [LABELS[k] for k in majority(rows)]


@pytest.mark.parametrize(
    ("row", "label"),
    [([4000, 4000, 2000], "T"), ([5000, 0, 5000], "O"), ([3334, 3333, 3333], "X")],
)
def test_a_tied_label_is_the_one_farthest_from_a_breakdown(training, row, label):
    assert training["train"]._labels(row)["breakdown"] == label


# What the training does


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


def test_any_number_of_threads_gives_the_same_bytes(training, dialogues):
    """Every system, on every thirtieth dialogue; threads change the order of sums in BLAS."""
    development, evaluation = dialogues[0][::30], dialogues[1][::30]
    runs = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            runs.append(training["train"].train(development, evaluation, RUNS))
    assert tuple(runs[0]) == RUNS
    assert runs[0] == runs[1]


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


def test_systems_learn_from_the_votes(training, dialogues):
    development, evaluation = dialogues[0][::10], dialogues[1][::10]
    other = [
        replace(
            dialogue,
            turns=tuple(
                replace(turn, votes=turn.votes and turn.votes[::-1]) for turn in dialogue.turns
            ),
        )
        for dialogue in development
    ]
    names = ["prior", "turn", "system", "neighbours", "ridge"]
    first, second = (training["train"].train(d, evaluation, names) for d in (development, other))
    assert not set(first.values()) & set(second.values())


def test_an_utterance_is_seen_without_what_follows(training, dialogues):
    utterances = training["utterances"].utterances
    evaluation = dialogues[1][:5]
    cut = [
        replace(dialogue, turns=tuple(t for t in dialogue.turns if t.index <= 8))
        for dialogue in evaluation
    ]
    whole = {(u.dialogue, u.turn): u for u in utterances(evaluation)}
    early = utterances(cut)
    assert 15 <= len(early) < len(whole)
    assert all(whole[u.dialogue, u.turn] == u for u in early)


def test_project_gives_the_nearest_distribution(training):
    project = training["systems"].project
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 3))
    found = project(rows)
    assert (found >= 0).all()
    assert np.allclose(found.sum(axis=1), 1, atol=1e-12)
    inside = rng.dirichlet(np.ones(3), 200)
    assert np.allclose(project(inside), inside, atol=1e-12)
    # No other distribution is nearer.
    nearest = ((rows - found) ** 2).sum(axis=1)
    others = ((rows[:, None] - inside) ** 2).sum(axis=2)
    assert (others >= nearest[:, None] - 1e-12).all()


def test_rounded_sums_are_exact(training):
    rounded = training["train"].rounded
    rows = np.random.default_rng(2).dirichlet(np.ones(3), 500)
    units = rounded(rows)
    assert (units.sum(axis=1) == 10_000).all()
    assert np.abs(units / 10_000 - rows).max() < 1e-4
    assert rounded(np.array([[1 / 3, 1 / 3, 1 / 3]])).tolist() == [[3334, 3333, 3333]]
    assert rounded(np.array([[0.1 + 0.2, 0.7, 0.0]])).tolist() == [[3000, 7000, 0]]


@pytest.mark.parametrize(
    ("environment", "arguments", "code", "message"),
    [
        ({}, ["--only", "oracle"], 2, "error: no system 'oracle'; there are prior, turn"),
        ({"ORDBOOK_MIRROR": ""}, [], 1, "error: .*DBDC3.zip.* 'ordbook fetch dbdc3'"),
    ],
)
def test_the_command_says_what_is_wrong(
    folder, tmp_path, monkeypatch, environment, arguments, code, message
):
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path / "cache"))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = tmp_path / "out"
    command = [sys.executable, str(folder / "train.py"), *arguments, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert re.search(message, done.stderr)
    assert not out.exists()


# How good they are


@pytest.fixture(scope="module")
def tests(scores):
    """All pairs but those with popularity: so far from the rest that it would hide differences."""
    keep = [i for i, run in enumerate(scores.runs) if run != "BL-popularity"]
    chosen = scores.select(["NMD", "RSNOD"])
    runs = tuple(scores.runs[i] for i in keep)
    return ob.tukey_hsd(
        replace(chosen, values=chosen.values[:, :, keep], runs=runs), trials=2000, seed=1
    )


def test_the_best_clearly_beats_prior_uniform_and_popularity(scores, tests):
    means = scores.means()
    for measure in ("NMD", "RSNOD"):
        assert means.loc["boosting", measure] < 0.5 * means.loc["BL-popularity", measure]
        for lesser in ("prior", "turn", "system", "BL-uniform"):
            assert means.loc["boosting", measure] < means.loc[lesser, measure]
            assert tests.p[measure].loc["boosting", lesser] < 0.01, (measure, lesser)


def test_systems_differ_beyond_chance(tests):
    for measure in ("NMD", "RSNOD"):
        p = tests.p[measure].loc[list(RUNS), list(RUNS)].to_numpy()[np.triu_indices(len(RUNS), 1)]
        assert 15 <= (p < 0.05).sum() < len(p), "many differ, and some are alike"


def test_what_the_readme_says_of_the_evaluation_dialogues(training, dialogues, scores):
    development, evaluation = (training["utterances"].votes(part) for part in dialogues)
    assert evaluation.mean(axis=0)[0] < development.mean(axis=0)[0]
    means = scores.means()["NMD"]
    assert (means[["prior", "turn", "system"]] > means["BL-uniform"]).all()
    assert (means[list(RUNS[3:])] < means["BL-uniform"]).all()
