"""What goes wrong outside ordbook: a full disk, a folder that may not be written.

Contents
--------
naming     let errors of the system name a file or folder that the user knows
number_of  the system's number of an error
is_full    whether there was no room
reason_of  why, in the system's words
raise_interruption  Ctrl-C or SIGTERM, where an error hides it
"""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# No room, a quota, and a limit on the size of files.
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)
# What only writing can meet; the system often does not say with which file.
WRITING = (*FULL, errno.EROFS, errno.EIO)


@contextmanager
def naming(shown: object, *hidden: Path) -> Iterator[None]:
    """Let errors of the system name a file or folder that the user knows.

    Parameters
    ----------
    shown
        What they then name, where they name nothing, or what is in a hidden folder.
    hidden
        Folders in which something is made before it is put into its place.
    """
    try:
        yield
    except OSError as error:
        number = number_of(error)
        if number is None:
            raise
        names = _names(error)
        within = any(Path(name).is_relative_to(folder) for name in names for folder in hidden)
        if within or (not names and number in WRITING):
            raise OSError(number, os.strerror(number), str(shown)) from error
        raise


def _names(error: OSError) -> list[str]:
    """Return the files of an error; of a copy for which there was no room only the new one."""
    if error.errno is None and error.args and isinstance(error.args[0], list):
        return [str(copied[1]) for copied in error.args[0] if isinstance(copied, tuple)]
    names = [str(name) for name in (error.filename, error.filename2) if name is not None]
    return names[-1:] if is_full(error) else names


def number_of(error: OSError) -> int | None:
    """Return the system's number of an error; None for those that only are made to look like one.

    An error while many files were copied holds those of each, as text.
    """
    if error.errno is None:
        found = re.search(r"\[Errno (\d+)\]", str(error))
        return int(found[1]) if found else None
    return error.errno


def is_full(error: OSError) -> bool:
    """Return whether there was no room."""
    return number_of(error) in FULL


def reason_of(error: OSError) -> str:
    """Return why, in the system's words, without a capital."""
    number = number_of(error)
    text = os.strerror(number) if number is not None else str(error)
    return text[:1].lower() + text[1:]


def raise_interruption(error: OSError) -> None:
    """Raise Ctrl-C or SIGTERM again, where an error of removing a folder took its place.

    Python up to 3.12 may close a folder a second time when a signal comes just then.
    """
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, KeyboardInterrupt | SystemExit):
            raise found
        found = found.__context__
