"""Where files are found: the only module that knows.

Contents
--------
share       a file that travels with ordbook (chapters, printed values, scores)
raw_roots   the folders in which raw data files are looked for
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


def raw_roots() -> list[Path]:
    """Folders in which raw files are looked for: ``ORDBOOK_MIRROR`` first, then the cache."""
    mirror = os.environ.get("ORDBOOK_MIRROR")
    return ([Path(mirror).expanduser()] if mirror else []) + [cache_folder() / "raw"]
