"""The commands of ``ordbook``, one module for each, and what they share.

A module has ``add(commands)``, which describes its command to the parser and names the function
that runs it: it gets the options and returns the exit code. What a command needs is imported when
it runs, so that ``ordbook --help`` is quick and works without the extras.
"""

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
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
    add_missing(parser)


def add_missing(parser: argparse.ArgumentParser) -> None:
    """Describe ``--missing``."""
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


def add_part(parser: argparse.ArgumentParser, where: str = "of NTCIR files") -> None:
    """Describe ``--part``."""
    parser.add_argument("--part", default="", metavar="A|E|S|nugget", help=f"which task {where}")


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Describe ``--measure`` to a command that takes measures of the user's."""
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="FILE:NAME",
        help="a measure of your own from a Python file or module, made with "
        "ordbook.measures.custom_measure, beside the others; may be repeated. The file is executed",
    )


def add_jobs(parser: argparse.ArgumentParser, what: str) -> None:
    """Describe ``--jobs`` and ``--json`` to a command that runs chapters."""
    parser.add_argument(
        "--jobs", type=whole, metavar="N", help=f"{what} (default: one per processor)"
    )
    parser.add_argument("--json", action="store_true", help="print what there is as JSON")


def add_parameters(parser: argparse.ArgumentParser, more: str) -> None:
    """Describe ``-p`` and ``--parameters``."""
    parser.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"a parameter{more}; may be repeated",
    )
    parser.add_argument(
        "--parameters",
        action="store_true",
        help="run nothing; list the parameters, with types, defaults and limits",
    )


def pairs(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Read ``NAME=VALUE`` texts, as ``-p`` takes them.

    Raises
    ------
    ValueError
        If a text has no ``=``.
    """
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--parameter {text}: write NAME=VALUE")
        yield name, value


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
