"""The commands of ``ordbook``, one module for each.

A module has ``add(commands)``, which describes its command to the parser and names the function
that runs it: it gets the options and returns the exit code. What a command needs is imported when
it runs, so that ``ordbook --help`` is quick and works without the extras.

Contents
--------
Commands      what the commands are added to
Help          how the help of a command is laid out
add_classes   describe --classes to a command that reads a task
add_out       describe --out and --overwrite to a command that writes a folder
add_imperfect describe --exclude, --skip-invalid and --missing to it
imperfect     these options as ordbook.load takes them
fail          say in one line what is wrong, return an exit code
progress      say on stderr what happens
say           say on stdout what was asked for
say_json      the same, as JSON
whole         an option's whole number, written in the digits 0 to 9
number        an option's number, with a decimal point
aside         let what a user's code prints go to stderr
"""

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import groupby
from typing import TYPE_CHECKING, Any, NoReturn

from ordbook.data.names import shown

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse._SubParsersAction

# What json leaves as it is and a terminal would obey, or not show.
_HIDDEN = re.compile(r"[\x7f-\x9f\u061c\u200b-\u206f\ud800-\udfff\ufeff]")


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


def add_imperfect(parser: argparse.ArgumentParser) -> None:
    """Add what is done about runs with problems, and about answers that a run lacks."""
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="RUN",
        help="leave out this run; may be repeated",
    )
    parser.add_argument(
        "--skip-invalid",
        action="store_true",
        help="leave out the runs whose files have problems; otherwise nothing is done",
    )
    parser.add_argument(
        "--missing",
        choices=("refuse", "worst", "baseline"),
        default="refuse",
        help="topics or items that a run lacks: refuse the run (default); score them as the worst "
        "that any one class would get there; or fill in the uniform distribution, or the commonest "
        "class of the gold data. What was done to which run is said on every page",
    )


def imperfect(options: argparse.Namespace) -> dict[str, Any]:
    """Return these options as :func:`ordbook.load` takes them."""
    return {name: getattr(options, name) for name in ("exclude", "skip_invalid", "missing")}


def add_classes(parser: argparse.ArgumentParser) -> None:
    """Describe ``--classes`` to a command that reads a task."""
    parser.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels from lowest to highest, separated by commas, where the files do not "
        "say so (write --classes=-1,0,1 or, where a label has a comma, "
        """--classes='"A, B",C', with the equals sign)""",
    )
    parser.add_argument("--labels", type=_refuse_labels, help=argparse.SUPPRESS)


def add_out(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Describe ``--out`` and ``--overwrite`` to a command that writes a folder."""
    needed = "" if required else "; needed"
    parser.add_argument(
        "--out", required=required, metavar="DIR", help=f"a new or an empty folder{needed}"
    )
    add_overwrite(parser)


def add_overwrite(parser: argparse.ArgumentParser) -> None:
    """Describe ``--overwrite``."""
    parser.add_argument(
        "--overwrite", action="store_true", help="replace what is there, with all that it holds"
    )


def _refuse_labels(text: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"commands call it --classes: write --classes={text}")


def fail(message: str, code: int) -> int:
    """Say on stderr what is wrong, and return the exit code."""
    # A log of several lines is told of what failed, never of what was refused.
    text = _safe(message) if code == 1 else shown(message)
    with suppress(OSError):  # the exit code still tells
        print(f"ordbook: {text}", file=sys.stderr)
    return code


def progress(line: str) -> None:
    """Say on stderr what happens; a log without room is no reason to stop."""
    with suppress(OSError):
        print(shown(line), file=sys.stderr, flush=True)


def say(text: object) -> None:
    """Say on stdout what was asked for; names of files are shown and never obeyed."""
    print(_safe(text))


def say_json(value: object) -> None:
    """Say on stdout what was asked for, as JSON; what would not show is written by its number."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    print(_HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _safe(text: object) -> str:
    return "\n".join(shown(line) for line in str(text).split("\n"))


def whole(text: str) -> int:
    """Return an option's whole number; refuse what only Python takes for one, as 1_0 and ١."""
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number")
    return int(text)


def number(text: str) -> float:
    """Return an option's number, written with a decimal point and the digits 0 to 9."""
    try:
        return float(text if text.isascii() and "_" not in text else "")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number, such as 0.05") from None


@contextmanager
def aside() -> Iterator[None]:
    """Let what a user's code prints go to stderr: stdout is for results.

    It holds for all threads, and so is for commands, once around all that runs such code.
    """
    with redirect_stdout(sys.stderr):
        yield
