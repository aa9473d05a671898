"""A file that is replaced while a task is read from it is refused, not half believed."""

import gzip
import os
import re
import zipfile
from pathlib import Path

import pytest

import ordbook as ob
from ordbook.data import catalog, csvfile, jsonfile, limits
from ordbook.data.catalog import sha256
from ordbook.data.unchanged import watching

GOLD = "topic,low,high\n1,3,1\n2,0,4\n3,2,2\n"
SAID = "found another file than a moment before, expected one that stays as it is while the task"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    (folder / "runs").mkdir(parents=True)
    for name in ("gold.csv", "runs/A.csv", "runs/B.csv"):
        (folder / name).write_text(GOLD)
    (folder / "runs.csv").write_text("run,group\nA,one\nB,two\n")
    return folder


@pytest.mark.parametrize("name", ["gold.csv", "runs/A.csv", "runs.csv"])
@pytest.mark.parametrize("how", ["replaced", "written"])
def test_a_file_that_changes_after_it_was_read_is_refused(task, name, how, monkeypatch):
    place = task / name
    real = limits.content_of

    def and_then(path):
        found = real(path)
        if path == place:
            other = place.with_name(".other")
            other.write_text(place.read_text() + " ")
            if how == "replaced":
                other.replace(place)
            else:
                place.write_text(other.read_text())
                other.unlink()
        return found

    monkeypatch.setattr(csvfile, "content_of", and_then)
    with pytest.raises(ValueError, match=f"{re.escape(str(place))}: {SAID}"):
        ob.load(task)


def test_a_file_that_is_written_while_it_is_read_is_refused(task, monkeypatch):
    real = gzip.open

    def slow(file):
        os.utime(task / "gold.csv", ns=(1, 1))
        return real(file)

    (task / "gold.csv").write_bytes(gzip.compress(GOLD.encode()))
    monkeypatch.setattr(limits.gzip, "open", slow)
    with watching(), pytest.raises(ValueError, match=SAID):
        limits.content_of(task / "gold.csv")


def test_between_two_tasks_files_may_change(task):
    before = ob.load(task).provenance.files
    (task / "gold.csv").write_text(GOLD.replace("3,1", "1,3"))
    after = ob.load(task).provenance.files
    assert {name for name in before if before[name] != after[name]} == {"gold.csv"}
    assert sha256(task / "gold.csv") == after["gold.csv"]


def test_the_list_of_groups_is_among_the_files(task):
    assert list(ob.load(task).provenance.files) == [
        "gold.csv",
        "runs/A.csv",
        "runs/B.csv",
        "runs.csv",
    ]


def test_all_that_reads_whole_files_looks_at_them():
    assert catalog.look is limits.look
    assert csvfile.content_of is jsonfile.content_of is limits.content_of


def test_tasks_in_zip_files_are_read_as_before(task, tmp_path):
    with zipfile.ZipFile(tmp_path / "task.zip", "w") as archive:
        for path in task.rglob("*.csv"):
            archive.write(path, path.relative_to(task))
    assert ob.load(tmp_path / "task.zip").runs == ("A", "B")
