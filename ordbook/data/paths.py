"""Where files are found, which only this module knows; and how one is written whole.

Contents
--------
share           a file that travels with ordbook (chapters, printed values, scores)
cache_folder    the folder for fetched files
mirror_folder   the folder that stands in for the network, if there is one
raw_roots       the folders in which raw data files are looked for
write_whole     write a file so that it appears whole or not at all
write_all       write several so; the first takes its place when all are on the disk
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ordbook.data.faults import naming

_PACKAGE = Path(__file__).resolve().parent.parent


def share(*parts: str) -> Path:
    """Path of a file or folder that travels with ordbook.

    An installed wheel holds ``book/``, ``data/`` and the book's configuration under
    ``ordbook/_share``; in a clone they stand beside the package.

    Raises
    ------
    FileNotFoundError
        If neither place has it.

    Examples
    --------
    >>> share("data", "catalog.toml").name
    'catalog.toml'
    """
    for root in (_PACKAGE / "_share", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(
        f"{'/'.join(parts)} is not part of this installation of ordbook: reinstall it"
    )


def cache_folder() -> Path:
    """Folder for fetched files: ``ORDBOOK_CACHE``, else the user's cache folder."""
    if chosen := os.environ.get("ORDBOOK_CACHE"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "ordbook"


def mirror_folder() -> Path | None:
    """Folder that stands in for the network: ``ORDBOOK_MIRROR``, or None.

    Raises
    ------
    ValueError
        If ``ORDBOOK_MIRROR`` is set to what is not a folder.
    """
    mirror = os.environ.get("ORDBOOK_MIRROR")
    if not mirror:
        return None
    folder = Path(mirror).expanduser()
    if not folder.is_dir():
        raise ValueError(f"ORDBOOK_MIRROR={mirror} is not a folder: correct it or unset it")
    return folder


def raw_roots() -> list[Path]:
    """Folders in which raw files are looked for: ``ORDBOOK_MIRROR`` first, then the cache."""
    mirror = mirror_folder()
    return ([mirror] if mirror else []) + [cache_folder() / "raw"]


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it appears whole or not at all; text in UTF-8, with plain line ends."""
    write_all({path: content})


def write_all(files: Mapping[Path, str | bytes]) -> None:
    """Write files so that each appears whole or not at all, and none before all are on the disk.

    Temporary files that killed processes left beside them are removed.

    Raises
    ------
    OSError
        If one cannot be written; it names that file.
    """
    made: dict[Path, Path] = {}
    try:
        for path, content in files.items():
            _remove_abandoned(path)
            beside = made[path] = path.with_name(f".{path.name}.{os.getpid()}.tmp")
            with naming(path, beside):
                beside.write_bytes(content.encode() if isinstance(content, str) else content)
        for path, beside in made.items():
            with naming(path, beside):
                beside.replace(path)
    finally:
        for beside in made.values():
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def _remove_abandoned(path: Path) -> None:
    """Remove the temporary files of a path whose processes are no more, where that is known."""
    name = re.compile(rf"\.{re.escape(path.name)}\.(\d+)\.tmp")
    try:
        found = {
            entry: match for entry in path.parent.iterdir() if (match := name.fullmatch(entry.name))
        }
    except OSError:  # what is wrong with the folder, writing will say
        return
    for entry, match in found.items():
        with suppress(ImportError, OSError):
            import psutil

            if not psutil.pid_exists(int(match[1])):
                entry.unlink(missing_ok=True)
