"""What ``ordbook student`` and ``ordbook slides`` share: chapters that are executed, then written.

Contents
--------
add_arguments   describe chapters, --jobs and --json to a parser
write           execute and write, then say what there is
"""

import argparse
from collections.abc import Callable, Mapping

from ordbook.commands import add_jobs, fail, progress, say, say_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe what both commands are given."""
    parser.add_argument(
        "chapters", nargs="*", metavar="CHAPTER", help="chapters, such as acl21 (default: all)"
    )
    add_jobs(parser, "chapters to execute at a time")


def write(
    writer: Callable[..., list[str]],
    options: argparse.Namespace,
    said: Callable[[list[str]], tuple[str, Mapping[str, object]]],
    **own: object,
) -> int:
    """Execute the chapters, write what is asked for, and return the exit code.

    Parameters
    ----------
    writer
        Takes chapters, where to write, ``jobs``, ``progress`` and what else the command has; gives
        the names of what it wrote.
    options
        Of the command.
    said
        Those names -> what to print, for people and for programs.
    own
        Passed on to ``writer``.
    """
    from ordbook.report.executing import RerunError

    if options.jobs is not None and options.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, it is {options.jobs}")
    try:
        made = writer(options.chapters, options.out, jobs=options.jobs, progress=progress, **own)
    except RerunError as error:
        return fail(str(error), 1)
    text, about = said(made)
    if options.json:
        say_json(about)
    else:
        say(text)
    return 0
