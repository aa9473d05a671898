"""``ordbook sweep``: chapters on several data sets, and the tables across them.

Contents
--------
add   describe the command to the parser
"""

import argparse
from typing import TYPE_CHECKING

from ordbook.commands import (
    Commands,
    Help,
    aside,
    fail,
    progress,
    say,
    say_json,
    whole,
)
from ordbook.commands.rerun import parameters

if TYPE_CHECKING:
    from ordbook.report.sweep import Plan

_EPILOG = """\
examples:
  ordbook sweep --chapters acl21,lq21 --data sem16t4e --data "my task" \\
      -p trials=1000 -p seed=0,1 --out results
  ordbook sweep --plan sweep.toml --out results --jobs 2
  ordbook sweep --plan sweep.toml --out results --scheduler tcp://host:8786
  ordbook sweep --chapters acl21,lq21 --parameters

The plan is a small TOML file; paths in it start at its folder:
  chapters = ["acl21", "lq21"]
  data = ["sem16t4e", "../my task", { path = "x", classes = "low,mid,high" },
          { path = "stc3", part = "A" }]
  [parameters]
  trials = 1000
  seed = [0, 1]                      # every value of a list is run
  own = "my_measures.py:CHEBYSHEV"   # measures of your own, as --measure
part = "A" is the same as "stc3#A": one task of a folder with NTCIR files.

DIR holds jobs/KEY/CHAPTER.ipynb for every chapter, data set and choice of parameters,
jobs/KEY/numbers.json for every data set and choice, and tables/*.csv and *.md: discriminative power
by data set and pooled (as LQ'21, Table 3), similarity (DNKT, Tables 19 and 20), combined measures
(24) and consistency (28). A chapter gets the parameters that it has (--parameters lists them); a
chapter that is not about the kind of a data set is left out, with a note; data sets that hold the
same files are noted too. Numbers do not depend on how many workers there are, or where.

Interrupted or killed, the same command goes on where it stopped. What is done is done anew where
the data, a parameter, the version of ordbook or a measure of your own has changed: its file and
the modules in the same folder that it imports, or its whole package. Data files that a measure
reads and modules from elsewhere are not looked at: after changing one, name another DIR. Where you
have changed tables or a result, or put files beside a result, what would be replaced is moved to
DIR/set-aside, and a line says so.

Workers of a cluster need the same version of ordbook, and the data and your measures under the same
paths. They keep modules that they have imported: after changing one, start the workers again.

exit codes: 0 done; 1 a job failed (the others are kept); 2 not possible, nothing has run;
130 interrupted
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    sweep = commands.add_parser(
        "sweep",
        help="run chapters on several data sets and tabulate them together",
        description="Run chapters on several data sets, with several parameters, and make the "
        "tables across data sets that the papers show.",
        usage="ordbook sweep [options] --chapters NAMES --data PATH --out DIR\n"
        "       ordbook sweep [options] --plan FILE --out DIR\n"
        "       ordbook sweep --chapters NAMES --parameters",
        epilog=_EPILOG,
        formatter_class=Help,
    )
    sweep.add_argument("--plan", metavar="FILE", help="what to run, as a TOML file (see below)")
    sweep.add_argument(
        "--chapters",
        default="",
        metavar="NAMES",
        help="chapters, separated by commas, or all for those that fit each data set (ordbook "
        "rerun --help lists them); without any, only the tables are made",
    )
    sweep.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="PATH",
        help="a folder or zip, or a catalogued data set; may be repeated. PATH#A is one task of a "
        "folder with NTCIR files",
    )
    sweep.add_argument(
        "--part",
        default="",
        metavar="A|E|S|nugget",
        help="which task of every PATH that is not catalogued and has NTCIR files; the same as "
        "PATH#A and so on",
    )
    sweep.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels of every PATH that is not catalogued, from lowest to highest, separated "
        "by commas, where the files do not say so (write --classes=-1,0,1 or, where a label has a "
        """comma, --classes='"A, B",C', with the equals sign)""",
    )
    sweep.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter; numbers may be several, separated by commas; may be repeated",
    )
    sweep.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="FILE:NAME",
        help="a measure of your own from a Python file or module, made with "
        "ordbook.measures.custom_measure, beside the others where it fits the data: the same as "
        "-p own=FILE:NAME; may be repeated. The file is executed",
    )
    sweep.add_argument("--out", metavar="DIR", help="a folder of its own; needed")
    sweep.add_argument(
        "--jobs",
        type=whole,
        metavar="N",
        help="worker threads, each driving its own kernel (default: one per processor)",
    )
    sweep.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of this Dask scheduler do it; needs the extra 'dask'",
    )
    sweep.add_argument(
        "--parameters",
        action="store_true",
        help="run nothing; list the parameters of the tables and of the chapters, with types, "
        "defaults and limits",
    )
    sweep.add_argument(
        "--json", action="store_true", help="write the tables, or the parameters, as JSON"
    )
    sweep.set_defaults(run=_sweep)


def _sweep(options: argparse.Namespace) -> int:
    if options.parameters:
        return _list(options)
    if options.out is None:
        raise ValueError("sweep needs --out DIR")
    from ordbook.report.sweep import SweepError, sweep

    if options.scheduler is not None:
        import distributed  # noqa: F401  (missing, it is named before anything else)
    plan = _plan(options)

    try:
        with aside():
            tables = sweep(
                plan,
                options.out,
                jobs=options.jobs,
                scheduler=options.scheduler,
                progress=progress,
            )
    except SweepError as error:
        return fail(str(error), 1)
    except KeyboardInterrupt:
        return fail("interrupted; the same command goes on where it stopped", 130)
    if options.json:
        parts = (
            f'"{name}": {table.reset_index().to_json(orient="records")}'
            for name, table in tables.items()
        )
        say("{" + ",\n ".join(parts) + "}")
    else:
        say(f"{options.out}/tables")
    return 0


def _list(options: argparse.Namespace) -> int:
    from ordbook.chapters.parameters import EDITION, NUMBERS, as_text, listing
    from ordbook.report.choosing import ALL
    from ordbook.report.sweep.plan import TABLE_HELP, TABLE_PARAMETERS

    tables = [
        {
            "name": name,
            "type": "whole number" if name in NUMBERS else "text",
            "default": str(default),
            "limits": " to ".join(map(str, NUMBERS.get(name, ()))),
            "help": TABLE_HELP[name],
        }
        for name, default in TABLE_PARAMETERS.items()
    ]
    chapters = _chapters(options)
    found = {"the tables": tables} | listing(list(EDITION) if chapters == [ALL] else chapters)
    if options.json:
        say_json(found)
    else:
        say(as_text(found))
    return 0


def _chapters(options: argparse.Namespace) -> list[str]:
    return [name.strip() for name in options.chapters.split(",") if name.strip()]


def _plan(options: argparse.Namespace) -> "Plan":
    """Make a plan of the command line, or read the file."""
    from ordbook.chapters.parameters import NUMBERS
    from ordbook.data.catalog import catalog
    from ordbook.report.sweep import Plan, read_plan

    apart = ("chapters", "data", "parameter", "classes", "part", "measure")
    if options.plan is not None:
        if any(getattr(options, name) for name in apart):
            raise ValueError(
                "--plan says it all; leave chapters, data, classes, part, measures and -p away"
            )
        return read_plan(options.plan)
    if not options.data:
        raise ValueError("name data sets with --data, or a file with --plan")
    given: dict[str, list[str | int]] = {}
    for name, value in parameters(options.parameter, options.measure):
        # Text may hold commas of its own.
        given.setdefault(name, []).extend(value.split(",") if name in NUMBERS else [value])
    more = {"classes": options.classes, "part": options.part}
    more = {name: value for name, value in more.items() if value}
    data = [place if place in catalog() else {"path": place, **more} for place in options.data]
    return Plan(_chapters(options), data, given)
