"""Locks of the operating system, which end with their process, however that ends.

Nothing here looks at a clock or at the number of a process: a clock may be set, and numbers are
used again.

Contents
--------
locked             hold a lock file while a block runs
Held               another process holds it
temporary_folder   an empty folder, which goes when the block ends
abandoned          the temporary folders of processes that are no more
clear              empty such a folder
take               take the lock of an open file
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ordbook.data.faults import raise_interruption

# In a folder that belongs to a process: held as long as that is alive.
LOCK = ".ordbook.lock"
PREFIX = "ordbook-"


class Held(Exception):
    """Another process holds the lock; the message says which, as far as is known."""


@contextmanager
def locked(path: Path, patience: float = 0) -> Iterator[None]:
    """Hold a lock file, which goes when the block ends; its folder is made if need be.

    Parameters
    ----------
    path
        The lock file.
    patience
        Seconds to wait for another process that holds it.

    Raises
    ------
    Held
        If another process holds it.
    """
    handle = _held(path, patience)
    try:
        with suppress(OSError):  # for others to read; without room on the disk it goes without
            handle.truncate(0)
            handle.write(f"process {os.getpid()}".encode())
        yield
    finally:
        if os.name == "nt":  # where an open file cannot be removed
            handle.close()
        with suppress(OSError):
            path.unlink()
        handle.close()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give an empty folder, removed when the block ends, with those of processes that are no more.

    It holds nothing but a hidden lock file.
    """
    for folder in abandoned(Path(tempfile.gettempdir()), f"{PREFIX}*"):
        clear(folder)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with locked(folder / LOCK, patience=60):  # of one who looks whether it is abandoned
            try:
                yield folder
            finally:
                clear(folder)
    finally:
        with suppress(OSError):
            folder.rmdir()


def abandoned(parent: Path, pattern: str) -> Iterator[Path]:
    """Yield the folders of processes that are no more, each while nobody else can take it.

    One that is empty when the next is asked for is removed.
    """
    for folder in sorted(parent.glob(pattern)):
        lock = folder / LOCK
        with suppress(OSError):  # of another user, or just gone
            if folder.is_symlink() or not lock.is_file():
                continue
            with lock.open("r+b", buffering=0) as handle:
                if not (take(handle) and _is_there(lock, handle)):
                    continue
                yield folder
            with suppress(OSError):
                if all(path == lock for path in folder.iterdir()):
                    lock.unlink()
                    folder.rmdir()


def clear(folder: Path) -> None:
    """Remove all that a folder holds but its lock; what cannot be removed stays."""
    try:
        for path in list(folder.iterdir()):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != LOCK:
                with suppress(OSError):
                    path.unlink()
    except OSError as error:
        raise_interruption(error)


def take(handle: IO[bytes]) -> bool:
    """Take the lock of an open file, if nobody has it; the system takes it back at its end."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle.fileno(), 0, os.SEEK_SET)  # everybody the same byte
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise OSError(error.errno, error.strerror, handle.name) from None
    return True


def _held(path: Path, patience: float) -> IO[bytes]:
    """Open and lock a file, which its last holder may remove at any moment."""
    end = time.monotonic() + patience
    while True:
        try:
            path.parent.mkdir(0o700, exist_ok=True)
            handle = path.open("a+b", buffering=0)
        except (FileNotFoundError, FileExistsError):  # the folder has just gone
            if time.monotonic() >= end + 1:
                raise
            continue
        try:
            if take(handle):
                if _is_there(path, handle):
                    return handle
            elif time.monotonic() >= end:
                raise Held(_holder(handle))
        except BaseException:
            handle.close()
            raise
        handle.close()
        time.sleep(0.02)


def _is_there(path: Path, handle: IO[bytes]) -> bool:
    """Say whether a file is still the one that was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle.fileno()))
    except FileNotFoundError:
        return False


def _holder(handle: IO[bytes]) -> str:
    text = b""
    with suppress(OSError):  # Windows does not let others read it
        handle.seek(0)
        text = handle.read(100)
    return text.decode(errors="replace").strip() or "another process"
