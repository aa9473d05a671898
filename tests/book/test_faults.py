"""Faults of the machine: nothing half-written is taken for a result, and a line says what to do."""

import errno
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import psutil
import pytest

from ordbook.book import executing, outfolder, rerun, workshop
from ordbook.book.executing import RerunError, execute
from ordbook.book.outfolder import whole_folder
from ordbook.book.pages import execution
from ordbook.book.sweep import SweepError, sweep
from ordbook.book.sweep import jobs as sweep_jobs
from ordbook.cli import main
from ordbook.commands import Terminated, ending
from ordbook.data.locks import LOCK, clear, locked
from ordbook.data.paths import write_all, write_whole
from ordbook.meta.compiling import compiled

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
QUICK = ["-p", "trials=100", "-p", "splits=10"]
DIES = "import os, signal; os.kill(os.getpid(), getattr(signal, 'SIGKILL', signal.SIGTERM))"


@pytest.fixture
def task(tmp_path):
    """Three runs on twelve topics, made at random, in a folder of its own."""
    rng = np.random.default_rng(4)
    folder = tmp_path / "data" / "my task"
    (folder / "runs").mkdir(parents=True)
    for name in ("gold", "runs/a", "runs/b", "runs/c"):
        rows = rng.dirichlet([1, 1, 1], 12)
        frame = pd.DataFrame(rows, [f"t{k}" for k in range(12)], ["low", "mid", "high"])
        frame.rename_axis("topic").to_csv(folder / f"{name}.csv")
    return folder


@pytest.fixture
def place(tmp_path):
    """An empty folder for what the commands write."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


@pytest.fixture
def quick(monkeypatch):
    """Commands that would take minutes are left with what they write."""
    cells = pd.DataFrame(
        [["lq21"] * 6] * 40, columns=["paper", "table", "row", "column", "printed", "status"]
    )
    checks = pd.DataFrame(
        [["sums"] * 6] * 40, columns=["family", "papers", "cells", "holds", "finding", "relies"]
    )
    ledger = SimpleNamespace(cells=cells, checks=checks)
    monkeypatch.setattr("ordbook.papers.checks.full_ledger", lambda progress: ledger)
    monkeypatch.setattr("ordbook.papers.report.scoreboard", lambda *_: "shown")
    monkeypatch.setattr("ordbook.book.course.student.read_chapters", lambda names, **_: [])
    monkeypatch.setattr("ordbook.book.course.slides.read_chapters", lambda names, **_: [])


# Each writes something of its own, in seconds.
WRITE = {
    "exercise": (["exercise", "--seed=7", "--variants=30", "--questions=nmd,rnod"], "out"),
    "score": (["score", "TASK", "--measures=NMD,RNOD", "--trials=100"], "out"),
    "audit": (["audit"], "cells.csv"),
    "student": (["student", "official"], "out.zip"),
    "slides": (["slides", "official"], "out"),
    "sweep": (["sweep", "--data=TASK", *QUICK], "out"),
}
each = pytest.mark.parametrize("command", WRITE)


def arguments(command, task, place):
    words, name = WRITE[command]
    to = f"--csv={place}" if command == "audit" else f"--out={place / name}"
    return [word.replace("TASK", str(task)) for word in words] + [to]


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def kernels_in(folder):
    """Processes that were told of a folder: kernels, which get their connection file there."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in argument for argument in process.info["cmdline"] or []):
            found.append(process.pid)
    return [number for number in found if number != os.getpid()]


def until(condition, seconds=180):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


# A full disk


