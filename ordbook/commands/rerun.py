"""``ordbook rerun``: chapters on data of your own."""

import argparse
from pathlib import Path

from ordbook.commands import (
    TASK,
    Commands,
    add_jobs,
    add_options,
    parameters,
    prints_to_stderr,
    progress,
    reading,
    say,
    say_json,
)

EPILOG = """\
examples:
  ordbook rerun report --data my-task --out report --title "My task, 2026"
  ordbook rerun all --data my-task --out edition
  ordbook rerun lq21 --data stc3 --part A --out edition -p trials=1000
  ordbook rerun lq21 --parameters

'report' is the report on your task, in one file that you can publish. 'all' adds these chapters,
by the kind of the task:
{chapters}
One more chapter runs only if you name it: judges asks which of several models may stand in for a
person.
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    from ordbook.show.parameters import CHAPTERS, EDITION

    kinds = ("classification", "quantification", "nuggets")
    taken = {kind: [name for name in EDITION if kind in CHAPTERS[name]] for kind in kinds}
    listed = "\n".join(f"  {kind:16}{', '.join(names)}" for kind, names in taken.items())
    rerun = commands.add_parser(
        "rerun",
        help="run chapters on your own data and build an edition of them",
        description="Run chapters of the book on your own data and build an edition of them: the "
        "executed notebooks, and pages for a browser. 'report' makes one file: the runs ranked, "
        "where they err, and which measure to use. One chapter makes a single page. Several, or "
        "all, make a book that begins with the report.",
        usage="ordbook rerun [options] CHAPTER... --data PATH --out DIR\n"
        "       ordbook rerun [CHAPTER...] --parameters",
        epilog=EPILOG.format(chapters=listed),
    )
    rerun.add_argument(
        "chapters",
        nargs="*",
        metavar="CHAPTER",
        help="report, chapters of the book such as acl21, or all; see below",
    )
    rerun.add_argument(
        "--data",
        metavar="PATH",
        help="folder or zip with gold and runs (see ordbook check --help for the formats), or a "
        "catalogued data set. Scores alone give a report, but no chapter",
    )
    add_options(rerun, "--out", "--overwrite", *TASK, "--measure", "--parameter", "--parameters")
    rerun.add_argument(
        "--title", default="", help="title of the report or edition; by default the task's name"
    )
    rerun.add_argument(
        "--author", default="", metavar="NAMES", help="authors of the report, shown below the title"
    )
    add_jobs(rerun, "chapters to run at a time")
    rerun.set_defaults(run=_rerun)


def _rerun(options: argparse.Namespace) -> int:
    if options.parameters:
        return _list(options)
    for name, value in (("chapters", "CHAPTER"), ("data", "--data PATH"), ("out", "--out DIR")):
        if not getattr(options, name):
            raise ValueError(f"rerun needs {value}")
    from ordbook.report.rerun import rerun

    values = list(parameters(options))
    if len(dict(values)) < len(values):
        raise ValueError("--parameter: name each once")
    with prints_to_stderr():
        page = rerun(
            options.chapters,
            options.data,
            options.out,
            overwrite=options.overwrite,
            **reading(options),
            title=options.title,
            author=options.author,
            jobs=options.jobs,
            parameters=dict(values),
            measures=options.measure,
            progress=progress,
        )
    if options.json:
        notebooks = sorted(str(path) for path in Path(options.out).glob("*.ipynb"))
        say_json({"page": str(page), "data": options.data, "notebooks": notebooks})
    else:
        say(page)
        if "report" in options.chapters or "all" in options.chapters:
            progress(
                "note: the report's last section can go into your paper; -p runs=A,B compares "
                "two other runs topic by topic"
            )
    return 0


def _list(options: argparse.Namespace) -> int:
    from ordbook.show.parameters import CHAPTERS, REPORT, as_text, described_parameters

    every = options.chapters in ([], ["all"])
    parameters = described_parameters([REPORT, *CHAPTERS] if every else options.chapters)
    if options.json:
        say_json(parameters)
    else:
        say(as_text(parameters))
    return 0
