"""The commands of ``ordbook``, one module for each, and the functions they share.

A module has ``add(commands)``, which describes its command to the parser and names the function
that runs it: it gets the options and returns the exit code. What a command needs is imported when
it runs, so that ``ordbook --help`` is quick and works without the extras.
"""

import argparse
import json
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ordbook.show.parameters import split_classes
from ordbook.words import shown

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse._SubParsersAction

# How a task is read: what `reading` returns of the options.
TASK = ("--classes", "--part", "--exclude", "--skip-invalid", "--missing")


def names(text: str) -> list[str]:
    """Split names at commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


OPTIONS: dict[str, dict[str, Any]] = {
    "--out": {"metavar": "DIR", "help": "a new or an empty folder"},
    "--overwrite": {"action": "store_true", "help": "replace the folder and all it holds"},
    "--classes": {
        "default": "",
        "metavar": "LABELS",
        "help": "class labels from lowest to highest, separated by commas, if the files do not "
        "give their order (write --classes=-1,0,1 with the equals sign, and put a label with a "
        "comma in quotes)",
    },
    "--part": {
        "default": "",
        "choices": ("A", "E", "S", "nugget"),
        "help": "which task of NTCIR files",
    },
    "--exclude": {
        "action": "extend",
        "type": lambda text: split_classes(text) or [],
        "default": [],
        "metavar": "RUNS",
        "help": "leave out these runs, separated by commas; may be repeated",
    },
    "--skip-invalid": {
        "action": "store_true",
        "help": "leave out the runs whose files have problems; without this option, such a run "
        "stops the command",
    },
    "--missing": {
        "choices": ("refuse", "worst"),
        "default": "refuse",
        "help": "what to do about topics or items that a run lacks: refuse the run (default), or "
        "score them as the worst: an item as the class farthest from its gold class, a topic as "
        "the single class that scores worst there. The tables show the share answered",
    },
    "--lower-is-better": {
        "action": "append",
        "default": [],
        "metavar": "NAME",
        "help": "for scores: a measure that ordbook does not know and whose low scores are better; "
        "may be repeated",
    },
    "--higher-is-better": {
        "action": "append",
        "default": [],
        "metavar": "NAME",
        "help": "the same for a measure whose high scores are better",
    },
    "--title": {"default": "", "help": "by default the name of the task"},
    "--author": {"default": "", "metavar": "NAMES", "help": "shown below the title"},
    "--jobs": {
        "type": int,
        "metavar": "N",
        "help": "how many chapters run at a time (default: one per processor)",
    },
    "--measures": {
        "type": names,
        "metavar": "NAMES",
        "help": "measures, separated by commas (default: all that fit)",
    },
    "--measure": {
        "action": "append",
        "default": [],
        "metavar": "FILE:NAME",
        "help": "add a measure of your own from a Python file or module, made with "
        "ordbook.measures.custom_measure; may be repeated. The file is executed",
    },
    "--primary": {
        "metavar": "auto|MEASURE",
        "default": "auto",
        "help": "the measure that ranks; auto takes kappa for labels and RPS for distributions, or "
        "the second one recommended where most topics have a single gold class (default auto)",
    },
    "--parameter": {
        "action": "append",
        "default": [],
        "metavar": "NAME=VALUE",
        "help": "a parameter of the chapters, such as trials=1000; may be repeated",
    },
    "--json": {"action": "store_true", "help": "print the result as JSON"},
}


class Help(argparse.RawDescriptionHelpFormatter):
    r"""Fills paragraphs to the width of the terminal, and keeps indented lines as they are.

    >>> print(Help("x")._fill_text("More words than one\nline holds.\n  x --all --of --it", 16, ""))
    More words than
    one line holds.
      x --all --of --it
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled: list[str] = []
        for kept, lines in groupby(
            text.strip("\n").splitlines(), lambda line: line[:1] in ("", " ")
        ):
            whole = list(lines)
            filled += whole if kept else textwrap.wrap(" ".join(whole), width)
        return "\n".join(indent + line for line in filled)


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Describe options that several commands take; ``--out!`` is needed."""
    for name in names:
        flags = ["-p"] if name == "--parameter" else []
        flags.append(name.removesuffix("!"))
        parser.add_argument(*flags, required=name.endswith("!"), **OPTIONS[flags[-1]])


def reading(options: argparse.Namespace) -> dict[str, Any]:
    """Return how a task is read, as :func:`ordbook.reports.rerun.rerun` takes it."""
    fields = [name.strip("-").replace("-", "_") for name in TASK]
    return {name: getattr(options, name) for name in fields}


def parameters(options: argparse.Namespace) -> dict[str, str]:
    """Return the names and values of ``-p``.

    Raises
    ------
    ValueError
        If a text has no ``=``, or a name stands twice.
    """
    pairs = [text.partition("=") for text in options.parameter]
    for name, equals, _ in pairs:
        if not equals:
            raise ValueError(f"--parameter {name}: write NAME=VALUE")
    values = {name: value for name, _, value in pairs}
    if len(values) < len(pairs):
        raise ValueError("--parameter: name each once")
    return values


def fail(message: str, code: int) -> int:
    """Print problems on stderr, and return the exit code."""
    with suppress(OSError):  # the exit code still tells
        print(f"ordbook: {_safe(message)}", file=sys.stderr)
    return code


def progress(line: str) -> None:
    """Print the progress on stderr; a log without room is no reason to stop."""
    with suppress(OSError):
        # In one piece, so that the lines of two threads do not run together.
        print(f"{shown(line)}\n", end="", file=sys.stderr, flush=True)


def time_left(name: str) -> Callable[[int, int], None]:
    """Return a ``progress`` of long computations that says now and then how long they may take."""
    start = last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done and now - last >= 5:
            last, left = now, (now - start) * (total - done) / done
            # Most end long before their limit, so that an early estimate says nothing.
            ends = f", at most {left:,.0f} s left" if done > total / 20 else ""
            progress(f"{name}: {done:,} of at most {total:,}{ends}")

    return report


def say(text: object) -> None:
    """Print the result on stdout; names of files are shown and never obeyed."""
    print(_safe(text))


def say_json(value: object) -> None:
    """Print the result on stdout as JSON."""
    print(json.dumps(value, indent=1))


def _safe(text: object) -> str:
    return "\n".join(shown(line) for line in str(text).split("\n"))


@contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Send the prints of a user's code to stderr, because stdout is for results.

    It holds for all threads, and so is for commands, once around all that runs such code.
    """
    with redirect_stdout(sys.stderr):
        yield
