"""The catalogue, and what happens to raw files that are not what they should be."""

import re
import shutil

import pytest

import ordbook as ob
from ordbook.cli import main
from ordbook.data.catalog import RawDataMissing, catalog, state
from ordbook.data.scores import committed_scores
from ordbook.measures.registry import MEASURES, by_default


def test_every_entry_is_complete():
    for name, dataset in catalog().items():
        assert dataset.name == name
        assert dataset.licence
        assert dataset.upstream
        assert dataset.reference
        assert dataset.title
        if dataset.format == "elsewhere":
            assert dataset.obtain
            assert not dataset.files
            assert dataset.upstream.startswith("https://")
            continue
        assert len(dataset.classes) == len(dataset.class_names) >= 2
        assert dataset.topics > 0
        sums = [*dataset.files.values(), *dataset.ours.values()]
        assert all(re.fullmatch(r"[0-9a-f]{64}", checksum) for checksum in sums)
        assert set(dataset.urls) <= {*dataset.files}
        # Every file has an address, or there is somebody to ask.
        without = [file for file in dataset.files if file not in dataset.urls]
        if without:
            assert dataset.obtain
        else:
            assert not dataset.obtain
        for url in dataset.urls.values():
            assert re.fullmatch(r"https://[\w.-]+/[\w./+%-]+", url)
            # Addresses on GitHub name a commit: a branch would move.
            assert "githubusercontent" not in url or re.search(r"/[0-9a-f]{40}/", url)
        # Whoever reads the title knows whose runs these are.
        assert bool(dataset.ours) == ("our own" in dataset.title)


def test_every_citation_is_in_the_references(root):
    keys = re.findall(r"@\w+\{(\w+),", (root / "book/references.bib").read_text(encoding="utf-8"))
    assert {dataset.citation for dataset in catalog().values()} <= set(keys)


@pytest.mark.slow
def test_the_catalogue_agrees_with_the_files(raw_files):
    for name, dataset in catalog().items():
        if dataset.format == "elsewhere":
            continue
        task = ob.load(name)
        assert task.provenance.source == "raw"
        assert (len(task.topics), len(task.runs)) == (dataset.topics, dataset.runs)
        assert task.classes == dataset.classes


ADDRESSES = {
    "acl21-pack": "https://waseda.box.com/acl2021packocoq",
    "sigir18-data": "https://waseda.box.com/sigir2018short",
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_data_that_the_author_published_elsewhere_are_named_with_their_address(name, capsys):
    """Whoever asks for them learns where they are, and what to do with the files."""
    line = (
        f"{name}: published by the author at {ADDRESSES[name]}, not reached from where this book "
        "was made, so its checksum is not known; put "
    )
    with pytest.raises(RawDataMissing, match=re.escape(line)) as found:
        ob.load(name)
    assert re.search(r"run 'ordbook (score|report) FOLDER --out ", str(found.value))
    assert "\n" not in str(found.value)
    for command in (["check", name], ["fetch", name], ["score", name, "--out=results"]):
        assert main(command) == 2
        assert capsys.readouterr().err == f"ordbook: {found.value}\n"


def test_a_changed_file_is_refused(raw_files, tmp_path, monkeypatch):
    folder = tmp_path / "semeval2016-task4"
    shutil.copytree(raw_files / "semeval2016-task4", folder)
    monkeypatch.setenv("ORDBOOK_MIRROR", str(tmp_path))
    assert ob.load("sem16t4e").provenance.source == "raw"
    run = folder / "E" / "QCRI-E.output"
    run.chmod(0o644)
    run.write_bytes(run.read_bytes().replace(b"0.01", b"0.02", 1))
    with pytest.raises(ValueError, match=r"QCRI-E\.output: its checksum is .*, not .*get it again"):
        ob.load("sem16t4e")
    assert state(catalog()["sem16t4e"]) == "damaged"
    folder.chmod(0o755)
    run.parent.chmod(0o755)
    run.unlink()
    task = ob.load("sem16t4e")
    assert state(catalog()["sem16t4e"]) == "incomplete"
    assert task.provenance.source == "committed", "what a mirror lacks is absent"
    with pytest.raises(RawDataMissing, match=r"12 of 13 files are in .*semeval2016-task4 already"):
        _ = task.gold


def test_a_name_that_is_neither_data_set_nor_path():
    message = "sem16t4x: neither a path .*`ordbook list` shows; did you mean sem16t4"
    with pytest.raises(ValueError, match=message):
        ob.load("sem16t4x")
    with pytest.raises(ValueError, match="a catalogued task has its own"):
        ob.load("sem16t4e", classes=["1", "2"])


def test_committed_scores_have_all_measures_that_are_scored_by_default():
    """Else a page that scores by all of them fails where there are no raw files."""
    for name, entry in catalog().items():
        scores = committed_scores(name)
        if scores and entry.kind in MEASURES:
            assert {*by_default(entry.kind)} <= {*scores.measures}, name
