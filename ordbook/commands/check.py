"""``ordbook check``: the faults in the files of your task, and a summary of the task."""

import argparse
import sys
from typing import TYPE_CHECKING

from ordbook.commands import Commands, add_options, say

if TYPE_CHECKING:
    from ordbook.data.scores import Better

EPILOG = """\
PATH is a folder or a file. ordbook recognises its format:

  gold.csv and runs/*.csv      topic and one column per class (probabilities or
                               votes), or topic, item and label; a header
  gold* and runs/*             TREC qrels
  gold*.json and runs/*.json   NTCIR STC-3 and DialEval
  a file with scores           measure,topic,run,score; topic and one column
                               per run, named after the measure; or numbers
                               alone, with a list of runs beside it
  a folder of such files       RNOD.csv, NMD.csv, ...: the same topics and
                               runs, other measures

Classes that are whole numbers sort themselves. Words stand in classes.txt beside the gold
file, from lowest to highest: with --classes, the command writes it if there is none.

Each may hold runs.csv, also beside a file with scores: a column run and any others, such as group,
language, or link, the https:// address of a page about the run.

examples:
  ordbook check my-task --classes=disagree,neutral,agree
  ordbook check labels --classes=-1,0,1
  ordbook check scores --higher-is-better mine
  ordbook check my_answers.csv --sample sample.csv     a submission to a competition

Problems with one cause share a line: file, line and column of the first, what was found, how many
more there are, and what to do. A summary follows, without the runs that have problems: topics,
runs, classes, votes, identical and constant runs, runs that equal the gold.

exit codes: 0 nothing is wrong; 2 something is wrong, or PATH does not exist
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    check = commands.add_parser(
        "check",
        help="list everything that is wrong with the files of a task, and what they hold",
        description="Read the gold data and the runs of your task, list everything that is wrong, "
        "and summarise what the files hold. Nothing is computed; with --classes, the list of the "
        "classes is written if there is none.",
        epilog=EPILOG,
    )
    check.add_argument("path", metavar="PATH", help="a folder or a file")
    add_options(check, "--classes", "--part", "--lower-is-better", "--higher-is-better")
    check.add_argument(
        "--sample",
        metavar="FILE",
        help="PATH is a submission: hold its form against that of the sample of a competition",
    )
    check.add_argument("--all", action="store_true", help="write a line for each problem")
    check.set_defaults(run=_check)


def ends(options: argparse.Namespace) -> "dict[str, Better] | None":
    """Return measure -> which end of its scores is better, as the options say."""
    low: dict[str, Better] = dict.fromkeys(options.lower_is_better, "low")
    high: dict[str, Better] = dict.fromkeys(options.higher_is_better, "high")
    for name in low.keys() & high.keys():
        raise ValueError(f"the measure {name!r}: say once which end is better")
    return low | high or None


def _check(options: argparse.Namespace) -> int:
    from ordbook.data.checking import check, check_submission
    from ordbook.data.labels import list_classes
    from ordbook.show.parameters import split_classes

    classes = split_classes(options.classes)
    if options.sample:
        report = check_submission(options.path, options.sample)
    else:
        report = check(options.path, classes, options.part or None, ends(options))
    if classes and report.summary and (path := list_classes(options.path, classes)):
        print(f"Wrote {path}.", file=sys.stderr)
    say(report.in_full() if options.all else report)
    return 2 if report.problems else 0
