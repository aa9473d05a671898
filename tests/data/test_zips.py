"""Zip files as programs write them: names in UTF-8 that do not say so, or that do not fit."""

import io
import re
import zipfile
from pathlib import Path

from cases import case
from ordbook.data.checking import check
from ordbook.data.loading import load

OQ = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
BASE = {"gold.csv": OQ, "runs/A.csv": OQ}
TURNS = '{"turns": [{"turn-index": 1, "speaker": "S", "utterance": "u", "annotations": %s}]}'
LOG = TURNS % '[{"breakdown": "O"}, {"breakdown": "X"}]'
LABELS = (
    '{"dialogue-id": "%s", "turns": [{"turn-index": 1, "labels": '
    '[{"breakdown": "O", "prob-O": 0.5, "prob-T": 0.2, "prob-X": 0.3}]}]}'
)


def packed(files: dict[str, str], *unsaid: bytes) -> bytes:
    """Return a zip file; ``unsaid`` are bytes that take the place of as many letters X, Y, ..."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    content = stream.getvalue()
    for letter, name in zip("XYZ", unsaid, strict=False):
        content = content.replace(letter.encode() * len(name), name)
    return content


def said(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    return [str(problem).removeprefix(str(path)) for problem in check(path).problems]


def test_names_in_utf8_that_do_not_say_so(tmp_path: Path) -> None:
    """As ``zip`` on Linux and the archiver of macOS write them."""
    path, name = tmp_path / "t.zip", "名前"
    files = BASE | {"runs/XXXXXX.csv": OQ, "runs.csv": f"run,group\n{name},X\n"}
    assert said(path, packed(files, name.encode())) == []
    task = load(path)
    assert task.runs == ("A", name)
    assert task.groups == {name: "X"}
    assert list(task.provenance.files)[-2:] == [f"runs/{name}.csv", "runs.csv"]


def test_names_that_say_so(tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    assert said(path, packed(BASE | {"runs/名前.csv": OQ, "runs/é.csv": OQ})) == []
    assert load(path).runs == ("A", "é", "名前")


def test_a_name_in_another_encoding(tmp_path: Path) -> None:
    name = "名前".encode("shift_jis")
    assert said(tmp_path / "t.zip", packed(BASE | {"runs/XXXX.csv": OQ}, name)) == [
        r"/runs/\x96\xbc\x91O.csv: found a name that is not in UTF-8, expected plain files inside "
        "the folder, each once; pack the folder again, with names in UTF-8"
    ]


def test_a_zip_file_of_labels(tmp_path: Path) -> None:
    """It is read without unpacking, and does the same."""
    path = tmp_path / "runs" / "A.zip"
    path.parent.mkdir()
    (tmp_path / "é.log.json").write_text(LOG)
    labels = LABELS % "é"
    path.write_bytes(packed({"XX.labels.json": labels}, "é".encode()))
    assert not check(tmp_path).problems
    assert load(tmp_path).estimates.tolist() == [[[0.3, 0.2, 0.5]]]
    # Another file, which is not read, may have any name.
    path.write_bytes(
        packed({"XX.labels.json": labels, "Y.txt": "notes"}, "é".encode(), "é".encode("latin-1"))
    )
    assert not check(tmp_path).problems
    path.write_bytes(packed({"Y.labels.json": labels}, b"", "é".encode("latin-1")))
    problems = [str(problem) for problem in check(tmp_path).problems]
    assert problems[0] == (
        rf"{path}/\xe9.labels.json: found a name that is not in UTF-8, expected UTF-8; pack the "
        "folder again, with names in UTF-8"
    )


UNFIT = [
    ("runs/" + "x" * 300 + ".csv", "found a name of 304 bytes, more than 255, expected"),
    ("runs/" + "名" * 90 + ".csv", "found a name of 274 bytes, more than 255, expected"),
    ("runs", "/runs: found a file and a folder of the same name, expected .*; rename one, and"),
    ("runs/A.csv/x.csv", "^/runs/A.csv: found a file and a folder of the same name"),
    ("./gold.csv", "found the same file twice, .*; pack the folder again$"),
    (
        "runs/a.csv",
        "/runs/a.csv: found the name of runs/A.csv but for capitals, expected .*; rename one, "
        "as some systems take them for the same, and pack the folder again$",
    ),
    (".", "/.: found a file and a folder of the same name"),
]


def test_names_that_do_not_fit(tmp_path: Path) -> None:
    for name, expected in UNFIT:
        with case(name, expected, within=tmp_path) as folder:
            found = said(folder / "t.zip", packed(BASE | {name: OQ}))
            assert len(found) == 1
            assert re.search(expected, found[0]), found[0]


def test_damaged_data_are_told_in_words(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("gold.csv", "topic,low,high\n" + "t,1,2\n" * 50)
    content = bytearray(packed.getvalue())
    start = 30 + len("gold.csv")
    content[start : start + 8] = b"\xff" * 8
    (tmp_path / "task.zip").write_bytes(content)
    (problem,) = check(tmp_path / "task.zip").problems
    assert "a damaged zip file (its data cannot be unpacked)" in str(problem)
