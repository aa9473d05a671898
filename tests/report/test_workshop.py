"""Folders of killed processes go with the next one, and what they took away comes back."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ordbook.cli import main
from ordbook.data.locks import LOCK
from ordbook.report.outfolder import whole_folder
from ordbook.report.workshop import workshop

pytestmark = pytest.mark.slow

KILLED = """
import os, signal, sys
from pathlib import Path
from ordbook.report.outfolder import whole_folder
from ordbook.report.workshop import workshop

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
