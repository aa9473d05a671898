"""Results appear whole in a place that is new: one rule for all commands."""

import os
import subprocess
import sys

import pytest

from helpers.random_tasks import save_shares
from ordbook.cli import main
from ordbook.files import require_new, whole_folder


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def task(tmp_path):
    """Three runs on twelve topics, in a folder of its own."""
    (tmp_path / "data").mkdir()
    return save_shares(tmp_path / "data" / "my task", dict.fromkeys("abc", 1), 12)


@pytest.fixture
def place(tmp_path):
    """An empty folder for what the commands write."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


# The last word is where each writes.
COMMANDS = {
    "score": ["score", "TASK", "--measures=NMD,RNOD", "--trials=100", "--out", "OUT"],
    "convert": ["convert", "TASK", "OUT"],
    "exercise": ["exercise", "--seed=7", "--questions=nmd", "--out", "OUT"],
    "course": ["course", "--out", "OUT"],
    "rerun": ["rerun", "acl21", "--data=TASK", "--out", "OUT"],
    "audit": ["audit", "--csv", "OUT"],
}
QUICK = ("score", "convert", "exercise", "course")


def line_of(command, task, out):
    words = (word.replace("TASK", str(task)) for word in COMMANDS[command])
    return [word.replace("OUT", str(out)) for word in words]


@pytest.fixture
def never(monkeypatch):
    """Nothing may begin."""

    def began(*_, **__):
        pytest.fail("this must not have begun")

    monkeypatch.setattr("ordbook.papers.every.full_ledger", began)
    monkeypatch.setattr("ordbook.reports.rerun.side_by_side", began)
    monkeypatch.setattr("ordbook.score", began)
    monkeypatch.setattr("ordbook.course.handouts.deck", began)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_there_is_kept(command, task, place, never, capsys):
    out = place / command
    out.mkdir()
    (out / "notes.md").write_text("mine")
    before = files(place)
    assert main(line_of(command, task, out)) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.endswith("; name another, or add --overwrite (in Python overwrite=True)")
    assert files(place) == before


def test_what_is_there_is_replaced_if_asked(task, place, monkeypatch, capsys, subtests):
    monkeypatch.setattr("ordbook.course.handouts.deck", str)
    for command in QUICK:
        with subtests.test(command=command):
            out = place / "out"
            assert main(line_of(command, task, out)) == 0
            first = files(place)
            (out / "notes.md").write_text("mine")
            assert main([*line_of(command, task, out), "--overwrite"]) == 0
            assert files(place) == first, "the same request gives the same bytes"
            for path in list(place.iterdir()):
                path.rename(task.parent / f"{command} {path.name}")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused_first(task, place, never, capsys):
    place.chmod(0o500)
    assert main(line_of("score", task, place / "out")) == 2
    assert f"no folder can be made in {place}; name another" in capsys.readouterr().err


def test_places_that_cannot_be(task, place, monkeypatch, subtests):
    (place / "file").write_text("x")
    (place / "empty").mkdir()
    monkeypatch.chdir(place / "empty")
    for out, message in [
        (place / "file", "this is a file; name a folder"),
        (place / "file" / "out", "no folder can be made"),
        (place, "in use as a whole; name a new folder in it"),
        ("", "in use as a whole"),
        (task, "lies within the data"),
        (task / "out", "lies within the data"),
        (task.parent, "or the data in it"),
    ]:
        with subtests.test(out=out), pytest.raises(ValueError, match=message):
            require_new(out, True, [task])
    assert require_new("new", inputs=[task]) == place / "empty" / "new"


def fail_with(error, out):
    with whole_folder(out, overwrite=True) as folder:
        (folder / "page").write_text("half")
        raise error


@pytest.mark.parametrize("error", [OSError("full"), KeyboardInterrupt()])
def test_a_failure_leaves_what_was_there(place, error):
    out = place / "out"
    for before in ({}, {"out/page": b"whole"}):
        if before:
            out.mkdir()
            (out / "page").write_text("whole")
        with pytest.raises(type(error)):
            fail_with(error, out)
        assert files(place) == before
        assert {path.name for path in place.iterdir()} == ({"out"} if before else set())
    with pytest.raises(type(error)):
        fail_with(error, place / "new" / "deep" / "out")
    assert not (place / "new").exists()


TERMINATED = """
import os, signal, sys
import ordbook.data.loading
from ordbook.cli import main
ordbook.data.loading.load = lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM)
sys.exit(main(["convert", sys.argv[1], sys.argv[2]]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_terminated_process_leaves_nothing(task, place):
    command = [sys.executable, "-c", TERMINATED, str(task), str(place / "out")]
    assert subprocess.run(command, check=False).returncode == 130
    assert not list(place.iterdir())


def test_an_unexpected_exception_is_called_a_fault_of_ours(task, place, monkeypatch, capsys):
    monkeypatch.setattr("ordbook.data.loading.load", lambda *_, **__: {}["topic"])
    assert main(["convert", str(task), str(place / "out")]) == 1
    assert "a fault of ordbook itself, please report it: KeyError" in capsys.readouterr().err
    assert not list(place.iterdir())
