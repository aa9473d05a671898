"""Zip files read as folders.

Contents
--------
unpacked    a zip file -> a temporary folder with what is in it
"""

import stat
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from ordbook.data.archives import DAMAGE, REPACK, damaged, name_of
from ordbook.data.faults import is_full, reason_of
from ordbook.data.limits import LARGEST, most_unpacked
from ordbook.data.locks import temporary_folder
from ordbook.data.names import shown
from ordbook.data.problems import LONGEST, Problems

MOST_FILES = 20_000
MOST_BYTES = 2_000_000_000  # of all files, unpacked
DEEPEST = 50  # folders within each other
LONGEST_NAME = 255  # bytes, which nearly all file systems have room for


@contextmanager
def unpacked(path: Path, problems: Problems) -> Iterator[Path | None]:
    """Unpack a zip file into a temporary folder, which is removed afterwards.

    What names a place outside the folder, is a link, or is too large is refused before anything
    is written. A single folder that holds all the rest is entered.

    Parameters
    ----------
    path
        The zip file.
    problems
        Gets what is wrong; None is then yielded.

    Raises
    ------
    OSError
        If there is no room for temporary files.
    """
    if not path.is_file():
        problems.add(
            path,
            found="a pipe or a device",
            expected="a zip file",
            fix="put a plain file there",
        )
        yield None
        return
    with temporary_folder() as temporary:
        folder = temporary / (path.stem.strip(".") or "task")
        folder.mkdir()
        before = len(problems)
        place = str(path)
        try:
            with zipfile.ZipFile(path) as archive:
                entries = _entries(path, archive, problems)
                if len(problems) == before:
                    for info in entries:
                        place = f"{path}/{shown(info.filename, LONGEST)}"
                        _unpack(archive, info, folder)
        except DAMAGE as error:
            problems.add(
                path,
                found=damaged(error),
                expected="a whole one",
                fix="get it again",
            )
        except OSError as error:
            if is_full(error):  # which is not the zip file's fault
                system = f"{tempfile.gettempdir()} (temporary files; TMPDIR names another folder)"
                raise OSError(error.errno, error.strerror, system) from None
            problems.add(
                place,
                found=f"what cannot be unpacked ({reason_of(error)})",
                expected="a zip file",
                fix="unpack it yourself, and name the folder",
            )
        yield _inner(folder) if len(problems) == before else None


def _entries(path: Path, archive: zipfile.ZipFile, problems: Problems) -> list[zipfile.ZipInfo]:
    """Return the files to unpack; hidden ones that macOS adds are left out."""
    entries = [
        info
        for info in archive.infolist()
        if not info.filename or (not info.is_dir() and not info.filename.startswith("__MACOSX/"))
    ]
    total = sum(info.file_size for info in entries)
    if len(entries) > MOST_FILES or total > MOST_BYTES:
        problems.add(
            path,
            found=f"{len(entries)} files of {total} bytes",
            expected=f"at most {MOST_FILES} of {MOST_BYTES}",
            fix="unpack it yourself, and name the folder",
        )
    unknown: set[str] = set()
    for info in entries:
        name, known = name_of(info)
        if not known:
            unknown.add(name)
        info.filename = name  # the original one stays, by which the archive finds it
    paths = [PurePosixPath(info.filename) for info in entries]
    folders = {
        str(folder).casefold()
        for inside in paths
        if len(inside.parts) <= DEEPEST
        for folder in inside.parents
    }
    seen: dict[str, str] = {}
    for info, inside in zip(entries, paths, strict=True):
        key = str(inside).casefold()
        fix = "pack the folder again"
        if info.filename in unknown:
            fault, fix = "a name that is not in UTF-8", REPACK
        elif fault := _fault(info, inside.parts):
            pass
        elif key in seen:
            fault = "the same file twice"
            if seen[key] != str(inside):
                fault = f"the name of {shown(seen[key], LONGEST)} but for capitals"
                fix = f"rename one, as some systems take them for the same, and {fix}"
        elif key in folders:
            fault, fix = "a file and a folder of the same name", f"rename one, and {fix}"
        seen.setdefault(key, str(inside))
        if fault:
            problems.add(
                f"{path}/{shown(info.filename, LONGEST)}",
                found=fault,
                expected="plain files inside the folder, each once",
                fix=fix,
            )
    return entries


def _fault(info: zipfile.ZipInfo, parts: tuple[str, ...]) -> str:
    """Return what is wrong with an entry by itself, or an empty text."""
    name = info.filename
    if name.startswith("/") or ".." in parts or "\\" in name or ":" in name.partition("/")[0]:
        return "a name that leads out of the folder"
    if not name:
        return "a file without a name"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link"
    if info.flag_bits & 1:
        return "an encrypted file"
    if info.file_size > LARGEST:
        return f"{info.file_size} bytes"
    if info.file_size > most_unpacked(info.compress_size):
        return f"{info.compress_size} bytes that unpack to {info.file_size}"
    if len(parts) > DEEPEST:
        return f"a file {len(parts) - 1} folders deep"
    longest = max((len(part.encode()) for part in parts), default=0)
    if longest > LONGEST_NAME:
        return f"a name of {longest} bytes, more than {LONGEST_NAME}"
    return ""


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> None:
    target = folder.joinpath(*PurePosixPath(info.filename).parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    left = info.file_size
    # What is read ends at the size that was checked, whatever the packed data say.
    with archive.open(info) as packed, target.open("xb") as file:
        while left > 0 and (block := packed.read(min(left, 1 << 20))):
            file.write(block)
            left -= len(block)
        if packed.read(1):
            raise zipfile.BadZipFile("a file is larger than it says")


def _inner(folder: Path) -> Path:
    inside = [path for path in folder.iterdir() if not path.name.startswith(".")]
    alone = len(inside) == 1 and inside[0].is_dir() and inside[0].name != "runs"
    return inside[0] if alone else folder
