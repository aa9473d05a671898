"""Zip files: unpacked for a while, or the files in them read one by one."""

import hashlib
import lzma
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath

from ordbook.data.problems import Place, Problems, Wrong
from ordbook.files import sha256

LARGEST = 500_000_000  # bytes, unpacked; the largest real archive has 104 MB
# What the standard library raises for one or another kind of damage.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,  # an encrypted file
    UnicodeDecodeError,
    OSError,
)


@contextmanager
def unpacked(path: Path, problems: Problems) -> Iterator[Path | None]:
    """Unpack a zip file into a temporary folder, which is removed afterwards.

    A single folder that holds all the rest is entered. None is yielded for a file that is damaged,
    too large, or names a place outside of the folder.
    """
    with tempfile.TemporaryDirectory(prefix="ordbook-") as temporary:
        folder = Path(temporary) / (path.stem.strip(".") or "task")
        inner = None
        with problems.collect(), _opened(path) as archive:
            for name in archive.namelist():
                if name.startswith("/") or ".." in PurePosixPath(name).parts:
                    fault = "a name that leads out of the folder"
                    raise Wrong(Place(f"{path}/{name}"), found=fault, fix="pack the folder again")
            archive.extractall(folder)
            folder.mkdir(exist_ok=True)
            inside = [
                entry for entry in folder.iterdir() if not entry.name.startswith((".", "__MA"))
            ]
            alone = len(inside) == 1 and inside[0].is_dir() and inside[0].name != "runs"
            inner = inside[0] if alone else folder
        yield inner


def members(
    path: Path, pattern: re.Pattern[str], what: str, problems: Problems
) -> Iterator[tuple[Place, re.Match[str], bytes]]:
    """Yield the files of a zip file, or of a folder of any depth, ordered by name.

    Their whole names, with their folders, match the pattern; ``what`` says what they are. Of each
    comes where it is, for messages, its match and its content.
    """
    with problems.collect(), _files(path) as files:
        matches = [match for name in sorted(files) if (match := pattern.fullmatch(name))]
        if not matches:
            raise Wrong(path, found=f"no {what}", fix="name the file or folder that holds them")
        for match in matches:
            yield Place(f"{path}/{match[0]}"), match, files[match[0]]()


def checksum_of_many(folder: Path, paths: Iterable[Path]) -> str:
    """Return one checksum of many files: of their names and checksums."""
    lines = (f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@contextmanager
def _files(path: Path) -> Iterator[dict[str, Callable[[], bytes]]]:
    """Yield name -> how to read it, of the files of a folder or a zip file."""
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.is_file()]
        yield {file.relative_to(path).as_posix(): file.read_bytes for file in files}
    else:
        with _opened(path) as archive:
            yield {name: partial(archive.read, name) for name in archive.namelist()}


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file of limited size; its faults are raised as Wrong."""
    try:
        # Many programs write names in UTF-8 and do not say so.
        with zipfile.ZipFile(path, metadata_encoding="utf-8") as archive:
            if (total := sum(info.file_size for info in archive.filelist)) > LARGEST:
                fault = f"{total:,} bytes when unpacked"
                raise Wrong(path, found=fault, fix="unpack it yourself, and name the folder")
            yield archive
    except _DAMAGE as error:
        fault = f"a file that cannot be unpacked ({getattr(error, 'strerror', None) or error})"
        fix = "get it again, or unpack it yourself and name the folder"
        raise Wrong(path, found=fault, fix=fix) from None
