"""The command ``ordbook``.

Exit codes: 0 done; 1 a chapter failed while it ran, a file did not arrive, the machine could not do
it, or ordbook has a fault; 2 the command is not possible, and has changed nothing; 130 interrupted.
"""

import argparse
import io
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import ordbook
from ordbook.commands import (
    Help,
    audit,
    bundle,
    catalogue,
    check,
    convert,
    course,
    fail,
    report,
    rerun,
    score,
    sweep,
)
from ordbook.extras import to_install
from ordbook.show.parameters import RerunError
from ordbook.words import did_you_mean

# What the extras ``analysis`` and ``notebooks`` bring; all else comes with ``book``.
ANALYSIS = {
    *("filelock", "jinja2", "narwhals", "numba", "pandas", "platformdirs"),
    *("pooch", "requests", "scipy"),
}
NOTEBOOKS = {
    *("IPython", "markdown_it", "matplotlib", "nbclient"),
    *("nbconvert", "nbformat", "papermill", "seaborn", "yaml"),
}
EXTRAS = {
    "dask": "dask",
    "distributed": "dask",
    "openpyxl": "excel",
    "pyarrow": "parquet",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``ordbook --help``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an encoding without these letters is no fault
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stop)
    try:
        code = int(options.run(options))
        sys.stdout.flush()  # not at Python's end, where nobody could say what is wrong
        return code
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ordbook":
            raise
        missing = error.name.partition(".")[0]
        known = {**dict.fromkeys(ANALYSIS, "analysis"), **dict.fromkeys(NOTEBOOKS, "notebooks")}
        extra = {**known, **EXTRAS}.get(missing, "book")
        return fail(f"this needs {error.name}: {to_install(extra)}", 2)
    except BrokenPipeError:
        # The reader of our output has gone, as `ordbook list | head` does: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{error.filename}: {reason}" if error.filename else reason
        return fail(message, 1 if error.errno else 2)  # without a number it is ordbook's own
    except RerunError as error:
        return fail(str(error), 1)
    except ValueError as error:
        return fail(_with_option(str(error), vars(options)), 2)
    except KeyboardInterrupt:
        return fail("interrupted", 130)
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {at.filename}, line {at.lineno}: {error}"
        return fail(f"a fault of ordbook itself, please report it: {place}", 1)


def _stop(signal: int, frame: object) -> None:
    """End as on Ctrl-C, so that nothing half-written stays, when the system asks for the end."""
    raise KeyboardInterrupt


def _with_option(message: str, options: Mapping[str, object]) -> str:
    """Call an argument of Python, at the start of a message, as the command line calls it.

    Examples
    --------
    >>> _with_option("primary: 'X' is no measure", {"primary": "X"})
    "--primary: 'X' is no measure"
    """
    name = re.match(r"\w+(?=:| must )", message)
    positional = ("data", "path", "folder", "source", "chapters", "names", "run")
    if name is None or name[0] not in options or name[0] in positional:
        return message
    return f"--{name[0].replace('_', '-')}{message[name.end() :]}"


class _Parser(argparse.ArgumentParser):
    """Proposes the name that was probably meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=Help, **options)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, and end with exit code 2 if any argument is left over.

        Python leaves the rest to the parser above, which knows no options of its commands.
        """
        options, rest = super().parse_known_args(args, namespace)
        if rest:
            option = rest[0].partition("=")[0]
            is_option = option.startswith("-")
            proposed = did_you_mean(option, self._option_string_actions) if is_option else ""
            self.error(f"unrecognized arguments: {' '.join(rest)}{proposed}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        """Print the message and end with exit code 2."""
        if wrong := re.match(r"argument .*: invalid choice: '(.*?)' \(choose from (.*)\)", message):
            message += did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2]))
        super().error(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="ordbook",
        description="How to evaluate ordinal classification and ordinal quantification.",
        epilog="exit codes: 0 done; 1 something failed: a chapter, a download, the disk; 2 the "
        "command is not possible, and nothing has run; 130 interrupted",
    )
    parser.add_argument("--version", action="version", version=f"ordbook {ordbook.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (check, convert, score, report, rerun, sweep, bundle, catalogue, audit, course):
        command.add(commands)
    return parser
