"""Paths of the project's files, which only this module knows; checksums; whole writes."""

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

_PACKAGE = Path(__file__).resolve().parent


def share(*parts: str) -> Path:
    """Path of a file or folder that travels with ordbook.

    An installed wheel holds ``book/``, ``data/`` and the book's configuration under
    ``ordbook/_share``; in a clone they stand beside the package.
    """
    for root in (_PACKAGE / "_share", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(
        f"{'/'.join(parts)} is not part of this installation of ordbook: reinstall it"
    )


def similar_file(path: Path) -> Path | None:
    """Return the file or folder beside a missing one whose name is most like its, or None."""
    from difflib import get_close_matches  # which most programs never need

    with suppress(OSError, ValueError):
        for name in get_close_matches(path.name, [file.name for file in path.parent.iterdir()], 1):
            return path.with_name(name)
    return None


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
    """Folder that stands in for the network: ``ORDBOOK_MIRROR``, or None; refuse a wrong one."""
    mirror = os.environ.get("ORDBOOK_MIRROR")
    if mirror and not Path(mirror).expanduser().is_dir():
        raise ValueError(f"ORDBOOK_MIRROR={mirror} is not a folder: correct it or unset it")
    return Path(mirror).expanduser() if mirror else None


def sha256(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it appears whole or not at all; text in UTF-8, with plain line ends."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)


def require_new(
    out: str | Path, overwrite: bool = False, inputs: Iterable[str | Path] = ()
) -> Path:
    """Return the absolute path of a place for results; refuse one that is taken or impossible.

    Raises
    ------
    ValueError
        If it is a file, is not empty (without ``overwrite``), lies in or around one of the
        ``inputs``, or cannot be made or replaced.
    """
    try:
        out, *places = (Path(path).expanduser().resolve() for path in (out, *inputs))
    except (RuntimeError, OSError, ValueError) as error:
        raise ValueError(f"{out}: {error}; name another folder") from None
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: this is a file; name a folder")
    for data in places:
        if out == data or data in out.parents or out in data.parents:
            raise ValueError(f"{out}: this lies within the data, or the data in it; name another")
    if out.is_mount() or Path.cwd().is_relative_to(out):
        raise ValueError(f"{out}: this folder is in use as a whole; name a new folder in it")
    if not overwrite and out.is_dir() and any(out.iterdir()):
        raise ValueError(
            f"{out}: this folder is not empty; name another, or add "
            "--overwrite (in Python overwrite=True)"
        )
    existing = next(folder for folder in out.parents if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise ValueError(f"{out}: no folder can be made in {existing}; name another")
    return out


@contextmanager
def whole_folder(
    out: str | Path, overwrite: bool = False, inputs: Iterable[str | Path] = ()
) -> Iterator[Path]:
    """Make an empty folder that replaces ``out`` when the ``with`` ends without an error.

    Until then it lies in a hidden folder beside ``out``, which no other process uses. Parameters
    and refusals are those of :func:`require_new`.
    """
    out = require_new(out, overwrite, inputs)
    missing = [path for path in out.parents if not path.exists()]
    out.parent.mkdir(parents=True, exist_ok=True)
    name = f".{out.name}.{os.getpid()}-"
    hidden = Path(mkdtemp(prefix=name, suffix=".unfinished", dir=out.parent))
    new, before = hidden / "made", hidden / "before"
    try:
        new.mkdir()
        yield new
        _put_in_place(new, out, before if overwrite else None)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
        for parent in missing:
            with suppress(OSError):  # it holds the results
                parent.rmdir()


def _put_in_place(new: Path, out: Path, before: Path | None) -> None:
    """Rename ``new`` to ``out``, an old ``out`` to ``before``; without that it must be empty."""
    try:
        with suppress(FileNotFoundError):
            out.rmdir() if before is None else out.rename(before)
        new.rename(out)  # which fails if there is anything
    except BaseException as error:
        if before is not None:
            with suppress(OSError):
                before.rename(out)
        if isinstance(error, OSError) and out.is_dir() and any(out.iterdir()):
            raise ValueError(
                f"{out}: another process has filled this folder; name another"
            ) from None
        raise
