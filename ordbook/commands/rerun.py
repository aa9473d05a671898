"""``ordbook rerun``: a chapter on data of your own.

Contents
--------
add   describe the command to the parser
"""

import argparse
import sys

from ordbook.commands import Commands, fail


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
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
        return fail(str(error), 1)
    print(page)
    return 0
