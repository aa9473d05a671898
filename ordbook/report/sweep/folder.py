"""The folder of a sweep: whole results only, one sweep at a time, nothing left by killed ones.

Contents
--------
SweepFolder    what lies where, held by a lock while a sweep runs
MARK           by this file a folder is known to be a sweep's

A folder holds ``sweep.json`` (the plan), ``jobs/<key>/`` (results), ``tables/`` and, while a sweep
runs, ``.lock`` and ``.work/<pid>-<number>/``. Everything is made in the latter and then renamed.
Results and tables list their checksums in a ``done.json``: what somebody has changed or added, or a
fault of the disk, is never replaced but moved to ``set-aside/``. The lock is the operating
system's: it ends with its process, however that ends.
"""

import json
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from itertools import count
from pathlib import Path
from typing import Any

from ordbook.data.faults import naming
from ordbook.data.locks import Held, locked
from ordbook.files import sha256, write_whole
from ordbook.report.outfolder import listed, require_writable, write_mark
from ordbook.report.sweep.plan import Job
from ordbook.report.workshop import HIDDEN, stop_kernels, temporary_files_in

MARK = "sweep.json"
DONE = "done.json"
_LOCK, _WORK, _ASIDE = ".lock", ".work", "set-aside"
_OURS = {MARK, "jobs", "tables", _ASIDE, _LOCK, _WORK}
# What require_writable makes for a moment, and a killed process leaves.
_PROBES = f"{HIDDEN}*"
_OF_A_PROCESS = re.compile(r"\d+-\d+")
_TABLE = re.compile(r"[a-z-]+-(classification|quantification)\.(csv|md)")


class SweepFolder:
    """The folder of a sweep.

    Attributes
    ----------
    path
        The folder.
    work
        Where this process makes what it then renames; only while the folder is held.
    say
        Called with one line where something is set aside.
    """

    def __init__(self, path: Path, say: Callable[[str], object] = lambda line: None) -> None:
        self.path = path
        self.say = say
        self.work = path / _WORK / f"{os.getpid()}-{time.monotonic_ns()}"

    def require_ours(self) -> None:
        """Refuse a folder that holds anything but a sweep."""
        path = self.path
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path}: this is a file; name a folder")
        if "{" in str(path) or "}" in str(path):
            raise ValueError(f"{path}: papermill takes braces in a path for parameters")
        found = {entry.name for entry in path.iterdir()} if path.is_dir() else set()
        found = {name for name in found if not (fnmatch(name, _PROBES) and _is_empty(path / name))}
        strange = found - _OURS
        # A sweep that was killed at once has written no mark yet.
        if not strange and MARK not in found:
            strange = found - {_LOCK, _WORK}
        if stray := min(strange, default="") or _only_so_called(path):
            raise ValueError(f"{path}: the folder holds what is not a sweep ({stray}); use another")
        tables = sorted(each.name for each in path.glob("tables/*") if each.name != DONE)
        if stray := next((name for name in tables if not _TABLE.fullmatch(name)), ""):
            raise ValueError(
                f"{path / 'tables'}: the folder holds what is not of a sweep ({stray}); move it "
                "elsewhere, or use another folder"
            )
        if MARK in found and not _is_a_sweep(path / MARK):
            raise ValueError(
                f"{path / MARK}: this is not of a sweep, or damaged; use another folder, or remove "
                "the file and the folder's tables if they are of a sweep"
            )
        require_writable(path, within=True)

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
        try:
            with naming(self.path, self.path), locked(self.path / _LOCK):
                self._clean()
                (self.work / "tmp").mkdir(parents=True)
                try:
                    self._mark(plan)
                    with temporary_files_in(self.work / "tmp"):
                        yield
                finally:
                    self.stop_kernels()
                    self._clean()
        except Held:
            raise ValueError(
                f"{self.path}: a sweep is running in this folder; wait for it, or choose another"
            ) from None
        finally:
            with suppress(OSError):  # where nothing has come into it
                self.path.rmdir()

    def stop_kernels(self) -> None:
        """End the kernels of sweeps in this folder: their connection files lie in it."""
        stop_kernels(self.path / _WORK)

    def finished(self, job: Job) -> bool:
        """Say whether a job is done, and its files are what they were when it was."""
        folder = self.path / "jobs" / job.key
        try:
            marker = json.loads((folder / DONE).read_text(encoding="utf-8"))
            files = {name: sha256(folder / name) for name in marker["files"]}
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
        }
        write_mark(folder, DONE, marker)
        place.parent.mkdir(exist_ok=True)
        self._put_away(place)  # it was not whole
        folder.rename(place)

    def write_tables(self, files: Mapping[str, str]) -> None:
        """Replace the tables, all at once."""
        folder, place = self.work / "tables", self.path / "tables"
        folder.mkdir()
        for name, text in files.items():
            write_whole(folder / name, text)
        write_mark(folder, DONE, {})
        self._put_away(place)
        folder.rename(place)

    def _mark(self, plan: Mapping[str, Any]) -> None:
        text, place = _json(plan), self.path / MARK
        if place.exists() and place.read_text(encoding="utf-8") == text:
            return
        self._put_away(self.path / "tables")  # of another plan
        write_whole(self.work / MARK, text)
        (self.work / MARK).replace(place)

    def _put_away(self, place: Path) -> None:
        """Take a folder from its place in one step: a half-removed one might be taken for whole.

        It is removed in the end, or set aside if that would lose anything but what we wrote.
        """
        if not place.exists():
            return
        changed = _changed(place)
        if changed is None:
            place.rename(self.work / f"before-{place.name}-{time.monotonic_ns()}")
            return
        aside = self.path / _ASIDE
        aside.mkdir(exist_ok=True)
        names = (f"{place.name}-{number}" for number in count(1))
        kept = next(free for name in names if not (free := aside / name).exists())
        place.rename(kept)
        self.say(f"{changed} may not be as the sweep wrote it: set aside in {kept}")

    def _clean(self) -> None:
        """Remove what sweeps have left behind; while the lock is held, none but ours is alive."""
        self.stop_kernels()
        for probe in self.path.glob(_PROBES):
            with suppress(OSError):
                probe.rmdir()
        for _ in range(20):
            shutil.rmtree(self.path / _WORK, ignore_errors=True)
            if not (self.path / _WORK).exists():
                return
            time.sleep(0.1)  # a kernel that is about to end may still write


