"""The command ``ordbook``.

Contents
--------
main   parse the command line, do what it says, return the exit code

Exit codes: 0 done; 1 a chapter failed while it ran, a file did not arrive, or there was no room on
the disk; 2 something asked for is not possible, and nothing has been changed; 130 interrupted; 143
terminated.
"""

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import ordbook
from ordbook.commands import (
    STDOUT,
    Terminated,
    audit,
    catalogue,
    check,
    completion,
    convert,
    ending,
    exercise,
    fail,
    progress,
    rerun,
    score,
    slides,
    student,
    sweep,
)
from ordbook.commands.faults import explain
from ordbook.data.faults import naming
from ordbook.data.names import shown
from ordbook.extras import to_install

# What the extra ``analysis`` brings; everything else comes with ``book``.
ANALYSIS = {
    *("filelock", "numba", "pandas", "platformdirs"),
    *("pooch", "psutil", "requests", "scipy"),
}
EXTRAS = {"dask": "dask", "distributed": "dask", "openpyxl": "excel"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``ordbook --help``."""
    _settle()
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        _check_surroundings()
        with ending():
            _put_back(getattr(options, "out", None))
            code = int(options.run(options))
            if sys.stdout is not None:
                with naming(STDOUT):  # not at Python's end, where nobody could say what is wrong
                    sys.stdout.flush()
        return code
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ordbook":
            raise
        missing = error.name.partition(".")[0]
        extra = "analysis" if missing in ANALYSIS else EXTRAS.get(missing, "book")
        return fail(f"this needs {error.name}: {to_install(extra)}", 2)
    except BrokenPipeError:
        # The reader of our output has gone, as `ordbook list | head` does: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _give_up_output()
        return fail(*explain(error))
    except MemoryError:
        return fail("there is not enough memory; close other programs, or ask for less", 1)
    except ValueError as error:
        return fail(str(error), 2)
    except KeyboardInterrupt:
        return fail("interrupted", 130)
    except Terminated:
        return fail("terminated", 143)


def _give_up_output() -> None:
    """Let Python end quietly where nothing can be written to stdout any more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Refuses in words that a terminal shows: arguments may be names of files."""

    def error(self, message: str) -> NoReturn:
        super().error(shown(message))


def _settle() -> None:
    """Let a terminal show any name, and let nothing in the current folder say how to compute."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an encoding without these letters is no fault
            stream.reconfigure(errors="backslashreplace")
    # Numba would take its settings from a file there, such as the folder of the code that it runs.
    for name in ("NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES"):
        os.environ.setdefault(name, "")


def _check_surroundings() -> None:
    """Refuse what would end the libraries, or any path, with a message of theirs."""
    date = os.environ.get("SOURCE_DATE_EPOCH", "0")
    if not re.fullmatch(r"[0-9]{1,11}", date):
        raise ValueError(
            f"SOURCE_DATE_EPOCH={date[:40]} is no whole number of seconds: correct it or unset it"
        )
    threads = os.environ.get("NUMBA_NUM_THREADS", "").strip()
    if re.fullmatch(r"[+-]?0+|-[0-9]+", threads):
        raise ValueError(
            f"NUMBA_NUM_THREADS={threads[:40]} is no number of threads: correct it or unset it"
        )
    try:
        Path.cwd()
    except OSError:
        raise ValueError(
            "the current folder is gone, or may not be read: change to another (cd), and run the "
            "same command again"
        ) from None


def _put_back(out: str | None) -> None:
    """Put back what a killed command had taken out of its place beside `out`, and say so."""
    with suppress(OSError, RuntimeError, ValueError):  # of no path: the command says what is wrong
        parent = Path(out or "").expanduser().resolve().parent
        if out and any(parent.glob(".ordbook-*")):
            from ordbook.report.workshop import put_back

            for place in put_back(parent):
                progress(f"{place}: what a killed command was about to replace is here again")


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Parser(
        prog="ordbook",
        description="How to evaluate ordinal classification and ordinal quantification.",
    )
    parser.add_argument("--version", action="version", version=f"ordbook {ordbook.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (
        check,
        convert,
        score,
        rerun,
        sweep,
        catalogue,
        audit,
        student,
        exercise,
        slides,
    ):
        command.add(commands)
    completion.add(commands, parser)
    return parser
