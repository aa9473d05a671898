"""``ordbook report``: the report on a task, one page."""

import argparse
from pathlib import Path

from ordbook.commands import (
    TASK,
    Commands,
    add_options,
    prints_to_stderr,
    progress,
    reading,
    say,
)

EPILOG = """\
examples:
  ordbook report my-task --out report.html --title "My task, 2026"
  ordbook report scores.csv --out report.html --lower-is-better mine
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "report",
        help="write a report on your task, one page to publish",
        description="Write a report on a task, one HTML file that needs no other: who is ahead and "
        "by how much, what can be told apart, where the runs err, what people reach, and what to "
        "write in your paper.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "data",
        metavar="PATH",
        help="folder with gold and runs, a file with scores, or a catalogued data set; see "
        "ordbook check --help for the formats",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="a new file, such as report.html"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace the file")
    add_options(parser, *TASK, "--lower-is-better", "--higher-is-better", "--measure")
    parser.add_argument(
        "--runs",
        default="",
        metavar="A,B",
        help="two runs to compare topic by topic (default: the first two)",
    )
    add_options(parser, "--title", "--author")
    parser.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    from ordbook.commands.check import ends
    from ordbook.measures import import_measures
    from ordbook.reports.page import report
    from ordbook.reports.sections import SECTIONS
    from ordbook.show.source import Source

    out = Path(options.out).expanduser()
    if out.exists() and not options.overwrite:
        raise ValueError(f"{out}: this is there already; name another, or add --overwrite")
    source = Source.of(options.data, **reading(options))
    if any(out.resolve() == Path(file) for file in source.files):
        raise ValueError(f"{out}: these are the data; name another file")
    with prints_to_stderr():
        measures = import_measures(",".join(options.measure))
        task = source.load_ranked(better=ends(options))
        for measure in measures:
            if measure.kind != task.kind:
                raise ValueError(f"--measure: {measure.name} is not for {task.kind} tasks")
        page = report(
            task,
            out,
            title=options.title,
            author=options.author,
            runs=options.runs,
            measures=measures,
        )
    say(page)
    progress(f"note: the report's section {SECTIONS[-1][0]!r} can go into your paper")
    return 0