def _is_a_sweep(mark: Path) -> bool:
    try:
        about = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(about, dict) and about.keys() <= {"jobs"}


def _only_so_called(path: Path) -> str:
    """Return what is called as a folder or the lock of a sweep, but is none; "" if nothing."""
    lock, work, aside = path / _LOCK, path / _WORK, path / _ASIDE
    if os.path.lexists(aside) and (aside.is_symlink() or not aside.is_dir()):
        return _ASIDE
    with suppress(OSError):  # it has just gone, or its holder lets nobody read
        is_file = stat.S_ISREG(lock.lstat().st_mode)
        if not is_file or not re.fullmatch(rb"(process \d+)?", lock.read_bytes()):
            return _LOCK
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(work.lstat().st_mode):
            return _WORK
        for entry in sorted(work.iterdir()):
            if not (_OF_A_PROCESS.fullmatch(entry.name) and stat.S_ISDIR(entry.lstat().st_mode)):
                return f"{_WORK}/{entry.name}"
    return ""


def _changed(folder: Path) -> Path | None:
    """Return what is not as it was written, by the list of a folder; None if all is."""
    if not folder.is_dir():
        return folder
    try:
        marker = json.loads((folder / DONE).read_text(encoding="utf-8"))
        files = listed(marker["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        files = None  # a sweep of an earlier version has no list of its tables
    known = files or {}
    for path in sorted(folder.iterdir()):
        try:
            same = path.is_file() and known.get(path.name) == sha256(path)
        except OSError:
            same = False
        if not same and not (files and path.name == DONE):
            return path
    return None


def _is_empty(folder: Path) -> bool:
    try:
        return not any(folder.iterdir())
    except FileNotFoundError:  # it has just gone
        return True
    except OSError:
        return False


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
