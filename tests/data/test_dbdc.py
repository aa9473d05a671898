"""The archive of DBDC3: the real one, and simulated ones that are not what they should be."""

import json
import struct
import zipfile

import pytest

import ordbook as ob
from ordbook.data import dbdc
from ordbook.data.dbdc import read_dbdc
from ordbook.data.tasks import Provenance

FOLDER = "DBDC3/dbdc3/en/eval/CIC_50/"


def turn(index, votes="O" * 15 + "T" * 6 + "X" * 9):
    return {"turn-index": index, "annotations": [{"breakdown": label} for label in votes]}


def archive(path, members, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return path


def read(path):
    return read_dbdc("dbdc3", path, ("B", "PB", "NB"), provenance=Provenance("yours"))


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


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"other/file": b""}, "0 dialogues in DBDC3/dbdc3/en/eval; this is another archive"),
        ({FOLDER + "A.log.json": b"{"}, r"A\.log\.json, line 1: not JSON"),
        ({FOLDER + "A.log.json": b"\xff"}, r"A\.log\.json: not UTF-8 text"),
        ({FOLDER + "A.log.json": b"[" * 90_000}, r"A\.log\.json: nested too deeply"),
        ({FOLDER + "A.log.json": {}}, r"A\.log\.json: there is no 'turns'"),
        ({FOLDER + "A.log.json": [1]}, r"A\.log\.json: expected a JSON object"),
        ({FOLDER + "A.log.json": {"turns": [1]}}, r"entry 1 of turns: expected a JSON object"),
        (
            {FOLDER + "A.log.json": b'{"turns": [], "turns": []}'},
            r"A\.log\.json: the key 'turns' is given twice",
        ),
        *(
            ({FOLDER + "A.log.json": {"turns": [turn(index)]}}, "entry 1 of turns.*'turn-index' is")
            for index in (1.7, True, -3, "x", float("nan"), 10**400)
        ),
        ({FOLDER + "A.log.json": {"turns": []}}, "no utterance is annotated"),
        (
            {FOLDER + "A.log.json": {"turns": [turn(3, "O" * 29 + "Y")]}},
            r"A\.log\.json, turn 3: unknown label 'Y'; expected O, T or X",
        ),
        (
            {FOLDER + "A.log.json": {"turns": [turn(3, "O" * 29)]}},
            r"A\.log\.json, turn 3: 29 annotations, expected 30",
        ),
        (
            {FOLDER + "A.log.json": {"turns": [turn(3), turn(3)]}},
            r"A\.log\.json: turn 3 occurs a second time",
        ),
        (
            {FOLDER + "A.log.json": b" " * 1_000_001},
            r"A\.log\.json: 1000001 bytes are too many; get it again",
        ),
    ],
)
def test_bad_archives_are_refused(tmp_path, members, message):
    with pytest.raises(ValueError, match=message) as caught:
        read(archive(tmp_path / "d.zip", members))
    assert "\n" not in str(caught.value)


def test_damaged_archives_are_refused(tmp_path):
    path = archive(tmp_path / "d.zip", {FOLDER + "A.log.json": {"turns": [turn(2)]}})
    whole = path.read_bytes()
    spoiled = whole.replace(whole[80:90], b"\0" * 10)
    for content in (b"", b"PK", whole[: len(whole) // 2], spoiled):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"d\.zip.*(damaged|not JSON)"):
            read(path)
    with pytest.raises(ValueError, match="cannot be read"):
        read(tmp_path / "nothing.zip")


def test_a_bomb_is_not_unpacked(tmp_path):
    """A header that lies about the size: no more than the limit is ever read."""
    path = archive(tmp_path / "d.zip", {FOLDER + "A.log.json": b" " * 50_000_000})
    content = path.read_bytes()
    lie = content.replace(struct.pack("<I", 50_000_000), struct.pack("<I", 1000))
    assert lie != content
    path.write_bytes(lie)
    with pytest.raises(ValueError, match=r"damaged|not JSON"):
        read(path)


def test_too_many_members(tmp_path, monkeypatch):
    monkeypatch.setattr(dbdc, "MOST", 1)
    two = {FOLDER + f"{name}.log.json": {"turns": [turn(2)]} for name in "AB"}
    with pytest.raises(ValueError, match="2 dialogues in .*; this is another archive"):
        read(archive(tmp_path / "d.zip", two))


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
    with pytest.raises(ValueError, match="there are no runs to score"):
        ob.score(task)
    assert ob.score(task.with_baselines(), ["NMD"])["NMD"].shape == (2000, 2)


def test_without_the_archive(no_raw_files):
    task = ob.load("dbdc3")
    assert (len(task.topics), task.runs) == (2000, ())
    with pytest.raises(FileNotFoundError, match="run 'ordbook fetch dbdc3' .*licence: MIT"):
        _ = task.gold
