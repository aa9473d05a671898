"""``ordbook sweep``: chapters and reports on several tasks, and the tables across them."""

import argparse

from ordbook.commands import (
    TASK,
    Commands,
    add_options,
    fail,
    names,
    parameters,
    prints_to_stderr,
    progress,
    reading,
    say,
)

EPILOG = """\
examples:
  ordbook sweep --chapters report,acl21 --data sem16t4e --data "my task" --out results
  ordbook sweep --data sem16t4e --data stc3-dq-a --out results --scheduler tcp://host:8786

DIR/jobs gets a folder for each chapter and task. DIR/tables gets discriminative power by task and
pooled (LQ'21, Table 3), similarity (DNKT, Tables 19 and 20) and consistency (28), as CSV. -p sets a
parameter of the chapters, which stands in the first cell of each; the tables take trials, splits
and seed. What can say nothing about a task is left out of it, with a note.

If the command is interrupted or killed, run it again: it continues where it stopped. It repeats
what the data, a parameter, the version of ordbook or the file of your own measure has changed. The
numbers do not depend on the number or place of the workers. Workers of a cluster need the same
version of ordbook, and the data and your measures under the same paths.
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    sweep = commands.add_parser(
        "sweep",
        help="run chapters and reports on several tasks and tabulate them together",
        description="Run chapters and reports on several tasks, and make the tables across tasks "
        "that the papers show.",
        epilog=EPILOG,
    )
    sweep.add_argument(
        "--chapters",
        type=names,
        default=[],
        metavar="NAMES",
        help="chapters, separated by commas, or all for those that fit each task, and report; "
        "without any, only the tables are made",
    )
    sweep.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="PATH",
        help="a folder, scores, or a catalogued data set; may be repeated. The options on how to "
        "read a task apply to every PATH that is not catalogued",
    )
    add_options(sweep, "--out!", "--overwrite", *TASK, "--measure", "--parameter", "--jobs")
    sweep.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="use the workers of this Dask scheduler; needs the extra 'dask'",
    )
    sweep.set_defaults(run=_sweep)


def _sweep(options: argparse.Namespace) -> int:
    from ordbook.data.catalog import is_catalogued
    from ordbook.reports.sweep import sweep
    from ordbook.show.source import Source

    how = reading(options)
    try:
        with prints_to_stderr():
            sweep(
                options.chapters,
                [Source.of(p, **({} if is_catalogued(p) else how)) for p in options.data],
                options.out,
                parameters=parameters(options),
                measures=options.measure,
                overwrite=options.overwrite,
                jobs=options.jobs,
                scheduler=options.scheduler,
                progress=progress,
            )
    except KeyboardInterrupt:
        return fail("interrupted; run the same command again to continue", 130)
    say(f"{options.out}/tables")
    return 0
