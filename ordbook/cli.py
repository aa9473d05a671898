"""The command ``ordbook``.

Contents
--------
main   parse the command line, do what it says, return the exit code

Exit codes: 0 done; 1 a chapter failed while it ran, or a file did not arrive; 2 something asked
for is not possible, and nothing has been changed; 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence

import ordbook
from ordbook.commands import (
    audit,
    catalogue,
    check,
    completion,
    exercise,
    fail,
    rerun,
    score,
    slides,
    student,
    sweep,
)

# What the extra ``analysis`` brings; everything else comes with ``book``.
ANALYSIS = {"numba", "pandas", "pooch", "psutil", "requests", "scipy"}
EXTRAS = {"dask": "dask", "distributed": "dask"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``ordbook --help``."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ordbook":
            raise
        missing = error.name.partition(".")[0]
        extra = "analysis" if missing in ANALYSIS else EXTRAS.get(missing, "book")
        return fail(f"this needs {error.name}: pip install 'ordbook[{extra}]'", 2)
    except BrokenPipeError:
        # The reader of our output has gone, as `ordbook list | head` does: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is None or not error.strerror:
            return fail(str(error), 2)
        return fail(f"{error.filename}: {error.strerror.lower()}", 2)
    except ValueError as error:
        return fail(str(error), 2)
    except KeyboardInterrupt:
        return fail("interrupted", 130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ordbook",
        description="How to evaluate ordinal classification and ordinal quantification.",
    )
    parser.add_argument("--version", action="version", version=f"ordbook {ordbook.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (check, score, rerun, sweep, catalogue, audit, student, exercise, slides):
        command.add(commands)
    completion.add(commands, parser)
    return parser
