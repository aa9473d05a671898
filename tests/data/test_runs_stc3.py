"""Our own runs for STC-3: files, how they come about, and how good they are."""

import hashlib
import os
import subprocess
import sys

import pytest

import ordbook as ob
from ordbook.data.catalog import catalog
from ordbook.data.catalog import raw_files as find_raw_files

pytestmark = pytest.mark.slow

QUALITY = ("stc3-dq-a", "stc3-dq-e", "stc3-dq-s")
CHEAP = ("prior", "sender", "turns", "median", "nearest", "place", "markov")


@pytest.mark.parametrize("name", [*QUALITY, "stc3-nd"])
def test_the_catalogue_lists_every_run_file_and_no_other(root, name):
    kind = "nugget" if name == "stc3-nd" else "quality"
    there = {f"stc3/{p.name}" for p in (root / "data/runs/stc3").glob(f"*_{kind}.json")}
    dataset = catalog()[name]
    assert set(dataset.ours) == there
    assert len(there) >= 8
    assert len(set(dataset.ours.values())) == len(there), "no two systems answer the same"


@pytest.mark.parametrize("name", [*QUALITY, "stc3-nd"])
def test_the_readers_read_them_after_the_public_runs_and_before_the_baselines(raw_files, name):
    task = ob.load(name)
    subtask = "DQ" if name in QUALITY else "ND"
    public = (f"SLSTC_{subtask}_run1_cn", f"SLSTC_{subtask}_run1_en", "WIDM_final")
    ours = [file.split("/")[1].rsplit("_", 1)[0] for file in catalog()[name].ours]
    assert task.runs == (*public, *ours, "BL-uniform", "BL-popularity")
    assert set(task.groups.values()) == {"SLSTC", "WIDM", "ours"}
    assert f"data/runs/{next(iter(catalog()[name].ours))}" in task.provenance.files
    assert ob.score(task).source == "raw", "and equal to the committed scores, or this fails"


def test_a_changed_run_of_ours_is_refused(raw_files, root, tmp_path, monkeypatch):
    path = tmp_path / "stc3/ours-turns_quality.json"
    monkeypatch.setattr(
        "ordbook.data.catalog.share",
        lambda *parts: path if parts[-1] == path.name else root.joinpath(*parts),
    )
    path.parent.mkdir()
    content = (root / "data/runs/stc3/ours-turns_quality.json").read_bytes()
    path.write_bytes(content)
    assert ob.load("stc3-dq-a").provenance.source == "raw"
    path.write_bytes(content.replace(b"0.1423", b"0.1424", 1))
    with pytest.raises(ValueError, match=r"ours-turns_quality.json: sha256 is .*restore the file"):
        ob.load("stc3-dq-a")


def test_the_training_data_are_catalogued(raw_files, monkeypatch, tmp_path):
    training = catalog()["stc3-dq-a"].training
    (path,) = find_raw_files(training).values()
    assert path == raw_files / "stc3/train_cn_annotations_notext.json.gz"
    assert len(ob.load(path, part="A").topics) == training.topics == 3700
    assert not set(ob.load(path, part="A").topics) & set(ob.load("stc3-dq-a").topics)
    monkeypatch.delenv("ORDBOOK_MIRROR")
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="annotated Chinese training dialogues") as caught:
        find_raw_files(training)
    assert "run 'ordbook fetch stc3-dq-a --from FILE'" in str(caught.value)


def train(root, *arguments, **environment):
    return subprocess.run(
        [sys.executable, root / "data/runs/stc3/train.py", *arguments],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_training_again_gives_the_same_bytes(raw_files, root, tmp_path):
    """The cheap systems, on three threads, with nothing left beside the runs."""
    result = train(root, "--only", ",".join(CHEAP), "--out", str(tmp_path), OMP_NUM_THREADS="3")
    assert result.returncode == 0, result.stderr
    ours = {**catalog()["stc3-dq-a"].ours, **catalog()["stc3-nd"].ours}
    written = {
        f"stc3/{p.name}": hashlib.sha256(p.read_bytes()).hexdigest() for p in tmp_path.iterdir()
    }
    assert len(written) == len(CHEAP) + 1, "nearest is a system of both subtasks"
    assert written == {file: ours[file] for file in written}
    assert "0 of them other than in data/catalog.toml" in result.stdout


def test_a_vote_on_a_test_dialogue_changes_no_run(raw_files, root, tmp_path):
    """Canary: the systems do not see what they are tested on."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import dialogues; from pathlib import Path; "
        "test = dialogues.structure(Path(sys.argv[2])); "
        "print(len(test), test.quality, test.nuggets, test.labels)"
    )
    gold = raw_files / "stc3/test_annotations_notext.json.gz"
    said = subprocess.run(
        [sys.executable, "-c", program, root / "data/runs/stc3", gold],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["390", "{}", "()", "()"]
