"""``ordbook sweep``: chapters on several data sets, and the tables across them.

Contents
--------
add   describe the command to the parser
"""

import argparse
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from ordbook.commands import Commands, fail

if TYPE_CHECKING:
    from ordbook.book.sweep import Plan

_EPILOG = """\
examples:
  ordbook sweep --chapters acl21,lq21 --data sem16t4e --data "my task" \\
      -p trials=1000 -p seed=0,1 --out results
  ordbook sweep --plan sweep.toml --out results --jobs 2
  ordbook sweep --plan sweep.toml --out results --scheduler tcp://host:8786

The plan is a small TOML file; paths in it start at its folder:
  chapters = ["acl21", "lq21"]
  data = ["sem16t4e", "../my task", { path = "survey", classes = "low,mid,high" }]
  [parameters]
  trials = 1000
  seed = [0, 1]        # every value of a list is run

DIR holds jobs/KEY/CHAPTER.ipynb for every chapter, data set and choice of parameters, jobs/KEY/
numbers.json for every data set and choice, and tables/*.csv and *.md: discriminative power by data
set and pooled (as LQ'21, Table 3), similarity (DNKT, Tables 19 and 20), combined measures (24) and
consistency (28). A chapter gets the parameters that it has; a chapter that is not about the kind of
a data set is left out, with a note. Numbers do not depend on how many workers there are, or where.

Interrupted or killed, the same command goes on where it stopped. Workers of a cluster need the same
version of ordbook, and the data under the same paths.

exit codes: 0 done; 1 a job failed (the others are kept); 2 not possible, nothing has run;
130 interrupted; 143 terminated
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    sweep = commands.add_parser(
        "sweep",
        help="run chapters on several data sets and tabulate them together",
        description="Run chapters on several data sets, with several parameters, and make the "
        "tables across data sets that the papers show.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sweep.add_argument("--plan", metavar="FILE", help="what to run, as a TOML file (see below)")
    sweep.add_argument(
        "--chapters",
        default="",
        metavar="NAMES",
        help="chapters, separated by commas; without any, only the tables are made",
    )
    sweep.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="PATH",
        help="a folder or zip, with #A, #E, #S or #nugget for one task of NTCIR files, or a "
        "catalogued data set; may be repeated",
    )
    sweep.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels of every PATH that is not catalogued, from lowest to highest, separated "
        "by commas, where the files do not say so (write --classes=-1,0,1 with the equals sign)",
    )
    sweep.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter; numbers may be several, separated by commas; may be repeated",
    )
    sweep.add_argument("--out", required=True, metavar="DIR", help="a folder of its own")
    sweep.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="worker threads, each driving its own kernel (default: one per processor)",
    )
    sweep.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of this Dask scheduler do it (pip install 'ordbook[dask]')",
    )
    sweep.add_argument("--json", action="store_true", help="write the tables to stdout as JSON")
    sweep.set_defaults(run=_sweep)


def _sweep(options: argparse.Namespace) -> int:
    from ordbook.book.sweep import SweepError, sweep

    if options.scheduler is not None:
        import distributed  # noqa: F401  (missing, it is named before anything else)
    plan = _plan(options)

    def terminate(number: int, frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        tables = sweep(
            plan,
            options.out,
            jobs=options.jobs,
            scheduler=options.scheduler,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
    except SweepError as error:
        return fail(str(error), 1)
    except (KeyboardInterrupt, SystemExit) as error:
        code = 130 if isinstance(error, KeyboardInterrupt) else 128 + signal.SIGTERM
        return fail("interrupted; the same command goes on where it stopped", code)
    finally:
        signal.signal(signal.SIGTERM, before)
    if options.json:
        parts = (
            f'"{name}": {table.reset_index().to_json(orient="records")}'
            for name, table in tables.items()
        )
        print("{" + ",\n ".join(parts) + "}")
    else:
        print(f"{options.out}/tables")
    return 0


def _plan(options: argparse.Namespace) -> "Plan":
    """Make a plan of the command line, or read the file."""
    from ordbook.book.parameters import NUMBERS
    from ordbook.book.sweep import Plan, read_plan
    from ordbook.data.catalog import catalog

    if options.plan is not None:
        if options.chapters or options.data or options.parameter or options.classes:
            raise ValueError("--plan says it all; leave chapters, data, classes and -p away")
        return read_plan(options.plan)
    if not options.data:
        raise ValueError("name data sets with --data, or a file with --plan")
    parameters: dict[str, list[str | int]] = {}
    for text in options.parameter:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--parameter {text}: write NAME=VALUE")
        # Text may hold commas of its own.
        parameters.setdefault(name, []).extend(value.split(",") if name in NUMBERS else [value])
    data = [
        {"path": place, "classes": options.classes}
        if options.classes and place not in catalog()
        else place
        for place in options.data
    ]
    chapters = [name.strip() for name in options.chapters.split(",") if name.strip()]
    return Plan(chapters, data, parameters)
