"""``ordbook convert``: files in another form -> a folder that every command reads."""

import argparse
from pathlib import Path

from ordbook.commands import Commands, Help, add_options, say

EPILOG = """\
SOURCE may be:

  what 'check' reads  is copied, or written as CSV if it is JSON or SemEval's
  a folder            one file with "gold" in its name, and one other folder, of run files:
                      SemEval's subtasks B, C, D and E as published, or tables
  a table             CSV, with semicolons or tabs too, JSON Lines or .xlsx: columns topic and run,
                      and then one per class, or class and value, or item and label; gold is the
                      run "gold". Or item, gold and a column of labels for each run
  a workbook          .xlsx with a sheet "gold" and a sheet per run
  a DBDC archive      DBDC3.zip, or a folder of *.log.json; --runs holds a folder or a zip file of
                      *.labels.json per run

examples:
  ordbook convert results.xlsx my-task --classes=low,mid,high
  ordbook convert --gold SemEval2016_task4_subtaskD_test_gold.txt --runs D my-task
  ordbook convert DBDC3.zip my-task --inside dbdc3/ja/eval

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
        formatter_class=Help,
    )
    convert.add_argument(
        "source", metavar="SOURCE", nargs="?", help="a folder, an archive or a file"
    )
    convert.add_argument("folder", metavar="FOLDER", help="the folder to write, new or empty")
    convert.add_argument("--gold", metavar="FILE", help="the gold file, in place of SOURCE")
    convert.add_argument("--runs", metavar="FOLDER", help="the folder of run files, or a table")
    convert.add_argument(
        "--inside",
        default="",
        metavar="PART",
        help="the set of dialogues in a DBDC archive, such as dbdc3/ja/eval",
    )
    add_options(convert, "--classes", "--part", "--overwrite")
    convert.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> int:
    from ordbook.data.checking import check
    from ordbook.data.convert import convert
    from ordbook.show.parameters import split_classes

    notes = convert(
        options.source,
        options.folder,
        gold=options.gold,
        runs=options.runs,
        inside=options.inside,
        classes=split_classes(options.classes),
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
