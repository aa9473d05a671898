"""Where files are found, which only this module knows; and how one is written whole."""

import os
from collections.abc import Mapping
from contextlib import suppress
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
    """Folder for fetched files: ``ORDBOOK_CACHE``, else the system's cache folder of the user."""
    if chosen := os.environ.get("ORDBOOK_CACHE"):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_dir  # of an extra, without which commands show their help

    return Path(user_cache_dir("ordbook", appauthor=False))


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
    """Write files so that each appears whole or not at all, and none before all are on the disk."""
    made = {path: path.with_name(f".{path.name}.{os.getpid()}.tmp") for path in files}
    try:
        for path, content in files.items():
            made[path].write_bytes(content.encode() if isinstance(content, str) else content)
        for path, beside in made.items():
            beside.replace(path)
    finally:
        for beside in made.values():
            with suppress(OSError):
                beside.unlink(missing_ok=True)