@contextmanager
def limited():
    """No file of this process, or of those it starts, may be larger than 100 bytes: for real."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def full():
    """Every write says, as the system does, that there is no room, and not for which file."""

    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patched:
        for name in ("write_bytes", "write_text"):
            patched.setattr(Path, name, refuse)
        patched.setattr(shutil, "copyfile", refuse)
        yield


@each
@pytest.mark.parametrize("disk", [limited, full])
def test_a_full_disk_leaves_what_was_there(command, disk, task, place, quick, capsys):
    line = arguments(command, task, place)
    assert main(line) == 0
    if command == "sweep":  # what is done is not done again: another seed is more to do
        line += ["-p", "seed=1"]
    before = files(place)
    capsys.readouterr()
    with disk():
        assert main(line) == 1
    said = capsys.readouterr().err.splitlines()
    where = place / WRITE[command][1]
    assert f"{where}: " in said[-1]
    assert "make room there" in said[-1]
    assert "Traceback" not in "".join(said)
    after = files(place)
    if command == "sweep":  # its plan is that of the second, and no tables of the first are shown
        before = {name: text for name, text in before.items() if name.startswith("out/jobs")}
        after = {name: text for name, text in after.items() if name != "out/sweep.json"}
        after = {name: text for name, text in after.items() if not name.startswith("out/tables")}
    assert after == before
    assert [path.name for path in place.iterdir() if path.name.startswith(".")] == []
    assert main(line) == 0, "with room, the same command does it"


@posix
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_into_a_full_disk(stream, tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "ordbook", "exercise", "--seed=7", f"--out={out}"]
    other = {"stdout": "stderr", "stderr": "stdout"}[stream]
    with Path("/dev/full").open("w") as nowhere:
        done = subprocess.run(
            command, **{stream: nowhere, other: subprocess.PIPE}, text=True, check=False
        )
    assert (out / "key.md").is_file(), "what was asked for is there"
    if stream == "stdout":
        assert done.returncode == 1
        said = "ordbook: stdout (all else was done): no space left on device; make room"
        assert done.stderr.startswith(said)
        assert len(done.stderr.splitlines()) == 1
    else:
        assert done.returncode == 0


def test_files_that_belong_together_come_together(tmp_path):
    first, second = tmp_path / "scores.csv", tmp_path / "scores.json"
    write_all({first: "old", second: "old"})
    write = Path.write_bytes

    def one_only(path, content):
        if "json" in path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "write_bytes", one_only)
        with pytest.raises(OSError, match=r"scores\.json'$"):
            write_all({first: "new", second: "new"})
    assert files(tmp_path) == {"scores.csv": b"old", "scores.json": b"old"}


@posix
def test_a_temporary_file_of_a_killed_process_goes_with_the_next(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / f".out.zip.{ended.pid}.tmp").write_text("half")
    (tmp_path / f".out.zip.{os.getppid()}.tmp").write_text("of one who lives")
    (tmp_path / f".other.zip.{ended.pid}.tmp").write_text("of another file")
    write_whole(tmp_path / "out.zip", "whole")
    assert {path.name for path in tmp_path.iterdir()} == {
        "out.zip", f".out.zip.{os.getppid()}.tmp", f".other.zip.{ended.pid}.tmp"
    }  # fmt: skip


# Folders that may not be written, or are not ours


@contextmanager
def read_only(folder):
    """Nothing can be made in a folder, as on a disk that is mounted read-only."""
    make = os.mkdir

    def refuse(path, *more, **options):
        if Path(path).is_relative_to(folder):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return make(path, *more, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "mkdir", refuse)
        yield


@pytest.mark.parametrize("command", [*WRITE, "rerun"])
def test_a_read_only_folder_is_refused_before_anything_runs(
    command, task, place, quick, monkeypatch, capsys
):
    for name in ("full_ledger",):
        monkeypatch.setattr(f"ordbook.papers.checks.{name}", _never)
    for name in ("student", "slides"):
        monkeypatch.setattr(f"ordbook.book.course.{name}.read_chapters", _never)
    monkeypatch.setattr("ordbook.book.rerun.execute", _never)
    line = ["rerun", "acl21", f"--data={task}", f"--out={place / 'out'}"]
    with read_only(place):
        assert main(line if command == "rerun" else arguments(command, task, place)) == 2
    said = capsys.readouterr().err
    assert f"in {place} no " in said
    assert "can be made (read-only file system); name another" in said
    assert len(said.splitlines()) == 1
    assert list(place.iterdir()) == []


def _never(*_, **__):
    pytest.fail("this must not have begun")


def test_a_disk_that_is_mounted_is_no_folder_to_be_replaced(task, place, monkeypatch, capsys):
    """Docker mounts folders; only what is in them can be replaced."""
    (place / "out").mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "out")
    assert main(arguments("score", task, place)) == 2
    assert "a disk is mounted here" in capsys.readouterr().err
    assert main(arguments("sweep", task, place)) == 0, "which writes into the folder itself"
    assert (place / "out" / "tables").is_dir()


@pytest.mark.parametrize(
    ("command", "theirs"),
    [
        ("exercise", "out/notes.md"),
        ("score", "out/summary.json"),
        ("slides", "out/slides.json"),
        ("audit", "checks.csv"),
        ("student", "out.zip"),
        ("sweep", "out/notes.md"),
        ("sweep", "out/sweep.json"),
        ("rerun", "out/notes.md"),
        ("rerun", "out/edition.yml"),
    ],
)
def test_what_is_not_ours_is_kept(command, theirs, task, place, quick, capsys):
    (place / theirs).parent.mkdir(exist_ok=True)
    (place / theirs).write_text('{"name": "mine"}')
    line = ["rerun", "acl21", f"--data={task}", f"--out={place / 'out'}"]
    assert main(line if command == "rerun" else arguments(command, task, place)) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "another" in said
    assert files(place) == {theirs: b'{"name": "mine"}'}


@pytest.mark.parametrize("command", ["rerun", "exercise"])
def test_what_somebody_puts_there_meanwhile_is_kept(command, task, place, monkeypatch, capsys):
    """A rerun takes minutes, and the folder was free when it began."""

    def put(*_, **__):
        (place / "out").mkdir()
        (place / "out" / "notes.md").write_text("mine")
        return "text"

    monkeypatch.setattr("ordbook.book.rerun.execute", lambda *_, **__: None)
    monkeypatch.setattr("ordbook.book.rerun._build", put)
    monkeypatch.setattr("ordbook.book.course.sheets._markdown", lambda sheet, key: "text")
    monkeypatch.setattr("ordbook.book.course.sheets.asdict", put)
    line = {
        "rerun": ["rerun", "acl21", f"--data={task}", f"--out={place / 'out'}"],
        "exercise": ["exercise", "--seed=7", "--questions=nmd", f"--out={place / 'out'}"],
    }[command]
    assert main(line) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"{place / 'out'}: the folder holds what is not " in said
    assert "of ours" in said
    assert "name another" in said
    assert files(place) == {"out/notes.md": b"mine"}


# A kernel that dies


def dying(source, cell=0):
    """Return a notebook whose code cell of that number ends its kernel."""
    for k, found in enumerate(c for c in source.cells if c.cell_type == "code"):
        if k == cell:
            found.source = DIES
    return source


def test_a_kernel_that_dies_is_named_with_what_to_do(tmp_path):
    cells = [nbformat.v4.new_code_cell("1"), nbformat.v4.new_code_cell(DIES)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "in.ipynb")
    with pytest.raises(RerunError, match=r"x: the kernel died in cell \[2\].*memory.*--jobs 1"):
        execute("x", {}, tmp_path / "out.ipynb", notebook=tmp_path / "in.ipynb")
    assert [path.name for path in tmp_path.iterdir()] == ["in.ipynb"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rerun", "sweep"])
def test_a_kernel_that_dies_in_a_command(command, task, place, monkeypatch, capsys):
    notebook = nbformat.read(Path(__file__).parents[2] / "book" / "official.ipynb", as_version=4)
    broken = place / "official.ipynb"
    nbformat.write(dying(notebook, 1), broken)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    for module in ("rerun", "executing"):
        monkeypatch.setattr(f"ordbook.book.{module}.notebook_of", lambda name: broken)
    out = place / "out"
    line = {
        "rerun": ["rerun", "official", f"--data={task}"],
        "sweep": ["sweep", "--chapters=official", f"--data={task}", *QUICK],
    }[command]
    assert main([*line, f"--out={out}"]) == 1
    said = capsys.readouterr().err
    assert "the kernel died in cell [" in said
    assert "Traceback" not in said
    assert not kernels_in(place)
    left = {path.name for path in place.iterdir()} - {"official.ipynb"}
    assert left == ({"out"} if command == "sweep" else set())
    if command == "sweep":
        assert not list(out.glob("jobs/official-*")), "the others are kept"
        assert len(list(out.glob("jobs/numbers-*/done.json"))) == 1


def test_a_kernel_that_dies_while_the_book_is_built_is_run_again(tmp_path):
    """Side by side chapters need more memory; alone it may get through, and else it is named."""
    flag = f"Path({str(tmp_path / 'died')!r})"
    once = f"from pathlib import Path\nif not {flag}.exists():\n    {flag}.touch()\n    {DIES}"
    for name, source in {"always": DIES, "once": once, "never": "1"}.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        nbformat.write(notebook, tmp_path / f"{name}.ipynb")
    config = SimpleNamespace(
        nb_execution_excludepatterns=[],
        nb_execution_mode="cache",
        nb_execution_cache_path=str(tmp_path / "cache"),
        nb_execution_timeout=60,
    )
    env = SimpleNamespace(doc2path=lambda name: tmp_path / f"{name}.ipynb")
    named = re.escape(f"{tmp_path / 'always.ipynb'}: the kernel died, and again when it ran alone")
    with pytest.raises(execution.ExtensionError, match=f"^{named}"):
        execution.execute_ahead(SimpleNamespace(config=config), env, ["always", "once", "never"])
    cached = execution.get_cache(config.nb_execution_cache_path).list_cache_records()
    assert sorted(Path(record.uri).stem for record in cached) == ["never", "once"]


def test_a_cache_that_cannot_be_emptied_is_not_used(tmp_path, monkeypatch):
    (tmp_path / ".executed").mkdir()
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    app, config = (
        SimpleNamespace(doctreedir=tmp_path / "t"),
        SimpleNamespace(nb_execution_mode="force"),
    )
    with pytest.raises(
        execution.ConfigError, match="cannot be removed; remove it, then build again"
    ):
        execution.use_empty_cache(app, config)
    assert config.nb_execution_mode == "force"


# Signals

WAITS = """
import sys, time
from pathlib import Path
import nbformat
import ordbook.book.rerun, ordbook.book.course.coursework
from ordbook.cli import main

