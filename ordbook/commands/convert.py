"""``ordbook convert``: ratings, or a task in any format -> a folder for every command."""

import argparse
from os.path import isfile  # of which no name is too long
from pathlib import Path
from typing import Any

from ordbook.commands import Commands, add_options, say
from ordbook.words import counted, some

EPILOG = """\
SOURCE may be:

  ratings       with --gold: a table of ratings by people and by judges, or of labels by runs, long
                (item, annotator, rating) or wide (item, and a column for each annotator), as CSV
                with commas, semicolons or tabs, JSON, JSON Lines, Excel or Parquet, or the export
                of an annotation tool. Files in other forms: see the chapter on your own task
  a folder      in any format that 'ordbook check' reads

examples:
  ordbook convert ratings.csv my-task --annotators Ada,Ben,Eve --gold median --runs model-1,model-2
  ordbook convert long.csv my-task --gold shares --topic topic --runs judges.csv
  ordbook convert labels.xlsx my-task --gold adjudicated --runs model-1,model-2
  ordbook convert ntcir-folder my-task --part A

FOLDER gets gold.csv, runs/*.csv, classes.txt and, where they are known, runs.csv and
annotators.csv. Then 'ordbook check' reads FOLDER and shows its result.

exit codes: 0 done, and nothing is wrong; 2 not possible, or the new files have problems
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    convert = commands.add_parser(
        "convert",
        help="make a folder from ratings, or from a task in another format",
        description="Make a task of ratings, or read one in another format, and write a folder of "
        "plain CSV files that every command reads.",
        epilog=EPILOG,
    )
    convert.add_argument("source", metavar="SOURCE", help="a file of ratings, or a task")
    convert.add_argument("folder", metavar="FOLDER", help="the folder to write, new or empty")
    ratings = convert.add_argument_group("for ratings")
    ratings.add_argument(
        "--gold",
        metavar="RULE|COLUMN",
        help="how gold follows from the ratings by people: median, majority, or shares (a "
        "distribution for each topic or, without topics, for each item); or the column that is "
        "gold, beside which the people's ratings stay",
    )
    ratings.add_argument(
        "--runs",
        default="",
        metavar="RUNS",
        help="the judges, separated by commas, or a table of their ratings alone",
    )
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
    from ordbook.data.catalog import is_catalogued
    from ordbook.data.checking import check
    from ordbook.data.gaps import Missing
    from ordbook.data.loading import load
    from ordbook.data.ratings import from_ratings
    from ordbook.data.scores import ScoresTask
    from ordbook.files import require_new
    from ordbook.show.parameters import split_classes

    lists = {
        name: split_classes(getattr(options, name))
        for name in ("classes", "annotators", "runs", "not_rated")
    }
    source, runs = options.source, lists["runs"] or []
    judges = Path(runs[0]) if len(runs) == 1 and Path(runs[0]).is_file() else runs
    task: Any
    read = [source] if judges == runs else [source, options.runs]
    require_new(options.folder, options.overwrite, read)
    if options.gold:
        task = from_ratings(
            source,
            gold=options.gold,
            runs=judges,
            item=options.item,
            topic=options.topic,
            annotator=lists["annotators"] or [],
            rating=options.rating,
            classes=lists["classes"],
            ties=options.ties,
            rounding=options.round,
            not_rated=lists["not_rated"] or [],
            missing="worst",  # what judges lack is left out of their files
        )
    elif isfile(source):  # noqa: PTH113
        raise ValueError(
            f"{source}: a single file; if it holds ratings or labels, say how gold follows from "
            "them with --gold median, majority or shares, or which column is gold with --gold "
            "COLUMN; if it holds scores, the commands read it as it is"
        )
    else:
        # Answers that runs lack stay out of their files, whatever they count as.
        missing: Missing = "refuse" if is_catalogued(source) else "worst"
        task = load(source, classes=lists["classes"], part=options.part or None, missing=missing)
        if isinstance(task, ScoresTask):
            raise ValueError(f"{source}: scores, which the commands read as they are")
    task.save(options.folder, overwrite=options.overwrite)
    for note in task.provenance.notes:
        if note.kind != "filled":
            say(note)
    size = f"gold data and {counted(len(task.runs), 'run')}"
    if task.annotators:
        names, items = task.annotators.names, task.annotators.items
        number = f"{len(names)} {'person' if len(names) == 1 else 'people'}"
        size += f", and ratings by {number} ({some(names, 2)}) of "
        size += f"{counted(len(items), 'item')} ({some(items, 2)})"
    say(f"Wrote {size} to {options.folder}.")
    if not task.runs:
        say(f"Add a file for each run to {options.folder}/runs, then run 'ordbook check'.")
        return 0
    report = check(options.folder)
    say(f"\n{report}")
    return 2 if report.problems else 0
