"""Folders of killed processes go with the next one, and what they took away comes back."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ordbook.book.outfolder import whole_folder
from ordbook.book.workshop import workshop
from ordbook.cli import main
from ordbook.data.locks import LOCK

KILLED = """
import os, signal, sys
from pathlib import Path
from ordbook.book.outfolder import whole_folder
from ordbook.book.workshop import workshop

out = Path(sys.argv[1])
with workshop() as folder, whole_folder(out) as filled:
    (folder / "executed.ipynb").write_text("half")
    (filled / "page.html").write_text("half")
    if sys.argv[2] == "while it is replaced":
        rename = Path.rename
        def die(self, target):
            rename(self, target)
            os.kill(os.getpid(), signal.SIGKILL)
        Path.rename = die
    else:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
@pytest.mark.parametrize("moment", ["while it runs", "while it is replaced"])
def test_a_killed_process_leaves_nothing_for_long(tmp_path, monkeypatch, moment):
    system, out = tmp_path / "system", tmp_path / "results" / "edition"
    system.mkdir()
    out.mkdir(parents=True)
    (out / "page.html").write_text("whole")
    environment = {**os.environ, "TMPDIR": str(system)}
    command = [sys.executable, "-c", KILLED, str(out), moment]
    assert subprocess.run(command, env=environment, check=False).returncode == -9
    assert len(list(system.glob("ordbook-*"))) == 1
    assert len(list(out.parent.glob(".ordbook-*"))) == 1
    # What only looks like ours is not touched.
    kept = [system / "ordbook-1", system / "ordbook-mine"]
    for folder in kept:
        folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(system))
    with workshop() as folder:
        assert {path.name for path in system.iterdir()} == {folder.name, *(k.name for k in kept)}
        assert Path(tempfile.gettempdir()).parent == folder
    with whole_folder(out.parent / "another") as filled:
        assert (out / "page.html").read_text() == "whole"
        (filled / "page.html").write_text("whole")
    assert {path.name for path in out.parent.iterdir()} == {"edition", "another"}
    assert sorted(system.iterdir()) == sorted(kept)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_command_that_is_refused_brings_back_what_was_there(tmp_path, capsys):
    system, out = tmp_path / "system", tmp_path / "edition"
    system.mkdir()
    out.mkdir()
    (out / "page.html").write_text("whole")
    environment = {**os.environ, "TMPDIR": str(system)}
    command = [sys.executable, "-c", KILLED, str(out), "while it is replaced"]
    assert subprocess.run(command, env=environment, check=False).returncode == -9
    assert not out.exists()
    line = ["score", str(tmp_path / "no data"), "--out", str(out), "--alpha=7"]
    assert main(line) == 2
    assert (out / "page.html").read_text() == "whole"
    assert {path.name for path in tmp_path.iterdir()} == {"system", "edition"}
    said = f"{out}: what a killed command was about to replace is here again"
    assert capsys.readouterr().err.splitlines()[0] == said
    assert main(line) == 2
    assert "here again" not in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_what_was_put_there_meanwhile_stays_too(tmp_path, capsys):
    system, out = tmp_path / "system", tmp_path / "edition"
    environment = {**os.environ, "TMPDIR": str(system)}
    command = [sys.executable, "-c", KILLED, str(out), "while it is replaced"]
    for made in (system, out, tmp_path / "edition-before"):
        made.mkdir()
    (out / "page.html").write_text("whole")
    assert subprocess.run(command, env=environment, check=False).returncode == -9
    out.mkdir()
    (out / "todo.txt").write_text("mine")
    with whole_folder(tmp_path / "another"):
        pass
    assert (out / "todo.txt").read_text() == "mine"
    assert (tmp_path / "edition-before2" / "page.html").read_text() == "whole"


def test_what_was_replaced_does_not_come_back(tmp_path):
    """Killed as it removed the old, when the new was in its place, which then was removed too."""
    left = tmp_path / ".ordbook-1"
    (left / "before" / "edition").mkdir(parents=True)
    (left / LOCK).touch()
    with whole_folder(tmp_path / "another"):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"another"}


def test_what_somebody_puts_there_as_it_is_replaced_stays(tmp_path):
    out = tmp_path / "edition"
    out.mkdir()
    (out / "page.html").write_text("whole")

    def put(folder):
        out.mkdir()
        (out / "todo.txt").write_text("mine")

    told = pytest.raises(ValueError, match="put this there meanwhile")
    with told as raised, whole_folder(out, put):
        pass
    assert f"what it was to replace is in {tmp_path / 'edition-before'};" in str(raised.value)
    assert (tmp_path / "edition-before" / "page.html").read_text() == "whole"
    assert (out / "todo.txt").read_text() == "mine"


def test_the_folders_of_a_look_at_what_can_be_written_go(tmp_path):
    """One may be killed with an empty one."""
    for name in (".ordbook-a1b2c3d4", ".ordbook-mine"):
        (tmp_path / name).mkdir()
    (tmp_path / ".ordbook-mine" / "notes").write_text("mine")
    with whole_folder(tmp_path / "out"):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"out", ".ordbook-mine"}


def test_folders_that_nobody_holds_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with workshop() as living:
        abandoned = tmp_path / "ordbook-abandoned"
        (abandoned / "tmp").mkdir(parents=True)
        (abandoned / LOCK).write_text(f"process {os.getpid()}")
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        with workshop() as folder:
            assert set(tmp_path.iterdir()) == {living, folder}
    assert list(tmp_path.iterdir()) == []
