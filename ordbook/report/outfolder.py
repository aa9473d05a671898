"""A folder of results that appears whole or not at all.

Contents
--------
require_ours       refuse a folder whose replacement would lose anything that is not ours
require_contents   refuse a folder that holds anything that is not ours
require_unchanged  refuse a folder of ours in which somebody has put or changed a file
judged_whole       look at a folder again if another process replaced it meanwhile
listed             the files that a mark of ours lists
files_of           the files in a folder, with their checksums
write_mark         the mark of a folder, written last
require_writable   refuse a place that cannot be written
whole_folder       fill a folder beside the one wanted, then put it in its place
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ordbook.data.faults import is_full, naming, raise_interruption, reason_of
from ordbook.files import sha256
from ordbook.report.workshop import BEFORE, FILLED, HIDDEN, beside


def require_ours(out: str | Path, mark: str, kind: str, inputs: Iterable[str | Path] = ()) -> Path:
    """Refuse a folder whose replacement would lose anything that is not ours.

    Parameters
    ----------
    out
        The folder wanted; it need not exist.
    mark
        Name of the JSON file by which a folder of ours is known: it has the ``kind`` under
        ``"kind"`` and, under ``"files"``, what :func:`files_of` found before it was written.
    kind
        What the folder is.
    inputs
        What must neither lie in the folder nor around it.

    Returns
    -------
    Path
        The folder, absolute.

    Raises
    ------
    ValueError
        If it is a file, holds anything else or a file that was changed since, has to do with an
        input, or cannot be made.
    """
    try:
        out = Path(out).expanduser().resolve()
        places = [Path(place).expanduser().resolve() for place in inputs]
    except (RuntimeError, OSError, ValueError) as error:
        raise ValueError(f"{out}: {error}; name another folder, or other data") from None
    for data in places:
        if out == data or data in out.parents or out in data.parents:
            raise ValueError(f"{out}: this lies within the data, or the data in it; name another")

    def check() -> None:
        require_contents(out, mark, kind, out)
        require_writable(out)

    judged_whole(out, check)
    return out


def require_contents(folder: Path, mark: str, kind: str, shown: Path) -> None:
    """Refuse a folder that holds anything that is not ours, or a file that was changed since.

    Parameters
    ----------
    folder
        The folder; it need not exist.
    mark, kind
        As for :func:`require_ours`.
    shown
        The place that a message names.

    Raises
    ------
    ValueError
        If it is a file, or holds such a thing.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{shown}: this is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()):
        files = _listed(folder / mark, kind)
        if files is None:  # nobody knows how much such a folder holds: it is not searched
            raise ValueError(f"{shown}: the folder holds what is not {kind} of ours; name another")
        require_unchanged(folder, {**files, mark: None}, kind, shown)


def require_unchanged(
    folder: Path, files: Mapping[str, str | None], kind: str, shown: Path
) -> None:
    """Refuse a folder of ours in which somebody has put or changed a file.

    Parameters
    ----------
    folder
        The folder.
    files
        Its files -> SHA-256; None where that is not known.
    kind
        What the folder is.
    shown
        The place that a message names.

    Raises
    ------
    ValueError
        If it holds another file or folder, or a file with another checksum.
    """
    folders = {parent.as_posix() for file in files for parent in Path(file).parents}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name not in (folders if path.is_dir() and not path.is_symlink() else files):
            raise ValueError(
                f"{shown}: the folder holds what is not {kind} of ours ({name}); name another"
            )
        checksum = files.get(name)
        if checksum is not None and (not path.is_file() or checksum != sha256(path)):
            raise ValueError(
                f"{shown}: {name} was changed after it was written, which would be lost; take it "
                "elsewhere, or name another folder"
            )


def judged_whole(out: Path, check: Callable[[], object]) -> None:
    """Call a check of a folder, and again if another process replaced the folder meanwhile.

    A check that began in one folder and ended in the next would find files that its mark does not
    list. No lock is held: one is taken when the folder is replaced, where it is checked again.

    Parameters
    ----------
    out
        The folder.
    check
        Raises if the folder is to be refused.

    Raises
    ------
    ValueError, OSError
        What the check raised on a folder that stayed in its place.
    """
    while True:
        before = _identity(out)
        try:
            check()
        except (ValueError, OSError):
            if _identity(out) == before:
                raise
        else:
            return


