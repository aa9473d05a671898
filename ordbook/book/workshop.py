"""Temporary folders that do not outlive their process for long, however it ends.

Contents
--------
workshop             a temporary folder, which also takes the temporary files of this process
beside               an empty folder next to another, to make what is then put in its place
temporary_files_in   let this process and its kernels put temporary files into a folder
stop_kernels         end the kernels whose connection files lie in a folder

A process that is killed removes nothing. Names of folders say whose they are, ``<prefix><process>-
<its start>-...``, and the next process removes those of processes that are no more.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

_PREFIX = "ordbook-"
_HIDDEN = ".ordbook-"
# What was in the place of a folder before, while another is put there.
BEFORE = "before"


@contextmanager
def workshop() -> Iterator[Path]:
    """Give a temporary folder of the system, and put the temporary files of this process there.

    Folders that killed processes left behind are removed, with kernels that are still at work.
    """
    system = Path(tempfile.gettempdir())
    for folder in _abandoned(system, _PREFIX):
        stop_kernels(folder)
        shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_mine(_PREFIX), ignore_cleanup_errors=True) as made:
        folder = Path(made)
        (folder / "tmp").mkdir()
        try:
            with temporary_files_in(folder / "tmp"):
                yield folder
        finally:
            stop_kernels(folder)


@contextmanager
def beside(out: Path) -> Iterator[Path]:
    """Give an empty folder next to ``out``, which goes when the block ends.

    Those that killed processes left behind are removed, once what they had taken out of its place
    is there again.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    for folder in _abandoned(out.parent, _HIDDEN):
        for before in folder.glob(f"{BEFORE}/*"):
            if not (out.parent / before.name).exists():
                before.rename(out.parent / before.name)
        shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_mine(_HIDDEN), dir=out.parent) as made:
        yield Path(made)


@contextmanager
def temporary_files_in(folder: Path) -> Iterator[None]:
    """Let this process and its kernels put temporary files there, connection files included."""
    before, environment = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
        if environment is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = environment


def stop_kernels(folder: Path) -> None:
    """End the kernels whose connection files lie in a folder."""
    place = f"{folder}{os.sep}"
    for process in psutil.process_iter(["cmdline"]):
        command = process.info["cmdline"] or []
        ours = any(argument.startswith(place) for argument in command)
        if ours and any("ipykernel" in argument for argument in command):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def _mine(prefix: str) -> str:
    start = int(psutil.Process().create_time())
    return f"{prefix}{os.getpid()}-{start}-"


def _abandoned(parent: Path, prefix: str) -> Iterator[Path]:
    """List the folders of processes that are no more."""
    for folder in parent.glob(f"{prefix}*"):
        found = re.fullmatch(rf"{re.escape(prefix)}(\d+)-(\d+)-\w+", folder.name)
        if found and folder.is_dir() and not _alive(int(found[1]), int(found[2])):
            yield folder


def _alive(number: int, start: int) -> bool:
    """Say whether a process is there; another may have its number by now."""
    try:
        # A second of difference is rounding.
        return bool(abs(psutil.Process(number).create_time() - start) < 2)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
