"""STC-3: the real files, and the original with its text."""

import gzip
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from ordbook.cli import main
from ordbook.data.catalog import catalog, state
from ordbook.data.fetch import fetch
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
        estimates = np.zeros_like(task.estimates[:1])
        for side in ("customer", "helpdesk"):
            ours = getattr(task, side)
            columns = [task.classes.index(name) for name in ours.classes]
            of_side = task.gold[:, columns].any(axis=1)
            position = np.arange(len(task.topic)) - np.searchsorted(task.topic, task.topic)
            keys = list(zip(ours.topic, position[of_side], strict=True))
            printed = [[turns[task.topics[d]][t][c] for c in ours.classes] for d, t in keys]
            sums = np.sum(printed, axis=1, keepdims=True)
            assert 1e-5 < abs(sums - 1).max() < 0.023
            assert ours.estimates[place] == pytest.approx(printed / sums, abs=1.1e-5)
            estimates[0][np.ix_(of_side, columns)] = printed
        alone = replace(task, runs=(run,), _estimates=estimates)
        assert compute(alone).means().loc[run].tolist() == pytest.approx(
            means.loc[run].tolist(), abs=1e-5
        )


@pytest.fixture
def original(raw_files, tmp_path, monkeypatch):
    """What the organisers send, with its text, beside a cache that has the runs alone."""
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path))
    monkeypatch.delenv("ORDBOOK_MIRROR")
    shutil.copytree(raw_files / "stc3" / "runs", tmp_path / "raw/stc3/runs")
    with gzip.open(raw_files / FILE) as file:
        dialogues = json.load(file)
    for dialogue in dialogues:
        dialogue["title"] = "simulated"
        for turn in dialogue["turns"]:
            turn["utterances"] = ["simulated text: 对话"]
    path = tmp_path / "test_annotations.json"
    path.write_text(json.dumps(dialogues, ensure_ascii=False, indent=1), "utf-8")
    return path


@pytest.mark.slow
def test_the_text_of_the_original_is_left_out_once(original, raw_files, capsys):
    assert state(catalog()["stc3-dq-e"]) == "incomplete"
    assert main(["fetch", "stc3-dq-e", "--from", str(original)]) == 0
    assert "stc3-dq-e: complete (0 fetched, 4 here already)" in capsys.readouterr().out
    kept = original.parent / "raw/stc3/test_annotations_notext.json"
    assert kept.read_bytes() == gzip.decompress((raw_files / FILE).read_bytes())
    task = ob.load("stc3-dq-e")
    assert ob.score(task).source == "raw", "equal to the committed scores, or this fails"
    assert state(catalog()["stc3-nd"]) == "here"
    alone = ob.load(original, part="E").with_baselines()
    assert (alone.gold == task.gold).all()


@pytest.mark.slow
def test_other_annotations_are_refused(original):
    original.write_text(original.read_text("utf-8").replace('"A": 1', '"A": 2', 1), "utf-8")
    with pytest.raises(ValueError, match=r"no file of stc3-dq-a, stc3-dq-a \(training\); get"):
        fetch(["stc3-dq-a"], file=original, report=str)
    assert state(catalog()["stc3-dq-a"]) == "incomplete"


def test_without_the_files_it_is_said_whom_to_ask(no_raw_files):
    task = ob.load("stc3-dq-a")
    assert (task.topics[0], len(task.runs)) == (IDS[0], 17)
    for ask in (lambda: task.gold, lambda: fetch(["stc3-dq-a"], report=str)):
        with pytest.raises((FileNotFoundError, ValueError)) as caught:
            ask()
        for part in (
            "ask the NTCIR organisers",
            "then run 'ordbook fetch stc3-dq-a --from FILE'",
            "with or without the text of the dialogues",
        ):
            assert part in str(caught.value)