def _identity(out: Path) -> tuple[int, int] | None:
    """Return what tells a folder from one that takes its place; None where there is nothing."""
    try:
        found = out.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def require_writable(out: Path, what: str = "folder", *, within: bool = False) -> None:
    """Refuse a place that cannot be written, by making a folder beside it, or where that would be.

    Parameters
    ----------
    out
        What is to be written.
    what
        It is to be a ``"folder"`` or a ``"file"``.
    within
        Whether it is written into a folder that stays, if it is there; else that is replaced.

    Raises
    ------
    ValueError
        If nothing can be made there, it cannot be replaced, or its name is not text.
    OSError
        If there is no room.
    """
    try:
        str(out).encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{out}: this name is not in UTF-8; name another {what}") from None
    places = [out, *out.parents] if within else out.parents
    there = next(folder for folder in places if folder.exists())
    try:
        with tempfile.TemporaryDirectory(prefix=HIDDEN, dir=there):
            pass
    except OSError as error:
        raise_interruption(error)
        if is_full(error):
            raise OSError(error.errno, error.strerror, str(there)) from None
        why = f"in {there} no {what} can be made" if there.is_dir() else f"{there} is no folder"
        reason = f" ({reason_of(error)})" if there.is_dir() else ""
        raise ValueError(f"{out}: {why}{reason}; name another") from None
    if not within and out.is_dir():
        if out.is_mount():
            raise ValueError(
                f"{out}: a disk is mounted here, so this folder cannot be replaced as a whole; "
                "name a folder in it"
            )
        if _current().is_relative_to(out):
            raise ValueError(
                f"{out}: this is the current folder, or around it, and is replaced as a whole; "
                "name a folder in it"
            )
        if not os.access(out, os.W_OK):
            raise ValueError(f"{out}: this folder may not be written; allow it, or name another")


def _current() -> Path:
    """Return the current folder; one that is gone lies nowhere."""
    try:
        return Path.cwd()
    except OSError:
        return Path()


@contextmanager
def whole_folder(
    out: Path, still_ours: Callable[[Path], object] = lambda folder: None
) -> Iterator[Path]:
    """Give an empty folder to fill, and put it in the place of ``out`` if nothing is raised.

    What was there comes back if that fails or is interrupted; where the process is killed in
    between, with the next call for any place beside it, and with the next command that has such a
    place as ``--out``, even where that is refused. One process at a time works on a place.

    Parameters
    ----------
    out
        The folder wanted.
    still_ours
        Called with what was there, once it is taken out of its place, where nobody changes it
        any more; raises if that must not be lost. Much may have happened since the work began.

    Raises
    ------
    ValueError
        If another process is at work on it.
    """
    with beside(out) as folder, naming(out, folder):
        filled, before = folder / FILLED, folder / BEFORE / out.name
        filled.mkdir()
        before.parent.mkdir()
        yield filled
        if out.exists():
            out.rename(before)
            still_ours(before)
        filled.rename(out)


def _listed(mark: Path, kind: str) -> dict[str, str | None] | None:
    """Return the files that a folder of ours holds by its mark; None where it is not ours."""
    if not mark.is_file():
        return None
    try:
        about = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(about, dict) or about.get("kind") != kind:
        return None
    return listed(about.get("files"))


def listed(files: object) -> dict[str, str | None] | None:
    """Return the files that a mark lists -> SHA-256; None where it lists nothing.

    Folders of earlier versions list no checksums.
    """
    if isinstance(files, list) and all(isinstance(name, str) for name in files):
        return dict.fromkeys(files)
    if isinstance(files, dict) and all(isinstance(e, str) for pair in files.items() for e in pair):
        return dict(files)
    return None


def files_of(folder: Path) -> dict[str, str]:
    """Return the files in a folder, with "/", -> SHA-256."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path) for path in files}


def write_mark(folder: Path, mark: str, about: dict[str, Any]) -> None:
    """Write what is said about a folder, its files included, as its last file."""
    about["files"] = files_of(folder)
    text = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
    (folder / mark).write_text(text, encoding="utf-8", newline="\n")