place = Path(sys.argv[1])
cells = [nbformat.v4.new_code_cell("import time; time.sleep(600)")]
kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
nbformat.write(notebook, place / "official.ipynb")
for module in (ordbook.book.rerun, ordbook.book.course.coursework):
    module.notebook_of = lambda name: place / "official.ipynb"
raise SystemExit(main(sys.argv[2:]))
"""


@posix
@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("rerun", signal.SIGTERM),
        ("student", signal.SIGTERM),
        ("rerun", getattr(signal, "SIGKILL", signal.SIGTERM)),
    ],
)
def test_a_signal_leaves_no_kernel_and_no_result(command, number, place):
    line = [command, "official", f"--out={place / 'out.zip'}"]
    line += ["--data=fair-oq"] if command == "rerun" else []
    system = place / "system"
    system.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS, str(place), *line],
        env={**os.environ, "TMPDIR": str(system)},
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: kernels_in(system) or process.poll() is not None)
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    if number == signal.SIGTERM:
        assert process.returncode == 143
        assert said.splitlines()[-1].startswith("ordbook: terminated")
        assert "Traceback" not in said
        assert not kernels_in(system)
        assert {path.name for path in place.iterdir()} == {"system", "official.ipynb"}
        assert list(system.iterdir()) == []
    else:
        until(lambda: not kernels_in(system), 20)  # a kernel looks for its parent every second
        assert not (place / "out.zip").exists()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(tempfile, "tempdir", str(system))
            with workshop.workshop() as folder, whole_folder(place / "another"):
                assert list(system.iterdir()) == [folder]
        assert {path.name for path in place.iterdir()} == {"system", "official.ipynb", "another"}


@posix
def test_a_signal_that_another_thread_takes_is_heard_at_once(place, monkeypatch):
    """Python runs what a signal calls in the main thread alone, which may be waiting."""
    heard = []

    def execute(name, parameters, output, *, notebook, running, watch):
        time.sleep(0.3)  # the main thread waits by now
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        end = time.monotonic() + 20
        while not running.stopped and time.monotonic() < end:
            time.sleep(0.01)
        heard.append(running.stopped)

    monkeypatch.setattr(executing, "execute", execute)
    with ending(), pytest.raises(Terminated):
        executing.side_by_side({"acl21": (place, {})}, place, 1, print)
    assert heard == [True]


@posix
def test_what_builds_the_pages_ends_with_its_parent(tmp_path):
    """Killed while Sphinx is at work, no process goes on."""
    code = "from ordbook.book import edition; import sys; from pathlib import Path\n"
    code += "edition.run([sys.executable, '-c', edition.JUPYTER_BOOK.replace('main()', "
    code += (
        "'import time; print(1, flush=True); time.sleep(600)'), sys.argv[1]], Path(sys.argv[1]))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    try:
        children = lambda: psutil.Process(process.pid).children()  # noqa: E731
        until(children)
        (child,) = children()
        time.sleep(0.5)  # until it has begun to listen; if not, it finds the end at once
        assert child.is_running()
    finally:
        process.kill()
        process.wait()
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, 20)


def test_signals_are_left_alone_in_other_threads(tmp_path):
    codes = []
    line = ["exercise", "--seed=7", f"--out={tmp_path / 'out'}"]
    thread = threading.Thread(target=lambda: codes.append(main(line)))
    thread.start()
    thread.join()
    assert codes == [0]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Terminated(143), OSError(errno.EIO, "no")])
def test_a_folder_comes_back_if_its_replacement_is_interrupted(place, monkeypatch, error):
    out, rename = place / "out", Path.rename
    out.mkdir()
    (out / "page").write_text("whole")

    def renamed(self, target):
        moved = rename(self, target)
        if self == out:
            raise error
        return moved

    monkeypatch.setattr(Path, "rename", renamed)
    with pytest.raises(type(error)), whole_folder(out) as folder:
        (folder / "page").write_text("new")
    assert files(place) == {"out/page": b"whole"}


@pytest.mark.parametrize("changed", ["exercises.json", "key.md", "notes.md"])
def test_what_is_saved_into_a_folder_until_it_is_replaced_is_kept(place, monkeypatch, changed):
    line = ["exercise", "--questions=nmd", "--seed=7", f"--out={place / 'out'}"]
    assert main(line) == 0
    rename = Path.rename

    def saved(self, target):
        if self == place / "out":
            (self / changed).write_text("mine")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", saved)
    assert main(line) == 2
    assert (place / "out" / changed).read_text() == "mine"
    assert [path.name for path in place.iterdir()] == ["out"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Terminated(143)])
def test_a_signal_while_a_folder_is_removed_is_heard(place, monkeypatch, error):
    """Python may close the folder twice then, and raise an error about that."""

    def remove(*arguments, **options):
        try:
            raise error
        finally:
            os.close(-1)

    (place / "folder").mkdir()
    monkeypatch.setattr(shutil, "rmtree", remove)
    with pytest.raises(type(error)):
        clear(place)
    monkeypatch.setattr(tempfile.TemporaryDirectory, "cleanup", remove)
    with pytest.raises(type(error)):
        outfolder.require_writable(place / "out")


def test_the_current_folder_is_not_replaced(place, monkeypatch, capsys):
    line = ["exercise", "--questions=nmd", "--variants=2", "--seed=7"]
    out = place / "out"
    assert main([*line, f"--out={out}"]) == 0
    for folder in (out, out / "keys"):
        monkeypatch.chdir(folder)
        assert main([*line, f"--out={out}"]) == 2
        assert f"{out}: this is the current folder, or around it" in capsys.readouterr().err
    (place / "empty").mkdir()
    monkeypatch.chdir(place / "empty")
    assert main([*line, "--out=."]) == 2
    assert main([*line, "--out=sheets"]) == 0
    (place / "empty" / "gone").mkdir()
    monkeypatch.chdir(place / "empty" / "gone")
    (place / "empty" / "gone").rmdir()
    outfolder.require_writable(out)  # what is gone lies nowhere
    monkeypatch.chdir(place)


def test_a_mark_that_unfolds_without_end_is_not_ours(place):
    levels = "".join(f"{'ab'[k % 2]}{k}: &n{k} [{f'*n{k - 1}, ' * 9}]\n" for k in range(1, 12))
    (place / rerun.MARK).write_text(f"chapter: lq21\nn0: &n0 [x]\n{levels}files: {{page: *n11}}\n")
    with pytest.raises(ValueError, match="this is not of an edition of ours"):
        rerun._require_ours(place, {})


# Two at once


def test_a_place_whose_folder_goes_as_it_is_made_is_tried_again(place, monkeypatch):
    mkdir, asked = Path.mkdir, []

    def made(self, *arguments, **options):
        asked.append(self)
        if len(asked) == 1:  # Python found it there, then not
            raise FileExistsError(errno.EEXIST, "File exists", str(self))
        return mkdir(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", made)
    with locked(place / "folder" / LOCK):
        assert len(asked) == 2


def test_two_at_once_into_one_folder(place, monkeypatch):
    monkeypatch.setattr(workshop, "PATIENCE", 0.0)
    out = place / "edition"
    with whole_folder(out) as first:
        (first / "page").write_text("first")
        refused = f"{out}: another ordbook is writing this folder (process {os.getpid()}); wait"
        with pytest.raises(ValueError, match="another ordbook") as raised, whole_folder(out):
            pytest.fail("the second began")
        assert str(raised.value).startswith(refused)
        with whole_folder(place / "another") as second:
            (second / "page").write_text("second")
    assert files(place) == {"edition/page": b"first", "another/page": b"second"}
    assert {path.name for path in place.iterdir()} == {"edition", "another"}


@pytest.mark.parametrize("stays", [True, False])
def test_a_folder_that_another_process_replaces_is_looked_at_again(place, monkeypatch, stays):
    """Its mark was read before, its files afterwards: that is no change by hand."""
    out, another = place / "out", place / "another"
    line = ["exercise", "--questions=nmd"]
    assert main([*line, "--seed=1", f"--out={out}"]) == 0
    assert main([*line, "--seed=2", f"--out={another}"]) == 0
    listed = outfolder._listed
    after = []

    def replaced(mark, kind):
        files = listed(mark, kind)
        if not after:
            out.rename(place / "old")
            if stays:
                another.rename(out)
        after.append(files)
        return files

    monkeypatch.setattr(outfolder, "_listed", replaced)
    assert main([*line, "--seed=3", f"--out={out}"]) == 0
    assert len(after) == (3 if stays else 1)  # again, and before it is replaced
    assert json.loads((out / "exercises.json").read_text())["seed"] == 3
    (out / "key.md").write_text("mine")
    assert main([*line, "--seed=4", f"--out={out}"]) == 2
    assert (out / "key.md").read_text() == "mine"


def test_a_folder_that_only_changes_is_not_looked_at_again(place):
    looked = []

    def refuse():
        (place / f"{len(looked)}").write_text("more")
        looked.append(1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        outfolder.judged_whole(place, refuse)
    assert len(looked) == 1


def test_an_edition_that_another_process_replaces_is_looked_at_again(place, monkeypatch):
    out, another = place / "out", place / "another"
    for folder, chapter in ((out, "sigir18"), (another, "acl21")):
        folder.mkdir()
        (folder / f"{chapter}.ipynb").write_text(chapter)
        about = {"chapter": chapter, "files": outfolder.files_of(folder)}
        (folder / rerun.MARK).write_text(json.dumps(about))
    listed = rerun._listed

    def replaced(mark, shown):
        files = listed(mark, shown)
        if another.exists():
            out.rename(place / "old")
            another.rename(out)
        return files

    monkeypatch.setattr(rerun, "_listed", replaced)
    rerun._require_ours(out, {})
    (out / "acl21.ipynb").write_text("mine")
    with pytest.raises(ValueError, match="acl21.ipynb was changed after it was written"):
        rerun._require_ours(out, {})


def test_many_at_once_into_one_folder_leave_a_whole_one(place):
    """Each waits for the others; the folder is that of one of them."""
    code = "import sys; from ordbook.cli import main\n"
    code += "line = ['exercise', '--variants=9', *sys.argv[1:]]\n"
    code += "sys.exit(max(main([*line, f'--seed={k}']) for k in range(5)))"
    command = [sys.executable, "-c", code, f"--out={place / 'out'}", "--questions=nmd"]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    assert [path.name for path in place.iterdir()] == ["out"]
    about = json.loads((place / "out" / "exercises.json").read_text())
    assert sorted(files(place / "out")) == sorted([*about["files"], "exercises.json"])
    assert about["seed"] == 4


@posix
@pytest.mark.slow
def test_two_reruns_into_one_folder(place, task):
    """The second is refused before it runs anything, and the first goes on."""
    system = place / "system"
    system.mkdir()
    line = ["rerun", "official", f"--data={task}", f"--out={place / 'out'}"]
    command = [sys.executable, "-c", WAITS, str(place), *line]
    environment = {**os.environ, "TMPDIR": str(system)}
    first = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        until(lambda: kernels_in(system) or first.poll() is not None)
        assert first.poll() is None
        second = subprocess.run(
            command, env=environment, stderr=subprocess.PIPE, text=True, check=False, timeout=180
        )
        assert second.returncode == 2
        assert (
            f"another ordbook is writing this folder (process {first.pid}); wait" in second.stderr
        )
        assert first.poll() is None
        assert kernels_in(system)
    finally:
        first.terminate()
        first.wait(60)
    assert {path.name for path in place.iterdir()} == {"system", "official.ipynb"}


# Clocks


@pytest.mark.parametrize("shift", [-3600.0 * 24 * 400, 3600.0])
def test_a_clock_that_is_set_takes_nothing_from_the_living(shift, place, monkeypatch):
    """The system tells when a process began by the clock that is set; only locks tell who lives."""
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(workshop, "PATIENCE", 0.0)
    began = psutil.Process.create_time
    with workshop.workshop() as folder, whole_folder(place / "out") as filled:
        (filled / "page").write_text("whole")
        monkeypatch.setattr(time, "time", lambda real=time.time: real() + shift)
        monkeypatch.setattr(psutil.Process, "create_time", lambda self: began(self) + shift)
        for path in (folder, filled, folder / LOCK):
            os.utime(path, (time.time(), time.time()))
        monkeypatch.setattr(tempfile, "tempdir", str(place))
        with workshop.workshop() as other, whole_folder(place / "another"):
            assert folder.is_dir()
            assert other != folder
            assert filled.is_dir()
        with pytest.raises(ValueError, match="another ordbook"), whole_folder(place / "out"):
            pass
    assert files(place) == {"out/page": b"whole"}


def test_a_sweep_goes_by_checksums_and_no_clock(task, place, capsys):
    out = place / "out"
    line = arguments("sweep", task, place)
    assert main(line) == 0
    later = time.time() + 1e7
    for path in out.rglob("*"):
        os.utime(path, (later, later))
    assert main(line) == 0
    assert "1 of 1 were done before" in capsys.readouterr().err
    (numbers,) = out.glob("jobs/*/numbers.json")
    whole = numbers.read_bytes()
    for damage in (whole[:-200], whole.replace(b"1", b"2", 1)):
        numbers.write_bytes(damage)
        os.utime(numbers, (later, later))
        assert main(line) == 0
        assert "were done before" not in capsys.readouterr().err
        assert numbers.read_bytes() == whole


def test_a_lock_is_left_by_nobody(place):
    """It ends with its process, however that ends; what is left of the file holds nobody up."""
    (place / ".lock").write_text("process 1")
    with locked(place / ".lock"):
        assert (place / ".lock").read_text() == f"process {os.getpid()}"
    assert list(place.iterdir()) == []


# Caches


@pytest.mark.parametrize("damage", [b"", b"\x80\x04", b"half of a pickle", None])
def test_a_damaged_cache_of_compiled_code_is_thrown_away(damage, tmp_path, monkeypatch):
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        pytest.skip("nothing is compiled")
    source = tmp_path / "loops.py"
    source.write_text("def three(x):\n    return x + 3\n")
    names: dict[str, object] = {"__file__": str(source)}
    exec(compile(source.read_text(), str(source), "exec"), names)
    assert compiled(names["three"])(1) == 4
    kept = [
        path for path in (tmp_path / "__pycache__").iterdir() if path.suffix in (".nbi", ".nbc")
    ]
    assert len(kept) == 2
    for suffix in (".nbi", ".nbc"):
        (path,) = (path for path in kept if path.suffix == suffix)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2] if damage is None else damage)
        assert compiled(names["three"])(1) == 4
    again = compiled(names["three"])
    assert again(1) == 4
    assert sum(again.stats.cache_hits.values()) == 1, "it is kept again"


def test_compiled_code_that_cannot_be_kept_is_used(tmp_path, monkeypatch):
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        pytest.skip("nothing is compiled")
    source = tmp_path / "loops.py"
    source.write_text("def three(x):\n    return x + 3\n")
    names: dict[str, object] = {"__file__": str(source)}
    exec(compile(source.read_text(), str(source), "exec"), names)

    def refuse(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pickle, "dump", refuse)
        assert compiled(names["three"])(1) == 4
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("numba.core.caching.CacheImpl._locator_classes", [])
        assert compiled(names["three"])(1) == 4


# Workers of a cluster


@pytest.fixture
def scheduler():
    """A Dask scheduler in this process, without workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        yield cluster


