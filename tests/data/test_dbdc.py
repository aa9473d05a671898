"""The archive of DBDC3, and runs: real, and simulated that are not what they should be."""

import json
import shutil
import zipfile

import pytest

import ordbook as ob
from ordbook.data.dbdc import read_dbdc, read_labels
from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance
from ordbook.files import share

FOLDER = "DBDC3/dbdc3/en/eval/CIC_50/"
OTHER = "DBDC3/dbdc3/en/eval/YI_50/"
LOG = FOLDER + "A.log.json"


def turn(index, votes="O" * 15 + "T" * 6 + "X" * 9):
    annotations = [{"breakdown": label} for label in votes]
    said = f"Utterance {index}"
    return {"turn-index": index, "speaker": "S", "utterance": said, "annotations": annotations}


def archive(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return path


def read(path, **options):
    problems, provenance = Problems(), Provenance("yours")
    classes = ("B", "PB", "NB")
    task = read_dbdc("d", path, classes, provenance=provenance, problems=problems, **options)
    problems.raise_first()
    return task


def test_only_what_is_expected_is_read(tmp_path):
    others = [
        FOLDER + "../../../../../evil.log.json",
        "DBDC3/dbdc3_revised/en/eval/CIC_50/A.log.json",
        "DBDC3/dbdc3/en/dev/CIC_115/A.log.json",
    ]
    members = {
        FOLDER + "Z.log.json": {"turns": [turn(2), turn(0, "")]},
        LOG: {"turns": [turn(10, "O" * 30), turn(4, "X" * 30)]},
    }
    path = archive(tmp_path / "d.zip", members | dict.fromkeys(others, b"not JSON"))
    task = read(path)
    assert task.topics == ("A_04", "A_10", "Z_02"), "by file, then by turn"
    assert task.gold.tolist() == [[1, 0, 0], [0, 0, 1], [0.3, 0.2, 0.5]]
    assert list(tmp_path.iterdir()) == [path], "nothing is unpacked"
    with pytest.raises(ValueError, match=r"there are no runs to score; task\.with_baselines"):
        ob.score(task)
    assert ob.score(task.with_baselines())["NMD"].shape == (3, 2)


BAD_ARCHIVES = [
    ({"other/file": b""}, "no dialogues in DBDC3/dbdc3/en/eval; name the file"),
    ({LOG: {"turns": []}}, "no utterance with annotations"),
    ({LOG: {"turns": [turn(3, "O" * 29 + "Y")]}}, r"A\.log\.json, turn 3: the label 'Y'; write O"),
    ({LOG: {"turns": [turn(3), turn(3)]}}, r"A\.log\.json, turn 3: it a second time"),
    (
        {folder + "A.log.json": {"turns": [turn(3)]} for folder in (FOLDER, OTHER)},
        r"YI_50/A\.log\.json: the dialogue a second time",
    ),
]
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
# turns of dialogue A, or files -> what is said
BAD_RUNS = [
    ([label(2)], "no answer for utterance 'A_10'"),
    ([label(2), label(10), label(4)], "utterance 'A_04', which the gold data does not have"),
    ([label(2), label(10), label(2)], "turn 2: A_02 a second time"),
    ([{"turn-index": 2, "labels": []}], "turn 2: 0 entries in 'labels'"),
    ([label(2, 0.5, 0.5, 0.001)], "turn 2: a sum of 1.001, not 1 within 1e-05; divide each"),
    ({"A.labels.json": labels("B")}, "'dialogue-id': 'B', and 'A' in the name"),
]


def read_run(path):
    return read_labels(path, TOPICS)


BAD = [(read, {}, *bad) for bad in BAD_ARCHIVES] + [(read_run, GOOD, *bad) for bad in BAD_RUNS]


@pytest.mark.parametrize(("reader", "good", "changes", "message"), BAD)
def test_what_is_wrong_with_archives_and_runs_is_said_in_a_line(
    reader, good, changes, message, tmp_path
):
    members = {"A.labels.json": labels("A", *changes)} if changes == [*changes] else changes
    path = archive(tmp_path / "d.zip", good | members)
    with pytest.raises(ValueError, match=message) as caught:
        reader(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_runs_are_read_from_zip_files_and_folders(tmp_path):
    hidden = ["README.txt", "__MACOSX/en/IRIS/._A.labels.json", "en/IRIS/.labels.json"]
    deep = {f"en/IRIS/{name}": content for name, content in GOOD.items()}
    paths = [
        archive(tmp_path / "flat.zip", GOOD),
        archive(tmp_path / "deep.zip", deep | dict.fromkeys(hidden, b"not read")),
        tmp_path / "en",
    ]
    zipfile.ZipFile(paths[0]).extractall(tmp_path / "en" / "TickTock")
    expected = [[0.5, 0.25, 0.25], [0, 0, 1], [0, 1, 0]]
    for path in paths:
        assert read_labels(path, TOPICS).tolist() == expected, "X, T, O, in the order asked for"
        assert read_labels(path, TOPICS[::-1]).tolist() == expected[::-1]
    data = archive(tmp_path / "d.zip", {LOG: {"turns": [turn(2)]}})
    run = archive(tmp_path / "r.zip", {"A.labels.json": labels("A", label(2))})
    task = read(data, runs={"R": run})
    assert (task.runs, task.estimates.tolist()) == (("R",), [[[0.5, 0.25, 0.25]]])


def test_count_first_tenth_and_last_record(raw_files):
    task = ob.load("dbdc3")
    assert (len(task.topics), task.classes) == (2000, ("B", "PB", "NB"))
    at = (0, 9, -1)
    assert [task.topics[i] for i in at] == ["CIC0201_02", "CIC0201_20", "YIT0050_20"]
    votes = dict(zip(task.topics, (task.gold * 30).round(9).tolist(), strict=True))
    assert votes["CIC0259_12"] == [9, 6, 15], "15 O, 6 T and 9 X in the workshop version"
    assert [len({t for t in task.topics if t.startswith(p)}) for p in ("CIC", "YIT")] == [500, 500]


@pytest.fixture
def own(tmp_path):
    """A folder of one's own: two dialogues, a run in a folder and one in a zip file."""
    shutil.copytree(share("data", "examples", "formats", "dbdc"), tmp_path / "own")
    return tmp_path / "own"


def test_dialogues_and_topics_with_other_numbers_of_votes_are_noted(own):
    def keep(file, annotations):
        path = own / "dialogues" / file
        dialogue = json.loads(path.read_text())
        asked = [turn for turn in dialogue["turns"] if turn["annotations"]]
        for turn, number in zip(asked, annotations, strict=False):
            turn["annotations"] = turn["annotations"][:number]
        path.write_text(json.dumps(dialogue))

    keep("demo01.log.json", [1])
    keep("demo02.log.json", [10, 9])
    note = "the numbers of votes differ: 10 for 4 of 6 topics, and others for demo01_01 (1), "
    assert note + "demo02_03 (9)." in ob.load(own).provenance.notes
    keep("demo01.log.json", [0, 0, 0])
    shutil.rmtree(own / "runs")
    task = ob.load(own)
    assert "no annotations, and so no topics, in 1 of 2 dialogues: demo01." in task.provenance.notes
    assert len(task.topics) == 3
