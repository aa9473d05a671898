"""Faults of the machine: nothing half-written is taken for a result, and a line says what to do."""

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import psutil
import pytest

from ordbook.cli import main
from ordbook.data.locks import Held, locked
from ordbook.meta.compiling import compiled
from ordbook.pages import execution
from ordbook.report import outfolder, workshop
from ordbook.report.executing import RerunError, execute
from ordbook.report.outfolder import whole_folder
from ordbook.report.sweep import SweepError
from ordbook.report.sweep import jobs as sweep_jobs

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
    monkeypatch.setattr("ordbook.course.student.read_chapters", lambda names, **_: [])
    monkeypatch.setattr("ordbook.course.slides.read_chapters", lambda names, **_: [])


# Each writes something of its own, in seconds.
WRITE = {
    "exercise": (["exercise", "--seed=7", "--variants=30", "--questions=nmd,rnod"], "out"),
    "score": (["score", "TASK", "--measures=NMD,RNOD", "--trials=100"], "out"),
    "student": (["student", "official"], "out.zip"),
    "slides": (["slides", "official"], "out"),
    "sweep": (["sweep", "--data=TASK", *QUICK], "out"),
}
each = pytest.mark.parametrize("command", WRITE)


def arguments(command, task, place):
    words, name = WRITE[command]
    return [word.replace("TASK", str(task)) for word in words] + [f"--out={place / name}"]


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
def full():
    """Every write says, as the system does, that there is no room, and not for which file."""

    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patched:
        for name in ("write_bytes", "write_text"):
            patched.setattr(Path, name, refuse)
        patched.setattr(shutil, "copyfile", refuse)
        yield


@pytest.mark.slow
@each
def test_a_full_disk_leaves_what_was_there(command, task, place, quick, capsys):
    line = arguments(command, task, place)
    assert main(line) == 0
    if command == "sweep":  # what is done is not done again: another seed is more to do
        line += ["-p", "seed=1"]
    before = files(place)
    capsys.readouterr()
    with full():
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
    monkeypatch.setattr("ordbook.papers.checks.full_ledger", _never)
    for name in ("student", "slides"):
        monkeypatch.setattr(f"ordbook.course.{name}.read_chapters", _never)
    monkeypatch.setattr("ordbook.report.rerun.execute", _never)
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


@pytest.mark.parametrize(
    ("command", "theirs"),
    [
        ("exercise", "out/notes.md"),
        ("score", "out/summary.json"),
        ("slides", "out/slides.json"),
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


# A kernel that dies


def dying(source, cell=0):
    """Return a notebook whose code cell of that number ends its kernel."""
    for k, found in enumerate(c for c in source.cells if c.cell_type == "code"):
        if k == cell:
            found.source = DIES
    return source


@pytest.mark.slow
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
        monkeypatch.setattr(f"ordbook.report.{module}.notebook_of", lambda name: broken)
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


@pytest.mark.slow
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


# Signals

WAITS = """
import sys, time
from pathlib import Path
import nbformat
import ordbook.report.rerun, ordbook.course.coursework
from ordbook.cli import main

place = Path(sys.argv[1])
cells = [nbformat.v4.new_code_cell("import time; time.sleep(600)")]
kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
nbformat.write(notebook, place / "official.ipynb")
for module in (ordbook.report.rerun, ordbook.course.coursework):
    module.notebook_of = lambda name: place / "official.ipynb"
raise SystemExit(main(sys.argv[2:]))
"""


@posix
@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "number"),
    [("rerun", signal.SIGTERM), ("rerun", getattr(signal, "SIGKILL", signal.SIGTERM))],
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


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.EIO, "no")])
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


# Two at once


def test_two_at_once_into_one_folder(place, monkeypatch):
    monkeypatch.setattr(workshop, "PATIENCE", 0.0)
    out = place / "edition"
    with whole_folder(out) as first:
        (first / "page").write_text("first")
        refused = f"{out}: another ordbook is writing this folder; wait"
        with pytest.raises(ValueError, match="another ordbook") as raised, whole_folder(out):
            pytest.fail("the second began")
        assert str(raised.value).startswith(refused)
        with whole_folder(place / "another") as second:
            (second / "page").write_text("second")
    assert files(place) == {"edition/page": b"first", "another/page": b"second"}
    assert {path.name for path in place.iterdir()} == {"edition", "another"}


def test_a_lock_is_left_by_nobody(place):
    """It ends with its process, however that ends; what is left of the file holds nobody up."""
    (place / ".lock").write_text("process 1")
    with locked(place / ".lock"), pytest.raises(Held), locked(place / ".lock"):
        pytest.fail("the second began")
    assert list(place.iterdir()) == []


# Caches


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", None])
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


# Workers of a cluster


@pytest.fixture
def scheduler():
    """A Dask scheduler in this process, without workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        yield cluster


@pytest.mark.slow
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


def test_a_job_whose_workers_all_die_says_so():
    class KilledWorker(Exception):
        pass

    assert "every worker that began it died" in sweep_jobs._why(KilledWorker("many", "words"))
    assert sweep_jobs._why(SweepError("why")) == "why"
