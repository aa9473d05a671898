"""Where files are found, which only this module knows; and how one is written whole.

Contents
--------
share           a file that travels with ordbook (chapters, printed values, scores)
cache_folder    the folder for fetched files
mirror_folder   the folder that stands in for the network, if there is one
raw_roots       the folders in which raw data files are looked for
write_whole     write a file so that it appears whole or not at all
"""

import os
from pathlib import Path

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
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
