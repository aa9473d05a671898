"""The folder of a sweep: whole results only, one sweep at a time, nothing left by killed ones.

Contents
--------
SweepFolder    what lies where, held by a lock while a sweep runs
MARK           by this file a folder is known to be a sweep's

A folder holds ``sweep.json`` (the plan), ``jobs/<key>/`` (results, with ``done.json``),
``tables/`` and, while a sweep runs, ``.lock`` and ``.work/<pid>-<start>/``. Everything is made in
the latter and then renamed. The lock is the operating system's: it ends with its process,
however that ends.
"""

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from ordbook.book.outfolder import require_writable
from ordbook.book.sweep.plan import Job
from ordbook.book.workshop import stop_kernels, temporary_files_in

MARK = "sweep.json"
DONE = "done.json"
_LOCK, _WORK = ".lock", ".work"
_OURS = {MARK, "jobs", "tables", _LOCK, _WORK}


class SweepFolder:
    """The folder of a sweep.

    Attributes
    ----------
    path
        The folder.
    work
        Where this process makes what it then renames; only while the folder is held.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        start = int(psutil.Process().create_time())
        self.work = path / _WORK / f"{os.getpid()}-{start}-{time.monotonic_ns()}"

    def require_ours(self) -> None:
        """Refuse a folder that holds anything but a sweep."""
        path = self.path
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path}: this is a file; name a folder")
        if "{" in str(path) or "}" in str(path):
            raise ValueError(f"{path}: papermill takes braces in a path for parameters")
        found = {entry.name for entry in path.iterdir()} if path.is_dir() else set()
        # A sweep that was killed at once has written no mark yet.
        if found - _OURS or (MARK not in found and found - {_LOCK, _WORK}):
            stray = min(found - _OURS or found)
            raise ValueError(f"{path}: the folder holds what is not a sweep ({stray}); use another")
        require_writable(path)

    @contextmanager
    def held(self, plan: Mapping[str, Any]) -> Iterator[None]:
        """Hold the folder: lock it, clean it, and take temporary files of this process into it.

        Raises
        ------
        ValueError
            If the folder is not a sweep's, or another sweep holds it.
        """
        self.require_ours()
        self.path.mkdir(parents=True, exist_ok=True)
        with _locked(self.path / _LOCK):
            self._clean()
            (self.work / "tmp").mkdir(parents=True)
            try:
                self._mark(plan)
                with temporary_files_in(self.work / "tmp"):
                    yield
            finally:
                self.stop_kernels()
                self._clean()

    def stop_kernels(self) -> None:
        """End the kernels of sweeps in this folder: their connection files lie in it."""
        stop_kernels(self.path / _WORK)

    def finished(self, job: Job) -> bool:
        """Say whether a job is done, and its files are what they were when it was."""
        folder = self.path / "jobs" / job.key
        try:
            marker = json.loads((folder / DONE).read_text(encoding="utf-8"))
            files = {name: _sha256(folder / name) for name in marker["files"]}
            return bool(marker["key"] == job.key and files and files == marker["files"])
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def begin(self, job: Job) -> Path:
        """Return an empty folder in which a job may write."""
        folder = self.work / job.key
        folder.mkdir()
        return folder

    def keep(self, job: Job) -> None:
        """Mark what a job has written as done, and put it into its place."""
        folder, place = self.work / job.key, self.path / "jobs" / job.key
        marker = {
            "key": job.key,
            "what": job.what,
            "data": job.data.name,
            "checksum": job.data.checksum,
            "parameters": dict(job.parameters),
            "files": {path.name: _sha256(path) for path in sorted(folder.iterdir())},
        }
        (folder / DONE).write_text(_json(marker), encoding="utf-8")
        place.parent.mkdir(exist_ok=True)
        if place.exists():  # it was not whole
            shutil.rmtree(place)
        folder.rename(place)

    def write_tables(self, files: Mapping[str, str]) -> None:
        """Replace the tables, all at once."""
        folder, place = self.work / "tables", self.path / "tables"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        if place.exists():
            place.rename(self.work / "before")
        folder.rename(place)

    def _mark(self, plan: Mapping[str, Any]) -> None:
        text, place = _json(plan), self.path / MARK
        if place.exists() and place.read_text(encoding="utf-8") == text:
            return
        shutil.rmtree(self.path / "tables", ignore_errors=True)  # of another plan
        (self.work / MARK).write_text(text, encoding="utf-8")
        (self.work / MARK).replace(place)

    def _clean(self) -> None:
        """Remove what sweeps have left behind; while the lock is held, none but ours is alive."""
        self.stop_kernels()
        for _ in range(20):
            shutil.rmtree(self.path / _WORK, ignore_errors=True)
            if not (self.path / _WORK).exists():
                return
            time.sleep(0.1)  # a kernel that is about to end may still write


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock file; refuse if another process holds it."""
    while True:
        handle = path.open("a+", encoding="utf-8")
        try:
            _lock(handle.fileno())
        except OSError:
            holder = "another process"
            with suppress(OSError):  # Windows does not let others read it
                handle.seek(0)
                holder = handle.read().strip() or holder
            handle.close()
            raise ValueError(
                f"{path.parent}: a sweep is running in this folder ({holder}); wait for it, or "
                "choose another folder"
            ) from None
        # The file may have been removed by its last holder between the two steps.
        with suppress(FileNotFoundError):
            if os.path.samestat(path.stat(), os.fstat(handle.fileno())):
                break
        handle.close()
    try:
        handle.truncate(0)
        handle.write(f"process {os.getpid()}")
        handle.flush()
        yield
    finally:
        if os.name == "nt":  # where an open file cannot be removed
            handle.close()
        with suppress(OSError):
            path.unlink()
        handle.close()


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
