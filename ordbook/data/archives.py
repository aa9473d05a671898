"""Zip files and folders of many small files, read without unpacking anything to disk.

Contents
--------
members            the files of a zip file or a folder whose names match a pattern
name_of            the name of an entry of a zip file, whichever program wrote it
checksum_of_many   one checksum of many files
damaged            what is said about a damaged zip file
"""

import hashlib
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from ordbook.data.catalog import sha256
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.unchanged import look

# What the standard library raises for one or another kind of damage.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    UnicodeDecodeError,  # a name that is not in the encoding it says
)
# The largest real file has 67 kB, and there are at most 415 of a kind.
LARGEST, MOST = 1_000_000, 1_000
REPACK = "pack the folder again, with names in UTF-8"
_UTF8 = 0x800  # the flag that says that a name is


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
        Gets what is wrong: the zip file is damaged, there is no file or there are too many, or
        one is too large.

    Yields
    ------
    tuple
        Where the file is, for messages, its match and its content.
    """
    entries: list[tuple[str, int, Callable[[], IO[Any]]]]
    unknown: dict[str, str] = {}
    whole = Place(str(path))
    with problems.collect(), ExitStack() as stack:
        with _damage(whole):
            if path.is_dir():
                entries = [
                    (
                        file.relative_to(path).as_posix(),
                        file.stat().st_size,
                        partial(file.open, "rb"),
                    )
                    for file in path.rglob("*")
                    if file.is_file()
                ]
            elif path.exists() and not path.is_file():
                raise Wrong(
                    whole,
                    found="a pipe or a device",
                    expected="a zip file or a folder",
                    fix="put a plain file there",
                )
            else:
                archive = stack.enter_context(zipfile.ZipFile(path))
                if archive.fp is not None:
                    look(path, archive.fp)
                entries = []
                for info in archive.infolist():
                    name, known = name_of(info)
                    if not known:
                        unknown[info.filename] = name
                    entries.append(
                        (
                            name if known else info.filename,
                            info.file_size,
                            partial(archive.open, info),
                        )
                    )
        entries.sort(key=lambda entry: entry[0])
        matches = [(entry, match) for entry in entries if (match := pattern.fullmatch(entry[0]))]
        if not 0 < len(matches) <= MOST:
            raise Wrong(
                whole,
                found=f"{len(matches)} {what}",
                expected=f"1 to {MOST}",
                fix="this is something else: name another file or folder",
            )
        for (name, size, opened), match in matches:
            where = Place(f"{path}/{unknown.get(name, name)}")
            if name in unknown:
                problems.add(
                    where.file, found="a name that is not in UTF-8", expected="UTF-8", fix=REPACK
                )
                continue
            if size > LARGEST:
                problems.add(
                    where.file,
                    found=f"{size} bytes",
                    expected=f"at most {LARGEST}",
                    fix="get it again",
                )
                continue
            content = None
            with problems.collect(), _damage(where), opened() as member:
                content = member.read(LARGEST + 1)
            if content is not None:
                yield where, match, content


def name_of(info: zipfile.ZipInfo) -> tuple[str, bool]:
    """Return the name of an entry of a zip file, and whether it is known.

    Many programs, ``zip`` on Linux among them, write names in UTF-8 and do not say so; Python
    takes these for the letters of the first PCs. Where they are not UTF-8 either, the encoding is
    unknown, and the name is returned with escapes.
    """
    name = info.filename
    # Another name than the original one comes from a field for names in Unicode.
    if name.isascii() or info.flag_bits & _UTF8 or not info.orig_filename.startswith(name):
        return name, True
    written = name.encode("cp437")
    try:
        return written.decode(), True
    except UnicodeDecodeError:
        return written.decode("ascii", "backslashreplace"), False


def checksum_of_many(folder: Path, paths: Iterable[Path]) -> str:
    """Return one checksum of many files: of their names and checksums."""
    lines = (f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def damaged(error: Exception) -> str:
    """Return what is said about a damaged zip file."""
    why = "a name that is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
    if isinstance(error, RecursionError):
        why = "folders nested too deeply"
    if isinstance(error, zlib.error | lzma.LZMAError):
        why = "its data cannot be unpacked"
    return f"a damaged zip file ({why})"


@contextmanager
def _damage(where: Place) -> Iterator[None]:
    """Turn what damaged files raise into a problem."""
    try:
        yield
    except DAMAGE as error:
        raise Wrong(
            where,
            found=damaged(error),
            expected="a whole one",
            fix="get it again",
        ) from None
    except OSError as error:
        raise Wrong(
            where,
            found=f"what cannot be read ({error.strerror or error})",
            expected="a zip file or a folder",
            fix="put it there",
        ) from None
