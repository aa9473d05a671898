"""The command ``ordbook``.

Contents
--------
main   parse the command line, do what it says, return the exit code

Exit codes: 0 done; 1 a chapter failed while it ran; 2 something asked for is not possible, and
nothing has been changed.
"""

import argparse
import sys
from collections.abc import Sequence

import ordbook


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``ordbook --help``."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ordbook":
            raise
        return _fail(f"this needs {error.name}: pip install 'ordbook[book]'", 2)
    except (ValueError, OSError) as error:
        return _fail(str(error), 2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ordbook",
        description="How to evaluate ordinal classification and ordinal quantification.",
    )
    parser.add_argument("--version", action="version", version=f"ordbook {ordbook.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    rerun = commands.add_parser(
        "rerun",
        help="run a chapter on your own data and build its page",
        description="Run a chapter of the book on your own data and build its page.",
    )
    rerun.add_argument("chapter", help="a chapter of the book, such as acl21")
    rerun.add_argument(
        "--data",
        required=True,
        metavar="PATH",
        help="folder with one gold file and a folder runs/, or a catalogued data set",
    )
    rerun.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the executed notebook and the page; an earlier edition is replaced",
    )
    rerun.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels from lowest to highest, separated by commas, where they are not "
        "-2,-1,0,1,2 (write --classes=-1,0,1 with the equals sign)",
    )
    rerun.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a further parameter of the chapter; may be repeated",
    )
    rerun.set_defaults(run=_rerun)
    return parser


def _rerun(options: argparse.Namespace) -> int:
    from ordbook.book.rerun import RerunError, rerun

    parameters = {}
    for text in options.parameter:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--parameter {text}: write NAME=VALUE")
        parameters[name] = value
    try:
        page = rerun(
            options.chapter,
            options.data,
            options.out,
            classes=options.classes,
            parameters=parameters,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
    except RerunError as error:
        return _fail(str(error), 1)
    print(page)
    return 0


def _fail(message: str, code: int) -> int:
    print(f"ordbook: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
