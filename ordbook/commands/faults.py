"""What an error of the operating system means to a user.

Contents
--------
explain   an error -> one line and the exit code
"""

import errno

from ordbook.data.faults import is_full, number_of, reason_of

# Nothing was wrong with what was asked for; the machine could not do it.
_MACHINE = {
    errno.EIO: "the disk or the connection to it fails; copy what you need, and use another",
    errno.ENOMEM: "close other programs, or ask for less at a time",
    errno.EAGAIN: "close other programs, or ask for less at a time",
    errno.EMFILE: "close other programs, or raise the limit (ulimit -n)",
    errno.ENFILE: "close other programs",
}
_FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)


def explain(error: OSError) -> tuple[str, int]:
    """Say in one line what happened, where, and what to do; and return the exit code.

    It is 1 where the machine failed, and 2 where something else must be asked for.
    """
    number, reason = number_of(error), reason_of(error)
    name = error.filename2 if is_full(error) and error.filename2 is not None else error.filename
    line = reason if name is None else f"{name}: {reason}"
    if number is None:
        return str(error), 2
    if is_full(error):
        return f"{line}; make room there or use another disk, then run the same command again", 1
    if number in _MACHINE:
        return f"{line}; {_MACHINE[number]}, then run the same command again", 1
    if number in _FORBIDDEN and name is not None:
        return f"{line}; allow it, or name another place", 2
    if name is None and "temporary directory" in (said := str(error.strerror)):
        return f"{said}; make room in one of them, or name another folder with TMPDIR", 1
    if name is None:  # what the system did not say, Python may have
        return str(error.strerror or error), 2
    return line, 2
