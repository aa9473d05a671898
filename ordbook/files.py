"""Where files are found, which only this module knows; their checksums; and files written whole."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


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


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files, of text in UTF-8, by their names relative to a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))


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
    if mirror and not Path(mirror).expanduser().is_dir():
        raise ValueError(f"ORDBOOK_MIRROR={mirror} is not a folder: correct it or unset it")
    return Path(mirror).expanduser() if mirror else None


def sha256(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it appears whole or not at all; text in UTF-8, with plain line ends.

    Raises
    ------
    OSError
        If it cannot be written; it names the file.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)
