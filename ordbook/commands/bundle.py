"""``ordbook bundle``: a competition for Codabench."""

import argparse

from ordbook.commands import Commands, add_options, say

EPILOG = """\
DIR gets:
  bundle.zip             the competition, ready to upload to Codabench
  bundle/                the same unpacked, if you want to edit dates, pages or logo first
    competition.yaml       describes the competition; the leaderboard has a column per measure
    reference_data/        gold data, which participants do not see
    scoring_program/       scores a submission as 'ordbook score' does
    starting_kit/          for participants: what is to be answered, a sample submission, and a
                           README. 'ordbook check my_answers.csv --sample sample.csv' tells them
                           what is wrong with the form of their file

Whatever the format of FOLDER, a submission is a CSV file like sample.csv, packed in a zip file.
After an edit, pack the contents of bundle/ again, with competition.yaml at the top.

example:
  ordbook bundle my-task --out competition --measures RPS,NMD --start 2027-03-01T00:00Z
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    bundle = commands.add_parser(
        "bundle",
        help="make a competition for Codabench",
        description="Write the bundle of a Codabench competition on your task: gold data, a "
        "leaderboard, a starting kit, and a scoring program with the modules of ordbook that it "
        "needs.",
        epilog=EPILOG,
    )
    bundle.add_argument("folder", metavar="FOLDER", help="gold data and at least one run")
    add_options(bundle, "--out!", "--overwrite", "--classes", "--part", "--missing")
    add_options(bundle, "--measures", "--primary")
    bundle.add_argument(
        "--title", default="", help="title of the competition (default: FOLDER's name)"
    )
    bundle.add_argument("--description", default="", help="a sentence about the competition")
    times = "a date and a time with its zone, such as 2027-03-01T09:00+09:00 (default: {})"
    bundle.add_argument("--start", default="", metavar="TIME", help=times.format("now"))
    bundle.add_argument("--end", default="", metavar="TIME", help=times.format("none"))
    bundle.set_defaults(run=_bundle)


def _bundle(options: argparse.Namespace) -> int:
    from ordbook.data.loading import load
    from ordbook.files import require_new
    from ordbook.reports.bundle import bundle
    from ordbook.show.parameters import split_classes

    require_new(options.out, options.overwrite, [options.folder])
    classes = split_classes(options.classes)
    task = load(options.folder, classes=classes, part=options.part or None, missing=options.missing)
    names = ("title", "description", "measures", "primary", "missing", "start", "end", "overwrite")
    say(bundle(task, options.out, **{name: getattr(options, name) for name in names}))
    return 0
