"""A folder of results that appears whole or not at all.

Contents
--------
require_ours       refuse a folder whose replacement would lose anything that is not ours
first_stray        what a folder holds beside the files that are ours
require_writable   refuse a place that cannot be written
whole_folder       fill a folder beside the one wanted, then put it in its place
"""

import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ordbook.book.workshop import BEFORE, beside
from ordbook.data.faults import is_full, naming, reason_of


def require_ours(out: str | Path, mark: str, kind: str, inputs: Iterable[str | Path] = ()) -> Path:
    """Refuse a folder whose replacement would lose anything that is not ours.

    Parameters
    ----------
    out
        The folder wanted; it need not exist.
    mark
        Name of the JSON file by which a folder of ours is known: it has the ``kind`` under
        ``"kind"`` and lists all files of the folder under ``"files"``.
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
        If it is a file, holds anything else, has to do with an input or cannot be made.
    """
    try:
        out = Path(out).expanduser().resolve()
        places = [Path(place).expanduser().resolve() for place in inputs]
    except (RuntimeError, OSError, ValueError) as error:
        raise ValueError(f"{out}: {error}; name another folder, or other data") from None
    for data in places:
        if out == data or data in out.parents or out in data.parents:
            raise ValueError(f"{out}: this lies within the data, or the data in it; name another")
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: this is a file; name a folder")
    if out.is_dir() and any(out.iterdir()):
        ours = _listed(out / mark, kind)
        # Without the mark nobody knows how much a folder holds: it is not searched.
        stray = first_stray(out, ours) if ours else ""
        if stray is not None:
            shown = f" ({stray})" if stray else ""
            raise ValueError(
                f"{out}: the folder holds what is not {kind} of ours{shown}; name another"
            )
    require_writable(out)
    return out


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
        If nothing can be made there, or it cannot be replaced.
    OSError
        If there is no room.
    """
    places = [out, *out.parents] if within else out.parents
    there = next(folder for folder in places if folder.exists())
    try:
        with tempfile.TemporaryDirectory(prefix=".ordbook-", dir=there):
            pass
    except OSError as error:
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
        if not os.access(out, os.W_OK):
            raise ValueError(f"{out}: this folder may not be written; allow it, or name another")


@contextmanager
def whole_folder(out: Path, still_ours: Callable[[], object] = lambda: None) -> Iterator[Path]:
    """Give an empty folder to fill, and put it in the place of ``out`` if nothing is raised.

    What was there comes back if that fails; where the process is killed in between, with the next
    call for any place beside it, and with the next command that has such a place as ``--out``,
    even where that is refused. One process at a time works on a place.

    Parameters
    ----------
    out
        The folder wanted.
    still_ours
        Called before what is there is replaced; raises if that must not be lost. Much may have
        happened since the work began.

    Raises
    ------
    ValueError
        If another process is at work on it.
    """
    with beside(out) as folder, naming(out, folder):
        filled, before = folder / "filled", folder / BEFORE / out.name
        filled.mkdir()
        before.parent.mkdir()
        yield filled
        if out.exists():
            still_ours()
            out.rename(before)
        try:
            filled.rename(out)
        except OSError:
            if before.exists():
                before.rename(out)
            raise


def _listed(mark: Path, kind: str) -> set[str]:
    """Return the files that a folder of ours holds by its mark; none where it is not ours."""
    if not mark.is_file():
        return set()
    try:
        about = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return set()
    if not isinstance(about, dict) or about.get("kind") != kind:
        return set()
    files = about.get("files")
    return {str(file) for file in files} if isinstance(files, list) else set()


def first_stray(out: Path, ours: Collection[str]) -> str | None:
    """Return the first file or folder that is not ours; None where all are."""
    folders = {parent.as_posix() for file in ours for parent in Path(file).parents}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        known = name in (folders if path.is_dir() and not path.is_symlink() else ours)
        if not known:
            return name
    return None
