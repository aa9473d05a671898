"""``ordbook course`` and ``ordbook exercise``: material for teachers."""

import argparse
import secrets
from pathlib import Path

from ordbook.commands import Commands, add_options, names, progress, say

COURSE = """\
examples:
  ordbook course --out course
  ordbook course --out course --wheel dist/ordbook-0.1.0rc1-py3-none-any.whl
  ordbook course my/session1.ipynb my/deck1.ipynb --out mine

Writes the three worksheets and three decks of the book, or notebooks of your own:
  students/session1.ipynb   a worksheet without the cells tagged `solution`
  slides/deck1.html         slides with speaker's notes (key S); they need no network
  teacher/                  all notebooks as they are, to project, edit and write again

Edit a notebook of teacher/ in Jupyter and name it to get its handout. A notebook with slideshow
metadata is a deck: its cells run, and its code is shown where a cell is tagged `show-input`.

A worksheet says how to install ordbook from the wheel beside it (--wheel puts it there, `make
wheel` builds it). The package holds the book with its solutions, so do not grade worksheets; see
ordbook exercise.
"""
EXERCISE = """\
examples:
  ordbook exercise --after 1 --out homework
  ordbook exercise --out test --variants 30 --questions nmd,rnod,tau
  ordbook exercise --after 2 --out quiz --variants 30 --format moodle
  ordbook exercise --toy --out toy

questions, worked by hand, and the session after which they can be asked:
  nmd rnod        1  of a gold and an estimated distribution
  tau             2  tau-a and tau-b of two rankings with a tie
  contradiction   2  power, overlap and the contradiction of two measures, read off p-values
  kappa           3  of a confusion matrix of twelve items

DIR gets sheet.html and key.html, or with several variants sheets/01.html, keys/01.html and so on:
pages for printing, with points, minutes, room for the answers and a formula sheet. All variants are
the same amount of work. A key has every step and the values of common mistakes. Format moodle gives
moodle.xml for the question bank of Moodle, with a category for each kind.

The seed is long and drawn at random, and only the keys and moodle.xml contain it. --seed with it
writes the same again. A short seed can be found by trying many, so give none for graded work.
"""


def add(commands: Commands) -> None:
    """Describe the commands to the parser."""
    course = commands.add_parser(
        "course",
        help="write the worksheets and slides of the course",
        description="Write students' worksheets and slides of the three sessions that the book's "
        "page on teaching plans.",
        epilog=COURSE,
    )
    course.add_argument(
        "notebooks",
        nargs="*",
        metavar="NOTEBOOK",
        help="worksheets and decks of your own (default: those of the book)",
    )
    add_options(course, "--out!", "--overwrite")
    course.add_argument(
        "--wheel", metavar="FILE", help="a wheel of this version of ordbook, for the students"
    )
    course.set_defaults(run=_course)
    exercise = commands.add_parser(
        "exercise",
        help="draw fresh exercises for graded work, with a separate answer key",
        description="Draw distributions, confusion matrices, rankings and p-values to work with by "
        "hand, and write exercises about them and a separate key with every step.",
        epilog=EXERCISE,
    )
    add_options(exercise, "--out!", "--overwrite")
    which = exercise.add_mutually_exclusive_group()
    which.add_argument(
        "--toy",
        action="store_true",
        help="write the week that session 1 works out on the board, and beside it worked out",
    )
    which.add_argument(
        "--after", type=int, choices=(1, 2, 3), help="the questions that session 1, 2 or 3 allows"
    )
    which.add_argument(
        "--questions",
        type=names,
        default=[],
        metavar="NAMES",
        help="separated by commas (default: all)",
    )
    exercise.add_argument(
        "--seed", type=int, metavar="N", help="seed of the numbers (default: a long secret one)"
    )
    exercise.add_argument(
        "--variants", type=int, default=1, metavar="N",
        help="sheets with different numbers, for instance one for each student (default 1)",
    )  # fmt: skip
    exercise.add_argument(
        "--format", type=names, default=["html"], metavar="html,md,moodle",
        help="pages for printing, Markdown, or a file that Moodle imports (default html)",
    )  # fmt: skip
    exercise.set_defaults(run=_exercise)


def _course(options: argparse.Namespace) -> int:
    from ordbook.course.handouts import write_course

    files = write_course(
        options.notebooks,
        options.out,
        wheel=options.wheel,
        overwrite=options.overwrite,
        progress=progress,
    )
    return _say_files(options.out, files)


def _exercise(options: argparse.Namespace) -> int:
    from ordbook.course.drawn import AFTER, toy
    from ordbook.course.sheets import make_sheets, quiz, sheet_pages, write_pages

    formats, more = options.format, {}
    if options.toy:
        if "moodle" in formats:
            raise ValueError("the toy is paper: --format takes html and md for it")
        pages = sheet_pages([toy()], None)
    else:
        seed = secrets.randbits(128) if options.seed is None else options.seed
        questions = AFTER[options.after] if options.after else options.questions
        sheets = make_sheets(seed, variants=options.variants, questions=questions)
        pages = sheet_pages(sheets, seed)
        more = {"moodle.xml": quiz(sheets, seed)} if "moodle" in formats else {}
    files = write_pages(pages, options.out, formats=formats, overwrite=options.overwrite, more=more)
    if options.seed is not None and options.seed < 2**64:
        progress("students can find a short seed by trying: give none for graded work")
    return _say_files(options.out, files)


def _say_files(out: str, files: list[str]) -> int:
    for name in files:
        say(Path(out) / name)
    return 0