def test_a_cluster_without_workers_is_not_waited_for_forever(
    scheduler, task, place, monkeypatch, capsys
):
    monkeypatch.setattr(sweep_jobs, "LOOK", 0.2)
    monkeypatch.setattr(sweep_jobs, "PATIENCE", 0.5)
    address = scheduler.scheduler_address
    line = [*arguments("sweep", task, place), f"--scheduler={address}"]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert f"the scheduler at {address} has no worker; waiting 0.5 s" in said
    assert said.splitlines()[-1].startswith(f"ordbook: the scheduler at {address} has no workers")
    assert not list((place / "out").glob("jobs/*"))


SLOW = """
import os, time
from pathlib import Path
import numpy as np
from ordbook.measures import custom_measure

here = Path(__file__).parent

def slow(gold, estimate):
    if "DASK_WORKER" in os.environ and not (here / "go").exists():
        (here / str(os.getpid())).touch()
        time.sleep(60)
    return np.abs(gold - estimate).max(-1)

SLOW = custom_measure("SLOW", slow, better="low")
"""


@posix
@pytest.mark.slow
def test_what_a_lost_worker_did_is_done_by_another(task, place):
    pytest.importorskip("distributed")
    from distributed import LocalCluster

    own = place / "own"
    own.mkdir()
    (own / "slow.py").write_text(SLOW)
    plan = {
        "data": [str(task)],
        "parameters": {"trials": 100, "splits": 10, "own": f"{own / 'slow.py'}:SLOW"},
    }
    os.environ["DASK_WORKER"] = "1"
    try:
        cluster = LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=str(place / "dask"),
        )
    finally:
        del os.environ["DASK_WORKER"]

    def lose():
        until(lambda: [path for path in own.iterdir() if path.name.isdigit()])
        (worker,) = (path for path in own.iterdir() if path.name.isdigit())
        (own / "go").touch()
        os.kill(int(worker.name), signal.SIGKILL)

    with cluster:
        thread = threading.Thread(target=lose)
        thread.start()
        sweep(plan, place / "there", scheduler=cluster.scheduler_address)
        thread.join()
    assert [path for path in own.iterdir() if path.name.isdigit()], "one was at work, and was lost"
    sweep(plan, place / "here")
    numbers = {
        name: text for name, text in files(place / "there").items() if "done.json" not in name
    }
    assert {name: files(place / "here")[name] for name in numbers} == numbers
    assert [path.name for path in (place / "there").iterdir() if path.name.startswith(".")] == []


def test_a_job_whose_workers_all_die_says_so():
    class KilledWorker(Exception):
        pass

    assert "every worker that began it died" in sweep_jobs._why(KilledWorker("many", "words"))
    assert sweep_jobs._why(SweepError("why")) == "why"
