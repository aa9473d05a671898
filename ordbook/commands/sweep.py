"""``ordbook sweep``: chapters on several data sets, and the tables across them."""

import argparse
import json

from ordbook.commands import (
    TASK,
    Commands,
    add_jobs,
    add_options,
    fail,
    names,
    parameters,
    prints_to_stderr,
    progress,
    reading,
    say,
    say_json,
)

EPILOG = """\
examples:
  ordbook sweep --chapters acl21,lq21 --data sem16t4e --data "my task" \\
      -p trials=1000 -p seed=0,1 --out results
  ordbook sweep --data sem16t4e --data stc3-dq-a --out results --scheduler tcp://host:8786

'ordbook rerun --parameters' lists the parameters for -p; trials, splits and seed also apply to the
tables. DIR/jobs gets a folder for every chapter, data set and choice of parameters. DIR/tables gets
discriminative power by data set and pooled (as LQ'21, Table 3), similarity (DNKT, Tables 19 and
20), combined measures (24) and consistency (28), as CSV and Markdown. Chapters that need gold data
or another kind of task are left out, with a note.

If the command is interrupted or killed, run it again: it continues where it stopped. It repeats a
job if the data, a parameter, the version of ordbook or the file of your own measure has changed. If
you change what that file imports, name another DIR. The numbers do not depend on the number or
place of the workers. Workers of a cluster need the same version of ordbook, and the data and your
measures under the same paths.
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    sweep = commands.add_parser(
        "sweep",
        help="run chapters on several data sets and tabulate them together",
        description="Run chapters on several data sets, with several parameters, and make the "
        "tables across data sets that the papers show.",
        epilog=EPILOG,
    )
    sweep.add_argument(
        "--chapters",
        type=names,
        default=[],
        metavar="NAMES",
        help="chapters, separated by commas, also report; or all for those that fit each data "
        "set; without any, only the tables are made",
    )
    sweep.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="PATH",
        help="a folder or zip, scores, or a catalogued data set; may be repeated. The options on "
        "how to read a task apply to every PATH that is not catalogued",
    )
    add_options(sweep, "--out!", "--overwrite", *TASK, "--measure", "--parameter")
    add_jobs(sweep, "worker threads, each driving its own kernel")
    sweep.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="use the workers of this Dask scheduler; needs the extra 'dask'",
    )
    sweep.set_defaults(run=_sweep)


def _sweep(options: argparse.Namespace) -> int:
    from ordbook.data.catalog import is_catalogued
    from ordbook.report.sweep import sweep
    from ordbook.show.parameters import NUMBERS
    from ordbook.show.source import Source

    values: dict[str, list[str]] = {}
    for name, value in parameters(options):
        # Text may hold commas of its own.
        values.setdefault(name, []).extend(value.split(",") if name in NUMBERS else [value])
    how = reading(options)
    try:
        with prints_to_stderr():
            tables = sweep(
                options.chapters,
                [Source.of(p, **({} if is_catalogued(p) else how)) for p in options.data],
                options.out,
                parameters=values,
                measures=options.measure,
                overwrite=options.overwrite,
                jobs=options.jobs,
                scheduler=options.scheduler,
                progress=progress,
            )
    except KeyboardInterrupt:
        return fail("interrupted; run the same command again to continue", 130)
    if options.json:
        rows = {name: table.reset_index() for name, table in tables.items()}
        say_json({name: json.loads(row.to_json(orient="records")) for name, row in rows.items()})
    else:
        say(f"{options.out}/tables")
    return 0
