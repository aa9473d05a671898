"""``ordbook exercise``: fresh exercises for graded work, sheet and answer key apart.

Contents
--------
add   describe the command to the parser
"""

import argparse
import json
from pathlib import Path

from ordbook.commands import Commands, Help, add_out, say, say_json, whole

EPILOG = """\
examples:
  ordbook exercise --seed 7 --out homework
  ordbook exercise --seed 7 --out exam --variants 30 --questions nmd,rnod,tau
  ordbook exercise --seed 7 --out small --classes 3 --format md,ipynb

questions, worked by hand from small fractions:
  nmd rnod rsnod nominal dnkt   of a gold and an estimated distribution
                                (nominal: NVD, RNSS, JSD)
  mae kappa cem                 of gold and predicted labels of twelve items
  tau                           Kendall's tau of two rankings with a tie
  power contradiction           read off p-values; one of them is .050

DIR holds sheet.md and key.md, or with several variants sheets/01.md and keys/01.md and so on, and
exercises.json with all numbers and answers, which is not for students either. A key has every step,
with exact fractions, and is checked against the functions of ordbook. The same seed gives the same
bytes.

exit codes: 0 done; 1 there was no room on a disk, 2 not possible, and nothing is written
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    exercise = commands.add_parser(
        "exercise",
        help="draw fresh exercises for graded work, with an answer key apart",
        description="Draw distributions, labels, rankings and p-values that can be worked by hand, "
        "and write exercises about them and, apart, a key with every step.",
        epilog=EPILOG,
        formatter_class=Help,
    )
    exercise.add_argument("--seed", type=whole, required=True, metavar="N", help="which numbers")
    add_out(exercise)
    exercise.add_argument(
        "--classes",
        type=whole,
        default=5,
        metavar="C",
        help="classes of the distributions, 3 to 9 (default 5)",
    )
    exercise.add_argument(
        "--questions", default="", metavar="NAMES", help="separated by commas (default: all)"
    )
    exercise.add_argument(
        "--variants",
        type=whole,
        default=1,
        metavar="N",
        help="sheets with different numbers, for instance one for each student (default 1)",
    )
    exercise.add_argument(
        "--format",
        default="md",
        metavar="md,ipynb",
        help="Markdown with LaTeX formulas, notebooks, or both (default md)",
    )
    exercise.add_argument(
        "--json", action="store_true", help="print the files, numbers and answers as JSON"
    )
    exercise.set_defaults(run=_exercise)


def _exercise(options: argparse.Namespace) -> int:
    from ordbook.course.sheets import NUMBERS, make_sheets, write_sheets

    def names(text: str) -> list[str]:
        return [name.strip() for name in text.split(",") if name.strip()]

    formats = names(options.format)
    if not formats:
        raise ValueError("--format is empty; write md, ipynb or md,ipynb")
    sheets = make_sheets(
        options.seed,
        variants=options.variants,
        classes=options.classes,
        questions=names(options.questions),
    )
    files = write_sheets(sheets, options.out, formats=formats, overwrite=options.overwrite)
    if options.json:
        about = json.loads((Path(options.out).expanduser() / NUMBERS).read_text(encoding="utf-8"))
        say_json({"folder": options.out, **about})
    else:
        for name in files:
            say(Path(options.out) / name)
    return 0
