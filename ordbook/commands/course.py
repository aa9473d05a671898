"""``ordbook course`` and ``ordbook exercise``: material for teachers."""

import argparse
import secrets
from pathlib import Path

from ordbook.commands import (
    Commands,
    add_options,
    names,
    progress,
    say,
    say_json,
)

COURSE = """\
examples:
  ordbook course --session 2 --out session
  ordbook course --all --out course --wheel dist/ordbook-0.1.0rc1-py3-none-any.whl
  ordbook course --chapter acl21 --chapter lq21 --out chapters

A session of the book's page on teaching (1, 2, 3 or tutorial), or a chapter, becomes three files.
They are made from the chapters' own cells. The chapters that a session cites are executed first,
which takes a few minutes.
  students/NAME.ipynb   a notebook in plain Markdown, for Jupyter or Colab, without solutions
  slides/NAME.html      slides, with the plan as speaker's notes; they need no network
  teacher/NAME.html     the plan by minutes, the board, what is often wrong, and the answers
Figures, tables and exercises have the same numbers in all three. index.html lists the files.

A chapter's slides show the cells whose metadata has slideshow.slide_type, as JupyterLab's property
inspector writes it.

The first cell of a notebook installs ordbook if it is missing: from the wheel beside it (--wheel
puts it there, `make wheel` builds it), or from the project's repository, once that has a public
address. The package holds the whole book, with its solutions, so do not use these for graded work
(see ordbook exercise).
"""
EXERCISE = """\
examples:
  ordbook exercise --out homework
  ordbook exercise --out exam --variants 30 --questions nmd,rnod,tau
  ordbook exercise --out quiz --variants 30 --format moodle
  ordbook exercise --exam --out paper
  ordbook exercise --toy --out toy

questions, worked by hand:
  nmd rnod        of a gold and an estimated distribution
  kappa           of a confusion matrix of twelve items
  tau             tau-a and tau-b of two rankings with a tie
  contradiction   power, overlap and the contradiction of two measures, read off p-values
  halves          tau and winner by two halves of the topics
  trials          what a count of random trials says, and how surely

DIR gets sheet.html and key.html, or with several variants sheets/01.html, keys/01.html and so on:
pages for printing, with points, minutes and a formula sheet. A key has every step and the values of
common mistakes. Format moodle gives moodle.xml for the question bank of Moodle, with a category for
each kind.

The seed is long and drawn at random, and only the keys and moodle.xml contain it. --seed with it
writes the same again. A short seed can be found by trying many, so give none for graded work.
"""


def add(commands: Commands) -> None:
    """Describe the commands to the parser."""
    course = commands.add_parser(
        "course",
        help="make notebook, slides and teacher's page of a session or a chapter",
        description="Make the material of a session: a notebook for students, slides, and a page "
        "for the teacher with plan and answers.",
        epilog=COURSE,
    )
    add_options(course, "--out!", "--overwrite")
    which = course.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--session", metavar="NAME", help="a session of the plan: 1, 2, 3 or tutorial"
    )
    which.add_argument("--all", action="store_true", help="all sessions")
    which.add_argument(
        "--chapter", action="append", metavar="NAME", help="a whole chapter, such as acl21, or all"
    )
    course.add_argument(
        "--wheel", metavar="FILE", help="a wheel of this version of ordbook, for the students"
    )
    course.add_argument(
        "--code",
        action="store_true",
        help="show all code on slides, not only what is short and open",
    )
    add_options(course, "--jobs", "--json")
    course.set_defaults(run=_course)
    exercise = commands.add_parser(
        "exercise",
        help="draw fresh exercises for graded work, with a separate answer key",
        description="Draw distributions, confusion matrices, rankings, p-values and scores to work "
        "with by hand, and write exercises about them and a separate key with every step.",
        epilog=EXERCISE,
    )
    add_options(exercise, "--out!", "--overwrite")
    fixed = exercise.add_mutually_exclusive_group()
    fixed.add_argument(
        "--exam", action="store_true", help="write the exam questions of the book, with their key"
    )
    fixed.add_argument(
        "--toy",
        action="store_true",
        help="write the toy of the first session, with empty grids, and beside it worked out",
    )
    exercise.add_argument(
        "--seed", type=int, metavar="N", help="seed of the numbers (default: a long secret one)"
    )
    exercise.add_argument(
        "--questions",
        type=names,
        default=[],
        metavar="NAMES",
        help="separated by commas (default: all)",
    )
    exercise.add_argument(
        "--variants", type=int, default=1, metavar="N",
        help="sheets with different numbers, for instance one for each student (default 1)",
    )  # fmt: skip
    exercise.add_argument(
        "--format", type=names, default=["html"], metavar="html,md,moodle",
        help="pages for printing, Markdown, or a file that Moodle imports (default html)",
    )  # fmt: skip
    exercise.add_argument(
        "--json", action="store_true", help="print the names of the files as JSON"
    )
    exercise.set_defaults(run=_exercise)


def _course(options: argparse.Namespace) -> int:
    from ordbook.course.handouts import write_packs
    from ordbook.course.packs import require_names
    from ordbook.show.parameters import chapter_names

    if options.chapter:
        chosen = chapter_names() if "all" in options.chapter else options.chapter
        packs = require_names(chapters=list(dict.fromkeys(chosen)))
    else:
        packs = require_names(sessions=[options.session] if options.session else None)
    files = write_packs(
        packs,
        options.out,
        wheel=options.wheel,
        overwrite=options.overwrite,
        code=options.code,
        jobs=options.jobs,
        progress=progress,
    )
    if options.json:
        say_json({"folder": options.out, "files": files})
    else:
        say(Path(options.out) / "index.html")
    return 0


def _exercise(options: argparse.Namespace) -> int:
    from ordbook.course.sheets import make_sheets, quiz, sheet_pages, write_pages

    formats, more = options.format, {}
    if options.exam or options.toy:
        if "moodle" in formats:
            raise ValueError("exam and toy are paper: --format takes html and md for them")
        from ordbook.course.exercises import exam_pages  # cites works, as the book does
        from ordbook.course.packs import toy_pages

        pages = exam_pages() if options.exam else toy_pages()
    else:
        seed = secrets.randbits(128) if options.seed is None else options.seed
        sheets = make_sheets(seed, variants=options.variants, questions=options.questions)
        pages = sheet_pages(sheets, seed)
        more = {"moodle.xml": quiz(sheets, seed)} if "moodle" in formats else {}
    files = write_pages(pages, options.out, formats=formats, overwrite=options.overwrite, more=more)
    if options.json:
        say_json({"folder": options.out, "files": files})
    else:
        for name in files:
            say(Path(options.out) / name)
    return 0
