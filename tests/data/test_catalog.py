"""The catalogue, and what happens to raw files that are not what they should be."""

import shutil

import pytest

import ordbook as ob
from ordbook.data.catalog import catalog


def test_every_entry_is_complete():
    for name, dataset in catalog().items():
        assert dataset.name == name
        assert len(dataset.classes) == len(dataset.class_names) >= 2
        assert dataset.topics > 0
        assert dataset.licence
        assert dataset.upstream
        assert all(len(checksum) == 64 for checksum in dataset.files.values())


def test_the_catalogue_agrees_with_the_files(raw_files):
    for name, dataset in catalog().items():
        task = ob.load(name)
        assert task.provenance.source == "raw"
        assert (len(task.topics), len(task.runs)) == (dataset.topics, dataset.runs)
        assert task.classes == dataset.classes


def test_a_changed_file_is_refused(raw_files, tmp_path, monkeypatch):
    folder = tmp_path / "semeval2016-task4"
    shutil.copytree(raw_files / "semeval2016-task4", folder)
    monkeypatch.setenv("ORDBOOK_MIRROR", str(tmp_path))
    assert ob.load("sem16t4e").provenance.source == "raw"
    run = folder / "E" / "QCRI-E.output"
    run.chmod(0o644)
    run.write_bytes(run.read_bytes().replace(b"0.01", b"0.02", 1))
    with pytest.raises(ValueError, match=r"QCRI-E\.output: sha256 is .*, expected .*get it again"):
        ob.load("sem16t4e")
    folder.chmod(0o755)
    run.parent.chmod(0o755)
    run.unlink()
    with pytest.raises(ValueError, match=r"QCRI-E\.output: missing, though other files"):
        ob.load("sem16t4e")


def test_a_name_that_is_neither_data_set_nor_path():
    with pytest.raises(
        ValueError, match="'sem16t4x'|sem16t4x: neither a path .* sem16t4c, sem16t4e"
    ):
        ob.load("sem16t4x")
    with pytest.raises(ValueError, match="a catalogued task has its own"):
        ob.load("sem16t4e", classes=["1", "2"])
