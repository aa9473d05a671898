"""Locks of the operating system, which end with their process, and temporary folders under them."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ordbook.data.faults import raise_interruption

# In a folder that belongs to a process: held as long as that is alive.
LOCK = ".ordbook.lock"
PREFIX = "ordbook-"


class Held(Exception):
    """Another process holds the lock."""


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
    path.parent.mkdir(0o700, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=patience, poll_interval=0.02)
    except Timeout:
        raise Held from None
    try:
        yield
    finally:
        with suppress(OSError):  # on Windows releasing it does that
            path.unlink()
        lock.release()


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
        with suppress(OSError):  # of another user, just gone, or at work (Timeout is one)
            if folder.is_symlink() or not lock.is_file():
                continue
            with FileLock(lock).acquire(timeout=0):
                yield folder
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
