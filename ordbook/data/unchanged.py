"""Files must stay as they are while a task is read from them.

Otherwise its checksums could be of other files than its numbers: a late submission may be put in
place of a file between two looks at it.

Contents
--------
watching   refuse, in this block, a file that is another at a second look
look       look at an open file
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from ordbook.data.problems import Place, Wrong

# File -> device, place, size and time of change, as first seen.
_Seen = dict[Path, tuple[int, int, int, int]]
_seen: ContextVar[_Seen | None] = ContextVar("seen", default=None)


@contextmanager
def watching() -> Iterator[None]:
    """Refuse, in this block, a file that is another at a second look."""
    token = _seen.set({})
    try:
        yield
    finally:
        _seen.reset(token)


def look(path: Path, file: IO[bytes]) -> None:
    """Look at an open file.

    Raises
    ------
    Wrong
        If the path led to another file before, or the file was written since.
    """
    seen = _seen.get()
    if seen is None:
        return
    found = os.fstat(file.fileno())
    now = found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    if seen.setdefault(path, now) != now:
        raise Wrong(
            Place(str(path)),
            found="another file than a moment before",
            expected="one that stays as it is while the task is read",
            fix="run the command again when nothing writes there",
        )
