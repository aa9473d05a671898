"""``ordbook rerun``: chapters on data of your own."""

import argparse

from ordbook.commands import (
    TASK,
    Commands,
    add_options,
    parameters,
    prints_to_stderr,
    progress,
    reading,
    say,
)

EPILOG = """\
examples:
  ordbook rerun all --data my-task --out edition --title "My task, 2026"
  ordbook rerun lq21 --data stc3 --part A --out edition -p trials=1000

'all' is these chapters, by the kind of the task:
{chapters}
Several chapters, or all, come with the report on your task that 'ordbook report' writes; -p
runs=A,B compares two of its runs topic by topic. A chapter that can say nothing about your task,
because it has too few topics or runs, is left out, and the first page gives the reason. One more
chapter runs only if you name it: judges asks which of several models may stand in for a person.
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
        "executed notebooks, and pages for a browser. One chapter makes a single page. Several, or "
        "all, make a book, with the report on your task.",
        epilog=EPILOG.format(chapters=listed),
    )
    rerun.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as acl21; or all")
    rerun.add_argument(
        "--data",
        metavar="PATH",
        help="folder with gold and runs (see ordbook check --help for the formats), or a "
        "catalogued data set; for scores there is ordbook report",
    )
    add_options(rerun, "--out", "--overwrite", *TASK, "--measure", "--parameter")
    add_options(rerun, "--title", "--author", "--jobs")
    rerun.set_defaults(run=_rerun)


def _rerun(options: argparse.Namespace) -> int:
    for name, value in (("chapters", "CHAPTER"), ("data", "--data PATH"), ("out", "--out DIR")):
        if not getattr(options, name):
            raise ValueError(f"rerun needs {value}")
    from ordbook.reports.rerun import rerun

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
            parameters=parameters(options),
            measures=options.measure,
            progress=progress,
        )
    say(page)
    return 0
