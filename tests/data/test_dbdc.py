"""The archive of DBDC3, and runs: real, and simulated that are not what they should be."""

import json
import shutil
import zipfile

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.cli import main
from ordbook.data.checking import check
from ordbook.data.dbdc import Dialogue, Turn, read_dbdc, read_dialogues
from ordbook.data.dbdclabels import read_labels
from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance
from ordbook.files import share

FOLDER = "DBDC3/dbdc3/en/eval/CIC_50/"
OTHER = "DBDC3/dbdc3/en/eval/YI_50/"


def turn(index, votes="O" * 15 + "T" * 6 + "X" * 9):
    return {
        "turn-index": index,
        "speaker": "S",
        "utterance": f"Utterance {index}",
        "annotations": [{"breakdown": label} for label in votes],
    }


def archive(path, members, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return path


def read(path, **options):
    problems = Problems()
    task = read_dbdc(
        "dbdc3",
        path,
        ("B", "PB", "NB"),
        provenance=Provenance("yours"),
        problems=problems,
        **options,
    )
    problems.raise_first()
    return task


def test_only_what_is_expected_is_read(tmp_path):
    path = archive(
        tmp_path / "d.zip",
        {
            FOLDER + "Z.log.json": {"turns": [turn(2), turn(0, "")]},
            FOLDER + "A.log.json": {"turns": [turn(10, "O" * 30), turn(4, "X" * 30)]},
            FOLDER + "../../../../../evil.log.json": b"not JSON",
            FOLDER + "A.log.json~": b"not JSON",
            "/absolute.log.json": b"not JSON",
            "DBDC3/dbdc3_revised/en/eval/CIC_50/A.log.json": b"not JSON",
            "DBDC3/dbdc3/en/dev/CIC_115/A.log.json": b"not JSON",
            "DBDC3/dbdc3/ja/eval/DCM/A.log.json": b"not JSON",
            "DBDC3/00README": b"not JSON",
        },
    )
    task = read(path)
    assert task.topics == ("A_04", "A_10", "Z_02"), "by file, then by turn"
    assert task.gold.tolist() == [[1, 0, 0], [0, 0, 1], [0.3, 0.2, 0.5]]
    assert list(tmp_path.iterdir()) == [path], "nothing is unpacked"
    with pytest.raises(ValueError, match=r"there are no runs to score; task\.with_baselines"):
        ob.score(task)
    assert ob.score(task.with_baselines())["NMD"].shape == (3, 2)


BAD_ARCHIVES = [
    (
        {"other/file": b""},
        "no dialogues in DBDC3/dbdc3/en/eval; name the file",
    ),
    ({FOLDER + "A.log.json": b"{"}, r"A\.log\.json, line 1, column 2: this is not JSON"),
    ({FOLDER + "A.log.json": {"turns": []}}, "no utterance with annotations"),
    (
        {FOLDER + "A.log.json": {"turns": [turn(3, "O" * 29 + "Y")]}},
        r"A\.log\.json, turn 3, annotation 30: the label 'Y'; write O, T or X",
    ),
    (
        {FOLDER + "A.log.json": {"turns": [turn(3, "O" * 29)]}},
        r"A\.log\.json, turn 3: 29 annotations, not 30",
    ),
    (
        {FOLDER + "A.log.json": {"turns": [turn(3), turn(3)]}},
        r"A\.log\.json: turn 3 a second time",
    ),
    (
        {folder + "A.log.json": {"turns": [turn(3)]} for folder in (FOLDER, OTHER)},
        r"YI_50/A\.log\.json: the dialogue a second time",
    ),
]


def test_bad_archives_are_refused(tmp_path):
    for members, message in BAD_ARCHIVES:
        with case(members, message, within=tmp_path) as folder:
            with pytest.raises(ValueError, match=message) as caught:
                read(archive(folder / "d.zip", members))
            assert "\n" not in str(caught.value)


def test_damaged_archives_are_refused(tmp_path):
    path = archive(tmp_path / "d.zip", {FOLDER + "A.log.json": {"turns": [turn(2)]}})
    whole = path.read_bytes()
    spoiled = whole.replace(whole[80:90], b"\0" * 10)
    for content in (b"", b"PK", whole[: len(whole) // 2], spoiled):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"d\.zip.*(damaged|not JSON)"):
            read(path)
    with pytest.raises(ValueError, match="damaged file .*No such file"):
        read(tmp_path / "nothing.zip")


def test_the_parts_are_read_apart(tmp_path):
    user = {"turn-index": 0, "speaker": "U", "utterance": "Hi", "annotations": []}
    path = archive(
        tmp_path / "d.zip",
        {
            FOLDER + "A.log.json": {"turns": [turn(1, "X" * 30), user]},
            "DBDC3/dbdc3/en/dev/TKTK_100/B.log.json": {"turns": [turn(2)]},
        },
    )
    (dialogue,) = read_dialogues(path, "eval")
    turns = (Turn(0, "U", "Hi", None), Turn(1, "S", "Utterance 1", (30, 0, 0)))
    assert dialogue == Dialogue("A", "CIC", turns)
    assert dialogue.topic(turns[1]) == "A_01"
    assert [(d.id, d.system) for d in read_dialogues(path, "dev")] == [("B", "TKTK")]
    with pytest.raises(ValueError, match="part='test' is neither 'dev' nor 'eval'"):
        read_dialogues(path, "test")


# Runs


TOPICS = ("A_02", "A_10", "b_c_01")


def label(turn, x=0.5, t=0.25, o=0.25, **changes):
    answer = {"breakdown": "X", "prob-O": o, "prob-T": t, "prob-X": x} | changes
    return {"turn-index": turn, "labels": [answer]}


def labels(dialogue, *turns):
    return {"dialogue-id": dialogue, "turns": list(turns)}


GOOD = {
    "A.labels.json": labels("A", label(10, 0, 0, 1), label(2)),
    "b_c.labels.json": labels("b_c", label(1, 0, 1, 0)),
}


def test_runs_are_read_from_zip_files_and_folders(tmp_path):
    extra = {
        "README.txt": b"not read",
        "__MACOSX/en/IRIS/._A.labels.json": b"not read",
        "en/IRIS/.labels.json": b"not read",
    }
    flat = archive(tmp_path / "flat.zip", GOOD)
    deep = archive(tmp_path / "deep.zip", {f"en/IRIS/{n}": c for n, c in GOOD.items()} | extra)
    (tmp_path / "en/TickTock").mkdir(parents=True)
    for name, content in GOOD.items():
        (tmp_path / "en/TickTock" / name).write_text(json.dumps(content))
    expected = [[0.5, 0.25, 0.25], [0, 0, 1], [0, 1, 0]]
    for path in (flat, deep, tmp_path / "en"):
        read = read_labels(path, TOPICS)
        assert read.dtype == np.float64
        assert read.tolist() == expected, "X, T, O, in the order asked for"
        assert read_labels(path, TOPICS[::-1]).tolist() == expected[::-1]


def test_runs_stand_beside_the_gold_data(tmp_path):
    data = archive(tmp_path / "d.zip", {FOLDER + "A.log.json": {"turns": [turn(2)]}})
    run = archive(tmp_path / "r.zip", {"A.labels.json": labels("A", label(2))})
    task = read(data, runs={"R": run})
    assert (task.runs, task.estimates.tolist()) == (("R",), [[[0.5, 0.25, 0.25]]])


BAD_RUNS = [
    ({"A.labels.json": labels("A", label(2))}, "nothing about utterance 'A_10'"),
    (
        {"A.labels.json": labels("A", label(2), label(10), label(4))},
        "turn 4: an answer, though the turn was not asked",
    ),
    (
        {"A.labels.json": labels("A", label(2), label(10), label(2))},
        "turn 2: it a second",
    ),
    (
        {"C.labels.json": labels("C", label(2))},
        "dialogue 'C', which was not asked for",
    ),
    ({"A.labels.json": labels("B")}, "'dialogue-id': 'B', and 'A' in the name"),
    (
        {"A.labels.json": labels("A", {"turn-index": 2, "labels": []})},
        "turn 2: 0 entries in 'labels'",
    ),
    (
        {"A.labels.json": labels("A", {"turn-index": 2, "labels": label(2)["labels"] * 2})},
        "turn 2: 2 entries in 'labels'",
    ),
    ({"A.labels.json": labels("A", label(2, breakdown="Y"))}, "turn 2: the label 'Y'"),
    (
        {"A.labels.json": labels("A", label(2, 0.5, 0.5, 0.001))},
        "turn 2: a sum of 1.001, not 1 within 1e-05; divide each",
    ),
    ({"A.labels.json": labels("A", label(2, 0.6, 0.5, -0.1))}, "turn 2, prob-O: -0.1"),
    ({"A.labels.json": b"{"}, "A.labels.json, line 1, column 2: this is not JSON"),
]


def test_bad_runs_are_refused(tmp_path):
    for changes, message in BAD_RUNS:
        with case(changes, message, within=tmp_path) as folder:
            path = archive(folder / "run.zip", GOOD | changes)
            with pytest.raises(ValueError, match=message) as caught:
                read_labels(path, TOPICS)
            assert str(caught.value).startswith(str(path))
            assert "\n" not in str(caught.value)


def test_damaged_runs_are_refused(tmp_path):
    path = archive(tmp_path / "run.zip", GOOD)
    whole = path.read_bytes()
    for content in (b"", b"PK", whole[: len(whole) // 2], whole.replace(whole[60:70], b"\0" * 10)):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"run\.zip.*(damaged|not JSON)"):
            read_labels(path, TOPICS)
    with pytest.raises(ValueError, match="damaged file .*No such file"):
        read_labels(tmp_path / "nothing.zip", TOPICS)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no files \*\.labels\.json; name the file or folder"):
        read_labels(tmp_path / "empty", TOPICS)


def test_topics_must_be_utterances(tmp_path):
    for topics, message in [
        (("A_02", "A_2"), "the same utterance is asked for twice"),
        (("A",), "topic 'A' is no utterance; write dialogue and turn as CIC0259_12"),
    ]:
        path = archive(tmp_path / "run.zip", GOOD)
        with case(topics), pytest.raises(ValueError, match=message):
            read_labels(path, topics)


def test_count_first_tenth_and_last_record(raw_files):
    task = ob.load("dbdc3")
    assert (len(task.topics), task.classes) == (2000, ("B", "PB", "NB"))
    assert (task.topics[0], task.topics[9], task.topics[-1]) == (
        "CIC0201_02",
        "CIC0201_20",
        "YIT0050_20",
    )
    votes = dict(zip(task.topics, (task.gold * 30).round(9).tolist(), strict=True))
    assert votes["CIC0259_12"] == [9, 6, 15], "15 O, 6 T and 9 X in the workshop version"
    assert [len({t for t in task.topics if t.startswith(p)}) for p in ("CIC", "YIT")] == [500, 500]


def test_the_dialogues_for_development(raw_files):
    dialogues = read_dialogues(raw_files / "dbdc3" / "DBDC3.zip", "dev")
    assert len({dialogue.id for dialogue in dialogues}) == len(dialogues) == 415
    first = dialogues[0]
    assert (first.id, first.system, dialogues[-1].id) == ("CIC0003", "CIC", "YI0100")
    assert first.turns[2] == Turn(2, "S", "Thank you.", (15, 10, 5))
    asked = [[turn for turn in dialogue.turns if turn.votes] for dialogue in dialogues]
    assert {len(turns) for turns in asked} == {10}
    assert {(turn.speaker, sum(turn.votes)) for turns in asked for turn in turns} == {("S", 30)}
    evaluation = {d.id for d in read_dialogues(raw_files / "dbdc3" / "DBDC3.zip", "eval")}
    assert len(evaluation) == 200
    assert not evaluation & {dialogue.id for dialogue in dialogues}


def test_without_the_archive(no_raw_files):
    task = ob.load("dbdc3")
    assert len(task.topics) == 2000
    with pytest.raises(FileNotFoundError, match="run 'ordbook fetch dbdc3' .*licence: MIT"):
        _ = task.gold


@pytest.fixture
def own(tmp_path):
    """A folder of one's own: two dialogues, a run in a folder and one in a zip file."""
    shutil.copytree(share("data", "examples", "formats", "dbdc"), tmp_path / "own")
    return tmp_path / "own"


def test_dialogues_and_labels_with_other_endings_are_not_left_out(own):
    """A run then lacks answers, or has too many."""
    for name, other in (
        ("dialogues/demo02.log.json", "dialogues/demo02.log.JSON"),
        ("dialogues/demo02.log.json", "dialogues/demo02.log.json.gz"),
        ("runs/folder/demo02.labels.json", "runs/folder/demo02.Labels.json"),
    ):
        with case(name, other):
            (own / name).rename(own / other)
            assert check(own).problems
            (own / other).rename(own / name)
    assert not check(own).problems


def spoil(own, file, annotations):
    """Leave only so many annotations of each turn that has some."""
    path = own / "dialogues" / file
    dialogue = json.loads(path.read_text())
    asked = [turn for turn in dialogue["turns"] if turn["annotations"]]
    for turn, number in zip(asked, annotations, strict=False):
        turn["annotations"] = turn["annotations"][:number]
    path.write_text(json.dumps(dialogue))


def test_dialogues_without_annotations_are_noted(own, tmp_path, capsys):
    spoil(own, "demo01.log.json", [0, 0, 0])
    shutil.rmtree(own / "runs")
    labels = share("data", "examples", "formats", "dbdc", "runs", "folder", "demo02.labels.json")
    for run in "AB":
        (own / "runs" / run).mkdir(parents=True)
        shutil.copy(labels, own / "runs" / run)
    note = "no annotations, and so no topics, in 1 of 2 dialogues: demo01."
    assert len(ob.load(own).topics) == 3
    assert said_by_both(own, tmp_path / "out", capsys).count(note) == 2


def test_topics_with_another_number_of_votes_are_noted(own, tmp_path, capsys):
    spoil(own, "demo01.log.json", [1])
    spoil(own, "demo02.log.json", [10, 9])
    note = "the numbers of votes differ: 10 for 4 of 6 topics, and others for demo01_01 (1), "
    note += "demo02_03 (9)."
    assert said_by_both(own, tmp_path / "out", capsys).count(note) == 2


def said_by_both(own, out, capsys):
    """Return what check and score say, which refuse nothing."""
    assert main(["check", str(own)]) == 0
    assert main(["score", str(own), "--out", str(out), "--trials", "100"]) == 0
    return "".join(capsys.readouterr())
