"""``ordbook convert``: files in another form -> a folder that every command reads."""

import argparse
from pathlib import Path

from ordbook.commands import Commands, add_options, say

EPILOG = """\
SOURCE may be:

  what 'check' reads  is copied, or written as CSV if it is JSON or TREC's
  a folder            one file with "gold" in its name, and one other folder, of run files: tables
                      or qrels
  a table             CSV, with semicolons or tabs too, JSON Lines or .xlsx: columns topic and run,
                      and then one per class, or class and value, or item and label; gold is the
                      run "gold". Or item, gold and a column of labels for each run
  a workbook          .xlsx with a sheet "gold" and a sheet per run
  ratings             with --gold median, majority or shares: a table of ratings by people and by
                      judges, long (item, annotator, rating) or wide (item, and a column for each
                      annotator); CSV, JSON, JSON Lines, Excel or Parquet

examples:
  ordbook convert results.xlsx my-task --classes=low,mid,high
  ordbook convert --gold gold.txt --runs submissions my-task
  ordbook convert ratings.csv my-task --annotators Ada,Ben,Eve --gold median --runs model-1,model-2
  ordbook convert long.csv my-task --gold shares --topic topic --runs judges.csv

The command mends decimal commas, percentages, an index column and a column of totals. FOLDER gets
gold.csv and runs/*.csv, or the scores if SOURCE holds scores, and the classes.txt and runs.csv
beside the gold data. Then 'ordbook check' reads FOLDER and shows its result.

exit codes: 0 done, and nothing is wrong; 2 not possible, or the new files have problems
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    convert = commands.add_parser(
        "convert",
        help="make a clean folder from files in another form",
        description="Read gold data and runs in the forms that others publish, and write a folder "
        "of plain CSV files that every command reads.",
        epilog=EPILOG,
    )
    convert.add_argument(
        "source", metavar="SOURCE", nargs="?", help="a folder, an archive or a file"
    )
    convert.add_argument("folder", metavar="FOLDER", help="the folder to write, new or empty")
    convert.add_argument(
        "--gold",
        metavar="FILE|RULE",
        help="the gold file, in place of SOURCE; or, of ratings, how gold follows from those by "
        "people: median, majority, or shares (a distribution for each topic or, without topics, "
        "for each item)",
    )
    convert.add_argument(
        "--runs",
        metavar="RUNS",
        help="the folder of run files, or a table; of ratings, the judges, separated by commas, or "
        "a table of their ratings alone",
    )
    ratings = convert.add_argument_group("for ratings, with --gold median, majority or shares")
    ratings.add_argument("--item", default="item", metavar="COLUMN", help="default: item")
    ratings.add_argument("--topic", metavar="COLUMN", help="default: one pool of items")
    ratings.add_argument(
        "--annotators",
        default="annotator",
        metavar="COLUMNS",
        help="the people, separated by commas: columns of a wide table, or names in the column "
        "annotator of a long one; or the column of a long table that names everybody (default: "
        "annotator), of whom all but RUNS are taken as people",
    )
    ratings.add_argument(
        "--rating",
        metavar="COLUMN",
        help="the ratings of a long table (default: rating)",
    )
    ratings.add_argument(
        "--ties",
        choices=("lower", "upper"),
        help="the class that is gold where the two middle ratings of an item differ or, of a "
        "majority, several are commonest; without it, such ratings are refused",
    )
    ratings.add_argument(
        "--round",
        choices=("up", "down"),
        help="round judges' ratings to the nearest class, and from halfway up or down; without it, "
        "ratings between two classes, such as means, are refused",
    )
    ratings.add_argument(
        "--not-rated",
        default="",
        metavar="CELLS",
        help="cells that mean that there is no rating, besides empty ones, such as --not-rated=-1",
    )
    add_options(convert, "--classes", "--part", "--overwrite")
    convert.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> int:
    from ordbook.data.checking import check
    from ordbook.data.convert import convert, convert_ratings
    from ordbook.data.ratings import RULES, no_rule
    from ordbook.show.parameters import split_classes

    classes = split_classes(options.classes)
    gold = options.gold or ""
    is_path = Path(gold).suffix or Path(gold).exists()
    if options.source and gold not in ("", *RULES) and not is_path:
        raise ValueError(no_rule("gold", gold, RULES))
    asked = (options.item, options.topic, options.annotators, options.rating)
    if gold not in RULES and asked != ("item", None, "annotator", None):
        raise ValueError(
            "--item, --topic, --annotators and --rating are for ratings: say how gold follows from "
            "those by people, with --gold median, majority or shares"
        )
    if gold in RULES and options.source:
        notes = convert_ratings(
            Path(options.source),
            options.folder,
            runs=split_classes(options.runs or "") or [],
            overwrite=options.overwrite,
            item=options.item,
            topic=options.topic,
            annotator=split_classes(options.annotators) or [],
            rating=options.rating,
            gold=options.gold,
            classes=classes,
            ties=options.ties,
            rounding=options.round,
            not_rated=split_classes(options.not_rated) or [],
        )
    else:
        notes = convert(
            options.source,
            options.folder,
            gold=options.gold,
            runs=options.runs,
            classes=classes,
            part=options.part or None,
            overwrite=options.overwrite,
        )
    for line in notes:
        say(line)
    runs = Path(options.folder, "runs")
    if runs.is_dir() and not any(runs.iterdir()):
        say(f"There are no runs: add a file per run to {runs}, then run 'ordbook check'.")
        return 0
    report = check(options.folder)
    say(f"\n{report}")
    return 2 if report.problems else 0
