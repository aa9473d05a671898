"""Temporary folders that do not outlive their process for long, however it ends.

Contents
--------
workshop             a temporary folder, which also takes the temporary files of this process
beside               an empty folder next to another, to make what is then put in its place
put_back             what killed processes had taken out of its place
temporary_files_in   let this process and its kernels put temporary files into a folder
stop_kernels         end the kernels whose connection files lie in a folder

A process that is killed removes nothing. Its folders hold a lock that ends with it, and the next
process removes those that nobody holds, see :mod:`ordbook.data.locks`.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path

import psutil

from ordbook.data.faults import naming
from ordbook.data.locks import LOCK, PREFIX, Held, abandoned, clear, locked, temporary_folder

# What the names of folders begin with that stand beside, or in, a place for a while.
HIDDEN = ".ordbook-"
# What is made for a place, and what was there before, until the one is where the other was.
FILLED, BEFORE = "filled", "before"
# Seconds to wait for another process that puts a folder into the same place.
PATIENCE = 3.0


@contextmanager
def workshop() -> Iterator[Path]:
    """Give a temporary folder of the system, and put the temporary files of this process there.

    Folders that killed processes left behind are removed, with kernels that are still at work.
    """
    system = Path(tempfile.gettempdir())
    for folder in abandoned(system, f"{PREFIX}*"):
        stop_kernels(folder)
        clear(folder)
    with temporary_folder() as folder:
        (folder / "tmp").mkdir()
        try:
            shown = f"{system} (temporary files; TMPDIR names another folder)"
            with temporary_files_in(folder / "tmp"), naming(shown, folder):
                yield folder
        finally:
            stop_kernels(folder)


@contextmanager
def beside(out: Path) -> Iterator[Path]:
    """Give an empty folder next to ``out``, which goes when the block ends.

    Those that killed processes left behind are removed, once what they had taken out of its place
    is there again.

    Raises
    ------
    ValueError
        If another process is at work on the same ``out``.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    mine = out.parent / f"{HIDDEN}{hashlib.sha256(out.name.encode()).hexdigest()[:12]}"
    try:
        with locked(mine / LOCK, PATIENCE):
            put_back(out.parent, [mine])
            try:
                yield mine
            finally:
                if moved := [place for place in _put_back_from(mine) if place != out]:
                    raise ValueError(
                        f"{out}: somebody put this there meanwhile; what it was to replace is in "
                        f"{moved[0]}; look at both, then run the same command again"
                    )
    except Held:
        raise ValueError(
            f"{out}: another ordbook is writing this folder; wait for it, or name another"
        ) from None
    finally:
        with suppress(OSError):
            mine.rmdir()


def put_back(parent: Path, held: Iterable[Path] = ()) -> list[Path]:
    """Remove what killed processes left in a folder, and return what is there again.

    It has a name that ends in ``-before`` where somebody has put something else into its place.

    Parameters
    ----------
    parent
        The folder.
    held
        Those of the folders left there that this process holds itself.
    """
    found = []
    for folder in chain(held, abandoned(parent, f"{HIDDEN}*")):
        found += _put_back_from(folder)
    for folder in parent.glob(f"{HIDDEN}*"):
        with suppress(OSError):  # it is not empty: somebody is at work
            folder.rmdir()
    return found


def _put_back_from(folder: Path) -> list[Path]:
    """Empty a folder, once what was taken out of its place and not replaced is there again."""
    found = []
    unfinished = (folder / FILLED).exists()  # else what was made is in its place
    for before in folder.glob(f"{BEFORE}/*") if unfinished else ():
        place = folder.parent / before.name
        if os.path.lexists(place):
            names = (f"{before.name}-before{number}" for number in chain([""], count(2)))
            place = next(free for name in names if not (free := place.with_name(name)).exists())
        before.rename(place)
        found.append(place)
    clear(folder)
    return found


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
