"""STC-3: the real files, and the original with its text."""

import gzip
import hashlib
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.catalog import catalog, fetch, state
from ordbook.data.scoring import compute

FILE = "stc3/test_annotations_notext.json.gz"
IDS = ("3718912216646049", "3906308417819163", "4225559267611630")


@pytest.mark.parametrize(
    ("part", "first", "tenth", "last"),
    [
        ("a", [3, 4, 10, 2, 0], [3, 5, 4, 7, 0], [4, 5, 10, 0, 0]),
        ("e", [2, 4, 8, 4, 1], [4, 6, 2, 7, 0], [2, 4, 8, 4, 1]),
        ("s", [1, 6, 11, 1, 0], [4, 6, 7, 2, 0], [2, 3, 12, 1, 1]),
    ],
)
def test_count_first_tenth_and_last_record(raw_files, part, first, tenth, last):
    """Votes for -2 to 2, counted once with other tools."""
    task = ob.load(f"stc3-dq-{part}")
    assert (len(task.topics), len(set(task.topics))) == (390, 390)
    assert (task.topics[0], task.topics[9], task.topics[-1]) == IDS
    votes = (task.gold[[0, 9, -1]] * 19).round(9).tolist()
    assert votes == [first, tenth, last]
    assert task.runs[:3] == ("SLSTC_DQ_run1_cn", "SLSTC_DQ_run1_en", "WIDM_final")
    assert all(run.startswith("ours-") for run in task.runs[3:-2])
    # Mean NMD of WIDM's run, computed once with other tools.
    widm = ob.score(task, ["NMD"]).means().loc["WIDM_final", "NMD"]
    assert round(widm, 4) == {"a": 0.0939, "e": 0.0875, "s": 0.0855}[part]
    assert task.runs[-2:] == ("BL-uniform", "BL-popularity")


def test_count_first_tenth_and_last_dialogue_of_the_nuggets(raw_files):
    task = ob.load("stc3-nd")
    assert (task.topics[0], task.topics[9], task.topics[-1]) == IDS
    assert (len(task.customer.topic), len(task.helpdesk.topic)) == (975, 780)
    # Votes counted once with other tools.
    assert (task.customer.gold.sum(axis=0) * 19).round(6).tolist() == [6425, 7250, 599, 4251]
    assert (task.helpdesk.gold.sum(axis=0) * 19).round(6).tolist() == [8960, 2156, 3704]
    assert task.runs[:3] == ("SLSTC_ND_run1_cn", "SLSTC_ND_run1_en", "WIDM_final")
    assert all(run.startswith("ours-") for run in task.runs[3:-2])
    assert task.runs[-2:] == ("BL-uniform", "BL-popularity")


def test_turns_of_public_runs_are_divided_by_their_sums_which_changes_next_to_nothing(raw_files):
    """As the note of the task says; the distributions are read again, without ordbook's reader."""
    task = ob.load("stc3-nd")
    assert "changes no mean score by more than .00001" in task.provenance.notes[0]
    means = ob.score(task).means()
    for place, run in enumerate(task.runs[:3]):
        entries = json.loads((raw_files / f"stc3/runs/{run}.json").read_bytes())
        turns = {entry["id"]: entry["nugget"] for entry in entries}
        sides = {}
        for side in ("customer", "helpdesk"):
            ours = getattr(task, side)
            keys = zip(ours.topic, ours.position, strict=True)
            printed = [[turns[task.topics[d]][t][c] for c in ours.classes] for d, t in keys]
            sums = np.sum(printed, axis=1, keepdims=True)
            assert 1e-5 < abs(sums - 1).max() < 0.023
            assert ours.estimates[place] == pytest.approx(printed / sums, abs=1.1e-5)
            sides[side] = replace(ours, estimates=np.array([printed]))
        alone = replace(task, runs=(run,), groups={}, _sides=sides)
        assert compute(alone).means().loc[run].tolist() == pytest.approx(
            means.loc[run].tolist(), abs=1e-5
        )


@pytest.fixture
def original(raw_files, tmp_path, monkeypatch):
    """A cache with what the organisers send: the text is there, so the checksum is another."""
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path))
    monkeypatch.delenv("ORDBOOK_MIRROR")
    folder = tmp_path / "raw" / "stc3"
    folder.mkdir(parents=True)
    with gzip.open(raw_files / FILE) as file:
        dialogues = json.load(file)
    for dialogue in dialogues:
        for turn in dialogue["turns"]:
            turn["utterances"] = ["simulated text: 对话"]
    (folder / "test_annotations.json").write_text(
        json.dumps(dialogues, ensure_ascii=False), "utf-8"
    )
    shutil.copytree(raw_files / "stc3" / "runs", folder / "runs")
    return folder


@pytest.mark.slow
def test_the_original_with_its_text_is_as_good(original, raw_files, monkeypatch):
    told = ob.load("stc3-dq-e")
    assert told.provenance.source == "raw"
    assert state(catalog()["stc3-dq-e"]) == "here"
    content = (original / "test_annotations.json").read_bytes()
    assert told.provenance.files["test_annotations_notext.json.gz"] == (
        hashlib.sha256(content).hexdigest()
    ), "provenance names what was read"
    assert ob.score(told).source == "raw", "equal to the committed scores, or this fails"
    assert [outcome.present for outcome in fetch(["stc3-dq-e"], report=str)] == [4]
    assert ob.score(ob.load("stc3-nd")).source == "raw"
    alone = ob.load(original / "test_annotations.json", part="E").with_baselines()
    assert (alone.gold == told.gold).all()


@pytest.mark.slow
def test_other_annotations_are_refused(original):
    path = original / "test_annotations.json"
    path.write_text(path.read_text("utf-8").replace('"A": 1', '"A": 2', 1), "utf-8")
    message = "these are other annotations than those of stc3-dq-a"
    with pytest.raises(ValueError, match=message):
        ob.load("stc3-dq-a")
    # What was put there by hand is not replaced, and does not stop the other data sets.
    outcomes = fetch(["stc3-dq-a", "stc3-nd"], report=str)
    assert len(outcomes) == 2
    assert all("these are other annotations" in outcome.failure for outcome in outcomes)
    assert state(catalog()["stc3-dq-a"]) == "damaged"


def test_without_the_files_it_is_said_whom_to_ask(no_raw_files):
    task = ob.load("stc3-dq-a")
    assert (task.topics[0], len(task.runs)) == (IDS[0], 17)
    for ask in (lambda: task.gold, lambda: fetch(["stc3-dq-a"], report=str)):
        with pytest.raises((FileNotFoundError, ValueError)) as caught:
            ask()
        for part in (
            "ask the NTCIR organisers",
            "raw/stc3 as test_annotations.json",
            "sha256 46b2",
        ):
            assert part in str(caught.value)
