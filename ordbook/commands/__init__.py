"""The commands of ``ordbook``, one module for each.

A module has ``add(commands)``, which describes its command to the parser and names the function
that runs it: it gets the options and returns the exit code. What a command needs is imported when
it runs, so that ``ordbook --help`` is quick and works without the extras.

Contents
--------
Commands      what the commands are added to
add_classes   describe --classes to a command that reads a task
fail          say in one line what is wrong, return an exit code
progress      say on stderr what happens
ending        let SIGTERM end what is within in good order, as Ctrl-C does
"""

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse._SubParsersAction


def add_classes(parser: argparse.ArgumentParser) -> None:
    """Describe ``--classes`` to a command that reads a task."""
    parser.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels from lowest to highest, separated by commas, where the files do not "
        "say so (write --classes=-1,0,1 with the equals sign)",
    )


def fail(message: str, code: int) -> int:
    """Say on stderr what is wrong, and return the exit code."""
    print(f"ordbook: {message}", file=sys.stderr)
    return code


def progress(line: str) -> None:
    """Say on stderr what happens."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def ending() -> Iterator[None]:
    """Let SIGTERM raise SystemExit with the code that shells give it, 143.

    By itself the signal would end the process at once, and leave kernels and folders behind.
    """

    def terminate(number: int, frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
