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
  participants/          for participants: pass this folder on
    to_answer.csv          the topics or items to answer; classes.txt lists the classes
    sample.csv             a submission that is nobody's run
    check.py               'python check.py my_answers.csv' finds what is wrong with a submission

Whatever the format of FOLDER, a submission is a CSV file like sample.csv, packed in a zip file.
After an edit, pack the contents of bundle/ again, with competition.yaml at the top.

example:
  ordbook bundle my-task --out competition --measures RPS,NMD --start 2027-03-01
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    bundle = commands.add_parser(
        "bundle",
        help="make a competition for Codabench",
        description="Write the bundle of a Codabench competition on your task: gold data, a "
        "leaderboard, and a scoring program with the modules of ordbook that it needs.",
        epilog=EPILOG,
    )
    bundle.add_argument("folder", metavar="FOLDER", help="gold data and at least one run")
    add_options(bundle, "--out!", "--overwrite", "--classes", "--part", "--missing")
    add_options(bundle, "--measures", "--primary")
    bundle.add_argument(
        "--title", default="", help="title of the competition (default: FOLDER's name)"
    )
    bundle.add_argument("--description", default="", help="a sentence about the competition")
    bundle.add_argument("--start", default="", metavar="DATE", help="first day (default: today)")
    bundle.set_defaults(run=_bundle)


def _bundle(options: argparse.Namespace) -> int:
    from ordbook.report.bundle import bundle
    from ordbook.show.parameters import split_classes

    path = bundle(
        options.folder,
        options.out,
        overwrite=options.overwrite,
        title=options.title,
        description=options.description,
        classes=split_classes(options.classes),
        part=options.part or None,
        measures=options.measures,
        primary=options.primary,
        missing=options.missing,
        start=options.start,
    )
    say(path)
    return 0
