"""Zip files: read as folders, or the files in them read one by one."""

import hashlib
import lzma
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path, PurePosixPath

from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.text import LARGEST
from ordbook.files import sha256

# What the standard library raises for one or another kind of damage.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)
_PACK = "pack the folder again"


@contextmanager
def unpacked(path: Path, problems: Problems) -> Iterator[Path | None]:
    """Unpack a zip file into a temporary folder, which is removed afterwards.

    A single folder that holds all the rest is entered. What names a place outside the folder, is
    a link or is too large is refused before anything is written: None is then yielded.

    Raises
    ------
    OSError
        If there is no room for temporary files.
    """
    with tempfile.TemporaryDirectory(prefix="ordbook-") as temporary:
        folder = Path(temporary) / (path.stem.strip(".") or "task")
        folder.mkdir()
        inner = None
        with problems.collect(), _opened(path) as archive:
            _refuse_names(path, archive)
            try:
                archive.extractall(folder)
            except _DAMAGE as error:
                raise Wrong(path, found=_damaged(error), fix="get the file again") from None
            except OSError as error:
                if isinstance(error, FileExistsError | IsADirectoryError | NotADirectoryError) or (
                    "name too long" in str(error.strerror).lower()
                ):
                    found = f"a file that cannot be unpacked ({error.strerror})"
                    fix = "unpack it yourself, and name the folder"
                    raise Wrong(path, found=found, fix=fix) from None
                raise
            inside = [each for each in folder.iterdir() if not each.name.startswith((".", "__MA"))]
            alone = len(inside) == 1 and inside[0].is_dir() and inside[0].name != "runs"
            inner = inside[0] if alone else folder
        yield inner


def members(
    path: Path, pattern: re.Pattern[str], what: str, problems: Problems
) -> Iterator[tuple[Place, re.Match[str], bytes]]:
    """Yield the files of a zip file, or of a folder of any depth, ordered by name.

    Parameters
    ----------
    path
        The zip file or the folder.
    pattern
        What the whole name of a file must match, with its folders; other files are not read.
    what
        What these files are, for messages: ``"dialogues"``.
    problems
        Gets what is wrong.

    Yields
    ------
    tuple
        Where the file is, for messages, its match and its content.
    """
    entries: dict[str, Callable[[], bytes]] = {}
    with ExitStack() as stack:
        with problems.collect():
            if path.is_dir():
                files = [file for file in path.rglob("*") if file.is_file()]
                entries = {file.relative_to(path).as_posix(): file.read_bytes for file in files}
            else:
                archive = stack.enter_context(_opened(path))
                entries = {info.filename: partial(archive.read, info) for info in archive.filelist}
            if not any(map(pattern.fullmatch, entries)):
                raise Wrong(path, found=f"no {what}", fix="name the file or folder that holds them")
        for name in sorted(entries):
            if match := pattern.fullmatch(name):
                where = Place(f"{path}/{name}")
                content = None
                with problems.collect():
                    try:
                        content = entries[name]()
                    except (*_DAMAGE, OSError) as error:
                        raise Wrong(where, found=_damaged(error), fix="get it again") from None
                if content is not None:
                    yield where, match, content


def checksum_of_many(folder: Path, paths: Iterable[Path]) -> str:
    """Return one checksum of many files: of their names and checksums."""
    lines = (f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file that is not too large; what is wrong with it is raised as Wrong."""
    try:
        # Many programs write names in UTF-8 and do not say so.
        archive = zipfile.ZipFile(path, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        fix = f"{_PACK}, with names in UTF-8"
        raise Wrong(path, found="a name that is not in UTF-8", fix=fix) from None
    except (*_DAMAGE, OSError) as error:
        raise Wrong(path, found=_damaged(error), fix="get the file again") from None
    with archive:
        total = sum(info.file_size for info in archive.filelist)
        if total > 4 * LARGEST or any(info.file_size > LARGEST for info in archive.filelist):
            found = f"{total:,} bytes when unpacked"
            raise Wrong(path, found=found, fix="unpack it yourself, and name the folder")
        yield archive


def _refuse_names(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse entries that are no plain files inside of the folder, each once."""
    seen: set[str] = set()
    for info in archive.filelist:
        name = info.filename
        where = Place(f"{path}/{name[:100]}")
        if name.startswith("/") or ".." in PurePosixPath(name).parts or ":" in name.split("/")[0]:
            raise Wrong(where, found="a name that leads out of the folder", fix=_PACK)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise Wrong(where, found="a link", fix=f"{_PACK}, with the file itself")
        if info.flag_bits & 1:
            raise Wrong(where, found="an encrypted file", fix=f"{_PACK}, without a password")
        if name.casefold() in seen:
            fix = f"rename one, and {_PACK}"
            raise Wrong(where, found="the same name twice, capitals left aside", fix=fix)
        seen.add(name.casefold())


def _damaged(error: Exception) -> str:
    """Return what is said about a damaged zip file."""
    unpacking = isinstance(error, zlib.error | lzma.LZMAError)
    return f"a damaged file ({'its data cannot be unpacked' if unpacking else error})"
